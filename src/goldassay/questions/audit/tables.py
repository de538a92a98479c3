"""An audit in tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.questions.audit.performance import Performance
from goldassay.questions.audit.populations import Groups
from goldassay.questions.audit.sensitivity import (
    Family,
    Hidden,
    ImpliedBeta,
    Prevalence,
    Sweep,
    runs,
)
from goldassay.questions.audit.study import AuditStudy, Ceiling, RankConsistency, RatersNeeded
from goldassay.questions.audit.unsaid_words import definition_words
from goldassay.results import Estimate, Line, Result, Summary, Table
from goldassay.words import counted, interval_text, listed, named, one_of, percent, points

__all__ = ["summary", "tables"]

Array = NDArray[np.float64]

#: Pairs of definitions that are shown, those that order the judges most differently.
MOST_PAIRS = 8


#: What the summary shows of each judge, with the aggregation.
SHOWN = (
    ("decision_consistency", "s/s"),
    ("estimation_bias", "s/s"),
    ("hit_rate", "h/h"),
    ("jensen_shannon", "s/s"),
)

#: The heading of how often raters accept more than they chose.
ACCEPT = "accept more"


def summary(study: AuditStudy) -> Summary:
    """One line per judge, the one that decides most like people first; level ones by how much
    they decide, which stands beside it where they differ in that."""
    found = {(one.definition.name, one.definition.aggregation): one for one in study.compared}
    consistency = found[SHOWN[0]].results

    def worth(j: int) -> float:
        result = consistency[j]
        return round(result.value, 12) if isinstance(result, Estimate) else -np.inf

    own = next(
        one.results
        for one in study.performances
        if (one.definition.name, one.definition.aggregation) == SHOWN[0]
    )
    lines = []
    for j in sorted(range(len(study.judges)), key=worth, reverse=True):
        alike, *rest = (found[key].results[j] for key in SHOWN)
        constant = percent(study.decisions_compared.constant(j)) if worth(j) > -np.inf else None
        number = [own[j].n_items] if study.shared else []
        cells: list[Result | str | int | None] = [alike, *number, constant, *rest]
        if study.choice.chosen is not None:
            cells.append(f"{study.choice.selected_by[j]:,} of {study.choice.n_definitions:,}")
        lines.append(Line(study.judges[j], tuple(cells), study.choice.tied[j]))
    names = [name for name, _ in SHOWN]
    of_own = [f"own {study.unit}s"] if study.shared else []
    columns = [names[0], *of_own, "all decided alike", *names[1:]]
    columns += ["selected by"] if study.choice.chosen is not None else []
    options = listed([named(one) for one in study.decisions.options], "or")
    return Summary(
        "judge",
        tuple(columns),
        tuple(lines),
        (
            f"{one_of(study.unit).capitalize()} counts as {options} from "
            f"{percent(study.decisions.threshold)} of the raters on"
            f"{', by half at just so many' if study.decisions.level else ''}. All decided alike: "
            f"the commoner decision for every {study.unit}.",
            *(
                ["Intervals also cover what all raters would say, not only those asked."]
                if any(isinstance(one, Estimate) and one.interval for one in consistency)
                else []
            ),
            *(
                [
                    f"compared on the {counted(study.shared, study.unit)} that all judges decide; "
                    f"own {study.unit}s: how many it decides itself"
                ]
                if study.shared
                else []
            ),
        ),
    )


def tables(study: AuditStudy) -> dict[str, Table]:
    """All tables by name."""
    return dict(_tables(study))


def _tables(study: AuditStudy) -> Iterator[tuple[str, Table]]:
    if len(study.judges) > 1:
        yield "definitions", _definitions(study.compared, study.judges)
    if study.rank_consistency is not None and not study.rank_consistency.same_order:
        yield "rank_consistency", _rank_consistency(study.rank_consistency)
    if study.hidden is not None:
        yield from _hidden(study.hidden, study.judges)
    if study.lapses.sweeps:
        yield "rater_error", _lapses(study)
    if study.raters is not None:
        yield "raters", _raters(study.raters)
    if study.ceiling is not None:
        yield "ceiling", _ceiling(study.ceiling)
    if isinstance(study.groups, Groups):
        yield "groups", _groups(study.groups, study.judges)
        yield "group_differences", _group_differences(study.groups)


def _definitions(compared: Sequence[Performance], judges: Sequence[str]) -> Table:
    note = "h hard, s soft, hrs hard response set, srs soft response set: judge/people."
    if not all(isinstance(result, Estimate) for one in compared for result in one.results):
        note += " Empty: undefined, for the reason given with the result."
    return Table(
        "Which judge each definition selects",
        ("definition", *judges, "selects"),
        tuple(
            (
                one.definition.label,
                *(r.value if isinstance(r, Estimate) else None for r in one.results),
                one.selects,
            )
            for one in compared
        ),
        (note,),
    )


def _rank_consistency(found: RankConsistency) -> Table:
    """The pairs of definitions that differ most first."""
    orders = found.orders
    rows: list[tuple[Any, ...]] = []
    for (a, first), (b, second) in combinations(enumerate(found.definitions), 2):
        low, high = orders.low[a, b], orders.high[a, b]
        span = interval_text(low, high, rate=True) if np.isfinite(low) else None
        share, otherwise = float(orders.discordance[a, b]), _or_none(orders.otherwise[a, b])
        rows.append((first.label, second.label, share, span, otherwise))
    rows.sort(key=lambda row: (-row[2], -(row[4] or 0.0)))
    return Table(
        "Pairs of definitions that order the judges differently",
        ("first", "second", "pairs of judges", "interval", "other judge selected"),
        tuple(rows[:MOST_PAIRS]),
        (
            "Share of pairs of judges that the two definitions order differently; last, share of "
            "resamples in which they select different judges.",
        ),
    )


def _hidden(hidden: Hidden, judges: Sequence[str]) -> Iterator[tuple[str, Table]]:
    if hidden.implied:
        yield "implied_beta", _implied(hidden.implied)
    for found in hidden.sweeps:
        if found.contested:
            measure = _measure(found)
            yield f"sensitivity_{measure}", _selections(found, measure, hidden.family, judges)
    if hidden.prevalence is not None:
        yield "prevalence", _prevalence(hidden.prevalence)


def _lapses(study: AuditStudy) -> Table:
    """Who is the best judge at each rate of lapses, and whether the definitions stay with it."""
    lean = {0.0: "none", 1.0: "towards the counted options", -1.0: "away from them"}
    rows = []
    for leaning, found in study.lapses.sweeps.items():
        for step, rate in enumerate(found.steps):
            best = int(found.winner[step])
            picks = found.selected[step]
            same = int((picks == found.selected[0]).sum())
            value = abs(float(found.best[step])) if best >= 0 else None
            judge = study.judges[best] if best >= 0 else None
            rows.append((lean[leaning], percent(rate), judge, value, f"{same} of {len(picks)}"))
    target = next(iter(study.lapses.sweeps.values())).target
    return Table(
        "The best judge if raters answer otherwise than they hold",
        ("leaning", "of ratings", "best judge", target.name, "definitions that stay"),
        tuple(rows),
        (
            "People's shares are those that they would be without the lapses. Definitions that "
            "stay select the judge that they select without lapses."
            + (f" The best judge: {definition_words(target)}." if study.by_sets else ""),
        ),
    )


def _implied(implied: Sequence[ImpliedBeta]) -> Table:
    return Table(
        "Raters who accept more than they chose, where both were asked",
        ("rater", ACCEPT, "interval", "single choices"),
        tuple(
            (
                one.rater,
                percent(one.value, (one.low, one.high)),
                interval_text(one.low, one.high, rate=True),
                one.n_choices,
            )
            for one in implied
        ),
        (
            "Accept more: share of single choices whose rater accepts another option too (--beta). "
            "The interval takes the choices for independent.",
        ),
    )


def _measure(found: Sweep) -> str:
    return found.target.name.split("_")[-1]


def _selections(found: Sweep, measure: str, family: Family, judges: Sequence[str]) -> Table:
    """Which judge each definition selects over which betas, and what that costs (tables 3, 4)."""
    # A score is the measure itself, or minus the size of a bias.
    sign = 1 if found.target.better == "higher" else -1
    rows: list[tuple[str | float | None, ...]] = []
    for first, last in runs(found.winner):
        part = slice(first, last + 1)
        rows.append(
            (
                "(the best)",
                _range(found.steps, first, last),
                judges[found.winner[first]],
                _span(sign * found.best[part], measure),
                None,
                percent(float(min(found.stability[part]))),
            )
        )
    for d, one in enumerate(found.definitions):
        for first, last in runs(found.selected[:, d]):
            judge, part = int(found.selected[first, d]), slice(first, last + 1)
            if judge < 0:
                continue
            rows.append(
                (
                    one.label,
                    _range(found.steps, first, last),
                    judges[judge],
                    _span(sign * found.reached[part, d], measure),
                    points(float(found.cost[part, d].max())),
                    None,
                )
            )
    return Table(
        f"The judge that each definition selects, and its {measure}, as raters accept more than "
        "they chose",
        ("definition", ACCEPT, "selects", measure, "cost at most", "in resamples"),
        tuple(rows),
        (
            f"Accept more: how often it is so (--beta; {family}). The {measure} of the judge "
            f"selected: {definition_words(found.target)}. Cost: how much worse than the best "
            "judge. In resamples: how often the best stays the best.",
        ),
    )


def _range(betas: Sequence[float], first: int, last: int) -> str:
    if first == 0 and last == len(betas) - 1:
        return "all"
    low, high = percent(betas[first]), percent(betas[last])
    return low if first == last else f"{low.removesuffix(' %')} to {high}"


def _span(values: Array, measure: str) -> str:
    """The least and the most of a share, or of a bias, which is a difference of shares."""
    low, high = float(np.min(values)), float(np.max(values))
    write = points if measure == "bias" else percent
    if high - low < 0.005:
        return write(low)
    first = write(low).removesuffix(" %").removesuffix(" points").removesuffix(" point")
    return f"{first} to {write(high)}"


def _prevalence(found: Prevalence) -> Table:
    """Figure 8: people's prevalence by beta and threshold."""
    return Table(
        f"People's prevalence of {_options(found)}, as raters accept more than they chose",
        (ACCEPT, *(f"threshold {percent(tau)}" for tau in found.thresholds)),
        tuple(
            (percent(beta), *map(float, row))
            for beta, row in zip(found.betas, found.values, strict=True)
        ),
        (
            f"Share of items of which at least the threshold finds {_options(found)} reasonable. "
            "Accept more: how often raters would accept more than they chose (--beta).",
        ),
    )


def _options(found: Prevalence) -> str:
    return listed([named(one) for one in found.options], "or")


def _raters(found: RatersNeeded) -> Table:
    level = "; at 0.5, as that of a panel of two who differ, by half" if found.by_half else ""
    return Table(
        "Ratings per item: how often a panel decides as the whole population would",
        ("ratings per item", "same decision", "bias of prevalence"),
        tuple(
            (number, percent(float(consistency)), points(float(bias)))
            for number, consistency, bias in zip(
                found.numbers, found.consistency, found.bias, strict=True
            )
        ),
        (
            "Panels drawn from the population fitted to these ratings. A share that just reaches "
            f"the threshold counts{level}.",
        ),
    )


def _so_many(number: float) -> str:
    return "1 rater" if number == 1 else f"{number:g} raters"


def _ceiling(found: Ceiling) -> Table:
    return Table(
        "What people themselves reach: one half of the raters against the other",
        ("definition", "people"),
        tuple(found.reached.items()),
        (
            f"Random halves (of {_so_many(found.half)}, median), mean of {found.splits} splits. A "
            "judge that does better than this agrees with people as well as people do.",
        ),
    )


def _groups(found: Groups, judges: Sequence[str]) -> Table:
    return Table(
        "The audit by group of raters",
        ("group", "judge", "definition", "value"),
        tuple(
            (group, judge, one.label, _or_none(values[d, j]))
            for group, values in found.values.items()
            for j, judge in enumerate(judges)
            for d, one in enumerate(found.definitions)
        ),
    )


def _group_differences(found: Groups) -> Table:
    return Table(
        "Differences between groups of raters",
        ("groups", "judge", "definition", "differs by", "p", "p (Holm)", "items"),
        tuple(
            (
                f"{test.first} against {test.second}",
                test.judge,
                test.definition.label,
                test.difference,
                test.p_value,
                test.adjusted,
                test.n_items,
            )
            for test in found.tests
        ),
        (f"Raters shuffled between the groups within each item, {found.shuffles} times.",),
    )


def _or_none(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
