"""What is the true rate behind the judge's rate?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Unpack

from goldassay.counts import count_paired_scores, count_units, that_weigh
from goldassay.errors import UsageError, listed, shown
from goldassay.findings import Findings
from goldassay.passport import Passport
from goldassay.questions.asking import (
    SEED,
    CalibrationSource,
    Columns,
    Rated,
    TaskSource,
    Where,
    filtered,
    ground_of,
    made,
    ratings_of,
    require_judge,
    several,
)
from goldassay.questions.drawing import declared_draw, draw_said
from goldassay.questions.estimate.bare import CountsStudy, study_counts, study_known_counts
from goldassay.questions.estimate.cautions import warnings
from goldassay.questions.estimate.charts import charts
from goldassay.questions.estimate.counting import estimate_exclusions
from goldassay.questions.estimate.item_sets import ItemSets, checked_sets, item_sets, write_sets
from goldassay.questions.estimate.known import KnownRates, KnownStudy, study_known
from goldassay.questions.estimate.lent import Lent, populations
from goldassay.questions.estimate.scores import MeansStudy, study_scores
from goldassay.questions.estimate.set_words import set_sentence, set_table
from goldassay.questions.estimate.study import EstimateStudy, checked_judges, study
from goldassay.questions.estimate.tables import summary, tables
from goldassay.questions.estimate.words import answer_and_notes, population_said
from goldassay.questions.facts import handled
from goldassay.questions.identities import JudgesSource
from goldassay.questions.standing import PassportSource, bound_to, standing_of, with_standing
from goldassay.questions.weighing import weights_said
from goldassay.ratings.table import Ratings
from goldassay.results import Sentence
from goldassay.standing import Standing

__all__ = ["ChangedJudge", "estimate", "estimate_listing"]

ChangedJudge = Literal["refuse", "accept"]

#: Results over all items, with nothing assumed of those without a verdict.
OVER_ALL = ("prevalence_bounds", "prevalence_over_all")
#: Why a judge is needed.
JUDGED = "what is corrected are a judge's verdicts"
#: How often a judge was right on labelled items, 140 of 200; or a known rate, 0.7.
Share = tuple[float, float] | float | str


def estimate(
    source: Any = None,
    task: TaskSource = None,
    *,
    only: Where = (),
    exclude: Where = (),
    calibration: CalibrationSource = None,
    judge: Rated = (),
    strata: Sequence[str] = (),
    positives: float | None = None,
    of: float | None = None,
    specificity: Share | None = None,
    sensitivity: Share | None = None,
    confidence_level: float | None = None,
    passport: PassportSource = None,
    judges: JudgesSource = None,
    changed_judge: ChangedJudge = "refuse",
    set_error: float | None = None,
    sets_out: str | None = None,
    seed: int = SEED,
    **columns: Unpack[Columns],
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
    calibration
        How the labelled items were drawn (`random`, `by_verdict`, `by_label`, `separate`), as in
        the task; or a file of them, which is then a separate set.
    judge
        Only these judges.
    strata
        Columns within which the judge's errors are corrected.
    positives, of, specificity, sensitivity
        Without a table: items called positive, of so many; right on K of M labelled negatives and
        positives, as `(140, 200)` or "140/200". With numbers, as 0.7 and 0.9, both error rates are
        declared as known, and no label is used; that is possible with a table, too.
    confidence_level
        For bare counts; a table's level is declared in its task.
    passport
        A passport of the judge (`certify`): its labels correct the verdicts of this table, in place
        of any labels in it; its task stands where none is given.
    judges
        Who the judges are now, to be held against the passport: a table, a store, a log.
    changed_judge
        Whether to `accept` a judge that is not the one of the passport; `refuse` by default.
    set_error
        A set of options for every item without a label, which holds people's label but for this
        share of items like the labelled ones (split conformal prediction).
    sets_out
        A file (.csv, .jsonl) for these sets.
    seed
        Seed of the draws.
    columns
        What the source holds: `item`, `human`, `reference`, `rater`, `value`, `criterion`,
        `system`, `opponent`, `rows`, `votes`, `label` (docs/reading.md).

    Returns
    -------
    Findings
        `prevalence` is the headline; every valid estimator stands beside it.

    Notes
    -----
    Which estimators are valid follows from the declared design (`docs/estimate.md`), and a result
    says what it assumes: with labels drawn from the judged pool nothing of the judge, with a
    separate set that its error rates are the same there. A system is corrected with its own labels,
    or with those of all where the task declares `shared_labels = true`.

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
    strata = several(strata)
    counts = {
        "--positives": positives,
        "--of": of,
        "--specificity": specificity,
        "--sensitivity": sensitivity,
    }
    given = [name for name, value in counts.items() if value is not None]
    if changed_judge not in ("refuse", "accept"):
        raise UsageError("--changed-judge", "is refuse or accept", found=shown(changed_judge))
    if source is None:
        checked_sets(set_error, sets_out, None)
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
    bound = bound_to(passport, judges)
    held = bound.passport
    if held is not None:
        _check_lent(strata, known, set_error)
        task = held.task if task is None and not isinstance(source, Ratings) else task
    ratings = ratings_of(
        source,
        task,
        only=only,
        exclude=exclude,
        calibration=calibration,
        columns={**columns, "judge": judge},
    )
    judge = filtered(judge, columns)
    require_judge(ratings, JUDGED)
    checked_sets(set_error, sets_out, ratings)
    if known is not None and set_error is not None:
        raise UsageError("--set-error", "needs labels, and with known error rates none is used")
    if known is not None:
        return _of_known(ratings, known, judge, seed)
    if held is not None:
        stands = standing_of(bound, source, ratings, judge=_one_judge(held, ratings, judge))
        if stands.changes and changed_judge == "refuse":
            raise _changed(stands)
        return with_standing(_extended(stands, ratings, seed), stands)
    if ratings.task.scale == "continuous":
        return _of_scores(ratings, seed)
    rates, how = _of_verdicts(ratings, judge, strata, seed)
    found = _findings(rates, ratings=ratings, **how)
    if set_error is None:
        return found
    sets = item_sets(ratings, set_error, judges=list(judge), seed=seed)
    if sets_out is not None:
        write_sets(sets_out, sets)
    return _with_sets(found, sets)


def _check_lent(strata: Sequence[str], known: KnownRates | None, set_error: float | None) -> None:
    """A passport lends its own labels: nothing that says how others are used goes with it."""
    unfit = {"--strata": strata, "--sensitivity": known, "--set-error": set_error}
    if asked := [name for name, one in unfit.items() if one]:
        raise UsageError(asked[0], "cannot be given with a passport, which lends its own labels")


def _of_scores(ratings: Ratings, seed: int) -> Findings:
    """Means of continuous scores."""
    split = [name for name in ("system", "split") if name in ratings.columns]
    pairs = count_paired_scores(ratings, by=split)
    means = study_scores(pairs, ratings.task)
    weights = weights_said(ratings, "estimate", used=False)
    return _findings(means, weights, ratings, **made(ratings, pairs.exclusions, seed=seed))


def estimate_listing(
    ratings: Ratings, choose: Callable[[Mapping[str, int]], str | None], *, seed: int = SEED
) -> Findings:
    """`estimate` with the differences between systems by the one judge that `choose` names.

    It is told how many there are by each judge; where it names none, they are by all.
    """
    if ratings.task.scale == "continuous":
        return estimate(ratings, seed=seed)
    require_judge(ratings, JUDGED)
    rates, how = _of_verdicts(ratings, (), (), seed)
    if (judge := choose(rates.differences())) is not None:
        rates = rates.with_differences_by(judge)
    return _findings(rates, ratings=ratings, **how)


def _of_verdicts(
    ratings: Ratings, judge: Sequence[str], strata: Sequence[str], seed: int
) -> tuple[EstimateStudy, dict[str, Any]]:
    """Rates of options, from the table's own labels, and how they were made."""
    if len(ratings.task.options) < 2:
        raise UsageError(
            "the task",
            "a rate is one of several options",
            found=f"the option {', '.join(ratings.task.options)} alone",
            next_step="Declare all options that a rating may have",
        )
    columns = tuple(dict.fromkeys([*ratings.task.strata, *strata]))
    units = that_weigh(count_units(ratings, by=columns))
    rates = study(units, judges=list(judge), strata=columns, seed=seed)
    by = ("system",) if len(units.options) == 2 else ()
    left_out = estimate_exclusions(units, judge, complete_by=by)
    exclusions = (*units.exclusions, *left_out)
    weights = weights_said(ratings, "estimate")
    drawn = declared_draw(units) if len(units.judge_names) > 1 else None
    said = draw_said(ratings.task, drawn, "within")
    return rates, {
        "added": weights,
        **made(ratings, exclusions, seed=seed, said=said, ground=ground_of(ratings, OVER_ALL)),
    }


def _with_sets(found: Findings, sets: ItemSets) -> Findings:
    """What is known of single items beside what is known of all: asked for, so it is answered."""
    said = [set_sentence(one) for one in sets.judges]
    told = (*found.answer[:1], *said, *found.answer[1:])
    made_ = {f"sets {one.judge}": table for one in sets.judges if (table := set_table(one))}
    return replace(
        found,
        rows=(*found.rows, *sets.rows()),
        answer=told[:3],
        notes=(*told[3:], *found.notes),
        tables={**found.tables, **made_},
    )


def _of_known(ratings: Ratings, known: KnownRates, judges: Sequence[str], seed: int) -> Findings:
    """A table whose judges err at declared rates."""
    if ratings.task.scale == "continuous":
        raise UsageError("--sensitivity, --specificity", "are of verdicts, and these are scores")
    units = that_weigh(count_units(ratings))
    checked_judges(units, judges)
    exclusions = (*units.exclusions, *estimate_exclusions(units, judges))
    said = weights_said(ratings, "estimate")
    found = study_known(units, known, judges=list(judges))
    return _findings(found, said, ratings, **made(ratings, exclusions, seed=seed))


def _one_judge(passport: Passport, ratings: Ratings, judge: Sequence[str]) -> str:
    """The judge of a table that a passport is held against: the one of its name, or as named."""
    name, *more = [judge] if isinstance(judge, str) else judge or [passport.judge]
    if more:
        raise UsageError("--judge", "names one judge: a passport is of one", found=listed(judge))
    if name not in ratings.judges:
        raise UsageError(
            f"the judge {name!r}",
            f"is not in the table; its judges are {listed(ratings.judges) or 'none'}",
            next_step="Name it as this table does: --judge NAME",
        )
    return name


def _changed(stands: Standing) -> UsageError:
    each = [f"{one.field} {one.was!r} there, {one.now!r} here" for one in stands.changes]
    return UsageError(
        stands.passport.name,
        f"is of another judge than {stands.judge!r} is now",
        found=listed(each),
        next_step="Certify the judge as it is now, or accept what may be wrong: "
        "--changed-judge accept",
    )


def _extended(stands: Standing, ratings: Ratings, seed: int) -> Findings:
    """The true rate behind new verdicts, corrected by the errors that a passport holds."""
    passport, name = stands.passport, stands.judge
    if ratings.task.scale == "continuous":
        raise UsageError(
            passport.name,
            "corrects verdicts; scores have no counts of errors",
            next_step='Declare a cut, as cut = ">= 3"',
        )
    units = that_weigh(count_units(ratings))
    lent = Lent(passport.errors, passport.name)
    rates = study(units, judges=[name], lent=lent, seed=seed)
    left_out = estimate_exclusions(units, [name], lent=True)
    found = _findings(
        rates,
        weights_said(ratings, "estimate"),
        ratings,
        **made(ratings, (*units.exclusions, *left_out), seed=seed),
    )
    told = found.answer[0].about.get("criterion") if found.answer else None
    like = sorted(
        populations(units, name, lent),
        key=lambda one: (not one.shift.shifted, one.subject.criterion != told),
    )
    said = [population_said(one) for one in like]
    return replace(
        found,
        answer=(*found.answer[:1], *said[:1], *found.answer[1:])[:3],
        notes=(*found.answer[3 - len(said[:1]) :], *said[1:], *found.notes),
        warnings=(
            *(text.text for one, text in zip(like, said, strict=True) if one.shift.shifted),
            *found.warnings,
        ),
    )


def _findings(
    found: EstimateStudy | MeansStudy | CountsStudy | KnownStudy,
    added: tuple[Sentence, ...] = (),
    ratings: Ratings | None = None,
    **how: Any,
) -> Findings:
    rows = found.rows()
    if ratings is not None:
        rows = handled(rows, ratings.task, calibration=ratings.task.calibration)
    answer, notes = answer_and_notes(found)
    return Findings(
        "estimate",
        rows=rows,
        answer=answer,
        summary=summary(found),
        notes=(*notes, *added),
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
