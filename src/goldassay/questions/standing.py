"""Whether a passport still speaks of the judge that is asked about, in any question.

A question takes `passport` and `judges`, begins with `bound = bound_to(passport, judges)`, so that
a wrong passport is told before anything is done, and ends with

    return with_passport(found, bound, source, ratings)

which says in its answer that the passport is fresh, stale (and which field changed), expired or
unknown, warns unless it is fresh, and puts the standing into the document and the results.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from goldassay.errors import UsageError
from goldassay.findings import Findings
from goldassay.frozen import dataclass
from goldassay.passport import Identity, Passport, passport_of, read_passport
from goldassay.questions.identities import JudgesSource, identities_of
from goldassay.ratings.table import Ratings
from goldassay.results import Estimate, Input, Row, Sentence
from goldassay.standing import Now, Standing, standing
from goldassay.words import counted, listed, named

__all__ = [
    "Bound",
    "PassportSource",
    "bound_to",
    "given_passport",
    "standing_of",
    "standing_said",
    "with_passport",
    "with_standing",
]

#: A passport's file, the findings of `certify`, their document, or a passport that was read.
PassportSource = Passport | Findings | Mapping[str, Any] | str | os.PathLike[str] | None

#: Sentences of an answer.
MOST = 3


@dataclass(frozen=True, slots=True)
class Bound:
    """A passport, and what says who the judges are now."""

    passport: Passport | None = None
    judges: JudgesSource = None


def bound_to(passport: PassportSource, judges: JudgesSource = None) -> Bound:
    """A passport as it was given, read; who the judges are is asked for a passport alone."""
    if passport is None and judges is not None:
        raise UsageError(
            "--judges",
            "goes with --passport, and says whether it still holds",
            next_step="Give --passport FILE too, or leave --judges out",
        )
    return Bound(given_passport(passport), judges)


def given_passport(given: PassportSource) -> Passport | None:
    """The passport behind whatever was given."""
    if given is None or isinstance(given, Passport):
        return given
    if isinstance(given, Findings):
        return passport_of(json.loads(given.to_json()))
    return passport_of(given) if isinstance(given, Mapping) else read_passport(given)


def with_passport(found: Findings, bound: Bound, source: Any, ratings: Ratings | None) -> Findings:
    """The findings, and whether the passport speaks of the judge that they are about."""
    if bound.passport is None:
        return found
    return with_standing(found, standing_of(bound, source, ratings))


def standing_of(
    bound: Bound, source: Any, ratings: Ratings | None, *, judge: str | None = None
) -> Standing:
    """The standing of a passport towards a judge of a table (by default the one of its name)."""
    passport = bound.passport
    assert passport is not None
    name = judge or passport.judge
    if ratings is None:  # nothing says who the judge is now
        return standing(passport, Now(name))
    known = identities_of(source, bound.judges)
    verdicts = sum(
        rows
        for (kind, rater, status), rows in ratings.census.counts.items()
        if kind == "judge" and rater == name and status == "rated"
    )
    here = name in ratings.judges
    return standing(
        passport,
        Now(
            name,
            known.get(name, Identity()) if here else Identity(),
            (ratings.declared or ratings.task).to_json(),
            verdicts,
        ),
    )


def with_standing(found: Findings, stands: Standing, *, as_result: bool = True) -> Findings:
    """The findings with the standing as a sentence of the answer and in the document.

    `as_result`: and as a result (`passport_fresh`), which a gate can hold.
    """
    said = standing_said(stands)
    answer = (*found.answer[: MOST - 1], said)
    notes = (*found.answer[MOST - 1 :], *found.notes)
    warned = () if stands.word == "fresh" else (said.text,)
    made = found.provenance
    lent = Input(Path(stands.passport.name).name, stands.passport.sha256, 0)
    fresh = Estimate("passport_fresh", float(stands.word == "fresh"), n_items=stands.verdicts or 0)
    return replace(
        found,
        rows=(*found.rows, Row(fresh, {"judge": stands.judge})) if as_result else found.rows,
        answer=answer,
        notes=notes,
        warnings=(*warned, *found.warnings),
        provenance=replace(made, inputs=(*made.inputs, lent)),
        more={**found.more, "standing": stands.to_json()},
    )


def standing_said(stands: Standing) -> Sentence:
    """The standing in one sentence, with everything that speaks against the passport."""
    of = f"The passport of {named(stands.passport.judge)} ({stands.passport.date})"
    said = {
        "stale": f"{of} is stale: {_changed(stands)}",
        "expired": f"{of} is expired: {_expired(stands)}",
        "unknown": f"It is unknown whether the passport of {named(stands.passport.judge)} "
        f"({stands.passport.date}) still holds: {_unknown(stands)}",
        "fresh": f"{of} is fresh: {_same(stands)}",
    }[stands.word]
    also = []
    if stands.expired and stands.word != "expired":
        also.append(f"it is expired too, {_expired(stands)}")
    if stands.unknown and stands.word not in ("unknown",):
        also.append(f"not known now: {listed(list(stands.unknown))}")
    text = "; ".join([said, *also]) + "."
    return Sentence("passport.standing", text, {"judge": stands.judge}, stands.to_json())


def _changed(stands: Standing) -> str:
    each = [f"{one.field} is {named(one.now)}, was {named(one.was)}" for one in stands.changes]
    return listed(each)


def _expired(stands: Standing) -> str:
    expires, told = stands.passport.expires, []
    if expires.date is not None and stands.date > expires.date:
        told.append(f"it held until {expires.date}, and today is {stands.date}")
    if expires.verdicts is not None and (stands.verdicts or 0) > expires.verdicts:
        told.append(
            f"it held for {counted(expires.verdicts, 'verdict')}, and here are "
            f"{stands.verdicts or 0:,}"
        )
    return listed(told)


def _unknown(stands: Standing) -> str:
    was = stands.passport.identity
    never = [name for name in stands.unknown if not was[name]]
    lost = [name for name in stands.unknown if was[name]]
    told = [f"the passport does not say the judge's {listed(never)}"] if never else []
    if lost:
        told.append(f"these ratings do not say the judge's {listed(lost)}")
    return " and ".join(told)


def _same(stands: Standing) -> str:
    until = ""
    expires = stands.passport.expires
    if expires:
        ends = [f"until {expires.date}"] if expires.date else []
        ends += [f"for {counted(expires.verdicts, 'verdict')}"] if expires.verdicts else []
        until = f"; it holds {listed(ends)}"
    return f"the judge has the same {listed(list(stands.same))}{until}"
