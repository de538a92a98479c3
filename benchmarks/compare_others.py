"""The draws of `coverage_compare --only beside`, told by other tools.

Runs where those tools are installed, which need not be where goldassay is:

    python benchmarks/compare_others.py [--runs 2000] [TOOL ...]

Each tool is called as its own pages say for the difference of two systems on the same prompts (or
for the mean of paired differences, where it has means only), with its defaults, the level 95 %, and
clusters where it takes them. An exception, or an end that is not a number, counts as a refusal.
"""

from __future__ import annotations

import argparse
import logging
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np
from compare_draws import Setting, beside_others, drawn
from numpy.typing import NDArray

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

Array = NDArray[np.float64]
Ends = tuple[float, float]


@dataclass(frozen=True)
class Draw:
    """Truth and verdicts [P, 2] of two systems, labelled prompts [P], clusters [P] or None."""

    truth: Array
    verdict: Array
    labelled: NDArray[np.bool_]
    cluster: Array | None

    @property
    def gaps(self) -> tuple[Array, Array]:
        """The second system less the first: people's, NaN without labels, and the judge's."""
        gap = np.where(self.labelled, self.truth[:, 1] - self.truth[:, 0], np.nan)
        return gap, self.verdict[:, 1] - self.verdict[:, 0]


def ppi_py(draw: Draw) -> Ends:
    from ppi_py import ppi_mean_ci

    (y, f), known = draw.gaps, draw.labelled
    low, high = ppi_mean_ci(y[known], f[known], f[~known], alpha=0.05)
    return float(np.ravel(low)[0]), float(np.ravel(high)[0])


def truescore(draw: Draw) -> Ends:
    from truescore.compare import ppi_compare

    known = draw.labelled
    found = ppi_compare(
        draw.verdict[:, 1],
        draw.verdict[:, 0],
        draw.truth[known, 1],
        draw.truth[known, 0],
        np.flatnonzero(known),
        clusters=draw.cluster,
    )
    return float(found.low), float(found.high)


def glide(draw: Draw) -> Ends:
    from glide.estimators import ClusteredPPIMeanEstimator, PPIMeanEstimator

    y, f = draw.gaps
    found = (
        PPIMeanEstimator().estimate(y, f)
        if draw.cluster is None
        else ClusteredPPIMeanEstimator().estimate(y, f, draw.cluster)
    )
    interval = found.confidence_interval
    return float(interval.lower_bound), float(interval.upper_bound)


def cje(draw: Draw) -> Ends:
    from cje import analyze_dataset

    def records(system: int) -> list[dict[str, object]]:
        found = []
        for p, known in enumerate(draw.labelled):
            one = {"prompt_id": str(p), "judge_score": float(draw.verdict[p, system])}
            found.append(one | ({"oracle_label": float(draw.truth[p, system])} if known else {}))
        return found

    found = analyze_dataset(fresh_draws_data={"a": records(0), "b": records(1)})
    gap = found.compare_policies("b", "a")
    return float(gap["ci_lower"]), float(gap["ci_upper"])


def evalstats(draw: Draw) -> Ends:
    from evalstats import judge_debias_mean_ci

    y, f = draw.gaps
    found = judge_debias_mean_ci(f, y, rng=1)
    return float(found.ci_low), float(found.ci_high)


#: Tool -> its distribution, how it is called, runs at most (slow ones fewer).
TOOLS: dict[str, tuple[str, Callable[[Draw], Ends], int]] = {
    "ppi_py": ("ppi-python", ppi_py, 2_000),
    "truescore": ("truescore", truescore, 2_000),
    "glide-py": ("glide-py", glide, 2_000),
    "evalstats": ("evalstats", evalstats, 300),
    "cje-eval": ("cje-eval", cje, 100),
}


def told(setting: Setting, call: Callable[[Draw], Ends], runs: int, seed: int) -> str:
    """Outside, told from 0, length and refusals of one tool, cells of a table."""
    rng = np.random.default_rng(seed)
    truth = setting.rates[1] - setting.rates[0]
    outside, apart, lengths, refused = 0, 0, [], {}
    for _ in range(runs):
        true, called, labelled, cluster = drawn(setting, rng)
        parts = true.astype(float), called.astype(float), labelled[:, 0]
        try:
            low, high = call(Draw(*parts, cluster if setting.cluster > 1 else None))
            if not (np.isfinite(low) and np.isfinite(high)):
                raise ValueError("an end is not a number")
        except Exception as error:
            refused[repr(error)[:80]] = refused.get(repr(error)[:80], 0) + 1
            continue
        outside += not low <= truth <= high
        apart += low > 0 or high < 0
        lengths.append(high - low)
    answered = max(len(lengths), 1)
    shown = f"{np.mean(lengths):.3f}" if lengths else ""
    why = f" ({max(refused, key=refused.get)})" if refused else ""
    return (
        f"{outside / answered:.3f} | {apart / answered:.3f} | {shown} | "
        f"{sum(refused.values())} of {runs:,}{why}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tools", nargs="*", default=list(TOOLS))
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| study | tool | outside | told | length | refused |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in given.tools:
        package, call, most = TOOLS[name]
        for setting in beside_others():
            start = time.process_time()
            cells = told(setting, call, min(given.runs, most), given.seed)
            seconds = f"<!-- {time.process_time() - start:.0f} s -->"
            print(f"| {setting.name} | {name} {version(package)} | {cells} | {seconds}", flush=True)


if __name__ == "__main__":
    main()
