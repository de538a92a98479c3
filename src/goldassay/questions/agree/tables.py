"""The tables of an agreement study."""

from __future__ import annotations

import numpy as np

from goldassay.glossary import SHARED
from goldassay.questions.agree.abstention import Dependence
from goldassay.questions.agree.checklist import checklist
from goldassay.questions.agree.disagreements import Disagreements
from goldassay.questions.agree.record import (
    AgreeStudy,
    JudgeAgreement,
    ModeAgreement,
    PanelAgreement,
    PartAgreement,
    Square,
    known,
)
from goldassay.questions.agree.repeated_scores import WORTH as WORTH_OF_CORRELATION
from goldassay.questions.agree.repeated_scores import MeanCurve
from goldassay.questions.agree.repeats import WORTH as WORTH_OF_ACCURACY
from goldassay.questions.agree.repeats import MajorityCurve
from goldassay.questions.agree.scores import RiskCoverage
from goldassay.results import Estimate, Line, Result, Summary, Table, Undefined
from goldassay.words import counted, decimal, p_said, percent, points

__all__ = ["summary", "tables"]

#: People whose kappas still make a table.
MOST_PEOPLE = 12
#: Characters of a text in a list of disagreements.
EXCERPT = 120


def summary(found: AgreeStudy) -> Summary | None:
    """A line per judge, best first: agreement, kappa (or what the scale has), coverage, items."""
    standing = found.standing
    if standing is None or not found.judges:
        return None
    if found.task.scale == "continuous":
        names = ["pearson", "lin_concordance"]
    else:
        names = list(dict.fromkeys([standing.metric, "accuracy", "cohen_kappa"]))[:2]
    unit = f"{found.unit}s"
    shared = not standing.all_alike and bool(standing.on_shared)
    lines = []
    for judge in found.ranked:
        results = {one.name: one for one in (*judge.micro, *judge.rates)}
        if judge.single_option and "cohen_kappa" in results:
            few = Undefined("cohen_kappa", judge.single_side, judge.micro[0].n_items)
            results["cohen_kappa"] = few
        own = [results.get(name) for name in names]
        first: list[Result | None] = []
        if shared:
            few = Undefined(standing.metric + SHARED, f"decides too few {unit} to be compared", 0)
            first = [standing.on_shared.get(judge.judge, few)]
        n_items = own[0].n_items if own[0] is not None else 0
        cells = (*first, *own, results.get("coverage"), n_items)
        tied = judge.judge == standing.order[0] or judge.judge in standing.tied
        lines.append(Line(judge.judge, cells, tied and len(standing.differences) > 0))
    level, notes = percent(found.task.confidence_level), []
    notes.append(f"{level} intervals for all {unit} like these")
    columns = [*names, "coverage", unit]
    if shared:
        columns = [standing.metric + SHARED, *columns]
        notes.append(
            f"in order of the first column, on the {counted(standing.n_items, found.unit)} that "
            f"all compared judges {'score' if found.task.scale == 'continuous' else 'decide'}; the "
            "others are each judge's own"
        )
    return Summary("judge", tuple(columns), tuple(lines), tuple(notes))


def tables(found: AgreeStudy) -> dict[str, Table]:
    """Each judge's tables, its confusion by column, people, panels, disagreements, checklist."""
    made: dict[str, Table] = {}
    for judge in found.judges:
        kinds = _of_judge(judge, found)
        made |= {f"{kind}: {judge.judge}": table for kind, table in kinds.items()}
    made |= _parts(found)
    people = found.people.kappa
    if people is not None and len(people.labels) <= MOST_PEOPLE:
        made["people: kappa"] = _between("Cohen's kappa between people", people)
    if found.panel is not None:
        made |= _panel(found.panel)
    for judge in found.judges:
        if judge.disagreements is not None:
            listed = _disagreements(judge.judge, judge.disagreements)
            made[f"disagreements: {judge.judge}"] = listed
    return made | {"checklist": _checklist(found)}


def _of_judge(judge: JudgeAgreement, found: AgreeStudy) -> dict[str, Table]:
    name, made = judge.judge, {}
    if judge.criteria:
        made["criteria"] = _criteria(judge, found.task.scale == "continuous")
    if judge.confusion is not None and found.people.rated:
        title = f"Confusion matrix: {name} (abstentions {found.task.abstentions})"
        made["confusion"] = _confusion(title, judge.confusion)
    if judge.options:
        made["options"] = _options(judge)
    if judge.modes:
        made["modes"] = _modes(name, judge.modes)
    if judge.missing:
        made["missing verdicts"] = _missing(name, judge.missing)
    if judge.probabilities is not None and judge.probabilities.risk is not None:
        made["risk and coverage"] = _risk(name, judge.probabilities.risk)
    if judge.repeats is not None and judge.repeats.curve is not None:
        made["samples"] = _samples(name, judge.repeats.curve)
    return made


_HEADS = {"cohen_kappa": "kappa", "reference_rate": "people's rate", "verdict_rate": "judge's rate"}


def _criteria(judge: JudgeAgreement, scores: bool) -> Table:
    why = "" if scores else ", a side uses a single option"
    names = judge.criteria[0].values
    return Table(
        f"Each criterion: {judge.judge}",
        ("criterion", "items", *(_HEADS.get(name, name) for name in names)),
        tuple((one.label, one.n_items, *one.values.values()) for one in judge.criteria),
        tuple(f"{one.label}: undefined{why} ({one.counts})" for one in judge.degenerate),
    )


def _options(judge: JudgeAgreement) -> Table:
    rows = [
        (
            one.option,
            _count(one.people),
            _count(one.judge),
            *(result.value if isinstance(result, Estimate) else None for result in one.results),
        )
        for one in judge.options
    ]
    notes = ("each option against all others; intervals are among the results",)
    columns = ("option", "people", "judge", "recall", "precision", "f1")
    return Table(f"Each option: {judge.judge}", columns, tuple(rows), notes)


def _confusion(title: str, counts: Square) -> Table:
    rows = [
        (f"people: {label}", *map(_count, row), _count(row.sum()))
        for label, row in zip(counts.labels, counts.values, strict=True)
    ]
    rows.append(("total", *map(_count, counts.values.sum(0)), _count(counts.values.sum())))
    whole = bool((counts.values == counts.values.round()).all())
    columns = ("", *(f"judge: {label}" for label in counts.labels), "total")
    shared = "parts of an item: an average over a judge's repeats, or over raters who differ"
    return Table(title, columns, tuple(rows), () if whole else (shared,))


def _count(x: float) -> int | float:
    """A count; with repeats or shared references it may be a fraction."""
    return int(x) if float(x).is_integer() else round(float(x), 1)


def _modes(judge: str, modes: tuple[ModeAgreement, ...]) -> Table:
    def row(one: ModeAgreement) -> tuple[object, ...]:
        values = known(one.results)
        # F1 of the positive option is binary: there is none with a third class.
        shown = (values.get(name) for name in ("accuracy", "cohen_kappa", "f1"))
        declared = " (declared)" if one is modes[0] else ""
        return one.mode.name + declared, one.n_items, *shown, one.mode.estimand

    return Table(
        f"The same verdicts under each handling: {judge}",
        ("handling", "items", "accuracy", "kappa", "F1", "estimates"),
        tuple(map(row, modes)),
        ("they answer different questions; all metrics of each are in the JSON",),
    )


def _missing(judge: str, tests: tuple[Dependence, ...]) -> Table:
    return Table(
        f"Does it depend on the items whether the judge gives a verdict? ({judge})",
        ("by", "most often missing", "rate", "least often", "rate ", "Cramér's V", "p"),
        tuple(
            (
                one.column,
                one.most,
                one.most_rate,
                one.least,
                one.least_rate,
                one.cramer_v,
                one.p_value,
            )
            for one in tests
        ),
        (
            "p: chi-square with the design effect of clusters. Where p is small, agreement on "
            "covered items does not stand for the rest.",
        ),
    )


def _risk(judge: str, risk: RiskCoverage) -> Table:
    columns = (risk.coverage, risk.error, risk.probability, risk.items)
    return Table(
        f"Error among the verdicts the judge is surest of: {judge}",
        ("coverage", "error", "probability at least", "items"),
        tuple(zip(*(column.tolist() for column in columns), strict=True)),
        ("sureness is the distance of the judge's probability from 1/2",),
    )


def _enough(samples: int) -> str:
    return "One sample comes" if samples == 1 else f"{samples} of them come"


def _samples(judge: str, curve: MajorityCurve | MeanCurve) -> Table:
    if isinstance(curve, MajorityCurve):
        scores = curve.accuracy.tolist()
        decided = (round(number) for number in curve.decided.tolist())
        return Table(
            f"Accuracy of the majority of several samples: {judge}",
            ("samples", "accuracy", "gain on one", "items decided"),
            tuple(
                (s, score, score - scores[0], items)
                for s, (score, items) in enumerate(zip(scores, decided, strict=True), 1)
            ),
            (
                f"{_enough(curve.enough)} within {points(WORTH_OF_ACCURACY)} of the best; a tied "
                "vote is drawn by lot",
            ),
        )
    return Table(
        f"Correlation with people of the mean of several samples: {judge}",
        ("samples", "pearson", "reliability"),
        tuple(
            (s, *both)
            for s, both in enumerate(
                zip(curve.pearson.tolist(), curve.reliability.tolist(), strict=True), 1
            )
        ),
        (
            f"{_enough(curve.enough)} within {WORTH_OF_CORRELATION} of the most; predicted by "
            "Spearman and Brown's rule",
        ),
    )


def _parts(found: AgreeStudy) -> dict[str, Table]:
    """The confusion matrices of the labels of a column, one table for each judge."""
    groups: dict[tuple[str, str], list[PartAgreement]] = {}
    for part in found.parts:
        groups.setdefault((part.column, part.judge), []).append(part)
    made = {}
    for (column, judge), parts in groups.items():
        squares = [(part.label, part.confusion) for part in parts if part.confusion is not None]
        # With an invalid verdict in one part only, the matrices have different classes.
        if not squares or len({len(square.labels) for _, square in squares}) > 1:
            continue
        said = dict.fromkeys(f"judge: {label}" for _, square in squares for label in square.labels)
        made[f"confusion by {column}: {judge}"] = Table(
            f"Confusion matrix by {column}: {judge}",
            (column, "people", *said),
            tuple(
                (name, label, *map(_count, row))
                for name, square in squares
                for label, row in zip(square.labels, square.values, strict=True)
            ),
        )
    return made


def _panel(panel: PanelAgreement) -> dict[str, Table]:
    missing, made = panel.missing, {}
    if missing is not None:
        made["missing verdicts by judge"] = Table(
            "Does it depend on the judge whether there is a verdict?",
            ("judge", "no usable verdict", "items"),
            tuple(
                (judge, float(share), int(items))
                for judge, share, items in zip(
                    missing.judges, missing.shares, missing.items, strict=True
                )
            ),
            (f"chi-square {p_said(missing.p_value)}, Cramér's V {decimal(missing.cramer_v)}",),
        )
    if panel.kappa is not None:
        how = f" ({panel.weights} weights)" if panel.weights else ""
        made["judges: kappa"] = _between(f"Cohen's kappa between judges{how}", panel.kappa)
    if panel.errors is not None:
        title = "Do the judges err on the same items? Correlation of errors"
        made["judges: errors"] = _between(title, panel.errors)
    return made


def _between(title: str, square: Square) -> Table:
    """A square of numbers between raters; the diagonal is empty."""
    rows = [
        (label, *(None if np.isnan(x) else x for x in row))
        for label, row in zip(square.labels, square.values.tolist(), strict=True)
    ]
    return Table(title, ("", *square.labels), tuple(rows))


def _disagreements(judge: str, found: Disagreements) -> Table:
    text = ("text",) if found.with_texts else ()
    note = f"{found.differ} of {found.rated} units differ; {len(found.worst)} are shown"
    return Table(
        f"Where {judge} and people differ, worst first",
        (*found.columns, "people", judge, "distance", *text),
        tuple(
            (
                *one.labels,
                _votes(one.people),
                _votes(one.judge),
                one.distance,
                *([] if one.text is None else [_excerpt(one.text)]),
            )
            for one in found.worst
        ),
        (note,),
    )


def _votes(chosen: tuple[tuple[str, int], ...]) -> str:
    if len(chosen) == 1 and chosen[0][1] == 1:
        return chosen[0][0]
    return ", ".join(f"{option} x{n}" for option, n in sorted(chosen, key=lambda one: -one[1]))


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1] + "…"


def _checklist(found: AgreeStudy) -> Table:
    mark = {"answered": "✓", "missing": "✗", "does not apply": "–"}
    points = checklist(found)
    missing = sum(point.status == "missing" for point in points)
    apply = sum(point.status != "does not apply" for point in points)
    note = f"{apply - missing} of the {apply} points that apply hold"
    return Table(
        "Reporting checklist (Rao and Callison-Burch 2026)",
        ("", "", "point", "here"),
        tuple((str(one.number), mark[one.status], one.title, one.text) for one in points),
        (note + (f"; {missing} missing (✗)" if missing else ""),),
    )
