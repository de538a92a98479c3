"""Where judges are held against a reference and not against people, no text says people.

Sentences are written about people, who are the rule. An answer key, an adjudicated label or the
label of another model is no independent person: findings that stand on such references alone are
put into these words, once and for every text (`Findings`), and so are the glossary's. What stands
between backticks is a name and stays as it is, and so does a name of the data's own wherever it
occurs: `human` may be an option of a detector, or `people` a topic.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, is_dataclass, replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

__all__ = [
    "REFERENCE",
    "VERBS",
    "Wording",
    "names_of",
    "of_document",
    "renders",
    "worded",
    "wording",
]

#: What stands for people alone in a cell: the head of a column, the label of a line.
REFERENCE = "reference"

#: Verbs that follow people in a text, as they follow one reference; past forms stay.
VERBS: Mapping[str, str] = {
    **{verb: f"{verb}s" for verb in ("agree", "call", "choose", "count", "decide", "differ")},
    **{verb: f"{verb}s" for verb in ("disagree", "give", "label", "lean", "need", "order")},
    **{verb: f"{verb}s" for verb in ("find", "prefer", "rate", "reward", "say", "score", "split")},
    **{verb: f"{verb}s" for verb in ("tie", "use", "write")},
    "are": "is",
    "do": "does",
    "have": "has",
    "were": "was",
}

_HAS = re.compile(r"people|person|human", re.IGNORECASE)
_QUOTED = re.compile("(`[^`]*`)")
#: A word that is no part of a file's or a column's name.
_WORD = r"(?<![\w./-])(?:{})(?![\w/-]|\.\w)"
_PEOPLE = re.compile(
    rf"(?P<do>(?<!\w)[Dd]o )?(?P<the>(?<!\w)[Tt]he )?{_WORD.format('(?P<noun>[Pp]eople)')}"
    r"(?P<owns>['\u2019]s)?(?: (?P<verb>[a-z]+)(?![\w-]))?"
)
#: What one alone cannot do, or be.
_OF_SEVERAL = {
    "people agree with one another": "raters agree with one another",
    "most people would": "most raters would",
    "among people": "of people",
    "by a person": "by people",
    "person's rating": "reference's rating",
}
_PERSON = re.compile(_WORD.format(r"(?P<before>[Aa]|[Oo]ne|[Ee]ach|[Tt]he|1) person"))
#: That a reference is no independent person stays said.
_PERSONS = re.compile(r"(?<!independent )" + _WORD.format("persons?"))
_HUMAN = re.compile(_WORD.format("(?P<noun>[Hh]uman)(?: reference)?"))

Anything = TypeVar("Anything")
Made = TypeVar("Made")
Options = ParamSpec("Options")
Render = Callable[Concatenate[Mapping[str, Any], Options], Made]


class Wording:
    """Texts about people, put into words about references: one of them, or several.

    >>> one, several = Wording(1), Wording(2)
    >>> one.text("`judge` agrees with people on 90 %, and people call it `people`.")
    '`judge` agrees with the reference on 90 %, and the reference calls it `people`.'
    >>> several.text("People's labels: two people agree on 80 %.")
    "The references' labels: two references agree on 80 %."
    >>> one.text("people"), one.text("people.csv")
    ('reference', 'people.csv')
    >>> Wording(1, {"human", "ai"}).text("people: human, of human and ai")
    'the reference: human, of human and ai'
    """

    def __init__(self, number: int, names: Collection[str] = ()) -> None:
        self.several = number > 1
        #: Of judges, systems, options, slices: they stay as they are.
        self.names = frozenset(name for name in names if _HAS.search(name))
        longest_first = sorted(map(re.escape, self.names), key=len, reverse=True)
        self._bare = re.compile(rf"((?<!\w)(?:{'|'.join(longest_first) or '(?!)'})(?!\w))")

    @property
    def nameless(self) -> Wording:
        """The same for texts that hold no name of the data's."""
        return Wording(1 + self.several)

    def text(self, text: str) -> str:
        """A text without people in it."""
        if _HAS.search(text) is None or text in self.names:
            return text
        if text in ("people", "People"):
            return REFERENCE + "s" * self.several
        # A text that sets names apart does so with all of them.
        parts = (_QUOTED if "`" in text else self._bare).split(text)
        parts[::2] = map(self._prose, parts[::2])
        return "".join(parts)

    def _prose(self, text: str) -> str:
        text = text.replace("judge/people", f"judge/{REFERENCE}")
        text = _HUMAN.sub(lambda found: _like(found["noun"], REFERENCE), text)
        if self.several:
            text = _PERSONS.sub(_persons, text)
        else:
            for plural, single in _OF_SEVERAL.items():
                text = text.replace(plural, single)
            text = _PERSON.sub(lambda found: f"{found['before']} {REFERENCE}", text)
        return _PEOPLE.sub(self._people, text)

    def _people(self, found: re.Match[str]) -> str:
        do, the, verb = found["do"] or "", found["the"] or "", found["verb"] or ""
        counted = not the and _is_counted(found.string[: found.start()] + do)
        noun = REFERENCE + "s" * self.several
        owned = ("'" if self.several else "'s") if found["owns"] else ""
        if not self.several:
            do = do and f"{do.rstrip()}es "
            verb = verb if do or owned or _is_joined(found) else VERBS.get(verb, verb)
        if counted and not self.several:  # so many people whom nobody asked yet
            return found[0]
        said = f"{noun}{owned}" if counted else f"the {noun}{owned}"
        said = _like((do and " ") or the or found["noun"], said)
        return " ".join(filter(None, [f"{do}{said}", verb]))

    def all_of(self, value: Anything) -> Anything:
        """A record, or several in a row or by name, each text in it in these words; keys stay."""
        changed: Any = value
        if isinstance(value, str):
            changed = self.text(value)
        elif isinstance(value, Mapping):
            changed = {self._key(k, v): self._kept(k, v) for k, v in value.items()}
        elif isinstance(value, tuple | list):
            changed = type(value)(map(self.all_of, value))
        elif is_dataclass(value) and not isinstance(value, type):
            names = [one.name for one in fields(value) if one.init and one.name not in _KEPT]
            old = {name: getattr(value, name) for name in names}
            new = {name: self.all_of(one) for name, one in old.items()}
            changed = replace(value, **new) if new != old else value
        return changed  # type: ignore[no-any-return]

    def _key(self, key: Any, value: Any) -> Any:
        """The names of counts are read; those of anything else are keys."""
        return self.text(key) if type(value) is int and isinstance(key, str) else key

    def _kept(self, key: Any, value: Any) -> Any:
        return value if key in _KEPT and not is_dataclass(value) else self.all_of(value)


#: What is no prose: whom something is about, facts and options as the data has them, commands.
_KEPT = frozenset(
    (
        *("about", "argv", "command", "facts", "judge", "judges", "key", "kind", "name"),
        *("not_run", "option", "options", "task", "units", "verb"),
    )
)
#: Keys of a result that hold a name.
_ABOUT = ("judge", "other", "rater", "system", "opponent", "criterion", "option", "stratum")
_COUNTS = re.compile(
    r"(?:^|\W)(?:two|three|several|many|more|most|other|few|all|\d+)(?: or more)? $", re.IGNORECASE
)


def _is_counted(before: str) -> bool:
    """Whether what stands before a noun says how many."""
    return _COUNTS.search(before) is not None


def _is_joined(found: re.Match[str]) -> bool:
    """Whether it is the second of two that do something together."""
    before = found.string[: found.start()]
    return before.endswith((" and ", " nor ")) and not before.endswith(", and ")


def _persons(found: re.Match[str]) -> str:
    return REFERENCE + "s" * found[0].endswith("s")


def names_of(rows: Iterable[Mapping[str, Any]], task: Mapping[str, Any] | None) -> set[str]:
    """The names that the data has for judges, systems, options and slices.

    A line of people's own is about "people", which is a word of goldassay's.
    """
    about = {name for row in rows for name in row.values() if isinstance(name, str)}
    return (about - {"people"}) | {str(one) for one in (task or {}).get("options") or ()}


def _like(model: str, word: str) -> str:
    return f"{word[0].upper()}{word[1:]}" if model[:1].isupper() else word


# --- what documents are rendered with -------------------------------------------------------------

_current: ContextVar[Wording | None] = ContextVar("wording", default=None)


def wording() -> Wording | None:
    """How the document that is being rendered words people; None where people rated."""
    return _current.get()


def worded(value: Anything) -> Anything:
    """What goldassay itself says (a heading, a card) for the document that is being rendered.

    A heading names nothing of the data's, a card may.
    """
    current = _current.get()
    if current is None:
        return value
    return (current.nameless if isinstance(value, str) else current).all_of(value)


@contextmanager
def of_document(document: Mapping[str, Any]) -> Iterator[None]:
    """Render a document: what is added to one that has references for people says so too."""
    before = _current.set(_wording_of(document))
    try:
        yield
    finally:
        _current.reset(before)


def _wording_of(document: Mapping[str, Any]) -> Wording | None:
    number = len(document.get("references") or ())
    if not number:
        return None
    about = ({key: row.get(key) for key in _ABOUT} for row in document.get("results") or ())
    return Wording(number, names_of(about, document.get("task")))


def renders(render: Render[Options, Made]) -> Render[Options, Made]:
    """A function that makes something of a document, in that document's words (`of_document`)."""

    @wraps(render)
    def rendered(
        document: Mapping[str, Any], /, *args: Options.args, **options: Options.kwargs
    ) -> Made:
        with of_document(document):
            return render(document, *args, **options)

    return rendered
