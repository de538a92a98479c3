"""A paragraph for a methods section, made from a study of agreement."""

from __future__ import annotations

import re
from collections.abc import Sequence

from goldassay.glossary import words
from goldassay.questions.agree.checklist import (
    ensemble_words,
    handling_words,
    scale_words,
    several_said,
)
from goldassay.questions.agree.record import AgreeStudy, JudgeAgreement
from goldassay.results import Estimate, Sentence
from goldassay.words import counted, figure, listed, named, percent

__all__ = ["methods"]

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
#: Left out where more than two judges' verdicts are reported.
_LONG = ("recall", "pearson", "kendall_tau_b")
#: What says nothing where a side gives one answer only.
_BEYOND_CHANCE = ("cohen_kappa", "weighted_kappa", "phi", "mcc")
#: What says nothing where judge and people score on two scales.
_OF_ONE_SCALE = ("lin_concordance", "icc")

_REFERENCES = {
    "majority": "the majority of the human ratings (tied votes left out)",
    "median": "the median of the human ratings (one between two options is shared by both)",
    "mean": "the mean of the human ratings (one between two options is shared by both)",
    "each": "each human rating in turn",
    "soft": "the share of human ratings",
    "response_set": "the share of human ratings",
    "adjudicated": "what was resolved where people differ, and elsewhere their majority",
}


def methods(found: AgreeStudy, version: str) -> Sentence:
    """A paragraph for a methods section: the numbers of the declared handling, pooled (micro)."""
    task, people, draw = found.task, found.people.raters, found.draw
    brief = len(found.judges) > 2 and task.scale != "continuous"
    reported = [name for name in _REPORTED if not (brief and name in _LONG)]
    names = [judge.judge for judge in found.judges]
    raters = "one human rating each" if people == 1 else f"{people} human raters"
    units = counted(found.n_units, found.unit)
    units = f"{found.n_labelled:,} of {units}" if 0 < found.n_labelled < found.n_units else units
    text = [
        f"We compared the verdicts of {listed([named(one) for one in names])} with {raters} on "
        f"{units}.",
        f"The judgment scale is {scale_words(task)}.",
    ]
    if people > 1:
        scored = task.scale == "continuous"
        reference = "the mean of the human scores" if scored else _REFERENCES[task.reference]
        if task.rater_weights:
            reference = "the majority of the human ratings, weighted as declared"
        text.append(f"The reference is {reference}.")
    text.append(f"Handling: {handling_words(task)}.")
    if found.several:
        said = several_said(found)
        text.append(f"{said[0].upper()}{said[1:]}; these were left out.")
    coverage = {judge: rates.get("coverage", 1.0) for judge, rates in found.rates.items()}
    if coverage:
        shown = listed([f"{percent(one)} for {named(judge)}" for judge, one in coverage.items()])
        text.append(f"Coverage was {shown}.")
    told = {judge.judge: _told(judge, reported) for judge in found.judges}
    text += [
        f"For {named(judge)}: {', '.join(map(_in_brackets, results))}."
        for judge, results in told.items()
        if results
    ]
    if found.criteria:
        text.append(
            f"Decisions are nested in {len(found.criteria)} criteria; the figures above are pooled"
            " (micro), macro and item-level figures are in the supplement."
        )
    if among := ensemble_words(found):
        text.append(f"Among the judges, {among}.")
    used = _interval_methods(found, reported)
    text.append(
        f"Intervals are {percent(task.confidence_level)}"
        f" ({'; '.join(_once_each(used)) or 'none'}), the resampling unit is the {task.cluster};"
        f" computed with goldassay {version}, seed"
        f" {draw.seed}, {draw.draws} draws."
    )
    facts = {
        "judges": names,
        "raters": people,
        "n_units": found.n_units,
        "n_labelled": found.n_labelled,
        "n_clusters": found.n_clusters,
        "coverage": [coverage[name] for name in names],
        "results": {judge: {r.name: _numbers(r) for r in told[judge]} for judge in names},
        "criteria": len(found.criteria),
        "among_judges": _among_judges(found),
        "confidence_level": task.confidence_level,
        "interval_methods": used,
        "seed": draw.seed,
        "draws": draw.draws,
        "version": version,
    }
    return Sentence("agree.methods", " ".join(text), facts=facts)


def _told(judge: JudgeAgreement, reported: Sequence[str]) -> list[Estimate]:
    more = judge.probabilities.results if judge.probabilities else ()
    without = _BEYOND_CHANCE if judge.single_option else _OF_ONE_SCALE if judge.ranges else ()
    told = [one for one in reported if one not in without]
    results = (*judge.micro, *more)
    return [one for one in results if isinstance(one, Estimate) and one.name in told]


def _numbers(result: Estimate) -> dict[str, float | None]:
    ends = result.interval
    low, high = (ends.low, ends.high) if ends else (None, None)
    return {"value": result.value, "low": low, "high": high, "n_items": result.n_items}


def _among_judges(found: AgreeStudy) -> dict[str, float | None] | None:
    first = found.panel.coefficients[:1] if found.panel else ()
    return next((_numbers(one) for one in first if isinstance(one, Estimate)), None)


def _in_brackets(result: Estimate) -> str:
    return f"{words(result.name).partition(' (')[0]} {figure(result)}"


def _once_each(methods: Sequence[str]) -> list[str]:
    """Methods that differ in the number of clusters alone, said once with the fewest and most.

    >>> _once_each(["bootstrap (2000 draws, 9 clusters)", "bootstrap (2000 draws, 12 clusters)"])
    ['bootstrap (2000 draws, 9 to 12 clusters)']
    """
    found: dict[str, list[float]] = {}
    for method in methods:
        number = re.search(r"(\d[\d.,]*) ((?:effective )?)clusters?", method)
        said = method if number is None else method.replace(number[0], f"{{}} {number[2]}clusters")
        found.setdefault(said, []).append(float(number[1].replace(",", "")) if number else 0.0)
    return [said.replace("{}", _from_to(n)) for said, n in found.items()]


def _from_to(numbers: Sequence[float]) -> str:
    fewest, most = f"{min(numbers):,g}", f"{max(numbers):,g}"
    return fewest if fewest == most else f"{fewest} to {most}"


def _interval_methods(found: AgreeStudy, reported: Sequence[str]) -> list[str]:
    """How the intervals of the declared handling are made."""
    results = [row.result for row in found.rows() if "mode" not in row.about]
    return sorted(
        {
            result.interval.method
            for result in results
            if isinstance(result, Estimate) and result.interval and result.name in reported
        }
    )
