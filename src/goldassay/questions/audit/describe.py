"""The audit in words, tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.distributions import (
    Definition,
    hit_rate,
    jensen_shannon,
    mean_squared_error,
    positive,
)
from goldassay.formulas.rating_vectors import Side, normalised
from goldassay.questions.audit.bounds import Bounds, population
from goldassay.questions.audit.evaluate import columns, values
from goldassay.questions.audit.populations import compare_groups, holm
from goldassay.questions.audit.rank_consistency import discordance, same_best
from goldassay.questions.audit.raters import noise_ceiling, ratings_needed
from goldassay.questions.audit.study import Study
from goldassay.results import Gathered, Table

__all__ = ["groups", "opening", "rank_consistency", "raters", "selection", "words"]

Array = NDArray[np.float64]

PANELS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50)
SPLITS = 20
SHUFFLES = 499


def opening(findings: Gathered, study: Study) -> None:
    """Who rated what."""
    judges, items = len(study.counted.judges), int((study.raters > 0).sum())
    median = float(np.median(study.raters[study.raters > 0]))
    kinds = [
        word
        for word, asked in (
            ("forced choices", study.forced_asked),
            ("response sets", study.sets_asked),
        )
        if asked
    ]
    findings.answer.append(
        f"{_number(judges, 'judge')} against people on {_number(items, 'item')}; people gave "
        f"{' and '.join(kinds)} ({median:g} ratings per item, median)."
    )


def selection(
    findings: Gathered,
    study: Study,
    definitions: Sequence[Definition],
    found: Bounds,
    head: Sequence[int],
) -> None:
    """Which judge each definition selects, and whether they agree on it."""
    names = study.counted.judges
    rows, best = [], {}
    for d in head:
        one = definitions[d]
        score = one.score(found.value[d])
        chosen = None
        if len(names) > 1 and not np.isnan(score).any() and np.ptp(score) > 1e-12:
            chosen = names[int(np.argmax(score))]
            if one.better != "zero":
                best[d] = chosen
        cells = [_or_none(value) for value in found.value[d]]
        rows.append((one.label, *cells, chosen))
    columns_ = ("definition", *names, "selects")
    note = "h hard, s soft, hrs hard response set, srs soft response set: judge/people."
    if not np.isfinite(found.value[list(head)]).all():
        note += " Empty: undefined, for the reason given with the result."
    if len(names) > 1:
        findings.tables["definitions"] = Table(
            "Which judge each definition selects", columns_, tuple(rows), (note,)
        )
    if best:
        by_judge: dict[str, list[str]] = {}
        for d, name in best.items():
            by_judge.setdefault(name, []).append(words(definitions[d]))
        order = sorted(by_judge, key=lambda name: -len(by_judge[name]))
        if len(order) == 1:
            findings.answer.append(f"All {len(best)} definitions shown select {order[0]}.")
        else:
            parts = [f"{name} by {_listed(by_judge[name])}" for name in order]
            findings.answer.append(
                "The definitions disagree on the best judge: " + "; ".join(parts) + "."
            )
    _downstream_sentences(findings, study, definitions, found, head)
    kept = [d for d in head if definitions[d].name == "decision_consistency"]
    dots = [
        {
            "label": name,
            "group": definitions[d].aggregation,
            "value": float(found.value[d, j]),
            "low": float(found.low[d, j]),
            "high": float(found.high[d, j]),
        }
        for d in kept
        for j, name in enumerate(names)
        if np.isfinite(found.value[d, j])
    ]
    if dots:
        findings.charts.append(
            {
                "kind": "dot_interval",
                "title": "Decision consistency with people",
                "x_label": "share of items decided alike",
                "rows": dots,
                "references": [],
                "alt": "Share of items on which each judge decides as people do, with intervals.",
            }
        )


def _downstream_sentences(
    findings: Gathered,
    study: Study,
    definitions: Sequence[Definition],
    found: Bounds,
    head: Sequence[int],
) -> None:
    for j, name in enumerate(study.counted.judges):
        kept = {definitions[d].name: d for d in head if definitions[d].judge == "s"}
        if "decision_consistency" not in kept or j >= 5:
            continue
        c, b = kept["decision_consistency"], kept["estimation_bias"]
        if not np.isfinite(found.value[[c, b], j]).all():
            continue
        declared = definitions[c].declared or {}
        points = round(found.value[b, j] * 100)
        where = f"{_number(abs(points), 'point')} {'above' if points > 0 else 'below'} theirs"
        several = found.found.items[c, j] > 1
        ends = [(found.low[d, j] * 100, found.high[d, j] * 100) for d in (c, b)]
        consistent = f" ({ends[0][0]:.0f}% to {ends[0][1]:.0f}%)" if several else ""
        biased = f" ({ends[1][0]:+.0f} to {ends[1][1]:+.0f})" if several else ""
        findings.answer.append(
            f"{name}: counting an item as {declared['option']!r} from a share of "
            f"{declared['threshold']}, it decides as people do on {found.value[c, j]:.0%} of items"
            f"{consistent}, and puts the prevalence {where if points else 'where they do'}{biased}."
        )


def rank_consistency(
    findings: Gathered,
    study: Study,
    definitions: Sequence[Definition],
    found: Bounds,
    head: Sequence[int],
) -> None:
    """How often two definitions order the judges differently, over resampled items."""
    if len(study.counted.judges) < 2:
        return
    kept = [
        d for d in head if np.isfinite(found.value[d]).all() and definitions[d].better != "zero"
    ]
    if len(kept) < 2:
        return
    point = np.stack([definitions[d].score(found.value[d]) for d in kept])
    drawn = found.found.replicates[:1000]
    scores = np.stack([definitions[d].score(drawn[:, d]) for d in kept], axis=1)
    now, over = discordance(point), discordance(scores)
    same = same_best(scores)
    known = np.isfinite(same)
    differs = 1 - np.where(known, same, 0.0).sum(0) / np.maximum(known.sum(0), 1)
    tail = (1 - study.task.confidence_level) / 2
    labels = [definitions[d].label for d in kept]
    rows = []
    for a in range(len(kept)):
        for b in range(a + 1, len(kept)):
            low, high = np.nanquantile(over[:, a, b], [tail, 1 - tail])
            rows.append(
                (
                    labels[a],
                    labels[b],
                    float(now[a, b]),
                    f"{low:.2f} to {high:.2f}",
                    float(differs[a, b]),
                )
            )
    rows.sort(key=lambda row: (-row[2], -row[4]))
    if rows[0][2] == 0:
        findings.answer.append("All these definitions put the judges in the same order.")
        return
    findings.tables["rank_consistency"] = Table(
        "Pairs of definitions that order the judges differently",
        ("first", "second", "pairs of judges", "interval", "other judge selected"),
        tuple(rows[:8]),
        (
            "Share of pairs of judges that the two definitions order differently; last, share of "
            "resamples in which they select different judges.",
        ),
    )
    findings.charts.append(
        {
            "kind": "heat_map",
            "title": "Share of pairs of judges ordered differently",
            "x_label": "",
            "y_label": "",
            "x_labels": labels,
            "y_labels": labels,
            "values": [[float(v) for v in row] for row in now],
            "center": None,
            "format": ".2f",
            "alt": "For each pair of definitions, the share of pairs of judges they order "
            "differently.",
        }
    )


def raters(
    findings: Gathered, study: Study, option: int, threshold: float, rng: np.random.Generator
) -> None:
    """How many ratings per item a decision needs, and what people themselves reach."""
    if (study.raters >= 2).sum() < 20:
        return
    # Whether one option is chosen (or accepted) is all that the decision needs.
    people = population(study, rng)
    share = (people.omega if study.sets_asked else people.forced)[:, option]
    share = share[np.isfinite(share)].clip(0, 1)
    shares = np.stack([share, 1 - share], axis=1)
    decide = partial(positive, option=0, threshold=threshold)
    consistency, bias = ratings_needed(shares, PANELS, decide, repetitions=50, rng=rng)
    median = float(np.median(study.raters[study.raters > 0]))
    findings.tables["raters"] = Table(
        "Ratings per item: how often a panel decides as the whole population would",
        ("ratings per item", "same decision", "bias of prevalence"),
        tuple((k, float(c), float(b)) for k, c, b in zip(PANELS, consistency, bias, strict=True)),
        (
            "Panels drawn from the population fitted to these ratings. A share that just reaches "
            "the threshold counts, as that of a panel of two who differ does at 0.5.",
        ),
    )
    enough = next((k for k, c in zip(PANELS, consistency, strict=True) if c >= 0.9), None)
    here = float(np.interp(median, PANELS, consistency))
    text = (
        f"A panel of {median:g} decides as the whole population of raters would on about "
        f"{here:.0%} of items"
    )
    text += f"; {enough} ratings per item give 90 %." if enough and here < 0.9 else "."
    findings.answer.append(text)
    findings.charts.append(
        {
            "kind": "line",
            "title": "How many ratings an item needs",
            "x_label": "ratings per item",
            "y_label": "same decision as the whole population",
            "series": [
                {
                    "label": "people",
                    "x": list(map(float, PANELS)),
                    "y": [float(c) for c in consistency],
                }
            ],
            "references": [{"axis": "x", "value": median, "label": "here"}],
            "alt": "Share of items decided as the whole population would, by ratings per item.",
        }
    )
    _ceiling(findings, study, rng)


def _ceiling(findings: Gathered, study: Study, rng: np.random.Generator) -> None:
    if not study.forced_asked:
        return
    counts = study.counted.human_forced

    def hits(one: Array, two: Array) -> Array:
        hard = [Side(p, p, ties=study.task.reference_ties)["h"] for p in (one, two)]
        return hit_rate(hard[0], hard[1])

    named = (
        ("hit_rate h/h", hits),
        ("jensen_shannon s/s", jensen_shannon),
        ("mean_squared_error s/s", mean_squared_error),
    )
    rows = []
    for name, metric in named:
        halves = [noise_ceiling(metric, counts, rng=rng) for _ in range(SPLITS)]
        if np.isfinite(halves).any():
            rows.append((name, float(np.nanmean(halves))))
    half = float(np.median(study.raters[study.raters > 1])) // 2
    findings.tables["ceiling"] = Table(
        "What people themselves reach: one half of the raters against the other",
        ("definition", "people"),
        tuple(rows),
        (
            f"Random halves (of {half:g} raters, median), mean of {SPLITS} splits. A judge that "
            "does better than this agrees with people as well as people do.",
        ),
    )


def groups(
    findings: Gathered,
    study: Study,
    definitions: Sequence[Definition],
    head: Sequence[int],
    rng: np.random.Generator,
) -> None:
    """The audit by groups of raters, with the differences tested."""
    by_group = study.counted.groups
    if len(by_group) < 2:
        return
    kept = [
        definitions[d]
        for d in head
        if definitions[d].judge in ("h", "s") and definitions[d].human in ("h", "s")
    ]
    cluster, clusters = study.counted.cluster, study.counted.n_clusters

    def statistic(counts: Array) -> Array:
        shares = normalised(counts)
        human = Side(shares, shares, study.threshold, study.task.reference_ties)
        return values(kept, columns(kept, study.judge, human, cluster, clusters))

    counts = {name or "(none)": forced for name, (forced, _) in by_group.items() if forced.sum()}
    if len(counts) < 2:
        findings.warnings.append("Groups of raters are compared on forced choices; only one has.")
        return
    names = study.counted.judges
    rows = [
        (group, judge, one.label, _or_none(statistic(forced)[d, j]))
        for group, forced in counts.items()
        for j, judge in enumerate(names)
        for d, one in enumerate(kept)
    ]
    findings.tables["groups"] = Table(
        "The audit by group of raters", ("group", "judge", "definition", "value"), tuple(rows)
    )
    found = compare_groups(counts, statistic, shuffles=SHUFFLES, rng=rng)
    tests = [
        (
            f"{one.first} against {one.second}",
            judge,
            definition.label,
            float(one.difference[d, j]),
            float(one.p_value[d, j]),
            one.n_items,
        )
        for one in found
        for d, definition in enumerate(kept)
        for j, judge in enumerate(names)
        if np.isfinite(one.p_value[d, j])
    ]
    adjusted = holm([row[4] for row in tests])
    findings.tables["group_differences"] = Table(
        "Differences between groups of raters",
        ("groups", "judge", "definition", "difference", "p", "p (Holm)", "items"),
        tuple((*row[:5], p, row[5]) for row, p in zip(tests, adjusted, strict=True)),
        (f"Raters shuffled between the groups within each item, {SHUFFLES} times.",),
    )
    apart = holm([one.divergence_p_value for one in found])
    for one, p in zip(found, apart, strict=True):
        verdict = (
            "rate differently"
            if p < 1 - study.task.confidence_level
            else ("show no difference in how they rate")
        )
        findings.answer.append(
            f"Raters of {one.first} and {one.second} {verdict} (Jensen-Shannon "
            f"{one.divergence:.3f} between them, p = {p:.3f}, {one.n_items} items)."
        )
    clear = [
        row for row, p in zip(tests, adjusted, strict=True) if p < 1 - study.task.confidence_level
    ]
    for row in clear[:3]:
        findings.answer.append(
            f"{row[1]} differs between {row[0]}: {row[2]} by {row[3]:+.2f} (p = {row[4]:.3f})."
        )


def _or_none(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def words(one: Definition) -> str:
    return f"{one.name.replace('_', ' ')} ({one.aggregation})"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _number(count: int, word: str) -> str:
    return f"{count:,} {word}" + ("" if count == 1 else "s")
