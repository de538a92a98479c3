"""Coverage where several features of a study meet: settings written down before any was tried.

    python benchmarks/coverage_mixed.py [NAME ...] [--runs N] [--seed S]

Clusters, strata, weights, abstentions and labels by verdict in one study; three criteria; systems
of very unequal numbers; labels that are the first in time; scores piled at both ends; a grade that
nobody gives; two of five people on an item; a judge and its copy; a system that never succeeds;
judges below chance; versions of which one abstains; few labels in each window; two people; five
raters of three options; thresholds near the ends; battles of which two fifths tie; a passport of
labels by verdict. All go through the verbs with the rows that a user has. "At once" is of all
differences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial

import numpy as np
from coverage_estimate import Found
from coverage_fresh import each_verdict, numbers, rows_of, some, turned
from coverage_verbs import (
    BINARY,
    MANY,
    YES_NO,
    Flags,
    Floats,
    Ints,
    Rng,
    at_once,
    bare,
    level,
    main,
    rated,
    together,
)
from scipy.special import expit

import goldassay
from goldassay.formulas import agreement as coefficients
from goldassay.inference.changes import Joint, change, change_limits
from goldassay.results import Estimate

RANDOM = {**BINARY, "calibration": "random"}
GRADES = np.array(list("12345"))


def gaps_of(found: goldassay.Findings, truth: Floats) -> list[tuple[float, float, float]]:
    """Both ends and the true difference of every pair in a table of differences."""
    table, gaps = found.tables["differences"], []
    for line in table.rows:
        one = dict(zip(table.columns, line, strict=True))
        first, second = (int(str(value)[1:]) for value in list(line)[:2])
        gaps.append((float(one["low"]), float(one["high"]), float(truth[first] - truth[second])))
    return gaps


# --- estimate ---------------------------------------------------------------------------------


def _everything(rng: Rng, clusters: int) -> tuple[Ints, Ints, Flags, Ints, Floats]:
    """Clusters of 3 to 25 of one topic each; the judge abstains on what is hard."""
    cluster = np.repeat(np.arange(clusters), rng.integers(3, 26, clusters))
    topic = rng.choice(3, clusters, p=(0.5, 0.3, 0.2))[cluster]
    hard = level(rng, cluster, 0.6) + rng.standard_normal(len(cluster))
    true = rng.random(len(cluster)) < expit(np.array([-1.8, -0.5, 0.6])[topic] + 0.4 * hard)
    said = turned(rng, true, expit(np.array([2.4, 1.8, 1.2])[topic] - 0.5 * hard)).astype(int)
    silent = rng.random(len(cluster)) < expit(hard - 2.6)
    weight = np.exp(0.4 * rng.standard_normal(len(cluster)) - 0.3 * topic)
    return cluster, topic, true, np.where(silent, -1, said), weight


@cache
def _everything_in_truth() -> float:
    _, _, true, _, weight = _everything(np.random.default_rng(1), MANY // 4)
    return float(weight @ true / weight.sum())


def everything(rng: Rng) -> Found:
    cluster, topic, true, said, weight = _everything(rng, 45)
    known = each_verdict(rng, said, 35)
    rows = rows_of(true, said, known, YES_NO, cluster=cluster, topic=topic, weight=weight.round(6))
    task = {**BINARY, "calibration": "by_verdict", "cluster": "cluster"}
    task |= {"abstain": [""], "abstentions": "class"}
    for row in numbers(goldassay.estimate(rows, task), "prevalence"):
        yield "prevalence", row.result, _everything_in_truth()


def clustered_strata(rng: Rng) -> Found:
    """Topics of .5, .3 and .2 of 40 clusters, 20 labels of each topic, whichever the verdict."""
    clusters = 40
    cluster = np.repeat(np.arange(clusters), rng.integers(4, 21, clusters))
    topic = rng.choice(3, clusters, p=(0.5, 0.3, 0.2))[cluster]
    true, said = _topical(rng, cluster, topic)
    known = each_verdict(rng, topic, 40)
    rows = rows_of(true, said, known, YES_NO, cluster=cluster, topic=topic)
    task = {**RANDOM, "cluster": "cluster"}
    for row in numbers(goldassay.estimate(rows, task, strata=["topic"]), "prevalence"):
        if "topic" not in row.about:
            yield "prevalence", row.result, _topical_rate()


def _topical(rng: Rng, cluster: Ints, topic: Ints) -> tuple[Flags, Flags]:
    rate = np.array([-2.0, -0.5, 1.0])[topic] + level(rng, cluster, 0.6)
    true = rng.random(len(cluster)) < expit(rate)
    return true, turned(rng, true, expit(np.array([2.4, 1.8, 1.2])[topic]))


@cache
def _topical_rate() -> float:
    rng = np.random.default_rng(1)
    cluster = np.arange(MANY * 5)
    return float(_topical(rng, cluster, rng.choice(3, MANY * 5, p=(0.5, 0.3, 0.2)))[0].mean())


def first_in_time(rng: Rng) -> Found:
    """600 items whose rate goes from .15 to .45; the first 120 are labelled."""
    rate = np.linspace(0.15, 0.45, 600)
    true = rng.random(600) < rate
    said = turned(rng, true, np.where(true, 0.85, 0.9))
    day = [f"2024-{1 + k // 60:02d}-{1 + k % 60 // 3:02d}" for k in range(600)]
    rows = rows_of(true, said, np.arange(600) < 120, YES_NO, time=np.array(day))
    found = goldassay.estimate(rows, RANDOM)
    for row in numbers(found, "prevalence"):
        # That labelled items are unlike the others is said of the whole document.
        yield "prevalence", replace(row.result, warnings=found.warnings), 0.3


def _piled(rng: Rng, cluster: Ints) -> tuple[Floats, Floats]:
    """Scores between 0 and 1, of which three quarters are either; a judge that is more extreme."""
    height = 0.5 + 0.9 * (level(rng, cluster, 0.7) + rng.normal(0, 0.9, len(cluster)))
    judge = height + rng.normal(0.1, 0.5, len(cluster))
    return np.clip(height, 0, 1), np.clip(1.3 * judge - 0.15, 0, 1)


@cache
def _piled_mean() -> float:
    return float(_piled(np.random.default_rng(1), np.arange(MANY * 5))[0].mean())


def piled(rng: Rng, *, clusters: int, size: int, labels: int) -> Found:
    cluster = np.repeat(np.arange(clusters), size)
    people, judge = (one.round(6) for one in _piled(rng, cluster))
    known = some(rng, len(cluster), labels)
    item = np.arange(len(cluster))
    rows = together(
        rated("j", "judge", judge, item=item, cluster=cluster),
        rated("p", "human", people[known], item=item[known], cluster=cluster[known]),
    )
    task = {"scale": "continuous", "calibration": "random", "cluster": "cluster"}
    for row in numbers(goldassay.estimate(rows, task), "mean_score"):
        yield "mean_score", row.result, _piled_mean()


def unused_grade(rng: Rng) -> Found:
    """Five grades, of which nobody gives 4; 12 labels of each verdict of 400 items."""
    shares = np.array([0.05, 0.15, 0.3, 0.0, 0.5])
    label = rng.choice(5, 400, p=shares)
    off = np.clip(label + rng.choice((-2, -1, 1, 2), 400), 0, 4)
    said = np.where(rng.random(400) < 0.7, label, np.where(off == 3, 4, off))
    rows = rows_of(label, said, each_verdict(rng, said, 12), GRADES)
    task = {"scale": "ordinal", "options": list(GRADES), "calibration": "by_verdict"}
    found = goldassay.estimate(rows, task)
    for row in numbers(found, "mean_score"):
        yield "mean_score", row.result, float(shares @ np.arange(1, 6))
    for row in numbers(found, "prevalence"):
        share = float(shares[int(str(row.about["option"])) - 1])
        yield f"rate of a grade that {share:g} have", row.result, share


def below_chance(rng: Rng, *, apart: bool) -> Found:
    """A judge that is right on .35 of yes and .4 of no; 120 labels of 600, or 120 elsewhere."""
    true = rng.random(600 + 120 * apart) < 0.3
    said = turned(rng, true, np.where(true, 0.35, 0.4))
    if apart:
        known = np.arange(720) >= 600
        split = np.where(known, "calibration", "test")
        rows = rows_of(true, said, known, YES_NO, split=split)
        found = goldassay.estimate(rows, {**BINARY, "calibration": "separate"})
    else:
        found = goldassay.estimate(rows_of(true, said, some(rng, 600, 120), YES_NO), RANDOM)
    for row in numbers(found, "prevalence"):
        yield "prevalence", row.result, 0.3


# --- compare ----------------------------------------------------------------------------------


def unequal_systems(
    rng: Rng, *, rates: tuple[float, ...], items: tuple[int, ...], labels: tuple[int, ...]
) -> Found:
    """Systems with so many items and labels, each on prompts of its own."""
    parts, start = [], 0
    for s, (rate, number, known) in enumerate(zip(rates, items, labels, strict=True)):
        true = rng.random(number) < rate
        said = turned(rng, true, np.where(true, 0.85, 0.92))
        where = {"prompt": start + np.arange(number), "system": np.full(number, f"s{s}")}
        part = rows_of(true, said, some(rng, number, known), YES_NO, **where)
        parts.append({**part, "item": [f"{s}-{item}" for item in part["item"]]})
        start += number
    found, gaps = goldassay.compare(together(*parts), RANDOM), []
    for row in found.rows:
        result = row.result
        if result.name == "prevalence":
            s = int(str(row.about["system"])[1:])
            yield f"rate of a system with {labels[s]} labels of {items[s]}", result, rates[s]
        elif result.name == "difference" and result.interval is not None:
            first, second = (int(str(row.about[one])[1:]) for one in ("system", "opponent"))
            gaps.append((result.interval.low, result.interval.high, rates[first] - rates[second]))
    if gaps:
        yield "differences at once", at_once(gaps), 0.0


# --- agree ------------------------------------------------------------------------------------


def _criteria(rng: Rng, clusters: int, size: int) -> tuple[Ints, Flags, Flags]:
    """Labels and verdicts [3, N] of three criteria, harder and rarer one after the other."""
    cluster = np.repeat(np.arange(clusters), size)
    hard = level(rng, cluster, 0.7) + 0.7 * rng.standard_normal(len(cluster))
    true = rng.random((3, len(cluster))) < expit(np.array([0.3, -1.2, -2.4])[:, None] - 0.3 * hard)
    right = expit(np.array([2.2, 1.8, 1.6])[:, None] - hard)
    return cluster, true, np.where(rng.random(true.shape) < right, true, ~true)


CRITERIA = ("accuracy", "balanced_accuracy", "cohen_kappa", "f1")


def _by_criterion(
    cluster: Ints, true: Flags, said: Flags, resamples: int
) -> Mapping[str, Estimate]:
    every = np.ones(len(cluster), bool)
    parts = [
        rows_of(
            true[c], said[c], every, YES_NO, cluster=cluster, criterion=np.full(len(every), f"c{c}")
        )
        for c in range(3)
    ]
    found = goldassay.agree(together(*parts), {**BINARY, "cluster": "cluster"}, resamples=resamples)
    shown = {}
    for row in numbers(found, *CRITERIA):
        criterion = row.about.get("criterion")
        where = str(row.about["level"]) if criterion is None else f"of {criterion}"
        if isinstance(row.result, Estimate) and row.about["level"] in ("micro", "criterion"):
            shown[f"{row.result.name} {where}"] = row.result
    return shown


@cache
def _by_criterion_in_truth() -> Mapping[str, float]:
    drawn = _criteria(np.random.default_rng(1), MANY // 20, 6)
    return {name: one.value for name, one in _by_criterion(*drawn, 50).items()}


def three_criteria(rng: Rng) -> Found:
    """18 clusters of 6 items, each held against three criteria."""
    for name, one in _by_criterion(*_criteria(rng, 18, 6), 1_000).items():
        yield name, one, _by_criterion_in_truth()[name]


ABC = np.array(list("abc"))
AMONG = ("human_krippendorff_alpha", "human_mean_pairwise_kappa", "human_fleiss_kappa")


def _two_of_five(rng: Rng, items: int) -> tuple[Ints, Ints, Ints]:
    """Labels [5, N] of three options, a judge's, and which two people rate an item [2, N]."""
    true = rng.choice(3, items, p=(0.6, 0.3, 0.1))
    right = np.array([0.9, 0.85, 0.8, 0.75, 0.6, 0.8])[:, None] > rng.random((6, items))
    said = np.where(right, true, rng.integers(0, 3, (6, items)))
    return said[:5], said[5], rng.random((5, items)).argsort(0)[:2]


def _among(people: Ints, judge: Ints, which: Ints) -> Mapping[str, Estimate]:
    item = np.arange(len(judge))
    parts = [rated("j", "judge", ABC[judge], item=item)]
    for k, one in enumerate(people):
        at = np.flatnonzero((which == k).any(0))
        parts.append(rated(f"p{k}", "human", ABC[one[at]], item=at))
    task = {"scale": "nominal", "options": list(ABC), "reference": "majority"}
    found = goldassay.agree(together(*parts), task, resamples=1_000)
    rows = numbers(found, "accuracy", "cohen_kappa", *AMONG)
    return {
        row.result.name: row.result
        for row in rows
        if isinstance(row.result, Estimate) and row.about.get("level") in (None, "micro")
    }


@cache
def _among_in_truth() -> Mapping[str, float]:
    found = _among(*_two_of_five(np.random.default_rng(1), MANY // 4))
    return {name: one.value for name, one in found.items()}


def two_of_five(rng: Rng) -> Found:
    for name, one in _among(*_two_of_five(rng, 50)).items():
        yield name, one, _among_in_truth()[name]


# --- select, diff, monitor --------------------------------------------------------------------


def _copied(rng: Rng, cluster: Ints) -> tuple[Flags, Flags]:
    """Labels, and verdicts [3, N] of which the second are copies of the first."""
    n = len(cluster)
    true, hard = rng.random(n) < 0.35, level(rng, cluster, 0.6) + rng.standard_normal(n)
    right = expit(np.array([2.3, 1.7])[:, None] - hard)
    said = np.where(rng.random((2, n)) < right, true, ~true)
    return true, said[[0, 0, 1]]


@cache
def _copied_in_truth() -> Floats:
    true, said = _copied(np.random.default_rng(1), np.arange(MANY * 5))
    return np.array([(one[true].mean() + (~one[~true]).mean()) / 2 for one in said])


def copied(rng: Rng) -> Found:
    """18 clusters of 2 to 10."""
    cluster = np.repeat(np.arange(18), rng.integers(2, 11, 18))
    true, said = _copied(rng, cluster)
    where = {"item": np.arange(len(cluster)), "cluster": cluster}
    raters = [("p", "human", true), *((f"j{k}", "judge", said[k]) for k in range(3))]
    rows = together(*(rated(r, k, YES_NO[v.astype(int)], **where) for r, k, v in raters))
    found = goldassay.select(rows, {**BINARY, "cluster": "cluster"}, resamples=1_000)
    yield "differences at once", at_once(gaps_of(found, _copied_in_truth())), 0.0


CHANGES = ("accuracy", "balanced_accuracy", "cohen_kappa", "coverage")


def _rarely(rng: Rng, cluster: Ints) -> tuple[Flags, Ints, Ints]:
    """The new version mends a tenth of the errors, spoils .01 and abstains mostly on yes."""
    n = len(cluster)
    true = rng.random(n) < 0.25
    right = rng.random(n) < expit(1.8 + level(rng, cluster, 0.6))
    old = np.where(right, true, ~true)
    moved = rng.random(n) < np.where(right, 0.01, 0.1)
    new = np.where(moved, ~old, old).astype(int)
    silent = rng.random(n) < 0.02, rng.random(n) < np.where(true, 0.3, 0.06)
    return true, np.where(silent[0], -1, old), np.where(silent[1], -1, new)


def _changed(
    true: Flags, old: Ints, new: Ints, cluster: Ints, counted: str
) -> list[goldassay.findings.Row]:
    every = np.ones(len(true), bool)
    task = {**BINARY, "abstain": [""], "abstentions": counted, "cluster": "cluster"}
    documents = [
        goldassay.agree(rows_of(true, one, every, YES_NO, cluster=cluster), task, resamples=200)
        for one in (old, new)
    ]
    changed = numbers(goldassay.diff(*documents), *(f"{one}_change" for one in CHANGES))
    return [
        row
        for row in changed
        if row.about.get("mode") is None and row.about.get("level") in (None, "micro")
    ]


@cache
def _changed_in_truth(counted: str) -> Mapping[str, float]:
    cluster = np.repeat(np.arange(MANY // 20), 6)
    rows = _changed(*_rarely(np.random.default_rng(1), cluster), cluster, counted)
    return {row.result.name: row.result.value for row in rows}  # type: ignore[union-attr]


def rarely(rng: Rng, *, counted: str) -> Found:
    """20 clusters of 2 to 14."""
    cluster = np.repeat(np.arange(20), rng.integers(2, 15, 20))
    for row in _changed(*_rarely(rng, cluster), cluster, counted):
        yield row.result.name, row.result, _changed_in_truth(counted)[row.result.name]


def _counted(rng: Rng, cluster: Ints) -> Floats:
    """Counts [C, 3, 4, 4] of the same; an abstention is a verdict that is no label."""
    true, old, new = _rarely(rng, cluster)
    counts = np.zeros((int(cluster.max()) + 1, 3, 4, 4))
    np.add.at(counts, (cluster, true.astype(int), old % 3, new % 3), 1.0)
    return counts


@cache
def _counted_in_truth(name: str) -> float:
    whole = _counted(np.random.default_rng(1), np.repeat(np.arange(MANY), 6)).sum(0)
    return float(change(getattr(coefficients, name), whole))


def paired(rng: Rng) -> Found:
    """What `diff` shows of two reports, which hold verdicts by item."""
    counts = _counted(rng, np.repeat(np.arange(20), rng.integers(2, 15, 20)))
    each = np.ones(20, np.int64)
    joint = Joint(counts, each, int(counts.sum()), clustered=True)
    for name in CHANGES[:3]:
        one = change_limits(joint, getattr(coefficients, name), confidence_level=0.95)
        warned = ("few clusters of unequal sizes",) if one.by_size or one.doubtful else ()
        shown = replace(bare(name, one.low, one.high), warnings=warned)
        yield f"{name}_change", shown, _counted_in_truth(name)


def windows(rng: Rng) -> Found:
    """Ten windows of 50 verdicts of which six are labelled; the judge gets stricter after five."""
    batch = np.repeat(np.arange(10), 50)
    true = rng.random(500) < 0.4
    said = turned(rng, true, np.where(true, np.where(batch < 5, 0.9, 0.6), 0.9))
    known = each_verdict(rng, batch, 6)
    rows = rows_of(true, said, known, YES_NO, batch=batch)
    truth = {"rate_change": -0.12, "sensitivity_change": -0.3, "specificity_change": 0.0}
    truth["labelled_rate_change"] = 0.0
    for row in numbers(goldassay.monitor(rows, RANDOM, reference="4"), *truth):
        yield row.result.name, row.result, truth[row.result.name]


# --- replace, audit, route, rank, certify -----------------------------------------------------


def _two_people(rng: Rng, items: int) -> Ints:
    """Grades [3, N] of two people and a judge."""
    height = rng.normal(0, 1.1, items)
    noise = np.array([0.5, 0.9, 0.7])[:, None] * rng.standard_normal((3, items))
    return np.clip(np.round(height + noise + 3.3), 1, 5).astype(np.int64)


def _instead(grade: Ints) -> Mapping[str, Estimate]:
    item = np.arange(grade.shape[1])
    raters = (("p0", "human"), ("p1", "human"), ("j", "judge"))
    rows = together(*(rated(*who, one, item=item) for who, one in zip(raters, grade, strict=True)))
    found = goldassay.replace(rows, {"scale": "ordinal", "options": list(GRADES)})
    wanted = numbers(found, "advantage_probability", "advantage")
    return {
        f"{row.result.name} {row.about.get('rater', '')}".strip(): row.result
        for row in wanted
        if isinstance(row.result, Estimate)
    }


@cache
def _instead_in_truth() -> Mapping[str, float]:
    found = _instead(_two_people(np.random.default_rng(1), MANY // 2))
    return {name: one.value for name, one in found.items()}


def two_people(rng: Rng) -> Found:
    for name, one in _instead(_two_people(rng, 40)).items():
        yield name, one, _instead_in_truth()[name]


def _raters(rng: Rng, items: int, raters: int) -> tuple[Ints, Ints, Floats]:
    """Choices [raters, N] by shares of each item's own, a judge's, and these shares."""
    shares = rng.dirichlet((1.2, 0.8, 0.4), items)
    sharper = shares**2 / (shares**2).sum(1, keepdims=True)
    people = (rng.random((raters, items, 1)) > shares.cumsum(1)[None, :, :2]).sum(2)
    judge = (rng.random((items, 1)) > sharper.cumsum(1)[:, :2]).sum(1)
    return people, judge, shares


@cache
def _audited_in_truth() -> Mapping[str, float]:
    """What all people would say: the most chosen option, or the shares."""
    _, judge, shares = _raters(np.random.default_rng(1), MANY * 5, 0)
    most = shares.argmax(1)
    right = float((most == judge).mean())
    chance = sum(float((most == k).mean() * (judge == k).mean()) for k in range(3))
    off = ((np.eye(3)[judge] - shares) ** 2).sum(1).mean()
    return {
        "hit_rate h/h": right,
        "cohen_kappa h/h": (right - chance) / (1 - chance),
        "mean_squared_error s/s": float(off),
    }


def five_raters(rng: Rng) -> Found:
    """80 items."""
    people, judge, _ = _raters(rng, 80, 5)
    item = np.arange(80)
    parts = [rated(f"p{k}", "human", ABC[one], item=item) for k, one in enumerate(people)]
    rows = together(rated("j", "judge", ABC[judge], item=item), *parts)
    task = {"scale": "nominal", "options": list(ABC), "counted": ["a"]}
    for row in goldassay.audit(rows, task, resamples=500).rows:
        name = f"{row.result.name} {row.about.get('aggregation')}"
        if name in _audited_in_truth():
            yield name, row.result, _audited_in_truth()[name]


def near_the_ends(rng: Rng) -> Found:
    """500 items whose scores pile up near 0 and 1 and are too sure; 200 labelled.

    At most one study in twenty may find a threshold beyond which the true error is above the bound.
    """
    height = rng.normal(-1.0, 2.2, 500)
    true = rng.random(500) < expit(height)
    score = expit(1.6 * height)
    known = some(rng, 500, 200)
    item = np.arange(500)
    rows = together(
        rated("j", "judge", YES_NO[(score > 0.5).astype(int)], item=item, score=score.round(9)),
        rated("p", "human", YES_NO[true.astype(int)][known], item=item[known], score=[""] * 200),
    )
    found = goldassay.route(rows, RANDOM, risk=0.05)
    beyond = {
        row.about.get("option"): row.result.value
        for row in numbers(found, "threshold")
        if isinstance(row.result, Estimate)
    }
    every, chance = _too_sure()
    broken: dict[str, list[tuple[float, float, float]]] = {"all verdicts": [], "one verdict": []}
    for row in numbers(found, "error_beyond"):
        option, interval = row.about.get("option"), row.result.interval
        if interval is not None and option in beyond:
            side = np.maximum(every, 1 - every) >= beyond[option]
            if option is not None:
                side &= (every > 0.5) == (option == "yes")
            wrong = np.where(every > 0.5, 1 - chance, chance)[side].mean()
            kind = "all verdicts" if option is None else "one verdict"
            broken[kind].append((0.0, interval.high, float(wrong)))
    for kind, bounds in broken.items():
        # A study without a threshold breaks no limit.
        held = at_once(bounds) if bounds else bare("error_beyond", 0.0, 0.0)
        yield f"error_beyond, {kind}", held, 0.0


@cache
def _too_sure() -> tuple[Floats, Floats]:
    height = np.random.default_rng(1).normal(-1.0, 2.2, MANY * 5)
    return expit(1.6 * height), expit(height)


SIX = np.array([0.8, 0.5, 0.4, 0.3, -0.3, -1.2])


def _fights(rng: Rng, first: Ints, second: Ints, prompt: Ints) -> Ints:
    """0 the first wins, 1 the second, 2 a tie, which two fifths are."""
    own = SIX[:, None] + rng.normal(0, 0.7, (6, int(prompt.max()) + 1))
    gap = own[first, prompt] - own[second, prompt] + rng.logistic(0, 0.7, len(prompt))
    return np.where(np.abs(gap) < 0.85, 2, np.where(gap > 0, 0, 1))


@cache
def _fought() -> Floats:
    """The win rate of each system against every other one, ties half."""
    rng = np.random.default_rng(1)
    won = np.zeros((6, 6))
    for a in range(6):
        for b in range(6):
            n = MANY
            same = np.full(n, a), np.full(n, b)
            said = _fights(rng, *same, np.arange(n))
            won[a, b] = np.select([said == 0, said == 2], [1.0, 0.5], 0.0).mean()
    return np.array((won.sum(1) - won.diagonal()) / 5)


def fights(rng: Rng) -> Found:
    """Six systems, all pairs on 20 prompts."""
    first, second = np.triu_indices(6, 1)
    pair, prompt = (one.reshape(-1) for one in np.indices((15, 20)))
    said = _fights(rng, first[pair], second[pair], prompt)
    options = ["system", "opponent", "tie"]
    where = {
        "item": [f"{a}-{b}" for a, b in zip(pair, prompt, strict=True)],
        "prompt": prompt,
        "system": [f"s{one}" for one in first[pair]],
        "opponent": [f"s{one}" for one in second[pair]],
    }
    rows = rated("j", "judge", np.array(options)[said], **where)
    task = {"scale": "pairwise", "options": options, "tie": "tie"}
    for row in numbers(goldassay.rank(rows, task, resamples=1_000), "system_score"):
        if row.about["aggregation"] == "win_rate":
            yield "win_rate", row.result, float(_fought()[int(str(row.about["system"])[1:])])


CERTIFIED = ("accuracy", "sensitivity", "specificity", "precision", "cohen_kappa", "f1")


@cache
def _certified_in_truth() -> Mapping[str, float]:
    true, said = _flagged(np.random.default_rng(1), MANY * 5)
    share = np.array([[(~true & ~said).mean(), (~true & said).mean()], [0, 0]])
    share[1] = (true & ~said).mean(), (true & said).mean()
    rate, flagged, right = share[1].sum(), share[:, 1].sum(), share.trace()
    chance = rate * flagged + (1 - rate) * (1 - flagged)
    return {
        "accuracy": float(right),
        "sensitivity": float(share[1, 1] / rate),
        "specificity": float(share[0, 0] / (1 - rate)),
        "precision": float(share[1, 1] / flagged),
        "cohen_kappa": float((right - chance) / (1 - chance)),
        "f1": float(2 * share[1, 1] / (rate + flagged)),
        "prevalence": float(rate),
    }


def _flagged(rng: Rng, items: int) -> tuple[Flags, Flags]:
    true = rng.random(items) < 0.08
    return true, turned(rng, true, np.where(true, 0.8, 0.95))


def flagged_passport(rng: Rng) -> Found:
    """A passport of 700 items, 40 labels of what is flagged and 60 of the rest."""
    true, said = _flagged(rng, 700)
    known = np.zeros(700, bool)
    for verdict, number in ((True, 40), (False, 60)):
        known[rng.permutation(np.flatnonzero(said == verdict))[:number]] = True
    task = {**BINARY, "calibration": "by_verdict"}
    found = goldassay.certify(rows_of(true, said, known, YES_NO), task, resamples=1_000)
    for row in numbers(found, *CERTIFIED, "prevalence"):
        if row.about["verb"] != "audit":
            yield row.result.name, row.result, _certified_in_truth()[row.result.name]


# --- written down when these were measured ----------------------------------------------------


def _of_table(share: Floats) -> Mapping[str, float]:
    """Coefficients of shares [K, K + 1] of reference and verdict; the last is no option."""
    right, rows, columns = share[:, :-1].trace(), share.sum(1), share.sum(0)[:-1]
    chance = float(rows @ columns)
    return {
        "accuracy": float(right),
        "balanced_accuracy": float((share[:, :-1].diagonal() / rows).mean()),
        "cohen_kappa": float((right - chance) / (1 - chance)),
    }


@cache
def _everything_agreed() -> Mapping[str, float]:
    _, _, true, said, weight = _everything(np.random.default_rng(1), MANY // 4)
    share = np.zeros((2, 3))
    np.add.at(share, (true.astype(int), said % 3), weight / weight.sum())
    return _of_table(share)


def everything_agreed(rng: Rng) -> Found:
    cluster, _, true, said, weight = _everything(rng, 45)
    known = each_verdict(rng, said, 60)
    rows = rows_of(true, said, known, YES_NO, cluster=cluster, weight=weight.round(6))
    task = {**BINARY, "calibration": "by_verdict", "cluster": "cluster"}
    task |= {"abstain": [""], "abstentions": "class"}
    for row in numbers(goldassay.agree(rows, task, resamples=1_000), *_everything_agreed()):
        if row.about["level"] == "micro" and not {"mode", "option"} & row.about.keys():
            yield row.result.name, row.result, _everything_agreed()[row.result.name]


def _silent_on_hard(rng: Rng, cluster: Ints) -> tuple[Flags, Ints]:
    """Labels and verdicts [2, N] of two systems on the same prompts; -1: the judge abstains."""
    n = len(cluster)
    hard = level(rng, cluster, 0.6) + rng.standard_normal(n)
    true = rng.random((2, n)) < expit(np.array([0.8, 0.2])[:, None] - hard)
    said = np.where(rng.random((2, n)) < expit(2.0 - 0.5 * hard), true, ~true).astype(int)
    return true, np.where(rng.random((2, n)) < expit(hard - 2.5), -1, said)


@cache
def _silent_rates() -> Floats:
    return np.asarray(_silent_on_hard(np.random.default_rng(1), np.arange(MANY * 5))[0].mean(1))


def silent_systems(rng: Rng) -> Found:
    """25 clusters of 6 prompts, 40 labels of each system."""
    cluster, parts = np.repeat(np.arange(25), 6), []
    true, said = _silent_on_hard(rng, cluster)
    for s in range(2):
        where = {"prompt": np.arange(150), "system": np.full(150, f"s{s}"), "cluster": cluster}
        part = rows_of(true[s], said[s], some(rng, 150, 40), YES_NO, **where)
        parts.append({**part, "item": [f"{s}-{item}" for item in part["item"]]})
    task = {**RANDOM, "cluster": "cluster", "abstain": [""], "abstentions": "class"}
    rates = _silent_rates()
    for row in goldassay.compare(together(*parts), task).rows:
        if row.result.name == "prevalence" and row.about.get("system"):
            yield "rate of a system", row.result, float(rates[int(str(row.about["system"])[1:])])
        elif row.result.name == "difference":
            first, second = (int(str(row.about[one])[1:]) for one in ("system", "opponent"))
            yield "difference", row.result, float(rates[first] - rates[second])


def _three_options(rng: Rng, cluster: Ints) -> tuple[Ints, Ints]:
    """Labels, and verdicts [3, N] of which the last judge's are none on a tenth."""
    n = len(cluster)
    true, hard = rng.choice(3, n, p=(0.55, 0.3, 0.15)), level(rng, cluster, 0.7)
    right = rng.random((3, n)) < expit(np.array([1.6, 1.3, 1.5])[:, None] - hard)
    said = np.where(right, true, (true + rng.integers(1, 3, (3, n))) % 3)
    said[2] = np.where(rng.random(n) < 0.1, -1, said[2])
    return true, said


@cache
def _three_options_in_truth() -> Floats:
    true, said = _three_options(np.random.default_rng(1), np.arange(MANY * 2))
    return np.array([np.mean([(one == k)[true == k].mean() for k in range(3)]) for one in said])


def silent_judge(rng: Rng) -> Found:
    """24 clusters of 1 to 12."""
    cluster = np.repeat(np.arange(24), rng.integers(1, 13, 24))
    true, said = _three_options(rng, cluster)
    where, words = {"item": np.arange(len(cluster)), "cluster": cluster}, np.append(ABC, "")
    raters = [("p", "human", true), *((f"j{k}", "judge", said[k]) for k in range(3))]
    rows = together(*(rated(r, k, words[v], **where) for r, k, v in raters))
    task = {"scale": "nominal", "options": list(ABC), "cluster": "cluster"}
    task |= {"abstain": [""], "abstentions": "class"}
    found = goldassay.select(rows, task, resamples=1_000)
    gaps, said_of_sizes = gaps_of(found, _three_options_in_truth()), found.warnings
    shown = tuple(one for one in said_of_sizes if one.startswith("differences between judges"))
    yield "differences at once", replace(at_once(gaps), warnings=shown), 0.0


def _four_people(rng: Rng, cluster: Ints) -> tuple[Flags, Flags]:
    """Verdicts [5, N] of four people and a judge, and which are there."""
    n = len(cluster)
    true, hard = rng.random(n) < 0.4, level(rng, cluster, 0.7) + rng.standard_normal(n)
    right = rng.random((5, n)) < expit(np.array([2.2, 2.0, 1.8, 1.6, 1.9])[:, None] - hard)
    there = rng.random((5, n)) >= np.array([0, 0, 0.5, 0.5, 0])[:, None]
    return np.where(right, true, ~true), there


def _among_people(cluster: Ints, said: Flags, there: Flags) -> Mapping[str, Estimate]:
    item, parts = np.arange(len(cluster)), []
    for k in range(5):
        who = ("j", "judge") if k == 4 else (f"p{k}", "human")
        at = there[k]
        values = YES_NO[said[k].astype(int)][at]
        parts.append(rated(*who, values, item=item[at], cluster=cluster[at]))
    found = goldassay.replace(together(*parts), {**BINARY, "cluster": "cluster"})
    return {
        f"{row.result.name} {row.about.get('rater', '')}".strip(): row.result
        for row in numbers(found, "advantage_probability", "advantage")
        if isinstance(row.result, Estimate)
    }


@cache
def _among_people_in_truth() -> Mapping[str, float]:
    cluster = np.arange(MANY // 4)
    drawn = _four_people(np.random.default_rng(1), cluster)
    return {name: one.value for name, one in _among_people(cluster, *drawn).items()}


def four_people(rng: Rng) -> Found:
    """16 clusters of 6, on half of which two of four people say nothing."""
    cluster = np.repeat(np.arange(16), 6)
    for name, one in _among_people(cluster, *_four_people(rng, cluster)).items():
        yield name, one, _among_people_in_truth()[name]


SETTINGS: Mapping[str, Callable[[Rng], Found]] = {
    "estimate: 45 clusters, weights, a judge that abstains, 35 labels of each answer": everything,
    "estimate: three topics in 40 clusters of 4 to 20, 40 labels of each": clustered_strata,
    "estimate: labels are the first 120 of 600 in time, the rate rises": first_in_time,
    "estimate: scores piled at 0 and 1, 40 of 400 labelled": partial(
        piled, clusters=400, size=1, labels=40
    ),
    "estimate: scores piled at 0 and 1, 16 clusters of 12, 50 labels": partial(
        piled, clusters=16, size=12, labels=50
    ),
    "estimate: five grades of which nobody gives one, 12 labels of each verdict": unused_grade,
    "estimate: a judge below chance, 120 of 600 labelled": partial(below_chance, apart=False),
    "estimate: a judge below chance, 120 labels elsewhere": partial(below_chance, apart=True),
    "compare: systems of 600, 80 and 20 items": partial(
        unequal_systems, rates=(0.5, 0.4, 0.6), items=(600, 80, 20), labels=(150, 40, 20)
    ),
    "compare: one system never succeeds, 200 items": partial(
        unequal_systems, rates=(0.0, 0.03, 0.1), items=(200, 200, 200), labels=(60, 60, 60)
    ),
    "agree: three criteria, 18 clusters of 6": three_criteria,
    "agree: two of five people on each of 50 items": two_of_five,
    "select: a judge, its copy and another, 18 clusters of 2 to 10": copied,
    "diff: rare changes, the new version abstains on yes, 20 clusters": partial(
        rarely, counted="class"
    ),
    "diff: the same, items without a verdict left out": partial(rarely, counted="exclude"),
    # Written down last, when it was seen that `diff` of two agreements cannot pair items.
    "diff: the same of two reports, an abstention being a verdict": paired,
    "monitor: six labels a window, the judge gets stricter": windows,
    "replace: two people and a judge, five grades, 40 items": two_people,
    "audit: five raters, three options, 80 items": five_raters,
    "route: scores near both ends that are too sure, 200 labels": near_the_ends,
    "rank: six systems, two fifths of battles tie, 20 prompts": fights,
    "certify: 40 labels of what is flagged, 60 of the rest": flagged_passport,
    # Written down when those above were measured, and before any of these was.
    "agree: 45 clusters, weights, a judge that abstains, 60 labels of each answer": (
        everything_agreed
    ),
    "compare: two systems in 25 clusters, a judge that abstains, 40 labels of each": silent_systems,
    "select: three judges of which one abstains, three options, 24 clusters": silent_judge,
    "replace: four people of whom two leave out half, 16 clusters of 6": four_people,
}


if __name__ == "__main__":
    main(SETTINGS, __doc__)
