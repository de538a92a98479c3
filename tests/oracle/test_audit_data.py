"""The audit's examples on published ratings, against figures that are known of them."""

from __future__ import annotations

import json
import runpy
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from internals import command_line as run
from published_ratings import dices_350, shared_data
from scipy.optimize import brentq
from scipy.stats import beta

import goldassay as ga

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def audited(name: str, folder: str, tmp_path: Path, *more: str) -> dict:  # type: ignore[type-arg]
    data = shared_data() / folder
    if not data.is_dir():
        pytest.skip(f"{folder} is not among the published ratings here")
    table, out = tmp_path / "ratings.csv", tmp_path / "audit.json"
    runpy.run_path(str(EXAMPLES / name / "convert.py"))["convert"](data, table)
    task = str(EXAMPLES / name / "task.toml")
    quick = ("--resamples", "100", "--panel-draws", "2")
    code = run(["audit", str(table), "--task", task, "--out", str(out), *quick, *more])
    assert code == 0
    return json.loads(out.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def value(document: dict, name: str, aggregation: str, judge: str) -> float:  # type: ignore[type-arg]
    (row,) = (
        one
        for one in document["results"]
        if (one["name"], one["aggregation"], one["judge"]) == (name, aggregation, judge)
    )
    return float(row["value"])


def test_pandalm(tmp_path: Path) -> None:
    found = audited("audit_pandalm", "pandalm", tmp_path)
    # accuracy on valid verdicts against the majority of three people, as published
    assert value(found, "hit_rate", "h/h", "gpt-3.5-turbo") == pytest.approx(0.716, abs=5e-4)
    assert value(found, "hit_rate", "h/h", "pandalm-7b") == pytest.approx(0.668, abs=5e-4)
    assert sum(one["rows"] for one in found["exclusions"]) == 25  # "garbage"
    assert any(one["name"] == "win_rate_bias" for one in found["results"])


def test_dices(tmp_path: Path) -> None:
    counts, expert = dices_350()
    shares = counts / counts.sum(-1, keepdims=True)
    assert shares.max(-1).mean() == pytest.approx(0.689, abs=5e-4)
    found = audited("audit_dices", "dices_judgebench", tmp_path)
    by_hand = ((expert - shares) ** 2).sum(-1).mean()
    assert value(found, "mean_squared_error", "s/s", "expert") == pytest.approx(by_hand)
    alike = ((shares[:, 1] >= 0.5) == (expert[:, 1] == 1)).mean()
    assert value(found, "decision_consistency", "s/s", "expert") == pytest.approx(alike)


QUICK: dict[str, Any] = {"resamples": 60, "panel_draws": 2}
#: Definitions that want less, and those that want more.
LOWER = {
    "binary_cross_entropy",
    "cross_entropy",
    "jensen_shannon",
    "kl_divergence",
    "mean_squared_error",
    "predictive_efficiency",
    "reverse_cross_entropy",
    "reverse_kl_divergence",
}
HIGHER = {
    "cohen_kappa",
    "coverage",
    "decision_consistency",
    "fleiss_kappa",
    "hit_rate",
    "krippendorff_alpha",
    "precision",
    "recall",
    "scott_pi",
}
COLUMNS = ["item", "rater", "kind", "value", "elicitation", "sample"]


def dices_answers(raters: slice) -> list[tuple[str, list[str], str]]:
    """Each item of DICES-350: some raters' answers, and the expert's."""
    folder = shared_data() / "dices_judgebench" / "data" / "dices"
    crowd, expert = (
        json.loads((folder / f"dices_350_{name}.json").read_text(encoding="utf-8"))["instances"]
        for name in ("crowdsourced", "expert")
    )
    verdicts = {one["id"]: one["annotations"]["safety"]["majority_human"] for one in expert}
    return [
        (
            str(one["id"]),
            one["annotations"]["safety"]["individual_human_scores"][raters],
            verdicts[one["id"]],
        )
        for one in crowd
    ]


def test_lapses_planted_in_dices_are_recovered() -> None:
    """The raters' answers stand for what they hold; 10 % lapses, each question asked twice."""
    rng = np.random.default_rng(5)
    options = ["No", "Yes", "Unsure"]
    rows = []
    for item, answers, expert in dices_answers(slice(8)):
        rows.append((item, "expert", "judge", expert, "forced_choice", ""))
        for number, held in enumerate(answers):
            for again in ("1", "2"):
                others = [option for option in options if option != held]
                given = str(rng.choice(others)) if rng.random() < 0.1 else held
                rows.append((item, f"person {number}", "human", given, "forced_choice", again))
    task = {"scale": "nominal", "options": options, "positive": "Yes", "reference": "soft"}
    found = ga.audit(pl.DataFrame(rows, schema=COLUMNS, orient="row"), task, **QUICK)
    (row,) = found.rows_where(name="rater_error")
    assert isinstance(row.result, ga.Estimate)
    assert row.result.interval is not None
    assert row.result.interval.low < 0.1 < row.result.interval.high
    # By hand: 2800 pairs are equal with .9^2 + 2 x .05^2 = .815 when lapses go either way alike.
    pairs: dict[tuple[str, str], list[str]] = {}
    for item, rater, _, value, _, _ in rows:
        pairs.setdefault((item, rater), []).append(value)
    same = np.mean([one == two for one, two in (p for p in pairs.values() if len(p) == 2)])
    rate = brentq(lambda e: (1 - e) ** 2 + e**2 / 2 - same, 0, 0.6)
    assert row.result.value == pytest.approx(rate, abs=1e-3)
    assert row.result.declared["repeats"] == 2800
    assert any(one.key == "audit.rater_error" for one in (*found.answer, *found.notes))


def test_the_agreement_of_dices_raters_bounds_their_lapses() -> None:
    """Nobody was asked twice: at most all that two raters differ by would be lapses."""
    rows, alike = [], []
    for item, answers, expert in dices_answers(slice(20)):
        rows.append((item, "expert", "judge", expert))
        rows += [(item, f"person {n}", "human", value) for n, value in enumerate(answers)]
        alike += [one == two for one, two in combinations(answers, 2)]
    options = ["No", "Yes", "Unsure"]
    task = {"scale": "nominal", "options": options, "positive": "Yes", "reference": "soft"}
    found = ga.audit(pl.DataFrame(rows, schema=COLUMNS[:4], orient="row"), task, **QUICK)
    (row,) = found.rows_where(name="rater_error")
    assert isinstance(row.result, ga.Undefined)
    assert row.result.interval is not None
    # As many lapses, to either option alike, as make two raters equal as often as they are.
    rate = brentq(lambda e: (1 - e) ** 2 + e**2 / 2 - np.mean(alike), 0, 2 / 3)
    assert row.result.interval.low == 0
    assert rate <= row.result.interval.high < 2 / 3 + 1e-9


def test_a_selection_effect_planted_in_dices_is_recovered() -> None:
    """Who is unsure finds both answers reasonable, and says Yes with .8 when forced to choose."""
    rng = np.random.default_rng(6)
    rows = []
    forced = []
    for item, answers, expert in dices_answers(slice(25)):
        if expert != "Unsure":
            rows.append((item, "expert", "judge", expert, "forced_choice", ""))
        for number, held in enumerate(answers):
            both = held == "Unsure"
            choice = ("Yes" if rng.random() < 0.8 else "No") if both else held
            if both:
                forced.append(choice)
            person = f"person {number}"
            rows.append((item, person, "human", choice, "forced_choice", ""))
            rows.append((item, person, "human", "Yes|No" if both else held, "response_set", ""))
    task = {"scale": "nominal", "options": ["Yes", "No"], "positive": "Yes", "reference": "soft"}
    found = ga.audit(pl.DataFrame(rows, schema=COLUMNS, orient="row"), task, **QUICK)
    (row,) = (one for one in found.rows_where(name="selection_effect") if not one.about["judge"])
    assert isinstance(row.result, ga.Estimate)
    assert row.result.interval is not None
    hits, misses = forced.count("Yes"), forced.count("No")
    assert row.result.value == pytest.approx(2 * hits / len(forced))
    # Of 382 choices: Jeffreys' interval of the share, twice; 1.6 is within three standard errors.
    ends = [2 * beta.ppf(tail, hits + 0.5, misses + 0.5) for tail in (0.025, 0.975)]
    found_ends = [row.result.interval.low, row.result.interval.high]
    assert found_ends == pytest.approx(ends, abs=0.01)
    assert abs(row.result.value - 1.6) < 3 * 2 * np.sqrt(0.8 * 0.2 / len(forced))
    assert row.result.n_items == len(forced)


def test_the_share_of_definitions_that_select_each_judge_of_dices() -> None:
    """The expert, one rater and a panel of twenty as judges of what sixty others say."""
    rows = []
    for item, answers, expert in dices_answers(slice(None)):
        panel = Counter(answers[1:21]).most_common(1)[0][0]
        for judge, value in (("expert", expert), ("rater", answers[0]), ("panel", panel)):
            rows.append((item, judge, "judge", value))
        rows += [(item, f"person {n}", "human", value) for n, value in enumerate(answers[21:81])]
    options = ["No", "Yes", "Unsure"]
    task = {"scale": "nominal", "options": options, "positive": "Yes", "reference": "soft"}
    found = ga.audit(pl.DataFrame(rows, schema=COLUMNS[:4], orient="row"), task, **QUICK)
    by_definition: dict[tuple[Any, ...], dict[str, float]] = {}
    for one in found.rows:
        about = one.about
        if one.result.name in LOWER | HIGHER and isinstance(one.result, ga.Estimate):
            key = (one.result.name, about["aggregation"], about["option"], about["threshold"])
            by_definition.setdefault(key, {})[str(about["judge"])] = one.result.value
    picks = []
    for (name, *_), values in by_definition.items():
        if len(values) == 3 and np.ptp(list(values.values())) > 1e-12:
            best = max(values.values()) if name in HIGHER else min(values.values())
            # Judges that tie are all selected, and the first of them is counted.
            picks.append(next(j for j in sorted(values) if abs(values[j] - best) < 1e-12))
    shares = {
        str(row.about["judge"]): row.result
        for row in found.rows_where(name="selection_share")
        if isinstance(row.result, ga.Estimate)
    }
    assert sum(one.value for one in shares.values()) == pytest.approx(1)
    for judge, share in shares.items():
        assert share.declared["definitions"] == len(picks)
        assert share.value == pytest.approx(picks.count(judge) / len(picks))
    assert max(shares, key=lambda judge: shares[judge].value) == "panel"


def test_llm_rubric(tmp_path: Path) -> None:
    found = audited("audit_llm_rubric", "llm_rubric", tmp_path)
    judge = "gpt-3.5-turbo"
    assert 0 < value(found, "jensen_shannon", "s/s", judge) < np.log(2)
    row = next(one for one in found["results"] if one["name"] == "kl_divergence")
    assert row["n_clusters"] >= 225  # dialogues, not ratings, are resampled
    assert any(one["reason"] == "abstained" for one in found["exclusions"])
    assert not any("gave one answer" in warning for warning in found["warnings"])
