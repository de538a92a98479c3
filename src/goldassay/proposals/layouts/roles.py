"""Who a column of ratings is of, where a file names its raters in rows as well: a key, a judge, or
those whom the rows name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from goldassay.proposals.draft import Draft
from goldassay.proposals.labels.opposites import says_good
from goldassay.proposals.layouts.column_names import about_of, asks, is_aside, is_flag, like_a_value
from goldassay.proposals.layouts.numbered_names import numbered_name
from goldassay.proposals.layouts.one_scale import alike
from goldassay.proposals.layouts.raters_and_criteria import judge_in
from goldassay.proposals.shape import Table, some, some_asked
from goldassay.ratings.vocabulary import (
    EVALUATING,
    GENERIC,
    METRICS,
    SYNONYMS,
    folded,
    is_machine,
    kind_of,
    plain_name,
    words,
)

__all__ = [
    "beside_empty_ones",
    "both_kinds",
    "criteria_of_both",
    "criteria_of_the_judge",
    "evaluations_beside_people",
    "is_annotation",
    "is_to_be_rated_after",
    "judges_in_rows",
    "judgments_in_records",
    "key_and_judgments",
    "key_of_rows",
    "people_beside_machines",
    "people_in_lists",
    "people_in_rows",
    "true_beside_predicted",
    "verdicts_beside_scores",
    "without_metrics",
]


def key_and_judgments(roles: Mapping[str, str | None]) -> dict[str, str | None]:
    """A `label` beside `judgments.1.decision`, where these are a judge's: the key."""
    made = {n for n in roles if set(words(n)) & EVALUATING}
    keys = {n for n in roles if n not in made and like_a_value(n, {*SYNONYMS["value"]})}
    if not made or len(keys) != 1:
        return dict(roles)
    return {n: "judge" if n in made else "reference" if n in keys else k for n, k in roles.items()}


def judgments_in_records(table: Table, names: Iterable[str]) -> bool:
    """Whether judgments stand in records of their own (`judgments.gpt-4o.decision`): they were made
    of an item that had its label before."""
    heads = (table.own(name).rpartition(".")[0] for name in names)
    return any({*words(head)} & EVALUATING for head in heads)


def people_in_rows(
    table: Table, roles: Mapping[str, str | None], rater: str | None, draft: Draft
) -> dict[str, str | None]:
    """Beside a column that names people and columns of judges, the one that says nothing of who
    rated is these people's; of several, the one that is called a rating, or has judges' labels."""
    judges = [name for name, kind in roles.items() if kind == "judge"]
    others = [name for name, kind in roles.items() if kind is None]
    if rater is None or not judges or not others or {*roles.values()} & {"human", "reference"}:
        return dict(roles)
    if table.source.parts and any(map(kind_of, table.columns[rater].labels)):
        return dict(roles)  # which file says it is looked at later
    if "judge" in (kind_of(rater), *map(kind_of, table.columns[rater].labels)):
        return dict(roles)
    said = {folded(label) for name in judges for label in table.columns[name].labels}
    mine = [n for n in others if {folded(label) for label in table.columns[n].labels} & said]
    mine = mine or [n for n in others if all(_are_scores(table, n, judge) for judge in judges)]
    called = [n for n in mine if like_a_value(n, {*SYNONYMS["value"]})]
    called = called or [n for n in mine if "." not in table.own(n)]  # not within a record
    theirs = mine if len(mine) == 1 else called if len(called) == 1 else []
    if not theirs and _one_for_each(table, mine, judges):  # of several questions
        theirs = mine
    if not theirs:
        return dict(roles)
    rest = [name for name in others if name not in theirs]
    if rest:
        draft.ask(
            some_asked(
                rest, "Is {} rated too? It was not read", "Are {} rated too? They were not read"
            ),
            left_out=rest,
        )
    return {n: "human" if n in theirs else k for n, k in roles.items() if n not in rest}


def _one_for_each(table: Table, names: Sequence[str], judges: Sequence[str]) -> bool:
    """Whether every column has the labels of another judge's column, and every judge's of one."""
    pairs = [(n, j) for n in names for j in judges if table.folds(n) & table.folds(j)]
    return len(names) == len(judges) == len(pairs) == len({n for n, _ in pairs}) > 1


def _are_scores(table: Table, name: str, judge: str) -> bool:
    """Whether a judge's many numbers may be of the grades in another column."""
    one, two = table.columns[name], table.columns[judge]
    return one.numeric and two.scores and alike(table, name, judge)


def people_in_lists(table: Table, roles: Mapping[str, str | None]) -> dict[str, str | None]:
    """The members of a list of annotations (`safety_annotations.1`), where nothing says whose they
    are: each is another person's; so is each record of criteria (`annotations.1.fluency`), and each
    member of a record (`annotations.alice`) beside a judge's, where none is called a criterion."""
    within = [n for n, k in roles.items() if k is None and _IN_A_RECORD.search(table.own(n))]
    asked = any(asks(table.own(name).rpartition(".")[2]) for name in within)
    if asked or len(within) < 2 or "judge" not in roles.values():
        within = []
    return {
        name: "human"
        if kind is None and (name in within or is_annotation(table.own(name)))
        else kind
        for name, kind in roles.items()
    }


def is_annotation(own: str) -> bool:
    """Whether a column is called as a member of a list of annotations, or as a criterion there.

    >>> is_annotation("annotations.2"), is_annotation("annotations.2.fluency")
    (True, True)
    """
    match = _ANNOTATIONS.search(own)
    return match is not None and (match[2] is None or asks(match[2]))


#: How a member of a list of annotations is called, and what is told of it in a record.
_ANNOTATIONS = re.compile(
    r"(annotations|annotators|annotator_labels)\.\d+(?:\.([^.]+))?$", re.IGNORECASE
)
_IN_A_RECORD = re.compile(r"(annotations|annotators|raters|annotator_labels)\.\w+$", re.IGNORECASE)


#: First words of what a machine did, beside what was expected.
_DONE = frozenset(["actual", "observed", "got"])


def true_beside_predicted(table: Table, roles: Mapping[str, str | None]) -> dict[str, str | None]:
    """What is called true beside a judge's column of the same name is the key: `true_intent` beside
    `predicted_intent`. What is called actual beside what was expected of the same name, in labels
    that it shares, is what a machine did: `actual_policy` beside `expected_policy`."""
    keys_ = {about_of(name): name for name, kind in roles.items() if kind == "reference"}
    done = [
        name
        for name, kind in roles.items()
        if kind is None and {*words(name)[:1]} & _DONE
        for key in [keys_.get(tuple(w for w in about_of(name) if w not in _DONE), "")]
        if {*words(key)} & {"expected"} and table.folds(name) & table.folds(key)
    ]
    roles = {name: "judge" if name in done else kind for name, kind in roles.items()}
    judged = {about_of(name) for name, kind in roles.items() if kind == "judge"} - {()}
    keys = [
        name
        for name, kind in roles.items()
        if kind is None and {*words(name)[:1]} & {"true", "actual", "real"}
        if tuple(w for w in about_of(name) if w not in ("true", "actual", "real")) in judged
    ]
    return {name: "reference" if name in keys else kind for name, kind in roles.items()}


def beside_empty_ones(table: Table, roles: Mapping[str, str | None]) -> dict[str, str | None]:
    """The only column that is called as an empty one for people is (`category` beside an empty
    `human_category`), or a label beside a judge's and an empty `human_label`, is a judge's, after
    whom people are to rate."""
    mine = [n for n, kind in roles.items() if kind is None and is_to_be_rated_after(table, n)]
    judged = "judge" in roles.values() and not {*roles.values()} & {"human", "reference"}
    empty = [name for name in _empty_for_people(table) if not about_of(name)]
    if judged and any({*words(name)} & GENERIC for name in empty):
        mine = [n for n, kind in roles.items() if kind is None]
        mine = mine if all({*words(n)} & GENERIC for n in mine) else []
    return {**roles, mine[0]: "judge"} if len(mine) == 1 else dict(roles)


def verdicts_beside_scores(table: Table, roles: Mapping[str, str | None]) -> dict[str, str | None]:
    """The only column that names nobody and says in people's labels whether all is well, beside a
    score from 0 to 1 and no judge's (`success` and `score`): what was made of that score."""
    people = [name for name, kind in roles.items() if kind in ("human", "reference")]
    others = [name for name, kind in roles.items() if kind is None and says_good(name) is not None]
    scores = [n for n in table.columns if plain_name(n) == "score" and table.columns[n].scores]
    if len(people) != 1 or len(others) != 1 or not scores or "judge" in roles.values():
        return dict(roles)
    same = table.folds(others[0]) == table.folds(people[0])
    return {**roles, others[0]: "judge"} if same else dict(roles)


def is_to_be_rated_after(table: Table, name: str) -> bool:
    """Whether an empty column for people is called after what a column is of."""
    return bool(about_of(name)) and about_of(name) in map(about_of, _empty_for_people(table))


def _empty_for_people(table: Table) -> list[str]:
    """Empty columns that are called people's, comments aside."""
    empty = [n for n, c in table.columns.items() if not c.labels and kind_of(n) == "human"]
    return [name for name in empty if not is_aside(name)]


def evaluations_beside_people(
    table: Table, roles: Mapping[str, str | None]
) -> dict[str, str | None]:
    """What was evaluated beside people's annotation of the same, in labels that they share, is a
    judge's: `eval.correctness.label` beside `annotation.correctness.label`."""
    people = [name for name, kind in roles.items() if kind == "human"]
    made = {
        name
        for name, kind in roles.items()
        if kind is None and {*words(name)[:1]} & EVALUATING
        for other in people
        if about_of(other) and {*about_of(name)} - EVALUATING == {*about_of(other)} - EVALUATING
        if table.folds(name) & table.folds(other)
    }
    return {name: "judge" if name in made else kind for name, kind in roles.items()}


def judges_in_rows(
    table: Table, roles: Mapping[str, str | None], rater: str | None
) -> dict[str, str | None]:
    """Beside a column that names judges and one of people, the only one that says nothing of who
    rated is these judges' (`judge_model`, `verdict` and `human_verdict`); so are several that a
    number tells apart (`games.1.score`, `games.2.score`)."""
    others = [name for name, kind in roles.items() if kind is None]
    runs = {re.sub(r"\d+", "", table.own(name)) for name in others}
    if rater is None or len(runs) != 1 or {*roles.values()} != {None, "human"}:
        return dict(roles)
    names = table.columns[rater].labels
    judges = [n for n in names if kind_of(n) == "judge"]
    people = [n for n in names if kind_of(n) not in (None, "judge")]
    shared = any(table.folds(others[0]) & table.folds(n) for n, k in roles.items() if k)
    if people or not shared or (kind_of(rater) != "judge" and len(judges) < len(names)):
        return dict(roles)
    return {name: kind or "judge" for name, kind in roles.items()}


def criteria_of_both(
    table: Table, roles: Mapping[str, str | None], rater: str | None
) -> dict[str, str | None]:
    """Beside a column that names judges, two or more that say nothing of who rated and the people's
    that are called after the same, one for each (`clarity` and `human_clarity`); else nothing."""
    people = {about_of(name): name for name, kind in roles.items() if kind == "human"}
    mine = {about_of(n): n for n, kind in roles.items() if kind is None and about_of(n) in people}
    if rater is None or kind_of(rater) != "judge" or len(mine) < 2 or mine.keys() != people.keys():
        return {}
    if not all(alike(table, name, people[about]) for about, name in mine.items()):
        return {}
    return {name: roles[name] for name in roles if name in (*people.values(), *mine.values())}


def people_beside_machines(
    table: Table, roles: Mapping[str, str | None], draft: Draft
) -> dict[str, str | None]:
    """Numbered evaluators or graders beside a machine's own column are people: `Evaluator_A` and
    `Evaluator_B` beside `LLM`."""
    if {*roles.values()} - {None} != {"judge"}:
        return dict(roles)
    machines = [name for name, kind in roles.items() if kind and is_machine(name)]
    offices = [name for name, kind in roles.items() if kind and not is_machine(name)]
    stems = {numbered_name(name)[0] for name in offices}
    if not machines or len(offices) < 2 or len(stems) > 1 or not stems <= _OFFICES:
        return dict(roles)
    draft.ask(
        f"Are {some(offices)} people? They are read so, because {some(machines)} "
        f"{'is' if len(machines) == 1 else 'are'} called a machine; if they are judges",
        {"wide": {"judge": [*offices, *machines]}},
    )
    return {name: "human" if name in offices else kind for name, kind in roles.items()}


#: What people are called who rate, as well as machines.
_OFFICES = frozenset(["evaluator", "grader", "scorer", "marker"])


def criteria_of_the_judge(table: Table, roles: Mapping[str, str | None]) -> dict[str, str | None]:
    """In a file that is called after a judge's results, what is rated beside one judge's score is
    that judge's too, and nobody else's: then no column is a rater's."""
    scores = [name for name, kind in roles.items() if kind == "judge"]
    others = [name for name, kind in roles.items() if kind is None]
    one = len({judge_in(name) for name in scores}) == 1 and len(scores) + len(others) == len(roles)
    if not one or kind_of(table.stem) != "judge":
        return dict(roles)
    called = [
        name
        for name in others
        if about_of(name) and not is_flag(name) and not {*words(name)} & GENERIC
        if table.columns[name].numeric and alike(table, name, scores[0])
    ]
    return dict.fromkeys([*scores, *called]) if called else dict(roles)


def without_metrics(
    table: Table, roles: Mapping[str, str | None], draft: Draft
) -> dict[str, str | None]:
    """The columns without metrics of texts (`bleu`), where a judge, or what is called a verdict,
    says in their few labels what people say: these are no verdicts, and are asked about."""
    made = [n for n in roles if {*words(n)} & METRICS and table.columns[n].scores]
    rest = [n for n in roles if n not in made and table.columns[n].few]
    judges = [n for n in rest if roles[n] == "judge" or (roles[n] is None and _is_verdict(n))]
    said = [table.folds(n) for n in rest if n not in judges]
    if not made or not any(len(table.folds(n) & one) > 1 for n in judges for one in said):
        return dict(roles)
    draft.ask(
        some_asked(made, "Is {} a judge's score? Not read", "Are {} judges' scores? Not read")
    )
    return {name: kind for name, kind in roles.items() if name not in made}


def _is_verdict(name: str) -> bool:
    """A name of what was found of an item, and of no text."""
    return bool({*words(name)} & (EVALUATING | {"call", "decision", "prediction", "verdict"}))


def both_kinds(roles: Mapping[str, str | None]) -> bool:
    kinds = {*roles.values()}
    return "judge" in kinds and bool(kinds & {"human", "reference"})


def key_of_rows(table: Table, roles: Mapping[str, str | None]) -> dict[str, str]:
    """One column that the raters of the rows filled in, and beside it an answer key in the same
    labels (`relevance` and `relevance_gold`), whatever marks the key's rows; else nothing."""
    theirs = [name for name, kind in roles.items() if kind is None]
    keys = [name for name, kind in roles.items() if kind == "reference"]
    if len(theirs) != 1 or len(theirs) + len(keys) != len(roles):
        return {}
    mine = {folded(label) for label in table.columns[theirs[0]].labels}
    same = [n for n in keys if {folded(label) for label in table.columns[n].labels} <= mine]
    return {theirs[0]: "human", same[0]: "reference"} if len(same) == 1 else {}
