"""Coverage of the intervals of `goldassay agree` and `goldassay select` beyond one table of counts.

    python benchmarks/coverage_studies.py            prints the table of docs/theory/figures.md
    python benchmarks/coverage_studies.py --quick    a smaller run
    python benchmarks/coverage_studies.py NAME ...   only these

Levels over criteria, juries, repeated samples, several judges, thresholds and the order of systems.
Each study draws data with a known truth, asks the code that the verbs run, and counts how often the
interval holds the truth. Samples in which the quantity is undefined are left out, and counted.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np

import goldassay.questions.agree.repeats as repeating
from goldassay.counts import By, ScoreMatrix, Units, reference_weights
from goldassay.formulas import agreement as c
from goldassay.formulas.reliability import error_tables
from goldassay.inference.clusters import effective_size
from goldassay.inference.draw import Draw
from goldassay.inference.posterior import hedged_draws
from goldassay.metrics.registry import TABLE_METRICS
from goldassay.metrics.tables import Counted, Setting
from goldassay.questions.agree.judges import Reading
from goldassay.questions.agree.juries import juries
from goldassay.questions.agree.levels import item_codes, item_results, item_tables, macro_results
from goldassay.questions.agree.modes import declared_mode, resolved
from goldassay.questions.agree.panels import effective_judges, mean_pairwise_kappa
from goldassay.questions.select.study import Settings
from goldassay.questions.select.study import study as select_study
from goldassay.questions.select.thresholds import Threshold, cross_fitted, held_out_interval
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Result

DRAWS = 400
BINARY = Task(scale="binary", options=("yes", "no"), positive="yes")
ORDINAL = Task(scale="ordinal", options=("1", "2", "3", "4"), weights="quadratic")
#: What a study yields for each sample: the interval (None where undefined) for each truth.
Sample = dict[str, tuple[Interval | None, float]]


@dataclass
class Tally:
    """Coverage and length of one quantity in one setting."""

    hits: int = 0
    number: int = 0
    length: float = 0.0
    undefined: int = 0

    def add(self, interval: Interval | None, truth: float) -> None:
        if interval is None or np.isnan(truth):
            self.undefined += 1
            return
        self.hits += truth in interval
        self.number += 1
        self.length += interval.high - interval.low

    @property
    def coverage(self) -> float:
        return self.hits / max(self.number, 1)


def interval_of(result: Result) -> Interval | None:
    return result.interval if isinstance(result, Estimate) else None


def units_of(
    task: Task,
    human: np.ndarray,
    verdict: np.ndarray,
    *,
    cluster: np.ndarray | None = None,
    judges: tuple[str, ...] | None = None,
    by: dict[str, np.ndarray] | None = None,
) -> Units:
    """Units one by one: people's option [P] and verdicts [P, J]; clusters are units unless given.

    Several columns are several judges, or repeats of the one named.
    """
    rows, columns = verdict.shape
    votes = np.zeros((rows, len(task.options) + 3), np.int64)
    votes[np.arange(rows), human] = 1
    names = judges or tuple(f"j{k}" for k in range(columns))
    labels = {
        name: By(tuple(map(str, range(int(codes.max()) + 1))), codes)
        for name, codes in (by or {}).items()
    }
    return Units(
        options=task.options,
        judges=names,
        samples=tuple(map(str, range(columns))),
        orders=("",) * columns,
        cluster=np.zeros(rows, np.int64) if cluster is None else cluster,
        n_clusters=rows if cluster is None else int(cluster.max()) + 1,
        single=cluster is None,
        by=labels,
        human=votes,
        verdict=verdict.astype(np.int64),
        n=np.ones(rows, np.int64),
        weight=np.ones(rows),
        exclusions=(),
        rows=0,
        task=task,
    )


# --- levels -----------------------------------------------------------------------------------


def rubric(
    items: int, rates: np.ndarray, share: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """People's and the judge's verdict [items, Q]; a share of items gets one mistake for all.

    `rates[Q, 2]` are the criteria's prevalence and the judge's accuracy.
    """
    prevalence, right = rates.T
    truth = rng.random((items, len(rates))) < prevalence
    # An error is drawn once for an item, or once for each criterion.
    alone, once = rng.random((items, len(rates))), rng.random((items, 1))
    shared = rng.random((items, 1)) < share
    wrong = np.where(shared, once, alone) > right
    return (~truth).astype(np.int64), (~(truth ^ wrong)).astype(np.int64)


def criteria(number: int, rng: np.random.Generator) -> np.ndarray:
    return np.stack([rng.uniform(0.2, 0.8, number), rng.uniform(0.75, 0.97, number)], 1)


def table_of(prevalence: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The expected tables of criteria [Q, 2, 2]."""
    p, r = prevalence, right
    cells = [p * r, p * (1 - r), (1 - p) * (1 - r), (1 - p) * r]
    return np.stack(cells, -1).reshape(-1, 2, 2)


def macro(items: int, number: int, share: float) -> Iterator[Sample]:
    """Macro accuracy and kappa, for criteria of this kind and for these very ones."""
    rng = np.random.default_rng(items + number)
    many = criteria(200_000, rng)
    names = ("accuracy", "cohen_kappa")
    setting = Setting("binary", 2, 0, np.eye(2), "unweighted")
    all_of_them = {
        name: float(TABLE_METRICS[name].compute(table_of(*many.T), setting).mean())
        for name in names
    }
    mode, seed = declared_mode(BINARY), 0
    while True:
        rates = criteria(number, rng)
        human, verdict = rubric(items, rates, share, rng)
        item = np.repeat(np.arange(items), number)
        criterion = np.tile(np.arange(number), items)
        units = units_of(BINARY, human.ravel(), verdict.reshape(-1, 1), cluster=item)
        tables = resolved(units, units.verdict, mode)
        labels = tuple(str(k) for k in range(number))
        seed += 1
        reading = Reading(BINARY, mode, Draw(DRAWS, seed, 0.95))
        sample: Sample = {}
        for result in macro_results(tables, reading, By(labels, criterion)):
            if result.name in names and isinstance(result, Estimate):
                name = result.name
                these = float(TABLE_METRICS[name].compute(table_of(*rates.T), setting).mean())
                sample[name] = (result.interval, all_of_them[name])
                ends = result.declared["these_criteria"]
                if result.declared["criteria"] == number:
                    sample[f"{name}, these criteria"] = (Interval(*ends, 0.95, ""), these)
        yield sample


def item_level(items: int, number: int, share: float, scale: str) -> Iterator[Sample]:
    """Agreement on whole items."""
    rng = np.random.default_rng(items + number + 1)
    rates = criteria(number, rng)
    rates[:, 0] = rates[:, 0] ** (1 / number)  # or hardly an item would meet all
    task = BINARY if scale == "binary" else ORDINAL
    mode = declared_mode(task)
    name = "cohen_kappa" if scale == "binary" else "weighted_kappa"

    def drawn(size: int) -> tuple[np.ndarray, np.ndarray]:
        if scale == "binary":
            return rubric(size, rates, share, rng)
        quality = rng.normal(0, 1, (size, 1)) + rng.normal(0, 0.7, (size, number))
        seen = quality + rng.normal(0, 0.8, (size, number)) + rng.normal(0, 0.5, (size, 1))
        cuts = [-1.0, 0.0, 1.0]
        return np.digitize(quality, cuts), np.digitize(seen, cuts)

    def whole(human: np.ndarray, verdict: np.ndarray) -> Units:
        item = np.repeat(np.arange(len(human)), number)
        return units_of(task, human.ravel(), verdict.reshape(-1, 1), cluster=item)

    big = whole(*drawn(100_000))
    tables, _ = item_tables(big, big.verdict, mode, item_codes(big))
    weights = None if scale == "binary" else c.agreement_weights("quadratic", 4)
    truths = {
        "accuracy": float(c.accuracy(tables.total)),
        name: float(c.cohen_kappa(tables.total, weights)),
    }
    seed = 0
    while True:
        units, seed = whole(*drawn(items)), seed + 1
        reading = Reading(task, mode, Draw(DRAWS, seed, 0.95))
        results = item_results(units, units.verdict, reading, item_codes(units))
        yield {r.name: (interval_of(r), truths[r.name]) for r in results if r.name in truths}


# --- several judges, several samples ----------------------------------------------------------


def verdicts(
    items: int, right: np.ndarray, together: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """A truth and judges' verdicts [P, J] whose errors share an item's difficulty."""
    from scipy.special import ndtri

    truth = rng.integers(0, 2, items)
    hard = rng.normal(size=(items, 1)) * np.sqrt(together)
    own = rng.normal(size=(items, len(right))) * np.sqrt(1 - together)
    wrong = hard + own > ndtri(right)
    return truth, truth[:, None] ^ wrong


def jury(items: int, right: tuple[float, ...], together: float) -> Iterator[Sample]:
    """A majority panel's gain over its best member."""
    rng = np.random.default_rng(items)
    rates = np.array(right)
    truth, given = verdicts(1_000_000, rates, together, rng)
    panel = (given.mean(1) > 0.5).astype(int)
    gain = float((panel == truth).mean()) - max(right)
    mode, seed = declared_mode(BINARY), 0
    while True:
        seed += 1
        truth, given = verdicts(items, rates, together, rng)
        units = units_of(BINARY, truth, given)
        reading = Reading(BINARY, mode, Draw(DRAWS, seed, 0.95))
        found = juries(units, units.verdict, units.judges, reading)
        majority = next(one for one in found if one.name == "majority panel")
        yield {"gain_over_best_judge": (interval_of(majority.gain), gain)}


def several(items: int, right: tuple[float, ...], together: float, size: int) -> Iterator[Sample]:
    """The effective number of judges and their mean kappa, in clusters of `size`."""
    rng = np.random.default_rng(items + 7)
    rates = np.array(right)
    truth, given = verdicts(400_000, rates, together, rng)
    first, second = np.triu_indices(len(rates), 1)
    every = error_tables(given, np.eye(2)[truth], np.ones(len(given), np.int64))
    number = float(effective_size(len(rates), np.nanmean(c.phi(every[first, second]))))
    both = [
        np.bincount(given[:, a] * 2 + given[:, b], minlength=4).reshape(2, 2)
        for a, b in zip(first, second, strict=True)
    ]
    kappa = float(np.mean([c.cohen_kappa(t) for t in both]))
    seed = 0
    while True:
        seed += 1
        truth, given = verdicts(items, rates, together, rng)
        if size > 1:  # each drawn item stands for a cluster of near copies
            truth, given = np.repeat(truth, size), np.repeat(given, size, 0)
        cluster = np.repeat(np.arange(items), size) if size > 1 else None
        units, draw = units_of(BINARY, truth, given, cluster=cluster), Draw(DRAWS, seed, 0.95)
        reference, _, _ = reference_weights(units)
        yield {
            "effective_judges": (
                interval_of(effective_judges(units, units.verdict, reference[:, :2], draw)),
                number,
            ),
            "human_mean_pairwise_kappa": (
                interval_of(mean_pairwise_kappa("kappa", units, units.verdict, draw)),
                kappa,
            ),
        }


def noise(items: int, samples: int, firm: float, task: Task) -> Iterator[Sample]:
    """Repeated samples: each item has its own chance of the wrong verdict, Beta(firm, 4 firm)."""
    rng = np.random.default_rng(items + samples)
    size = len(task.options)

    def drawn(number: int, columns: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        truth = rng.integers(0, size, number)
        chance = rng.beta(firm, 4 * firm, number)
        wrong = rng.random((number, columns)) < chance[:, None]
        step = rng.choice([-1, 1], (number, columns)) if size > 2 else 1
        moved = np.clip(truth[:, None] + step, 0, size - 1) if size > 2 else 1 - truth[:, None]
        return truth, np.where(wrong, moved, truth[:, None]), chance

    truth, given, _ = drawn(400_000, 2)
    error = float((given != truth[:, None]).mean())
    share = float((given[:, 0] != given[:, 1]).mean()) / 2 / error
    variance = float(((given[:, 0] - given[:, 1]) ** 2).mean()) / 2
    mode, seed = declared_mode(task), 0
    while True:
        seed += 1
        truth, given, _ = drawn(items, samples)
        units = units_of(task, truth, given, judges=("j",) * samples)
        # One order of the majorities' curve, which is not measured and costs most.
        with patch.object(repeating, "ORDERS", 1):
            made = repeating.repeats(units, given, mode, Draw(DRAWS, seed, 0.95))
        found = {one.name: one for one in made.results}
        truths = {"noise_share": share, "within_item_variance": variance}
        yield {name: (interval_of(found[name]), truth) for name, truth in truths.items()}


def gap(items: int, prevalence: float, sensitivity: float, specificity: float) -> Iterator[Sample]:
    """What drifted rates cost kappa; the drift may be nothing."""
    rng = np.random.default_rng(items)
    p, s, t = prevalence, sensitivity, specificity
    shares = np.array([[p * s, p * (1 - s)], [(1 - p) * (1 - t), (1 - p) * t]])
    setting = Setting("binary", 2, 0, np.eye(2), "unweighted")
    metric = TABLE_METRICS["kappa_phi_gap"]
    one = np.eye(4).reshape(4, 2, 2)
    while True:
        table = rng.multinomial(items, shares.ravel()).reshape(2, 2).astype(float)
        drawn = hedged_draws(one, table.ravel(), draws=DRAWS, seed=1, clustered=False)
        counted = Counted(table, setting, drawn, items, one, table.ravel().astype(np.int64))
        found = metric.estimate(counted, confidence_level=0.95, declared={})
        yield {"kappa_phi_gap": (interval_of(found), float(metric.compute(shares, setting)))}


# --- selection --------------------------------------------------------------------------------


def threshold(items: int, prevalence: float, apart: float) -> Iterator[Sample]:
    """J of a tuned threshold: of the cut that is reported, and of the best there is."""
    from scipy.special import ndtr

    rng = np.random.default_rng(items)
    best = 2 * ndtr(apart / 2) - 1
    seed = 0
    while True:
        seed += 1
        positive = (rng.random(items) < prevalence).astype(float)
        scores = rng.normal(size=items) + apart * positive
        found = cross_fitted(scores, positive, 1 - positive, np.arange(items), seed=seed)
        if not isinstance(found, Threshold):
            yield {"threshold_youden_j": (None, 0.0)}
            continue
        interval = held_out_interval(
            found, clustered=False, draws=DRAWS, seed=seed, confidence_level=0.95
        )
        own = float(ndtr(found.threshold) - ndtr(found.threshold - apart))
        yield {
            "threshold_youden_j, of the cut": (interval, own),
            "threshold_youden_j, of the best cut": (interval, best),
        }


def order(items: int, rates: tuple[float, ...], right: tuple[float, float]) -> Iterator[Sample]:
    """Agreement with people's order of the systems; the second judge prefers the first system."""
    rng = np.random.default_rng(items)
    systems, true = len(rates), np.array(rates)
    task = Task(
        scale="binary", options=("yes", "no"), positive="yes", goal="ranking", cluster="prompt"
    )
    sensitivity, specificity = right
    bonus = np.zeros(systems)
    bonus[0] = 0.25
    means = np.stack(
        [
            true * sensitivity + (1 - true) * (1 - specificity),
            true * sensitivity + (1 - true) * np.minimum(1 - specificity + bonus, 1),
        ]
    )
    first, second = np.triu_indices(systems, 1)
    people = np.sign(true[first] - true[second])
    truths = [float(np.mean(np.sign(m[first] - m[second]) == people)) for m in means]
    system, prompt = (x.ravel() for x in np.meshgrid(np.arange(systems), np.arange(items)))
    seed = 0
    while True:
        seed += 1
        easy = rng.normal(0, 0.15, (items, 1))
        positive = rng.random((items, systems)) < np.clip(true + easy, 0.02, 0.98)
        lifted = np.minimum(1 - specificity + bonus, 1)
        said = [
            np.where(
                positive,
                rng.random((items, systems)) < sensitivity,
                rng.random((items, systems)) < wrong,
            )
            for wrong in (1 - specificity, lifted)
        ]
        given = np.stack([(~s).ravel() for s in said], 1).astype(np.int64)
        units = units_of(
            task, (~positive).ravel().astype(np.int64), given, cluster=prompt, by={"system": system}
        )
        matrix = ScoreMatrix(
            ("j0", "j1"),
            ("person",),
            tuple(map(str, range(items))),
            tuple(map(str, range(systems))),
            np.arange(items),
            np.stack(said).astype(np.float64),
            positive[None].astype(np.float64),
            (),
            0,
        )
        found = select_study(units, Settings(draws=DRAWS, seed=seed), matrix=matrix)
        of = {one.name: interval_of(one.criterion) for one in found.merits}
        apart = found.comparison
        assert apart is not None
        sign = 1 if found.compared[1].name == "j1" else -1
        behind = Interval(float(apart.low[0, 1]), float(apart.high[0, 1]), 0.95, "")
        yield {
            "ranking_agreement": (of["j0"], truths[0]),
            "ranking_agreement, biased judge": (of["j1"], truths[1]),
            "ranking_agreement, difference": (behind, sign * (truths[0] - truths[1])),
        }


#: Study -> settings, and what they are.
STUDIES: dict[str, tuple[Callable[..., Iterator[Sample]], tuple[tuple[object, ...], ...], str]] = {
    "macro": (
        macro,
        ((30, 4, 0.0), (60, 8, 0.5), (40, 3, 0.8), (150, 12, 0.3)),
        "items, criteria, share of items with one mistake for all criteria",
    ),
    "item": (
        item_level,
        (
            (40, 3, 0.0, "binary"),
            (100, 5, 0.6, "binary"),
            (40, 4, 0.0, "ordinal"),
            (120, 6, 0.0, "ordinal"),
        ),
        "items, criteria, shared mistakes, scale",
    ),
    "jury": (
        jury,
        (
            (50, (0.8, 0.8, 0.8), 0.3),
            (200, (0.8, 0.8, 0.8), 0.3),
            (100, (0.9, 0.8, 0.7), 0.5),
            (100, (0.75,) * 5, 0.1),
        ),
        "items, accuracies, shared difficulty",
    ),
    "judges": (
        several,
        (
            (40, (0.85, 0.8, 0.9), 0.3, 1),
            (150, (0.9, 0.9, 0.9, 0.8, 0.7), 0.6, 1),
            (60, (0.8, 0.8), 0.0, 1),
            (40, (0.85, 0.8, 0.9), 0.3, 4),
        ),
        "clusters, accuracies, shared difficulty, items of a cluster",
    ),
    "noise": (
        noise,
        ((40, 2, 0.5, BINARY), (100, 3, 0.3, BINARY), (60, 8, 1.0, BINARY), (60, 4, 0.5, ORDINAL)),
        "items, samples, firmness, scale",
    ),
    "gap": (
        gap,
        (
            (50, 0.3, 0.8, 0.8),
            (50, 0.5, 0.8, 0.8),
            (100, 0.2, 0.7, 0.925),
            (100, 0.1, 0.9, 0.7),
            (300, 0.4, 0.9, 0.6),
        ),
        "items, prevalence, sensitivity, specificity",
    ),
    "threshold": (
        threshold,
        ((60, 0.3, 1.0), (150, 0.3, 1.0), (150, 0.5, 2.0), (300, 0.15, 1.5)),
        "items, prevalence, distance of the classes in standard deviations",
    ),
    "order": (
        order,
        (
            (100, (0.2, 0.3, 0.4, 0.5, 0.6), (0.8, 0.9)),
            (200, (0.40, 0.42, 0.44, 0.46, 0.48), (0.8, 0.9)),
            (60, (0.3, 0.35, 0.5), (0.9, 0.9)),
            (100, tuple(round(0.4 + 0.005 * k, 3) for k in range(10)), (0.95, 0.95)),
            (100, (0.3, 0.32, 0.34, 0.36, 0.38, 0.4), (0.6, 0.6)),
        ),
        "prompts, rates of the systems, sensitivity and specificity",
    ),
}


def measured(name: str, setting: tuple[object, ...], samples: int) -> dict[str, Tally]:
    """Coverage of every quantity of a study in one setting."""
    found: dict[str, Tally] = {}
    stream = STUDIES[name][0](*setting)
    for _ in range(samples):
        for quantity, (interval, truth) in next(stream).items():
            found.setdefault(quantity, Tally()).add(interval, truth)
    return found


def shown(setting: tuple[object, ...]) -> str:
    return ", ".join(str(x.scale) if isinstance(x, Task) else str(x) for x in setting)


def main(samples: int, names: list[str]) -> None:
    print("| Quantity | Setting | Coverage | Mean length | Undefined |")
    print("| --- | --- | --- | --- | --- |")
    for name in names:
        for setting in STUDIES[name][1]:
            for quantity, tally in measured(name, setting, samples).items():
                print(
                    f"| `{quantity}` | {shown(setting)} | {tally.coverage:.3f} |"
                    f" {tally.length / max(tally.number, 1):.3f} |"
                    f" {tally.undefined / samples:.2f} |",
                    flush=True,
                )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--samples", type=int, default=2_000)
    arguments = parser.parse_args()
    start = time.process_time()
    number = 100 if arguments.quick else arguments.samples
    main(number, arguments.names or list(STUDIES))
    print(f"\n{number} samples per setting; {time.process_time() - start:.0f} s")
