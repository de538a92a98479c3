"""The sentences of a choice: their facts are the results that they speak of."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_tables import judged, units

from goldassay.inference.comparison import Comparison
from goldassay.questions.select.criteria import CRITERIA
from goldassay.questions.select.stability import Distortion, Stability
from goldassay.questions.select.study import Merit, Rival, SelectStudy, Settings, study
from goldassay.questions.select.thresholds import CutScores, Threshold
from goldassay.questions.select.words import answer, notes, warnings
from goldassay.results import Estimate, Interval, Sentence, Undefined


def merit(place: int, value: float, n_items: int = 100) -> Merit:
    interval = Interval(value - 0.1, value + 0.1, 0.95, "by hand")
    criterion = Estimate("balanced_accuracy", value, interval, n_items)
    return Merit("abcdefgh"[place], place, n_items, criterion, ())


def made(*values: float, half: float = 0.2, error: float = 0.05) -> SelectStudy:
    """Candidates with these values, best first, and joint intervals of this half-length."""
    found = np.array(values)
    difference = found[:, None] - found[None, :]
    comparison = Comparison(
        difference, difference - half, difference + half, np.full_like(difference, error), 2.0, 0.95
    )
    return SelectStudy(
        criterion=CRITERIA["prevalence"],
        merits=tuple(merit(place, value) for place, value in enumerate(values)),
        comparison=comparison,
        rivals=(),
        distortions=(),
        stabilities=(),
        cut_scores=(),
        no_cuts=None,
        spending={},
        n_options=2,
        n_items=100,
        all_alike=True,
        unit="item",
        n_clusters=None,
        confidence_level=0.95,
    )


def sentences(found: SelectStudy) -> tuple[Sentence, ...]:
    assert len(answer(found)) <= 3
    return (*answer(found), *notes(found))


def said(found: SelectStudy, key: str) -> list[Sentence]:
    return [one for one in sentences(found) if one.key == f"select.{key}"]


def test_the_best_and_its_facts() -> None:
    (one,) = said(made(0.9, 0.6), "best")
    assert one.text == (
        "`a` has the highest balanced accuracy of the 2 judges, 90 % [80, 100] on 100 items."
    )
    assert one.about == {"judge": "a"}
    assert one.facts == {
        "criterion": "balanced_accuracy",
        "value": 0.9,
        "low": pytest.approx(0.8),
        "high": 1.0,
        "n_items": 100,
        "n_candidates": 2,
        "all_alike": True,
        "level": [],
    }
    (worse,) = said(made(0.9, 0.6), "told_apart")
    assert worse.text == "It is better than `b`."
    assert (worse.facts["better_than"], worse.facts["cannot_be_told_from"]) == (["b"], [])
    assert (worse.facts["confidence_level"], worse.facts["n_differences"]) == (0.95, 1)


def test_a_judge_that_is_as_high_is_named() -> None:
    (one,) = said(made(0.9, 0.9), "best")
    assert one.facts["level"] == ["b"]
    assert one.text.endswith("on 100 items; `b` has the same.")


def test_candidates_that_decide_different_items() -> None:
    """The numbers of the comparison are those of the items that all of them decide."""
    found = made(0.9, 0.6)
    own = Estimate("balanced_accuracy", 0.95, None, 80)
    covered = Estimate("coverage", 0.8, None, 100)
    first = replace(
        found.merits[0], criterion=own, coverage=covered, shared=merit(0, 0.9).criterion
    )
    third = replace(merit(2, 0.99, 9), coverage=Estimate("coverage", 0.1, None, 90))
    apart = replace(
        found, merits=(first, found.merits[1], third), n_items=80, all_alike=False, unit="decision"
    )
    one, two = answer(apart)
    assert one.text == (
        "`a` has the highest balanced accuracy of the 2 judges, 90 % [80, 100] on the 80 decisions "
        "that both decide (it decides 80 % of the items it judged)."
    )
    assert two.text == "It is better than `b`; `c` cannot be compared."
    assert two.facts["not_compared"] == ["c"]


def test_candidates_that_cannot_be_told_apart() -> None:
    found = made(0.9, 0.85, 0.84, 0.83, 0.82, 0.81)
    told = said(found, "cannot_tell")
    assert [one.about["other"] for one in told] == ["b", "c", "d", "e", "f"]
    # 100 items and the prior's 4, a difference and an error of .05: (2 + .8416)^2 times as many
    assert told[0].facts["items_that_would_do"] == 840
    assert told[0].text == (
        "`a` and `b` cannot be told apart with 100 items (they differ by 5 points [-15, 25]); "
        "about 840 would do."
    )
    assert told[0].facts["low"] == pytest.approx(0.05 - 0.2)
    (one,) = said(found, "told_apart")
    assert one.text == (
        "It cannot be told from any of the other 5; about 840 items would tell it from `b`."
    )
    assert one.facts["cannot_be_told_from"] == list("bcdef")
    (one,) = said(made(0.9, 0.85, 0.6), "told_apart")
    assert one.text == (
        "It cannot be told from `b`, and is better than `c`; about 840 items would tell it from "
        "`b`."
    )


def test_where_no_number_of_items_is_known_to_do() -> None:
    level = made(0.9, 0.9)
    (one,) = said(level, "cannot_tell")
    assert one.text.endswith(", and hardly with any number of them.")
    assert one.facts["items_that_would_do"] is None
    assert level.comparison is not None
    unbounded = replace(
        level.comparison, low=np.full((2, 2), -np.inf), high=np.full((2, 2), np.inf)
    )
    (one,) = said(replace(level, comparison=unbounded, n_clusters=1), "cannot_tell")
    assert "one cluster of 100 items says nothing of others" in one.text
    assert one.facts["low"] is one.facts["high"] is None


def test_one_judge_or_none() -> None:
    (only,) = sentences(made(0.9))
    assert only.key == "select.only"
    assert only.text.startswith("`a` is the only judge: its balanced accuracy is 90 % [80, 100],")
    assert only.facts["value"] == 0.9
    undefined = replace(merit(0, 0.5), criterion=Undefined("balanced_accuracy", "no class", 9))
    (none,) = sentences(replace(made(0.9), merits=(undefined,), comparison=None))
    assert none.text == "No judge can be chosen: balanced accuracy is undefined, no class."
    assert none.facts == {"criterion": "balanced_accuracy", "reason": "no class"}


def test_metrics_that_would_have_chosen_otherwise() -> None:
    rivals = (
        Rival("accuracy", "b", 0.9, 0.8, True),
        Rival("f1", "a", 0.7, 0.7, False),
        Rival("macro_f1", "b", 0.9, 0.8, True),
        Rival("phi", "c", 0.9, 0.8, True),
    )
    (one,) = said(replace(made(0.9, 0.6, 0.5), rivals=rivals), "otherwise")
    assert one.text == "Accuracy and macro F1 would have chosen `b`; phi would have chosen `c`."
    assert one.facts == {"judges": ["b", "c"], "metrics": [["accuracy", "macro_f1"], ["phi"]]}


def test_distortion_and_coins(tmp_path: Path) -> None:
    """One judge with sensitivity .9 and specificity .8, one mostly wrong, one a coin."""
    items = range(200)
    truth = [int(i % 2 == 0) for i in items]
    verdicts = {
        "good": [t ^ (i // 2 % 10 < (1 if t else 2)) for i, t in zip(items, truth, strict=True)],
        "contrary": [t ^ (i // 2 % 10 < 8) for i, t in zip(items, truth, strict=True)],
        "coin": [int(i // 2 % 2 == 0) for i in items],
    }
    found = study(units(tmp_path, judged(truth, verdicts)), Settings(draws=500))
    assert sentences(found)[1].text == "It is better than each of the other 2."
    (line,) = said(found, "distortion")
    assert line.text == (
        "`good` would report 20 % `yes` where none are and 90 % where all are: differences "
        "between systems shrink to 70 % of their size."
    )
    assert line.facts["youden_j"] == pytest.approx(0.7)
    (worse,) = said(found, "worse_than_a_coin")
    assert worse.text == (
        "`contrary` does worse than a coin (Youden's J below 0): its verdicts would be of use "
        "reversed."
    )
    (level,) = said(found, "like_a_coin")
    assert level.facts == {"judges": ["coin"]}
    seen = Counter((one.key, *sorted(one.about.items())) for one in sentences(found))
    assert set(seen.values()) == {1}


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.6, 0.4)])
def test_no_distortion_worth_a_word(low: float, high: float) -> None:
    found = replace(made(0.9, 0.6), distortions=(Distortion("a", low, high),))
    assert not said(found, "distortion")


def test_the_threshold_that_makes_most_of_scores() -> None:
    def cut(judge: str, youden_j: float) -> CutScores:
        empty = np.zeros(0)
        threshold = Threshold(0.45, 0.8, youden_j, empty, empty, (0.4, 0.5))
        return CutScores(judge, Estimate("threshold_youden_j", youden_j), threshold)

    none = CutScores("c", Undefined("threshold_youden_j", "too few"))
    (one,) = said(replace(made(0.9), cut_scores=(none, cut("a", 0.6), cut("b", 0.7))), "threshold")
    assert one.text == (
        "Cut at 0.45, the scores of `b` reach J 0.70 on items that the threshold was not tuned on "
        "(0.80 where it was)."
    )
    assert one.facts == {"threshold": 0.45, "youden_j": 0.7, "apparent": 0.8}
    assert not said(replace(made(0.9), cut_scores=(none,)), "threshold")


def test_guessing_among_several_options() -> None:
    """With four options guessing reaches 1/4: a judge at 40 % [30, 50] is better than that."""
    four = replace(made(0.4, 0.3), n_options=4)
    assert not said(four, "guessing")
    (one,) = said(made(0.4, 0.3), "guessing")
    assert one.text.startswith("No judge is shown to do better than guessing, which reaches 50 %")
    assert said(replace(made(0.34, 0.3), n_options=4), "guessing")
    assert not said(replace(made(0.4, 0.3), criterion=CRITERIA["filter"]), "guessing")


def test_warnings() -> None:
    found = replace(made(0.9, 0.8, 0.7), n_items=70, all_alike=False)
    stable = Stability("a", "sensitivity", ("s", "t"), Undefined("homogeneity", "one"), False)
    told = warnings(
        replace(
            found,
            stabilities=(stable, replace(stable, rate="recall_of_x", differs=True)),
            no_cuts="no judge has scores",
        )
    )
    assert told[0].startswith("All compared candidates decide 70 of 100 items; they are compared")
    assert told[1].startswith("The recall of `x` of `a` differs between systems")
    assert told[2] == "No threshold is among the candidates: no judge has scores."
    assert warnings(made(0.9, 0.6)) == ()
