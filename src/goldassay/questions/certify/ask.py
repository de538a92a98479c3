"""Bind what was found to the judge it was found of."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from goldassay.counts import count_units, that_weigh
from goldassay.errors import RatingsError, TaskError, UsageError, listed, nearest, shown
from goldassay.findings import Findings
from goldassay.passport import Errors, Identity, Passport, day_of, digest_of, expiry_of, today
from goldassay.questions.asking import RESAMPLES, SEED, TaskSource, Where, declared_task, ratings_of
from goldassay.questions.certify.errors import error_counts
from goldassay.questions.certify.study import CertifyStudy
from goldassay.questions.certify.tables import summary, tables
from goldassay.questions.certify.words import answer, notes, warnings
from goldassay.questions.drawing import by_verdict
from goldassay.questions.identities import (
    JudgesSource,
    declared_identity,
    identities_of,
    judges_input,
)
from goldassay.questions.report.ask import Named, report_of
from goldassay.ratings.drawing import with_strata
from goldassay.ratings.narrow_ratings import narrowed_ratings
from goldassay.ratings.narrowing import narrowing_of
from goldassay.ratings.table import Ratings
from goldassay.results import Estimate

__all__ = ["certify"]


def certify(
    source: Any,
    task: TaskSource = None,
    *,
    only: Where = (),
    exclude: Where = (),
    judge: str | None = None,
    judges: JudgesSource = None,
    identity: Mapping[str, str] | Sequence[str] = (),
    date: str | None = None,
    expires: str | int | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Findings:
    """A judge's passport: the results of a report, bound to who the judge is, on what, when.

    Parameters
    ----------
    source
        A path, several paths, a frame of any library, or `Ratings`.
    task
        What the ratings mean, declared: a path, a `Task` or a mapping of its keys. Its
        `population` says in words of which items the results speak, its `expires` until when the
        passport holds (a day, or a number of verdicts).
    only, exclude
        Rows that are looked at, and rows that are not: `["topic=law"]` or `{"topic": "law"}`.
    judge
        Whose passport it is; not needed where the table has one judge.
    judges
        Who the judges are: a table with a row for each (`rater, model, version, prompt, rubric,
        parameters, parser, realization, source, family, size`), a store of runs, another tool's
        log, or a mapping. A store that the ratings come from is read anyway.
    identity
        Fields of the judge's identity that you declare: a mapping, or texts "model=gpt-4o";
        "prompt=@prompt.txt" takes the digest of a file.
    date
        The day of the passport; by default SOURCE_DATE_EPOCH, or else today.
    expires
        Until when it holds, over the task's: a day, or a number of verdicts.
    resamples, seed
        Draws behind the intervals, and their seed.

    Returns
    -------
    Findings
        `found.save("gpt.passport.json")` writes the passport, `.html` the same as a page.
        `found.more["passport"]` is what binds, `found.more["claims"]` what may be written.

    Notes
    -----
    The results are those of `report` for this judge alone, with the same draws. What is not known
    of a judge is written as unknown. A guessed task gets no passport.

    References
    ----------
    Those of `report`.

    Examples
    --------
    >>> import goldassay as ga
    >>> drawn = ga.simulate(prompts=20)
    >>> who = {"model": "m-1", "prompt": "Is it right?"}
    >>> found = ga.certify(drawn.ratings(), identity=who, date="2026-01-31", resamples=200)
    >>> found.more["passport"]["identity"]["model"]
    {'value': 'm-1', 'from': 'declared'}
    """
    day = today() if date is None else day_of(date, "--date")
    declared = declared_identity(identity, "--identity")
    if not isinstance(source, Ratings):
        task = declared_task(task, source)
    ratings = ratings_of(source, task, only=only, exclude=exclude)
    _check_declared(ratings)
    name = _judge(ratings, judge)
    described = identities_of(source, judges)
    known = described.get(name, Identity())
    alone = _alone(ratings, name)
    report = report_of(alone, Named(), resamples=resamples, seed=seed)
    _check_validated(report)
    where = "the task's expires" if expires is None else "--expires"
    asked, rows = alone.declared or alone.task, narrowing_of(only, exclude)
    passport = Passport(
        judge=name,
        identity=declared.over(known),
        task=asked.to_json(),
        population=asked.population,
        date=day,
        expires=expiry_of(asked.expires if expires is None else expires, where),
        errors=_errors(alone, name),
        only=rows.only,
        exclude=rows.exclude,
    )
    inputs = (*report.provenance.inputs, *judges_input(judges))
    report = replace(report, provenance=replace(report.provenance, inputs=inputs))
    names = None if judges is None else tuple(sorted(described))
    return _sealed(_findings(CertifyStudy(passport, report, names)))


def _findings(study: CertifyStudy) -> Findings:
    report = study.report
    told = warnings(study)
    first = {**report.more["first"], "warnings": len(told)}
    kept = {"judges": report.more["judges"], "first": first, "claims": report.more["claims"]}
    return replace(
        report,
        verb="certify",
        rows=study.rows(),
        answer=answer(study),
        summary=summary(study),
        notes=notes(study),
        tables=tables(study),
        warnings=told,
        more={"passport": study.passport.to_json(), **kept},
    )


def _sealed(found: Findings) -> Findings:
    """The findings with the digest of their document inside it."""
    digest = digest_of(json.loads(found.to_json()))
    passport = {**found.more["passport"], "digest": digest}
    return replace(found, more={**found.more, "passport": passport})


def _check_declared(ratings: Ratings) -> None:
    if ratings.assumed:
        raise TaskError(
            "--task",
            "a passport rests on a declared task; this one was guessed",
            found=shown(ratings.assumed[0], 120),
            next_step="Write the draft with --write-task task.toml, read it, give it by --task",
        )


def _check_validated(report: Findings) -> None:
    """A passport is of a judge that was held against people (or a reference) at all."""
    ordered = any(
        row.result.name == "kendall_tau" and isinstance(row.result, Estimate) for row in report.rows
    )
    if not report.more["first"]["labelled"] and not ordered:
        reasons = {one["verb"]: one["reason"] for one in report.more["not_run"]}
        raise RatingsError(
            "certify",
            "a passport is of a judge that was held against people's labels, and none can be used",
            found=shown(reasons["agree"], 400) if "agree" in reasons else None,
            next_step="Mend that, or have people label some of the items that the judge rated"
            if "agree" in reasons
            else "Have people label some of the items that the judge rated",
        )


def _judge(ratings: Ratings, judge: str | None) -> str:
    """The judge that is certified: the one named, or the only one."""
    known = ratings.judges
    if not known:
        raise RatingsError(
            ratings.name,
            "a passport is a judge's",
            found="no rating of kind judge",
            next_step='Name the judge in the task: [raters] judge = ["..."]',
        )
    if judge is None and len(known) == 1:
        return known[0]
    if judge is None:
        raise UsageError(
            "--judge",
            "must name the judge; a passport is of one",
            found=listed(known),
            next_step=f"As --judge {shlex.quote(known[0])}",
        )
    if judge not in known:
        near = nearest(judge, known)
        raise UsageError(
            f"--judge {judge!r}",
            f"is not in the table; its judges are {listed(known)}",
            next_step=f"Did you mean {near!r}?" if near else None,
        )
    return judge


def _alone(ratings: Ratings, judge: str) -> Ratings:
    """The table without the other judges."""
    others = [name for name in ratings.judges if name != judge]
    if not others:
        return ratings
    drawn = by_verdict(ratings)
    if drawn is not None and drawn.judges != (judge,):
        ratings = with_strata(ratings, drawn)
    alone = narrowed_ratings(ratings, narrowing_of(exclude={"rater": others}))
    before = len(ratings.exclusions)
    apart = [replace(one, reason="another judge's rating") for one in alone.exclusions[before:]]
    return replace(alone, exclusions=(*ratings.exclusions, *apart))


def _errors(ratings: Ratings, judge: str) -> tuple[Errors, ...]:
    if ratings.task.scale == "continuous":
        return ()
    return error_counts(that_weigh(count_units(ratings)), judge)
