"""What sentences say of data that are not there yet, played out or fitted again by plain means.

A plan's number of labels, the panel that decides as all people would, and the most that raters may
err: each is computed again by a program that shares nothing with the one that said it, or, of the
plan, by labelling as it says and asking for the rate.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest
from told_tables import BINARY, said, table

import goldassay as ga
from goldassay import Estimate

# --- a plan's labels ----------------------------------------------------------------------------

LENGTH, ASSURANCE, STUDIES = 0.2, 0.8, 40


def pilot(rng: random.Random) -> tuple[list[str], list[str]]:
    """300 verdicts, yes on 120, and 40 labels; the judge is right on about 8 of 10 items."""
    verdicts = ["yes"] * 120 + ["no"] * 180
    rng.shuffle(verdicts)
    labels = [v if rng.random() < 0.8 else "no" if v == "yes" else "yes" for v in verdicts[:40]]
    return labels + ["-"] * 260, verdicts


def length_after(more: int, labels: Sequence[str], verdicts: Sequence[str], seed: int) -> float:
    """The length of the interval once `more` items are labelled, by rates that may be the true."""
    rng, labelled = random.Random(seed), [k for k, one in enumerate(labels) if one != "-"]
    rates = {}
    for verdict in ("yes", "no"):
        seen = [labels[k] for k in labelled if verdicts[k] == verdict]
        positive = seen.count("yes")
        rates[verdict] = rng.betavariate(positive + 0.5, len(seen) - positive + 0.5)
    new = list(labels)
    for k in rng.sample([k for k, one in enumerate(labels) if one == "-"], more):
        new[k] = "yes" if rng.random() < rates[verdicts[k]] else "no"
    frame = table({"ann": new}, {"j": verdicts})
    rate = ga.estimate(frame, {**BINARY, "calibration": "random"})["prevalence", "j"]
    assert isinstance(rate, Estimate)
    assert rate.interval is not None
    return rate.interval.length


def test_a_plan_is_what_comes_true() -> None:
    """With so many labels the interval is short enough in about 4 of 5 studies, not with half."""
    labels, verdicts = pilot(random.Random(3))
    frame = table({"ann": labels}, {"j": verdicts})
    task = {**BINARY, "calibration": "random"}
    found = ga.plan(frame, task, length=LENGTH, assurance=ASSURANCE)
    needed = said(found, "plan.labels_needed").facts["value"]
    assert 0 < needed < 260
    error = math.sqrt(ASSURANCE * (1 - ASSURANCE) / STUDIES)
    for more, least, most in ((needed, ASSURANCE - 3 * error, 1.0), (needed // 2, 0.0, 0.5)):
        short = sum(length_after(more, labels, verdicts, seed) <= LENGTH for seed in range(STUDIES))
        assert least <= short / STUDIES <= most, more


# --- a panel of people --------------------------------------------------------------------------


def beta_binomial(hits: int, number: int, a: float, b: float) -> float:
    """The logarithm of the likelihood of `hits` of `number`, but for what a and b do not change."""
    return (
        math.lgamma(hits + a)
        + math.lgamma(number - hits + b)
        - math.lgamma(number + a + b)
        + math.lgamma(a + b)
        - math.lgamma(a)
        - math.lgamma(b)
    )


def plain_fit(hits: Sequence[int], number: int) -> tuple[float, float]:
    """The Beta distribution of shares that makes these counts likeliest, looked for on a grid."""
    counts = {k: hits.count(k) for k in set(hits)}
    grid = [
        (mean * size, (1 - mean) * size)
        for mean in [k / 50 for k in range(1, 50)]
        for size in [0.2 * 1.15**k for k in range(45)]
    ]
    return max(
        grid, key=lambda ab: sum(n * beta_binomial(k, number, *ab) for k, n in counts.items())
    )


def decided_alike(panel: int, hits: Sequence[int], number: int, a: float, b: float) -> float:
    """How often a panel decides as all people would, whose share of yes is as counts tell."""
    steps = [(k + 0.5) / 400 for k in range(400)]
    total = 0.0
    for k, items in {k: hits.count(k) for k in set(hits)}.items():
        weights = [
            math.exp((k + a - 1) * math.log(x) + (number - k + b - 1) * math.log(1 - x))
            for x in steps
        ]
        alike = 0.0
        for x, weight in zip(steps, weights, strict=True):
            yes = sum(
                math.comb(panel, j) * x**j * (1 - x) ** (panel - j)
                for j in range(panel + 1)
                if 2 * j >= panel
            )
            alike += weight * (yes if x >= 0.5 else 1 - yes)
        total += items * alike / sum(weights)
    return total / len(hits)


@pytest.mark.parametrize(("a", "b"), [(1.5, 1.5), (4.0, 2.0), (0.6, 1.2)])
def test_a_panel_decides_as_a_plain_fit_says(a: float, b: float) -> None:
    rng, raters = random.Random(round(10 * a + b)), 5
    shares = [rng.betavariate(a, b) for _ in range(400)]
    votes = [[rng.random() < share for _ in range(raters)] for share in shares]
    people = {f"p{r}": ["yes" if one[r] else "no" for one in votes] for r in range(raters)}
    judge = ["yes" if share > 0.5 else "no" for share in shares]
    found = ga.audit(table(people, {"j": judge}), BINARY, resamples=60)
    facts = said(found, "audit.raters").facts
    hits = [sum(one) for one in votes]
    fitted = plain_fit(hits, raters)
    here = decided_alike(raters, hits, raters, *fitted)
    assert facts["same_decision"] == pytest.approx(here, abs=0.025)
    enough = facts["ratings_for_90"]
    if enough is not None and enough > 1:
        assert decided_alike(enough, hits, raters, *fitted) > 0.9 - 0.025


# --- how often raters err -----------------------------------------------------------------------


def equal_answers(rate: float, leaning: float, share: float) -> float | None:
    """How often two raters who hold the same agree, if `share` of all ratings are yes.

    A lapse goes to the other option: with leaning 1 only towards yes, with -1 only away from it.
    None where no shares of what raters hold would give these ratings.
    """
    from_no = rate if leaning > -1 else 0.0
    from_yes = rate if leaning < 1 else 0.0
    if abs(1 - from_no - from_yes) < 1e-9:
        return None
    held = (share - from_no) / (1 - from_no - from_yes)
    if not -1e-9 <= held <= 1 + 1e-9:
        return None
    alike_yes = from_yes**2 + (1 - from_yes) ** 2
    alike_no = from_no**2 + (1 - from_no) ** 2
    return held * alike_yes + (1 - held) * alike_no


def most_lapses(same: float, share: float) -> float:
    """The largest rate, over the ways that lapses may lean, that leaves answers so equal."""
    found = 0.0
    for leaning in (-1.0, 0.0, 1.0):
        last = 0.0
        for step in range(10_000):
            rate = step / 10_000
            alike = equal_answers(rate, leaning, share)
            if alike is None or rate >= (0.5 if leaning == 0 else 1.0):
                break
            last = rate
            if alike <= same:
                break
        found = max(found, last)
    return found


@pytest.mark.parametrize(("items", "wrong"), [(80, 0.04), (300, 0.08), (150, 0.02)])
def test_raters_err_no_more_than_they_differ(items: int, wrong: float) -> None:
    """The bound lies between what pairs of raters show and what they may show by chance."""
    rng = random.Random(items)
    held = ["yes" if rng.random() < 0.5 else "no" for _ in range(items)]

    def answers() -> list[str]:
        return [v if rng.random() >= wrong else "no" if v == "yes" else "yes" for v in held]

    people = {f"p{r}": answers() for r in range(3)}
    found = ga.audit(table(people, {"j": held}), BINARY, resamples=60)
    facts = said(found, "audit.rater_error").facts
    rows = list(zip(*people.values(), strict=True))
    equal = [sum(a == b for k, a in enumerate(one) for b in one[:k]) / 3 for one in rows]
    same = sum(equal) / items
    share = sum(one.count("yes") for one in rows) / (3 * items)
    spread = math.sqrt(sum((one - same) ** 2 for one in equal)) / items
    assert facts["low"] == 0.0
    assert facts["high"] >= most_lapses(same, share) - 0.002
    assert facts["high"] >= wrong
    assert facts["high"] <= most_lapses(same - 3.5 * spread - 3 / items, share) + 0.002
