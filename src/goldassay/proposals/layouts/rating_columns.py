"""Which columns of a table hold ratings, by what they hold and then by their names."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from goldassay.proposals.layouts.column_names import (
    CALLED_RATINGS,
    GRADED,
    NO_LABELS,
    PREDICTED,
    TEXTS,
    about_of,
    asks,
    is_aside,
    like_a_value,
)
from goldassay.proposals.layouts.named_pairs import LOSERS
from goldassay.proposals.layouts.no_ratings import (
    counts_of,
    is_answer,
    names_models,
    without_groups,
    without_members,
    without_remarks,
)
from goldassay.proposals.layouts.rated_alike import rate_alike
from goldassay.proposals.layouts.settings import without_settings
from goldassay.proposals.layouts.siblings import with_siblings
from goldassay.proposals.profile import Column, counted
from goldassay.proposals.shape import Shape, Table
from goldassay.ratings.vocabulary import (
    ABSTAIN,
    BLIND,
    EVALUATING,
    GENERIC,
    INVALID,
    RANKS,
    SYNONYMS,
    SYSTEMS,
    TIES,
    VERDICTS,
    folded,
    kind_of,
    number,
    plain_name,
    positive_of,
    sides_among,
    words,
)

__all__ = ["names_sides", "rating_columns", "same_value"]


#: Words of numbers that say how sure a rater is, whoever it is.
_HOW_SURE = frozenset(["prob", "probability", "logprob", "confidence", "certainty"])
#: How sure somebody is, in words.
_LEVELS = frozenset(["low", "medium", "moderate", "high", "very low", "very high", "certain"])
#: Words of numbers that say how far raters lie apart.
_SPREAD = frozenset(["sd", "sem", "std", "stddev", "stdev", "stderr", "variance"])
#: Last words of numbers that say how long somebody took, or when.
_TIMES = frozenset((word,) for word in ("time", "duration", "seconds", "secs", "minutes", "ms"))
#: What was paid, as exports of crowd work hold it.
_PRICE = re.compile(r"^[$€£¥]\s?\d+([.,]\d+)?$")
#: Words for several people: as numbers, how many there were.
_MANY_PEOPLE = frozenset(["annotators", "raters", "reviewers", "workers", "users", "voters"])


def _says_how_sure(table: Table, name: str) -> bool:
    """`human_confidence`: high."""
    return bool({*words(name)} & _HOW_SURE) and table.folds(name) <= _LEVELS


def _is_said_by_raters(table: Table, name: str) -> bool:
    """Whether raters' columns are called after the same and have the label of a column that says
    one thing (`is_toxic`: 1, beside `gpt4_toxic`): a key of rows that were chosen by it."""
    about = about_of(name)
    return bool(about) and any(
        kind_of(other) and about_of(other) == about and table.folds(name) <= table.folds(other)
        for other in table.columns
        if other != name
    )


def rating_columns(table: Table, shape: Shape) -> list[str]:
    """Columns that hold verdicts or scores, or a few labels that another such column shares."""
    if "value" in table.columns and table.columns["value"].labels and "rater" in table.columns:
        return ["value"]
    taken = shape.taken | _not_both(table) | {*counts_of(table)}
    taken |= {name for name, column in table.columns.items() if _says_kinds(name, column)}
    whether = [name for name in table.columns if _says_whether_rated(table, name)]
    criteria = {*SYNONYMS["criterion"][1:]}  # `metric_key`: what was rated, in words
    taken |= {n for n, c in table.columns.items() if plain_name(n) in criteria and not c.numeric}
    taken |= {*whether}
    known = set(SYNONYMS["value"])
    found = [
        name
        for name, column in table.columns.items()
        if name not in taken
        and not (is_aside(name) and kind_of(name) is None and not _says_grade(name, column))
        and not (
            is_aside(name)
            and column.numeric
            and not _says_rating(name)
            and not _says_grade(name, column)
            and not _is_said_by_both(table, name)
        )
        and not (set(words(name)) & (_HOW_SURE | _SPREAD) and column.numeric)
        and not _says_how_sure(table, name)
        and not column.counter
        and not column.times
        and not _numbers_things(name, column)
        and not (column.numeric and words(name)[-1:] in _TIMES)
        and not (_is_metadata(own := table.own(name)) and (kind_of(name) is None or ":" in own))
        and not _is_count_of_people(name, column)
        and not _is_expected_answer(table, name)
        and not _is_a_letter(name, column)
        and not all(map(_PRICE.match, column.labels or ("",)))
        and (
            column.rating
            or (column.few and _may_rate(table, name))
            or _names_a_side(table, shape, name)
        )
        and (
            len(column.labels) > 1
            or kind_of(name)
            or name.casefold() in known
            or asks(name)
            or _is_said_by_raters(table, name)
        )
    ]
    few = {
        name: {folded(label) for label in column.labels}
        for name, column in table.columns.items()
        if column.few
        and not column.times
        and name not in (*found, *taken)
        and not _says_how_sure(table, name)
        and not _is_metadata(table.own(name))
        and not _is_count_of_people(name, column)
        and not _is_expected_answer(table, name)
        and not _numbers_things(name, column)
        and not (is_aside(name) and not _says_what(column, [table.columns[n] for n in found]))
    }
    labels = {name: {folded(label) for label in table.columns[name].labels} for name in found}
    for name, mine in few.items():
        others = [*labels.values(), *(o for n, o in few.items() if n != name)]
        if any(len(mine & theirs) >= 2 - (kind_of(name) is not None) for theirs in others):
            found.append(name)
    if found and all(kind_of(n) in ("human", "reference") for n in found):
        found += [n for n in table.columns if n not in (*found, *taken) and _says_judge(table, n)]
    found += [
        n for n, c in table.columns.items() if n not in (*found, *taken) and is_answer(table, n, c)
    ]
    found = _with_predictions(table, found)
    found = without_groups(table, without_remarks(table, found))
    judged = [n for n in found if kind_of(n) == "judge" and plain_name(n) not in SYNONYMS["system"]]
    if judged:  # `model` beside `judge_label` names what was judged, unless it says the same grades
        found = [
            n
            for n in found
            if plain_name(n) not in SYNONYMS["system"]
            or _says_numbers_of(table, n, judged)
            or any(rate_alike(table, n, one) for one in judged)
        ]
    # Names of models say who rated or was rated, and are no ratings but where they say who wins.
    pair = {f for side in ("system", "opponent") for f in _folds_of(table, shape, side)}
    found = [
        n
        for n in found
        if not names_models(table.columns[n])
        or {*words(n)} & {"winner", "preferred", "preference"}
        or (shape.sides and table.folds(n) & pair)
    ]
    found = _without_numbered_systems(table, with_siblings(table, found, taken))
    winners = [n for n in found if words(n)[:1] == ("winner",) or names_sides(table, n)]
    if winners and (shape.sides or any(names_sides(table, n) for n in winners)):
        found = [n for n in found if not {*words(n)} & LOSERS]  # the other of the two
        kept = [n for n in found if n in winners or "winner" in words(n) or kind_of(n)]
        kept += [n for n in found if {*words(n)} & EVALUATING and _are_sides(table, n)]
        return [n for n in found if n in kept or _shares_a_label(table, n, winners)]
    if not found and len(whether) == 1:  # `human_flagged` alone is what was said
        return whether
    found = without_settings(table, [name for name in table.columns if name in found])
    return _of_one_scale(table, without_members(table, found))


def _with_predictions(table: Table, found: list[str]) -> list[str]:
    """With a column of predictions, however many labels they have, where a third says in every row
    whether they are equal to the key (`correct`), and without that one."""
    keys = [n for n in found if kind_of(n) == "reference" and not table.columns[n].numeric]
    made = [n for n, c in table.columns.items() if {*words(n)} & PREDICTED and not c.text]
    made = [n for n in made if kind_of(n) == "judge" and not table.columns[n].numeric]
    if len(keys) != 1 or len(made) != 1 or made[0] in found or table.source.parts:
        return found
    marks = [
        n for n in found if kind_of(n) is None and table.folds(n) <= {"true", "false", "1", "0"}
    ]
    rows = counted(table.source, keys[0], made[0], marks[0]) if len(marks) == 1 else {}
    equal = [(folded(k) == folded(p)) == (folded(m) in ("true", "1")) for k, p, m in rows]
    if len(equal) < 2 or not all(equal):
        return found
    return [*(n for n in found if n not in (*marks, *made)), *made]


def _says_kinds(name: str, column: Column) -> bool:
    """`evaluator_type`: human, model. What kind a rater is, and nothing that a rater said."""
    of_raters = plain_name(name) in SYNONYMS["kind"] and kind_of(name) is not None
    return of_raters and column.few and all(map(kind_of, column.labels))


def _folds_of(table: Table, shape: Shape, ours: str) -> set[str]:
    column = shape.columns.get(ours)
    return table.folds(column) if isinstance(column, str) and column in table.columns else set()


def names_sides(table: Table, name: str) -> bool:
    """A column `winner` that says which of two sides won, whoever they are."""
    called = bool(set(words(name)) & {"winner", "preferred", "better", "preference"})
    return called and _are_sides(table, name)


def _names_a_side(table: Table, shape: Shape, name: str) -> bool:
    """A column that is called a winner and holds nothing but names of the two sides of its row,
    however many there are: ids of texts."""
    pair = [shape.columns.get(side) for side in ("system", "opponent")]
    if None in pair or name in pair or not {*words(name)} & {"winner", "preferred", "better"}:
        return False
    sides = {fold for side in pair for fold in table.folds(str(side))}
    return bool(table.folds(name)) and table.folds(name) <= sides | TIES


def _are_sides(table: Table, name: str) -> bool:
    labels = {folded(label) for label in table.columns[name].labels} - ABSTAIN - INVALID
    return any(set(pair) <= labels <= {*pair, *TIES} for pair in sides_among(labels))


def _says_what(column: Column, others: Sequence[Column]) -> bool:
    """Words, three or more, that are all another column's: labels, whatever the name says."""
    mine = {folded(label) for label in column.labels}
    sets = [{folded(label) for label in other.labels} for other in others]
    return not column.numeric and len(mine) > 2 and any(mine <= theirs for theirs in sets)


def _may_rate(table: Table, name: str) -> bool:
    """A few labels under a name of labels, or of a rater: who is no name of a model itself, and
    whose words are not beside several columns of numbers, which rate."""
    if _is_called(table, name):
        return True
    said = table.folds(name) - ABSTAIN - INVALID
    named_ = kind_of(name) is not None or {*words(name)[-1:]} & CALLED_RATINGS
    if named_ and len(said) == 2 and positive_of(*sorted(said)) is not None:
        return True  # `reviewer`, `response_label`: opposites
    labels = table.columns[name].labels
    models = sum(kind_of(label) == "judge" for label in labels)
    numbers = [n for n, c in table.columns.items() if c.numeric and c.few and len(c.labels) > 2]
    known = any(folded(label) in VERDICTS for label in labels)
    return _only_who(name) and 2 * models < len(labels) and (known or len(numbers) < 3)


def _is_called(table: Table, name: str) -> bool:
    """Whether the name says: here is a label; of a member of a record, its last word."""
    known, own = set(SYNONYMS["value"]), table.own(name)
    last = own.rpartition(".")[2]
    within = last != own and not last.isdigit() and last.casefold() in known - NO_LABELS
    return like_a_value(name, known) or within or _is_chosen(table, own)


def _is_chosen(table: Table, own: str) -> bool:
    """The only member of lists of what was chosen: `accept.1`."""
    head, _, place = own.rpartition(".")
    lists = ("accept", "choices", "chosen", "selected")
    return place == "1" and head.casefold() in lists and f"{head}.2" not in table.source.own


#: Names of columns with the answer that was expected, in words or numbers.
_KEYS = frozenset(
    [
        *("reference", "ref", "reference_answer", "expected", "expected_answer", "expected_output"),
        *("target", "gold_answer", "ground_truth", "ground_truth_answer", "correct_answer"),
    ]
)


def _is_expected_answer(table: Table, name: str) -> bool:
    """`reference` beside `answer` and people's scores, with numbers that are none of theirs, or
    `gt_answer` with many words and numbers beside verdicts: what the answer should have been."""
    column = table.columns[name]
    if kind_of(name) == "reference" and words(name)[-1:] == ("answer",):
        said = [table.folds(n) for n in table.columns if kind_of(n) in ("human", "judge")]
        said = [one for one in said if 0 < len(one) <= _VERDICTS]
        own = table.folds(name)
        return bool(said) and len(own) > 2 * _VERDICTS and len(own & set().union(*said)) < 2
    if plain_name(name) not in _KEYS or not column.numeric:
        return False
    texts = [n for n in table.columns if plain_name(n) in {*TEXTS, "prediction", "model_answer"}]
    people = [c for n, c in table.columns.items() if kind_of(n) == "human" and c.numeric]
    values = [v for c in people for one in c.labels if (v := number(one)) is not None]
    mine = [v for one in column.labels if (v := number(one)) is not None]
    return bool(texts and values and mine) and (min(mine) < min(values) or max(mine) > max(values))


#: A verdict is one of so many at most.
_VERDICTS = 3


def _is_a_letter(name: str, column: Column) -> bool:
    """The letter or code under which raters saw an output: `blinded_label`."""
    short = all(len(label) < 3 for label in column.labels)
    return bool({*words(name)} & BLIND) and short and not column.numeric


_METADATA = frozenset(
    ["metadata", "meta", "config", "params", "usage", "tags", "assignment", "hint"]
)


def _is_metadata(own: str) -> bool:
    """A member of a record of what is known besides: `metadata.topic`, `ASSIGNMENT:reward`."""
    head, *rest = re.split(r"[.:]", own.casefold(), maxsplit=1)
    return bool(rest) and head in _METADATA


def _says_grade(name: str, column: Column) -> bool:
    """A `note` that holds numbers is a grade, as in German and French; so is what a text marks as
    its verdict, whatever it is called."""
    notes = {*words(name)} & {"note", "notes", "nota", "notas"}
    return column.numeric and (bool(notes) or column.reads is not None)


def _is_said_by_both(table: Table, name: str) -> bool:
    """Whether a person and a judge say something of one name in the same few labels: `human_match`
    beside `llm_match` is what they found, and no property of the row. Ranks are looked at apart."""
    mine, about = kind_of(name), about_of(name)
    if {*words(name)} & RANKS or not table.columns[name].few:
        return False
    return any(
        {mine, kind_of(other)} == {"human", "judge"}
        and about_of(other) == about
        and table.folds(other) == table.folds(name)
        for other in table.columns
        if other != name
    )


def _says_numbers_of(table: Table, name: str, others: Sequence[str]) -> bool:
    """Whether a column's labels, three or more, are the numbers that others' labels begin with:
    `3` beside `3 - good`."""
    heads = {m[0] for o in others for label in table.folds(o) if (m := re.match(r"\d+", label))}
    mine = table.folds(name)
    return len(mine) > 2 and mine <= heads and not all(table.columns[o].numeric for o in others)


_WHETHER = frozenset(["annotation", "annotated", "labeled", "labelled", "reviewed", "rated"])
#: Words of marks that say who is to look at a row.
_NEEDED = frozenset(
    [
        *("need", "needed", "needs", "require", "required", "requires", "send", "sent", "queue"),
        *("queued", "escalate", "escalated", "route", "routed", "flag", "flagged", "assigned"),
    ]
)
_TWO_WAYS = ({"true", "false"}, {"yes", "no"}, {"0", "1"}, {"y", "n"})


def _says_whether_rated(table: Table, name: str) -> bool:
    """`human_annotation` with true and false: whether a person looked, and not what was said,
    unless a judge says true and false as well; and `needs_human`: whether one should."""
    said, labels = {*words(name)}, table.folds(name)
    if not any(labels <= two for two in _TWO_WAYS):
        return False
    if said & _NEEDED:
        return kind_of(name) in ("human", "reference")  # `needs_adjudication`
    looked = bool(said & _WHETHER) and said <= _WHETHER | {"human", "is", "was", "by", "has"}
    judges = [one for one in table.columns if kind_of(one) == "judge" and table.folds(one)]
    alike = any(table.folds(one) <= {"true", "false"} for one in judges)
    return "human" in said and looked and labels <= {"true", "false"} and not alike


#: Ratings are hardly ever as large.
_LARGEST = 1000
#: What has a number of its own: `annotation_id`, which says nothing of the annotation.
_NUMBERED = re.compile(
    r"(?:^|_)(?:annotation|answer|assignment|eval|evaluation|hit|judge?ment|rating|response|review)_ids?$"
)


def _numbers_things(name: str, column: Column) -> bool:
    """Whether whole numbers are too large for ratings, or the name says whose number it is."""
    if plain_name(name).endswith("_item_id"):  # `annotation_item_id`: of items, whoever rates
        return True
    if not column.numeric or re.fullmatch(r"column_\d+", name):  # named by its place alone
        return False
    values = [value for one in column.labels if (value := number(one)) is not None]
    large = bool(values) and all(value >= _LARGEST and value % 1 == 0 for value in values)
    large = large and kind_of(name) is None  # what somebody said of an amount may be as large
    return large or bool(_NUMBERED.search(plain_name(name)))


def _is_count_of_people(name: str, column: Column) -> bool:
    """`annotators` or `n_physicians` with 1, 2 and 3: how many rated, and not what they said."""
    first, *_, last = ["", *plain_name(name).split("_")][-2:]
    many = last in _MANY_PEOPLE or (first in ("n", "num") and last.endswith("s"))
    return column.numeric and many


def _without_numbered_systems(table: Table, found: Sequence[str]) -> list[str]:
    """Without the column whose name ends in a word for what is rated (`dialogue_system`): its
    numbers say which. A `model` may also be who rates: beside criteria it is not. What a judge says
    too is no name of what is rated: `mistake_agent` beside `pred_agent`; nor are ratings, whatever
    stands above them: `system` with pass and fail beside `human`."""
    criteria = sum(map(asks, found)) > 1
    judged = [table.folds(n) for n in found if kind_of(n) == "judge" and _is_system_word(n)]
    which = [
        n
        for n in found
        if (
            (_is_system(n) and table.folds(n) not in judged)
            or (criteria and plain_name(n) in SYNONYMS["system"])
        )
        and not any(rate_alike(table, n, one) for one in found if one != n)
    ]
    alone = len(which) == 1 and len(found) > 1
    return [name for name in found if not (alone and name in which)]


def _is_system(name: str) -> bool:
    return _is_system_word(name) and kind_of(name) is None


def _is_system_word(name: str) -> bool:
    return plain_name(name).split("_")[-1] in SYSTEMS


def _says_judge(table: Table, name: str) -> bool:
    """A column `judge` beside people's, with a few labels that are no names of models: its
    verdicts, in words that nobody else uses."""
    column = table.columns[name]
    names = plain_name(name) in SYNONYMS["rater"] and kind_of(name) == "judge"
    return names and column.few and not any(map(kind_of, column.labels))


def _not_both(table: Table) -> set[str]:
    """Of cells with JSON and the columns made of what is in them, those that are no ratings.

    A list that names a label twice holds several ratings; else it may be a set of options.
    """
    out: set[str] = set()
    for name, column in table.columns.items():
        inner = {n for n in table.columns if re.match(rf"{re.escape(name)}[._]\w", n)}
        if not inner or not column.labels or not all(one[0] in "{[" for one in column.labels):
            continue
        lists = [_parsed(one) for one in column.labels]
        several = [one for one in lists if isinstance(one, list)]
        sets = several and all(isinstance(part, str) for one in several for part in one)
        if set(words(name)) & RANKS and sets:
            out.add(name)  # the places of its members are columns
        elif several and all(len(one) <= 1 for one in several):
            out.add(name)  # a list of one label is that label, and an empty one none
        elif sets and all(len({*map(str, one)}) == len(one) for one in several):
            out |= {n for n in inner if re.match(rf"{re.escape(name)}[._]\d+$", n)}
        else:
            out.add(name)
    return out


def _parsed(text: str) -> Any:
    """What JSON says; None where it is none, or is cut."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _only_who(name: str) -> bool:
    """A name that says who rated and nothing else ("human", "gpt4"), and names no column of who."""
    others = {*SYNONYMS["rater"], *SYNONYMS["system"], *SYNONYMS["kind"]}
    about = [w for w in words(name) if kind_of(w) is None and w not in GENERIC and not w.isdigit()]
    texts = {*words(name)} & {*TEXTS}
    return kind_of(name) is not None and not (about or texts) and name.casefold() not in others


def _says_rating(name: str) -> bool:
    return bool(set(words(name)) & GENERIC)


def _of_one_scale(table: Table, found: list[str]) -> list[str]:
    """Of columns with words and columns with numbers beside them, those that people and judges
    share; a score beside verdicts is how sure the judge was."""
    kinds = {name: kind_of(name) for name in found}
    found = [n for n in found if not _of_verdicts(table, n, found)]
    numeric = [n for n in found if table.columns[n].numeric and kinds[n]]
    if numeric:  # ids of those whom others grade
        found = [n for n in found if plain_name(n) not in GRADED or table.columns[n].numeric]
    if verdicts := _in_peoples_words(table, found, numeric):
        return verdicts
    if len({kinds[n] for n in numeric}) > 1:  # a `student` beside grades is who, not how
        found = [
            n
            for n in found
            if n in numeric
            or _shares_a_label(table, n, numeric)
            or _in_words(table, n, numeric)
            or n in _labels_of_both(table, found)
        ]
    verdicts = [n for n in found if table.columns[n].few]
    scores = [n for n in found if n not in verdicts]
    people = [n for n in verdicts if kinds[n] in ("human", "reference")]
    judges = [n for n in verdicts if kinds[n] == "judge"]
    if scores and people and judges:
        return verdicts
    plain = [n for n in verdicts if kinds[n] or n.casefold() in SYNONYMS["value"]]
    if scores and len(plain) >= 1 and not any(kinds[n] for n in scores):
        return verdicts
    return found


def _of_verdicts(table: Table, name: str, found: Sequence[str]) -> bool:
    """A score such as detector_score beside the verdicts in detector_label."""
    if not table.columns[name].scores or kind_of(name) != "judge":
        return False
    mine = {w for w in words(name) if w not in GENERIC}
    few = [n for n in found if n != name and table.columns[n].few]
    return any({w for w in words(n) if w not in GENERIC} == mine for n in few)


def _in_peoples_words(table: Table, found: Sequence[str], numeric: Sequence[str]) -> list[str]:
    """Verdicts in words that a person and a judge share, where no person gives numbers: the numbers
    beside them are answers (`model_answer` and `gold_answer` of a sum)."""
    few = [n for n in found if table.columns[n].few and n not in numeric and kind_of(n)]
    people = [n for n in few if kind_of(n) == "human"]
    judges = [n for n in few if kind_of(n) == "judge" and _shares_a_label(table, n, people)]
    if not people or not judges or any(kind_of(n) == "human" for n in numeric):
        return []
    return [n for n in found if n in people or _shares_a_label(table, n, people)]


def _labels_of_both(table: Table, found: Sequence[str]) -> list[str]:
    """Columns of words that are called labels, a person's and a judge's, who share them: what was
    asked first, beside how strong it is."""
    few = [n for n in found if table.columns[n].few and not table.columns[n].numeric]
    called = [n for n in few if {*words(n)} & {"label", "labels", "verdict", "class"}]
    both = {kind_of(n) for n in called} >= {"human", "judge"}
    return [n for n in called if both and kind_of(n) and _shares_a_label(table, n, called)]


def _in_words(table: Table, name: str, numeric: Sequence[str]) -> bool:
    """A rater's verdicts in words (`success`, `failure`) beside ones and zeros."""
    mine = sorted({folded(label) for label in table.columns[name].labels})
    theirs = {folded(label) for one in numeric for label in table.columns[one].labels}
    return (
        kind_of(name) is not None
        and theirs <= {"0", "1"}
        and len(mine) == 2
        and positive_of(*mine) is not None
    )


def _shares_a_label(table: Table, name: str, found: Sequence[str]) -> bool:
    mine = {folded(label) for label in table.columns[name].labels}
    others = (table.columns[n].labels for n in found if n != name)
    return any(mine & {folded(label) for label in labels} for labels in others)


def same_value(table: Table) -> bool:
    """Several files that hold the ratings under one name."""
    parts = table.source.parts
    shared = [n for n in SYNONYMS["value"] if parts and all(n in columns for _, columns in parts)]
    return bool(shared)
