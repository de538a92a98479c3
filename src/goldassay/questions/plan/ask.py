"""How many human labels do I need, and on which items?"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

from goldassay.counts import count_units, list_unlabelled, that_weigh
from goldassay.errors import UsageError, shown
from goldassay.findings import Findings
from goldassay.frozen import dataclass
from goldassay.questions.asking import (
    SEED,
    CalibrationSource,
    TaskSource,
    Where,
    made,
    ratings_of,
    require_judge,
)
from goldassay.questions.facts import handled
from goldassay.questions.plan.charts import charts
from goldassay.questions.plan.comparison import ASSURANCE, Goal
from goldassay.questions.plan.costs import Costs
from goldassay.questions.plan.pool import plan_exclusions
from goldassay.questions.plan.precision import JudgeRates, Pilot
from goldassay.questions.plan.study import (
    PlanStudy,
    Unlisted,
    judge_to_plan_for,
    study_rates,
    study_ratings,
)
from goldassay.questions.plan.tables import summary, tables
from goldassay.questions.plan.words import answer, notes, warnings
from goldassay.questions.weighing import weights_said
from goldassay.ratings.table import Ratings
from goldassay.results import Sentence

__all__ = ["LENGTH", "plan"]

#: Length of the interval that is planned for.
LENGTH = 0.1

#: A share as 0.9, "90%" or "180/200".
Share = float | str


def plan(
    source: Any = None,
    task: TaskSource = None,
    *,
    only: Where = (),
    exclude: Where = (),
    calibration: CalibrationSource = None,
    judge: str | None = None,
    length: float = LENGTH,
    assurance: float = ASSURANCE,
    labels: int | None = None,
    next: int | None = None,
    positives: float | None = None,
    of: float | None = None,
    sensitivity: Share | None = None,
    specificity: Share | None = None,
    prevalence: float | None = None,
    against: tuple[Share, Share] | str | None = None,
    label_cost: float = 1.0,
    verdict_cost: float = 0.0,
    confidence_level: float = 0.95,
    seed: int = SEED,
) -> Findings:
    """How many labels by people an interval of a given length takes, and how they should fall.

    Parameters
    ----------
    source
        A path, several paths, a frame of any library, or `Ratings`; None to plan from rates alone.
    task
        What the ratings mean: a path, a `Task` or a mapping of its keys.
    only, exclude
        Rows that are looked at, and rows that are not: `["topic=law"]` or `{"topic": "law"}`.
    calibration
        How the labelled items were drawn (`random`, `by_verdict`, `by_label`, `separate`), as in
        the task; or a file of them, which is then a separate set.
    judge
        The judge to plan for; else the one that agrees best so far.
    length
        Length of the interval wanted.
    assurance
        The share of studies in which the interval is to turn out no longer than that.
    labels
        What so many (more) labels give.
    next
        List the next so many items to label (`found.more["next"]`).
    positives, of, sensitivity, specificity, prevalence, against
        Without a table: items called positive of so many, the judge's rates (0.9 or "90%" where
        they are known, "180/200" where a pilot counted them), or a guess of the true rate; another
        judge's "sensitivity,specificity".
    label_cost, verdict_cost
        The price of a label and of a verdict.
    confidence_level
        For rates alone; a table's level is declared in its task.
    seed
        Seed of the choice of items.

    Returns
    -------
    Findings
        Labels needed by design, the split by verdict, lengths of the interval by budget.

    Notes
    -----
    Planned is the very interval that `estimate` will give: clusters, strata, abstentions and the
    size of the pool count. More labels are taken to be drawn as the task declares, and by verdict
    where it declares nothing. What the labels so far do not settle is drawn from its posterior in
    simulated studies, and so is what a pilot's counts do not; rates that the caller gives are taken
    as known.

    References
    ----------
    Lee and others (2026), "How to Correctly Report LLM-as-a-Judge Evaluations", section 6; Cochran
    (1977), "Sampling Techniques"; Adcock (1997), "Sample size determination: a review".

    Examples
    --------
    >>> import goldassay as ga
    >>> found = ga.plan(prevalence=0.2, sensitivity=0.9, specificity=0.7, of=1000, length=0.1)
    >>> print(found.answer[1])
    People alone would need 279 labels.
    >>> ratings = ga.simulate({"prompts": 60, "labelled": 0.3}).ratings()
    >>> ga.plan(ratings, next=5).more["next"]["columns"]
    ['item', 'criterion', 'system']
    """
    _check_ranges(
        ("--length", length, 0.0001, 1.0),
        ("--labels", labels, 2, math.inf),
        ("--next", next, 1, math.inf),
        ("--positives", positives, 0, math.inf),
        ("--of", of, 1, math.inf),
        ("--prevalence", prevalence, 0, 1),
    )
    if not (label_cost > 0 and verdict_cost >= 0):
        raise UsageError(
            "--label-cost, --verdict-cost",
            "a label costs more than 0, a verdict 0 or more",
            found=f"{label_cost:g} and {verdict_cost:g}",
        )
    for name, share, usual in (
        ("--confidence-level", confidence_level, 0.95),
        ("--assurance", assurance, ASSURANCE),
    ):
        if not 0 < share < 1:
            raise UsageError(name, f"lies between 0 and 1, as {usual:g}", found=f"{share:g}")
    goal = Goal(length, labels, Costs(label_cost, verdict_cost), assurance)
    rates = Rates(positives, of, sensitivity, specificity, prevalence, against)
    if source is None:
        if next is not None:
            raise UsageError(
                "--next", "needs a table of ratings", next_step="Give RATINGS and --task"
            )
        return _from_rates(rates, goal, confidence_level)
    if rates != Rates():
        raise UsageError(
            "RATINGS and rates",
            "plan from a table of ratings, or from --prevalence, --sensitivity and --specificity",
            next_step="Give one of the two",
        )
    ratings = ratings_of(source, task, only=only, exclude=exclude, calibration=calibration)
    require_judge(ratings, "labels are planned for a judge's verdicts")
    return _from_ratings(ratings, judge, goal, next, seed)


def _check_ranges(*options: tuple[str, float | None, float, float]) -> None:
    for name, value, least, most in options:
        if value is not None and not least <= value <= most:
            most_words = f" and {most:g} at most" if math.isfinite(most) else ""
            raise UsageError(name, f"is {least:g} or more{most_words}", found=f"{value:g}")


@dataclass(frozen=True, slots=True)
class Rates:
    """What is known without a table."""

    positives: float | None = None
    of: float | None = None
    sensitivity: Share | None = None
    specificity: Share | None = None
    prevalence: float | None = None
    against: tuple[Share, Share] | str | None = None


def _from_ratings(
    ratings: Ratings, judge: str | None, goal: Goal, following: int | None, seed: int
) -> Findings:
    units = that_weigh(count_units(ratings))
    chosen = judge_to_plan_for(units, judge)
    unlisted = None
    if following is not None:
        unlabelled = list_unlabelled(ratings, chosen.judge, strata=ratings.task.strata)
        unlisted = Unlisted(unlabelled, following, seed)
    found = study_ratings(units, chosen, goal, unlisted, seed=seed)
    more = {}
    if (listed := found.following) is not None:
        rows = [list(unit) for unit in listed.units]
        more["next"] = {"columns": list(listed.columns), "rows": rows}
    exclusions = (*units.exclusions, *plan_exclusions(units, chosen.judge))
    weights = weights_said(ratings, "plan")
    told = _findings(found, weights, **made(ratings, exclusions, seed=seed), more=more)
    asked = {"length": goal.length, "assurance": goal.assurance}
    return replace(told, rows=handled(told.rows, ratings.task, **asked))


def _from_rates(known: Rates, goal: Goal, confidence_level: float) -> Findings:
    found = study_rates(
        _judge_rates(known),
        goal,
        items=known.of if known.of is not None else math.inf,
        against=_against(known.against),
        confidence_level=confidence_level,
    )
    return _findings(found)


def _findings(found: PlanStudy, added: tuple[Sentence, ...] = (), **how: Any) -> Findings:
    return Findings(
        "plan",
        rows=found.rows(),
        answer=answer(found),
        notes=(*notes(found), *added),
        summary=summary(found),
        tables=tables(found),
        pictures=charts(found),
        warnings=warnings(found),
        **how,
    )


def _against(rates: tuple[Share, Share] | str | None) -> tuple[float, float] | None:
    """Another judge's sensitivity and specificity."""
    if rates is None:
        return None
    parts = rates.split(",") if isinstance(rates, str) else rates
    shares = [_share(part, "--against") for part in parts]
    if len(shares) != 2:
        raise UsageError("--against", "is sensitivity,specificity, as 0.85,0.8", found=shown(rates))
    return shares[0], shares[1]


def _judge_rates(known: Rates) -> JudgeRates:
    """The judge's rates, with the true rate as guessed or as its verdicts suggest."""
    unknown = known.prevalence is None and known.positives is None
    if known.sensitivity is None or known.specificity is None or unknown:
        raise UsageError(
            "goldassay plan",
            "needs a table of ratings, or --sensitivity, --specificity and --prevalence (or "
            "--positives and --of)",
            next_step="See the examples of goldassay plan --help",
        )
    q1 = _share(known.sensitivity, "--sensitivity")
    q0 = _share(known.specificity, "--specificity")
    called = None
    if known.prevalence is None:
        assert known.positives is not None
        if known.of is None or known.positives > known.of:
            raise UsageError(
                "--positives", "goes with --of, the number of items, and is not more than it"
            )
        called = _whole("--positives", known.positives), _whole("--of", known.of)
    counts = [
        _count(share, option)
        for share, option in (
            (known.sensitivity, "--sensitivity"),
            (known.specificity, "--specificity"),
        )
    ]
    if any(counts):
        pilot = Pilot(called, *counts)
        try:
            return JudgeRates.from_pilot(pilot, known.prevalence, q1, q0)
        except ValueError:
            raise _no_information(known, q1, q0) from None
    if known.prevalence is not None:
        return JudgeRates(known.prevalence, q1, q0)
    assert called is not None
    if q0 + q1 <= 1:
        raise _no_information(known, q1, q0)
    return JudgeRates.from_verdicts(called[0] / called[1], q1, q0)


def _no_information(known: Rates, q1: float, q0: float) -> UsageError:
    if q0 + q1 > 1:
        return UsageError(
            "--positives, --of, --sensitivity and --specificity",
            "contradict one another: no true rate gives so many called positive",
            found=f"{known.positives:g} of {known.of:g}",
            next_step="Check the counts, or give a guess of the true rate: --prevalence",
        )
    return UsageError(
        "--sensitivity and --specificity",
        "must sum to more than 1 to find a true rate from --positives: this judge carries "
        "no information",
        found=f"{q1:g} + {q0:g}",
        next_step="Give a guess of the true rate: --prevalence",
    )


def _whole(option: str, number: float) -> int:
    if number != int(number):
        raise UsageError(option, "is a whole number of items", found=f"{number:g}")
    return int(number)


def _count(share: Share, option: str) -> tuple[int, int] | None:
    """K of M, where a share is written so: a count, and not a rate that is known."""
    if not isinstance(share, str) or "/" not in share:
        return None
    hits, trials = (_whole(option, float(part)) for part in share.split("/"))
    return hits, trials


def _share(share: Share, option: str) -> float:
    """A share as 0.9, 90% or 180/200."""
    match = re.fullmatch(r"\s*([\d.]+)\s*(?:/\s*([\d.]+)|(%))?\s*", str(share))
    try:
        if match is None:
            raise ValueError
        value = float(match[1]) / (float(match[2]) if match[2] else 100.0 if match[3] else 1.0)
        if not 0 <= value <= 1:
            raise ValueError
        return value
    except (ValueError, ZeroDivisionError):
        raise UsageError(
            option, "is a share between 0 and 1, as 0.9, 90% or 180/200", found=shown(share)
        ) from None
