"""The public function: a table in, findings out."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from goldassay.errors import UsageError
from goldassay.questions.rank.ask import rank
from goldassay.results import Undefined

TASK = {"scale": "continuous", "invalid": ["None"]}


@pytest.fixture
def ratings(tmp_path: Path) -> str:
    """Two judges and a person on 30 items and three systems, and a judge without a score."""
    lines = ["item,system,rater,kind,value"]
    for item in range(30):
        for s in range(3):
            lines += [
                f"i{item},s{s},{rater},{kind},{(item * step) % 7 - s * gap}"
                for rater, kind, step, gap in (
                    ("gpt", "judge", 3, 1.5),
                    ("llama", "judge", 5, 0.5),
                    ("ann", "human", 2, 1.0),
                )
            ]
            lines.append(f"i{item},s{s},mute,judge,None")
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_the_same_seed_gives_the_same_bytes(ratings: str) -> None:
    one, two = (rank(ratings, TASK, resamples=100).to_json() for _ in range(2))
    assert one == two


def test_findings_are_whole(ratings: str) -> None:
    found = rank(ratings, TASK, resamples=100, judge=["llama"])
    assert found.answer[0].key == "rank.kendall_tau"
    assert found.answer[0].facts["level_with"] == ["llama"]  # no noise: both find people's order
    assert "systems:llama" in found.tables
    assert "Ranks of the systems by llama (mean)" in found.charts
    assert found.warnings == ("The judge `mute` has no usable rating; it is not ranked.",)
    assert found.provenance.seed == 1
    assert sum(one.rows for one in found.exclusions) == 90


def test_gold_from_a_file_is_matched_and_listed(ratings: str, tmp_path: Path) -> None:
    gold = tmp_path / "gold.csv"
    gold.write_text("system,score\ns0,1\ns1,2\n", encoding="utf-8")
    found = rank(ratings, TASK, gold=str(gold), resamples=100)
    assert found.warnings[0].startswith("1 judged system without gold: 's2'")
    assert [Path(one.name).name for one in found.provenance.inputs] == ["ratings.csv", "gold.csv"]
    (row,) = found.rows_where(name="kendall_tau", judge="gpt", aggregation="mean")
    assert row.to_json()["value"] == -1  # the file turns the order round


def test_a_wrong_aggregation_is_refused(ratings: str) -> None:
    with pytest.raises(
        UsageError, match=r"--aggregation medain: is one of .* Did you mean 'median'"
    ):
        rank(ratings, TASK, aggregation=["medain"])


def test_a_label_with_a_score_is_ranked_by_the_score() -> None:
    """Several realizations in one table: probabilities of a label beside grades."""
    rows = []
    for item in range(12):
        for system, quality in (("a", 0.2), ("b", 0.45), ("c", 0.7)):
            score = quality + 0.02 * (item % 5)
            label = "yes" if score > 0.5 else "no"
            rows.append((f"{item}", system, "graded", "judge", f"{10 * score:.0f}", None))
            rows.append((f"{item}", system, "likely", "judge", label, score))
            rows.append((f"{item}", system, "ann", "human", f"{10 * score:.0f}", None))
    columns = ["item", "system", "rater", "kind", "value", "score"]
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    found = rank(frame, {"scale": "continuous"}, aggregation=["mean"], resamples=100)
    taus = {row.about["judge"]: row.result for row in found.rows_where(name="kendall_tau")}
    assert {name: getattr(tau, "value", None) for name, tau in taus.items()} == {
        "graded": 1.0,
        "likely": 1.0,
    }
    assert found.exclusions == ()


def test_win_rates_may_have_a_rule_of_ties_of_their_own() -> None:
    """Three systems on three prompts: two ties, so that the rules put systems differently."""
    scores = {"a": (3, 1, 1), "b": (1, 1, 2), "c": (1, 0, 3)}
    rows = [
        (f"p{prompt}", system, rater, kind, f"{value}")
        for system, values in scores.items()
        for prompt, value in enumerate(values)
        for rater, kind in (("gpt", "judge"), ("ann", "human"))
    ]
    frame = pl.DataFrame(rows, schema=["item", "system", "rater", "kind", "value"], orient="row")
    # Comparisons of each system: 6. a: beats b, c; ties b, beats c; loses twice.
    # b: loses, ties c; ties a, beats c; beats a, loses. c: loses, ties b; loses twice; beats both.
    expected = {
        "half": {"a": 3.5 / 6, "b": 3 / 6, "c": 2.5 / 6},
        "class": {"a": 3 / 6, "b": 2 / 6, "c": 2 / 6},
        "exclude": {"a": 3 / 5, "b": 2 / 4, "c": 2 / 5},
    }
    strengths = []
    for rule, wanted in expected.items():
        found = rank(frame, TASK, win_rate_ties=rule, resamples=60)
        values = {
            row.about["system"]: row.result.value
            for row in found.rows_where(name="system_score", aggregation="win_rate")
        }
        assert values == pytest.approx(wanted)
        strengths.append(
            [r.result for r in found.rows_where(name="system_score", aggregation="bradley_terry")]
        )
    assert strengths[0] == strengths[1] == strengths[2]  # as the task has it
    with pytest.raises(UsageError, match=r"--win-rate-ties haf: .* Did you mean 'half'"):
        rank(frame, TASK, win_rate_ties="haf")


def test_ratings_of_battles_on_which_people_are_level_count_as_left_out() -> None:
    """40 battles with two people, level on every fourth: 20 of 80 labels, and no verdict."""
    rows = []
    for n in range(40):
        battle = {"item": f"b{n}", "prompt": f"p{n}", "system": "s0", "opponent": "s1"}
        second = "b" if n % 4 == 0 else "a"
        who = (("gpt", "judge", "a"), ("ann", "human", "a"), ("bea", "human", second))
        rows += [battle | {"rater": r, "kind": k, "value": v} for r, k, v in who]
    task = {"scale": "pairwise", "options": ["a", "b"], "reference": "majority"}
    found = rank(pl.DataFrame(rows), task, resamples=100)
    assert [(one.reason, one.rows) for one in found.exclusions] == [("people tied", 20)]
    assert any("10 battles on which people's votes are level" in said for said in found.warnings)
    each = rank(pl.DataFrame(rows), task | {"reference": "each"}, resamples=100)
    assert not each.exclusions


def test_systems_on_prompts_of_their_own_are_compared_by_means_alone() -> None:
    """Item n is answered by system n mod 3 only: no two answers to one prompt."""
    rows = [
        {"item": f"i{n}", "system": f"s{n % 3}", "rater": rater, "kind": kind, "value": value}
        for n in range(45)
        for rater, kind, value in (("gpt", "judge", n % 4 + n % 3), ("ann", "human", n % 5))
    ]
    found = rank(pl.DataFrame(rows), {"scale": "continuous"}, resamples=100)
    assert found.warnings[0].startswith(
        "No prompt was answered by two systems: means over different prompts are compared"
    )
    assert not any("Scores missing" in said for said in found.warnings)
    for name in ("item_accuracy", "decisiveness", "bias_delta"):
        result = found[name, "gpt"]
        assert isinstance(result, Undefined)
        assert result.reason == "no prompt was answered by two systems"
    assert found.summary is not None
    assert "order by people's scores of the same answers" in found.summary.notes[0]
