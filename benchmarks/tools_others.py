"""Other tools' 95 % intervals on the draws of `tools_draws.py`; needs NumPy and those tools.

    python benchmarks/tools_others.py draws.npz --out others.json [TOOL ...]

Each tool is called as its own pages say, with its defaults, the level 95 % and the clusters where
it takes them. An exception, or an end that is not a number, counts as a refusal.
"""

from __future__ import annotations

import argparse
import json
import logging
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

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
    from sklearn.utils import resample

    y, _, labelled, _ = draw
    known = y[labelled]
    means = [resample(known, random_state=k).mean() for k in range(1_000)]
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


#: Tool -> its distribution, how it is called, runs at most (slow ones fewer).
TOOLS: dict[str, tuple[str, Callable[[Draw], Ends], int]] = {
    "truescore (PPI++)": ("truescore", truescore, 1_000),
    "truescore (Rogan-Gladen)": ("truescore", truescore_rogan_gladen, 1_000),
    "ppi_py": ("ppi-python", ppi_py, 1_000),
    "glide-py": ("glide-py", glide, 1_000),
    "cje-eval": ("cje-eval", cje, 100),
    "evalstats": ("evalstats", evalstats, 200),
    "judgy": ("judgy", judgy, 200),
    "statsmodels, labels alone": ("statsmodels", statsmodels, 1_000),
    "scikit-learn bootstrap, labels alone": ("scikit-learn", sklearn, 200),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("draws")
    parser.add_argument("tools", nargs="*")
    parser.add_argument("--out", default="others.json")
    options = parser.parse_intermixed_args()
    kept = np.load(options.draws)
    settings = [name.removesuffix("_about") for name in kept if name.endswith("_about")]
    found: dict[str, dict[str, object]] = {}
    for tool, (package, call, most) in TOOLS.items():
        if options.tools and tool not in options.tools:
            continue
        found[tool] = {"version": version(package), "settings": {}}
        for setting in settings:
            items, clustered = kept[f"{setting}_about"]
            rates = kept[f"{setting}_rates"][:most]
            parts = [
                np.unpackbits(kept[f"{setting}_{part}"], axis=1)[:, : int(items)].astype(bool)
                for part in ("truth", "verdict", "labelled")
            ]
            cluster = kept[f"{setting}_cluster"] if clustered else None
            ends, reasons = [], {}
            draws = zip(rates, *(part[:most] for part in parts), strict=True)
            for rate, truth, verdict, labelled in draws:
                y = np.where(labelled, truth.astype(float), np.nan)
                try:
                    low, high = call((y, verdict.astype(float), labelled, cluster))
                    if not (np.isfinite(low) and np.isfinite(high)):
                        raise ValueError("an end is not a number")
                    ends.append((low <= rate <= high, high - low))
                except Exception as error:
                    reason = f"{type(error).__name__}: {error}"[:160]
                    reasons[reason] = reasons.get(reason, 0) + 1
            covered, lengths = np.array(ends, dtype=float).reshape(-1, 2).T
            found[tool]["settings"][setting] = {
                "runs": min(most, len(parts[0])),
                "refused": sum(reasons.values()),
                "why": max(reasons, key=reasons.get) if reasons else None,
                "covered": float(covered.mean()) if ends else None,
                "length": float(lengths.mean()) if ends else None,
            }
            print(tool, setting, found[tool]["settings"][setting], flush=True)
    Path(options.out).write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
