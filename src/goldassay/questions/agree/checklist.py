"""The eleven points of Rao and Callison-Burch (2026, section 8), answered from data and task.

Each point is answered, does not apply, or is missing, with what to add. `methods` writes the same
facts as the paragraph that a paper's methods section needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from goldassay.ratings.scale import SCALES
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Row, Table

__all__ = ["Facts", "Point", "checklist", "checklist_table", "methods"]

TITLES = (
    "Judgment scale",
    "One association coefficient",
    "Accuracy with a marginal-sensitive measure",
    "Confusion matrix",
    "Degenerate criteria",
    "Handling of abstentions, ties, invalid outputs",
    "Abstention, tie and invalid rates",
    "Covered-subset performance with coverage",
    "Weight or cost matrix",
    "Aggregation level",
    "Ensemble: one primary statistic, per-judge matrices",
)


@dataclass(frozen=True)
class Facts:
    """What the study found that the checklist speaks of."""

    task: Task
    judges: Sequence[str]
    humans: int
    n_units: int
    n_clusters: int
    criteria: Sequence[str] = ()
    degenerate: Mapping[str, str] = field(default_factory=dict)
    rates: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    tested_dependence: bool = False
    third_class: bool = False
    #: Classes of the judges' tables, once ties and abstentions are resolved.
    classes: int = 2
    panel: str | None = None
    scores: bool = False


@dataclass(frozen=True)
class Point:
    number: int
    title: str
    status: str  # answered | missing | does not apply
    text: str


def checklist(facts: Facts) -> list[Point]:
    """The eleven points in the paper's order."""
    answers = [
        _scale(facts),
        _association(facts),
        _accuracy(facts),
        _confusion(facts),
        _degenerate(facts),
        _handling(facts),
        _rates(facts),
        _coverage(facts),
        _weights(facts),
        _level(facts),
        _ensemble(facts),
    ]
    return [
        Point(number, title, status, text)
        for number, (title, (status, text)) in enumerate(zip(TITLES, answers, strict=True), 1)
    ]


Answer = tuple[str, str]


def _scale(facts: Facts) -> Answer:
    task = facts.task
    if task.scale == "continuous":
        return "answered", "continuous scores"
    options = ", ".join(task.options)
    positive = f"; positive is {task.positive}" if task.positive else ""
    return "answered", f"{task.scale}: {options}{positive}"


def _association(facts: Facts) -> Answer:
    if facts.task.scale in ("binary", "pairwise") and facts.classes == 2:
        return "answered", "phi, once (= MCC = Pearson = Spearman = tau-b)"
    if facts.task.scale in ("ordinal", "continuous"):
        return "does not apply", "the correlations differ on graded scores; each is reported"
    return "does not apply", "more than two classes: multi-class MCC, no rank correlation"


def _accuracy(facts: Facts) -> Answer:
    if facts.task.scale == "continuous":
        return "does not apply", "scores have no accuracy; Lin's coefficient asks for equality"
    return "answered", "accuracy with Cohen's kappa, and the agreement expected by chance"


def _confusion(facts: Facts) -> Answer:
    if facts.task.scale == "continuous":
        return "does not apply", "scores have no confusion matrix"
    return "answered", "one for each judge; strict or lenient said in words"


def _degenerate(facts: Facts) -> Answer:
    if not facts.criteria:
        return "does not apply", "there is one criterion only"
    if not facts.degenerate:
        return "answered", f"none of the {len(facts.criteria)} criteria is degenerate"
    listed = "; ".join(f"{name} ({why})" for name, why in facts.degenerate.items())
    return "answered", f"undefined and left out of the macro mean, with counts: {listed}"


def _handling(facts: Facts) -> Answer:
    task = facts.task
    parts = [f"abstentions {task.abstentions}"]
    if task.abstentions == "recode":
        parts[0] += f" to {task.recode_to}"
    parts.append(f"invalid outputs {task.invalids}")
    if task.tie is not None:
        parts.append(f"ties {task.ties}")
    elif task.scale == "pairwise":
        parts.append("ties are not an option")
    return "answered", ", ".join(parts) + "; stated with every number"


def _rates(facts: Facts) -> Answer:
    if not facts.rates:
        return "missing", "no verdict was counted"
    worst = {
        name: max((rates.get(name, 0.0) for rates in facts.rates.values()), default=0.0)
        for name in ("abstention_rate", "invalid_rate", "failed_rate", "tie_rate")
    }
    named = [
        f"{name.removesuffix('_rate')} up to {value:.1%}"
        for name, value in worst.items()
        if value > 0
    ]
    what = "is a score" if facts.task.scale == "continuous" else "is one of the options"
    return "answered", "; ".join(named) if named else f"every verdict {what}"


def _coverage(facts: Facts) -> Answer:
    if facts.task.abstentions != "exclude" and facts.task.invalids != "exclude":
        return "does not apply", "nothing is excluded"
    lowest = min((rates.get("coverage", 1.0) for rates in facts.rates.values()), default=1.0)
    if lowest >= 1:
        return "answered", "coverage 100 %"
    tested = (
        "tested against the items' columns"
        if facts.tested_dependence
        else (
            "whether it depends on the items could not be tested: add criterion, system or "
            "prompt, or"
            " a second human rating"
        )
    )
    return "answered" if facts.tested_dependence else "missing", (
        f"coverage {lowest:.1%} at the lowest; {tested}"
    )


def _weights(facts: Facts) -> Answer:
    task = facts.task
    if task.scale == "continuous":
        return "does not apply", "real scores"
    if task.scale in ("binary", "pairwise") and facts.classes == 2:
        return "does not apply", "two classes"
    if isinstance(task.weights, str):
        if task.scale == "ordinal" and task.weights == "unweighted":
            return "missing", 'add weights = "linear" or "quadratic", or a matrix, to the task'
        if task.weights == "unweighted":
            return "answered", "unweighted: every disagreement counts alike"
        return "answered", f"{task.weights} weights"
    return "answered", f"the declared matrix {[list(row) for row in task.weights]}"


def _level(facts: Facts) -> Answer:
    unit = f"intervals resample {facts.task.cluster} ({facts.n_clusters:,})"
    if len(facts.criteria) > 1:
        named = {
            "micro": "micro",
            "macro": f"macro over {len(facts.criteria)} criteria",
            "item": f"item ({SCALES[facts.task.scale].item_rule})",
        }
        shown = ", ".join(named[level] for level in dict.fromkeys(["micro", *facts.task.levels]))
        return "answered", f"{shown}; {unit}"
    return "answered", f"micro, one decision per unit; {unit}"


def _ensemble(facts: Facts) -> Answer:
    if len(facts.judges) < 2:
        return "does not apply", "there is one judge"
    if facts.panel is None:
        return "missing", "no item was rated by two judges"
    return "answered", f"{facts.panel}; a confusion matrix for each judge"


def checklist_table(points: Sequence[Point]) -> Table:
    mark = {"answered": "✓", "missing": "✗", "does not apply": "–"}
    rows = [(str(p.number), mark[p.status], p.title, p.text) for p in points]
    missing = [p for p in points if p.status == "missing"]
    done = sum(p.status != "missing" for p in points)
    note = f"{done} of 11 points hold" + ("" if not missing else f"; {len(missing)} missing (✗)")
    return Table(
        "Reporting checklist (Rao and Callison-Burch 2026)",
        ("", "", "point", "here"),
        tuple(rows),
        (note,),
    )


# --- the paragraph ----------------------------------------------------------------------------


def methods(facts: Facts, rows: Sequence[Row], *, seed: int, draws: int, version: str) -> str:
    """A methods paragraph with the numbers of the declared mode at the micro level."""
    task = facts.task
    judges = ", ".join(facts.judges)
    people = "one human rating" if facts.humans == 1 else f"{facts.humans} human raters"
    text = [
        f"We compared the verdicts of {judges} with {people} on {facts.n_units:,} units.",
        f"The judgment scale is {_scale(facts)[1]}.",
    ]
    if facts.humans > 1:
        rule = {
            "majority": "the majority of the human ratings (tied votes left out)",
            "each": "each human rating in turn",
            "soft": "the share of human ratings",
            "response_set": "the share of human ratings",
        }[task.reference]
        text.append(f"The reference is {rule}.")
    text.append(f"Handling: {_handling(facts)[1].removesuffix('; stated with every number')}.")
    if facts.rates:
        shown = "; ".join(
            f"{judge}: coverage {rates.get('coverage', 1):.1%}"
            for judge, rates in facts.rates.items()
        )
        text.append(f"Coverage was {shown}.")
    for judge in facts.judges:
        numbers = [
            _reported(row.result)
            for row in rows
            if row.about.get("judge") == judge
            and row.about.get("level") in ("micro", None)
            and not row.about.get("detail")
            and isinstance(row.result, Estimate)
            and row.result.name in _REPORTED
        ]
        if numbers:
            text.append(f"For {judge}: {', '.join(numbers)}.")
    if len(facts.criteria) > 1:
        text.append(
            f"Decisions are nested in {len(facts.criteria)} criteria; the figures above are pooled"
            " (micro), macro and item-level figures are in the supplement."
        )
    if facts.panel:
        text.append(f"Among the judges, {facts.panel}.")
    methods_used = sorted(
        {
            row.result.interval.method
            for row in rows
            if isinstance(row.result, Estimate)
            and row.result.interval
            and row.result.name in _REPORTED
            and not row.about.get("detail")
        }
    )
    text.append(
        f"Intervals are {task.confidence_level:.0%} ({'; '.join(methods_used) or 'none'}), the"
        f" resampling unit is the {task.cluster}; computed with goldassay {version}, seed {seed},"
        f" {draws} draws."
    )
    return " ".join(text)


_REPORTED = (
    "accuracy",
    "balanced_accuracy",
    "cohen_kappa",
    "weighted_kappa",
    "phi",
    "mcc",
    "f1",
    "precision",
    "recall",
    "pearson",
    "spearman",
    "kendall_tau_b",
    "lin_concordance",
    "icc",
    "roc_auc",
)


def _reported(result: Estimate) -> str:
    name = result.name.replace("_", " ")
    if result.interval is None:
        return f"{name} {result.value:.3f}"
    return f"{name} {result.value:.3f} [{result.interval.low:.3f}, {result.interval.high:.3f}]"
