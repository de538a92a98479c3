"""A passport in words: what was found, who the judge is, of which items and until when."""

from __future__ import annotations

from goldassay.passport import CORE, Errors, Passport
from goldassay.questions.certify.study import CertifyStudy
from goldassay.results import Sentence
from goldassay.words import counted, listed, named, visible

__all__ = ["answer", "notes", "rows_said", "warnings"]


def answer(study: CertifyStudy) -> tuple[Sentence, ...]:
    """How far to trust the judge; who it is; of what and how long this speaks."""
    return (*study.said()[:1], _who(study.passport), _bound(study.passport))


def notes(study: CertifyStudy) -> tuple[Sentence, ...]:
    """The rest of the report's answer, and what the passport can correct."""
    errors = [_errors(study.passport, one) for one in study.passport.errors]
    return (*study.said()[1:], *errors)


def warnings(study: CertifyStudy) -> tuple[str, ...]:
    """What the passport does not know, then what the report warns of."""
    passport, told = study.passport, []
    until = passport.expires.date
    if until is not None and passport.date > until:
        told.append(
            f"The passport is over before it begins: it is of {passport.date} and holds until "
            f"{until}. Set expires in the task, or give --expires."
        )
    if study.described is not None and passport.judge not in study.described:
        known = [named(one) for one in study.described[:6]]
        known += [f"{len(study.described) - 6:,} more"] if len(study.described) > 6 else []
        told.append(
            f"The file of --judges says nothing of {named(passport.judge)}; it has "
            f"{listed(known) or 'no judge'}."
        )
    missing = [name for name in CORE if not passport.identity[name]]
    program = str(passport.identity["source"] or "").startswith("sha256:")
    if missing and not program:
        told.append(
            f"The judge's {listed(missing)} {'is' if len(missing) == 1 else 'are'} unknown: the "
            f"passport can never be called fresh. Declare it, as --identity {missing[0]}=..., or "
            "give --judges FILE."
        )
    if passport.population is None:
        told.append(
            'Of which items the results speak is not declared: population = "..." in the task.'
        )
    return (*told, *study.warnings)


def _who(passport: Passport) -> Sentence:
    known, unknown = passport.identity.known, passport.identity.unknown
    facts = {"identity": passport.identity.to_json(), "unknown": list(unknown)}
    about = {"judge": passport.judge}
    if not known:
        text = f"Nothing is declared of {named(passport.judge)}: who it is, is unknown."
        return Sentence("certify.identity", text, about, facts)
    told = [f"{name} {named(passport.identity[name])}" for name in known if name in CORE]
    rest = [name for name in known if name not in CORE]
    who = [f"{named(passport.judge)} has the {listed(told)}"] if told else []
    if rest:
        who.append(
            f"also known: {listed(rest)}"
            if told
            else f"Of {named(passport.judge)} is known: {listed(rest)}"
        )
    who += [f"unknown: {listed(list(unknown))}"] if unknown else []
    text = f"{'; '.join(who)}."
    return Sentence("certify.identity", text, about, facts)


def _bound(passport: Passport) -> Sentence:
    items = f"“{visible(passport.population, 300)}”" if passport.population else "items like these"
    rows = rows_said(passport)
    items += f" ({rows})" if rows else ""
    expires, ends = passport.expires, []
    if expires.date is not None:
        ends.append(f"until {expires.date}")
    if expires.verdicts is not None:
        ends.append(f"for {counted(expires.verdicts, 'verdict')}")
    long = f"holds {listed(ends)}" if ends else "declares no end"
    text = f"The passport is of {passport.date}, speaks of {items}, and {long}."
    facts = {
        "date": passport.date,
        "population": passport.population,
        "only": dict(passport.only),
        "exclude": dict(passport.exclude),
        "expires": expires.to_json(),
    }
    return Sentence("certify.bound", text, {"judge": passport.judge}, facts)


def rows_said(passport: Passport) -> str:
    """Which rows were looked at: only `topic` `law`; without `rater` `kim`."""
    said = [("only", passport.only), ("without", passport.exclude)]
    return "; ".join(
        f"{word} {named(column)} {listed([named(one) for one in labels], 'or')}"
        for word, where in said
        for column, labels in where.items()
    )


def _errors(passport: Passport, errors: Errors) -> Sentence:
    """How often the judge was right on each label, or why that cannot be said."""
    where = f" on {named(errors.criterion)}" if errors.criterion else ""
    about = {"judge": passport.judge}
    if errors.criterion:
        about["criterion"] = errors.criterion
    if errors.reason is not None:
        text = (
            f"The passport cannot correct new verdicts of {named(passport.judge)}{where}: "
            f"{errors.reason}."
        )
        return Sentence("certify.no_errors", text, about, {"reason": errors.reason})
    total = errors.total
    right = {
        option: [total[row][row], sum(total[row])] for row, option in enumerate(errors.options)
    }
    told = [f"{_count(hit)} of {_count(of)} {named(option)}" for option, (hit, of) in right.items()]
    text = (
        f"New verdicts of {named(passport.judge)}{where} are corrected as it erred here: right on "
        f"{listed(told)} (estimate --passport)."
    )
    return Sentence("certify.errors", text, about, {"right": right})


def _count(number: float) -> str:
    """A count; of weighted items it need not be whole."""
    return f"{number:,.0f}" if number == round(number) else f"{number:,.1f}"
