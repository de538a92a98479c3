"""Columns whose names say nothing of who rates, beside those of raters: whose they are, by what
they hold and by who is there already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.numbered_names import differ_in_number, numbered_name
from goldassay.proposals.layouts.raters_and_criteria import ask_of_others
from goldassay.proposals.layouts.rating_columns import about_of, asks, like_a_value
from goldassay.proposals.layouts.summed_up import goes_with_the_sum, is_made_of, tell_sums
from goldassay.proposals.shape import Table, some
from goldassay.ratings.vocabulary import (
    CRITERIA,
    GENERIC,
    RESOLVED,
    SYNONYMS,
    folded,
    number,
    plain_name,
    words,
)
from goldassay.sources.vote_counts import VOTER
from goldassay.words import named

__all__ = ["standardised", "with_others"]


def with_others(
    table: Table, known: Mapping[str, str], others: Sequence[str], draft: Draft
) -> tuple[dict[str, str], bool]:
    """The raters with the columns whose names say nothing of who rates, placed by what they hold
    and by who is there already; and whether each is of what a person rated too."""
    known = dict(known)
    judges = [name for name, kind in known.items() if kind == "judge"]
    standard = [name for name, kind in known.items() if kind != "judge"]
    rated = {about_of(n) for n in standard} - {()}
    paired = bool(known and others and not judges) and {about_of(n) for n in others} <= rated
    people = [name for name in standard if known[name] == "human"]
    if len(people) > 1:  # what was made of several people's labels
        final = [n for n in others if set(words(n)) & RESOLVED and _shares_labels(table, n, people)]
        known |= dict.fromkeys(final, "reference")
        others = [name for name in others if name not in final]
        made = [n for n in others if is_made_of(table, n, people[:_MOST_PEOPLE])]
        tell_sums(made, draft)
        others = [name for name in others if name not in made]
        total = [n for n in others if goes_with_the_sum(table, n, people[:_MOST_PEOPLE])]
        ask_of_others(total, draft)
        others = [name for name in others if name not in total]
    if made := standardised(table, others):
        others = [name for name in others if name != made]
        draft.ask(
            f"Is {named(made)} what stands beside it on another scale (`raw`)? It is not read"
        )
    if others and not judges and people and all(map(_is_voter, people)):
        ask_of_others(others, draft)  # counts of votes say nothing of who else rated
    elif judges and standard and (same := _of_what_people_rated(others, standard, judges)):
        # `quality/score` beside `human_quality` and `rouge/score`: the metric is of something else.
        known |= dict.fromkeys(same, "judge")
        left = [name for name in judges if not {*about_of(name)} & {*about_of(standard[0])}]
        known = {name: kind for name, kind in known.items() if name not in left}
        ask_of_others([name for name in (*others, *left) if name not in same], draft)
    elif judges and standard:
        series = _numbered_alike(others)  # `label_1` to `label_3` beside `majority_label`
        taken = [n for n in others if n in series or _like_raters(table, n, list(known))]
        taken = [n for n in taken if _shares_labels(table, n, list(known))]
        taken = [n for n in taken if not _in_another_record(table, n, list(known))]
        # `prometheus2` and `em` beside `physician_1` and `gpt4`: people are named as such, and not
        # by names of their own.
        unlike = bool(people) and not series and not any(_has_own_name(n, judges) for n in people)
        known |= dict.fromkeys(taken, "judge" if unlike else "human")
        if taken and unlike and differ_in_number(people):
            verb = "is a judge" if len(taken) == 1 else "are judges"
            draft.assume(Weight.WHO, f"{some(taken)} {verb}: people are numbered")
        elif unlike:
            _tell_unlike(taken, draft)
        ask_of_others([name for name in others if name not in taken], draft)
    elif paired or (standard and not judges and others and all(map(_has_a_name, others))):
        # `faithfulness` beside `human_faithfulness`: what people rated too is a judge's.
        known |= dict.fromkeys(others, "judge")
    elif (
        len(others) == 1
        and known
        and (
            judges
            or like_a_value(others[0], set(SYNONYMS["value"]))
            or words(others[0])[0] in ("actual", "output")
        )
    ):
        of_judges = bool(judges) and _may_mean_the_same(table, others[0], judges)
        if of_judges or (not judges and _may_mean_the_same(table, others[0], standard)):
            known[others[0]] = "human" if judges else "judge"
        else:
            ask_of_others(others, draft)
    elif others and not judges and (len(people) > 1 or _named_human(people)):
        # People are named as such: what is called otherwise and says the same is no person.
        alike = [name for name in others if _shares_labels(table, name, standard)]
        same = _of_the_same(alike, standard) or _on_the_whole(alike, standard)
        if all(map(asks, standard)):  # `tone` beside people's accuracy is nobody's accuracy
            alike = [name for name in alike if not asks(name)]
        alike = same or alike
        known |= dict.fromkeys(alike, "judge")
        ask_of_others([name for name in others if name not in alike], draft)
        _tell_unlike(alike, draft)
    else:
        alike = [name for name in others if _shares_labels(table, name, judges)]
        if alike and judges:  # what nobody else says is no person's
            ask_of_others([name for name in others if name not in alike], draft)
            others = alike
        known |= dict.fromkeys(others, "human")
    return known, paired


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
    mine = {folded(label) for label in table.columns[name].labels}
    return any(mine & {folded(label) for label in table.columns[one].labels} for one in others)


def _may_mean_the_same(table: Table, name: str, standard: Sequence[str]) -> bool:
    """Whether a column's labels may be what people's are, written otherwise: not more words than
    they have, and not words for what numbers say."""
    column = table.columns[name]
    theirs = [table.columns[one] for one in standard]
    if not theirs or _shares_labels(table, name, standard):
        return True
    most = max(len(one.labels) for one in theirs)
    if most > 2 and all(one.numeric for one in theirs) and not (column.numeric or column.verdicts):
        return False
    numbers = column.numeric and any(one.numeric for one in theirs)
    return numbers or len(column.labels) <= most


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
