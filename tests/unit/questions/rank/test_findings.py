"""The whole answer on small studies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from goldassay.counts import GoldBattles
from goldassay.errors import InputError, RatingsError
from goldassay.findings import Findings
from goldassay.formulas.comparisons import comparisons_from_battles
from goldassay.questions.rank import Options, Study, rank_systems
from goldassay.questions.rank.gold import aligned_battles, aligned_scores
from goldassay.ratings.task import Task
from goldassay.results import Gathered

TASK = Task(scale="continuous")
QUICK = Options(resamples=200, stability=False)


def study(
    *,
    judges: int = 2,
    prompts: int = 60,
    systems: int = 6,
    noise: float = 0.5,
    seed: int = 0,
    **more: Any,
) -> Study:
    rng = np.random.default_rng(seed)
    quality = np.linspace(1, -1, systems)
    difficulty = rng.normal(size=(prompts, 1))
    scores = quality + difficulty + rng.normal(0, noise, (judges, prompts, systems))
    values: dict[str, Any] = {
        "judges": tuple(f"judge {j}" for j in range(judges)),
        "systems": tuple(f"system {s}" for s in range(systems)),
        "cluster": np.arange(prompts),
        "n_clusters": prompts,
        "n_prompts": prompts,
        "scores": scores,
        "human_scores": (quality + difficulty + rng.normal(0, noise, (prompts, systems)))[None],
    }
    return Study(**(values | more))


def results(findings: Gathered, name: str, **about: str) -> list[dict[str, Any]]:
    rows = [row.to_json() for row in findings.rows]
    return [r for r in rows if r["name"] == name and all(r.get(k) == v for k, v in about.items())]


def test_everything_that_was_asked_for_is_there() -> None:
    described = {
        f"judge {j}": {"model": f"m{j % 3}", "realization": f"r{j // 3}"} for j in range(6)
    }
    one = study(judges=6, noise=4.0)
    found = rank_systems(one, TASK, options=Options(resamples=200, judges=described))
    names = {row.result.name for row in found.rows}
    assert {
        "kendall_tau",
        "spearman_rho",
        "top_k_agreement",
        "win_rate_accuracy",
        "win_rate_mse",
        "decisiveness",
        "bias_delta",
        "bias",
        "corrected_bias",
        "system_score",
        "system_rank",
        "score_difference",
        "tau_difference",
        "probability_best",
        "item_accuracy",
        "gold_split_half_tau",
        "tau_with_half_gold",
        "trait_correlation",
    } <= names
    assert {
        "judges",
        "best",
        "behaviour",
        "levels",
        "factors",
        "realizations",
        "stability",
        "sizes",
    } <= set(found.tables)
    titles = [chart["title"] for chart in found.charts]
    for title in (
        "Agreement with people's ranking (mean)",  # Figure 4
        "Decisiveness by model and realization",  # 6b
        "Bias towards systems, beyond decisiveness",  # 7, 10b
        "Bias towards systems, of the win rates as they are",  # 10a
        "Agreement between rankings (tau, mean)",  # 9
    ):
        assert titles.count(title) == 1, title
    assert sum(title.startswith("Win rates of pairs of systems") for title in titles) == 6  # 5, 11
    assert sum(title.startswith("Scores that the judges give") for title in titles) >= 2  # 12
    kinds = [chart["kind"] for chart in found.charts]
    assert {"dot_interval", "scatter", "heat_map", "distribution", "line"} <= set(kinds)
    assert all(chart["alt"] for chart in found.charts)
    Findings.of("rank", found, task=TASK.to_json()).to_json()


def test_a_judge_like_gold_is_perfect() -> None:
    base = study(judges=1)
    assert base.scores is not None
    same = study(judges=1, human_scores=base.scores)
    found = rank_systems(same, TASK, options=QUICK)
    assert results(found, "kendall_tau", aggregation="mean")[0]["value"] == pytest.approx(1)
    assert results(found, "decisiveness")[0]["value"] == pytest.approx(1, abs=1e-6)
    assert results(found, "bias_delta")[0]["value"] == pytest.approx(0, abs=1e-9)
    assert results(found, "win_rate_accuracy")[0]["value"] == 1
    assert results(found, "win_rate_mse")[0]["value"] == 0
    assert results(found, "item_accuracy")[0]["value"] == 1


def test_no_gold_still_ranks() -> None:
    found = rank_systems(study(human_scores=None), TASK, options=QUICK)
    assert not results(found, "kendall_tau")
    assert results(found, "system_score", aggregation="bradley_terry")
    assert "no gold" in found.answer[0]


def test_given_scores_have_no_win_rates() -> None:
    found = rank_systems(study(), TASK, gold_scores=np.arange(6.0)[::-1], options=QUICK)
    assert results(found, "kendall_tau")[0]["value"] == pytest.approx(1)
    assert "give battles" in results(found, "decisiveness")[0]["undefined"]


def test_all_ties_are_undefined_with_the_reason() -> None:
    found = rank_systems(study(scores=np.ones((2, 60, 6))), TASK, options=QUICK)
    assert all("tied" in r["undefined"] for r in results(found, "kendall_tau"))
    assert "tied" in found.answer[0]


def test_a_system_without_scores_is_unranked_and_named() -> None:
    base = study()
    assert base.scores is not None
    scores = base.scores.copy()
    scores[:, :, 2] = np.nan
    found = rank_systems(study(scores=scores), TASK, options=QUICK)
    rows = results(found, "system_score", system="system 2", aggregation="mean")
    assert "no score" in rows[0]["undefined"]
    assert any("system 2" in warning for warning in found.warnings)
    assert results(found, "kendall_tau")[0]["declared"]["systems"] == 5


def test_an_undefeated_system_has_a_bound_and_no_value() -> None:
    base = study(judges=1)
    assert base.scores is not None
    scores = base.scores.copy()
    scores[:, :, 0] = 100
    found = rank_systems(study(judges=1, scores=scores), TASK, options=QUICK)
    row = results(found, "system_score", system="system 0", aggregation="bradley_terry")[0]
    assert row["value"] is None
    assert "undefeated" in row["undefined"]
    assert row["low"] > 1
    assert row["high"] is None
    rank = results(found, "system_rank", system="system 0", aggregation="bradley_terry")[0]
    assert (rank["value"], rank["low"], rank["high"]) == (1, 1, 1)
    assert any("resamples" in note for note in found.tables["systems:judge 0"].notes)


def test_self_preference_is_found() -> None:
    base = study(judges=2, prompts=150, noise=1.0)
    assert base.scores is not None
    scores = base.scores.copy()
    scores[0, :, 3] += 1.0
    task = Task(scale="continuous", families={"judge 0": "house", "system 3": "house"})
    found = rank_systems(
        study(judges=2, prompts=150, noise=1.0, scores=scores), task, options=QUICK
    )
    kin = results(found, "kin_bias")
    assert [row["judge"] for row in kin] == ["judge 0"]
    assert kin[0]["low"] > 0
    assert kin[0]["declared"]["p_opponents"] < 0.01
    assert kin[0]["declared"]["p_prompts"] < 0.02


def test_correction_removes_a_bias() -> None:
    base = study(judges=1, prompts=400)
    assert base.scores is not None
    assert base.human_scores is not None
    scores = base.scores.copy()
    scores[0, :, 5] += 3  # the judge loves the worst system
    human = base.human_scores.copy()
    human[0, 150:] = np.nan
    found = rank_systems(
        study(judges=1, prompts=400, scores=scores, human_scores=human), TASK, options=QUICK
    )
    judge = results(found, "system_rank", system="system 5", aggregation="mean")[0]
    assert judge["value"] == 1
    corrected = results(found, "corrected_score")
    last = min(corrected, key=lambda row: row["value"])
    assert last["system"] == "system 5"
    assert last["low"] < -1 + np.mean(base.scores[0, :, 0] - 1) < last["high"] + 0.5


def test_the_same_seed_gives_the_same_bytes() -> None:
    one, two = (
        Findings.of("rank", rank_systems(study(), TASK, options=QUICK)).to_json() for _ in range(2)
    )
    assert one == two


def test_gold_with_other_names_suggests_the_nearest() -> None:
    with pytest.raises(InputError, match=r"did you mean 'gpt-4o'") as error:
        aligned_scores({"GPT4o": 1.0, "Llama3": 2.0}, ["gpt-4o", "llama-3"], place="gold.csv")
    assert "gold.csv" in str(error.value)
    scores, warnings = aligned_scores(
        {"a": 1.0, "b": 2.0, "z": 3.0}, ["a", "b", "c"], place="gold.csv"
    )
    assert np.isnan(scores[2])
    assert len(warnings) == 2


def test_gold_battles_without_prompts_are_single() -> None:
    battles = GoldBattles(
        ("a", "b", "a"), ("b", "c", "x"), np.array([[3, 1, 0], [2, 2, 1], [9, 0, 0]], float)
    )
    compared, warnings = aligned_battles(battles, ["a", "b", "c"], place="gold.csv")
    assert compared.n_clusters == 9
    assert any("9 of 18" in warning for warning in warnings)
    found = rank_systems(
        study(judges=1, systems=3, human_scores=None),
        TASK,
        gold_battles=compared,
        options=Options(resamples=200, min_battles=1, stability=False),
    )
    assert results(found, "kendall_tau", aggregation="mean")[0]["declared"]["gold"] == "battles"


def test_battles_of_judges_and_people() -> None:
    rng = np.random.default_rng(2)
    n = 240
    first, second = rng.integers(0, 3, n), rng.integers(1, 3, n)
    second = (first + second) % 3
    won = rng.random(n) < 1 / (1 + np.exp(-(second - first) * 1.0))
    wins = np.column_stack([won, ~won, np.zeros(n)]).astype(float)
    battles = comparisons_from_battles(3, first, second, wins, np.arange(n), n_clusters=n)
    one = Study(
        ("judge",), ("a", "b", "c"), np.arange(n), n, n, battles=(battles,), human_battles=battles
    )
    found = rank_systems(
        one, Task(scale="pairwise", options=("f", "s", "t"), tie="t"), options=QUICK
    )
    assert {row.about["aggregation"] for row in found.rows if row.result.name == "kendall_tau"} == {
        "win_rate",
        "bradley_terry",
    }
    assert results(found, "item_accuracy")[0]["value"] == 1


def test_unknown_judge_is_refused() -> None:
    with pytest.raises(InputError, match="Did you mean 'judge 1'"):
        rank_systems(study(), TASK, options=Options(resamples=200, detailed=("judge1",)))


def test_rows_are_refused_before_any_number() -> None:
    from goldassay.counts import ScoreMatrix
    from goldassay.questions.rank import study_of_scores

    matrix = ScoreMatrix(
        ("j",),
        (),
        ("i1", "i2"),
        ("only",),
        np.arange(2),
        np.ones((1, 2, 1)),
        np.ones((0, 2, 1)),
        (),
        2,
    )
    with pytest.raises(RatingsError, match="at least two systems"):
        study_of_scores(matrix)
    one = ScoreMatrix(
        ("j",), (), ("i1",), ("a", "b"), np.arange(1), np.ones((1, 1, 2)), np.ones((0, 1, 2)), (), 2
    )
    with pytest.raises(RatingsError, match="at least two of them"):
        study_of_scores(one)


@pytest.mark.parametrize(
    ("low", "others", "words"),
    [
        ([], 2, "no other judge's ranking can be compared with people's"),
        ([-0.1], 1, "the other cannot be told apart from it"),
        ([0.1], 1, "the other is told apart from it"),
        ([0.1, 0.2], 2, "all of the other 2 are told apart from it"),
        ([-0.1, 0.2], 2, "1 of the other 2 cannot be told apart from it"),
        ([-0.1, 0.0], 3, "none of the other 2 can be told apart from it; 1 more has no ranking"),
    ],
)
def test_words_on_the_other_judges(low: list[float], others: int, words: str) -> None:
    from goldassay.questions.rank.findings import _told_apart
    from goldassay.results import Estimate, Interval

    behind = {
        str(i): Estimate("tau_difference", 0.3, Interval(end, 0.5, 0.95, ""), 10, 10)
        for i, end in enumerate(low)
    }
    assert _told_apart(behind, others).startswith(words)


def test_many_judges_and_systems_stay_small() -> None:
    many = study(judges=40, prompts=30, systems=45)
    options = Options(aggregations=("mean",), resamples=100, stability=False)
    found = rank_systems(many, TASK, options=options)
    cells = [
        len(chart["x_labels"]) * len(chart["y_labels"])
        for chart in found.charts
        if chart["title"].startswith("Bias towards systems")
    ]
    assert sorted(cells) == [480, 480, 1800]
    assert max(len(chart.get("points", ())) for chart in found.charts) <= 2000
