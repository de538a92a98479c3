"""The whole study on small contests."""

from __future__ import annotations

import threading
import tracemalloc
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from goldassay.errors import InputError, UsageError
from goldassay.formulas.comparisons import comparisons_from_battles
from goldassay.questions.rank.contest import Contest
from goldassay.questions.rank.gold import GivenGold
from goldassay.questions.rank.judged import Ranker
from goldassay.questions.rank.record import Judged
from goldassay.questions.rank.study import Options, RankStudy, study
from goldassay.ratings.task import Task
from goldassay.results import Undefined
from tests.support.contests import contest

TASK = Task(scale="continuous")
PAIRWISE = Task(scale="pairwise", options=("f", "s", "t"), tie="t")
QUICK = Options(resamples=200)


def results(found: RankStudy, name: str, **about: str) -> list[dict[str, Any]]:
    rows = [row.to_json() for row in found.rows()]
    return [r for r in rows if r["name"] == name and all(r.get(k) == v for k, v in about.items())]


@pytest.mark.slow
def test_outcomes_of_pairs_come_in_blocks_that_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = contest(judges=1, prompts=30, systems=40)  # 780 pairs
    options = Options(resamples=2048)
    monkeypatch.setattr("goldassay.formulas.comparisons._OUTCOMES", 2048 * 780)
    whole = study(one, TASK, options=options).judges[0]
    monkeypatch.setattr("goldassay.formulas.comparisons._OUTCOMES", 128 * 780)
    tracemalloc.start()
    found = study(one, TASK, options=options).judges[0]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    for by, aggregated in whole.aggregated.items():
        np.testing.assert_allclose(found.aggregated[by].resampled, aggregated.resampled, atol=1e-9)
    for bias in ("resampled_raw", "resampled_corrected"):
        np.testing.assert_allclose(getattr(found.bias, bias), getattr(whole.bias, bias), atol=1e-12)
    # People's rates are held whole, 8 bytes for each of 2048 x 780; beside them small blocks.
    assert peak < 4 * 8 * 2048 * 780


@pytest.mark.parametrize(
    ("noise", "systems", "threads"),
    [(0.5, 12, True), (4.0, 12, True), (4.0, 3, False)],
    ids=["clear", "noisy", "too small for a thread"],
)
def test_two_cores_find_the_same_to_the_last_bit(
    noise: float, systems: int, threads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = contest(judges=5, systems=systems, noise=noise)
    found, apart = [], []
    for number in (1, 2):
        used: set[int] = set()
        judge = Ranker.judge

        def seen(self: Ranker, index: int, *, judge: Any = judge, used: set[int] = used) -> Judged:
            used.add(threading.get_ident())
            return judge(self, index)

        with monkeypatch.context() as patched:
            patched.setattr("goldassay.inference.side_by_side.cores", lambda n=number: n)
            patched.setattr(Ranker, "judge", seen)
            study_of = study(one, TASK, options=QUICK)
        found.append([row.to_json() for row in study_of.rows()])
        apart.append(threading.get_ident() not in used)
    assert found[0] == found[1]
    assert apart == [False, threads]


def test_people_who_put_every_pair_level_are_no_fault() -> None:
    one = contest(judges=2, prompts=20, systems=3)
    assert one.human_scores is not None
    level = replace(one, human_scores=np.ones_like(one.human_scores))
    found = study(level, TASK, options=QUICK)
    assert {type(row.result) for row in found.rows() if row.result.name == "decisiveness"} == {
        Undefined
    }


def test_only_the_judge_shown_in_full_keeps_all_resamples() -> None:
    one = contest(judges=4, noise=4.0)
    options = Options(resamples=200)
    found = study(one, TASK, options=options)
    every = study(one, TASK, options=replace(options, detailed=one.judges))
    assert found.people is not None
    first = found.people.standings[0].judge
    for judge, whole in zip(found.judges, every.judges, strict=True):
        assert judge.bias is not None
        assert whole.bias is not None
        for by, aggregated in judge.aggregated.items():
            held = 200 if judge.name == first.name or by == found.by else 0
            assert len(aggregated.resampled) == held
            np.testing.assert_array_equal(
                aggregated.resampled, whole.aggregated[by].resampled[:held]
            )
        assert len(judge.bias.resampled_raw) == (200 if judge.name == first.name else 0)
        assert len(whole.bias.resampled_corrected) == 200
    shown = [row for row in every.rows() if row.about.get("judge") == first.name]
    assert [row for row in found.rows() if row.about.get("judge") == first.name] == shown


DESCRIBED = {f"judge {j}": {"model": f"m{j % 3}", "realization": f"r{j // 3}"} for j in range(6)}


def test_everything_that_was_asked_for_is_there() -> None:
    one = contest(judges=6, noise=4.0)
    found = study(one, TASK, options=Options(resamples=200, judges=DESCRIBED))
    assert {
        "kendall_tau",
        "spearman_rho",
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
        "item_accuracy",
        "gold_split_half_tau",
        "tau_with_half_gold",
        "trait_correlation",
    } <= {row.result.name for row in found.rows()}
    people = found.people
    assert people is not None
    assert people.drivers.factors is not None
    assert people.drivers.realizations
    assert people.explained is not None


def test_spearmans_rho_is_told_once_by_the_aggregation_that_orders_judges() -> None:
    options = replace(QUICK, aggregations=("win_rate", "mean"))
    rows = study(contest(judges=2), TASK, options=options).rows()
    told = [row.about for row in rows if row.result.name == "spearman_rho"]
    assert told == [{"judge": f"judge {j}", "aggregation": "win_rate"} for j in range(2)]
    assert len([row for row in rows if row.result.name == "kendall_tau"]) == 4


def test_rows_say_once_what_each_is_about() -> None:
    options = Options(resamples=200, judges=DESCRIBED, detailed=("judge 1", "judge 4"))
    rows = study(contest(judges=6, noise=4.0), TASK, options=options).rows()
    keys = [(row.result.name, *sorted(row.about.items(), key=str)) for row in rows]
    assert len(set(keys)) == len(keys)
    assert all("detail" not in row.about for row in rows)


def test_the_study_is_the_same_twice_and_stays_as_it_is() -> None:
    one, two = (study(contest(), TASK, options=QUICK) for _ in range(2))
    rows = one.rows()
    assert two.rows() == rows
    assert one.rows() == rows


def test_a_judge_like_gold_is_perfect() -> None:
    base = contest(judges=1)
    assert base.scores is not None
    same = contest(judges=1, human_scores=base.scores)
    found = study(same, TASK, options=QUICK)
    assert results(found, "kendall_tau", aggregation="mean")[0]["value"] == pytest.approx(1)
    assert results(found, "decisiveness")[0]["value"] == pytest.approx(1, abs=1e-6)
    assert results(found, "bias_delta")[0]["value"] == pytest.approx(0, abs=1e-9)
    assert results(found, "win_rate_accuracy")[0]["value"] == 1
    assert results(found, "win_rate_mse")[0]["value"] == 0
    assert results(found, "item_accuracy")[0]["value"] == 1


def test_no_gold_still_ranks() -> None:
    found = study(contest(human_scores=None), TASK, options=QUICK)
    assert found.people is None
    assert not results(found, "kendall_tau")
    assert results(found, "system_score", aggregation="bradley_terry")


def test_given_scores_have_no_win_rates() -> None:
    gold = GivenGold(scores=np.arange(6.0)[::-1])
    found = study(contest(), TASK, gold=gold, options=QUICK)
    assert results(found, "kendall_tau")[0]["value"] == pytest.approx(1)
    assert "give battles" in results(found, "decisiveness")[0]["undefined"]


def test_all_ties_are_undefined_with_the_reason() -> None:
    found = study(contest(scores=np.ones((2, 60, 6))), TASK, options=QUICK)
    reasons = [r["undefined"] for r in results(found, "kendall_tau")]
    assert all("all systems have the same" in reason for reason in reasons)
    assert any("the same Bradley-Terry," in reason for reason in reasons)


def test_one_score_alone_has_no_known_range_and_a_warning() -> None:
    same = np.full((1, 20, 3), 4.0)
    one = contest(judges=1, prompts=20, systems=3, scores=same, human_scores=None)
    (first, *_) = results(study(one, TASK, options=QUICK), "system_score", aggregation="mean")
    assert (first["low"], first["high"]) == (4.0, 4.0)
    assert "the same score" in first["warnings"][0]
    # A yes-or-no judge could have said no, and a system that never won or lost may do either.
    rates = contest(judges=1, prompts=20, systems=3, scores=same / 4, human_scores=None, rates=True)
    by_half = replace(QUICK, win_rate_ties="half")
    for by, options, middle, high in (
        ("mean", QUICK, 1.0, 1.0),
        ("win_rate", by_half, 0.5, 0.55),
        ("win_rate", QUICK, 0.0, 0.05),  # equal scores win for neither
    ):
        (first, *_) = results(study(rates, TASK, options=options), "system_score", aggregation=by)
        assert first["value"] == middle
        assert first["low"] <= max(middle - 0.05, 0.0)
        assert first["high"] >= high
        assert not first.get("warnings")


def test_a_system_without_scores_is_unranked_and_named() -> None:
    base = contest()
    assert base.scores is not None
    scores = base.scores.copy()
    scores[:, :, 2] = np.nan
    found = study(contest(scores=scores), TASK, options=QUICK)
    rows = results(found, "system_score", system="system 2", aggregation="mean")
    assert "no score" in rows[0]["undefined"]
    assert results(found, "kendall_tau")[0]["declared"]["systems"] == 5


def test_an_undefeated_system_has_a_bound_and_no_value() -> None:
    base = contest(judges=1)
    assert base.scores is not None
    scores = base.scores.copy()
    scores[:, :, 0] = 100
    found = study(contest(judges=1, scores=scores), TASK, options=QUICK)
    row = results(found, "system_score", system="system 0", aggregation="bradley_terry")[0]
    assert row["value"] is None
    assert "undefeated" in row["undefined"]
    assert row["low"] > 1
    assert row["high"] is None
    rank = results(found, "system_rank", system="system 0", aggregation="bradley_terry")[0]
    assert (rank["value"], rank["low"], rank["high"]) == (1, 1, 1)
    assert found.systems[0].n_separated == found.systems[0].resamples == 200


def test_self_preference_is_found() -> None:
    base = contest(judges=2, prompts=150, noise=1.0)
    assert base.scores is not None
    scores = base.scores.copy()
    scores[0, :, 3] += 1.0
    task = Task(scale="continuous", families={"judge 0": "house", "system 3": "house"})
    found = study(contest(judges=2, prompts=150, noise=1.0, scores=scores), task, options=QUICK)
    kin = results(found, "kin_bias")
    assert [row["judge"] for row in kin] == ["judge 0"]
    assert kin[0]["low"] > 0
    assert kin[0]["declared"]["p_opponents"] < 0.01
    assert kin[0]["declared"]["p_prompts"] < 0.02


def test_battles_of_judges_and_people() -> None:
    rng = np.random.default_rng(2)
    n = 240
    first, second = rng.integers(0, 3, n), rng.integers(1, 3, n)
    second = (first + second) % 3
    won = rng.random(n) < 1 / (1 + np.exp(-(second - first) * 1.0))
    wins = np.column_stack([won, ~won, np.zeros(n)]).astype(float)
    battles = comparisons_from_battles(3, first, second, wins, np.arange(n), n_clusters=n)
    one = Contest(
        ("judge",), ("a", "b", "c"), np.arange(n), n, n, battles=(battles,), human_battles=battles
    )
    found = study(one, PAIRWISE, options=QUICK)
    taus = results(found, "kendall_tau")
    assert [row["aggregation"] for row in taus] == ["win_rate", "bradley_terry"]
    assert results(found, "item_accuracy")[0]["value"] == 1
    with pytest.raises(UsageError, match=r"--aggregation mean.*needs scores.*win_rate"):
        study(one, PAIRWISE, options=Options(aggregations=("mean", "median")))


def test_unknown_judge_is_refused() -> None:
    with pytest.raises(InputError, match="Did you mean 'judge 1'"):
        study(contest(), TASK, options=Options(resamples=200, detailed=("judge1",)))
