"""What a study of agreement holds: results, and whom each is about.

`AgreeStudy` is what was found about verdicts, or (see `continuous`) about scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

import numpy as np
import numpy.typing as npt

from goldassay.frozen import dataclass
from goldassay.inference.draw import Draw
from goldassay.inference.selected import Selected
from goldassay.metrics.tables import constant_side
from goldassay.questions.agree.abstention import Dependence, MissingByJudge
from goldassay.questions.agree.ceiling import Beside
from goldassay.questions.agree.disagreements import Disagreements
from goldassay.questions.agree.levels import CriterionAgreement
from goldassay.questions.agree.modes import Mode
from goldassay.questions.agree.options import OptionAgreement
from goldassay.questions.agree.repeated_scores import RepeatedScores
from goldassay.questions.agree.repeats import Repeats
from goldassay.questions.agree.scores import RiskCoverage
from goldassay.questions.agree.standing import Standing
from goldassay.questions.agree.unlike import UnlikeJudges
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Result, Row
from goldassay.words import counted

__all__ = [
    "AgreeStudy",
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
]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Square:
    """Numbers [L, L] between labels: counts of reference against verdict, kappa between raters."""

    labels: tuple[str, ...]
    values: Floats


@dataclass(frozen=True)
class ModeAgreement:
    """The metrics of the same verdicts under one way to handle what is no plain verdict."""

    mode: Mode
    #: The units that count in it.
    n_items: int
    results: tuple[Result, ...]


@dataclass(frozen=True)
class ProbabilityQuality:
    """How well a judge's probabilities rank and fit people's labels, and the risk they leave."""

    results: tuple[Result, ...]
    risk: RiskCoverage | None


#: The lowest and the highest of some scores.
Range = tuple[float, float]


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
    #: Each option against the others, where there are more than two classes.
    options: tuple[OptionAgreement, ...] = ()
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
    #: Lowest and highest score of the judge and of people, where these look like two scales.
    ranges: tuple[Range, Range] | None = None

    @property
    def degenerate(self) -> list[CriterionAgreement]:
        """The criteria that have no coefficient."""
        return [one for one in self.criteria if one.undefined is not None]

    @property
    def only_ties(self) -> bool:
        """Whether the judge never says which of two is better."""
        return any(
            one.name == "tie_rate" and isinstance(one, Estimate) and one.value == 1
            for one in self.rates
        )

    @property
    def single_option(self) -> bool:
        """Whether people or the judge give one answer only: kappa is 0 then, or undefined.

        Half a credit for a tie makes a kappa above 0 even of a judge that says nothing but ties.
        """
        if self.only_ties:
            return True
        counts = np.eye(2) if self.confusion is None else self.confusion.values
        return bool(min((counts.sum(axis) > 0).sum() for axis in (0, 1)) < 2)

    @property
    def single_side(self) -> str:
        """Who gives one answer only, in words."""
        if self.only_ties:
            return "the judge calls everything a tie"
        return constant_side(np.eye(2) if self.confusion is None else self.confusion.values)

    def rows(self) -> list[Row]:
        here = _about(self.judge)
        rows = _rows(self.micro, here)
        rows += _rows(self.macro, _about(self.judge, "macro"))
        rows += _rows(self.item, _about(self.judge, "item"))
        for one in self.options:
            rows += _rows(one.results, {**here, "option": one.option})
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
    #: How often people call a pair a tie, where that is an option.
    ties: Result | None = None
    #: Raters who saw a selected subset; no number here has their ratings but `ties` and `tied`.
    selected: tuple[Selected, ...] = ()
    #: Pairs of ratings that the others gave, and the units that have one.
    pairs: int = 0
    paired: int = 0
    #: Cohen's kappa of every two people.
    kappa: Square | None = None
    #: Units that people rated, and those on which their vote is tied and left out.
    units: int = 0
    tied: int = 0

    def rows(self) -> list[Row]:
        results = (
            self.abstention,
            self.ties,
            self.mean_pairwise_kappa,
            *self.coefficients,
            self.unanimous,
        )
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
    #: Cohen's kappa of every two judges, and the weights that it has.
    kappa: Square | None = None
    weights: str | None = None
    missing: MissingByJudge | None = None
    #: The judges whose rates of an option differ most surely.
    unlike: UnlikeJudges | None = None
    #: Correlation of the errors of every two judges, and how many independent ones they are worth.
    errors: Square | None = None
    effective: Result | None = None
    juries: tuple[JuryAgreement, ...] = ()
    #: Judges that gave the same verdicts on all of many items.
    copies: tuple[tuple[str, ...], ...] = ()

    def rows(self) -> list[Row]:
        alone = () if self.effective is None else (self.effective,)
        rows = _rows((*self.coefficients, *alone), {"level": "micro"})
        if (unlike := self.unlike) is not None:
            about = {**_about(unlike.often), "other": unlike.seldom, "option": unlike.option}
            rows.append(Row(unlike.difference, about))
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
    #: Units that people gave a label, whether a judge decides them or not.
    n_labelled: int = 0
    #: The share of the units that the largest cluster holds.
    largest_cluster: float = 0.0
    #: The judges in order of merit; None where nobody rated.
    standing: Standing | None = None
    #: Each judge beside people, on the same items; empty where no item has two people's ratings.
    beside: Mapping[str, Beside] = field(default_factory=dict)
    #: Every judge within each label of the columns that were asked for.
    parts: tuple[PartAgreement, ...] = ()
    #: Judges of scores that gave none.
    silent: tuple[SilentJudge, ...] = ()
    #: The criteria, where there are several.
    criteria: tuple[str, ...] = ()
    #: What is decided once (`counts/units.unit_word`).
    unit: str = "item"
    #: Whether labelled units count by unlike weights: a share is then one of their weights.
    weighed: bool = False
    #: Judge -> units that are left out since a rating of them names several options.
    several: Mapping[str, int] = field(default_factory=dict)

    def share_of(self, n_items: int) -> str:
        """So many units, of which a share is told: "120 items", "129 items by weight"."""
        return counted(n_items, self.unit) + (" by weight" if self.weighed else "")

    @property
    def ranked(self) -> tuple[JudgeAgreement, ...]:
        """The judges, best first."""
        if self.standing is None:
            return self.judges
        by_name = {one.judge: one for one in self.judges}
        return tuple(by_name[name] for name in self.standing.order)

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
        if self.standing is not None:
            for name, result in self.standing.on_shared.items():
                rows.append(Row(result, _about(name)))
            for name, result in self.standing.differences.items():
                rows.append(Row(result, {**_about(self.standing.order[0]), "other": name}))
        for name, one in self.beside.items():
            rows += _rows(one.results, _about(name))
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
