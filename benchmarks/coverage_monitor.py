"""How often `monitor` is wrong, how soon it is right, and whether it names who changed.

    python benchmarks/coverage_monitor.py false-alarms [RUNS]
    python benchmarks/coverage_monitor.py delays [RUNS]
    python benchmarks/coverage_monitor.py who [RUNS]
    python benchmarks/coverage_monitor.py clusters [RUNS]
    python benchmarks/coverage_monitor.py batches [RUNS]
    python benchmarks/coverage_monitor.py batches-held-out [RUNS]
    python benchmarks/coverage_monitor.py labels [RUNS]

All draw counts, not rows; `docs/monitor.md` has the tables.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from goldassay.inference.sequential import (
    candidate_moments,
    change_path,
    contrast_effect,
    repeated_path,
)
from goldassay.questions.monitor.streams import Anchors, Counted, Streams
from goldassay.questions.monitor.study import Settings, study
from goldassay.ratings.task import Task

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SEED = 20260301
ALARM = math.log(20)
TASK = Task(scale="binary", options=("yes", "no"), positive="yes", calibration="random")


def fixed_sample(hits: Ints, trials: Ints, reference: int, level: float = 0.05) -> Ints:
    """The first batch after the reference at which a z-test of all since then is below `level`.

    -1 where it never is: what a dashboard does that is looked at after every batch.
    """
    h0, n0 = hits[:, :reference].sum(1)[:, None], trials[:, :reference].sum(1)[:, None]
    h1, n1 = np.cumsum(hits[:, reference:], 1), np.cumsum(trials[:, reference:], 1)
    pooled = (h0 + h1) / (n0 + n1)
    error = np.sqrt(np.maximum(pooled * (1 - pooled), 1e-12) * (1 / n0 + 1 / n1))
    z = np.abs(h1 / n1 - h0 / n0) / error
    return first(2 * ndtr(-z) < level, reference)


def first(alarm: npt.NDArray[np.bool_], offset: int = 0) -> Ints:
    found = np.where(alarm.any(1), alarm.argmax(1) + offset, -1)
    return np.asarray(found)


def false_alarms(runs: int, looks: int = 10_000, size: int = 20) -> None:
    """Nothing changes in 10,000 batches: how often is there ever an alarm?"""
    print(f"{looks:,} looks, {size} verdicts each: ever an alarm, %")
    print("| rate | runs | monitor | monitor, reference of 50 | z-test after each batch |")
    for rate, times, known in ((0.7, runs, runs // 8), (0.05, runs // 2, runs // 8)):
        rng = np.random.default_rng(SEED)
        raised = np.zeros(3)
        for start in range(0, times, 50):
            part = min(50, times - start)
            hits = rng.binomial(size, rate, (part, looks))
            trials = np.full(hits.shape, size)
            raised[0] += _ever(hits, trials, 0)
            raised[1] += _ever(hits, trials, 50) if start < known else 0
            raised[2] += (fixed_sample(hits, trials, 50) >= 0).sum()
        shares = 100 * raised / [times, known, times]
        print(f"| {rate} | {times} | " + " | ".join(f"{one:.1f}" for one in shares) + " |")
    rng = np.random.default_rng(SEED)
    raised, batches = np.zeros(2), 500
    moments = candidate_moments(batches)
    for _ in range(runs // 4):
        noise = rng.choice([0.0, 0.02, 0.1, 0.5], 50)
        rate = np.where(rng.random(50) < 0.7, 1 - noise, noise)
        hits = rng.binomial(1, rate[:, None], (50, batches))
        both = repeated_path(hits, np.ones_like(hits), moments).log_e
        raised[0] += both.max() >= ALARM
        pool = change_path(hits.sum(0), np.full(batches, 50), moments).log_e
        raised[1] += pool.max() >= ALARM
    shares = " and ".join(f"{100 * one / (runs // 4):.1f}" for one in raised)
    print(f"50 anchors, a noisy judge, {batches} looks, {runs // 4} runs: items, pooled {shares} %")


def _ever(hits: Ints, trials: Ints, reference: int) -> int:
    moments = candidate_moments(hits.shape[1], reference=reference)
    return int((change_path(hits, trials, moments).log_e >= ALARM).any(1).sum())


def delays(runs: int, size: int = 100) -> None:
    """A rate of 70 % falls after 20 or 100 batches: how many batches until an alarm?"""
    print(f"{runs} runs, {size} verdicts a batch; median batches to an alarm (90th percentile)")
    print("| change | batches before | monitor | reference declared | z-test | z-test false |")
    rng = np.random.default_rng(SEED)
    for change, after in ((0.05, 200), (0.1, 40), (0.2, 15)):
        for before in (20, 100):
            p = np.where(np.arange(before + after) < before, 0.7, 0.7 - change)
            hits = rng.binomial(size, p, (runs, before + after))
            trials = np.full(hits.shape, size)
            found = []
            for reference in (0, before):
                moments = candidate_moments(before + after, reference=reference)
                found.append(first(change_path(hits, trials, moments).log_e >= ALARM))
            found.append(fixed_sample(hits, trials, before))
            # The same test of as many batches in which nothing changes.
            steady = rng.binomial(size, 0.7, hits.shape)
            wrong = (fixed_sample(steady, trials, before) >= 0).mean()
            cells = [_delay(one, before) for one in found]
            print(f"| {change} | {before} | " + " | ".join(cells) + f" | {100 * wrong:.0f} % |")


def _delay(at: Ints, before: int) -> str:
    """The median and the 90th percentile of batches needed; later than all counts as never."""
    true = np.where(at >= before, at - before + 1.0, np.inf)[(at < 0) | (at >= before)]
    middle, late = np.quantile(true, [0.5, 0.9], method="higher")
    shown = [f"{one:.0f}" if np.isfinite(one) else "never" for one in (middle, late)]
    return f"{shown[0]} ({shown[1]})"


def streams_of_truth(
    rng: np.random.Generator, *, systems: float, judge: float, labels: int = 200
) -> Streams:
    """40 batches of 100 verdicts, 50 anchors and so many labels; a change after 20 batches.

    `systems` is by how much the true rate of 70 % falls; `judge` by how much its verdicts fall for
    no fault of the systems: its sensitivity of 90 % falls so far. A fifth of the anchors is noisy.
    """
    batches, at, size, anchors = 40, 20, 100, 50
    late = np.arange(batches) >= at
    rate = 0.7 - systems * late
    sensitivity = 0.9 - (judge / rate) * late
    positives = rng.binomial(size, rate)
    hits = rng.binomial(positives, sensitivity) + rng.binomial(size - positives, 0.1)
    known = labels // batches
    labelled = rng.binomial(known, rate)
    found = rng.binomial(labelled, sensitivity)
    rejected = rng.binomial(known - labelled, 0.9)
    good = rng.random(anchors) < 0.7
    says = np.where(good, rng.random(anchors) < 0.9, rng.random(anchors) < 0.1)
    noise = np.where(rng.random(anchors) < 0.2, 0.2, 0.01)
    usual = np.where(says, 1 - noise, noise)
    # A judge that is stricter stops saying yes on some of the items on which it said so.
    strict = says & (rng.random(anchors) < judge / 0.66)
    chance = np.where(strict[:, None] & late, 0.01, usual[:, None])
    trials = np.full(batches, float(size))
    return Streams(
        "gpt",
        None,
        tuple(f"{one:02d}" for one in range(batches)),
        (Counted("rate", "yes", hits * 1.0, trials),),
        (Anchors(rng.binomial(1, chance), np.ones((anchors, batches), np.int64)),),
        (
            Counted("sensitivity", None, found * 1.0, labelled * 1.0),
            Counted("specificity", None, rejected * 1.0, known - labelled * 1.0),
        ),
        (Counted("labelled_rate", "yes", labelled * 1.0, np.full(batches, float(known))),),
        batches * size,
        anchors,
        known * batches,
    )


def until(streams: Streams, batches: int) -> Streams:
    """The first so many batches."""

    def cut(rates: tuple[Counted, ...]) -> tuple[Counted, ...]:
        return tuple(replace(r, hits=r.hits[:batches], trials=r.trials[:batches]) for r in rates)

    fixed = tuple(Anchors(a.hits[:, :batches], a.trials[:, :batches]) for a in streams.anchors)
    parts = {name: cut(getattr(streams, name)) for name in ("verdicts", "errors", "labels")}
    return replace(streams, batches=streams.batches[:batches], anchors=fixed, **parts)


def who(runs: int) -> None:
    """Given an alarm: is it said who changed, at the alarm and after 20 batches?"""
    print(f"{runs} runs, 50 anchors, 200 labels; of the runs with an alarm, %")
    print("| truth | change | alarm | right at once | open | wrong | right at the end | wrong |")
    truths = [("systems", one, 0.0) for one in (0.1, 0.15, 0.2)]
    truths += [("judge", 0.0, one) for one in (0.1, 0.15, 0.2)]
    truths += [("both", 0.2, 0.1)]
    for truth, systems, judge in truths:
        rng = np.random.default_rng(SEED)
        at_once: Counter[str] = Counter()
        at_end: Counter[str] = Counter()
        for _ in range(runs):
            streams = streams_of_truth(rng, systems=systems, judge=judge)
            whole = study((streams,), TASK, Settings(), "rate").watched[0]
            if not whole.alarmed:
                continue
            at_end[_answer(whole.verdict, truth)] += 1
            alarm = min(one.first for one in whole.alarmed if one.first is not None)
            early = study((until(streams, alarm + 1),), TASK, Settings(), "rate").watched[0]
            at_once[_answer(early.verdict, truth)] += 1
        n = max(sum(at_end.values()), 1)
        cells = [at_once["right"], at_once["open"], at_once["wrong"]]
        cells += [at_end["right"], at_end["wrong"]]
        shares = " | ".join(f"{100 * one / n:.0f}" for one in cells)
        print(f"| {truth} | {max(systems, judge)} | {100 * n / runs:.0f} | {shares} |", flush=True)


def _answer(verdict: str, truth: str) -> str:
    """What is said of one who did not change is wrong; of both, either alone is half the truth."""
    if verdict == truth or (truth == "both" and verdict in ("systems", "judge")):
        return "right"
    return "open" if verdict in ("changed", "unknown", "unchanged") else "wrong"


def clusters(runs: int) -> None:
    """Verdicts in clusters of ten, nothing changes: false alarms with and without design effect."""
    batches, each, size = 200, 10, 10
    print(f"{runs} runs, {batches} looks, clusters of {size}, {each} a batch: ever an alarm, %")
    print("| correlation | counted by cluster | taken as independent |")
    moments = candidate_moments(batches)
    for correlation in (0.1, 0.5, 1.0):
        rng = np.random.default_rng(SEED)
        raised = np.zeros(2)
        for _ in range(runs):
            strength = 1 / correlation - 1
            shape = (batches, each)
            if strength > 0:
                rate = rng.beta(0.7 * strength, 0.3 * strength, shape)
            else:
                rate = (rng.random(shape) < 0.7) * 1.0
            hits = rng.binomial(size, rate).astype(np.float64)
            batch = np.repeat(np.arange(batches), each)
            trials = np.full(batches * each, float(size))
            effect = contrast_effect(hits.ravel(), trials, batch, np.arange(batches * each))
            total, number = hits.sum(1), np.full(batches, float(each * size))
            for k, by in enumerate((effect, 1.0)):
                raised[k] += change_path(total / by, number / by, moments).log_e.max() >= ALARM
        print(f"| {correlation} | {100 * raised[0] / runs:.1f} | {100 * raised[1] / runs:.1f} |")


#: Batches, verdicts in each, times the variance of chance, rate: of the method, and fresh ones.
VARYING = [(t, n, x, 0.7) for t, n in ((15, 30), (40, 100)) for x in (1.0, 1.5, 2.5, 5.0)]
VARYING_HELD_OUT = [
    (10, 100, 3.0, 0.5),
    (18, 80, 2.0, 0.3),
    (25, 40, 3.0, 0.85),
    (35, 50, 1.0, 0.75),
    (50, 150, 5.0, 0.8),
    (60, 60, 1.5, 0.2),
    (90, 30, 2.5, 0.6),
]


def batches(runs: int, settings: list[tuple[int, int, float, float]] = VARYING) -> None:
    """Batches vary between themselves, nothing changes or a rate falls halfway: alarms.

    Beside it: taken as chance, and divided by the spread that is true.
    """
    print(f"{runs} runs; a rate falls halfway by four standard errors of the fall: alarms, %")
    print("| batches | of | x chance | rate | false | chance | known | seen | chance | known |")
    for number, size, spread, rate in settings:
        rng, moments = np.random.default_rng(SEED), candidate_moments(number)
        trials, shares = np.full(number, float(size)), list[float]()
        for fall in (0.0, 8 * math.sqrt(spread * rate * (1 - rate) / (size * number))):
            p = np.where(np.arange(number) < number // 2, rate, max(rate - fall, 0.005))
            p = np.broadcast_to(p, (runs, number))
            if spread > 1:
                strength = (size - 1) / (spread - 1) - 1
                p = rng.beta(p * strength, (1 - p) * strength)
            hits = rng.binomial(size, p).astype(np.float64)
            seen = np.array([[Counted("rate", None, one, trials).between] for one in hits])
            for by in (seen, np.ones((runs, 1)), np.full((runs, 1), spread)):
                evidence = change_path(hits / by, trials / by, moments).log_e.max(1)
                shares.append(100 * float((evidence >= ALARM).mean()))
        cells = " | ".join(f"{one:.1f}" for one in shares)
        print(f"| {number} | {size} | {spread} | {rate} | {cells} |", flush=True)


def labels(runs: int) -> None:
    """A judge errs on 10 %, then on 45 % of labelled items: alarms of the stream of its errors."""
    print(f"{runs} runs, errors .1, then .45 after half of the batches: alarms, %")
    print("| batches | labels a batch | labels in all | alarm | batches taken as chance |")
    rng = np.random.default_rng(SEED)
    for number in (10, 20, 40):
        moments = candidate_moments(number)
        for size in (1, 2, 5):
            right = np.where(np.arange(number) < number // 2, 0.9, 0.55)
            raised = np.zeros(2)
            for _ in range(runs):
                hits = rng.binomial(size, right).astype(np.float64)
                errors = Counted("agreement", None, hits, np.full(number, float(size)))
                for k, pair in enumerate((errors.effective(), (hits, errors.trials))):
                    raised[k] += change_path(*pair, moments).log_e.max() >= ALARM
            shares = " | ".join(f"{100 * one / runs:.0f}" for one in raised)
            print(f"| {number} | {size} | {number * size} | {shares} |", flush=True)


def main() -> None:
    parts = {
        "false-alarms": false_alarms,
        "delays": delays,
        "who": who,
        "clusters": clusters,
        "batches": batches,
        "batches-held-out": lambda runs: batches(runs, VARYING_HELD_OUT),
        "labels": labels,
    }
    name, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    parts[name](runs)


if __name__ == "__main__":
    main()
