"""The eleven points of Rao and Callison-Burch (2026, section 8), answered from a study.

Each point is answered, does not apply, or is missing, with what to add.
"""

from __future__ import annotations

from goldassay.frozen import dataclass
from goldassay.questions.agree.record import AgreeStudy
from goldassay.questions.agree.rubric import item_rule_words
from goldassay.ratings.task import Task
from goldassay.results import Estimate
from goldassay.words import bare, counted, figure, named, percent

__all__ = ["Point", "checklist", "ensemble_words", "handling_words", "scale_words"]


@dataclass(frozen=True)
class Point:
    """A point of the checklist and what this study says to it."""

    number: int
    title: str
    status: str  # answered | missing | does not apply
    text: str


Answer = tuple[str, str]


def checklist(found: AgreeStudy) -> tuple[Point, ...]:
    """The eleven points in the paper's order."""
    return tuple(
        Point(number, title, *answer(found))
        for number, (title, answer) in enumerate(_POINTS.items(), 1)
    )


def _scale(found: AgreeStudy) -> Answer:
    return "answered", bare(scale_words(found.task))


def scale_words(task: Task) -> str:
    """The scale with its options and the positive one."""
    if task.scale == "continuous":
        return "continuous scores"
    positive = f"; positive is {named(task.positive)}" if task.positive else ""
    return f"{task.scale}: {', '.join(named(one) for one in task.options)}{positive}"


def _two_classes(found: AgreeStudy) -> bool:
    """Whether every judge's verdicts are one of two, once ties and abstentions are resolved."""
    classes = [len(judge.confusion.labels) for judge in found.judges if judge.confusion]
    return found.task.scale in ("binary", "pairwise") and max(classes, default=2) == 2


def _association(found: AgreeStudy) -> Answer:
    if _two_classes(found):
        return "answered", "phi, once (= MCC = Pearson = Spearman = tau-b)"
    if found.task.scale in ("ordinal", "continuous"):
        return "does not apply", "the correlations differ on graded scores; each is reported"
    return "does not apply", "more than two classes: multi-class MCC, no rank correlation"


def _accuracy(found: AgreeStudy) -> Answer:
    if found.task.scale == "continuous":
        return "does not apply", "scores have no accuracy; Lin's coefficient asks for equality"
    return "answered", "accuracy with Cohen's kappa, and the agreement expected by chance"


def _confusion(found: AgreeStudy) -> Answer:
    if found.task.scale == "continuous":
        return "does not apply", "scores have no confusion matrix"
    said = "; compared with people's rate in words" if found.task.scale == "binary" else ""
    return "answered", f"one for each judge{said}"


def _degenerate(found: AgreeStudy) -> Answer:
    if not found.criteria:
        return "does not apply", "there is one criterion only"
    if not found.degenerate:
        return "answered", f"none of the {len(found.criteria)} criteria is degenerate"
    listed = "; ".join(f"{name} ({why})" for name, why in found.degenerate.items())
    return "answered", f"undefined and left out of the macro mean, with counts: {listed}"


def _handling(found: AgreeStudy) -> Answer:
    return "answered", f"{handling_words(found.task)}; stated with every number"


def handling_words(task: Task) -> str:
    """How the task handles what is no plain verdict."""
    parts = [f"abstentions {task.abstentions}"]
    if task.abstentions == "recode":
        parts[0] += f" to {task.recode_to}"
    parts.append(f"invalid outputs {task.invalids}")
    if task.tie is not None:
        parts.append(f"ties {task.ties}")
    elif task.scale == "pairwise":
        parts.append("ties are not an option")
    return ", ".join(parts)


def several_said(found: AgreeStudy) -> str:
    """On how many units a rating names several options, of the judge that has most of them."""
    most, up_to = max(found.several.values()), "up to " if len(found.several) > 1 else ""
    return f"on {up_to}{counted(most, found.unit)} a rating names several options"


def _rates(found: AgreeStudy) -> Answer:
    if not found.rates:
        return "missing", "no verdict was counted"
    if found.several:
        return "missing", f"{several_said(found)}, and they are left out; `audit` counts them"
    worst = {
        name: max(rates.get(name, 0.0) for rates in found.rates.values())
        for name in ("abstention_rate", "invalid_rate", "failed_rate", "tie_rate")
    }
    named = [
        f"{name.removesuffix('_rate')} up to {percent(value)}"
        for name, value in worst.items()
        if value > 0
    ]
    what = "is a score" if found.task.scale == "continuous" else "is one of the options"
    return "answered", "; ".join(named) if named else f"every verdict of a judge {what}"


def _coverage(found: AgreeStudy) -> Answer:
    if found.task.abstentions != "exclude" and found.task.invalids != "exclude":
        return "does not apply", "nothing is excluded"
    lowest = min((rates.get("coverage", 1.0) for rates in found.rates.values()), default=1.0)
    if found.several:
        return "missing", f"coverage {percent(lowest)} of the verdicts that are one option or none"
    if lowest >= 1:
        return "answered", "coverage 100 %"
    by_judge = found.panel is not None and found.panel.missing is not None
    if by_judge or any(judge.missing for judge in found.judges):
        said = f"coverage {percent(lowest)} at the lowest; tested against the items' columns"
        return "answered", said
    return "missing", (
        f"coverage {percent(lowest)} at the lowest; whether it depends on the items could not be"
        " tested: add criterion, system or prompt, or a second human rating"
    )


def _weights(found: AgreeStudy) -> Answer:
    task = found.task
    if task.scale == "continuous":
        return "does not apply", "real scores"
    if _two_classes(found):
        return "does not apply", "two classes"
    if isinstance(task.weights, str):
        if task.scale == "ordinal" and task.weights == "unweighted":
            return "missing", 'add weights = "linear" or "quadratic", or a matrix, to the task'
        if task.weights == "unweighted":
            return "answered", "unweighted: every disagreement counts alike"
        return "answered", f"{task.weights} weights"
    return "answered", f"the declared matrix {[list(row) for row in task.weights]}"


def _level(found: AgreeStudy) -> Answer:
    unit = f"intervals resample {found.task.cluster} ({found.n_clusters:,})"
    if not found.criteria:
        return "answered", f"micro, one decision per unit; {unit}"
    words = {
        "micro": "micro",
        "macro": f"macro over {len(found.criteria)} criteria",
        "item": f"item ({item_rule_words(found.task)})",
    }
    levels = dict.fromkeys(["micro", *found.task.levels])
    return "answered", f"{', '.join(words[level] for level in levels)}; {unit}"


def _ensemble(found: AgreeStudy) -> Answer:
    if len(found.judges) < 2:
        return "does not apply", "there is one judge"
    words = ensemble_words(found)
    if words is None:
        return "missing", "no item was rated by two judges"
    return "answered", f"{words}; a confusion matrix for each judge"


def ensemble_words(found: AgreeStudy) -> str | None:
    """The one primary statistic of several judges."""
    alpha = found.panel.coefficients[0] if found.panel and found.panel.coefficients else None
    if not isinstance(alpha, Estimate):
        return None
    if found.task.scale == "continuous":
        return f"Krippendorff's interval alpha is {figure(alpha)}"
    how = [f"abstentions {found.task.abstentions}"] if found.task.abstain else []
    how += [f"weights {alpha.declared['weights']}"] if "weights" in alpha.declared else []
    said = f"Krippendorff's alpha is {figure(alpha)} over {counted(alpha.n_items, found.unit)}"
    return f"{said} ({', '.join(how)})" if how else said


_POINTS = {
    "Judgment scale": _scale,
    "One association coefficient": _association,
    "Accuracy with a marginal-sensitive measure": _accuracy,
    "Confusion matrix": _confusion,
    "Degenerate criteria": _degenerate,
    "Handling of abstentions, ties, invalid outputs": _handling,
    "Abstention, tie and invalid rates": _rates,
    "Covered-subset performance with coverage": _coverage,
    "Weight or cost matrix": _weights,
    "Aggregation level": _level,
    "Ensemble: one primary statistic, per-judge matrices": _ensemble,
}
