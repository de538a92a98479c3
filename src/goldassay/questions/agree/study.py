"""The whole study of `goldassay agree`: from counts to findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from goldassay.counts import PairedScores, Units, reference_weights
from goldassay.formulas.agreement import accuracy, cohen_kappa
from goldassay.questions.agree import panels
from goldassay.questions.agree.abstention import chi_square, dependence, difficulty, rate, rate_rows
from goldassay.questions.agree.bias import length_bias, position_bias
from goldassay.questions.agree.charts import dot_chart, heat_map, risk_chart
from goldassay.questions.agree.checklist import Facts, checklist, checklist_table
from goldassay.questions.agree.disagreements import disagreements
from goldassay.questions.agree.judges import Draw, micro_rows, setting_of
from goldassay.questions.agree.juries import juries
from goldassay.questions.agree.levels import criterion_tables, item_codes, item_rows, macro_rows
from goldassay.questions.agree.metrics import METRICS, counts_shown, degenerate
from goldassay.questions.agree.modes import Mode, Tables, declared_mode, modes_of, resolved
from goldassay.questions.agree.repeats import repeats
from goldassay.questions.agree.scores import auc, kuiper, risk_coverage
from goldassay.questions.agree.texts import Texts
from goldassay.questions.agree.words import bias_sentences, judge_sentences
from goldassay.results import Estimate, Gathered, Result, Row, Table, Undefined

__all__ = ["Extras", "Study", "study"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Shown in text when there are several judges; the document holds all.
CENTRAL = (
    "accuracy",
    "chance_agreement",
    "balanced_accuracy",
    "sensitivity",
    "specificity",
    "precision",
    "f1",
    "macro_f1",
    "cohen_kappa",
    "weighted_kappa",
    "phi",
    "mcc",
    "gwet_ac1",
    "spearman",
)


@dataclass(frozen=True)
class Extras:
    """What some answers need beside the units."""

    #: People as raters: `Units` whose verdict columns are the people.
    people: Units | None = None
    pairs: PairedScores | None = None
    texts: Texts | None = None


@dataclass(frozen=True)
class Study:
    findings: Gathered
    facts: Facts


def study(
    units: Units,
    *,
    draw: Draw,
    by: Sequence[str] = (),
    items: int = 0,
    extras: Extras | None = None,
) -> Study:
    """Does each judge agree with people? Everything that the counts can say."""
    extras = extras or Extras()
    out = _Builder(units, draw, extras)
    names = units.judge_names
    for judge in names:
        out.judge(judge)
    for column in by:
        out.by(column)
    if "criterion" not in by:
        out.degenerate_criteria()
    out.people()
    if len(names) > 1:
        out.panel()
    if items:
        for judge in names:
            verdict = units.verdict[:, units.columns_of(judge)]
            out.findings.tables[f"disagreements: {judge}"] = disagreements(
                units, judge, verdict, limit=items, texts=extras.texts
            )
    return out.finished()


#: The share of tied votes from which on leaving them out is worth a warning.
MANY_TIED = 0.1


class _Builder:
    """Gathers rows and tables; one method per subject."""

    def __init__(self, units: Units, draw: Draw, extras: Extras) -> None:
        self.units, self.draw, self.extras = units, draw, extras
        self.task = units.task
        self.mode = declared_mode(units.task)
        self.findings = Gathered()
        self.rates: dict[str, dict[str, float]] = {}
        self.degenerate: dict[tuple[str, str], tuple[int, str]] = {}
        self.tested = False
        self.third_class = False
        self.classes = 0
        self.panel_words: str | None = None
        criterion = units.by.get("criterion")
        self.criteria = criterion.labels if criterion and len(criterion.labels) > 1 else ()
        self.several = len(units.judge_names) > 2
        self.has_people = bool(units.human[:, : len(units.options) + 1].any())

    # --- one judge ---------------------------------------------------------------------------

    def judge(self, judge: str) -> None:
        units, task, out = self.units, self.task, self.findings
        verdict = units.verdict[:, units.columns_of(judge)]
        tables = resolved(units, verdict, self.mode)
        self.third_class |= len(tables.labels) > tables.size
        self.classes = max(self.classes, len(tables.labels))
        about = {"judge": judge, "level": "micro"}
        rows = micro_rows(task, tables, self.mode, self.draw, about)
        if self.has_people:
            self._add(rows)
            self._levels(judge, tables)
            out.tables[f"confusion: {judge}"] = _confusion_table(judge, tables, self.mode)
        rates = rate_rows(units, verdict, self.draw)
        self.rates[judge] = {r.name: r.value for r in rates if isinstance(r, Estimate)}
        for result in rates:
            plain = isinstance(result, Estimate) and result.value in (0.0, 1.0) and self.several
            self._result(result, judge=judge, level="micro", detail=plain)
        if self.has_people:
            self._modes(judge, verdict)
            self._dependence(judge, verdict)
            self._scored(judge)
        leanings = position_bias(units, judge, self.draw)
        words = None
        if self.has_people and len(_samples(units, judge)) > 1:
            words = self._repeats(judge, verdict)
        if self.extras.texts is not None and self.has_people:
            reference, _, _ = reference_weights(units)
            leanings.append(length_bias(units, verdict, reference, self.extras.texts, self.draw))
        for result in leanings:
            self._result(result, judge=judge, level="micro")
        if self.has_people:
            first = judge == units.judge_names[0]
            out.answer += judge_sentences(judge, rows, self.rates[judge], task, first=first)
        out.answer += bias_sentences(judge, leanings)
        if words:
            out.answer.append(f"{judge}: {words}.")

    def _add(self, rows: Sequence[Row]) -> None:
        for row in rows:
            hidden = self.several and row.result.name not in CENTRAL
            self._result(row.result, detail=hidden, **dict(row.about))

    def _result(self, result: Result, *, detail: bool = False, **about: str | None) -> None:
        # Text shows the central results; the document holds all of them.
        self.findings.add(result, **about, **({"detail": "yes"} if detail else {}))

    def _levels(self, judge: str, tables: Tables) -> None:
        if not self.criteria:
            return
        criterion = self.units.by["criterion"]
        setting = setting_of(self.task, tables)
        listed, notes = [], []
        for label, n_items, total in criterion_tables(tables, criterion.codes, criterion.labels):
            # A kappa that is 0 because a side is constant says no more than one that is 0/0.
            constant = bool(degenerate(total))
            kappa = None if constant else _number(cohen_kappa(total))
            cells: list[object] = [label, n_items, _number(accuracy(total)), kappa]
            if setting.positive is not None:
                cells += [
                    _number(METRICS[name].compute(total, setting))
                    for name in ("phi", "prevalence", "verdict_rate")
                ]
            listed.append(tuple(cells))
            if constant:
                why = counts_shown(total) if total.any() else "no item counts"
                self.degenerate[judge, label] = n_items, why
                notes.append(f"{label}: undefined, a side uses a single option ({why})")
        binary = ("phi", "people's rate", "judge's rate") if setting.positive is not None else ()
        self.findings.tables[f"criteria: {judge}"] = Table(
            f"Each criterion: {judge}",
            ("criterion", "items", "accuracy", "kappa", *binary),
            tuple(listed),
            tuple(notes),
        )
        if "macro" in self.task.levels:
            about = {"judge": judge, "level": "macro"}
            self._add(
                macro_rows(
                    self.task,
                    tables,
                    self.mode,
                    self.draw,
                    about,
                    criterion.codes,
                    criterion.labels,
                )
            )
        if "item" in self.task.levels:
            about = {"judge": judge, "level": "item"}
            codes = item_codes(self.units)
            self._add(item_rows(self.task, tables, self.mode, self.draw, about, codes))

    def degenerate_criteria(self) -> None:
        """Degenerate criteria as results of their own: undefined, with their counts."""
        for (judge, label), (n_items, why) in self.degenerate.items():
            reason = f"people or judge use a single option ({why})"
            result = Undefined("cohen_kappa", reason, n_items)
            self._result(result, judge=judge, level="micro", criterion=label)

    def _modes(self, judge: str, verdict: Ints) -> None:
        size = len(self.units.options)
        abstained = bool((verdict == size).any() or self.units.human[:, size].any())
        invalid = bool((verdict == size + 1).any())
        modes = modes_of(self.task, abstained=abstained, invalid=invalid)
        if len(modes) < 2:
            return
        listed = []
        for mode in modes:
            tables = resolved(self.units, verdict, mode)
            if mode is not modes[0]:
                about = {"judge": judge, "level": "micro", "mode": mode.name}
                for row in micro_rows(self.task, tables, mode, self.draw, about):
                    self._result(row.result, detail=True, **dict(row.about))
            setting, total = setting_of(self.task, tables), tables.total
            # F1 of the positive option is binary: there is none with a third class.
            f1 = METRICS["f1"].compute(total, setting) if setting.positive is not None else np.nan
            listed.append(
                (
                    mode.name + (" (declared)" if mode is modes[0] else ""),
                    round(float(total.sum())),
                    _number(accuracy(total)),
                    _number(cohen_kappa(total)),
                    _number(f1),
                    mode.estimand,
                )
            )
        self.findings.tables[f"modes: {judge}"] = Table(
            f"The same verdicts under each handling: {judge}",
            ("handling", "N", "accuracy", "kappa", "F1", "estimates"),
            tuple(listed),
            ("they answer different questions; all metrics of each are in the JSON",),
        )

    def _dependence(self, judge: str, verdict: Ints) -> None:
        by = {
            name: (one.labels, one.codes) for name, one in self.units.by.items() if name != "item"
        }
        hard = difficulty(self.units)
        if hard is not None:
            by["difficulty"] = hard
        table = dependence(self.units, verdict, by)
        if table is not None:
            self.tested = True
            self.findings.tables[f"missing verdicts: {judge}"] = replace(
                table, title=f"{table.title} ({judge})"
            )

    def _scored(self, judge: str) -> None:
        pairs = self.extras.pairs
        if pairs is None or judge not in pairs.judges or self.task.scale != "binary":
            return
        score = pairs.judge[pairs.judges.index(judge)]
        self._result(auc(score, pairs.people, pairs.cluster, self.draw), judge=judge, level="micro")
        for result in kuiper(score, pairs.people):
            self._result(result, judge=judge, level="micro")
        curve = risk_coverage(score, pairs.people)
        if curve is not None:
            table, area = curve
            self.findings.tables[f"risk and coverage: {judge}"] = replace(
                table, title=f"{table.title}: {judge}"
            )
            self.findings.charts.append(risk_chart(judge, table))
            n_items = int(np.isfinite(score).sum())
            estimate = Estimate("risk_coverage_area", area, None, n_items, 0)
            self._result(estimate, judge=judge, level="micro")

    def _repeats(self, judge: str, verdict: Ints) -> str | None:
        found = repeats(self.units, verdict, self.mode, self.draw)
        for result in found.results:
            self._result(result, judge=judge, level="micro")
        if found.table is not None:
            self.findings.tables[f"samples: {judge}"] = replace(
                found.table, title=f"{found.table.title}: {judge}"
            )
        return found.sentence

    # --- parts, people, panels ---------------------------------------------------------------

    def by(self, column: str) -> None:
        one = self.units.by[column]
        matrices: dict[str, list[tuple[object, ...]]] = {j: [] for j in self.units.judge_names}
        for label in one.labels:
            part = self.units.only(column, label)
            for judge in self.units.judge_names:
                verdict = part.verdict[:, part.columns_of(judge)]
                tables = resolved(part, verdict, self.mode)
                about = {"judge": judge, "level": "micro", column: label or "(none)"}
                for row in micro_rows(self.task, tables, self.mode, self.draw, about):
                    hidden = row.result.name not in CENTRAL
                    self._result(row.result, detail=hidden, **dict(row.about))
                matrices[judge] += [
                    (label or "(none)", name, *(_count(x) for x in cells))
                    for name, cells in zip(tables.labels, tables.total, strict=True)
                ]
        for judge, rows in matrices.items():
            width = max((len(row) for row in rows), default=0)
            if rows and all(len(row) == width for row in rows):
                said = dict.fromkeys(f"judge: {row[1]}" for row in rows)
                self.findings.tables[f"confusion by {column}: {judge}"] = Table(
                    f"Confusion matrix by {column}: {judge}", (column, "people", *said), tuple(rows)
                )

    def _tied_votes(self) -> None:
        """Leaving out what people are divided on flatters every judge: say so where it is much."""
        _, _, state = reference_weights(self.units)
        rated, tied = (int(self.units.n[chosen].sum()) for chosen in (state != 1, state == 2))
        if tied > MANY_TIED * rated:
            self.findings.warnings.append(
                f"people's votes tie on {tied:,} of {rated:,} units ({tied / rated:.0%}), which are"
                ' left out: the numbers are about units that people agree on; reference = "each" in'
                " the task keeps all"
            )

    def people(self) -> None:
        size = len(self.units.options)
        counts = self.units.human[:, :size]
        if self.units.human[:, size].any():
            asked = self.units.human.astype(float).sum(1)
            abstained = self.units.human[:, size].astype(float)
            self._result(
                rate(self.units, "human_abstention_rate", abstained, asked, self.draw),
                level="micro",
            )
        if not (counts.sum(1) > 1).any():
            if self.has_people:
                self.findings.warnings.append(
                    "one human rating per unit: how far people agree with one another, the ceiling"
                    " for any judge, is unknown"
                )
            return
        self._tied_votes()
        people = self.extras.people
        if people is not None and len(people.judges) > 1:
            kappa, _ = panels.pairwise(people.verdict, people.n, people.judges, size)
            if len(people.judges) <= 12:
                self.findings.tables["people: kappa"] = panels.matrix_table(
                    "Cohen's kappa between people", people.judges, kappa
                )
            if np.isfinite(kappa).any():
                mean = panels.mean_pairwise_kappa(
                    "human_mean_pairwise_kappa", people, people.verdict, self.draw
                )
                self._result(mean, level="micro")
        found = panels.inter_rater(counts, self.units, self.draw, prefix="human_")
        for result, primary in found:
            central = primary or result.name == "human_observed_agreement"
            self._result(result, level="micro", detail=not central)
        several = counts.sum(1) > 1
        unanimous = several & ((counts > 0).sum(1) == 1)
        self._result(
            rate(self.units, "human_unanimous_rate", unanimous * 1.0, several * 1.0, self.draw),
            level="micro",
        )
        alpha = next(r for r, primary in found if primary)
        agree = next((r for r, _ in found if r.name == "human_observed_agreement"), alpha)
        if isinstance(alpha, Estimate) and isinstance(agree, Estimate):
            self.findings.answer.append(
                f"People agree with one another on {agree.value:.0%} of pairs of ratings"
                f" (alpha {alpha.value:.2f}): the ceiling against which a judge is read."
            )

    def panel(self) -> None:
        units, size = self.units, len(self.units.options)
        names = units.judge_names
        codes = np.stack(
            [panels.one_verdict(units.verdict[:, units.columns_of(j)], size) for j in names], 1
        )
        counts = np.stack([(codes == k).sum(1) for k in range(size)], 1)
        found = panels.inter_rater(
            counts, units, self.draw, prefix="judges_", rater_codes=_complete(codes)
        )
        for result, primary in found:
            self._result(result, level="micro", detail=not primary)
            if primary and isinstance(result, Estimate):
                self.panel_words = f"Krippendorff's alpha is {result.value:.3f}"
        self._missing_by_judge(names)
        kappa, _ = panels.pairwise(codes, units.n, names, size)
        tables, charts = self.findings.tables, self.findings.charts
        tables["judges: kappa"] = panels.matrix_table("Cohen's kappa between judges", names, kappa)
        charts.append(heat_map("Cohen's kappa between judges", names, kappa))
        if not self.has_people:
            return
        reference, _, _ = reference_weights(units)
        together = panels.error_correlation(codes, reference[:, :size], units.n)
        tables["judges: errors"] = panels.matrix_table(
            "Do the judges err on the same items? Correlation of errors", names, together
        )
        number = panels.effective_judges(units, codes, reference[:, :size], self.draw)
        self._result(number, level="micro")
        self._juries(codes, names, number)

    def _missing_by_judge(self, names: Sequence[str]) -> None:
        """Does it depend on the judge whether there is a verdict?"""
        miss = np.array([1 - self.rates[name].get("coverage", 1.0) for name in names])
        if not miss.any():
            return
        units = self.units
        size = np.array(
            [
                float(units.n[(units.verdict[:, units.columns_of(name)] >= 0).any(1)].sum())
                for name in names
            ]
        )
        p_value, cramer = chi_square(miss * size, size, 1.0)
        self.tested = True
        self.findings.tables["missing verdicts by judge"] = Table(
            "Does it depend on the judge whether there is a verdict?",
            ("judge", "no usable verdict", "items"),
            tuple((n, float(m), int(s)) for n, m, s in zip(names, miss, size, strict=True)),
            (f"chi-square p = {p_value:.2g}, Cramér's V {cramer:.2f}",),
        )

    def _juries(self, codes: Ints, names: Sequence[str], number: Result) -> None:
        said = []
        for jury in juries(self.units, codes, names, self.mode, self.draw):
            about = {"judge": jury.name, "level": "micro"}
            self._add(micro_rows(self.task, jury.tables, self.mode, self.draw, about))
            self._result(jury.gain, judge=jury.name, level="micro")
            if isinstance(jury.gain, Estimate) and jury.gain.interval:
                gain, interval = jury.gain.value, jury.gain.interval
                verdict = (
                    "beats"
                    if interval.low > 0
                    else ("is worse than" if interval.high < 0 else "cannot be told from")
                )
                ends = f"{interval.low:+.1%} to {interval.high:+.1%}"
                said.append(
                    f"the {jury.name} {verdict} its best member {jury.best} ({gain:+.1%}, {ends})"
                )
        worth = ""
        if isinstance(number, Estimate):
            worth = f"{len(names)} judges err alike enough to be worth {number.value:.1f}"
            if number.interval:
                worth += f" ({number.interval.low:.1f} to {number.interval.high:.1f})"
            worth += " independent ones; "
        if said:
            sentence = worth + "; ".join(said) + "."
            self.findings.answer.append(sentence[0].upper() + sentence[1:])

    # --- the end -----------------------------------------------------------------------------

    def finished(self) -> Study:
        units, out = self.units, self.findings
        if not self.has_people:
            nobody = "There is no human rating: whether the judges agree with people cannot be"
            out.answer.insert(0, nobody + " said, only whether they agree with one another.")
            out.warnings.append("add ratings of kind human for the same items")
        charted = dot_chart(out.rows)
        if charted:
            out.charts.insert(0, charted)
        humans = (
            len(self.extras.people.judges)
            if self.extras.people is not None
            else int(units.human.sum(1).max(initial=0))
        )
        facts = Facts(
            task=self.task,
            judges=units.judge_names,
            humans=humans,
            n_units=int(units.n.sum()),
            n_clusters=units.n_clusters,
            criteria=self.criteria,
            degenerate={label: why for (_, label), (_, why) in self.degenerate.items()},
            rates=self.rates,
            tested_dependence=self.tested,
            third_class=self.third_class,
            classes=self.classes,
            panel=self.panel_words,
        )
        out.tables["checklist"] = checklist_table(checklist(facts))
        return Study(out, facts)


def _samples(units: Units, judge: str) -> set[str]:
    return {units.samples[c] for c in units.columns_of(judge)}


def _complete(codes: Ints) -> Ints | None:
    """Codes for Conger's kappa, which needs every judge's own margin."""
    return codes if (codes >= 0).any(0).all() else None


def _number(value: object) -> float | None:
    number = float(value)  # type: ignore[arg-type]
    return None if np.isnan(number) else number


def _count(x: float) -> object:
    """A count; with repeats or shared references it may be a fraction."""
    return int(x) if float(x).is_integer() else round(float(x), 2)


def _confusion_table(judge: str, tables: Tables, mode: Mode) -> Table:
    total = tables.total
    rows = [
        (f"people: {label}", *(_count(x) for x in row), _count(row.sum()))
        for label, row in zip(tables.labels, total, strict=True)
    ]
    rows.append(("total", *(_count(x) for x in total.sum(0)), _count(total.sum())))
    columns = ("", *(f"judge: {label}" for label in tables.labels), "total")
    return Table(
        f"Confusion matrix: {judge} (abstentions {mode.abstentions})", columns, tuple(rows)
    )
