"""Systems of which some have few labels: what their rates, differences and the rate of all cover.

A system with enough labels is corrected with its own, one with few with those of all systems. The
judge errs alike on every system, which the latter takes for granted. Studies are drawn with known
truths; prompts are answered by every system, alone or in clusters of ten. Beside the coverage
stands the length, over that with the labels of all for every system.

    python benchmarks/coverage_partly.py
    python benchmarks/coverage_partly.py --runs 400 --rows 0 3
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from compare_draws import GOOD, WEAK, Setting, drawn
from coverage_compare import sample_of
from numpy.typing import NDArray

from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.systems import SystemRates, system_rates
from goldassay.results import Estimate, Result

Array = NDArray[np.float64]
LEVEL = 0.95
#: Studies whose lengths are held against those with the labels of all.
LENGTHS = 200
RANDOM = drawing("random", apart=False)
SHARP = (0.97, 0.95)


@dataclass(frozen=True)
class Partly:
    """A study, and how many answers of each system people labelled."""

    setting: Setting
    labels: tuple[int, ...]


def partly(
    rates: tuple[float, ...],
    labels: tuple[int, ...],
    judge: tuple[float, float],
    prompts: int,
    cluster: int = 1,
) -> Partly:
    name = " | ".join(
        [
            ", ".join(f"{one:g}" for one in rates),
            f"{', '.join(map(str, labels))} of {prompts}",
            f"{judge[0]:g}, {judge[1]:g}",
            str(cluster),
        ]
    )
    within, prompt = (0.3, 0.2) if cluster > 1 else (0.0, 0.4)
    errors = (judge,) * len(rates)
    return Partly(
        Setting(
            name, rates, errors, prompts, same=False, cluster=cluster, within=within, prompt=prompt
        ),
        labels,
    )


SETTINGS = (
    partly((0.2, 0.4, 0.3), (100, 3, 40), GOOD, 100),
    partly((0.5, 0.5, 0.5), (60, 60, 5), GOOD, 400),
    partly((0.1, 0.3, 0.5, 0.7), (200, 20, 10, 0), GOOD, 400),
    partly((0.6, 0.4), (16, 14), GOOD, 300),
    partly((0.05, 0.1, 0.05), (300, 30, 8), SHARP, 300),
    partly((0.3, 0.5, 0.7), (80, 80, 5), WEAK, 400),
    partly((0.8, 0.6, 0.7, 0.8, 0.9, 0.7), (40, 40, 40, 2, 2, 2), GOOD, 250),
    partly((0.95, 0.9), (200, 10), SHARP, 200),
    partly((0.3, 0.5, 0.4), (100, 5, 40), GOOD, 200, 10),
    partly((0.2, 0.3), (150, 10), WEAK, 400, 10),
)


def study(one: Partly, rng: np.random.Generator, *ways: str | None) -> list[SystemRates]:
    """Rates of a drawn study, by default (None) or with the labels of all for every system."""
    truth, called, labelled, cluster = drawn(replace(one.setting, labels=0), rng)
    for s, number in enumerate(one.labels):
        labelled[rng.permutation(len(labelled))[:number], s] = True
    sample = sample_of(truth, called, labelled, cluster)
    found = [system_rates(sample, RANDOM, labels=labels, confidence_level=LEVEL) for labels in ways]
    return [one for one in found if one is not None]


def _ends(results: Sequence[Result]) -> Array:
    """Ends of intervals [N, 2]; what is undefined excludes nothing."""
    return np.array(
        [
            (one.interval.low, one.interval.high)
            if isinstance(one, Estimate) and one.interval is not None
            else (-1.0, 1.0)
            for one in results
        ]
    ).reshape(-1, 2)


def measured(one: Partly, runs: int, seed: int) -> str:
    """A row of the table."""
    rng = np.random.default_rng(seed)
    rates = np.array(one.setting.rates)
    held, lengths, wrong, of_all, told = [], [], [], [], 0
    for run in range(runs):
        found, *shared = study(one, rng, None, *(("shared",) if run < LENGTHS else ()))
        ends = _ends(found.rates)
        held.append((ends[:, 0] <= rates) & (rates <= ends[:, 1]))
        for other in shared:
            lengths.append(np.stack([np.diff(ends)[:, 0], np.diff(_ends(other.rates))[:, 0]]))
        places = {name: s for s, name in enumerate(found.board.systems)}
        gaps = np.array(
            [rates[places[d.first]] - rates[places[d.second]] for d in found.board.differences]
        )
        ends = _ends(found.differences)
        wrong.append(bool(((gaps < ends[:, 0]) | (gaps > ends[:, 1])).any()))
        if isinstance(found.of_all, Estimate):
            told += 1
            ((low, high),) = _ends([found.of_all])
            of_all.append(low <= rates.mean() <= high)
    cover, length = np.mean(held, 0), np.mean(lengths, 0)
    shares = ", ".join(f"{value:.3f}" for value in cover)
    ratio = ", ".join(f"{value:.2f}" for value in length[0] / length[1])
    whole = f"{np.mean(of_all):.3f} of {told}" if told else "-"
    return f"| {one.setting.name} | {shares} | {1 - np.mean(wrong):.3f} | {whole} | {ratio} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--rows", type=int, nargs="*", default=[], help="these rows of the grid")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    start = time.process_time()
    print("| true rates | labels | judge | cluster | rates | differences | of all | length |")
    print("| " + " | ".join(["---"] * 8) + " |")
    for number, one in enumerate(SETTINGS):
        if not given.rows or number in given.rows:
            print(measured(one, given.runs, given.seed), flush=True)
    print(f"{time.process_time() - start:.0f} s of CPU")


if __name__ == "__main__":
    main()
