"""Drawn tables, records and sets of files: systems by criteria, lists, folders, sheets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from odd_drawing import Draw, File, Rating, as_csv, as_json, as_jsonl, as_xlsx

__all__ = ["SHAPES"]

NUMBERS = ("ordinal", "continuous")


def _two(d: Draw) -> list[tuple[str, str]]:
    """The word for people, the word for a judge."""
    return [(d.pick("human"), "human"), (d.pick("judge"), "judge")]


def _grid(d: Draw, raters: Sequence[tuple[str, str]], *, systems: int, criteria: int) -> Any:
    """Ratings of each item by rater, system and criterion."""
    grades = d.grades()
    names = d.some("systems", systems) if systems else [""]
    asked = d.some("criteria", criteria) if criteria else [""]
    ratings = []
    for item in d.items:
        for system in names:
            for criterion in asked:
                truth = d.pick_of(grades)
                for rater, kind in raters:
                    said = d.said(truth, grades)
                    ratings.append(Rating(item, kind, rater, said, criterion, system))
    return ratings, names, asked


def _rows(d: Draw, ratings: Sequence[Rating], column: Any, *, by_system: bool = True) -> Any:
    """Rows of items (and systems), a cell for each rating under the name that `column` gives."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    system = d.pick("system")
    for one in ratings:
        key = (one.item, one.system if by_system else "")
        head = {d.id: one.item} | ({system: one.system} if by_system and one.system else {})
        rows.setdefault(key, head)[column(one)] = one.value
    return list(rows.values())


def systems_by_criteria(d: Draw) -> File:
    """Systems in rows, criteria in columns, people and judge in the names."""
    ratings, _, _ = _grid(d, _two(d), systems=3, criteria=3)
    rows = _rows(d, ratings, lambda one: d.name(one.rater, one.criterion))
    return File("systems_by_criteria", {"scores.csv": as_csv(rows)}, ratings, NUMBERS)


def criteria_in_rows(d: Draw) -> File:
    """A row for each item, system and criterion; people and judge in columns."""
    ratings, _, _ = _grid(d, _two(d), systems=3, criteria=3)
    system, criterion, what = d.pick("system"), d.pick("criterion"), d.pick("grade")
    rows: dict[Any, dict[str, Any]] = {}
    for one in ratings:
        head = {d.id: one.item, system: one.system, criterion: one.criterion}
        rows.setdefault((one.item, one.system, one.criterion), head)[d.name(one.rater, what)] = (
            one.value
        )
    return File("criteria_in_rows", {"scores.tsv": as_csv(rows.values(), "\t")}, ratings, NUMBERS)


def systems_in_columns(d: Draw) -> File:
    """A column for each rater and system."""
    ratings, _, _ = _grid(d, _two(d), systems=3, criteria=0)
    rows = _rows(d, ratings, lambda one: d.name(one.rater, one.system), by_system=False)
    return File("systems_in_columns", {"scores.csv": as_csv(rows)}, ratings, NUMBERS)


def grid_in_names(d: Draw) -> File:
    """A column for each system and criterion, a file for people and one for the judge."""
    ratings, _, _ = _grid(d, [("people", "human"), ("judge", "judge")], systems=2, criteria=3)
    files = {}
    for kind, key in (("human", "people_files"), ("judge", "judge_files")):
        mine = [one for one in ratings if one.kind == kind]
        rows = _rows(d, mine, lambda one: d.name(one.system, one.criterion), by_system=False)
        files[f"{d.pick(key)}.csv"] = as_csv(rows)
    return File("grid_in_names", files, ratings, NUMBERS)


def rater_per_row(d: Draw) -> File:
    """A row for each rater, item and system; criteria in columns."""
    raters = [(name, "human") for name in d.some("people", 2)] + [(d.pick("judges"), "judge")]
    ratings, _, _ = _grid(d, raters, systems=2, criteria=3)
    system, rater = d.pick("system"), d.pick("rater")
    rows: dict[Any, dict[str, Any]] = {}
    for one in ratings:
        head = {d.id: one.item, system: one.system, rater: one.rater}
        rows.setdefault((one.item, one.system, one.rater), head)[one.criterion] = one.value
    return File("rater_per_row", {"ratings.csv": as_csv(rows.values())}, ratings, NUMBERS)


def with_totals(d: Draw) -> File:
    """A plain table with a row of totals at its end."""
    ratings, _, _ = _grid(d, _two(d), systems=0, criteria=0)
    what = d.pick("grade")
    rows = _rows(d, ratings, lambda one: d.name(one.rater, what), by_system=False)
    last: dict[str, Any] = {d.id: d.pick("total")}
    for name in rows[0]:
        if name != d.id:
            mean = sum(int(row[name]) for row in rows) / len(rows)
            last[name] = f"{mean:.2f}"
    marks = d.pick_of([",", "\t"])
    files = {"scores.csv" if marks == "," else "scores.tsv": as_csv([*rows, last], marks)}
    return File("with_totals", files, ratings, NUMBERS)


def _plain(d: Draw, raters: Sequence[tuple[str, str]]) -> tuple[list[Rating], tuple[str, ...]]:
    """One verdict of each rater on each item."""
    options, scales = d.scale()
    ratings = []
    for item in d.items:
        truth = d.pick_of(options)
        ratings += [Rating(item, kind, name, d.said(truth, options)) for name, kind in raters]
    return ratings, scales


def _of_item(ratings: Sequence[Rating], item: str) -> list[Rating]:
    return [one for one in ratings if one.item == item]


def records(d: Draw) -> File:
    """A list of flat records, or one under a word."""
    ratings, scales = _plain(d, _two(d))
    what = d.pick("verdict")
    made = [
        d.head(item) | {d.name(one.rater, what): one.value for one in _of_item(ratings, item)}
        for item in d.items
    ]
    whole: Any = {"version": "1.0", d.pick("wrap"): made} if d.flip() else made
    return File("records", {"dataset.json": as_json(whole)}, ratings, scales)


def keyed_by_id(d: Draw) -> File:
    """Records under their ids."""
    ratings, scales = _plain(d, _two(d))
    what = d.pick("verdict")
    made = {
        item: {d.text: d.sentence()}
        | {d.name(one.rater, what): one.value for one in _of_item(ratings, item)}
        for item in d.items
    }
    return File("keyed_by_id", {"dataset.json": as_json(made)}, ratings, scales)


def nested_kinds(d: Draw) -> File:
    """`{"human": {...}, "judge": {...}}` in each record, a key for each criterion."""
    ratings, _, _ = _grid(d, _two(d), systems=0, criteria=3)
    made = []
    for item in d.items:
        row = d.head(item)
        for one in _of_item(ratings, item):
            row.setdefault(one.rater, {})[one.criterion] = one.value
        made.append(row)
    files = {"data.jsonl": as_jsonl(made)} if d.flip() else {"data.json": as_json(made)}
    return File("nested_kinds", files, ratings, NUMBERS)


def annotation_lists(d: Draw) -> File:
    """A list of people's annotations in each record, and a judge's verdict beside it."""
    people = [(name, "human") for name in d.some("people", 3)]
    who = d.pick("judge")
    ratings, scales = _plain(d, [*people, (who, "judge")])
    what, rater, lists = d.pick("verdict"), d.pick("rater"), d.pick("annotations")
    made = []
    for item in d.items:
        mine = _of_item(ratings, item)
        said = [{rater: one.rater, what: one.value} for one in mine if one.kind == "human"]
        made.append(d.head(item) | {lists: said, d.name(who, what): mine[-1].value})
    return File("annotation_lists", {"data.jsonl": as_jsonl(made)}, ratings, scales)


def scores_in_records(d: Draw) -> File:
    """A line for each rater and item, with its scores in a record by criterion."""
    raters = [(name, "human") for name in d.some("people", 2)] + [(d.pick("judges"), "judge")]
    ratings, _, _ = _grid(d, raters, systems=0, criteria=3)
    rater, lines = d.pick("rater"), {}
    for one in ratings:
        line = {d.id: one.item, rater: one.rater, f"{d.pick('grade')}s": {}}
        line = lines.setdefault((one.item, one.rater), line)
        next(v for v in line.values() if isinstance(v, dict))[one.criterion] = one.value
    made = list(lines.values())
    name = f"{d.words['grade'][0]}s"
    made = [{k if not isinstance(v, dict) else name: v for k, v in one.items()} for one in made]
    return File("scores_in_records", {"ratings.jsonl": as_jsonl(made)}, ratings, NUMBERS)


def lists_by_criterion(d: Draw) -> File:
    """Several people's grades in a list by criterion, the judge's one number beside it."""
    people = [(f"p{n}", "human") for n in range(3)]
    ratings, _, _ = _grid(d, [*people, ("judge", "judge")], systems=0, criteria=2)
    human, judge = d.pick("human"), d.pick("judge")
    made = []
    for item in d.items:
        row = d.head(item) | {human: {}, judge: {}}
        for one in _of_item(ratings, item):
            if one.kind == "human":
                row[human].setdefault(one.criterion, []).append(one.value)
            else:
                row[judge][one.criterion] = one.value
        made.append(row)
    return File("lists_by_criterion", {"data.json": as_json(made)}, ratings, NUMBERS)


def lists_of_labels(d: Draw) -> File:
    """All people's labels in one list, the judge's beside it."""
    people = [(f"p{n}", "human") for n in range(3)]
    ratings, scales = _plain(d, [*people, ("judge", "judge")])
    what = d.pick("verdict")
    human, judge = d.name(d.pick("human"), f"{what}s"), d.name(d.pick("judge"), what)
    made = []
    for item in d.items:
        mine = _of_item(ratings, item)
        made.append(d.head(item) | {human: [o.value for o in mine[:-1]], judge: mine[-1].value})
    return File("lists_of_labels", {"data.jsonl": as_jsonl(made)}, ratings, scales)


def systems_in_records(d: Draw) -> File:
    """A record for each system within the item's, with people's and the judge's score."""
    ratings, _, _ = _grid(d, _two(d), systems=3, criteria=0)
    key = f"{d.words['answer'][1]}s"
    what = d.pick("grade")
    made = []
    for item in d.items:
        within: dict[str, Any] = {}
        for one in _of_item(ratings, item):
            within.setdefault(one.system, {})[d.name(one.rater, what)] = one.value
        made.append(d.head(item) | {key: within})
    return File("systems_in_records", {"data.json": as_json(made)}, ratings, NUMBERS)


def people_and_judge_files(d: Draw) -> File:
    """People's table and a judge's lines, by id."""
    ratings, scales = _plain(d, [("human", "human"), ("judge", "judge")])
    what = d.pick("verdict")
    files = {}
    for kind, key in (("human", "people_files"), ("judge", "judge_files")):
        rows = [{d.id: one.item, what: one.value} for one in ratings if one.kind == kind]
        as_lines = kind == "judge" and d.flip()
        body = as_jsonl(rows) if as_lines else as_csv(rows)
        files[f"{d.pick(key)}.{'jsonl' if as_lines else 'csv'}"] = body
    return File("people_and_judge_files", files, ratings, scales)


def people_wide_and_judge(d: Draw) -> File:
    """Several people's columns in one file, a judge's verdict with its reason in another."""
    form, what = d.pick("numbered"), d.pick("verdict")
    people = [(form.format(n), "human") for n in (1, 2, 3)]
    ratings, scales = _plain(d, [*people, ("judge", "judge")])
    left = [
        d.head(item) | {o.rater: o.value for o in _of_item(ratings, item) if o.kind == "human"}
        for item in d.items
    ]
    right = [
        {d.id: one.item, what: one.value, "reasoning": d.sentence()}
        for one in ratings
        if one.kind == "judge"
    ]
    files = {f"{d.pick('people_files')}.csv": as_csv(left)}
    files[f"{d.pick('judge_files')}.jsonl"] = as_jsonl(right)
    return File("people_wide_and_judge", files, ratings, scales)


def file_per_judge(d: Draw) -> File:
    """A file of people's labels and one for each judge, called after it."""
    judges = d.some("judges", 2)
    raters = [("human", "human")] + [(name, "judge") for name in judges]
    ratings, scales = _plain(d, raters)
    what = d.pick("verdict")
    files = {}
    for name, kind in raters:
        rows = [{d.id: one.item, what: one.value} for one in ratings if one.rater == name]
        stem = name if kind == "judge" else d.pick("people_files")
        files[f"{stem}.jsonl"] = as_jsonl(rows)
    return File("file_per_judge", files, ratings, scales)


def file_per_system(d: Draw) -> File:
    """A file for each system, with people's and the judge's grade in columns."""
    ratings, systems, _ = _grid(d, _two(d), systems=3, criteria=0)
    what = d.pick("grade")
    files = {}
    for system in systems:
        mine = [one for one in ratings if one.system == system]
        rows = _rows(d, mine, lambda one: d.name(one.rater, what), by_system=False)
        files[f"{system}.csv"] = as_csv(rows)
    return File("file_per_system", files, ratings, NUMBERS)


def labels_and_predictions(d: Draw) -> File:
    """A file of labels and one of predictions, by id."""
    ratings, scales = _plain(d, [("label", "label"), ("prediction", "judge")])
    labels = [{d.id: o.item, "label": o.value} for o in ratings if o.kind == "label"]
    said = [{d.id: o.item, "prediction": o.value} for o in ratings if o.kind == "judge"]
    files = {f"{d.pick('label_files')}.csv": as_csv(labels)}
    files[f"{d.pick('prediction_files')}.csv"] = as_csv(said)
    return File("labels_and_predictions", files, ratings, scales)


def object_per_file(d: Draw) -> File:
    """A folder of one object a file, with people's and a judge's grades."""
    ratings, _, _ = _grid(d, _two(d), systems=0, criteria=2)
    files = {}
    for item in d.items:
        row = d.head(item)
        for one in _of_item(ratings, item):
            row.setdefault(one.rater, {})[one.criterion] = one.value
        files[f"{item}.json"] = as_json(row)
    return File("object_per_file", files, ratings, NUMBERS)


def sheets_of_raters(d: Draw) -> File:
    """A workbook with a sheet for people and one for the judge."""
    ratings, scales = _plain(d, [("human", "human"), ("judge", "judge")])
    what, titles = d.pick("verdict"), (d.pick("human").title(), d.pick("judge").upper())
    sheets: dict[str, Sequence[Mapping[str, Any]]] = {}
    for title, kind in zip(titles, ("human", "judge"), strict=True):
        sheets[title] = [{d.id: o.item, what: o.value} for o in ratings if o.kind == kind]
    return File("sheets_of_raters", {"ratings.xlsx": as_xlsx(sheets)}, ratings, scales)


def sheet_and_notes(d: Draw) -> File:
    """A workbook whose other sheet tells what the first one is."""
    ratings, scales = _plain(d, _two(d))
    what = d.pick("verdict")
    rows = [
        d.head(item) | {d.name(o.rater, what): o.value for o in _of_item(ratings, item)}
        for item in d.items
    ]
    notes = [{"Note": d.sentence()} for _ in range(4)]
    book = as_xlsx({"README": notes, "Sheet1": rows} if d.flip() else {"Data": rows, "Info": notes})
    return File("sheet_and_notes", {"ratings.xlsx": book}, ratings, scales)


def _binary(d: Draw) -> tuple[str, str]:
    """A positive label and the other."""
    pairs = [labels for labels in d.words["labels"] if len(labels) == 2]
    one, other = d.pick_of(pairs)
    return (other, one) if [one, other] == ["0", "1"] else (one, other)


def _probable(d: Draw, truth: bool) -> float:
    p = d.rng.betavariate(6, 2)
    return round(p if truth else 1 - p, 3)


def probabilities(d: Draw) -> File:
    """People's labels beside a judge's probability, with or without its verdict."""
    good, bad = _binary(d)
    human, score = d.name(d.pick("human"), d.pick("verdict")), d.pick("probability")
    verdict = d.name(d.pick("judge"), d.pick("verdict")) if d.flip() else ""
    rows, ratings = [], []
    for item in d.items:
        truth = d.flip()
        said = d.said(good if truth else bad, (good, bad))
        p = _probable(d, truth)
        own = good if p >= 0.5 else bad
        row = d.head(item) | {human: said, score: f"{p}"}
        if verdict:
            row[verdict] = own
        rows.append(row)
        ratings += [Rating(item, "human", "human", said), Rating(item, "judge", "judge", own)]
    return File("probabilities", {"scored.csv": as_csv(rows)}, ratings, ("binary",))


def logprobs(d: Draw) -> File:
    """People's labels beside a judge's verdict and two logarithms of probabilities."""
    good, bad = _binary(d)
    human, judge = (d.name(d.pick(k), d.pick("verdict")) for k in ("human", "judge"))
    one, two = d.pick("logprob")
    rows, ratings = [], []
    for item in d.items:
        truth = d.flip()
        said = d.said(good if truth else bad, (good, bad))
        p = min(max(_probable(d, truth), 0.01), 0.99)
        own = good if p >= 0.5 else bad
        row = d.head(item) | {human: said, judge: own}
        rows.append(row | {one: f"{math.log(p):.4f}", two: f"{math.log(1 - p):.4f}"})
        ratings += [Rating(item, "human", "human", said), Rating(item, "judge", "judge", own)]
    return File("logprobs", {"scored.csv": as_csv(rows)}, ratings, ("binary",))


SHAPES = (
    systems_by_criteria,
    criteria_in_rows,
    systems_in_columns,
    grid_in_names,
    rater_per_row,
    with_totals,
    records,
    keyed_by_id,
    nested_kinds,
    annotation_lists,
    scores_in_records,
    lists_by_criterion,
    lists_of_labels,
    systems_in_records,
    people_and_judge_files,
    people_wide_and_judge,
    file_per_judge,
    file_per_system,
    labels_and_predictions,
    object_per_file,
    sheets_of_raters,
    sheet_and_notes,
    probabilities,
    logprobs,
)
