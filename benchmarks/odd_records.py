"""Drawn records and sheets whose lists and members say who rated what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from odd_drawing import Draw, File, Rating, as_csv, as_json, as_jsonl, as_xlsx

__all__ = ["SHAPES"]

NUMBERS = ("ordinal", "continuous")


def _two(d: Draw) -> list[tuple[str, str]]:
    return [(d.pick("human"), "human"), (d.pick("judge"), "judge")]


def _drawn(
    d: Draw,
    raters: Sequence[tuple[str, str]],
    systems: Sequence[str] = ("",),
    criteria: Sequence[str] = ("",),
) -> list[Rating]:
    """Grades of each item by rater, system and criterion."""
    grades, ratings = d.grades(), []
    for item in d.items:
        for system in systems:
            for criterion in criteria:
                truth = d.pick_of(grades)
                ratings += [
                    Rating(item, kind, name, d.said(truth, grades), criterion, system)
                    for name, kind in raters
                ]
    return ratings


def _by_item(ratings: Sequence[Rating]) -> dict[str, list[Rating]]:
    found: dict[str, list[Rating]] = {}
    for one in ratings:
        found.setdefault(one.item, []).append(one)
    return found


def evaluations_in_list(d: Draw) -> File:
    """A list in each record of what people and a judge said, each with the rater's name."""
    raters = [(name, "human") for name in d.some("people", 2)] + [(d.pick("judges"), "judge")]
    ratings = _drawn(d, raters)
    rater, what, lists = d.pick("rater"), d.pick("grade"), d.pick("annotations")
    made = [
        d.head(item) | {lists: [{rater: one.rater, what: one.value} for one in mine]}
        for item, mine in _by_item(ratings).items()
    ]
    return File("evaluations_in_list", {"data.json": as_json(made)}, ratings, NUMBERS)


def scores_by_whom(d: Draw) -> File:
    """`scores` with a record for people and one for the judge, a member for each criterion."""
    ratings = _drawn(d, _two(d), criteria=d.some("criteria", 2))
    made = []
    for item, mine in _by_item(ratings).items():
        scores: dict[str, Any] = {}
        for one in mine:
            scores.setdefault(one.rater, {})[one.criterion] = one.value
        made.append(d.head(item) | {f"{d.words['grade'][0]}s": scores})
    return File("scores_by_whom", {"data.jsonl": as_jsonl(made)}, ratings, NUMBERS)


def systems_then_items(d: Draw) -> File:
    """An object of systems, each with an object of items, with people's and the judge's grades."""
    ratings = _drawn(d, _two(d), systems=d.some("systems", 2))
    what = d.pick("grade")
    made: dict[str, Any] = {}
    for one in ratings:
        record = made.setdefault(one.system, {}).setdefault(one.item, {})
        record[d.name(one.rater, what)] = one.value
    return File("systems_then_items", {"results.json": as_json(made)}, ratings, NUMBERS)


def columns_in_json(d: Draw) -> File:
    """An object of columns, each a list or an object by row."""
    ratings = _drawn(d, _two(d))
    what = d.pick("grade")
    rows = [
        d.head(item) | {d.name(one.rater, what): one.value for one in mine}
        for item, mine in _by_item(ratings).items()
    ]
    numbered = d.flip()
    made: dict[str, Any] = {}
    for name in rows[0]:
        cells = [row[name] for row in rows]
        made[name] = {str(n): cell for n, cell in enumerate(cells)} if numbered else cells
    return File("columns_in_json", {"frame.json": as_json(made)}, ratings, NUMBERS)


def long_kinds(d: Draw) -> File:
    """A row for each rating, with the rater and whether it is a person or a model."""
    raters = [(name, "human") for name in d.some("people", 2)] + [(d.pick("judges"), "judge")]
    ratings = _drawn(d, raters, criteria=d.some("criteria", 2))
    rater, what, criterion = d.pick("rater"), d.pick("grade"), d.pick("criterion")
    said = d.pick_of([("human", "model"), ("human", "llm"), ("human", "judge")])
    rows = [
        {
            d.id: one.item,
            criterion: one.criterion,
            rater: one.rater,
            f"{rater}_type": said[one.kind == "judge"],
            what: one.value,
        }
        for one in ratings
    ]
    d.rng.shuffle(rows)
    return File("long_kinds", {"ratings.csv": as_csv(rows)}, ratings, NUMBERS)


def systems_in_list(d: Draw) -> File:
    """A list of outputs in each record, with the system, the text and two grades."""
    ratings = _drawn(d, _two(d), systems=d.some("systems", 3))
    system, what, text = d.pick("system"), d.pick("grade"), d.pick("answer")
    made = []
    for item, mine in _by_item(ratings).items():
        within: dict[str, Any] = {}
        for one in mine:
            record = within.setdefault(one.system, {system: one.system, text: d.sentence()})
            record[d.name(one.rater, what)] = one.value
        made.append(d.head(item) | {f"{text}s": list(within.values())})
    return File("systems_in_list", {"outputs.json": as_json(made)}, ratings, NUMBERS)


def sheets_of_systems(d: Draw) -> File:
    """A workbook with a sheet for each system, people's and the judge's grades in columns."""
    systems = d.some("systems", 2)
    ratings = _drawn(d, _two(d), systems=systems)
    what = d.pick("grade")
    sheets: dict[str, Sequence[Mapping[str, Any]]] = {}
    for system in systems:
        mine = [one for one in ratings if one.system == system]
        sheets[system] = [
            {d.id: item} | {d.name(one.rater, what): one.value for one in here}
            for item, here in _by_item(mine).items()
        ]
    return File("sheets_of_systems", {"scores.xlsx": as_xlsx(sheets)}, ratings, NUMBERS)


def judge_of_criteria(d: Draw) -> File:
    """People's criteria in columns of a table, a judge's in a record of each line."""
    criteria = d.some("criteria", 3)
    ratings = _drawn(d, [("people", "human"), ("judge", "judge")], criteria=criteria)
    left: dict[str, dict[str, Any]] = {}
    right: dict[str, dict[str, Any]] = {}
    key = d.pick_of(["scores", "ratings", "evaluation"])
    for one in ratings:
        if one.kind == "human":
            left.setdefault(one.item, {d.id: one.item})[one.criterion] = one.value
        else:
            record = right.setdefault(one.item, {d.id: one.item, key: {}})
            record[key][one.criterion] = one.value
    files = {f"{d.pick('people_files')}.csv": as_csv(left.values())}
    files[f"{d.pick('judge_files')}.jsonl"] = as_jsonl(right.values())
    return File("judge_of_criteria", files, ratings, NUMBERS)


SHAPES = (
    evaluations_in_list,
    scores_by_whom,
    systems_then_items,
    columns_in_json,
    long_kinds,
    systems_in_list,
    sheets_of_systems,
    judge_of_criteria,
)
