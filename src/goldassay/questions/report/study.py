"""What a report's first screen stands on: whom it speaks of, the true rate, agreement, rivals.

Everything is taken from the results and summaries of the questions that were answered, by name and
by whom they are about; nothing is computed again and nothing is read from prose.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from goldassay.findings import Findings
from goldassay.frozen import dataclass
from goldassay.questions.agree.words import WORTH_FIRST
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Line, Result, Row, Sentence, Summary, Undefined
from goldassay.words import is_outside, named

__all__ = ["Agreement", "Part", "ReportStudy", "Shift", "Strip", "Use", "study"]

#: Keys of a row that do not make it special: whom it is about, and how it was put together.
_PLAIN = frozenset({"judge", "level", "verb", "aggregation", "estimator"})
#: Numbers whose absence the first screen counts.
CORE = frozenset({"accuracy", "balanced_accuracy", "cohen_kappa", "prevalence", "kendall_tau"})
#: Judges and criteria that the first screen shows; the sections below have the rest.
MOST_JUDGES, MOST_STRIPS, MOST_SYSTEMS = 8, 6, 8


@dataclass(frozen=True, slots=True)
class Part:
    """A question that was answered, and the command that asks it again."""

    verb: str
    found: Findings
    command: str


#: Draws of labels of which the share that says yes is no rate of all items.
_CHOSEN = ("by_verdict", "by_label", "separate")


@dataclass(frozen=True, slots=True)
class Strip:
    """A true rate beside the judge's own and beside what people's labels alone say."""

    option: str
    criterion: str | None
    true: Estimate
    called: Estimate | None
    labels: Estimate | None

    @property
    def outside(self) -> float:
        """How far the judge's own rate lies outside the interval; below 0 inside of it."""
        interval = self.true.interval
        if self.called is None or interval is None:
            return float("-inf")
        return max(interval.low - self.called.value, self.called.value - interval.high)

    @property
    def apart(self) -> bool:
        """Whether the judge's own rate lies outside what the labels allow."""
        interval = self.true.interval
        if self.called is None or interval is None:
            return False
        return is_outside(self.called.value, interval.low, interval.high)

    def to_json(self) -> dict[str, Any]:
        return {
            "option": self.option,
            "criterion": self.criterion,
            **{key: _number(getattr(self, key)) for key in ("true", "called", "labels")},
        }


@dataclass(frozen=True, slots=True)
class Mean:
    """People's mean score beside the judge's own."""

    true: Estimate
    interval: Interval
    called: Estimate
    labelled: int
    criterion: str | None = None

    @property
    def where(self) -> str:
        """On which criterion, in words."""
        return f" on {named(self.criterion)}" if self.criterion else ""

    @property
    def off(self) -> float:
        """How far the judge's own mean is from people's."""
        return abs(self.called.value - self.true.value)

    @property
    def apart(self) -> bool:
        """Whether the judge's own mean lies outside what the labels allow."""
        return self.called.value not in self.interval

    def to_json(self) -> dict[str, Any]:
        return {"true": _number(self.true), "called": _number(self.called)}


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often the judge gives people's verdict, beside chance and beside people themselves."""

    agreed: Estimate
    chance: Estimate | None
    #: On equal terms, the same items: a person with the judge, with another person, the difference.
    person: Estimate | None = None
    people: Estimate | None = None
    gap: Estimate | None = None

    def to_json(self) -> dict[str, Any]:
        keys = ("agreed", "chance", "person", "people", "gap")
        return {key: _number(getattr(self, key)) for key in keys}


@dataclass(frozen=True, slots=True)
class Shift:
    """A system's rate (or mean) as the judge has it, and corrected by people's labels."""

    system: str
    true: Estimate
    called: Estimate | None

    def to_json(self) -> dict[str, Any]:
        shown = {key: _number(getattr(self, key)) for key in ("true", "called")}
        return {"system": self.system, **shown}


@dataclass(frozen=True, slots=True)
class Use:
    """What the task calls good enough, and whether the interval reaches it."""

    metric: str
    at_least: float
    found: Result

    @property
    def word(self) -> str:
        """Yes or no when the whole interval says so; otherwise it cannot be told."""
        if isinstance(self.found, Undefined) or self.found.interval is None:
            return "cannot tell"
        low, high = self.found.interval.low, self.found.interval.high
        return "yes" if low >= self.at_least else "no" if high < self.at_least else "cannot tell"

    def to_json(self) -> dict[str, Any]:
        return {
            "metric": self.metric,
            "at_least": self.at_least,
            "word": self.word,
            "found": _number(self.found),
        }


@dataclass(frozen=True, slots=True)
class ReportStudy:
    """What was found about the judge that the report speaks of, and beside it."""

    task: Task
    parts: tuple[Part, ...]
    judges: tuple[str, ...]
    #: The judge to speak of: the one that `select` puts first, or else the one that agrees most.
    judge: str | None = None
    #: Everybody whom `select` cannot tell from it.
    rivals: tuple[str, ...] = ()
    #: Judges by the number that decides, best first.
    field: Summary | None = None
    strips: tuple[Strip, ...] = ()
    agreement: Agreement | None = None
    shifts: tuple[Shift, ...] = ()
    #: Kendall's tau of the judge's and people's order of systems.
    order: Estimate | None = None
    #: The judge that orders systems most like people where that is another one, and its tau.
    orderly: tuple[str, Estimate] | None = None
    use: Use | None = None

    @property
    def unit(self) -> str:
        """What is decided once, as `agree` calls it: an item, or one of its criteria."""
        agree = self.part("agree")
        said = (*agree.answer, *agree.notes) if agree else ()
        return next((str(one.facts["unit"]) for one in said if "unit" in one.facts), "item")

    @property
    def level_by_order(self) -> tuple[str, ...]:
        """The judges that `rank` cannot tell from its first, by their orders of systems."""
        rank = self.part("rank")
        lines = rank.summary.lines if rank and rank.summary else ()
        return tuple(line.label for line in lines if line.tied)

    def part(self, verb: str) -> Findings | None:
        return next((part.found for part in self.parts if part.verb == verb), None)

    @property
    def compared(self) -> bool:
        """Whether judges were compared with one another at all."""
        some = len(self.judges) - len(self.left_out)
        return self.field is not None and self.judge is not None and some > 1

    @property
    def left_out(self) -> tuple[str, ...]:
        """The judges that the others are not compared with: they decide too little, or leave out
        what people label so."""
        for verb in ("select", "agree"):
            part = self.part(verb)
            for one in (*part.answer, *part.notes) if part else ():
                if one.key in ("select.told_apart", "select.only", "agree.told_apart"):
                    left = one.facts.get("not_compared", ())
                    return tuple(judge for judge in self.judges if judge in left)
        return ()

    @property
    def among(self) -> str:
        """How many judges the first is compared with, itself included, in words."""
        left, many = len(self.left_out), len(self.judges)
        return f"the {many - left} judges that are compared" if left else f"{many} judges"

    @property
    def criterion(self) -> str:
        """The name of the number that decides between judges."""
        return self.field.columns[0] if self.field else ""

    def result(self, verb: str, name: str, judge: str | None = None) -> Estimate | None:
        found = self.part(verb)
        return _plain(found, name, judge=judge) if found else None

    @property
    def compared_systems(self) -> Sentence | None:
        """What `compare` says first of the systems: who leads, or which of two is better."""
        found = self.part("compare")
        first = found.answer[0] if found and found.answer else None
        known = first is not None and first.key in ("compare.leaders", "compare.verdict")
        return first if known else None

    @property
    def level_systems(self) -> tuple[str, ...]:
        """The systems that `compare` cannot tell from the one that leads, by the same judge."""
        said = self.compared_systems
        by_it = said is not None and said.about.get("judge") == self.judge
        tied = said.facts.get("tied", ()) if said is not None and by_it else ()
        return tuple(one.system for one in self.shifts[1:] if one.system in tied)

    @property
    def _shown_shifts(self) -> list[Shift]:
        """The systems of the first screen in order of merit: the best, those that cannot be told
        from it, and as many of the others as there is room for."""
        level = self.level_systems
        by_need = sorted(
            self.shifts, key=lambda one: (one is not self.shifts[0], one.system not in level)
        )
        kept = {one.system for one in by_need[:MOST_SYSTEMS]}
        return [one for one in self.shifts if one.system in kept]

    @property
    def mean(self) -> Mean | None:
        """People's mean score behind the judge's, where `estimate` speaks of one of all systems; of
        several criteria the one on which the judge is furthest off."""
        found = self.part("estimate")
        means = []
        for said in (*found.answer, *found.notes) if found else ():
            about = {key: said.about.get(key) for key in ("judge", "criterion")}
            if said.key != "estimate.mean_score" or said.facts["other_scale"]:
                continue
            if said.about.get("system") or about["judge"] != self.judge:
                continue
            true, called = (
                _plain(found, name, **about) for name in ("mean_score", "mean_score_naive")
            )
            if true and true.interval and called:
                labelled = int(said.facts["labelled"])
                means.append(Mean(true, true.interval, called, labelled, about["criterion"]))
        return max(means, key=lambda one: one.off, default=None)

    @property
    def items(self) -> int:
        """Units that were rated, as `agree` counts them; else those of the rate."""
        known = [one.n_items for one in (self._rate, self._agreed) if one]
        return max([*known, int(self._fact("agree", "agree.methods", "n_units") or 0)])

    @property
    def labelled_by_all(self) -> int:
        """Units that people labelled, where that is every one, as `estimate` has it; else 0."""
        return round(self._fact("estimate", "estimate.all_labelled", "labelled") or 0)

    def unlike_others(self, criterion: str | None) -> Sentence | None:
        """What refutes that the labels behind a rate were drawn at random, as `estimate` says."""
        found = self.part("estimate")
        return next(
            (
                said
                for said in ((*found.answer, *found.notes) if found else ())
                if said.key == "estimate.not_random" and said.about.get("criterion") == criterion
            ),
            None,
        )

    def said_of_judge(self, verb: str, key: str) -> Mapping[str, Any]:
        """The facts of what a question says of the judge; none where it does not say it."""
        found = self.part(verb)
        every = (*found.answer, *found.notes) if found else ()
        own = (one for one in every if one.key == key and one.about.get("judge") == self.judge)
        return next((one.facts for one in own), {})

    @property
    def undecided(self) -> Mapping[str, Any]:
        """What `agree` says that the judge leaves undecided, where its agreement is of the rest and
        that is worth telling first; else nothing."""
        silent = self.said_of_judge("agree", "agree.coverage")
        of_decided = self.said_of_judge("agree", "agree.accuracy").get("of_decided")
        return silent if of_decided and silent.get("missing", 0.0) >= WORTH_FIRST else {}

    def _fact(self, verb: str, key: str, name: str) -> Any:
        found = self.part(verb)
        said = (*found.answer, *found.notes) if found else ()
        return next((one.facts.get(name) for one in said if one.key == key), None)

    @property
    def labelled(self) -> int:
        """Those of them that people labelled, whether the judge decides them or not."""
        both = self._agreed.n_items if self._agreed else 0
        return max(both, int(self._fact("agree", "agree.methods", "n_labelled") or 0))

    @property
    def _rate(self) -> Estimate | None:
        return self.strips[0].true if self.strips else None

    @property
    def _agreed(self) -> Estimate | None:
        return (
            self.agreement.agreed if self.agreement else self.result("agree", "pearson", self.judge)
        )

    @property
    def undefined(self) -> tuple[Row, ...]:
        """Results of the main names that this data cannot give."""
        return tuple(
            row
            for part in self.parts
            for row in part.found.rows
            if isinstance(row.result, Undefined) and row.result.name in CORE
        )

    @property
    def _shown_strips(self) -> Sequence[Strip]:
        """All of them where there is room, else those on which the judge is furthest off."""
        if len(self.strips) <= MOST_STRIPS:
            return self.strips
        return sorted(self.strips, key=lambda one: -one.outside)[:MOST_STRIPS]

    def first_screen(self) -> dict[str, Any]:
        """The numbers of the first screen, for the page."""
        return {
            "judge": self.judge,
            "judges": len(self.judges),
            "items": self.items,
            "labelled": max(self.labelled, self.labelled_by_all),
            "unit": self.unit,
            "mean": mean.to_json() if (mean := self.mean) and not mean.criterion else None,
            "strips": [
                strip.to_json() | ({"refuted": True} if self.unlike_others(strip.criterion) else {})
                for strip in self._shown_strips
            ],
            "strips_in_all": len(self.strips),
            "agreement": self.agreement.to_json() | ({"of_decided": True} if self.undecided else {})
            if self.agreement
            else None,
            "compared": len(self.judges) - len(self.left_out),
            "field": _first(self.field, self.left_out).to_json()
            if self.compared and self.field
            else None,
            "tied": 1 + len(self.rivals) if self.compared else None,
            "systems": [shift.to_json() for shift in self._shown_shifts],
            "systems_in_all": len(self.shifts),
            "systems_level": list(self.level_systems),
            "order": _number(self.order),
            "use": self.use.to_json() if self.use else None,
            "undefined": len(self.undefined),
            "warnings": sum(len(part.found.warnings) for part in self.parts),
        }


def study(parts: Sequence[Part], task: Task, judges: Sequence[str]) -> ReportStudy:
    """Choose the judge to speak of, and find its numbers.

    `judges` are the raters of the table that are judges; panels made of them are not spoken of.
    """
    found = {part.verb: part.found for part in parts}
    field = _field(found, task, judges)
    judge = field.lines[0].label if field else _most_agreeing(found, judges)
    rivals = tuple(line.label for line in field.lines[1:] if line.tied) if field else ()
    order = _tau(found.get("rank"), judge)
    # How often a side wins is the rate of a place, which is nobody's where systems change sides.
    wins = "win_rate" if task.scale == "pairwise" else "mean_score"
    compared = tuple(_compared(found.get("compare"), wins, judge))
    winners = compared if task.scale == "pairwise" else ()
    return ReportStudy(
        task,
        tuple(parts),
        tuple(judges),
        judge=judge,
        rivals=rivals,
        field=field,
        strips=() if winners else tuple(_strips(found.get("estimate"), judge, task)),
        agreement=_agreement(found.get("agree"), judge),
        shifts=compared or tuple(_shifts(found.get("estimate"), judge)),
        order=order,
        orderly=_orderly(found.get("rank"), judge, order),
        use=_use(task, found, judge),
    )


def _field(found: Mapping[str, Findings], task: Task, judges: Sequence[str]) -> Summary | None:
    """The summary that puts judges in order, without the candidates that are no judge.

    Real-valued scores, which `select` has no criterion for, by how they go with people's, as
    `compare` takes its judge; by the order of systems where that is the goal.
    """
    scores = task.scale == "continuous" and task.goal != "ranking"
    for verb in ("select", *(("agree", "rank") if scores else ("rank", "agree"))):
        summary = found[verb].summary if verb in found else None
        lines = [line for line in summary.lines if line.label in judges] if summary else []
        if summary and any(isinstance(line.cells[0], Estimate) for line in lines):
            return Summary(summary.about, summary.columns, tuple(lines), summary.notes)
    return None


def _first(field: Summary, left_out: Sequence[str]) -> Summary:
    """The first lines of judges that are compared, and of each the number that decides."""
    kept = [one for one in field.lines if one.label not in left_out][:MOST_JUDGES]
    lines = tuple(Line(one.label, one.cells[:1], one.tied) for one in kept)
    return Summary(field.about, field.columns[:1], lines)


def _most_agreeing(found: Mapping[str, Findings], judges: Sequence[str]) -> str | None:
    ways = (
        ("agree", "balanced_accuracy"),
        ("agree", "accuracy"),
        ("rank", "kendall_tau"),
        ("agree", "pearson"),
    )
    for verb, name in ways:
        known = {judge: _plain(found.get(verb), name, judge=judge) for judge in judges}
        values = {judge: one.value for judge, one in known.items() if one is not None}
        if values:
            return max(values, key=values.__getitem__)
    return judges[0] if judges else None


def _matching(found: Findings | None, name: str, about: Mapping[str, str | None]) -> Iterator[Row]:
    """Rows of a name about exactly this: nothing else tells them from the headline."""
    wanted = {k: v for k, v in about.items() if v is not None and k != "judge"}
    for row in found.rows if found else ():
        if row.result.name != name or row.about.get("judge") != about.get("judge"):
            continue
        told = {k: v for k, v in row.about.items() if v not in (None, "") and k not in _PLAIN}
        if told == wanted and row.about.get("level") in (None, "", "micro"):
            yield row


def _plain(found: Findings | None, name: str, **about: str | None) -> Estimate | None:
    rows = _matching(found, name, about)
    return next((row.result for row in rows if isinstance(row.result, Estimate)), None)


def _values(found: Findings, name: str, judge: str | None, key: str) -> list[str]:
    """What a judge's results of a name are about beside it, in their order."""
    rows = found.rows_where(name=name, judge=judge)
    return list(dict.fromkeys(str(row.about[key]) for row in rows if row.about.get(key)))


def _strips(found: Findings | None, judge: str | None, task: Task) -> Iterator[Strip]:
    """One rate for each criterion, or one for each option of several.

    Of several options on each of several criteria the one on which the judge is furthest off.
    """
    if found is None:
        return

    def strip(shown: str, **about: str | None) -> Strip | None:
        true = _plain(found, "prevalence", judge=judge, **about)
        if true is None:
            return None
        called, labels = (
            _plain(found, name, judge=judge, **about)
            for name in ("prevalence_naive", "prevalence_calibration_only")
        )
        if task.calibration in _CHOSEN:
            labels = None
        return Strip(shown, about.get("criterion"), true, called, labels)

    told = [one.facts.get("option") for one in (*found.answer, *found.notes)]
    counted = next((option for option in told if isinstance(option, str) and option), "")
    positive = task.positive if isinstance(task.positive, str) else counted
    options = _values(found, "prevalence", judge, "option")
    criteria: list[str | None] = [*_values(found, "prevalence", judge, "criterion")]
    if options:
        for criterion in criteria or [None]:
            own = [strip(one, criterion=criterion, option=one) for one in options]
            known = [one for one in own if one is not None]
            if criterion is None:
                yield from known
            elif known:
                yield max(known, key=lambda one: one.outside)
        return
    for criterion in [None, *criteria]:
        if (one := strip(positive, criterion=criterion)) is not None:
            yield one


def _shifts(found: Findings | None, judge: str | None) -> Iterator[Shift]:
    """Systems by their corrected rate, best first."""
    if found is None:
        return
    systems = _values(found, "prevalence", judge, "system")
    known = [(one, _plain(found, "prevalence", judge=judge, system=one)) for one in systems]
    rated = [(system, true) for system, true in known if true is not None]
    for system, true in sorted(rated, key=lambda one: -one[1].value):
        yield Shift(system, true, _plain(found, "prevalence_naive", judge=judge, system=system))


def _compared(found: Findings | None, name: str, judge: str | None) -> Iterator[Shift]:
    """Systems by how often they win, or by their mean, best first, as `compare` has it."""
    rows = found.rows_where(name=name, judge=judge) if found else ()
    known = [(row.about, row.result) for row in rows if isinstance(row.result, Estimate)]
    for about, true in sorted(known, key=lambda one: -one[1].value):
        if not about.get("criterion"):
            yield Shift(str(about["system"]), true, None)


def _agreement(found: Findings | None, judge: str | None) -> Agreement | None:
    agreed = _plain(found, "accuracy", judge=judge)
    if agreed is None:
        return None
    chance = _plain(found, "chance_agreement", judge=judge)
    names = ("agreement_with_a_person", "agreement_of_two_people", "gap_to_people")
    return Agreement(agreed, chance, *(_plain(found, name, judge=judge) for name in names))


def _tau(found: Findings | None, judge: str | None) -> Estimate | None:
    """The judge's tau by the scores that `rank` goes by; of no other where that is undefined."""
    lines = found.summary.lines if found and found.summary else ()
    cell = next((line.cells[0] for line in lines if line.label == judge), None)
    return cell if isinstance(cell, Estimate) and cell.name == "kendall_tau" else None


def _orderly(
    found: Findings | None, judge: str | None, order: Estimate | None
) -> tuple[str, Estimate] | None:
    """The judge that `rank` puts first, where that is not the one spoken of."""
    lines = found.summary.lines if found and found.summary else ()
    best = next((line for line in lines if isinstance(line.cells[0], Estimate)), None)
    if best is None or order is None or best.label == judge:
        return None
    first = best.cells[0]
    return (
        (best.label, first) if isinstance(first, Estimate) and first.value > order.value else None
    )


def _use(task: Task, found: Mapping[str, Findings], judge: str | None) -> Use | None:
    if not task.use:
        return None
    metric, at_least = str(task.use["metric"]), float(task.use["at_least"])
    for part in found.values():
        for row in _matching(part, metric, {"judge": judge}):
            return Use(metric, at_least, row.result)
    return Use(metric, at_least, Undefined(metric, "no question of this report gives it"))


def _number(result: Result | None) -> dict[str, Any] | None:
    """A result as the page needs it."""
    return Row(result).to_json() if result is not None else None
