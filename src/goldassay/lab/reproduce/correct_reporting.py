"""Lee et al., "How to Correctly Report LLM-as-a-Judge Evaluations".

Figures 3, 5, 7 and 9 to 16 and propositions 5.1, 5.2 and 6.1. The paper's real data (Chatbot Arena
with GPT-4.1-mini, figure 6 and table 1) is not published; with `data`, the same questions are asked
of EVOUNA's human labels (`evouna`).
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from goldassay.charts import Line, Reference, Series
from goldassay.formulas import rates as points
from goldassay.inference import rates as limits
from goldassay.lab.scenarios.rates import Scenario, draw
from goldassay.questions.estimate.estimators import ESTIMATORS, estimates
from goldassay.questions.plan.costs import region
from goldassay.results import Gathered, Table

__all__ = ["algorithm_1", "reproduce", "rogan_gladen_bias"]

Array = NDArray[np.float64]

THETAS = np.linspace(0, 1, 21).round(2)
#: Figures 5 and 9 to 16: (n, m, q0, q1).
FIGURES = {
    "5": (1000, 200, 0.7, 0.9),
    "9": (1000, 200, 0.7, 0.7),
    "10": (1000, 200, 0.7, 0.9),
    "11": (1000, 200, 0.9, 0.7),
    "12": (1000, 200, 0.9, 0.9),
    "13": (1000, 500, 0.7, 0.7),
    "14": (1000, 500, 0.7, 0.9),
    "15": (1000, 500, 0.9, 0.7),
    "16": (1000, 500, 0.9, 0.9),
}
PILOT = 10
WORDS = {
    "naive": "(i) naive",
    "calibration_only": "(ii) labels only",
    "difference": "(iii) difference (PPI)",
    "conditional_calibration": "(iv) conditional calibration",
    "rogan_gladen": "(v) Rogan-Gladen",
    "stratified": "stratified (goldassay)",
    "power_tuned": "PPI++",
}


def reproduce(*, quick: bool, seed: int, data: Path | None) -> Gathered:
    """All figures that need no unpublished data; `data` holds a folder `evouna_qaeval`."""
    draws = 1_000 if quick else 10_000
    findings = Gathered()
    rng = np.random.default_rng(seed)
    _figure_3(findings)
    _figures_5(findings, draws, rng)
    _every_estimator(findings, draws, rng)
    _figure_7(findings, draws, rng)
    _proposition_51(findings)
    _proposition_52(findings)
    _proposition_61(findings)
    if data is None:
        findings.warnings.append(
            "Figure 6 and table 1 need Chatbot Arena verdicts that are not published; pass --data "
            "with a folder evouna_qaeval to ask the same of real human labels."
        )
    else:
        from goldassay.lab.reproduce.evouna import add_evouna

        add_evouna(findings, data, draws=200 if quick else 1_000, seed=seed)
    return findings


def algorithm_1(
    m: int, p: Array, right0: Array, right1: Array, *, pilot: int = PILOT
) -> tuple[Array, Array]:
    """Algorithm 1 for many pilots at once: (m0, m1) from correct verdicts in the pilot."""
    q0, q1 = (right0 + 1) / (pilot + 2), (right1 + 1) / (pilot + 2)
    ratio = np.sqrt((1 - q0) / (1 - q1))
    # m p / (p + (1 - p) ratio) is the paper's m / (1 + (1 / p - 1) ratio), and finite at p = 0.
    wanted = np.rint(m * p / np.maximum(p + (1 - p) * ratio, 1e-300))
    m1 = np.clip(wanted, pilot, m - pilot)
    return m - m1, m1


# --- figure 3 ---------------------------------------------------------------------------------


def _length(p: Array, q0: Array, q1: Array, m0: Array, m1: Array, n: float) -> Array:
    """Lang-Reiczigel's length at rates that occur exactly, without the cut at 0 and 1."""
    z = 1.959963984540054
    p, n = (n * p + z * z / 2) / (n + z * z), n + z * z
    q0, q1 = (m0 * q0 + 1) / (m0 + 2), (m1 * q1 + 1) / (m1 + 2)
    youden = q0 + q1 - 1
    theta = (p + q0 - 1) / youden
    variance = (
        p * (1 - p) / n
        + (1 - theta) ** 2 * q0 * (1 - q0) / (m0 + 2)
        + theta**2 * q1 * (1 - q1) / (m1 + 2)
    )
    result: Array = 2 * z * np.sqrt(variance) / youden
    return result


def _figure_3(findings: Gathered) -> None:
    sizes = np.array([40, 60, 80, 100, 150, 200, 300, 400, 500, 700, 1000])
    series, rows = [], []
    for p in (0.3, 0.5, 0.7, 0.9):
        rate = np.full(len(sizes), p)
        equal = _length(rate, np.array(0.7), np.array(0.9), sizes / 2, sizes / 2, 1e15)
        m0, m1 = np.array(
            [algorithm_1(int(m), np.array(p), np.array(7.0), np.array(9.0)) for m in sizes]
        ).T
        adaptive = _length(rate, np.array(0.7), np.array(0.9), m0, m1, 1e15)
        for name, lengths in (("equal", equal), ("Algorithm 1", adaptive)):
            series.append(Series(f"p {p:g}, {name}", sizes.tolist(), lengths.tolist()))
        at = sizes.tolist().index(200)
        rows.append((p, float(equal[at]), float(adaptive[at]), _needed(p)))
    findings.tables["figure_3"] = Table(
        "Figure 3: length of the interval, q0 = .7, q1 = .9, n without end",
        ("judge's rate", "m = 200, equal", "m = 200, Algorithm 1", "m for a length of 0.1, equal"),
        tuple(rows),
        (
            "Without the cut at 0 and 1. The paper says that p = .3 takes about 200 labels for a "
            f"length under 0.1; cut at 0 it takes {_needed(0.3, cut=True)}, about 200 of each.",
        ),
    )
    findings.charts.append(
        Line(
            title="Figure 3: interval length by calibration size",
            x_label="labels m",
            y_label="length",
            series=series,
            alt="Interval length falls with the number of labels; Algorithm 1 is below the equal "
            "split for every rate of the judge.",
        )
    )


def _needed(p: float, *, cut: bool = False) -> int:
    """Labels, half of each class, for an interval shorter than 0.1."""
    sizes = np.arange(20.0, 20_001, 2)
    if cut:
        half, n = sizes / 2, 1e15
        rates = np.array([[0.7, 0.3], [0.1, 0.9]])
        low, high = limits.lang_reiczigel([n * (1 - p), n * p], half[:, None, None] * rates)
        lengths = high - low
    else:
        rate = np.full(len(sizes), p)
        lengths = _length(rate, np.array(0.7), np.array(0.9), sizes / 2, sizes / 2, 1e15)
    return int(sizes[np.argmax(lengths < 0.1)])


# --- figures 5 and 9 to 16 --------------------------------------------------------------------


def _figures_5(findings: Gathered, draws: int, rng: np.random.Generator) -> None:
    rows, naive = [], list[float]()
    for figure, (n, m, q0, q1) in FIGURES.items():
        columns: dict[str, list[float]] = {}
        for theta in THETAS.tolist():
            scenario = Scenario(theta=theta, n=n, m=m, q0=q0, q1=q1, design="by_label")
            for name, value in _cell(scenario, draws, rng).items():
                columns.setdefault(name, []).append(value)
        series = {name: np.array(values) for name, values in columns.items()}
        naive += columns["naive coverage"]
        rows.append(
            (
                f"figure {figure}",
                n,
                m,
                q0,
                q1,
                float(np.abs(series["naive"] - THETAS).max()),
                float(np.abs(series["corrected"] - THETAS).max()),
                float(series["naive coverage"].min()),
                float(series["coverage"].min()),
                float(series["coverage"].max()),
                float(series["length"].mean()),
                float(series["length, Algorithm 1"].mean()),
                int((series["length, Algorithm 1"] <= series["length"]).sum()),
            )
        )
        _figure_charts(findings, figure, series)
    findings.tables["figures_5_and_9_to_16"] = Table(
        f"Figures 5 and 9 to 16: 21 true rates, {draws:,} draws each",
        (
            "figure",
            "n",
            "m",
            "q0",
            "q1",
            "most bias, naive",
            "most bias, corrected",
            "least coverage, naive",
            "least coverage",
            "most coverage",
            "length, equal",
            "length, Algorithm 1",
            "rates where Algorithm 1 is not longer (of 21)",
        ),
        tuple(rows),
        ("Lengths are cut at 0 and 1, as the intervals are. The paper prints curves, no numbers.",),
    )
    worst = min(row[8] for row in rows)
    findings.answer.append(
        f"The paper's interval holds the true rate in at least {100 * worst:.1f} % of draws, "
        "whatever that rate (figures 5 and 9 to 16); the interval of the judge's own rate does so "
        f"at {sum(one >= worst for one in naive)} of {len(naive)} true rates."
    )


def _cell(scenario: Scenario, draws: int, rng: np.random.Generator) -> dict[str, float]:
    test, calibration = draw(scenario, draws, rng)
    theta, m = scenario.theta, scenario.m
    value = np.clip(points.rogan_gladen(test, calibration), 0, 1)
    low, high = limits.lang_reiczigel(test, calibration)
    naive, naive_low, naive_high = estimates("naive", test, calibration)
    # Algorithm 1 sees a pilot of ten per label, which stays part of the calibration set.
    pilot0 = rng.binomial(PILOT, scenario.q0, draws).astype(float)
    pilot1 = rng.binomial(PILOT, scenario.q1, draws).astype(float)
    m0, m1 = algorithm_1(m, naive, pilot0, pilot1)
    right0 = pilot0 + rng.binomial((m0 - PILOT).astype(int), scenario.q0)
    right1 = pilot1 + rng.binomial((m1 - PILOT).astype(int), scenario.q1)
    adaptive = np.stack([right0, m0 - right0, m1 - right1, right1], -1).reshape(draws, 2, 2)
    low_a, high_a = limits.lang_reiczigel(test, adaptive)
    return {
        "naive": float(naive.mean()),
        "corrected": float(np.nanmean(value)),
        "naive coverage": float(((naive_low <= theta) & (theta <= naive_high)).mean()),
        "coverage": float(np.nanmean((low <= theta) & (theta <= high))),
        "length": float(np.nanmean(high - low)),
        "coverage, Algorithm 1": float(np.nanmean((low_a <= theta) & (theta <= high_a))),
        "length, Algorithm 1": float(np.nanmean(high_a - low_a)),
    }


def _figure_charts(findings: Gathered, figure: str, series: dict[str, Array]) -> None:
    panels = {
        "a": ("mean estimate", ("naive", "corrected")),
        "b": ("coverage", ("naive coverage", "coverage")),
        "c": ("length", ("length", "length, Algorithm 1")),
    }
    for panel, (label, names) in panels.items():
        findings.charts.append(
            Line(
                title=f"Figure {figure}{panel}: {label}",
                x_label="true rate",
                y_label=label,
                series=[Series(name, THETAS.tolist(), series[name].tolist()) for name in names],
                references=[Reference(0.95, "95 %", axis="y")] if panel == "b" else (),
                alt=f"{label} by true rate: "
                + "; ".join(
                    f"{name} from {series[name].min():.2f} to {series[name].max():.2f}"
                    for name in names
                ),
            )
        )


def _every_estimator(findings: Gathered, draws: int, rng: np.random.Generator) -> None:
    """Figure 5's judge with labels drawn at random: all estimators over the 21 true rates."""
    worst: dict[str, list[tuple[float, float, float]]] = {name: [] for name in ESTIMATORS}
    for theta in THETAS.tolist():
        scenario = Scenario(theta=theta, n=1000, m=200, q0=0.7, q1=0.9, design="random")
        test, calibration = draw(scenario, draws, rng)
        for name in ESTIMATORS:
            value, low, high = estimates(name, test, calibration)
            known = ~np.isnan(value)
            if known.any():
                held = ((low <= theta) & (theta <= high))[known]
                bias = float(np.clip(value[known], 0, 1).mean() - theta)
                worst[name].append((bias, float(held.mean()), float((high - low)[known].mean())))
    rows = []
    for name, cells in worst.items():
        table = np.array(cells)
        rows.append(
            (
                WORDS[name],
                float(np.abs(table[:, 0]).max()),
                float(table[:, 1].min()),
                float(table[:, 2].mean()),
            )
        )
    findings.tables["every_estimator"] = Table(
        f"Labels drawn at random (n = 1000, m = 200, q0 = .7, q1 = .9; 21 x {draws:,} draws)",
        ("estimator", "most bias", "least coverage", "mean length"),
        tuple(rows),
        ("Clipped to [0, 1], which is what bias is left at true rates of 0 and 1.",),
    )


# --- figure 7 ---------------------------------------------------------------------------------


def _figure_7(findings: Gathered, draws: int, rng: np.random.Generator) -> None:
    shifts = np.linspace(0.25, 0.75, 11)
    names = (
        "naive",
        "calibration_only",
        "difference",
        "conditional_calibration",
        "rogan_gladen",
        "power_tuned",
        "stratified",
    )
    bias: dict[str, list[float]] = {name: [] for name in names}
    for labelled in shifts.tolist():
        scenario = Scenario(
            theta=0.5, q0=0.7, q1=0.9, n=1000, m=200, design="separate", labelled_theta=labelled
        )
        test, calibration = draw(scenario, draws, rng)
        for name in names:
            value, _, _ = estimates(name, test, calibration)
            bias[name].append(float(np.nanmean(value) - 0.5))
    findings.tables["figure_7"] = Table(
        "Figure 7: bias when the labelled items' true rate differs (test .5, n = 1000, m = 200)",
        ("estimator", *(f"{shift:.2f}" for shift in shifts[::2])),
        tuple((WORDS[name], *bias[name][::2]) for name in names),
    )
    findings.charts.append(
        Line(
            title="Figure 7: bias under label shift",
            x_label="true rate of the labelled items",
            y_label="bias",
            series=[Series(WORDS[name], shifts.tolist(), bias[name]) for name in names],
            references=[Reference(0, "unbiased", axis="y")],
            alt="Bias by the labelled items' true rate: Rogan-Gladen stays at zero, labels only "
            "moves one for one, the others in between.",
        )
    )
    worst = max(abs(one) for one in bias["rogan_gladen"])
    others = min(max(abs(one) for one in bias[name]) for name in names[1:4])
    findings.answer.append(
        f"Where labelled items have another true rate than the judged ones, Rogan-Gladen is off "
        f"by at most {worst:.3f}; labels alone, PPI and conditional calibration each by "
        f"{others:.2f} or more."
    )


# --- propositions -----------------------------------------------------------------------------


def rogan_gladen_bias(theta: float, q: float, m: int) -> float:
    """The exact bias of the unclipped estimate where it exists, m / 2 labels of each class.

    The estimate is linear in the verdict rate, so that only the labels are summed over.
    """
    from goldassay.formulas.compiled import gammaln, xlogy

    half = m // 2
    k = np.arange(half + 1)
    logs = gammaln(half + 1) - gammaln(k + 1) - gammaln(half - k + 1)
    weight = np.exp(logs + xlogy(k, q) + xlogy(half - k, 1 - q))
    q0, q1 = k[:, None] / half, k[None, :] / half
    joint = weight[:, None] * weight[None, :]
    youden = q0 + q1 - 1
    exists = youden > 1e-12
    p = theta * q + (1 - theta) * (1 - q)
    value = np.where(exists, (p + q0 - 1) / np.where(exists, youden, 1), 0)
    return float((joint * value).sum() / joint[exists].sum()) - theta


def _proposition_51(findings: Gathered) -> None:
    rows = []
    for q in (0.6, 0.7, 0.8, 0.9, 0.95):
        threshold = 2 * q / (2 * q - 1) ** 2
        for times in (1, 2, 4):
            m = 2 * math.ceil(times * threshold / 2)
            thetas = [t for t in THETAS.tolist() if abs(t - 0.5) > 1e-9]
            ratio = max(
                abs(rogan_gladen_bias(t, q, m)) / (abs(2 * t - 1) * (1 - q)) for t in thetas
            )
            rows.append((q, round(threshold, 1), times, m, ratio, "yes" if ratio < 1 else "no"))
    findings.tables["proposition_5_1"] = Table(
        "Proposition 5.1: exact bias of Rogan-Gladen over that of the judge's own rate, at most",
        ("q0 = q1", "2q / (2q - 1)^2", "times that", "m", "largest ratio", "smaller bias"),
        tuple(rows),
        ("Unclipped, given that the estimate exists; the largest over 20 true rates.",),
    )


def _proposition_52(findings: Gathered) -> None:
    rows = []
    for q0, q1 in ((0.95, 0.95), (0.9, 0.9), (0.7, 0.9), (0.9, 0.7), (0.7, 0.7)):
        for p in (0.3, 0.5, 0.7):
            m = 200
            m1 = np.arange(1.0, m)
            lengths = _length(np.full(len(m1), p), np.array(q0), np.array(q1), m - m1, m1, 1e15)
            best = int(m1[np.argmin(lengths)])
            ratio = math.sqrt((1 - q0) / (1 - q1))
            theirs = round(m / (1 + (1 / p - 1) * ratio))
            loss = float(lengths[theirs - 1] / lengths.min() - 1)
            rows.append((q0, q1, p, theirs, best, loss))
    findings.tables["proposition_5_2"] = Table(
        "Proposition 5.2: labels on positives, its approximation and the best (m = 200)",
        ("q0", "q1", "judge's rate", "approximation", "best", "excess length"),
        tuple(rows),
        (
            "It supposes q0 and q1 near 1; away from that the judge's rate is a poor stand-in "
            "for the "
            "true one.",
        ),
    )


def _proposition_61(findings: Gathered) -> None:
    rows = []
    for q in (0.8, 0.86, 0.9, 0.95, 0.99):
        found = region(q)
        youden = 2 * q - 1
        inside = 0.5 - 1 / (4 * youden**2)
        paper = None if inside < 0 else (0.5 - math.sqrt(inside), 0.5 + math.sqrt(inside))
        ends = (None, None) if found is None else (float(found[0]), float(found[1]))
        rows.append((q, *ends, *((None, None) if paper is None else paper)))
    findings.tables["proposition_6_1"] = Table(
        "Proposition 6.1: true rates at which the judge beats labels alone, by q0 = q1",
        ("q", "from", "to", "formula, from", "formula, to"),
        tuple(rows),
        ("Nothing below q = 1/2 + 1/sqrt(8) = .854.",),
    )
