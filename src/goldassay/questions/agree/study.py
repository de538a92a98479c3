"""Does each judge agree with people? From counts to a study, part by part.

`AgreeStudy` holds what was found about verdicts, or (see `continuous`) about scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from goldassay.counts import By, PairedScores, Units, reference_weights
from goldassay.inference.draw import Draw
from goldassay.questions.agree.abstention import (
    Dependence,
    MissingByJudge,
    dependence,
    difficulty,
    missing_by_judge,
    rate,
    rate_results,
)
from goldassay.questions.agree.bias import length_bias, position_bias
from goldassay.questions.agree.disagreements import Disagreements, disagreements
from goldassay.questions.agree.judges import Reading, micro_results
from goldassay.questions.agree.juries import juries
from goldassay.questions.agree.levels import (
    CriterionAgreement,
    each_criterion,
    item_codes,
    item_results,
    macro_results,
)
from goldassay.questions.agree.modes import Mode, Tables, declared_mode, modes_of, resolved
from goldassay.questions.agree.panels import (
    effective_judges,
    error_correlation,
    inter_rater,
    mean_pairwise_kappa,
    one_verdict,
    pairwise,
)
from goldassay.questions.agree.repeated_scores import RepeatedScores
from goldassay.questions.agree.repeats import Repeats, repeats
from goldassay.questions.agree.scores import RiskCoverage, auc, kuiper, risk_coverage
from goldassay.questions.agree.texts import Texts
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Result, Row

__all__ = [
    "AgreeStudy",
    "Extras",
    "JudgeAgreement",
    "JuryAgreement",
    "ModeAgreement",
    "PanelAgreement",
    "PartAgreement",
    "PeopleAgreement",
    "ProbabilityQuality",
    "SilentJudge",
    "Square",
    "known",
    "study",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


# --- what a study holds -----------------------------------------------------------------------


@dataclass(frozen=True)
class Square:
    """Numbers [L, L] between labels: counts of reference against verdict, kappa between raters."""

    labels: tuple[str, ...]
    values: Floats


@dataclass(frozen=True)
class ModeAgreement:
    """The metrics of the same verdicts under one way to handle what is no plain verdict."""

    mode: Mode
    decisions: int
    results: tuple[Result, ...]


@dataclass(frozen=True)
class ProbabilityQuality:
    """How well a judge's probabilities rank and fit people's labels, and the risk they leave."""

    results: tuple[Result, ...]
    risk: RiskCoverage | None


@dataclass(frozen=True)
class JudgeAgreement:
    """What was found about one judge; empty is what the data cannot give.

    Without people there are its rates, what it leans to, and the classes of its confusion matrix.
    """

    judge: str
    #: All metrics of the pooled decisions; of scores, the correlations.
    micro: tuple[Result, ...] = ()
    criteria: tuple[CriterionAgreement, ...] = ()
    macro: tuple[Result, ...] = ()
    item: tuple[Result, ...] = ()
    #: Counts of reference against verdict.
    confusion: Square | None = None
    #: Coverage, and how often there is something else than a plain verdict.
    rates: tuple[Result, ...] = ()
    #: The declared handling, then the others that differ on this data; empty if none does.
    modes: tuple[ModeAgreement, ...] = ()
    #: What it hangs on whether there is a verdict.
    missing: tuple[Dependence, ...] = ()
    probabilities: ProbabilityQuality | None = None
    repeats: Repeats | RepeatedScores | None = None
    #: What the position and the length of a text do to the verdict.
    leanings: tuple[Result, ...] = ()
    disagreements: Disagreements | None = None

    @property
    def degenerate(self) -> list[CriterionAgreement]:
        """The criteria that have no coefficient."""
        return [one for one in self.criteria if one.undefined is not None]

    @property
    def single_option(self) -> bool:
        """Whether people or the judge use one option only: kappa is 0 then, or undefined."""
        counts = np.eye(2) if self.confusion is None else self.confusion.values
        return bool(min((counts.sum(axis) > 0).sum() for axis in (0, 1)) < 2)

    def rows(self) -> list[Row]:
        here = _about(self.judge)
        rows = _rows(self.micro, here)
        rows += _rows(self.macro, _about(self.judge, "macro"))
        rows += _rows(self.item, _about(self.judge, "item"))
        rows += _rows(self.rates, here)
        for other in self.modes[1:]:
            rows += _rows(other.results, {**here, "mode": other.mode.name})
        for part in (self.probabilities, self.repeats):
            rows += _rows(part.results, here) if part else []
        return rows + _rows(self.leanings, here)


@dataclass(frozen=True)
class SilentJudge:
    """A judge none of whose ratings is a score: how many it gave, and of which kind."""

    judge: str
    ratings: int
    rates: tuple[Result, ...]


@dataclass(frozen=True)
class PartAgreement:
    """A judge on the units with one label of a column."""

    column: str
    label: str
    judge: str
    results: tuple[Result, ...]
    confusion: Square | None = None


@dataclass(frozen=True)
class PeopleAgreement:
    """How far people agree with one another: the ceiling against which a judge is read."""

    #: People by name, or the most ratings of a unit where they are too many to be told apart.
    raters: int
    #: Whether any of their ratings counts, and whether a unit has two of them.
    rated: bool
    several: bool = False
    abstention: Result | None = None
    mean_pairwise_kappa: Result | None = None
    #: Coefficients among all, Krippendorff's alpha first.
    coefficients: tuple[Result, ...] = ()
    unanimous: Result | None = None
    #: Cohen's kappa of every two people.
    kappa: Square | None = None
    #: Units that people rated, and those on which their vote is tied and left out.
    units: int = 0
    tied: int = 0

    def rows(self) -> list[Row]:
        results = (self.abstention, self.mean_pairwise_kappa, *self.coefficients, self.unanimous)
        return _rows((result for result in results if result is not None), {"level": "micro"})


@dataclass(frozen=True)
class JuryAgreement:
    """A panel of judges, scored like a judge, and its gain over its best member."""

    jury: str
    best: str
    gain: Result
    micro: tuple[Result, ...]


@dataclass(frozen=True)
class PanelAgreement:
    """Several judges: how far they agree, err together, and what a jury of them is worth."""

    judges: tuple[str, ...]
    #: Coefficients among all, Krippendorff's alpha first.
    coefficients: tuple[Result, ...]
    #: Cohen's kappa of every two judges.
    kappa: Square | None = None
    missing: MissingByJudge | None = None
    #: Correlation of the errors of every two judges, and how many independent ones they are worth.
    errors: Square | None = None
    effective: Result | None = None
    juries: tuple[JuryAgreement, ...] = ()

    def rows(self) -> list[Row]:
        alone = () if self.effective is None else (self.effective,)
        rows = _rows((*self.coefficients, *alone), {"level": "micro"})
        for one in self.juries:
            rows += _rows((*one.micro, one.gain), _about(one.jury))
        return rows


@dataclass(frozen=True)
class AgreeStudy:
    """Every judge, people among themselves, and the judges among themselves."""

    task: Task
    draw: Draw
    n_units: int
    n_clusters: int
    judges: tuple[JudgeAgreement, ...]
    people: PeopleAgreement
    panel: PanelAgreement | None = None
    #: Every judge within each label of the columns that were asked for.
    parts: tuple[PartAgreement, ...] = ()
    #: Judges of scores that gave none.
    silent: tuple[SilentJudge, ...] = ()
    #: The criteria, where there are several.
    criteria: tuple[str, ...] = ()

    @property
    def rates(self) -> dict[str, dict[str, float]]:
        """Coverage, abstention and the like of every judge, where they are known."""
        found = {judge.judge: known(judge.rates) for judge in self.judges}
        found |= {judge.judge: known(judge.rates) for judge in self.silent}
        return dict(sorted(found.items()))

    @property
    def degenerate(self) -> dict[str, str]:
        """Criteria without a coefficient, and the counts that show why."""
        return {one.label: one.counts for judge in self.judges for one in judge.degenerate}

    def rows(self) -> tuple[Row, ...]:
        """Judges, parts, criteria that are undefined and have no part, people, panels."""
        rows = [row for judge in self.judges for row in judge.rows()]
        for silent in self.silent:
            rows += _rows(silent.rates, _about(silent.judge))
        for part in self.parts:
            rows += _rows(part.results, {**_about(part.judge), part.column: part.label})
        if all(part.column != "criterion" for part in self.parts):
            rows += [
                Row(one.undefined, {**_about(judge.judge), "criterion": one.label})
                for judge in self.judges
                for one in judge.criteria
                if one.undefined is not None
            ]
        rows += self.people.rows()
        return (*rows, *(self.panel.rows() if self.panel else ()))


def known(results: Iterable[Result]) -> dict[str, float]:
    """The values of results that are defined, by name."""
    return {result.name: result.value for result in results if isinstance(result, Estimate)}


def _about(judge: str, level: str = "micro") -> dict[str, str]:
    return {"judge": judge, "level": level}


def _rows(results: Iterable[Result], about: Mapping[str, str]) -> list[Row]:
    return [Row(result, about) for result in results]


# --- from counts ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Extras:
    """What some answers need beside the units."""

    #: People as raters: `Units` whose verdict columns are the people.
    people: Units | None = None
    pairs: PairedScores | None = None
    texts: Texts | None = None
    #: How many items on which a judge and people differ are listed.
    items: int = 0


def study(
    units: Units, *, draw: Draw, by: Sequence[str] = (), extras: Extras | None = None
) -> AgreeStudy:
    """Does each judge agree with people? Everything that the counts can say."""
    extras = extras or Extras()
    reading = Reading(units.task, declared_mode(units.task), draw)
    criterion, plain = _criteria(units), units.plain
    judges = tuple(
        _with_details(_judge(plain, judge, reading, extras), units, reading, extras)
        for judge in units.judge_names
    )
    return AgreeStudy(
        task=units.task,
        draw=draw,
        n_units=int(units.n.sum()),
        n_clusters=units.n_clusters,
        judges=judges,
        people=_people(plain, extras.people, draw),
        panel=_panel(plain, judges, reading) if len(judges) > 1 else None,
        parts=tuple(part for column in by for part in _parts(units, column, reading)),
        criteria=criterion.labels if criterion else (),
    )


def _rated(units: Units) -> bool:
    """Whether any rating of a person counts, an abstention too."""
    return bool(units.human[:, : len(units.options) + 1].any())


def _criteria(units: Units) -> By | None:
    found = units.by.get("criterion")
    return found if found is not None and len(found.labels) > 1 else None


def _square(tables: Tables) -> Square:
    return Square(tables.labels, tables.total)


def _judge(units: Units, judge: str, reading: Reading, extras: Extras) -> JudgeAgreement:
    """One judge, from what every question keeps apart (`Units.plain`)."""
    draw, levels, columns = reading.draw, reading.task.levels, units.columns_of(judge)
    verdict = units.verdict[:, columns]
    tables = resolved(units, verdict, reading.mode)
    found = JudgeAgreement(
        judge,
        confusion=_square(tables),
        rates=rate_results(units, verdict, draw),
        leanings=tuple(position_bias(units, judge, draw)),
    )
    if not _rated(units):
        return found
    if criterion := _criteria(units):
        found = replace(
            found,
            criteria=each_criterion(tables, reading, criterion),
            macro=macro_results(tables, reading, criterion) if "macro" in levels else (),
        )
    micro = micro_results(tables, reading)
    asked_again = len({units.samples[column] for column in columns}) > 1
    return replace(
        found,
        micro=micro,
        modes=_modes(units, verdict, reading, ModeAgreement(reading.mode, _size(tables), micro)),
        probabilities=_probabilities(extras.pairs, judge, reading),
        repeats=repeats(units, verdict, reading.mode, draw) if asked_again else None,
    )


def _with_details(
    found: JudgeAgreement, units: Units, reading: Reading, extras: Extras
) -> JudgeAgreement:
    """What hangs on the item, its text, or a column that was asked for."""
    verdict = units.verdict[:, units.columns_of(found.judge)]
    if extras.items:
        listed = disagreements(units, verdict, limit=extras.items, texts=extras.texts)
        found = replace(found, disagreements=listed)
    if not _rated(units):
        return found
    if extras.texts is not None:
        reference, _, _ = reference_weights(units)
        length = length_bias(units, verdict, reference, extras.texts, reading.draw)
        found = replace(found, leanings=(*found.leanings, length))
    if _criteria(units) and "item" in reading.task.levels:
        tables = resolved(units, verdict, reading.mode)
        found = replace(found, item=item_results(tables, reading, item_codes(units)))
    return replace(found, missing=_missing(units, verdict))


def _size(tables: Tables) -> int:
    return round(float(tables.total.sum()))


def _modes(
    units: Units, verdict: Ints, reading: Reading, declared: ModeAgreement
) -> tuple[ModeAgreement, ...]:
    size = len(units.options)
    abstained = bool((verdict == size).any() or units.human[:, size].any())
    invalid = bool((verdict == size + 1).any())
    others = modes_of(reading.task, abstained=abstained, invalid=invalid)[1:]
    found = []
    for mode in others:
        tables = resolved(units, verdict, mode)
        results = micro_results(tables, replace(reading, mode=mode))
        found.append(ModeAgreement(mode, _size(tables), results))
    return (declared, *found) if found else ()


def _missing(units: Units, verdict: Ints) -> tuple[Dependence, ...]:
    by = {name: (one.labels, one.codes) for name, one in units.by.items() if name != "item"}
    hard = difficulty(units)
    return dependence(units, verdict, by if hard is None else {**by, "difficulty": hard})


def _probabilities(
    pairs: PairedScores | None, judge: str, reading: Reading
) -> ProbabilityQuality | None:
    if pairs is None or judge not in pairs.judges or reading.task.scale != "binary":
        return None
    score = pairs.judge[pairs.judges.index(judge)]
    area = auc(score, pairs.people, pairs.cluster, reading.draw)
    results = [area, *kuiper(score, pairs.people)]
    risk = risk_coverage(score, pairs.people)
    if risk is not None:
        n_items = int(np.isfinite(score).sum())
        results.append(Estimate("risk_coverage_area", risk.area, None, n_items, 0))
    return ProbabilityQuality(tuple(results), risk)


def _parts(units: Units, column: str, reading: Reading) -> list[PartAgreement]:
    found = []
    for label in units.by[column].labels:
        part = units.only(column, label)
        for judge in units.judge_names:
            tables = resolved(part, part.verdict[:, part.columns_of(judge)], reading.mode)
            results = micro_results(tables, reading)
            name = label or "(none)"
            found.append(PartAgreement(column, name, judge, results, _square(tables)))
    return found


def _people(units: Units, people: Units | None, draw: Draw) -> PeopleAgreement:
    """People among themselves; `people` are `Units` whose verdict columns are the people."""
    size = len(units.options)
    counts, abstained = units.human[:, :size], units.human[:, size].astype(float)
    asked = units.human.astype(float).sum(1)
    found = PeopleAgreement(
        raters=len(people.judges) if people is not None else int(asked.max(initial=0)),
        rated=_rated(units),
        abstention=rate(units, "human_abstention_rate", abstained, asked, draw)
        if abstained.any()
        else None,
    )
    several = counts.sum(1) > 1
    if not several.any():
        return found
    _, _, state = reference_weights(units)
    unanimous = several & ((counts > 0).sum(1) == 1)
    found = replace(
        found,
        several=True,
        coefficients=inter_rater(counts, units, draw, prefix="human_"),
        unanimous=rate(units, "human_unanimous_rate", unanimous * 1.0, several * 1.0, draw),
        units=int(units.n[state != 1].sum()),
        tied=int(units.n[state == 2].sum()),
    )
    if people is None or len(people.judges) < 2:
        return found
    kappa, _ = pairwise(people.verdict, people.n, people.judges, size)
    mean = None
    if np.isfinite(kappa).any():
        mean = mean_pairwise_kappa("human_mean_pairwise_kappa", people, people.verdict, draw)
    return replace(found, kappa=Square(people.judges, kappa), mean_pairwise_kappa=mean)


def _panel(units: Units, judges: Sequence[JudgeAgreement], reading: Reading) -> PanelAgreement:
    size, draw = len(units.options), reading.draw
    names = tuple(one.judge for one in judges)
    codes = np.stack(
        [one_verdict(units.verdict[:, units.columns_of(name)], size) for name in names], 1
    )
    counts = np.stack([(codes == k).sum(1) for k in range(size)], 1)
    # Conger's kappa needs every judge's own margin.
    complete = codes if (codes >= 0).any(0).all() else None
    kappa, _ = pairwise(codes, units.n, names, size)
    found = PanelAgreement(
        judges=names,
        coefficients=inter_rater(counts, units, draw, prefix="judges_", rater_codes=complete),
        kappa=Square(names, kappa),
        missing=missing_by_judge(
            units, {one.judge: known(one.rates).get("coverage", 1.0) for one in judges}
        ),
    )
    if not _rated(units):
        return found
    reference = reference_weights(units)[0][:, :size]
    return replace(
        found,
        errors=Square(names, error_correlation(codes, reference, units.n)),
        effective=effective_judges(units, codes, reference, draw),
        juries=tuple(
            JuryAgreement(one.name, one.best, one.gain, micro_results(one.tables, reading))
            for one in juries(units, codes, names, reading)
        ),
    )
