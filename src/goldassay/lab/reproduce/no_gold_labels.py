"""Guerdan et al., "Validating LLM-as-a-Judge Systems in the Absence of Gold Labels".

Figures 4, 5, 6 and 10 to 15 by simulation (`synthetic_judges`), the case study of section 7 with
drawn judges, and the seven findings as statements that hold or not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.charts import Line, Series
from goldassay.formulas.distributions import Definition, decision_consistency
from goldassay.formulas.rating_vectors import Side
from goldassay.lab.reproduce.counterexamples import appendix_c
from goldassay.lab.reproduce.synthetic_judges import (
    BUDGETS,
    FULL,
    PANELS,
    SYMMETRIC,
    THRESHOLDS,
    Selection,
    error_correlation,
    finite_raters,
    prevalence_bias,
    selections,
    shown_definitions,
)
from goldassay.questions.audit.sensitivity import (
    Family,
    Hiding,
    Judged,
    Sweep,
    prevalence_by_beta,
    sweep,
)
from goldassay.results import Gathered, Table

__all__ = ["case_study", "reproduce"]

Array = NDArray[np.float64]

CATEGORICAL = ("hit_rate h/h", "cohen_kappa h/h", "krippendorff_alpha h/h")
DISTRIBUTIONAL = ("kl_divergence s/s", "jensen_shannon s/s", "mean_squared_error s/s")
#: Figure 10 selects by the first; the second, a distributional one, stands beside it.
ERROR_METRICS = ("hit rate", "Jensen-Shannon")

# --- a case study like that of section 7 ---------------------------------------------------------

CASE_OPTIONS = ("very toxic", "toxic", "not toxic")
CASE_SETS = (
    ("very toxic",),
    ("toxic",),
    ("not toxic",),
    ("very toxic", "toxic"),
    ("toxic", "not toxic"),
    ("very toxic", "not toxic"),
    ("very toxic", "toxic", "not toxic"),
)
#: Shift and spread of a judge's view (log odds), and the beta that section 7 found for a judge.
CASE_JUDGES = {
    "implies .32": (0.0, 0.5, 0.32),
    "implies .44": (0.8, 0.5, 0.44),
    "implies .04": (1.6, 1.0, 0.04),
    "implies .06": (0.6, 1.5, 0.06),
    "implies .11": (-1.0, 0.8, 0.11),
}
CASE_BETAS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4)


def case_study(rng: np.random.Generator) -> tuple[Sweep, Array]:
    """200 comments that 10 to 50 % of people call toxic, and five judges with a beta of their own.

    The design of section 7 and table 2 with drawn judges in the place of the commercial ones.
    Returns the sweep and the prevalence (betas, thresholds).
    """
    share = np.repeat([0.1, 0.2, 0.3, 0.4, 0.5], 40)

    def choices(toxic: Array) -> Array:
        return np.stack([0.1 * toxic, 0.9 * toxic, 1 - toxic], axis=-1)

    family = Family(CASE_OPTIONS, CASE_SETS, {"not toxic": ("toxic",)}, replaces=True)
    forced, omega = [], []
    for shift, spread, beta in CASE_JUDGES.values():
        odds = np.log(share / (1 - share)) + shift + spread * rng.standard_normal(len(share))
        own = choices(1 / (1 + np.exp(-odds)))
        forced.append(own)
        omega.append(own @ family.matrix(beta).T @ family.membership.T)
    judge = Side(np.stack(forced), np.stack(omega), ties="first")
    consistency = partial(decision_consistency, option=1, threshold=0.5)
    target = Definition("decision_consistency", "srs", "srs", "higher", consistency)
    people = Hiding(choices(share), family, CASE_BETAS)
    found = sweep(people.betas, people.people(), Judged.alone(judge), shown_definitions(), target)
    prevalence = prevalence_by_beta(people, counted=(1,), thresholds=THRESHOLDS)
    return found, prevalence


# --- the findings -------------------------------------------------------------------------------


def reproduce(*, quick: bool, seed: int, data: Path | None) -> Gathered:
    """Figures 4, 5, 6 and 10 to 15, and which findings of the paper they bear out.

    The case study (figures 7 and 8, tables 3 and 4) used Civil Comments and five commercial judges;
    here its design runs with drawn judges. `goldassay audit` runs its method on any table.
    """
    rng = np.random.default_rng(seed)
    repetitions = 4 if quick else 40
    findings = Gathered()
    found = selections(PANELS, repetitions, rng)
    labels = [one.label for one in shown_definitions()]
    _selection_tables(findings, found, labels)
    consistency = _rater_tables(findings, repetitions, rng)
    grid = _error_tables(findings, labels, repetitions, rng)
    effects = [replace(SYMMETRIC, people=g) for g in (0.5, 1.0, 2.0)]
    under = prevalence_bias(effects, repetitions, rng)
    findings.tables["figure_6_right"] = Table(
        "Figure 6, right: prevalence from forced choices minus that from response sets",
        ("task", "bias of the prevalence"),
        (
            ("fully specified", float(prevalence_bias([FULL], repetitions, rng).mean())),
            *(
                (f"underspecified, effect {e.people:g}", float(v))
                for e, v in zip(effects, under.mean(1), strict=True)
            ),
        ),
    )
    findings.tables["appendix_c"] = appendix_c()
    verdicts = check(found, labels, consistency, under, grid)
    verdicts |= _case_tables(findings, repetitions, rng)
    checked = Table(
        "The paper's findings",
        ("finding", "holds here", "seen"),
        tuple((name, holds, text) for name, (holds, text) in verdicts.items()),
        (
            "Holds: by more than the Monte Carlo error (95 %) of these repetitions. What is to be "
            "as good, or to change little, differs by no more than that error.",
            "Findings 5 and 6 are about Civil Comments and five commercial judges; here, the same "
            "design with judges drawn anew each time. Finding 7 (figure 8) follows from how F' is "
            "made, and is no check.",
        ),
    )
    findings.tables = {"findings": checked, **findings.tables}  # a screen shows the first
    told = {
        state: [
            f"finding {name} ({seen})" for name, (one, seen) in verdicts.items() if one == state
        ]
        for state in (YES, NO, OPEN)
    }
    findings.answer.append(
        f"{len(told[YES])} of {len(verdicts)} checks of the paper's findings 1 to 6 hold by more "
        f"than Monte Carlo error in {repetitions} repetitions, each of 50 drawn judges and 100 "
        "items."
    )
    if told[NO]:
        findings.answer.append(f"What does not hold: {'; '.join(told[NO])}.")
    if told[OPEN]:
        findings.answer.append(f"What so few repetitions cannot tell: {'; '.join(told[OPEN])}.")
    if data is not None:
        findings.warnings.append("The published ratings in --data are not used by this paper.")
    return findings


#: Whether a finding holds: beyond Monte Carlo error, or not.
YES, NO, OPEN = "yes", "no", "cannot tell"
Told = tuple[str, str]


def reach(runs: NDArray[Any]) -> float:
    """How far the mean of repetitions may be off: Student's t, 95 %."""
    from scipy.stats import t

    number = np.size(runs)
    return float(t.ppf(0.975, number - 1) * np.std(runs, ddof=1) / np.sqrt(number))


def greater(runs: NDArray[Any], text: str) -> Told:
    """Whether a difference, in each repetition (R,), is above 0."""
    mean, error = float(np.mean(runs)), reach(runs)
    state = YES if mean > error else NO if mean < -error else OPEN
    return state, f"{text}; {mean:+.3f} with an error of {error:.3f}"


def as_good(runs: NDArray[Any], text: str, *, both: bool = False) -> Told:
    """Whether a difference is not below 0 (or not other than 0) by more than its error."""
    mean, error = float(np.mean(runs)), reach(runs)
    worse = abs(mean) > error if both else mean < -error
    return NO if worse else YES, f"{text}; {mean:+.3f} with an error of {error:.3f}"


def check(
    found: Mapping[str, Selection],
    labels: Sequence[str],
    consistency: Array,
    under: Array,
    grid: Mapping[tuple[float, float], Array],
) -> dict[str, Told]:
    """Findings 1 to 4 as statements that hold or not, with the figures.

    `consistency` is (R, n, tau), `under` (effects, R), and `grid` (R, metric) of each cell.
    """

    def mean(panel: str, n: int, which: Sequence[str]) -> Array:
        runs = found[panel].runs[:, BUDGETS.index(n)]
        return np.asarray(runs[:, [labels.index(name) for name in which]].mean(-1))

    def correlation(panel: str, which: Sequence[str]) -> Array:
        runs = found[panel].correlation_runs
        return np.asarray(runs[:, [labels.index(name) for name in which]].mean(-1))

    full, sym, asym, _, added = PANELS
    one, three = mean(sym, 1, labels), mean(sym, 3, labels)
    spread = mean(sym, 3, labels) - mean(asym, 3, labels)
    # What categorical metrics gain from three ratings, and what another kind of metric from one.
    rated = mean(sym, 3, CATEGORICAL) - mean(sym, 1, CATEGORICAL)
    chosen = mean(sym, 1, DISTRIBUTIONAL) - mean(sym, 1, CATEGORICAL)
    whole = mean(full, 1, labels)
    categorical = correlation(asym, CATEGORICAL)
    distributional = correlation(asym, DISTRIBUTIONAL)
    # What lapses and what asymmetric effects cost, for the same metrics at the same budget.
    costs = {
        name: (
            mean(asym, 100, which) - mean(added, 100, which),
            mean(sym, 100, which) - mean(asym, 100, which),
        )
        for name, which in (("categorical", CATEGORICAL), ("distributional", DISTRIBUTIONAL))
    }
    wrong = 1 - consistency[:, 0]
    rates = [(float(wrong[:, t].mean()), reach(wrong[:, t])) for t in range(len(THRESHOLDS))]
    # Rounded to 5 %, as they are printed.
    within = [0.25 - 0.025 - error <= rate <= 0.35 + 0.025 + error for rate, error in rates]
    below = [greater(-one, "")[0] for one in under]
    return {
        "1a: three ratings instead of one help more than symmetric effects": greater(
            three - one - spread * np.sign(spread.mean()),
            f"{(three - one).mean():+.3f} from three ratings, {spread.mean():+.3f} from symmetric "
            "effects",
        ),
        "1a: three ratings instead of one help more than the metric": greater(
            rated - chosen,
            f"{rated.mean():+.3f} from three ratings for categorical metrics, "
            f"{chosen.mean():+.3f} from distributional ones instead, with one rating",
        ),
        "1b: one rating on a fully specified task is as good as three underspecified": as_good(
            whole - three, f"{whole.mean():.3f} with one, {three.mean():.3f} with three"
        ),
        "2: categorical metrics are the unreliable ones under asymmetric effects": greater(
            distributional - categorical,
            f"rank correlation {categorical.mean():.2f} categorical, "
            f"{distributional.mean():.2f} distributional",
        ),
        **{
            f"3, {name} metrics: lapses matter less than selection effects": greater(
                effect - lapse,
                f"{-lapse.mean():+.3f} from additive lapses, {-effect.mean():+.3f} from asymmetric "
                "effects",
            )
            for name, (lapse, effect) in costs.items()
        },
        **{
            f"3 (figure 10, {name}): without skew, lapses of any size change little": as_good(
                most - none,
                f"{none.mean():.3f} without, {most.mean():.3f} with 40 % lapses",
                both=True,
            )
            for name, none, most in zip(
                ERROR_METRICS, grid[0.0, 0.0].T, grid[0.4, 0.0].T, strict=True
            )
        },
        "4a: with one rating per item, 25 to 35 % of decisions are wrong": (
            YES if all(within) else NO,
            "two options: "
            + ", ".join(
                f"{100 * rate:.1f} % at threshold {tau:g}"
                for (rate, _), tau in zip(rates, THRESHOLDS, strict=True)
            ),
        ),
        "4b: forced choices understate prevalence on underspecified tasks": (
            NO if NO in below else OPEN if OPEN in below else YES,
            "by " + ", ".join(f"{-v:.3f}" for v in under.mean(1)) + " at effects 0.5, 1 and 2",
        ),
    }


def _case_tables(findings: Gathered, repetitions: int, rng: np.random.Generator) -> dict[str, Told]:
    """Figures 7 and 8 with drawn judges, and findings 5 and 6 over judges drawn anew."""
    found, prevalence = case_study(rng)
    again = [found, *(case_study(rng)[0] for _ in range(repetitions - 1))]
    names = list(CASE_JUDGES)
    best = found.values[:, -1].argmax(-1)
    rows = [
        (
            one.label,
            *(
                f"{names[j]} {found.reached[b, d]:.2f} ({_cost(found.cost[b, d])})"
                if j >= 0
                else "none: undefined"
                for b, j in enumerate(found.selected[:, d])
            ),
        )
        for d, one in enumerate(found.definitions)
    ]
    rows.append(("best", *(f"{names[j]} {found.best[b]:.2f}" for b, j in enumerate(best))))
    findings.tables["figure_7"] = Table(
        "Figure 7 and table 3, drawn judges: who is selected, their consistency, what it costs",
        ("selected by", *(f"beta {beta:g}" for beta in CASE_BETAS)),
        tuple(rows),
    )
    findings.tables["figure_8"] = Table(
        "Figure 8, drawn judges: prevalence of toxic comments",
        ("beta", *(f"threshold {tau:g}" for tau in THRESHOLDS)),
        tuple((beta, *map(float, row)) for beta, row in zip(CASE_BETAS, prevalence, strict=True)),
    )
    chosen = np.array([len({*one.selected[0].tolist()} - {-1}) for one in again])
    kept = np.array([len(set(one.selected[:, 0].tolist())) == 1 for one in again])
    moves = np.array([len(set(one.values[:, -1].argmax(-1).tolist())) > 1 for one in again])
    lost = float(np.mean([one.cost[-1, 0] for one in again]))
    return {
        "5: the ranking of judges depends on the metric": greater(
            (chosen > 1) - 0.5,
            f"{chosen.mean():.1f} different judges selected at beta = 0, more than one in "
            f"{(chosen > 1).sum()} of {len(again)} draws (held against half of them)",
        ),
        "6: hit rate keeps its judge while the best one changes with beta": greater(
            (kept & moves) - 0.5,
            f"in {(kept & moves).sum()} of {len(again)} draws (held against half of them), and at "
            f"beta = .4 hit rate's judge has {lost:.2f} less consistency",
        ),
    }


def _cost(cost: float) -> str:
    """What a choice costs.

    >>> _cost(0.0), _cost(0.431)
    ('best', '-0.43')
    """
    return "best" if round(cost, 2) == 0 else f"{-cost:.2f}"


def _selection_tables(
    findings: Gathered, found: Mapping[str, Selection], labels: Sequence[str]
) -> None:
    for name, key in (("consistency", "figure_4_top"), ("bias", "figure_4_bottom")):
        rows = [
            (panel, label, *(float(v) for v in getattr(one, name)[:, d]))
            for panel, one in found.items()
            for d, label in enumerate(labels)
        ]
        what = "decision consistency" if name == "consistency" else "absolute estimation bias"
        findings.tables[key] = Table(
            f"Figures 4 and 13: {what} of the judge selected from n ratings per item",
            ("task", "selected by", *(f"n = {n}" for n in BUDGETS)),
            tuple(rows),
        )
    findings.tables["figure_5"] = Table(
        "Figures 5 and 14: rank correlation of definitions with downstream performance",
        ("task", "definition", "with consistency", "with small bias"),
        tuple(
            (panel, label, float(one.correlation[d]), float(one.bias_correlation[d]))
            for panel, one in found.items()
            for d, label in enumerate(labels)
        ),
    )
    for panel, one in found.items():
        findings.charts.append(
            Line(
                title=f"Figure 4: {panel}",
                x_label="ratings per item",
                y_label="decision consistency",
                series=[
                    Series(
                        label,
                        [float(n) for n in BUDGETS],
                        [float(v) for v in one.consistency[:, d]],
                    )
                    for d, label in enumerate(labels)
                ],
                alt=f"Decision consistency of the selected judge by ratings per item, {panel}.",
            )
        )


def _rater_tables(findings: Gathered, repetitions: int, rng: np.random.Generator) -> Array:
    """Two and ten options; returns the consistency with two, in each repetition, which the paper's
    figures match."""
    rows, out = [], []
    for options in (2, 10):
        setting = replace(FULL, options=options, sets=options)
        each, bias = finite_raters(setting, 5 * repetitions, rng)
        out.append(each)
        consistency = each.mean(0)
        rows += [
            (options, n, *map(float, consistency[b]), *map(float, bias[b]))
            for b, n in enumerate(BUDGETS)
        ]
    findings.tables["figure_15"] = Table(
        "Figures 6 (left) and 15: decisions from n ratings against all raters, fully specified",
        (
            "options",
            "ratings",
            *(f"same, {t:g}" for t in THRESHOLDS),
            *(f"bias, {t:g}" for t in THRESHOLDS),
        ),
        tuple(rows),
    )
    return out[0]


def _error_tables(
    findings: Gathered, labels: Sequence[str], repetitions: int, rng: np.random.Generator
) -> dict[tuple[float, float], Array]:
    """Figures 10, 11 and 12 over the size and skew of lapses; figure 10 by two metrics (R, 2)."""
    errors, skews = (0.0, 0.2, 0.4), (-1.0, 0.0, 1.0)
    hits, divergence = (labels.index(name) for name in ("hit_rate h/h", "jensen_shannon s/s"))
    rows, grid, correlations = [], {}, []
    for skew in skews:
        for error in errors:
            setting = replace(SYMMETRIC, error=error, skew=skew)
            chosen = selections({"one": setting}, max(2, repetitions // 2), rng)["one"]
            grid[error, skew] = chosen.runs[:, -1, [hits, divergence]]
            moved = float(prevalence_bias([setting], repetitions, rng).mean())
            rows.append((skew, error, *map(float, grid[error, skew].mean(0)), moved))
            if error:
                by_name = error_correlation(setting, max(2, repetitions // 2), rng)
                wanted = ("hit_rate h/h", "jensen_shannon s/s", "mean_squared_error srs/srs")
                correlations.append((skew, error, *(by_name[name] for name in wanted)))
    findings.tables["figures_10_12"] = Table(
        "Figures 10 and 12: lapses, consistency of the judge selected (100 ratings), prevalence",
        ("skew", "error", *(f"selected by {name}" for name in ERROR_METRICS), "bias of prevalence"),
        tuple(rows),
    )
    findings.tables["figure_11"] = Table(
        "Figure 11: rank correlation of judges against people with and without lapses",
        ("skew", "error", "hit rate", "Jensen-Shannon", "squared error srs"),
        tuple(correlations),
    )
    return grid
