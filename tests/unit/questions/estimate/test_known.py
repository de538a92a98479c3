"""Error rates that are known: equation 4 by hand, its interval, and on published labels."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import polars as pl
import pytest
from published_ratings import shared_data

import goldassay as ga
from goldassay.errors import UsageError
from goldassay.inference.proportions import binomial
from goldassay.results import Undefined

TASK = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}


def table(verdicts: list[str], judge: str = "gpt", **more: list[str]) -> pl.DataFrame:
    rows = [
        {"item": str(i), "rater": judge, "kind": "judge", "value": value}
        | {key: values[i] for key, values in more.items()}
        for i, value in enumerate(verdicts)
    ]
    return pl.DataFrame(rows)


def test_ten_items_by_hand() -> None:
    found = ga.estimate(table(["yes"] * 6 + ["no"] * 4), TASK, sensitivity=0.9, specificity=0.7)
    rate = found["prevalence", "gpt"]
    # (.6 + .7 - 1) / (.7 + .9 - 1)
    assert rate.value == pytest.approx(0.3 / 0.6)
    low, high = binomial(6, 10, confidence_level=0.95)
    assert rate.interval.low == pytest.approx(max((float(low) - 0.3) / 0.6, 0))
    assert rate.interval.high == pytest.approx(min((float(high) - 0.3) / 0.6, 1))
    assert rate.declared == {
        "estimator": "known_error_rates",
        "specificity": 0.7,
        "sensitivity": 0.9,
    }
    assert "as declared (the interval takes both as known)" in found.answer[0].text
    assert found.answer[0].facts["sensitivity_known"] == 0.9
    assert found["sensitivity_used"].declared == {"known": True}


def test_bare_counts() -> None:
    found = ga.estimate(positives=400, of=1000, specificity="0.7", sensitivity=0.9)
    assert found["prevalence"].value == pytest.approx(1 / 6)
    counted = ga.estimate(positives=400, of=1000, specificity="140/200", sensitivity="180/200")
    assert counted["specificity_used"].value == pytest.approx(140 / 200)
    assert counted["sensitivity_used"].value == pytest.approx(180 / 200)
    # What is known costs no width: only the verdicts are a sample.
    assert found["prevalence"].interval.length < 0.6 * counted["prevalence"].interval.length


def test_the_interval_covers() -> None:
    """3,000 samples of 80 verdicts of a judge with .9 and .7, a true rate of .2."""
    called = np.random.default_rng(1).binomial(80, 0.2 * 0.9 + 0.8 * 0.3, 3000)
    ends = {
        k: ga.estimate(positives=k, of=80, specificity=0.7, sensitivity=0.9)["prevalence"].interval
        for k in set(called.tolist())
    }
    assert np.mean([0.2 in ends[k] for k in called.tolist()]) >= 0.94


def test_clusters_widen() -> None:
    verdicts = ["yes"] * 30 + ["no"] * 30
    prompts = [str(i // 10) for i in range(60)]
    alone = ga.estimate(table(verdicts), TASK, sensitivity=0.9, specificity=0.9)
    held = ga.estimate(
        table(verdicts, prompt=prompts),
        {**TASK, "cluster": "prompt"},
        sensitivity=0.9,
        specificity=0.9,
    )
    assert held["prevalence", "gpt"].value == pytest.approx(alone["prevalence", "gpt"].value)
    ends = [found["prevalence", "gpt"].interval.length for found in (alone, held)]
    assert ends[1] > 1.5 * ends[0]


def test_no_information_and_impossible_rates() -> None:
    found = ga.estimate(table(["yes", "no"]), TASK, sensitivity=0.4, specificity=0.6)
    rate = found["prevalence", "gpt"]
    assert isinstance(rate, Undefined)
    assert "no better than a coin" in found.answer[0].text
    clipped = ga.estimate(table(["no"] * 10), TASK, sensitivity=0.9, specificity=0.7)
    assert clipped["prevalence", "gpt"].value == 0
    assert "outside 0 to 100 %, and is clipped" in clipped.warnings[0]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"sensitivity": 0.9, "specificity": "7/10"}, "must be a number as the other"),
        ({"sensitivity": 0.9}, "must be a number as the other"),
        ({"sensitivity": 90, "specificity": 0.7}, "is a rate from 0 to 1"),
        ({"sensitivity": "9/10", "specificity": "7/10"}, "cannot be given together with a table"),
        ({"sensitivity": 0.9, "specificity": 0.7, "of": 3}, "--of: cannot be given together"),
        ({"sensitivity": 0.9, "specificity": 0.7, "judge": ["gtp"]}, "Did you mean 'gpt'"),
    ],
)
def test_wrong_usage(more: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("(", r"\(")):
        ga.estimate(table(["yes", "no"]), TASK, **more)


def test_more_than_two_options_are_refused() -> None:
    task = {"scale": "nominal", "options": ["a", "b", "c"]}
    with pytest.raises(UsageError, match="of a judge of two options"):
        ga.estimate(table(["a", "b"]), task, sensitivity=0.9, specificity=0.7)


def test_the_rates_of_all_labels_give_the_rate_of_all_labels() -> None:
    """EVOUNA, GPT-4: with the lexical match's own error rates equation 4 is an identity."""
    file = shared_data() / "evouna_qaeval" / "EVOUNA" / "NQ.json"
    if not file.exists():
        pytest.skip("the published ratings are not here")
    rows = [one for one in json.loads(file.read_text(encoding="utf-8")) if not one["improper"]]
    people = np.array([bool(one["judge_gpt4"]) for one in rows])
    called = np.array(
        [
            any(a.lower() in one["answer_gpt4"].lower() for a in one["golden_answer"].split("/"))
            for one in rows
        ]
    )
    found = ga.estimate(
        table(["yes" if one else "no" for one in called]),
        TASK,
        sensitivity=float(called[people].mean()),
        specificity=float((~called[~people]).mean()),
    )
    rate = found["prevalence", "gpt"]
    assert rate.value == pytest.approx(people.mean())
    assert people.mean() == pytest.approx(0.788, abs=5e-4)
