"""Labels drawn by a judge's verdict stand for the items of that verdict."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import goldassay as ga
from goldassay.counts import count_units
from goldassay.errors import TaskError
from goldassay.questions.drawing import declared_draw
from goldassay.ratings.drawing import drawn_by
from goldassay.ratings.task import Task

TASK = {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "calibration": "by_verdict"}


def table(seed: int = 1, *, shares: tuple[float, float] = (0.6, 0.1)) -> pl.DataFrame:
    """600 items of which a judge flags a fifth, and is right on 75 and 96 %; people rate these
    shares of what it flags and of the rest."""
    rng = np.random.default_rng(seed)
    flagged = rng.random(600) < 0.2
    truth = rng.random(600) < np.where(flagged, 0.75, 0.04)
    rated = rng.random(600) < np.where(flagged, *shares)
    rows = []
    for n in range(600):
        said = "yes" if flagged[n] else "no"
        rows.append({"item": f"q{n}", "rater": "gpt", "kind": "judge", "value": said})
        if rated[n]:
            said = "yes" if truth[n] else "no"
            rows.append({"item": f"q{n}", "rater": "ann", "kind": "human", "value": said})
    return pl.DataFrame(rows)


def test_agreement_is_that_of_the_pool_and_not_of_what_people_were_given() -> None:
    """Accuracy is the mean of those within verdicts, by the verdicts of all items."""
    frame = table()
    wide = frame.pivot(on="rater", index="item", values="value")
    parts = {
        verdict: wide.filter((pl.col("gpt") == verdict) & pl.col("ann").is_not_null())
        for verdict in ("yes", "no")
    }
    right = {v: (one["ann"] == one["gpt"]).mean() for v, one in parts.items()}
    pool = {verdict: (wide["gpt"] == verdict).mean() for verdict in parts}
    expected = sum(float(pool[v]) * float(right[v]) for v in parts)  # type: ignore[arg-type]
    found = ga.agree(frame, TASK, resamples=200)
    assert found["accuracy", "gpt"].value == pytest.approx(expected, abs=1e-12)
    assert found["accuracy", "gpt"].declared["calibration"] == "by_verdict"
    plain = ga.agree(frame, {**TASK, "calibration": "random"}, resamples=200)
    assert "calibration" not in plain["accuracy", "gpt"].declared
    assert plain["accuracy", "gpt"].value < expected - 0.02
    chosen = ga.select(frame, TASK, resamples=200)
    by_weight = [one.text for one in found.answer if "by weight" in one.text]
    assert by_weight
    assert "each counts for as many items as its verdict has" in found.readings[-1]
    assert "each counts for as many items as its verdict has" in chosen.readings[-1]


def test_a_verdict_that_nobody_looked_at_is_told() -> None:
    found = ga.agree(table(shares=(1.0, 0.0)), TASK, resamples=200)
    assert "people rated none of the" in found.warnings[0]
    assert "`no`" in found.warnings[0]


@pytest.mark.parametrize("verb", ["rank", "replace", "report"])
def test_every_verb_says_what_labels_stand_for(verb: str) -> None:
    systems = pl.col("item").str.slice(1).cast(pl.Int64) % 2
    frame = table().with_columns(system=pl.format("s{}", systems))
    more = frame.filter(pl.col("kind") == "human").with_columns(rater=pl.lit("bob"))
    if verb == "rank":
        frame = frame.with_columns(item=pl.col("item").str.slice(0, 3))
        frame = frame.unique(["item", "system", "rater"], maintain_order=True)
    found = getattr(ga, verb)(pl.concat([frame, more]) if verb != "rank" else frame, TASK)
    said = [one for one in found.readings if one.startswith("Labels were drawn by the verdict of")]
    assert len(said) == 1
    assert "count each once" in said[0] if verb == "report" else "here each counts once" in said[0]


def test_scores_of_labels_drawn_by_verdict_are_said_to_be_of_the_labelled_items() -> None:
    frame = table().with_columns(
        score=pl.when(pl.col("kind") == "judge").then(
            pl.when(pl.col("value") == "yes").then(0.8).otherwise(0.2)
        )
    )
    for verb in (ga.agree, ga.select):
        found = verb(frame, TASK, resamples=200)
        assert "counts each label once" in found.readings[-1]
    assert "counts each label once" not in ga.agree(table(), TASK, resamples=200).readings[-1]


def test_what_counts_labels_once_says_so() -> None:
    found = ga.audit(table(), TASK, resamples=200)
    assert "here each counts once" in found.readings[-1]
    whole = ga.audit(table(shares=(1.0, 1.0)).head(200), TASK, resamples=200)
    assert not [one for one in whole.readings if "drawn" in one]


def test_the_same_draw_from_units_and_from_the_table() -> None:
    ratings = ga.read_ratings(table(), Task.from_mapping(TASK))
    assert declared_draw(count_units(ratings)) == drawn_by(ratings)


def test_a_plain_file_of_checked_flags_is_read_so() -> None:
    frame = table(shares=(1.0, 0.05)).pivot(on="rater", index="item", values="value")
    found = ga.agree(frame.rename({"ann": "human", "gpt": "judge"}), resamples=200)
    assert found.task["calibration"] == "by_verdict"
    assert "chosen by the verdict of `judge`" in found.assumed[0]


def _of_two_judges(rng: np.random.Generator, shares: tuple[float, float]) -> pl.DataFrame:
    """800 items, of which 30 % are so: `keen` is right on 85 %, `dull` on 75 %; labels are drawn by
    what `keen` says."""
    truth = rng.random(800) < 0.3
    keen, dull = (np.where(rng.random(800) < right, truth, ~truth) for right in (0.85, 0.75))
    rated = rng.random(800) < np.where(keen, *shares)
    items = np.array([f"q{n}" for n in range(800)])
    rows = [("keen", "judge", keen, items), ("dull", "judge", dull, items)]
    rows.append(("ann", "human", truth[rated], items[rated]))
    return pl.concat(
        pl.DataFrame({"item": of, "value": np.where(said, "yes", "no")}).with_columns(
            rater=pl.lit(who), kind=pl.lit(kind)
        )
        for who, kind, said, of in rows
    )


def test_rates_of_the_judge_that_labels_were_not_drawn_by_are_right_too() -> None:
    """Within verdicts of `dull`, people were given what `keen` flagged: its rate was .5, not .3."""
    rng, runs = np.random.default_rng(5), 12
    held, value = 0, 0.0
    for _ in range(runs):
        found = ga.estimate(_of_two_judges(rng, (0.5, 0.06)), TASK)
        rate = found["prevalence", "dull"]
        held += rate.interval.low <= 0.3 <= rate.interval.high
        value += rate.value / runs
        assert "for other judges each counts by that draw" in found.readings[-1]
    assert held >= 10
    assert value == pytest.approx(0.3, abs=0.04)


def test_the_judge_that_labels_were_drawn_by_keeps_its_rate() -> None:
    frame = _of_two_judges(np.random.default_rng(6), (0.5, 0.06))
    alone = frame.filter(pl.col("rater") != "dull")
    both, one = (ga.estimate(f, TASK)["prevalence", "keen"] for f in (frame, alone))
    assert both == one


def test_one_judge_alone_is_told_by_the_draw_of_the_other() -> None:
    """Labels were drawn by what `keen` said, whoever is asked about."""
    frame = _of_two_judges(np.random.default_rng(6), (0.5, 0.06))
    both, one = ga.agree(frame, TASK, resamples=300), ga.agree(frame, TASK, judge="dull")
    assert one["accuracy", "dull"].value == both["accuracy", "dull"].value
    assert "the verdict of `keen`" in one.readings[-1]
    assert one.task["drawn_by"] == ["keen"]
    labels_alone = frame.filter(pl.col("rater") != "keen")
    off = ga.agree(labels_alone, {**TASK, "calibration": "random"}, resamples=200)
    assert abs(off["accuracy", "dull"].value - one["accuracy", "dull"].value) > 0.01


def test_a_task_names_the_judge_that_labels_were_drawn_by() -> None:
    frame = _of_two_judges(np.random.default_rng(6), (0.5, 0.06))
    found = ga.agree(frame, {**TASK, "drawn_by": "dull"}, resamples=200)
    assert "the verdict of `dull`" in found.readings[-1]
    with pytest.raises(TaskError, match="drawn_by"):
        ga.agree(frame, {**TASK, "drawn_by": ["kean"]}, resamples=200)


def _where_they_differ(rng: np.random.Generator, rest: float) -> pl.DataFrame:
    """People rate all items on which two judges differ, and a share of the others."""
    frame = _of_two_judges(rng, (1.0, 1.0))
    wide = frame.pivot(on="rater", index="item", values="value")
    differ = wide.filter(pl.col("keen") != pl.col("dull"))["item"].implode()
    lucky = pl.Series(rng.random(frame.height) < rest)
    people = pl.col("kind") == "human"
    return frame.filter(~people | pl.col("item").is_in(differ) | lucky)


def test_labels_where_two_judges_differ_stand_for_the_items_on_which_they_agree() -> None:
    """Both are right less often where they differ: on labels alone `keen` would be at 77 %."""
    frame = _where_they_differ(np.random.default_rng(8), 0.1)
    for task in (TASK, {**TASK, "drawn_by": ["keen", "dull"]}):
        found = ga.agree(frame, task, resamples=500)
        assert "whether `dull` and `keen` agree" in found.readings[-1] or "drawn_by" in task
        assert found["accuracy", "keen"].value == pytest.approx(0.85, abs=0.06)
        assert 0.85 in found["accuracy", "keen"].interval
    rate = ga.estimate(frame, TASK)["prevalence", "keen"]
    assert 0.3 in rate.interval
    alone = ga.agree(frame, {**TASK, "calibration": "random"}, resamples=200)
    assert alone["accuracy", "keen"].value < 0.8


def test_what_two_judges_agree_on_and_nobody_rated_is_told() -> None:
    found = ga.agree(_where_they_differ(np.random.default_rng(8), 0.0), TASK, resamples=200)
    assert "say the same (`yes` by all or `no` by all)" in found.warnings[0]
