"""What changed between two documents."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence

from goldassay.errors import SourceError, UsageError, shown
from goldassay.findings import Findings
from goldassay.passport import passport_of
from goldassay.questions.diff.charts import charts
from goldassay.questions.diff.identities import met
from goldassay.questions.diff.study import Document, study
from goldassay.questions.diff.tables import summary, tables
from goldassay.questions.diff.words import answer, notes, warnings
from goldassay.questions.standing import PassportSource, given_passport, with_standing
from goldassay.results import SCHEMA, Provenance
from goldassay.sources.opening import read_json
from goldassay.standing import standing

__all__ = ["diff", "read_document"]


def diff(
    old: str | os.PathLike[str] | Document | Findings,
    new: str | os.PathLike[str] | Document | Findings,
    *,
    judge: Mapping[str, str] | Sequence[str] = (),
    passport: PassportSource = None,
) -> Findings:
    """Every number that two documents of one verb share: old, new, and the change.

    Of two reports or two passports also who the judges are, where that changed.

    Parameters
    ----------
    old, new
        Findings, their documents, or the JSON files of `goldassay report` (or any one verb).
    judge
        Judges that changed their names: a mapping, or texts "OLD=NEW".
    passport
        A passport of a judge: whether it speaks of that judge as the new document has it.

    Returns
    -------
    Findings
        Results named after what changed: `accuracy_change`, `cohen_kappa_change`.

    Notes
    -----
    Where both documents hold the verdicts on the same items a change has a paired interval;
    elsewhere the two intervals are combined as if the items differed, which is usually too long.
    So they are where more than 5 % of the labels of shared items are other ones in the new one:
    old verdicts were not given, nor measured, against those. A paired change is of shared items and
    new labels alone, so that it need not be the difference of the two documents' own numbers.
    Clusters are taken to be drawn independently.

    References
    ----------
    Bonett and Price (2012), "Adjusted Wald confidence interval for a difference of binomial
    proportions based on paired data", whose interval the paired one extends; Zou and Donner
    (2008), "Construction of confidence limits about effect measures: a general
    approach", for intervals that are combined.

    Examples
    --------
    >>> import goldassay as ga
    >>> old, new = (ga.simulate(prompts=30, seed=seed).ratings() for seed in (1, 2))
    >>> found = ga.diff(*(ga.agree(one, resamples=200) for one in (old, new)))
    >>> change = found["accuracy_change", "judge"]
    >>> 0.0 in change.interval
    True
    """
    renamed = dict(judge) if isinstance(judge, Mapping) else dict(map(_renaming, judge))
    held = given_passport(passport)
    before, after = _document(old), _document(new)
    try:
        found = study(before, after, renamed=renamed)
        # What rests on a guessed task is provisional here too, and holds no gate.
        assumed = tuple(dict.fromkeys([*before.get("assumed", ()), *after.get("assumed", ())]))
    except (LookupError, TypeError, ArithmeticError, ValueError, AttributeError) as error:
        raise SourceError(
            f"{_named(old, 'old')} or {_named(new, 'new')}",
            f"is damaged ({type(error).__name__}: {shown(str(error))})",
            next_step="Make both again with goldassay report",
        ) from None
    made = Findings(
        "diff",
        rows=found.rows(),
        answer=answer(found),
        summary=summary(found),
        notes=notes(found),
        tables=tables(found),
        pictures=charts(found),
        warnings=warnings(found),
        task=after.get("task") or {},
        provenance=Provenance(),
        assumed=assumed,
        more={"identities": found.identities_json()} if found.identities else {},
    )
    if held is None:
        return made
    return with_standing(made, standing(held, met(after, renamed.get(held.judge, held.judge))))


def _document(given: str | os.PathLike[str] | Document | Findings) -> Document:
    if isinstance(given, Findings):
        return json.loads(given.to_json())  # type: ignore[no-any-return]
    if isinstance(given, Mapping):
        return given
    document = read_document(os.fspath(given))
    if document.get("verb") == "certify":
        passport_of(document, place=os.fspath(given))  # refuses one that was changed
    return document


def _named(given: object, side: str) -> str:
    return os.fspath(given) if isinstance(given, str | os.PathLike) else f"the {side} document"


def _renaming(text: str) -> tuple[str, str]:
    old, sign, new = text.partition("=")
    if not (old and sign and new):
        raise UsageError("--judge", "is OLD=NEW", found=shown(text))
    return old, new


def read_document(path: str) -> Document:
    """A document of goldassay, or an error that says what the file is instead."""
    step = "Make it with: goldassay report ... --out report.json"
    document = read_json(path, "document", next_step=step)
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        found = document.get("schema") if isinstance(document, dict) else type(document).__name__
        raise SourceError(
            path, f"is a goldassay document (schema {SCHEMA})", found=shown(found), next_step=step
        )
    return document
