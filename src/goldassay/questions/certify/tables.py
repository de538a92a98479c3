"""A passport's tables: who the judge is, what binds, and how it erred."""

from __future__ import annotations

from goldassay.passport import Passport
from goldassay.questions.certify.study import CertifyStudy
from goldassay.results import Input, Summary, Table

__all__ = ["summary", "tables"]


def summary(study: CertifyStudy) -> Summary | None:
    """The judge's line of the report."""
    return study.report.summary


def tables(study: CertifyStudy) -> dict[str, Table]:
    passport, inputs = study.passport, study.report.provenance.inputs
    made = {"identity": _identity(passport), "bound": _bound(passport, inputs)}
    if passport.errors:
        made["errors"] = _errors(passport)
    return made


def _identity(passport: Passport) -> Table:
    who = passport.identity
    rows = tuple((name, who[name], who.origin.get(name)) for name in who.known)
    unsaid = (f"Unknown: {', '.join(who.unknown)}.",) if who.unknown else ()
    if not rows:
        rows, unsaid = (("everything", "unknown", None),), ()
    return Table("Who the judge is", ("field", "value", "said by"), rows, unsaid)


def _bound(passport: Passport, inputs: tuple[Input, ...]) -> Table:
    expires = passport.expires
    rows: list[tuple[str, str | int]] = [
        ("judge", passport.judge),
        ("items", passport.population or "not declared"),
        ("date", passport.date),
    ]
    rows += [("holds until", expires.date)] if expires.date else []
    rows += [("holds for verdicts", expires.verdicts)] if expires.verdicts else []
    rows += [] if expires else [("holds until", "not declared")]
    rows += [(f"data {one.name}", one.sha256 or "in memory") for one in inputs]
    return Table("What the results are bound to", ("what", "value"), tuple(rows))


def _errors(passport: Passport) -> Table:
    rows = []
    for one in passport.errors:
        labels = (*one.options, "not labelled")
        for label, counts in zip(labels, one.total, strict=True):
            for verdict, number in zip(one.verdicts, counts, strict=True):
                rows.append((one.criterion, label, verdict, number))
    named = any(one.criterion for one in passport.errors)
    columns = ("criterion", "people say", "the judge says", "items")
    kept = tuple(row if named else row[1:] for row in rows)
    return Table("What the judge said of which label", columns if named else columns[1:], kept)
