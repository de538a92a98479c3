"""Drawn files of pairs: who won, on which side, and how much better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from odd_drawing import Draw, File, Rating, as_csv, as_json, as_jsonl

__all__ = ["SHAPES"]

SIDES = ("first", "second", "tie")
PAIRWISE = ("pairwise",)


def _winners(d: Draw, sides: Sequence[str], systems: Sequence[str]) -> Mapping[str, str]:
    """How the winner is written: outcome -> label; the way is one of this half."""
    way = d.pick("winner_ways")
    if way == "columns":
        return dict(zip(SIDES, (*sides, "tie"), strict=True))
    if way == "letters":
        upper = d.flip()
        return dict(zip(SIDES, ("A", "B", "tie") if upper else ("a", "b", "tie"), strict=True))
    if way == "tie letter":
        return dict(zip(SIDES, ("A", "B", "C"), strict=True))
    if way == "texts":
        return dict(zip(SIDES, ("response_a", "response_b", "tie"), strict=True))
    if way == "numbers":
        return dict(zip(SIDES, ("1", "2", "tie"), strict=True))
    if way == "first second":
        return dict(zip(SIDES, ("first", "second", "equal"), strict=True))
    if way == "bracketed":
        return dict(zip(SIDES, ("[[A]]", "[[B]]", "[[C]]"), strict=True))
    return dict(zip(SIDES, (*systems, "tie"), strict=True))


def _outcome(d: Draw) -> str:
    return str(d.pick_of(["first", "first", "second", "second", "tie"]))


def _battles(d: Draw) -> list[tuple[str, str, str]]:
    """Item and the two systems of each row."""
    systems = d.some("systems", 4)
    return [(item, *d.rng.sample(systems, 2)) for item in d.items]


def _rows_of_pairs(
    d: Draw, raters: Mapping[str, tuple[str, str]], *, names_win: bool = False
) -> tuple[list[dict[str, Any]], list[Rating]]:
    """Battles with a column of winners for each rater (column -> kind, rater)."""
    sides = d.pick("sides")
    rows, ratings = [], []
    words = _winners(d, sides, ("", ""))
    for item, one, two in _battles(d):
        row = d.head(item) | {sides[0]: one, sides[1]: two}
        mine = dict(zip(SIDES, (one, two, "tie"), strict=True))
        mine = mine if names_win or not words["first"] else dict(words)
        truth = _outcome(d)
        for column, (kind, rater) in raters.items():
            said = d.said(truth, SIDES)
            row[column] = mine[said]
            ratings.append(Rating(item, kind, rater, said, "", one, two))
        rows.append(row)
    return rows, ratings


def winners_beside(d: Draw) -> File:
    """A winner of people and one of a judge beside two systems."""
    what = d.pick("preference")
    people = {d.name(d.pick("human"), what): ("human", "people")}
    judges = {d.name(d.pick("judge"), what): ("judge", "judge")}
    rows, ratings = _rows_of_pairs(d, people | judges)
    return File("winners_beside", {"battles.csv": as_csv(rows)}, ratings, PAIRWISE)


def winners_of_raters(d: Draw) -> File:
    """Several people's winners in numbered columns, and a judge's."""
    form, what = d.pick("numbered"), d.pick("preference")
    people = {form.format(n): ("human", f"p{n}") for n in (1, 2, 3)}
    judges = {d.name(d.pick("judge"), what): ("judge", "judge")}
    rows, ratings = _rows_of_pairs(d, people | judges)
    return File("winners_of_raters", {"battles.jsonl": as_jsonl(rows)}, ratings, PAIRWISE)


def winners_in_rows(d: Draw) -> File:
    """A row for each rater and battle."""
    sides, rater, what = d.pick("sides"), d.pick("rater"), d.pick("preference")
    words = _winners(d, sides, ("", ""))
    names = [(name, "human") for name in d.some("people", 3)] + [(d.pick("judges"), "judge")]
    rows, ratings = [], []
    for item, one, two in _battles(d):
        truth = _outcome(d)
        for name, kind in names:
            said = d.said(truth, SIDES)
            mine = words if words["first"] else dict(zip(SIDES, (one, two, "tie"), strict=True))
            row = {d.id: item, sides[0]: one, sides[1]: two, rater: name, what: mine[said]}
            rows.append(row)
            ratings.append(Rating(item, kind, name, said, "", one, two))
    return File("winners_in_rows", {"votes.csv": as_csv(rows)}, ratings, PAIRWISE)


def two_texts(d: Draw) -> File:
    """Two texts, and which of them a person and a judge prefer."""
    texts, what = d.pick("texts"), d.pick("preference")
    human, judge = d.name(d.pick("human"), what), d.name(d.pick("judge"), what)
    by_name = dict(zip(SIDES, (*texts, "tie"), strict=True))
    by_letter = {"first": "A", "second": "B", "tie": "tie"}
    words = d.pick_of([by_name, {"first": "1", "second": "2"}, by_letter])
    rows, ratings = [], []
    for item in d.items:
        row = d.head(item) | {text: d.sentence() for text in texts}
        truth = d.pick_of(list(words))
        for column, kind in ((human, "human"), (judge, "judge")):
            said = d.said(truth, list(words))
            row[column] = words[said]
            ratings.append(Rating(item, kind, kind, said))
        rows.append(row)
    as_file = d.flip()
    files = {"pairs.csv": as_csv(rows)} if as_file else {"pairs.json": as_json(rows)}
    return File("two_texts", files, ratings, PAIRWISE)


def preference_scale(d: Draw) -> File:
    """How much better one text is, in grades about nought or from one end to the other."""
    low, high = map(int, d.pick("scale_ways").split(".."))
    grades = [str(n) for n in range(low, high + 1)]
    texts, what = d.pick("texts"), d.pick("preference")
    names = [(d.name(d.pick("human"), what), "human"), (d.name(d.pick("judge"), what), "judge")]
    rows, ratings = [], []
    for item in d.items:
        row = d.head(item) | {text: d.sentence() for text in texts}
        truth = d.pick_of(grades)
        for column, kind in names:
            row[column] = d.said(truth, grades)
            ratings.append(Rating(item, kind, kind, row[column]))
        rows.append(row)
    scales = ("ordinal", "continuous")
    return File("preference_scale", {"preferences.csv": as_csv(rows)}, ratings, scales)


def scores_side_by_side(d: Draw) -> File:
    """Two systems' scores by people and by a judge: `human_score_a`, `judge_score_b`."""
    sides, what = d.pick("sides"), d.pick("grade")
    grades = d.grades()
    ends = d.pick_of([("a", "b"), ("1", "2"), ("A", "B")])
    who = [(d.pick("human"), "human"), (d.pick("judge"), "judge")]
    rows, ratings = [], []
    for item, one, two in _battles(d):
        row = d.head(item) | {sides[0]: one, sides[1]: two}
        for end, system in zip(ends, (one, two), strict=True):
            truth = d.pick_of(grades)
            for name, kind in who:
                said = d.said(truth, grades)
                row[f"{name}_{what}_{end}"] = said
                ratings.append(Rating(item, kind, kind, said, "", system))
        rows.append(row)
    files = {"side_by_side.csv": as_csv(rows)}
    return File("scores_side_by_side", files, ratings, ("ordinal", "continuous"))


def one_contest(d: Draw) -> File:
    """Two systems by name, whose answers stand under their names, and who won."""
    one, two = d.some("systems", 2)
    what = d.pick("preference")
    names = [(d.name(d.pick("human"), what), "human"), (d.name(d.pick("judge"), what), "judge")]
    words = dict(zip(SIDES, (one, two, "tie"), strict=True))
    rows, ratings = [], []
    for item in d.items:
        row = d.head(item) | {f"{one}_{d.words['answer'][0]}": d.sentence()}
        row[f"{two}_{d.words['answer'][0]}"] = d.sentence()
        truth = _outcome(d)
        for column, kind in names:
            said = d.said(truth, SIDES)
            row[column] = words[said]
            ratings.append(Rating(item, kind, kind, said, "", one, two))
        rows.append(row)
    return File("one_contest", {f"{one}_vs_{two}.csv": as_csv(rows)}, ratings, PAIRWISE)


def nested_pairs(d: Draw) -> File:
    """Records with the two systems and the winners of people and judge in records of their own."""
    what = d.pick("preference")
    sides = d.pick("sides")
    words = _winners(d, sides, ("", ""))
    rows, ratings = [], []
    human, judge = d.pick("human"), d.pick("judge")
    for item, one, two in _battles(d):
        mine = words if words["first"] else dict(zip(SIDES, (one, two, "tie"), strict=True))
        row = d.head(item) | {sides[0]: one, sides[1]: two}
        truth = _outcome(d)
        for name, kind in ((human, "human"), (judge, "judge")):
            said = d.said(truth, SIDES)
            row[name] = {what: mine[said], "reason": d.sentence()}
            ratings.append(Rating(item, kind, kind, said, "", one, two))
        rows.append(row)
    return File("nested_pairs", {"pairs.jsonl": as_jsonl(rows)}, ratings, PAIRWISE)


def pairs_per_criterion(d: Draw) -> File:
    """A winner for each of several criteria, of people and of a judge."""
    sides, criteria = d.pick("sides"), d.some("criteria", 3)
    who = [(d.pick("human"), "human"), (d.pick("judge"), "judge")]
    words = _winners(d, sides, ("", ""))
    rows, ratings = [], []
    for item, one, two in _battles(d):
        mine = words if words["first"] else dict(zip(SIDES, (one, two, "tie"), strict=True))
        row = {d.id: item, sides[0]: one, sides[1]: two}
        for criterion in criteria:
            truth = _outcome(d)
            for name, kind in who:
                said = d.said(truth, SIDES)
                row[d.name(name, criterion)] = mine[said]
                ratings.append(Rating(item, kind, kind, said, criterion, one, two))
        rows.append(row)
    return File("pairs_per_criterion", {"battles.csv": as_csv(rows)}, ratings, PAIRWISE)


def judge_of_pairs_apart(d: Draw) -> File:
    """People's winners in one file, a judge's in another."""
    sides, what = d.pick("sides"), d.pick("preference")
    words = _winners(d, sides, ("", ""))
    people, judge, ratings = [], [], []
    for item, one, two in _battles(d):
        mine = words if words["first"] else dict(zip(SIDES, (one, two, "tie"), strict=True))
        head = {d.id: item, sides[0]: one, sides[1]: two}
        truth = _outcome(d)
        for rows, kind in ((people, "human"), (judge, "judge")):
            said = d.said(truth, SIDES)
            rows.append(head | {what: mine[said]})
            ratings.append(Rating(item, kind, kind, said, "", one, two))
    files = {f"{d.pick('people_files')}.csv": as_csv(people)}
    files[f"{d.pick('judge_files')}.jsonl"] = as_jsonl(judge)
    return File("judge_of_pairs_apart", files, ratings, PAIRWISE)


SHAPES = (
    winners_beside,
    winners_of_raters,
    winners_in_rows,
    two_texts,
    preference_scale,
    scores_side_by_side,
    one_contest,
    nested_pairs,
    pairs_per_criterion,
    judge_of_pairs_apart,
)
