"""Who rated: the column that names the raters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, combinations

from goldassay.proposals.layouts.column_names import GRADED, PREDICTED, about_of
from goldassay.proposals.layouts.no_ratings import names_models
from goldassay.proposals.layouts.rated_alike import rate_alike
from goldassay.proposals.profile import Column, counted
from goldassay.proposals.shape import Shape, Table
from goldassay.ratings.distinct import distinct_keys, is_of_items
from goldassay.ratings.vocabulary import (
    ABSTAIN,
    INVALID,
    NAMED_RATERS,
    SYNONYMS,
    bare_name,
    folded,
    is_machine,
    kind_of,
    number,
    plain_name,
    positive_of,
    words,
)
from goldassay.sources.exploded import PLACE

__all__ = ["rater_column", "says_who_again", "tells_kinds"]


def rater_column(table: Table, shape: Shape, ratings: Sequence[str]) -> str | None:
    """The column that names who rated: by its name, where it holds names and not verdicts."""
    if "rater" in table.columns and _holds_raters(table, ratings):
        return "rater"
    free = [name for name in table.columns if name not in shape.taken]
    called = table.called(SYNONYMS["rater"], but=shape.taken)
    # Of two that say who (`user_id`, `user_name`), the one that says it in every row.
    whole = [n for n in called if table.columns[n].filled == table.columns[n].rows]
    called = [*whole, *(n for n in called if n not in whole)] if _say_the_same(called) else called
    kinds = table.called(SYNONYMS["kind"], but=shape.taken)
    found = chain(
        (name for name in called if _is_called_rater(table, name, ratings)),
        (name for name in free if _says_by_whom(table, name, ratings)),
        (name for name in free if _names_reviewers(table, name, ratings)),
        (name for name in free if _names_sibling(table, name, ratings)),
        (name for name in free if _names_the_judge(table, name, ratings)),
        (name for name in free if _names_predictors(table, name, ratings)),
        (name for name in table.columns if _is_member(table, name)),
        (name for name in free if _has_kinds_beside(table, name, [*shape.taken, *ratings])),
        (name for name in kinds if _holds_kinds(table.columns[name])),
        (name for name in free if _names_both_kinds(table, name, ratings)),
    )
    none = (_is_spoken, _is_in_keys)
    names = (name for name in found if not any(way(table, name) for way in none))
    return next((name for name in names if not _is_rated(table, name, ratings)), None)


def _is_rated(table: Table, name: str, ratings: Sequence[str]) -> bool:
    """Whether a column says what one of the ratings says: `annotator` and `system`, both grades; or
    two opposites, beside what a rater by name says (`reviewer`: answered, not answered)."""
    others = [one for one in ratings if one != name]
    if any(rate_alike(table, name, one) for one in others):
        return True
    said = table.folds(name) - ABSTAIN - INVALID
    words_ = len(said) == 2 and all(len(one) > 1 for one in said)  # `x` and `y` are two raters
    opposite = words_ and positive_of(*sorted(said)) is not None
    return opposite and any(kind_of(one) in ("human", "judge") for one in others)


def _holds_raters(table: Table, ratings: Sequence[str]) -> bool:
    """Whether a column `rater` says who rated, and not what the rater said."""
    column = table.columns["rater"]
    said = "value" not in table.columns and _is_rated(table, "rater", ratings)
    return bool(column.labels) and not said and not _has_decimals(column)


def _has_decimals(column: Column) -> bool:
    """Whether a column holds numbers that are not whole: nobody is called so."""
    values = [number(one) for one in column.labels] if column.numeric else []
    return any(value is not None and value % 1 for value in values)


def _say_the_same(names: Sequence[str]) -> bool:
    """Whether two names or more are one word and what tells its bearers apart."""
    heads = [plain_name(name).rsplit("_", 1)[0] for name in names]
    return len(heads) > len({*heads})


#: The other side of a dialog between a user and a machine.
_SPEAKERS = frozenset(["assistant", "bot", "chatbot", "agent"])


def _is_spoken(table: Table, name: str) -> bool:
    """Whether a column `user` holds what one side of a dialog said, beside the other's."""
    ends = {one: plain_name(one).split("_")[-1] for one in table.columns}
    return ends[name] == "user" and bool(_SPEAKERS.intersection(ends.values()))


def _is_called_rater(table: Table, name: str, ratings: Sequence[str]) -> bool:
    """Whether a column that is called as raters are holds who rated, and not what was said."""
    column, is_named = table.columns[name], bare_name(name) in NAMED_RATERS
    others = [one for one in ratings if one != name]
    if name in ratings and all(kind_of(one) in ("human", "reference") for one in others):
        return False  # what the judge said, beside what people said
    if not column.labels or column.text or column.times or not others:
        return False
    if _has_decimals(column):
        return False
    if any(label.startswith(("{", "[")) for label in column.labels):
        return False  # a record, whose members are columns
    machines = len(column.labels) > 1 and all(map(is_machine, column.labels))
    if not column.numeric and not machines and _shares_labels(table, name, others):
        return False  # but judges may say which machine wrote a text
    if not is_named and (
        column.numeric or column.unique or not _names_everyone(table, name, others)
    ):
        return False
    if column.verdicts and not column.numeric and not _letters(table, name, others):
        return False
    said = plain_name(name)
    if said in ("source", "author"):
        return len(column.labels) > 1 and _says_who(column)
    if said in ("name", "email", "email_address", "user", "username", "user_name"):
        partly = [n for n, c in table.columns.items() if 0 < c.filled < c.rows == column.filled]
        numbered = [n for n in partly if plain_name(n) == f"{said.removesuffix('_name')}_id"]
        machines = any(map(is_machine, column.labels))
        return machines or bool(numbered) or _crosses_items(table, name)
    return True


def _is_in_keys(table: Table, name: str) -> bool:
    """Whether a user is whom something was made for, and not who rated: every row has a key of its
    own, and the user's number is a part of it (`yelp__a_vs_b__u906`)."""
    if plain_name(name) not in ("user", "user_id") or not table.columns[name].numeric:
        return False
    users = counted(table.source, name)
    keys = [n for n, c in table.columns.items() if c.unique and n != name and not c.text]
    return any(
        all(re.search(rf"(?<![^\W_]){_USER}{re.escape(who)}(?![^\W_])", key) for who, key in rows)
        for n in keys
        if (rows := [(who, key) for who, key in counted(table.source, name, n) if who and key])
        and len({*users}) > 1
    )


#: What may stand before a user's number in a key.
_USER = "(?:u|user)?"


def _names_everyone(table: Table, name: str, ratings: Sequence[str]) -> bool:
    """Whether a column names who rated in every row; or in every row where people rated, beside
    judges who rated more."""
    column = table.columns[name]
    if column.filled == column.rows:
        return True
    people = [one for one in ratings if kind_of(one) == "human"]
    judges = [one for one in ratings if kind_of(one) == "judge"]
    if len(people) != 1 or not judges or table.columns[people[0]].filled > column.filled:
        return False
    rows = counted(table.source, name, people[0])
    return not any(said and not who for who, said in rows)


def _says_by_whom(table: Table, name: str, ratings: Sequence[str]) -> bool:
    """Whether a column whose name says by whom (`annotator_email`, `checked_by`) holds that."""
    column, said = table.columns[name], plain_name(name)
    others = [one for one in ratings if one != name]
    if not _names_people(name) or not column.labels or not others:
        return False
    counts = said.rpartition("_")[2] in _COUNTED and kind_of(name) is not None
    bare = "_".join(word for word in said.split("_") if word not in _MASKED)
    if column.numeric and bare not in NAMED_RATERS and not counts:
        return False
    if len(column.labels) < 2 and said.endswith("_by"):
        return False
    kinds = {*map(kind_of, others)}
    if ("_" not in said and "human" in kinds) or (said in GRADED and "judge" in kinds):
        return False  # `student` beside `teacher_grade`, or `ai_grade`: who was rated
    if not column.numeric and _is_said_by(table, name, others):
        return False
    whole = _names_everyone(table, name, others)
    return whole and not (column.unique or column.text or column.times)


def _names_sibling(table: Table, name: str, ratings: Sequence[str]) -> bool:
    """Whether a column names who gave a rating in the same record: `judge.model`, `judge.label`."""
    column, own = table.columns[name], table.own(name)
    record, _, last = own.rpartition(".")
    if not record or kind_of(record) is None or plain_name(last) not in _WHO_SAID:
        return False
    beside = [one for one in ratings if one != name and table.own(one).startswith(f"{record}.")]
    others = [one for one in ratings if one not in beside and one != name]
    whole = bool(column.labels) and column.filled == column.rows
    names = not (column.numeric or column.verdicts or column.text or column.unique or column.times)
    return len(beside) == 1 and bool(others) and whole and names


def _names_the_judge(table: Table, name: str, ratings: Sequence[str]) -> bool:
    """Whether a member of a record of settings says which model judged: `config.judge_model`."""
    column, (record, _, last) = table.columns[name], table.own(name).rpartition(".")
    called = plain_name(last) in SYNONYMS["rater"] and kind_of(last) == "judge"
    whole = bool(column.labels) and column.filled == column.rows
    alone = not any(kind_of(one) for one in ratings if one != name)
    return bool(record) and called and whole and alone and names_models(column)


def _names_predictors(table: Table, name: str, ratings: Sequence[str]) -> bool:
    """Whether `model` names who predicted (`pred_label`) or judged and not what was rated: the key
    beside it (`gold_label`), or what people say, is one thing of an item in every model's row, and
    predictions or judgments are not."""
    column = table.columns[name]
    made = [one for one in ratings if {*words(one)} & PREDICTED]
    keys = [one for one in ratings if kind_of(one) in ("human", "reference")]
    if not made and names_models(column):
        made = [one for one in ratings if kind_of(one) == "judge"]
        # What a key says of a prompt is the same of all answers to it, and so are few labels.
        keys = [one for one in keys if kind_of(one) == "human"]
        keys = [one for one in keys if table.columns[one].filled == column.rows]
    if plain_name(name) not in SYNONYMS["system"] or column.distinct < 2 or table.source.parts:
        return False
    if len(made) != 1 or len(keys) != 1 or column.filled < column.rows or column.unique:
        return False
    called = [n for n in table.columns if plain_name(n).endswith("_id")]
    for item in dict.fromkeys([*table.called(SYNONYMS["item"]), *called]):
        ids = table.columns[item]
        again = item not in (name, *ratings) and 2 * ids.distinct <= ids.rows == ids.filled
        pairs = distinct_keys(table.source, [item, name]) if again else 0
        if pairs == ids.rows or (pairs > ids.distinct and _versions(table, item, name)):
            same, other = (is_of_items(table.source, item, n) for n in (keys[0], made[0]))
            return same and not other
    groups = [
        n
        for n, c in table.columns.items()
        if n not in (name, *ratings) and c.filled == c.rows and 1 < c.distinct <= c.rows // 2
        if not (c.text or c.times)
    ]
    units = combinations(groups[:_MOST_GROUPS], 2)
    return any(_is_of_both(table, unit, name, keys[0], made[0]) for unit in units)


#: So many columns are tried as what names an item together with another.
_MOST_GROUPS = 8


def _is_of_both(table: Table, unit: tuple[str, str], name: str, key: str, made: str) -> bool:
    """Whether two columns name what every model has one row of (`trace_id`, `failure_mode`), whose
    key is the same in all of them and what was judged is not."""
    source, rows = table.source, table.columns[name].rows
    units = distinct_keys(source, list(unit))
    if 3 * units > 2 * rows or distinct_keys(source, [*unit, name]) < rows:
        return False
    return distinct_keys(source, [*unit, key]) == units < distinct_keys(source, [*unit, made])


def _versions(table: Table, item: str, name: str) -> bool:
    """Whether a column of prompts tells the rows of an item and a model apart: each predicted under
    several."""
    rows = table.columns[item].rows
    asked = [n for n, c in table.columns.items() if {*words(n)} & _PROMPTS and c.few]
    return any(distinct_keys(table.source, [item, name, n]) == rows for n in asked)


_PROMPTS = frozenset(["prompt", "variant", "template", "version", "strategy", "condition"])


#: What a record calls the name of who rated.
_WHO_SAID = frozenset(["model", "model_name", "model_id", "name", "judge", "judge_model", "rater"])


def _is_member(table: Table, name: str) -> bool:
    """Whether a column is a member of records that names raters: `annotators.annotator_id`."""
    column, own = table.columns[name], table.own(name)
    whole = bool(column.labels) and column.filled == column.rows and not column.unique
    last = plain_name(own.rpartition(".")[2])
    return "." in own and last in NAMED_RATERS and whole and PLACE in table.columns


def _holds_kinds(column: Column) -> bool:
    """Whether a column says of each row whether a person or a judge rated."""
    return column.few and len(column.labels) > 1 and all(kind_of(one) for one in column.labels)


def _has_kinds_beside(table: Table, name: str, but: Sequence[str]) -> bool:
    """Whether another column, whatever it is called, says of every name in this one whether it is a
    person's or a judge's: `who` beside `role`."""
    column = table.columns[name]
    if name in but or column.filled < column.rows or column.unique or column.distinct < 2:
        return False
    if column.text or column.times or column.verdicts or _holds_kinds(column):
        return False
    return any(
        tells_kinds(table.columns[other])
        and distinct_keys(table.source, [name, other]) == column.distinct
        for other in table.columns
        if other not in (name, *but)
    )


def tells_kinds(column: Column) -> bool:
    """Whether every row says that a person or a judge rated, and there are both."""
    kinds = {kind_of(one) for one in column.labels}
    return _holds_kinds(column) and column.filled == column.rows and {"human", "judge"} <= kinds


def _names_both_kinds(table: Table, name: str, ratings: Sequence[str]) -> bool:
    """Whether a column, whatever it is called, names people and judges in its rows, beside one
    column of ratings that is nobody's (`label_source`: human, gpt-4o); names that say what is done
    (`ESCALATE_TO_HUMAN`) are none of who rated."""
    others, column = [one for one in ratings if one != name], table.columns[name]
    nobodys = bool(others) and not any(map(kind_of, others))
    if not nobodys or not tells_kinds(column) or _shares_labels(table, name, others):
        return False
    return not any(map(_says_more_than_who, column.labels)) or _crosses_items(table, name)


def _says_more_than_who(label: str) -> bool:
    """Whether the name of no machine has a word that is none of who rates."""
    return not is_machine(label) and bool(about_of(label))


def _crosses_items(table: Table, name: str) -> bool:
    """Whether every row is of another item and user, and items have several: they rated."""
    for item in table.called(SYNONYMS["item"]):
        column = table.columns[item]
        if item != name and 2 * column.distinct <= column.rows == column.filled:
            return distinct_keys(table.source, [item, name]) == column.rows
    return False


#: Words of names that were made unreadable: `anonymized_worker_id`.
_MASKED = frozenset(["anon", "anonymized", "anonymised", "anonymous", "hashed", "masked"])
#: How a name ends that counts raters: `rater_index`.
_COUNTED = ("index", "idx", "no", "nr", "num", "number")
#: How a name ends that says who: `annotator_email`, `grader_name`.
_WHO = ("id", "email", "mail", "name", "hash", "initials", *_COUNTED)


def _names_people(name: str) -> bool:
    """A name such as `annotator_email`: a rater's word, and what tells raters apart, or nothing
    else (`physician`); or what was done by whom (`checked_by`, `assigned_to`)."""
    said = [word for word in plain_name(name).split("_") if word not in _MASKED]
    if len(said) > 1 and (said[-1] == "by" or (said[0] in _RATED and said[1] == "by")):
        return True  # `done by`, `graded_by_model`
    if len(said) == 1 and kind_of(name) == "human" and not said[0].endswith("s"):
        return said[0] not in {*SYNONYMS["system"], *SYNONYMS["kind"]} | _NOT_ALONE
    if plain_name(name) in ("assigned_to", "assignee"):
        return True
    if len(said) > 1 and said[-1] == "ids" and kind_of(name) == "human":
        return True  # of lists that say who gave each member
    return len(said) == 2 and said[1] in _WHO and f"{said[0]}_id" in NAMED_RATERS | _RATERS


def _names_reviewers(table: Table, name: str, ratings: Sequence[str]) -> bool:
    """`QA Reviewer`: a word of who rates at the end, what they rate before it, and in the cells
    names that come again and again and are no labels."""
    said, column = plain_name(name).split("_"), table.columns[name]
    if len(said) < 2 or f"{said[-1]}_id" not in NAMED_RATERS | _RATERS:
        return False
    if "judge" in map(kind_of, said):
        return False
    names = column.labels and not (column.numeric or column.verdicts or column.text or column.times)
    others = [one for one in ratings if one != name]
    again = column.distinct > 1 and 2 * column.distinct <= column.filled
    again = again and _names_everyone(table, name, others)
    return bool(names) and again and bool(others) and not _shares_labels(table, name, others)


#: Words of raters that alone name something else: what was written, by whom, or the right answer.
_NOT_ALONE = frozenset(["author", "user", "annotation", "human", "humans", "people", "manual"])


def _is_said_by(table: Table, name: str, ratings: Sequence[str]) -> bool:
    """Whether a column holds what somebody said, and not who: labels of ratings, or verdicts that
    are no raters' names."""
    column = table.columns[name]
    verdicts = column.verdicts and not all(map(kind_of, column.labels))
    said = [one for one in ratings if not {*words(one)} & {"source", "name", "by", "who"}]
    return verdicts or _shares_labels(table, name, said)


#: What was done by whom: a column `graded_by_model` says by whom.
_RATED = frozenset(
    [
        *("annotated", "assessed", "coded", "evaluated", "graded", "judged", "labeled", "labelled"),
        *("rated", "reviewed", "scored"),
    ]
)
_RATERS = frozenset(
    f"{who}_id" for who in ("annotator", "rater", "labeler", "labeller", "grader", "evaluator")
) | frozenset(f"{who}_id" for who in ("judge", "reviewer", "worker", "coder", "assessor"))


def _letters(table: Table, name: str, ratings: Sequence[str]) -> bool:
    """Raters called a and b, or A1 and A2, under a name of raters, whose labels no rating has."""
    letters = all(re.fullmatch(r"\w|[A-Za-z]\d", one) for one in table.columns[name].labels)
    return plain_name(name) in NAMED_RATERS and letters and not _shares_labels(table, name, ratings)


def says_who_again(table: Table, rater: str, name: str) -> bool:
    """Whether a column of words holds only what the raters are called, and neither what they guess
    nor what is true (`guessed_model`, `true_author`)."""
    if kind_of(name) == "reference" or {*words(name)} & PREDICTED:
        return False
    names = {folded(one) for one in table.columns[rater].labels}
    mine = {folded(one) for one in table.columns[name].labels}
    return bool(mine) and not table.columns[name].numeric and mine <= names


def _shares_labels(table: Table, name: str, ratings: Sequence[str]) -> bool:
    mine = {folded(one) for one in table.columns[name].labels}
    return any(mine & {folded(label) for label in table.columns[one].labels} for one in ratings)


def _says_who(column: Column) -> bool:
    """Whether a label names who rated, and does not only speak of people."""
    return any(kind_of(label) and not _says_more_than_who(label) for label in column.labels)
