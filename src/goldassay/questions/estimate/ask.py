"""What is the true rate behind the judge's rate?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from goldassay.counts import count_paired_scores, count_units
from goldassay.errors import UsageError, shown
from goldassay.findings import Findings
from goldassay.questions.asking import SEED, TaskSource, Where, made, ratings_of
from goldassay.questions.estimate.bare import CountsStudy, study_counts, study_known_counts
from goldassay.questions.estimate.charts import charts
from goldassay.questions.estimate.counting import estimate_exclusions
from goldassay.questions.estimate.known import KnownRates, KnownStudy, study_known
from goldassay.questions.estimate.scores import MeansStudy, study_scores
from goldassay.questions.estimate.study import EstimateStudy, checked_judges, study
from goldassay.questions.estimate.tables import summary, tables
from goldassay.questions.estimate.words import answer, notes, warnings
from goldassay.questions.weighing import weights_said
from goldassay.ratings.table import Ratings
from goldassay.results import Sentence

__all__ = ["Labels", "estimate"]

Labels = Literal["own", "shared"]

#: How often a judge was right on labelled items, 140 of 200; or a known rate, 0.7.
Share = tuple[float, float] | float | str


def estimate(
    source: Any = None,
    task: TaskSource = None,
    *,
    only: Where = (),
    exclude: Where = (),
    judge: Sequence[str] = (),
    strata: Sequence[str] = (),
    labels: Labels | None = None,
    positives: float | None = None,
    of: float | None = None,
    specificity: Share | None = None,
    sensitivity: Share | None = None,
    confidence_level: float | None = None,
    seed: int = SEED,
) -> Findings:
    """The rate (or mean score) that people would have found on all items, behind each judge's.

    Parameters
    ----------
    source
        A path, several paths, a frame of any library, or `Ratings`; None for bare counts.
    task
        What the ratings mean, above all how the labelled items were drawn (`calibration`).
    only, exclude
        Rows that are looked at, and rows that are not: `["topic=law"]` or `{"topic": "law"}`.
    judge
        Only these judges.
    strata
        Columns within which the judge's errors are corrected.
    labels
        Correct a system with its `own` labels or with all labels (`shared`).
    positives, of, specificity, sensitivity
        Without a table: items called positive, of so many; right on K of M labelled negatives and
        positives, as `(140, 200)` or "140/200". With numbers, as 0.7 and 0.9, both error rates are
        declared as known, and no label is used; that is possible with a table, too.
    confidence_level
        For bare counts; a table's level is declared in its task.
    seed
        Seed of the draws.

    Returns
    -------
    Findings
        `prevalence` is the headline; every valid estimator stands beside it.

    Notes
    -----
    Which estimators are valid follows from the declared design (`docs/estimate.md`), and a result
    says what it assumes: with labels drawn from the judged pool nothing of the judge, with a
    separate set that its error rates are the same there.

    References
    ----------
    Lee and others (2026), "How to Correctly Report LLM-as-a-Judge Evaluations"; Rogan and Gladen
    (1978), "Estimating prevalence from the results of a screening test".

    Examples
    --------
    >>> import goldassay as ga
    >>> drawn = ga.simulate({"prompts": 100, "labelled": 0.4})
    >>> rate = ga.estimate(drawn.ratings())["prevalence", "judge"]
    >>> round(rate.value, 2), drawn.truth["prevalence"] in rate.interval
    (0.68, True)

    Without a table, from how often the judge said yes and how often it is right:

    >>> found = ga.estimate(positives=400, of=1000, specificity="140/200", sensitivity="180/200")
    >>> found["prevalence"]
    prevalence = 0.1667 (0.05635, 0.2627) 95% Lang-Reiczigel, 1400 items

    With error rates that are known:

    >>> ga.estimate(positives=400, of=1000, specificity=0.7, sensitivity=0.9)["prevalence"]
    prevalence = 0.1667 (0.116, 0.2184) 95% hedged binomial of the judge's rate, known error rates,
    1000 items
    """
    counts = {
        "--positives": positives,
        "--of": of,
        "--specificity": specificity,
        "--sensitivity": sensitivity,
    }
    given = [name for name, value in counts.items() if value is not None]
    if labels not in (None, "own", "shared"):
        raise UsageError("--labels", "is own or shared", found=shown(labels))
    if source is None:
        return _of_counts(counts, given, confidence_level)
    known = _known(specificity, sensitivity)
    unasked = [name for name in given if known is None or name in ("--positives", "--of")]
    if unasked:
        raise UsageError(
            ", ".join(unasked),
            "cannot be given together with a table of ratings",
            next_step="Error rates that are known are numbers: --sensitivity 0.9 --specificity 0.7",
        )
    if confidence_level is not None:
        raise UsageError(
            "--confidence-level",
            "a table's level is declared in its task",
            next_step="Set confidence_level in the task file",
        )
    ratings = ratings_of(source, task, only=only, exclude=exclude)
    if known is not None:
        return _of_known(ratings, known, judge, seed)
    if ratings.task.scale == "continuous":
        split = [name for name in ("system", "split") if name in ratings.columns]
        pairs = count_paired_scores(ratings, by=split)
        means = study_scores(pairs, ratings.task)
        weights = weights_said(ratings, "estimate", used=False)
        return _findings(means, weights, **made(ratings, pairs.exclusions, seed=seed))
    columns = tuple(dict.fromkeys([*ratings.task.strata, *strata]))
    units = count_units(ratings, by=columns)
    rates = study(units, judges=list(judge), strata=columns, labels=labels, seed=seed)
    exclusions = (*units.exclusions, *estimate_exclusions(units))
    weights = weights_said(ratings, "estimate")
    return _findings(rates, weights, **made(ratings, exclusions, seed=seed))


def _of_known(ratings: Ratings, known: KnownRates, judges: Sequence[str], seed: int) -> Findings:
    """A table whose judges err at declared rates."""
    if ratings.task.scale == "continuous":
        raise UsageError("--sensitivity, --specificity", "are of verdicts, and these are scores")
    units = count_units(ratings)
    checked_judges(units, judges)
    exclusions = (*units.exclusions, *estimate_exclusions(units))
    said = weights_said(ratings, "estimate")
    found = study_known(units, known, judges=list(judges))
    return _findings(found, said, **made(ratings, exclusions, seed=seed))


def _findings(
    found: EstimateStudy | MeansStudy | CountsStudy | KnownStudy,
    added: tuple[Sentence, ...] = (),
    **how: Any,
) -> Findings:
    return Findings(
        "estimate",
        rows=found.rows(),
        answer=answer(found),
        summary=summary(found),
        notes=(*notes(found), *added),
        tables=tables(found),
        pictures=charts(found),
        warnings=warnings(found),
        **how,
    )


def _of_counts(
    counts: dict[str, Any], given: Sequence[str], confidence_level: float | None
) -> Findings:
    if not given:
        raise UsageError(
            "estimate",
            "needs a table of ratings or bare counts",
            next_step="Try: goldassay estimate ratings.csv --task task.toml",
        )
    if missing := [name for name in counts if name not in given]:
        raise UsageError("bare counts", f"need {', '.join(missing)} too")
    level = 0.95 if confidence_level is None else confidence_level
    if not 0 < level < 1:
        raise UsageError("--confidence-level", "lies between 0 and 1", found=shown(level))
    known = _known(counts["--specificity"], counts["--sensitivity"])
    if known is not None:
        found = study_known_counts(
            counts["--positives"], counts["--of"], known, confidence_level=level
        )
        return _findings(found)
    found = study_counts(
        counts["--positives"],
        counts["--of"],
        specificity=_fraction("--specificity", counts["--specificity"]),
        sensitivity=_fraction("--sensitivity", counts["--sensitivity"]),
        confidence_level=level,
    )
    return _findings(found)


def _known(specificity: Share | None, sensitivity: Share | None) -> KnownRates | None:
    """Error rates that are numbers; None where they are counts, or not given."""
    rates = {"--specificity": _number(specificity), "--sensitivity": _number(sensitivity)}
    if all(rate is None for rate in rates.values()):
        return None
    for name, rate in rates.items():
        if rate is None:
            raise UsageError(
                name, "must be a number as the other, or both counts, as 140/200 and 180/200"
            )
        if not 0 <= rate <= 1:
            raise UsageError(name, "is a rate from 0 to 1, or counts as 140/200", found=f"{rate:g}")
    return KnownRates(*(rate for rate in rates.values() if rate is not None))


def _number(share: Share | None) -> float | None:
    """A rate, as 0.7 or "0.7"."""
    if isinstance(share, int | float):
        return float(share)
    try:
        return float(share) if isinstance(share, str) else None
    except ValueError:
        return None


def _fraction(name: str, share: Any) -> tuple[float, float]:
    """K of M, as a pair or as the text "K/M"."""
    try:
        hits, trials = (
            float(part) for part in (share.split("/") if isinstance(share, str) else share)
        )
    except (ValueError, TypeError):
        raise UsageError(
            name, "is written as 140/200, or as 0.7 where it is known", found=shown(share)
        ) from None
    return hits, trials
