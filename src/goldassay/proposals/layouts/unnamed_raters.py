"""Columns whose names say nothing of who rates, beside those of raters: whose they are, by what
they hold and by who is there already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from goldassay.frozen import dataclass
from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.column_names import about_of, asks, like_a_value
from goldassay.proposals.layouts.numbered_names import differ_in_number, numbered_name
from goldassay.proposals.layouts.people_or_questions import are_called_as_people
from goldassay.proposals.layouts.raters_and_criteria import ask_of_others
from goldassay.proposals.layouts.summed_up import goes_with_the_sum, is_made_of, tell_sums
from goldassay.proposals.profile import counted
from goldassay.proposals.shape import Table, some
from goldassay.ratings.vocabulary import (
    CRITERIA,
    EVALUATING,
    GENERIC,
    RESOLVED,
    SYNONYMS,
    SYSTEMS,
    folded,
    kind_of,
    number,
    plain_name,
    words,
)
from goldassay.sources.vote_counts import VOTER
from goldassay.words import named

__all__ = ["standardised", "with_others"]


@dataclass(frozen=True)
class _Beside:
    """Columns that say nothing of who rates, beside those that do."""

    table: Table
    known: Mapping[str, str]
    others: Sequence[str]
    draft: Draft
    #: Of the known ones, what was resolved where people differ.
    resolved: Sequence[str] = ()

    @cached_property
    def judges(self) -> list[str]:
        return [name for name, kind in self.known.items() if kind == "judge"]

    @cached_property
    def standard(self) -> list[str]:
        """Whom judges are held against: people, and keys."""
        known = self.known.items()
        return [name for name, kind in known if kind != "judge" and name not in self.resolved]

    @cached_property
    def people(self) -> list[str]:
        return [name for name, kind in self.known.items() if kind == "human"]

    @cached_property
    def paired(self) -> bool:
        """Whether no judge is named, and all are called after what people rated."""
        rated = {about_of(name) for name in self.standard} - {()}
        here = bool(self.known and self.others and not self.judges)
        return here and {about_of(name) for name in self.others} <= rated

    def left(self, names: Sequence[str]) -> list[str]:
        return [name for name in self.others if name not in names]

    def ask_of_all_but(self, names: Sequence[str]) -> None:
        ask_of_others(self.left(names), self.draft)


def with_others(
    table: Table, known: Mapping[str, str], others: Sequence[str], draft: Draft
) -> tuple[dict[str, str], bool]:
    """The raters with the columns whose names say nothing of who rates, placed by what they hold
    and by who is there already; and whether each is of what a person rated too."""
    here = _Beside(table, known, others, draft)
    paired = here.paired
    here = _without_what_people_gave(here)
    return next(found for way in _WAYS if (found := way(here, paired)) is not None), paired


def _without_what_people_gave(here: _Beside) -> _Beside:
    """With what was resolved where people differ among the known ones, and without what was made
    of people's ratings, or of another column."""
    if len(here.people) > 1:
        some_ = here.people[:_MOST_PEOPLE]
        final = [n for n in here.others if {*words(n)} & RESOLVED and _shares(here, n, here.people)]
        made = [n for n in here.left(final) if is_made_of(here.table, n, some_)]
        tell_sums(made, here.draft)
        total = [n for n in here.left([*final, *made]) if goes_with_the_sum(here.table, n, some_)]
        ask_of_others(total, here.draft)
        known = {**here.known, **dict.fromkeys(final, "reference")}
        left = here.left([*final, *made, *total])
        here = replace(here, known=known, others=left, resolved=final)
    single = [name for name in here.people if kind_of(name) is None]
    if theirs := [n for n in here.others if {*about_of(n)} & _own_words(single)]:
        here.draft.ask(
            f"Is {some(theirs)} what one of {some(single)} said at another time, by the name? It "
            "is not read",
            left_out=theirs,
        )
        here = replace(here, others=here.left(theirs))
    if again := standardised(here.table, here.others):
        here.draft.ask(
            f"Is {named(again)} what stands beside it on another scale (`raw`)? It is not read"
        )
        here = replace(here, others=here.left([again]))
    return here


def _own_words(people: Sequence[str]) -> set[str]:
    """What tells people apart by their names, beside what all of them rated: `mario`, `vga`."""
    about: list[set[str]] = [{*about_of(name)} for name in people if len(people) > 1]
    own = [one - set[str].intersection(*about) for one in about]
    return set[str]().union(*own) if about and all(len(one) == 1 for one in own) else set()


def _beside_votes(here: _Beside, _: bool) -> dict[str, str] | None:
    """Counts of votes say nothing of who else rated."""
    if not here.others or here.judges or not here.people or not all(map(_is_voter, here.people)):
        return None
    here.ask_of_all_but([])
    return dict(here.known)


def _of_the_same_thing(here: _Beside, _: bool) -> dict[str, str] | None:
    """`quality/score` beside `human_quality` and `rouge/score`: the metric is of something else."""
    if not here.judges or not here.standard:
        return None
    same = _of_what_people_rated(here.others, here.standard, here.judges)
    if not same:
        return None
    rated = {*about_of(here.standard[0])}
    left = [name for name in here.judges if not {*about_of(name)} & rated]
    ask_of_others([*here.left(same), *left], here.draft)
    known = {name: kind for name, kind in here.known.items() if name not in left}
    return known | dict.fromkeys(same, "judge")


def _beside_both(here: _Beside, _: bool) -> dict[str, str] | None:
    """Beside people and judges, those who are called as raters are and share their labels."""
    if not here.judges or not here.standard:
        return None
    raters = list(here.known)
    series = _numbered_alike(here.others)  # `label_1` to `label_3` beside `majority_label`
    series = series or (_named_alike(here.others) if not here.people else [])
    taken = [n for n in here.others if n in series or _like_raters(here.table, n, raters)]
    taken = [n for n in taken if _shares(here, n, raters)]
    if taken and differ_in_number(here.others):  # `R1` to `R5`, each with some of the labels
        taken = [n for n in here.others if _shares(here, n, raters)]
    taken = [n for n in taken if not _in_another_record(here.table, n, raters)]
    taken = [n for n in taken if not _says_when(n)]
    # `prometheus2` and `em` beside `physician_1` and `gpt4`: people are named as such, and not by
    # names of their own.
    own = any(_has_own_name(name, here.judges) for name in here.people)
    unlike = bool(here.people) and not series and not own
    if taken and unlike and differ_in_number(here.people):
        verb = "is a judge" if len(taken) == 1 else "are judges"
        here.draft.assume(Weight.WHO, f"{some(taken)} {verb}: people are numbered")
    elif unlike:
        _tell_unlike(taken, here.draft)
    here.ask_of_all_but(taken)
    return {**here.known, **dict.fromkeys(taken, "judge" if unlike else "human")}


#: What checks an output, or what it found.
_CHECKS = EVALUATING | {
    *("arbiter", "checker", "guardrail", "guardrails", "validator", "verifier", "verification")
}


def _called_as_judges(here: _Beside, paired: bool) -> dict[str, str] | None:
    """`faithfulness` beside `human_faithfulness`: what people rated too is a judge's; so is what is
    called something's label, or an evaluation."""
    called = here.standard and not here.judges and here.others
    made = all(_has_a_name(name) or {*words(name)} <= _CHECKS for name in here.others)
    if not paired and not (called and made):
        return None
    return {**here.known, **dict.fromkeys(here.others, "judge")}


def _the_only_other(here: _Beside, _: bool) -> dict[str, str] | None:
    """One column beside judges is people's, and one that is called a label beside people a judge's,
    where it may mean the same as theirs."""
    if len(here.others) != 1 or not here.known:
        return None
    (other,) = here.others
    called = like_a_value(other, {*SYNONYMS["value"]}) or words(other)[0] in ("actual", "output")
    if not here.judges and not called:
        return None
    if not _may_mean_the_same(here.table, other, here.judges or here.standard):
        here.ask_of_all_but([])
        return dict(here.known)
    if here.judges and not here.standard and _is_said_at_last(here.table, other, here.judges):
        here.draft.ask(
            f"Was {named(other)} made of what judges say? It says in every row what "
            f"{named(here.judges[0])} says: not read",
            left_out=[other],
        )
        return dict(here.known)
    if not here.judges and not here.people and plain_name(other) in _NOBODYS:
        key = {"reference": list(here.known)}
        here.draft.lack(
            f"Whose labels are in {named(other)}, beside {some(list(here.known))}? The name says "
            "neither a judge's nor a person's",
            {"wide": {"judge": [other], **key}},
            {"wide": {"human": [other], **key}},
        )
    return {**here.known, other: "human" if here.judges else "judge"}


#: Words of what several judges come to.
_AT_LAST = frozenset(
    ["final", "primary", "panel", "combined", "aggregate", "aggregated", "ensemble"]
)


def _is_said_at_last(table: Table, name: str, judges: Sequence[str]) -> bool:
    """Whether a column is called the last word (`final_verdict`) and is a judge's in every row."""
    rows = [row for row in counted(table.source, name, judges[0]) if all(row)]
    said = all(folded(one) == folded(two) for one, two in rows)
    return bool({*words(name)} & _AT_LAST) and bool(rows) and said


#: Names of labels that people give as often as judges do.
_NOBODYS = frozenset(["label", "labels", "annotation", "tag", "class"])


def _resolved_by_rule(here: _Beside, _: bool) -> dict[str, str] | None:
    """A column that names nobody, not even by a name of its own, and says what two people say in
    every row in which they agree, and one of their labels in the others (`category` beside
    `rater_a` and `rater_b`): what was resolved."""
    if len(here.people) != 2 or here.judges or len(here.others) != 1:
        return None
    (other,) = here.others
    if not ({*words(other)} & GENERIC or plain_name(other) in _GROUPS):
        return None
    rows = counted(here.table.source, other, *here.people)
    said = {tuple(map(folded, row)): n for row, n in rows.items() if all(row)}
    agree = sum(n for (_, one, two), n in said.items() if one == two)
    differ = sum(n for (_, one, two), n in said.items() if one != two)
    if agree < _ENOUGH or not differ or any(own not in votes for own, *votes in said):
        return None
    here.draft.assume(
        Weight.WHO, f"{named(other)} is one of people's labels in every row: resolved"
    )
    return {**here.known, other: "reference"}


#: What an item is called that belongs to one of several kinds.
_GROUPS = frozenset(["category", "class", "type", "topic", "code", "theme"])
#: So many rows in which people agree show what follows from it.
_ENOUGH = 5


#: A name of so few letters says neither who rates nor what is rated.
_LETTERS = 2


def _beside_people(here: _Beside, _: bool) -> dict[str, str] | None:
    """People are named as such: what is called otherwise and says the same is no person."""
    if not here.others or here.judges or not (len(here.people) > 1 or _named_human(here.people)):
        return None
    if any("kind" in cell for cell in here.draft.declared.table("cells").values()):
        here.ask_of_all_but([])  # who rated is declared
        return dict(here.known)
    alike = [name for name in here.others if _shares(here, name, here.standard)]
    same = _of_the_same(alike, here.standard) or _on_the_whole(alike, here.standard)
    if all(map(asks, here.standard)):  # `tone` beside people's accuracy is nobody's accuracy
        alike = [name for name in alike if not asks(name)]
    alike = [name for name in same or alike if len(name) > _LETTERS]  # `P` and `R` name nobody
    alike = [name for name in alike if not _says_when(name)]
    here.ask_of_all_but(alike)
    _tell_unlike(alike, here.draft)
    return {**here.known, **dict.fromkeys(alike, "judge")}


def _named_as_judges(here: _Beside, _: bool) -> dict[str, str] | None:
    """Of columns beside several judges, those that are called as these are (`zephyr_label` beside
    `gpt_4_label` and `llama_7b_label`) are judges too, where another is left to be people's."""
    ends = {plain_name(name).rpartition("_")[2] for name in here.judges}
    if len(here.judges) < _SEVERAL or len(ends) != 1 or here.standard or not ends <= GENERIC:
        return None
    theirs = [n for n in here.others if plain_name(n).rpartition("_")[::2][1] in ends]
    theirs = [n for n in theirs if _has_a_name(n) and _shares(here, n, here.judges)]
    rest = [n for n in here.left(theirs) if _shares(here, n, here.judges)]
    if not theirs or not rest:
        return None
    said = "is a judge, because it is" if len(theirs) == 1 else "are judges, because they are"
    here.draft.assume(Weight.WHO, f"{some(theirs)} {said} named as judges are")
    here.ask_of_all_but([*theirs, *rest])
    return {**here.known, **dict.fromkeys(theirs, "judge"), **dict.fromkeys(rest, "human")}


#: So many judges' names show how judges are called.
_SEVERAL = 3


def _called_as_systems(here: _Beside, _: bool) -> dict[str, str] | None:
    """Beside a key, or people, what is called a system (`system_1`, `agent`) and says their labels
    is a judge's: no person is called so."""
    machines = all({*words(numbered_name(name)[0])} <= SYSTEMS for name in here.others)
    if not here.others or not machines or here.judges or not here.standard:
        return None
    if not all(_shares(here, name, here.standard) for name in here.others):
        return None
    said = "is a judge" if len(here.others) == 1 else "are judges"
    here.draft.assume(Weight.WHO, f"{some(list(here.others))} {said}: no person is called so")
    return {**here.known, **dict.fromkeys(here.others, "judge")}


#: Kinds of those whom judges are held against.
_STANDARD = ("human", "reference")


def _as_people(here: _Beside, _: bool) -> dict[str, str] | None:
    """Whoever is left is a person; beside judges, who says what they say. Beside people who are
    named as such, what is called neither as they are nor as a person may be a judge's: asked."""
    unlike = here.people and not here.judges and not are_called_as_people(here.others)
    if here.others and unlike and not differ_in_number([*here.people, *here.others]):
        key = {kind: [n for n in here.known if here.known[n] == kind] for kind in _STANDARD}
        named_ = {kind: names for kind, names in key.items() if names}
        people = {**named_, "human": [*key["human"], *here.others]}
        final = "reference" not in named_ and all({*words(n)} & RESOLVED for n in here.others)
        other = "reference" if final else "judge"  # `final_label` beside one annotator's
        here.draft.lack(
            f"Whose ratings are in {some(here.others)}, beside {some(here.standard)}? Their names "
            "say neither judges nor people",
            {"wide": {**named_, other: list(here.others)}},
            {"wide": people},
        )
    alike = [name for name in here.others if _shares(here, name, here.judges)]
    if alike:
        here.ask_of_all_but(alike)
    return {**here.known, **dict.fromkeys(alike or here.others, "human")}


#: Ways to place such columns; the first that fits places all of them.
_WAYS = (
    _beside_votes,
    _of_the_same_thing,
    _beside_both,
    _called_as_judges,
    _resolved_by_rule,
    _the_only_other,
    _beside_people,
    _named_as_judges,
    _called_as_systems,
    _as_people,
)


def _shares(here: _Beside, name: str, others: Iterable[str]) -> bool:
    return _shares_labels(here.table, name, others)


#: So many people's columns are looked at together.
_MOST_PEOPLE = 12


def _in_another_record(table: Table, name: str, raters: Sequence[str]) -> bool:
    """Whether all raters are members of one record and a column is one of another's: `patch.files`
    beside `review.human_rating` and `review.llm_rating`."""
    heads = {table.own(one).rpartition(".")[0] for one in raters}
    head = table.own(name).rpartition(".")[0]
    return len(heads) == 1 and len(raters) > 1 and "" not in heads | {head} and head not in heads


def _of_what_people_rated(
    others: Sequence[str], standard: Sequence[str], judges: Sequence[str]
) -> list[str]:
    """Columns that name nobody and are called after what one person's is, in two words or more,
    where every judge's column is about something else."""
    rated, theirs = ({about_of(name) for name in names} for names in (standard, judges))
    if len(rated) != 1 or len(next(iter(rated))) < 2 or theirs & {*rated, ()}:
        return []
    return [name for name in others if about_of(name) in rated]


def _of_the_same(names: Sequence[str], standard: Sequence[str]) -> list[str]:
    """Of columns of several criteria, those of what people rated: they share a word with theirs
    that not all have (`feedback.correctness` with `feedback.human_correctness`)."""
    about = {name: {*about_of(name)} for name in (*names, *standard)}
    common = set.intersection(*about.values())
    rated = set[str]().union(*(about[name] for name in standard)) - common
    return [name for name in names if about[name] & rated]


#: Words for people that are names of persons too.
_GIVEN_NAMES = frozenset(["ann", "anno", "dev", "mens", "hum"])


def _has_own_name(name: str, judges: Sequence[str]) -> bool:
    """Whether a person's column says who it is: `ann`, `annotator_kim`; what judges rate too is no
    name."""
    rated = {word for judge in judges for word in about_of(judge)}
    return plain_name(name) in _GIVEN_NAMES or not {*about_of(name)} <= rated


#: Words of a judge's last word on an item, beside what it says of single criteria.
_WHOLE = frozenset(["overall", "total", "final", "average", "avg", "mean", "aggregate", "holistic"])


def _on_the_whole(names: Sequence[str], standard: Sequence[str]) -> list[str]:
    """Of columns of criteria and one that is called the whole of them, the latter, where people
    rated no criterion either: `overall_score` beside `tone` and `accuracy` with `human_score`."""
    whole = [name for name in names if {*words(name)} & _WHOLE]
    parts = [name for name in names if name not in whole]
    fits = len(whole) == 1 and len(parts) > 1 and all(map(asks, parts))
    return whole if fits and not any(map(about_of, standard)) else []


def _tell_unlike(judges: Sequence[str], draft: Draft) -> None:
    if judges:
        said = "is a judge, because it is" if len(judges) == 1 else "are judges, because they are"
        draft.assume(Weight.WHO, f"{some(judges)} {said} not named as people are")


def _numbered_alike(names: Sequence[str]) -> list[str]:
    """All of the columns, where a number alone tells two or more labels apart."""
    alike = len(names) > 1 and differ_in_number(names)
    return list(names) if alike and {*words(numbered_name(names[0])[0])} & GENERIC else []


#: Words of scores that were given before or after something, by whomever.
_WHEN = frozenset(["after", "baseline", "before", "initial", "old", "original", "post", "pre"])


def _says_when(name: str) -> bool:
    """`score_before`; a `baseline` alone is whoever it was."""
    said = {*words(name)}
    return bool(said & _WHEN and said & GENERIC)


def _named_alike(names: Sequence[str]) -> list[str]:
    """All of the columns, where they are called labels by one word and somebody by another:
    `label_alice`, `label_bob`."""
    parts = [plain_name(name).split("_") for name in names]
    said = {one[0] for one in parts}
    own = [one[-1] for one in parts]
    fits = len(names) > 1 and len(said) == 1 and said <= GENERIC and len({*own}) == len(own)
    fits = fits and all(len(one) == 2 for one in parts) and are_called_as_people(own)
    return list(names) if fits and not {*own} & (_WHEN | GENERIC) else []


def _is_voter(name: str) -> bool:
    """One of those whose votes were counted."""
    return name.rpartition(" ")[0] == VOTER


def _named_human(people: Sequence[str]) -> bool:
    """Whether the only person's column says so in so many words (`human_correct`)."""
    return len(people) == 1 and bool({*words(people[0])} & {"human", "humans", "manual"})


def standardised(table: Table, names: Sequence[str]) -> str | None:
    """Of `score` and `raw`, the one that was made of the other: it has numbers below 0."""
    raw = [name for name in names if words(name)[:1] == ("raw",)]
    rest = [
        name
        for name in names
        if name not in raw
        and table.columns[name].scores
        and any((number(label) or 0.0) < 0 for label in table.columns[name].labels)
    ]
    return rest[0] if len(raw) == len(rest) == 1 else None


def _shares_labels(table: Table, name: str, others: Iterable[str]) -> bool:
    mine, scores = table.folds(name), table.columns[name].scores
    return any(mine & table.folds(one) or (scores and table.columns[one].scores) for one in others)


def _may_mean_the_same(table: Table, name: str, standard: Sequence[str]) -> bool:
    """Whether a column's labels may be what people's are, written otherwise: not more words than
    they have, not words for what numbers say, and not other numbers under a name that says
    nothing of ratings (`hint_level`)."""
    column = table.columns[name]
    theirs = [table.columns[one] for one in standard]
    mine, used = table.folds(name), {label for one in standard for label in table.folds(one)}
    if not theirs or (2 * len(mine & used) >= len(mine) if column.numeric else mine & used):
        return True
    most = max(len(one.labels) for one in theirs)
    if most > 2 and all(one.numeric for one in theirs) and not (column.numeric or column.verdicts):
        return False
    if column.numeric and any(one.numeric for one in theirs):
        called = {*words(name)} & (GENERIC | {"votes"}) or plain_name(name) in SYNONYMS["value"]
        return column.scores or bool(called) or asks(name)
    return len(column.labels) <= most


def _has_a_name(name: str) -> bool:
    """A name such as `harmbench_label`: something's, and a label; `final_label` is nobody's."""
    said = set(words(name))
    return bool(said & (GENERIC - {"a", "the", "is", "of"})) and bool(
        said - GENERIC - RESOLVED - CRITERIA
    )


def _like_raters(table: Table, name: str, known: Sequence[str]) -> bool:
    """A name that says nothing (a person's), or something's label as the raters' are called
    (`nli_label` beside `human_label` and `gpt_label`), over labels that the raters use."""
    theirs = {folded(label) for one in known for label in table.columns[one].labels}
    mine = {folded(label) for label in table.columns[name].labels}
    called = {*words(name)} & GENERIC
    alike = called and all(called <= {*words(one)} for one in known) and not about_of(known[0])
    return mine <= theirs and (not called or (bool(alike) and _has_a_name(name)))
