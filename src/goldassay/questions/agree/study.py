"""Does each judge agree with people? From counts to a study (`record`), part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from goldassay.counts import By, PairedScores, Units, alike_clusters, reference_weights
from goldassay.frozen import dataclass
from goldassay.inference.draw import Draw
from goldassay.inference.selected import Selected
from goldassay.questions.agree.abstention import (
    LABEL,
    Dependence,
    dependence,
    difficulty,
    missing_by_judge,
    rate,
    rate_results,
)
from goldassay.questions.agree.bias import length_bias, position_bias
from goldassay.questions.agree.ceiling import (
    beside_people,
    pair_count,
    people_ties,
    tie_rate_difference,
)
from goldassay.questions.agree.disagreements import disagreements
from goldassay.questions.agree.judges import Reading, counted_items, micro_results
from goldassay.questions.agree.juries import juries, panel_codes
from goldassay.questions.agree.levels import each_criterion, item_codes, item_results, macro_results
from goldassay.questions.agree.modes import (
    Mode,
    Tables,
    declared_mode,
    modes_of,
    resolved,
    resolved_each,
)
from goldassay.questions.agree.options import each_option
from goldassay.questions.agree.panels import (
    effective_judges,
    error_correlation,
    handling_of,
    inter_rater,
    mean_pairwise_kappa,
    one_verdict,
    pairwise,
)
from goldassay.questions.agree.record import (
    AgreeStudy,
    JudgeAgreement,
    JuryAgreement,
    ModeAgreement,
    PanelAgreement,
    PartAgreement,
    PeopleAgreement,
    ProbabilityQuality,
    Square,
    known,
)
from goldassay.questions.agree.repeats import repeats
from goldassay.questions.agree.scores import areas, kuiper, risk_coverage
from goldassay.questions.agree.standing import standing
from goldassay.questions.agree.texts import Texts
from goldassay.questions.agree.unlike import unlike_judges
from goldassay.ratings.drawing import DRAWN
from goldassay.results import Estimate

__all__ = ["Extras", "study"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Extras:
    """What some answers need beside the units."""

    #: People as raters: `Units` whose verdict columns are the people.
    people: Units | None = None
    #: Raters of a selected subset, and the units without their ratings.
    selected: tuple[Selected, ...] = ()
    regular: Units | None = None
    pairs: PairedScores | None = None
    texts: Texts | None = None
    #: How many items on which a judge and people differ are listed.
    items: int = 0

    @property
    def alike(self) -> Extras:
        """The same, with clusters that are alike held once."""
        people, regular = (
            None if one is None else alike_clusters(one) for one in (self.people, self.regular)
        )
        return replace(self, people=people, regular=regular)


def study(
    units: Units, *, draw: Draw, by: Sequence[str] = (), extras: Extras | None = None
) -> AgreeStudy:
    """Does each judge agree with people? Everything that the counts can say."""
    extras = extras or Extras()
    if not _criteria(units):  # whole items are made of criteria: each cluster has its own
        units, extras = alike_clusters(units), extras.alike
    reading = Reading(units.task, declared_mode(units.task), draw)
    criterion, plain, names = _criteria(units), units.plain, units.judge_names
    regular = plain if extras.regular is None else extras.regular.plain
    verdicts = (plain.verdict[:, plain.columns_of(judge)] for judge in names)
    tables = dict(zip(names, resolved_each(plain, verdicts, reading.mode), strict=True))
    judges = tuple(
        _with_details(_judge(plain, judge, tables[judge], reading, extras), units, reading, extras)
        for judge in names
    )
    rated = _rated(units)
    several = rated and bool((regular.human[:, : len(units.options)].sum(1) > 1).any())
    return AgreeStudy(
        task=units.task,
        draw=draw,
        n_units=int(units.n.sum()),
        n_clusters=units.n_clusters,
        n_labelled=_labelled(units, reading) if rated else 0,
        largest_cluster=_largest(units),
        judges=judges,
        people=_people(plain, regular, extras, reading),
        standing=standing(names, list(tables.values()), reading) if rated else None,
        beside=beside_people(regular, names, reading) if several else {},
        panel=_panel(plain, judges, reading) if len(judges) > 1 else None,
        parts=tuple(part for column in by for part in _parts(units, column, reading)),
        criteria=criterion.labels if criterion else (),
        unit=units.word,
        weighed=_weighed(units),
        several=units.several,
    )


def _weighed(units: Units) -> bool:
    """Whether the units that people rated have unlike weights, or stand for unlike numbers."""
    if units.stands_for is not None:
        return True
    weight = units.weight[units.human.any(axis=1)]
    return bool(len(weight)) and float(weight.min()) != float(weight.max())


def _rated(units: Units) -> bool:
    """Whether any rating of a person counts, an abstention too."""
    return bool(units.human[:, : len(units.options) + 1].any())


def _criteria(units: Units) -> By | None:
    found = units.by.get("criterion")
    return found if found is not None and len(found.labels) > 1 else None


def _square(tables: Tables) -> Square:
    return Square(tables.labels, tables.total)


def _judge(
    units: Units, judge: str, tables: Tables, reading: Reading, extras: Extras
) -> JudgeAgreement:
    """One judge, from what every question keeps apart (`Units.plain`)."""
    draw, levels, columns = reading.draw, reading.task.levels, units.columns_of(judge)
    verdict = units.verdict[:, columns]
    found = JudgeAgreement(
        judge,
        confusion=_square(tables),
        rates=rate_results(units, judge, draw),
        leanings=(*position_bias(units, judge, draw), *tie_rate_difference(units, verdict, draw)),
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
        options=each_option(tables, reading),
        modes=_modes(
            units, verdict, reading, ModeAgreement(reading.mode, counted_items(tables), micro)
        ),
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
        found = replace(found, item=item_results(units, verdict, reading, item_codes(units)))
    return replace(found, missing=_missing(units, found.judge))


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
        found.append(ModeAgreement(mode, counted_items(tables), results))
    return (declared, *found) if found else ()


def _missing(units: Units, judge: str) -> tuple[Dependence, ...]:
    by = {
        name: (one.labels, one.codes)
        for name, one in units.by.items()
        if name not in ("item", DRAWN)
    }
    if (hard := difficulty(units)) is not None:
        by["difficulty"] = hard
    # Rows with one label alone; where people differ, there is none to go by.
    reference, _, _ = reference_weights(units)
    labels = np.where((reference > 0).sum(1) == 1, reference.argmax(1), -1)
    by[LABEL] = ((*units.options, "abstained"), labels.astype(np.int64))
    return dependence(units, judge, by)


def _probabilities(
    pairs: PairedScores | None, judge: str, reading: Reading
) -> ProbabilityQuality | None:
    if pairs is None or judge not in pairs.judges or reading.task.scale != "binary":
        return None
    score = pairs.judge[pairs.judges.index(judge)]
    both = areas(score, pairs.people, pairs.cluster, reading.draw)
    results = [*both, *kuiper(score, pairs.people)]
    risk = risk_coverage(score, pairs.people)
    if risk is not None:
        used = np.isfinite(score) & np.isfinite(pairs.people) & (pairs.people != 0.5)
        cluster = pairs.cluster[used]
        sizes = len(cluster), len(np.unique(cluster))
        results.append(Estimate("risk_coverage_area", risk.area, None, *sizes))
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


def _as_declared(units: Units, mode: Mode) -> Units:
    """The units with people's abstentions recoded, where the task declares that."""
    if mode.abstentions != "recode" or mode.recode_to is None:
        return units
    human, size = units.human.copy(), len(units.options)
    human[:, units.options.index(mode.recode_to)] += human[:, size]
    human[:, size] = 0
    return replace(units, human=human)


def _people(units: Units, regular: Units, extras: Extras, reading: Reading) -> PeopleAgreement:
    """People among themselves; `regular` are the units without raters of a selected subset."""
    size, people, draw = len(units.options), extras.people, reading.draw
    abstained = units.human[:, size].astype(float)
    asked = units.human.astype(float).sum(1)
    found = PeopleAgreement(
        raters=len(people.judges) if people is not None else int(asked.max(initial=0)),
        rated=_rated(units),
        abstention=rate(units, "human_abstention_rate", abstained, asked, draw)
        if abstained.any()
        else None,
        ties=people_ties(units, draw),
        selected=extras.selected,
    )
    handling = handling_of(reading.task, reading.mode)
    counts = handling.votes(regular.human)
    several = counts.sum(1) > 1
    if not several.any():
        return found
    _, _, state = reference_weights(
        _as_declared(units, reading.mode), abstained=reading.mode.abstentions == "class"
    )
    unanimous = several & ((counts > 0).sum(1) == 1)
    pairs, paired = pair_count(regular, counts)
    found = replace(
        found,
        several=True,
        coefficients=inter_rater(counts, regular, draw, prefix="human_", handling=handling),
        unanimous=rate(regular, "human_unanimous_rate", unanimous * 1.0, several * 1.0, draw),
        pairs=pairs,
        paired=paired,
        units=int(units.n[state != 1].sum()),
        tied=int(units.n[state == 2].sum()),
    )
    if people is None:
        return found
    away = {one.rater for one in extras.selected}
    kept = [place for place, name in enumerate(people.judges) if name not in away]
    if len(kept) < 2:
        return found
    names = tuple(people.judges[place] for place in kept)
    codes, classes = handling.codes(people.verdict[:, kept]), handling.classes
    kappa = pairwise(codes, people.n, classes)
    mean = None
    if np.isfinite(kappa).any():
        name = "human_mean_pairwise_kappa"
        mean = mean_pairwise_kappa(name, people, codes, draw, classes=classes)
    return replace(found, kappa=Square(names, kappa), mean_pairwise_kappa=mean)


def _labelled(units: Units, reading: Reading) -> int:
    """Units with a reference, as the task declares it."""
    as_class = reading.mode.abstentions == "class"
    _, _, state = reference_weights(_as_declared(units, reading.mode), abstained=as_class)
    return int(units.n[state == 0].sum())


def _largest(units: Units) -> float:
    """The share of all units that are in the largest cluster."""
    if units.single or not units.n.any():
        return 1 / max(int(units.n.sum()), 1)
    sizes = np.bincount(units.cluster, units.n)
    each = sizes if units.alike is None else sizes / units.alike[: len(sizes)]
    return float(each.max() / sizes.sum())


#: On fewer items equal verdicts may be chance.
LEAST_COPIED = 20


def _copies(names: Sequence[str], units: Units) -> tuple[tuple[str, ...], ...]:
    """Judges whose verdicts are the same on all items, and more than one option."""
    seen, size = units.n > 0, len(units.options)
    groups: dict[bytes, list[str]] = {}
    for name in names:
        own = units.verdict[seen][:, units.columns_of(name)]
        decided = ((own >= 0) & (own < size)).any(1)
        several = len(np.unique(own[(own >= 0) & (own < size)])) > 1
        if several and int(units.n[seen][decided].sum()) >= LEAST_COPIED:
            groups.setdefault(own.tobytes(), []).append(name)
    return tuple(tuple(same) for same in groups.values() if len(same) > 1)


def _panel(units: Units, judges: Sequence[JudgeAgreement], reading: Reading) -> PanelAgreement:
    size, draw = len(units.options), reading.draw
    names = tuple(one.judge for one in judges)
    codes = np.stack(
        [one_verdict(units.verdict[:, units.columns_of(name)], size) for name in names], 1
    )
    handling = handling_of(reading.task, reading.mode)
    among = panel_codes(units, handling)
    counts = np.stack([(among == k).sum(1) for k in range(handling.classes)], 1)
    # Conger's kappa needs every judge's own margin.
    complete = among if (among >= 0).any(0).all() else None
    kappa = pairwise(among, units.n, handling.classes, handling.weights)
    found = PanelAgreement(
        judges=names,
        coefficients=inter_rater(
            counts, units, draw, prefix="judges_", rater_codes=complete, handling=handling
        ),
        kappa=Square(names, kappa),
        weights=None if handling.weights is None else handling.weights_name,
        unlike=unlike_judges(units, among, names, handling.labels, draw),
        missing=missing_by_judge(
            units, {one.judge: known(one.rates).get("coverage", 1.0) for one in judges}
        ),
        copies=_copies(names, units),
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
            for one in juries(units, among, names, reading)
        ),
    )
