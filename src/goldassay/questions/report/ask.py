"""Everything the data allows, in one document."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any, Unpack

from goldassay.counts import GoldFile, JudgesFile, count_units, pairing_exclusions, read_gold
from goldassay.errors import ConflictError, Fault, InputError, SourceError
from goldassay.findings import Findings
from goldassay.frozen import dataclass
from goldassay.passport import Identity
from goldassay.questions.agree.ask import agree
from goldassay.questions.asking import (
    RESAMPLES,
    SEED,
    CalibrationSource,
    Columns,
    Rated,
    TaskSource,
    Where,
    made,
    ratings_of,
)
from goldassay.questions.audit.ask import audit
from goldassay.questions.compare.ask import compare, count_differences
from goldassay.questions.diff.pairing import fingerprint
from goldassay.questions.drawing import by_verdict, draw_said
from goldassay.questions.estimate.ask import estimate, estimate_listing
from goldassay.questions.ground import GroundOfParts
from goldassay.questions.identities import JudgesSource, identities_of, judges_table
from goldassay.questions.plan.ask import plan
from goldassay.questions.rank.ask import rank
from goldassay.questions.replace.ask import replace as stand_in
from goldassay.questions.report.claims import may, may_not
from goldassay.questions.report.sharing import holds, without_items
from goldassay.questions.report.stages import stage
from goldassay.questions.report.study import Part, ReportStudy, study
from goldassay.questions.report.words import answer, fault, nothing
from goldassay.questions.route.ask import route
from goldassay.questions.select.ask import select
from goldassay.questions.standing import PassportSource, bound_to, with_passport
from goldassay.ratings.narrowing import narrowing_of
from goldassay.ratings.pseudonyms import pseudonymous
from goldassay.ratings.table import Ratings
from goldassay.results import Exclusion, Row, Sentence
from goldassay.words import counted, named

__all__ = ["QUESTIONS", "Named", "report", "report_of"]

#: The questions of a report, in the reader's order.
QUESTIONS: Mapping[str, Callable[..., Findings]] = {
    "agree": agree,
    "select": select,
    "estimate": estimate,
    "compare": compare,
    "plan": plan,
    "audit": audit,
    "replace": stand_in,
    "route": route,
    "rank": rank,
}
#: What says nothing about scores without people's.
OF_PEOPLE = ("agree", "estimate")
#: Differences of systems, of all judges together, that a report holds. Of more (32 judges and 18
#: systems make 4,896, eight megabytes of them) it holds those of the judge that agrees best.
MAX_DIFFERENCES = 500
#: Verdicts are kept for a later `goldassay diff` up to this many ratings.
MAX_KEPT_ROWS = 500_000


@dataclass(frozen=True, slots=True)
class Named:
    """The files behind a report as its command lines name them."""

    ratings: tuple[str, ...] = ("RATINGS",)
    task: str = "task.toml"
    gold: str | None = None
    judges: str | None = None
    #: The rows that are looked at, as options.
    rows: tuple[str, ...] = ()

    def without_folders(self) -> Named:
        ratings = tuple(_file_name(one) for one in self.ratings)
        gold, judges = (one and _file_name(one) for one in (self.gold, self.judges))
        return Named(ratings, _file_name(self.task), gold, judges, self.rows)


def report(
    source: Any,
    task: TaskSource = None,
    *,
    only: Where = (),
    exclude: Where = (),
    calibration: CalibrationSource = None,
    gold: str | None = None,
    judges: JudgesSource = None,
    passport: PassportSource = None,
    texts: bool = True,
    pseudonyms: bool = False,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    judge: Rated = (),
    **columns: Unpack[Columns],
) -> Findings:
    """Ask every question that the data and the task allow, and say what may be claimed.

    Parameters
    ----------
    source
        A path, several paths, a frame of any library, or `Ratings`.
    task
        What the ratings mean: a path, a `Task` or a mapping of its keys.
    only, exclude
        Rows that are looked at, and rows that are not: `["topic=law"]` or `{"topic": "law"}`.
    calibration
        How the labelled items were drawn (`random`, `by_verdict`, `by_label`, `separate`), as in
        the task; or a file of them, which is then a separate set.
    gold
        A file for the question of ranking: people's order of systems.
    judges
        A file about the judges, for the report to say who they are and for the question of
        ranking: a table (`judge, model, prompt, parameters, realization, family, system, ...`), a
        store of runs, or another tool's log.
    passport
        A passport of the judge (`certify`): whether it is fresh, stale, expired or unknown.
    texts
        Whether the document may hold something about single items: names and texts in its tables,
        and one character for each verdict under a digest of the item's name, for `diff`.
    pseudonyms
        Call raters that are people "person 1", "person 2", ... in every part of the document.
    resamples, seed
        Draws behind the intervals, and their seed.
    judge
        Whose ratings are a judge's, as `human` says whose are people's.
    columns
        What the source holds: `item`, `human`, `reference`, `rater`, `value`, `criterion`,
        `system`, `opponent`, `rows`, `votes`, `label` (docs/reading.md).

    Returns
    -------
    Findings
        All results, each with the verb that found it; `found.more["parts"]` has every question's
        sentences, tables and charts, `found.more["not_run"]` the questions that were not answered,
        with the reason. `found.save("report.html")` writes the page.

    Notes
    -----
    Each part is what its question says when it is asked alone, with the same draws and seed, and
    assumes what that question assumes.

    References
    ----------
    Those of `agree`, `select`, `estimate`, `compare`, `plan`, `audit`, `replace`, `route` and
    `rank`.

    Examples
    --------
    >>> import goldassay as ga
    >>> ratings = ga.simulate(prompts=20).ratings()
    >>> found = ga.report(ratings, resamples=200)
    >>> [part["verb"] for part in found.more["parts"]]
    ['agree', 'select', 'estimate', 'compare', 'audit', 'replace', 'route', 'rank']
    """
    ratings = ratings_of(
        source,
        task,
        only=only,
        exclude=exclude,
        calibration=calibration,
        columns={**columns, "judge": judge},
    )
    people = read_gold(gold, tie=ratings.task.tie) if gold else None
    described = judges_table(judges)
    who = identities_of(source, judges)
    bound = bound_to(passport, None if passport is None else judges)  # judges serve audit too
    declared = _path(task) or ("" if ratings.assumed else "task.toml")
    about = os.fspath(judges) if isinstance(judges, str | os.PathLike) else None
    # Where people are called by numbers no option may name them.
    rows = () if pseudonyms else narrowing_of(only, exclude).options()
    names = Named(_paths(source) or ("RATINGS",), declared, gold, about, rows)
    if pseudonyms:
        ratings = pseudonymous(ratings)
    found = report_of(ratings, names, resamples=resamples, seed=seed, gold=people, judges=described)
    if not texts:
        found = without_items(found)
    known = {name: who.get(name, Identity()).to_json() for name in ratings.judges}
    more = {"identities": known, "holds": holds(found, ratings, pseudonyms)}
    found = replace(found, more={**found.more, **more})
    return with_passport(found, bound, source, ratings)


def report_of(
    ratings: Ratings,
    names: Named,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    gold: GoldFile | None = None,
    judges: JudgesFile | None = None,
) -> Findings:
    """The report of ratings that were read already; `names` are for its command lines.

    A report is shared: files are named without their folders.
    """
    ratings, names = replace(ratings, name=_without_folders(ratings.name)), names.without_folders()
    parts: list[Part] = []
    not_run: list[dict[str, str]] = []
    failed: list[Sentence] = []
    conflict: ConflictError | None = None
    options = {"resamples": resamples, "seed": seed, "gold": gold, "judges": judges}
    _count_each(ratings)
    for verb, ask in QUESTIONS.items():
        stage(verb)
        if verb in OF_PEOPLE and ratings.task.scale == "continuous" and not ratings.humans:
            reason = f"{ratings.name}: has no rating of kind human to hold scores against."
            not_run.append({"verb": verb, "reason": reason})
            continue
        known = signature(ask).parameters
        told = {key: options[key] for key in _options(verb) if key in known}
        try:
            bounded = BOUNDED.get(verb)
            found = ask(ratings, **told) if bounded is None else bounded(ratings, parts, told)
        except SourceError:  # the table could not be read again: no answer about the question
            raise
        except InputError as error:
            not_run.append({"verb": verb, "reason": str(error)})
            conflict = conflict or (error if isinstance(error, ConflictError) else None)
            continue
        except (OSError, MemoryError):  # of the machine: no question would do better
            raise
        except Exception as error:  # one question that fails takes no other with it
            failed.append(fault(verb, Fault.of(error)))
            step = f"Run `goldassay {verb}` alone with --debug, and report the lines it prints"
            not_run.append({"verb": verb, "reason": f"{failed[-1].text} {step}."})
            continue
        parts.append(Part(verb, found, _command_line(verb, found, ratings, names, options)))
    if conflict is not None and not parts:
        raise conflict
    exclusions, kept = _counted(ratings)
    inputs = [one.input for one in (gold, judges) if one is not None]
    whole = study(parts, ratings.task, ratings.judges)
    return Findings(
        "report",
        rows=_rows(parts),
        answer=(*failed, *(answer(whole) or nothing(not_run))),
        summary=whole.field,
        **made(
            replace(ratings, inputs=(*ratings.inputs, *inputs)),
            exclusions,
            seed=seed,
            ground=GroundOfParts(
                {part.verb: part.found.ground for part in parts if part.found.ground is not None}
            ),
            said=draw_said(ratings.task, by_verdict(ratings), "report"),
        ),
        more=_more(whole) | {"not_run": not_run, "units": kept},
    )


def _count_each(ratings: Ratings) -> None:
    """Count every unit by itself, as `route` and the verdicts for `diff` need them: what the other
    questions count follows from that."""
    kept = ratings.census.rows <= MAX_KEPT_ROWS
    if ratings.judges and (kept or ratings.humans or ratings.resolved is not None):
        with suppress(InputError):  # each question says it of itself
            count_units(ratings, by=ratings.unit)


def _options(verb: str) -> tuple[str, ...]:
    """What a question of a report is told; what is about systems and judges only by `rank`."""
    return ("resamples", "seed", *(("gold", "judges") if verb == "rank" else ()))


def _bounded(ratings: Ratings, parts: Sequence[Part], told: Mapping[str, Any]) -> Findings:
    """Differences in a number that a page can hold: of many, those of one judge alone.

    It is the one that agrees best with people. The others' are counted, and not made.
    """
    number = count_differences(ratings)
    if sum(number.values()) <= MAX_DIFFERENCES or len(number) < 2:
        return compare(ratings, **told)
    chosen, which = _one_of(number, parts)
    n_judges, n_differences = len(number), sum(number.values())
    text = (
        f"By {counted(n_judges, 'judge')} there are {counted(n_differences, 'difference')}; "
        f"these are the differences by {named(chosen)}{which}. Without --judge, goldassay compare "
        "has all."
    )
    facts = {"n_judges": n_judges, "n_differences": n_differences}
    said = Sentence("report.differences", text, {"judge": chosen}, facts)
    first = compare(ratings, judge=[chosen], **told)
    return replace(first, notes=(*first.notes, said))


def _listed(ratings: Ratings, parts: Sequence[Part], told: Mapping[str, Any]) -> Findings:
    """An estimate with as many differences between systems as a page can hold: see `_bounded`."""
    said: list[Sentence] = []

    def listed(number: Mapping[str, int]) -> str | None:
        if sum(number.values()) <= MAX_DIFFERENCES or len(number) < 2:
            return None
        chosen, which = _one_of(number, parts)
        text = (
            f"Of the differences between systems by {counted(len(number), 'judge')} these are "
            f"those by {named(chosen)}{which}; goldassay estimate has all."
        )
        facts = {"n_judges": len(number), "n_differences": sum(number.values())}
        said.append(Sentence("report.differences", text, {"judge": chosen}, facts))
        return chosen

    found = estimate_listing(ratings, listed, **told)
    return replace(found, notes=(*found.notes, *said))


#: Questions that a report asks for no more than a page can hold.
BOUNDED: Mapping[str, Callable[..., Findings]] = {"compare": _bounded, "estimate": _listed}


def _one_of(judges: Iterable[str], parts: Sequence[Part]) -> tuple[str, str]:
    """The judge that agrees best with people, and words that say so; else the first."""
    among = list(judges)
    agreed = [part.found.summary for part in parts if part.verb == "agree"]
    order = [line.label for one in agreed if one is not None for line in one.lines]
    best = next((name for name in order if name in among), None)
    return best or among[0], ", which comes first in agreement with people" if best else ""


def _rows(parts: Sequence[Part]) -> tuple[Row, ...]:
    """The results of all questions, each with the verb that found it."""
    return tuple(
        Row(row.result, {**row.about, "verb": part.verb})
        for part in parts
        for row in part.found.rows
    )


#: What a part of a report holds of its question's own document.
_OF_PART = ("answer", "summary", "sentences", "tables", "charts", "warnings")


def _more(whole: ReportStudy) -> dict[str, Any]:
    """What a report's document holds beside the common part."""
    documents = [(part, part.found.document()) for part in whole.parts]
    return {
        "judges": list(whole.judges),
        "first": whole.first_screen(),
        "claims": {
            "may": [one.to_json() for one in may(whole)],
            "may_not": [one.to_json() for one in may_not(whole)],
        },
        "parts": [
            {"verb": part.verb, **{key: made[key] for key in _OF_PART}, "command": part.command}
            for part, made in documents
        ],
    }


def _file_name(path: str) -> str:
    return Path(path).name or path


def _without_folders(name: str) -> str:
    """The name of a table that may be several files put together."""
    return " + ".join(_file_name(one) for one in name.split(" + "))


def _paths(source: Any) -> tuple[str, ...]:
    if isinstance(source, str | os.PathLike):
        return (os.fspath(source),)
    listed = isinstance(source, Sequence) and all(isinstance(s, str | os.PathLike) for s in source)
    return tuple(os.fspath(one) for one in source) if listed else ()


def _path(task: TaskSource) -> str:
    return os.fspath(task) if isinstance(task, str | os.PathLike) else ""


def _command_line(
    verb: str, found: Findings, ratings: Ratings, names: Named, options: Mapping[str, Any]
) -> str:
    """The command that prints a part again, with the options that the verb has."""
    known = signature(QUESTIONS[verb]).parameters
    words = ["goldassay", verb, *names.ratings, *(["--task", names.task] if names.task else [])]
    words += names.rows
    words += ["--seed", str(options["seed"])] if "seed" in known else []
    if "resamples" in known and options["resamples"] != RESAMPLES:
        words += ["--resamples", str(options["resamples"])]
    for option, path in (("gold", names.gold), ("judges", names.judges)):
        words += [f"--{option}", path] if path and option in _options(verb) else []
    judges = {row.about.get("judge") for row in found.rows} - {None}
    # The majority of all judges is none of them.
    if "judge" in known and len(judges) == 1 < len(ratings.judges) and judges <= {*ratings.judges}:
        words += ["--judge", *map(str, judges)]
    return shlex.join(words)


def _counted(ratings: Ratings) -> tuple[tuple[Exclusion, ...], dict[str, Any] | None]:
    """What pairing judges with people leaves out, and the verdicts kept for `goldassay diff`."""
    if ratings.task.scale == "continuous":
        return (*ratings.exclusions, *ratings.not_rated()), None
    try:
        units = count_units(ratings)
        exclusions = (*units.exclusions, *pairing_exclusions(units))
        if ratings.census.rows > MAX_KEPT_ROWS:
            return exclusions, None
        return exclusions, fingerprint(count_units(ratings, by=ratings.unit), ratings.unit)
    except InputError:
        return (*ratings.exclusions, *ratings.not_rated()), None
