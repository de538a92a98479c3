"""Other tools' 95 % intervals on the draws of `tools_draws.py`; needs NumPy and those tools.

    python benchmarks/tools_others.py draws.npz --out others.json [TOOL ...] [--runs 500]

What --out holds already is kept and continued, so that a slow tool can be run in parts. Each tool
is called as its own pages say, with its defaults, the level 95 % and the clusters where it takes
them; only the resamples of judgy are 2,000 instead of 20,000. An exception, or an end that is not a
number, counts as a refusal.
"""

from __future__ import annotations

import argparse
import json
import logging
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

#: Truth where labelled (NaN elsewhere), verdicts, labelled or not, clusters or None.
Draw = tuple[np.ndarray, np.ndarray, np.ndarray, "np.ndarray | None"]
Ends = tuple[float, float]


def truescore(draw: Draw) -> Ends:
    from truescore import ppi_estimate

    y, f, labelled, cluster = draw
    found = ppi_estimate(f, y[labelled], np.flatnonzero(labelled), clusters=cluster)
    return _ends(found)


def truescore_rogan_gladen(draw: Draw) -> Ends:
    from truescore import rogan_gladen_estimate

    y, f, labelled, _ = draw
    return _ends(rogan_gladen_estimate(f, y[labelled], np.flatnonzero(labelled)))


def _ends(found: object) -> Ends:
    interval = getattr(found, "interval", found)
    for low, high in (("low", "high"), ("lower", "upper"), ("ci_low", "ci_high")):
        if hasattr(interval, low):
            return float(getattr(interval, low)), float(getattr(interval, high))
    raise TypeError(f"no interval in {found!r}")


def ppi_py(draw: Draw) -> Ends:
    from ppi_py import ppi_mean_ci

    y, f, labelled, _ = draw
    low, high = ppi_mean_ci(y[labelled], f[labelled], f[~labelled], alpha=0.05)
    return float(np.ravel(low)[0]), float(np.ravel(high)[0])


def judgy(draw: Draw) -> Ends:
    from judgy import estimate_success_rate

    y, f, labelled, _ = draw
    _, low, high = estimate_success_rate(
        test_labels=y[labelled].astype(int),
        test_preds=f[labelled].astype(int),
        unlabeled_preds=f[~labelled].astype(int),
        bootstrap_iterations=2_000,
    )
    return low, high


def glide(draw: Draw) -> Ends:
    from glide.estimators import ClusteredPPIMeanEstimator, PPIMeanEstimator

    y, f, _, cluster = draw
    found = (
        PPIMeanEstimator().estimate(y, f)
        if cluster is None
        else ClusteredPPIMeanEstimator().estimate(y, f, cluster)
    )
    interval = found.confidence_interval
    return float(interval.lower_bound), float(interval.upper_bound)


def cje(draw: Draw) -> Ends:
    from cje.array_api import calibrated_mean_ci

    y, f, labelled, cluster = draw
    low, high = calibrated_mean_ci(f, y, labelled, cluster_ids=cluster).ci
    return float(low), float(high)


def evalstats(draw: Draw) -> Ends:
    from evalstats import judge_debias_mean_ci

    y, f, _, _ = draw
    found = judge_debias_mean_ci(f, y, rng=1)
    return float(found.ci_low), float(found.ci_high)


def statsmodels(draw: Draw) -> Ends:
    from statsmodels.stats.proportion import proportion_confint

    y, _, labelled, _ = draw
    low, high = proportion_confint(y[labelled].sum(), labelled.sum(), method="wilson")
    return float(low), float(high)


def sklearn(draw: Draw) -> Ends:
    """Labels resampled with `sklearn.utils.resample`, 1,000 times: the percentile bootstrap."""
    y, _, labelled, _ = draw
    return _resampled(int(y[labelled].sum()), int(labelled.sum()))


@cache
def _resampled(positive: int, labels: int) -> Ends:
    """Labels in order, so that as many positives among as many labels are resampled once."""
    from sklearn.utils import resample

    known = np.arange(labels) < positive
    means = [resample(known, random_state=k).mean() for k in range(1_000)]
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


#: Tool -> its distribution, how it is called.
TOOLS: dict[str, tuple[str, Callable[[Draw], Ends]]] = {
    "truescore (PPI++)": ("truescore", truescore),
    "truescore (Rogan-Gladen)": ("truescore", truescore_rogan_gladen),
    "ppi_py": ("ppi-python", ppi_py),
    "glide-py": ("glide-py", glide),
    "cje-eval": ("cje-eval", cje),
    "evalstats": ("evalstats", evalstats),
    "judgy": ("judgy", judgy),
    "statsmodels, labels alone": ("statsmodels", statsmodels),
    "scikit-learn bootstrap, labels alone": ("scikit-learn", sklearn),
}


def told(call: Callable[[Draw], Ends], draws: Iterable[tuple[float, Draw]]) -> dict[str, Any]:
    """How many runs, how often the interval held, its length, and why there was none."""
    found = Counter(runs=0, held=0)
    length, reasons = 0.0, Counter[str]()
    for rate, draw in draws:
        found["runs"] += 1
        try:
            low, high = call(draw)
            if not (np.isfinite(low) and np.isfinite(high)):
                raise ValueError("an end is not a number")
        except Exception as error:
            reasons[f"{type(error).__name__}: {error}"[:160]] += 1
            continue
        found["held"] += bool(low <= rate <= high)
        length += high - low
    return {**found, "lengths": length, "reasons": dict(reasons)}


def together(first: dict[str, Any], then: dict[str, Any]) -> dict[str, Any]:
    """Two parts of the runs as one, with their shares."""
    one = {name: first.get(name, 0) + then[name] for name in ("runs", "held", "lengths")}
    reasons = Counter(first.get("reasons", {})) + Counter(then["reasons"])
    refused = reasons.total()
    known = one["runs"] - refused
    return {
        **one,
        "reasons": dict(reasons),
        "refused": refused,
        "covered": one["held"] / known if known else None,
        "length": one["lengths"] / known if known else None,
    }


def drawn(kept: Any, setting: str, first: int, last: int) -> Iterator[tuple[float, Draw]]:
    """The true rate and the draw, of these numbers."""
    items, clustered = kept[f"{setting}_about"]
    cluster = kept[f"{setting}_cluster"] if clustered else None
    parts = [
        np.unpackbits(kept[f"{setting}_{part}"][first:last], axis=1)[:, : int(items)].astype(bool)
        for part in ("truth", "verdict", "labelled")
    ]
    for rate, truth, verdict, labelled in zip(
        kept[f"{setting}_rates"][first:last], *parts, strict=True
    ):
        y = np.where(labelled, truth.astype(float), np.nan)
        yield rate, (y, verdict.astype(float), labelled, cluster)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("draws")
    parser.add_argument("tools", nargs="*")
    parser.add_argument("--out", default="others.json")
    parser.add_argument("--runs", type=int, help="the first so many draws of a setting; else all")
    options = parser.parse_intermixed_args()
    kept, out = np.load(options.draws), Path(options.out)
    settings = [name.removesuffix("_about") for name in kept if name.endswith("_about")]
    found = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {}
    for tool, (package, call) in TOOLS.items():
        if options.tools and tool not in options.tools:
            continue
        now = version(package)
        if found.get(tool, {}).get("version") != now:
            found[tool] = {"version": now, "settings": {}}
        done = found[tool]["settings"]
        for setting in settings:
            before = done.get(setting, {})
            first, last = before.get("runs", 0), options.runs or len(kept[f"{setting}_rates"])
            if first >= last:
                continue
            done[setting] = together(before, told(call, drawn(kept, setting, first, last)))
            print(tool, setting, done[setting], flush=True)
            out.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
