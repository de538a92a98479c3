"""The tables of a ranking, for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.questions.rank.aggregation import Aggregation
from goldassay.questions.rank.corrected import Corrected
from goldassay.questions.rank.families import Kinship
from goldassay.questions.rank.judged import Behaviour, Judged
from goldassay.questions.rank.stability import Curve
from goldassay.questions.rank.systems import SystemLine
from goldassay.questions.rank.words import ordinal, place
from goldassay.results import Estimate, Result, Table, Undefined

__all__ = [
    "WORDS",
    "aggregation_table",
    "behaviour_table",
    "best_table",
    "bias_table",
    "corrected_table",
    "decisiveness_words",
    "judge_table",
    "kin_table",
    "level_table",
    "rank_table",
    "size_table",
    "stability_table",
    "system_table",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

WORDS: Mapping[str, str] = {
    "mean": "mean",
    "median": "median",
    "win_rate": "win rate",
    "bradley_terry": "Bradley-Terry",
}


def _shown(result: Result | None, digits: int = 2) -> str:
    """A value with its interval, as "0.78 (0.72, 0.91)"."""
    if result is None:
        return ""
    if isinstance(result, Undefined):
        return "undefined"
    text = f"{result.value:.{digits}f}"
    if result.interval is None:
        return text
    return f"{text} ({_end(result.interval.low, digits)}, {_end(result.interval.high, digits)})"


def _end(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if np.isfinite(value) else "∞" if value > 0 else "-∞"


def judge_table(ordered: Sequence[Judged], aggregations: Sequence[Aggregation]) -> Table:
    """Judges by tau, one column per aggregation."""
    used = [by for by in aggregations if by in ordered[0].aggregated]
    rows = tuple(
        (one.name, *(_shown(one.result("kendall_tau", by)) for by in used)) for one in ordered
    )
    return Table(
        "Judges by agreement with people's ranking (Kendall's tau)",
        ("judge", *(WORDS[by] for by in used)),
        rows,
        ("In brackets: the tau that endlessly many prompts like these could show.",),
    )


def best_table(
    ordered: Sequence[Judged],
    shares: Sequence[float | None],
    behind: Mapping[str, Estimate],
    by: Aggregation,
) -> Table:
    """Judges against the best of them."""
    rows = tuple(
        (one.name, _shown(behind.get(one.name)), "" if share is None else f"{share:.0%}")
        for one, share in zip(ordered, shares, strict=True)
    )
    return Table(
        f"Which judge ranks best ({WORDS[by]})",
        ("judge", "tau behind the best", "best in"),
        rows,
        ("Paired over the same resamples of prompts; `best in` is the share of them.",),
    )


def behaviour_table(ordered: Sequence[Judged]) -> Table:
    """Decisiveness, bias, and win rates of each judge."""
    rows = tuple(
        (
            one.name,
            _shown(one.result("decisiveness")),
            _shown(one.result("bias_delta"), 3),
            _shown(one.result("win_rate_accuracy")),
            _shown(one.result("win_rate_mse"), 3),
        )
        for one in ordered
    )
    return Table(
        "How the judges depart from people on pairs of systems",
        ("judge", "decisiveness", "bias delta", "win-rate accuracy", "win-rate MSE"),
        rows,
        (
            "Decisiveness 1: win rates as extreme as people's; above: more extreme. Bias delta: "
            "standard deviation over systems of the bias that decisiveness does not explain.",
        ),
    )


def decisiveness_words(judge: str, shape: Estimate, delta: float | None) -> str:
    """What decisiveness and bias say about a judge, in a sentence."""
    interval = shape.interval
    if interval is not None and interval.low > 1:
        word = "more decisive than people: it widens the gaps between systems"
    elif interval is not None and interval.high < 1:
        word = "less decisive than people: it narrows the gaps between systems"
    else:
        word = "about as decisive as people"
    text = f"{judge} is {word} (decisiveness {_shown(shape)})"
    if delta is not None:
        text += f"; beyond that it favours or slights a system by about {delta:.3f} of win rate"
    return text + "."


def system_table(
    judge: str,
    lines: Mapping[Aggregation, Sequence[SystemLine]],
    systems: Sequence[str],
    gold_ranks: Floats | None,
    notes: Sequence[str],
) -> Table:
    """Systems as ranked by the first aggregation."""
    first = next(iter(lines))
    rows = []
    for line in lines[first]:
        cells: list[Any] = [systems[line.system], line.words]
        if gold_ranks is not None:
            gold = gold_ranks[line.system]
            whole = float(gold).is_integer()
            cells.append("" if np.isnan(gold) else ordinal(int(gold)) if whole else f"{gold:g}")
        cells += [_score_cell(line.score), _shown(line.gap)]
        rows.append(tuple(cells))
    people = ("people",) if gold_ranks is not None else ()
    unbounded = [
        f"{systems[line.system]}: {line.score.reason}."
        for ranked in lines.values()
        for line in ranked
        if isinstance(line.score, Undefined)
    ]
    return Table(
        f"Systems ranked by {judge} ({WORDS[first]})",
        ("system", "rank", *people, WORDS[first], "ahead of the next"),
        tuple(rows),
        (
            "Rank: from the best to the worst place that simultaneous comparisons with all other "
            "systems leave open.",
            *dict.fromkeys(unbounded),
            *notes,
        ),
    )


def aggregation_table(
    judge: str, lines: Mapping[Aggregation, Sequence[SystemLine]], systems: Sequence[str]
) -> Table:
    """Scores by the other aggregations, systems in the order of the first."""
    first, *others = lines
    found = {by: {line.system: line for line in lines[by]} for by in others}
    rows = tuple(
        (systems[line.system], *(_score_cell(found[by][line.system].score) for by in others))
        for line in lines[first]
    )
    return Table(
        f"Systems scored by {judge}, other aggregations",
        ("system", *(WORDS[by] for by in others)),
        rows,
    )


def rank_table(
    judge: str, lines: Mapping[Aggregation, Sequence[SystemLine]], systems: Sequence[str]
) -> Table:
    """Ranks by every aggregation, systems in the order of the first."""
    found = {by: {line.system: line for line in ranked} for by, ranked in lines.items()}
    rows = tuple(
        (systems[line.system], *(found[by][line.system].words for by in lines))
        for line in next(iter(lines.values()))
    )
    return Table(
        f"Ranks of the systems by {judge}, every aggregation",
        ("system", *(WORDS[by] for by in lines)),
        rows,
    )


def _score_cell(score: Result) -> str:
    if isinstance(score, Undefined) and score.interval is not None:
        low, high = score.interval.low, score.interval.high
        return f"above {low:.2f}" if np.isfinite(low) else f"below {high:.2f}"
    return _shown(score)


def bias_table(
    judge: str, systems: Sequence[str], behaviour: Behaviour, low: Floats, high: Floats
) -> Table:
    """Systems by a judge's corrected bias, most favoured first."""
    known = [s for s in np.argsort(-behaviour.corrected) if not np.isnan(behaviour.corrected[s])]
    rows = tuple(
        (
            systems[s],
            f"{behaviour.bias[s]:+.3f}",
            f"{behaviour.corrected[s]:+.3f} ({low[s]:+.3f}, {high[s]:+.3f})",
        )
        for s in known
    )
    return Table(
        f"Bias of {judge} towards systems",
        ("system", "bias", "bias beyond decisiveness"),
        rows,
        ("Mean over opponents of the judge's win rate minus people's (or minus the beta curve).",),
    )


def kin_table(found: Sequence[Kinship]) -> Table:
    rows = tuple(
        (
            one.judge,
            ", ".join(one.systems),
            f"{one.bias:+.3f} ({one.low:+.3f}, {one.high:+.3f})",
            _p(one.p_opponents),
            _p(one.p_prompts),
        )
        for one in found
    )
    return Table(
        "Bias towards a judge's own or related systems",
        ("judge", "systems", "bias beyond decisiveness", "p, opponents", "p, prompts"),
        rows,
        (
            "One-sided p-values of a positive bias. Opponents: paired t-test over opponents, "
            "Bonferroni over judges, takes pairs of systems as independent. Prompts: bootstrap "
            "over prompts.",
        ),
    )


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def level_table(rows: Sequence[tuple[Judged, float]], by: Aggregation) -> Table:
    """Agreement item by item beside tau, and what explains the difference."""
    known = [(one, item, one.value("kendall_tau", by)) for one, item in rows]
    items = np.array([item for _, item, _ in known])
    taus = np.array([tau for *_, tau in known if tau is not None])
    item_place = {one.name: 1 + int((items > item).sum()) for one, item, _ in known}
    tau_place = {one.name: 1 + int((taus > tau).sum()) for one, _, tau in known if tau is not None}
    body = []
    for one, item, tau in sorted(known, key=lambda row: -(row[2] if row[2] is not None else -2)):
        delta = one.value("bias_delta")
        body.append(
            (
                one.name,
                item,
                ordinal(item_place[one.name]),
                tau,
                ordinal(tau_place[one.name]) if one.name in tau_place else "",
                "" if delta is None else f"{delta:.3f}",
            )
        )
    notes = [
        "Item accuracy: share of people's preferences between two answers to one prompt that the "
        "judge shares (a tie of the judge by half)."
    ]
    notes += _explained(known)
    return Table(
        "Items against systems",
        ("judge", "item accuracy", "place", "tau", "place by tau", "bias delta"),
        tuple(body),
        tuple(notes),
    )


def _explained(known: Sequence[tuple[Judged, float, float | None]]) -> list[str]:
    """How much of the judges' tau item accuracy explains, and what delta adds."""
    rows = [
        (tau, item, one.value("bias_delta"))
        for one, item, tau in known
        if tau is not None and one.value("bias_delta") is not None
    ]
    if len(rows) < 5:
        return []
    tau, item, delta = np.array(rows, np.float64).T
    if min(np.ptp(tau), np.ptp(item), np.ptp(delta)) == 0:
        return []

    def explained(*columns: Floats) -> float:
        design = np.column_stack([np.ones(len(tau)), *columns])
        fitted = design @ np.linalg.lstsq(design, tau, rcond=None)[0]
        return float(1 - ((tau - fitted) ** 2).sum() / ((tau - tau.mean()) ** 2).sum())

    return [
        f"Over these {len(rows)} judges, item accuracy explains {explained(item):.0%} of the "
        f"variance of tau; with bias delta {explained(item, delta):.0%}."
    ]


def corrected_table(
    judge: str,
    systems: Sequence[str],
    corrected: Corrected,
    low: Floats,
    high: Floats,
    first: Ints,
    last: Ints,
    assumption: str,
) -> Table:
    order = [s for s in np.argsort(-corrected.observed) if not np.isnan(corrected.observed[s])]
    rows = tuple(
        (
            systems[s],
            place(int(first[s]), int(last[s])),
            f"{corrected.observed[s]:.3f} ({low[s]:.3f}, {high[s]:.3f})",
            int(corrected.n_gold[s]),
            float(corrected.tuning[s]),
        )
        for s in order
    )
    return Table(
        f"Ranking by scores of {judge} corrected with people's",
        ("system", "rank", "corrected score", "items with gold", "lambda"),
        rows,
        (f"On people's scale, free of the judge's bias if {assumption}.",),
    )


def stability_table(judge: str, between: Curve, with_gold: Curve | None, unit: str) -> Table:
    """Tau by the number of prompts (or of clusters of them)."""
    rows: list[tuple[Any, ...]] = []
    for i, size in enumerate(between.sizes):
        people = "" if with_gold is None or i >= len(with_gold.sizes) else _spread(with_gold, i)
        rows.append((size, _spread(between, i), people))
    return Table(
        f"How many {unit}: tau of rankings by {judge} from so many",
        (unit, "with another such set", "with people"),
        tuple(rows),
        ("Mean over random sets, and where 80 % of them lie. The two sets share no prompt.",),
    )


def size_table(curves: Sequence[tuple[str, Curve]]) -> Table:
    """Tau with people by the number of systems and of judges averaged."""
    rows = [
        (label, size, _spread(curve, i))
        for label, curve in curves
        for i, size in enumerate(curve.sizes)
    ]
    return Table(
        "How many systems and judges: tau with people",
        ("random sets of", "size", "tau"),
        tuple(rows),
    )


def _spread(curve: Curve, i: int) -> str:
    return f"{curve.mean[i]:.2f} ({curve.low[i]:.2f}, {curve.high[i]:.2f})"
