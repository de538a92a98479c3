"""Who of the raters that a column names is a person, who a judge and what a reference."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.column_names import asks
from goldassay.proposals.layouts.summed_up import is_made, is_resolved
from goldassay.proposals.layouts.who_rated import tells_kinds
from goldassay.proposals.profile import MANY, counted
from goldassay.proposals.shape import Shape, Table, some
from goldassay.ratings.vocabulary import (
    EVALUATING,
    SYNONYMS,
    folded,
    is_machine,
    kind_of,
    plain_name,
    words,
)
from goldassay.words import named

__all__ = ["declare_raters", "flag_of_kinds", "kinds_of_raters"]

#: What a program calls itself where it names who rated.
_BY_ITSELF = frozenset(
    ["system", "pipeline", "program", "script", "algorithm", "heuristic", "rules", "rule_based"]
)


def kinds_of_raters(table: Table, rater: str, shape: Shape, draft: Draft) -> dict[str, str]:
    """Rater -> kind: by a column that says it, by the raters' names, by the column's name."""
    columns = table.columns
    if "kind" in columns and set(columns["kind"].labels) <= {"human", "judge", "reference"}:
        return {row[0]: row[1] for row in counted(table.source, rater, "kind")}
    names = list(columns[rater].labels)
    if draft.declared.table("raters"):
        return {name: draft.declared.kind_of_rater(name) or "human" for name in names}
    called = table.called(SYNONYMS["kind"], but=[*shape.taken, rater])
    free = [n for n in columns if n not in (*shape.taken, *called, rater)]
    for name in [*called, *(n for n in free if tells_kinds(columns[n]))]:
        said = {label: kind_of(label) for label in columns[name].labels}
        if columns[name].few and said and all(said.values()):
            found = {
                w: str(said[label]) for w, label in counted(table.source, rater, name) if label
            }
            declare_raters(found, shape)
            draft.assume(Weight.WHO, f"the column {named(name)} says who is a person, who a judge")
            return found
    if (flag := flag_of_kinds(table, rater)) is not None:
        name, found = flag
        declare_raters(found, shape)
        draft.assume(Weight.WHO, f"the column {named(name)} says who is a person, who a judge")
        return found
    if len(columns[rater].labels) > MANY:
        names = [who for (who,) in counted(table.source, rater)]
    kinds = {name: kind_of(name) for name in names}
    if "human" in kinds.values():  # `EVAL` beside `ANNOTATION` is what a judge made
        kinds |= {n: "judge" for n in names if n and {*words(n)} and {*words(n)} <= EVALUATING}
    if kind_of(rater) == "judge":  # `codex_manual_read` in a column `judge`
        kinds |= {n: "judge" for n in names if any(map(is_machine, words(n)))}
    if kind_of(table.stem) == "human" and not any(map(is_machine, names)):
        kinds |= {n: "human" for n in names if kinds[n] == "judge"}  # `Evaluator 1` may be either
    if len(names) > 2:  # what labels by itself, beside several who do
        kinds |= {n: "judge" for n in names if kinds[n] is None and folded(n) in _BY_ITSELF}
    if not any(kinds.values()):
        of_judges = kind_of(rater) == "judge" and "user" not in " ".join(names[:3])
        of_people = kind_of(table.stem) == "human" or _are_persons(rater, names)
        of_people = of_people and not is_machine(rater)  # of an evaluator
        kind = "judge" if of_judges and not of_people else "human"
        shape.constants["kind"] = kind
        who = "people" if kind == "human" else "judges"
        draft.assume(Weight.WHO, f"all raters in {named(rater)} are {who}; name others in [raters]")
        return dict.fromkeys(names, kind)
    # In a column `judge` with a machine's name whoever is not called a person is another judge.
    judged = "judge" in words(rater) and {*kinds.values()} <= {None, "judge"}
    found = {name: kind or ("judge" if judged else "human") for name, kind in kinds.items()}
    unsaid = [name for name, kind in kinds.items() if kind is None and _may_be_a_person(name)]
    if judged and unsaid:
        draft.ask(
            f"{'Is' if len(unsaid) == 1 else 'Are'} {some(unsaid)} "
            f"{'a person' if len(unsaid) == 1 else 'people'}? In {named(rater)} whoever is not "
            "called a person is read as a judge; if so",
            {"raters": {"judge": [name for name in names if kinds[name] == "judge"]}},
        )
    single = [name for name, kind in found.items() if kind == "human"]
    summed = [name for name in single if is_made(name) or is_resolved(name)]
    if len(single) - len(summed) > 1:  # a majority beside those who voted is no one of them
        found |= dict.fromkeys(summed, "reference")
    declare_raters(found, shape)
    judges = [name for name, kind in found.items() if kind == "judge"]
    gold = [name for name, kind in found.items() if kind == "reference"]
    if not judges and not gold:
        draft.assume(Weight.WHO, f"all raters in {named(rater)} are people")
        return found
    if {*found.values()} == {"judge"}:
        draft.assume(Weight.WHO, f"all raters in {named(rater)} are judges")
        return found
    text = f"{some(judges)} {'is a judge' if len(judges) == 1 else 'are judges'}" if judges else ""
    text += ("; " if judges and gold else "") + (_no_persons(gold) if gold else "")
    draft.assume(Weight.WHO, f"of the raters, {text}, and every other is a person")
    return found


#: A name of a person: a word or two without a number or a sign.
_PERSON = re.compile(r"[^\W\d_]+(?:[ .'’-]+[^\W\d_]+)?\.?")


#: A key that a platform gives to who is registered: at least twelve hexadecimal digits.
_CODE = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){1,3}[0-9a-f]*", re.IGNORECASE)


def _may_be_a_person(name: str) -> bool:
    """A name of one word, or a letter and a number."""
    return bool(_PERSON.fullmatch(name) or re.fullmatch(r"[A-Za-z]\d{1,3}", name))


def _are_persons(rater: str, names: Sequence[str]) -> bool:
    """Whether who holds an office that machines hold too (`evaluator`) is called as people are, and
    not after what is rated."""
    office = "judge" not in words(rater)
    if office and all(map(_CODE.fullmatch, names)):  # keys of people's accounts
        return True
    return office and all(_PERSON.fullmatch(name) and not asks(name) for name in names if name)


#: Names of flags that say of a rater what it is, and what a yes means.
_FLAGS = {
    **dict.fromkeys(("is_human", "human", "is_person", "human_rater", "is_expert"), "human"),
    **dict.fromkeys(("is_judge", "is_llm", "is_model", "is_ai", "is_machine", "is_bot"), "judge"),
    **dict.fromkeys(("is_auto", "is_automatic", "is_automated", "is_gpt", "llm_rater"), "judge"),
}


def flag_of_kinds(table: Table, rater: str) -> tuple[str, dict[str, str]] | None:
    """A column of yes and no that says of every rater whether it is a person (`is_human`), with the
    kind of each; None where there is none, or a rater has both."""
    for name in table.columns:
        means = _FLAGS.get(plain_name(name))
        labels = {folded(one) for one in table.columns[name].labels}
        if means is None or name == rater or not labels <= {"1", "0", "true", "false", "yes", "no"}:
            continue
        other = "judge" if means == "human" else "human"
        rows = [
            (w, folded(label)) for w, label in counted(table.source, rater, name) if w and label
        ]
        found = {w: means if label in ("1", "true", "yes") else other for w, label in rows}
        if rows and len(rows) == len(found):
            return name, found
    return None


def _no_persons(names: Sequence[str]) -> str:
    several = len(names) > 1
    if all(is_made(name) or is_resolved(name) for name in names):
        return f"{some(names)} {'sum' if several else 'sums'} people up"
    return f"{some(names)} {'are answer keys' if several else 'is an answer key'}"


def declare_raters(found: Mapping[str, str], shape: Shape) -> None:
    """[raters]: judges and references by name; every other is a person, unless there is none."""
    shape.raters = {
        kind: sorted(name for name, one in found.items() if one == kind)
        for kind in ("judge", "reference")
        if kind in found.values()
    }
    if "human" not in found.values() and "reference" in found.values():
        return
    if not shape.raters:
        shape.constants["kind"] = "human"
    elif set(found.values()) == {"judge"}:
        shape.raters, shape.constants["kind"] = {}, "judge"
