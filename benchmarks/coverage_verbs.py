"""Coverage through the verbs themselves: settings that were written down before any was tried.

    python benchmarks/coverage_verbs.py [NAME ...] [--runs N] [--seed S]

Versions that abstain unlike each other, labels from elsewhere or by verdict in clusters, grades of
weighted prompts, judges whose errors go together, battles that mostly tie, people who leave out
much, scores with ties, means at the top of a scale. Where a verb takes rows it is given rows: what
is held against the truth is what a user is shown. "All at once" is of all differences.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

import numpy as np
from coverage_estimate import Found, labelled_of, measure, sample_from, scored_mean
from coverage_probe import counted_of, table_intervals
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

import goldassay
from goldassay.formulas import agreement as coefficients
from goldassay.formulas.agreement import agreement_weights
from goldassay.formulas.correlation import kendall_tau_b, spearman
from goldassay.inference.areas import RocArea
from goldassay.inference.changes import Joint, change, change_limits
from goldassay.inference.clusters import distinct_clusters
from goldassay.metrics.inputs import Given
from goldassay.metrics.registry import TABLE_METRICS
from goldassay.metrics.tables import Setting
from goldassay.questions.estimate.classes import option_rates
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.estimators import Settings
from goldassay.questions.estimate.subject import Subject
from goldassay.results import Estimate, Interval, Result

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Rng = np.random.Generator
Rows = dict[str, list[str]]

MANY = 200_000
YES_NO = np.array(["no", "yes"])
BINARY = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}


def rated(rater: str, kind: str, value: ArrayLike, **columns: ArrayLike) -> Rows:
    """Ratings of one rater; columns of numbers are written as texts."""
    told = {name: list(np.asarray(one).astype(str)) for name, one in columns.items()}
    number = len(np.asarray(value))
    values = list(np.asarray(value).astype(str))
    return {**told, "rater": [rater] * number, "kind": [kind] * number, "value": values}


def together(*parts: Rows) -> Rows:
    return {name: [one for part in parts for one in part[name]] for name in parts[0]}


def bare(name: str, low: float, high: float) -> Estimate:
    return Estimate(name, (low + high) / 2, Interval(low, high, 0.95, "measured"))


def at_once(found: list[tuple[float, float, float]]) -> Estimate:
    """One interval, which holds 0 where all (low, high, truth) hold theirs."""
    low, high, truth = np.array(found).T
    miss, length = float(np.maximum(low - truth, truth - high).max()), float((high - low).mean())
    return bare("all at once", miss, miss + length)


def level(rng: Rng, cluster: Ints, spread: float) -> Floats:
    return rng.normal(0, spread, int(cluster.max()) + 1)[cluster]


# --- diff -------------------------------------------------------------------------------------


def _versions(rng: Rng, clusters: int, size: int) -> tuple[Floats, Ints]:
    """Counts [C, 2, 3, 3]: the new version abstains on what is hard, the old one anywhere."""
    cluster = np.repeat(np.arange(clusters), size)
    n = len(cluster)
    true, hard = rng.random(n) < 0.4, level(rng, cluster, 0.7) + rng.normal(0, 1, n)

    def said(right: Floats, abstains: Floats) -> Ints:
        verdict = np.where(rng.random(n) < expit(right - hard), true, ~true).astype(np.int64)
        return np.where(rng.random(n) < abstains, 2, verdict)

    old = said(np.full(n, 1.6), np.full(n, 0.04))
    new = said(np.full(n, 1.8), expit(2 * hard - 3.5))
    counts = np.zeros((clusters, 2, 3, 3))
    np.add.at(counts, (cluster, true.astype(np.int64), old, new), 1.0)
    return counts, cluster


@cache
def _versions_in_truth(name: str) -> float:
    counts, _ = _versions(np.random.default_rng(1), MANY, 4)
    return float(change(getattr(coefficients, name), counts.sum(0)))


def diff_abstains(rng: Rng, *, clusters: int, size: int) -> Found:
    counts, _ = _versions(rng, clusters, size)
    merged, times = distinct_clusters(counts, np.ones(clusters, np.int64))
    joint = Joint(merged, times, clusters * size, clustered=size > 1)
    for name in ("accuracy", "balanced_accuracy", "cohen_kappa"):
        one = change_limits(joint, getattr(coefficients, name), confidence_level=0.95)
        yield f"change of {name}", bare(name, one.low, one.high), _versions_in_truth(name)


# --- estimate ---------------------------------------------------------------------------------


def _judged(rng: Rng, cluster: Ints, rate: float, spread: float) -> tuple[Flags, Flags]:
    """Labels whose rate varies by cluster around `rate` in logits, and verdicts."""
    n = len(cluster)
    true = rng.random(n) < expit(np.log(rate / (1 - rate)) + level(rng, cluster, spread))
    right = rng.random(n) < expit(1.9 + 0.4 * true + level(rng, cluster, 0.5))
    return true, np.where(right, true, ~true)


@cache
def _rate(rate: float, spread: float) -> float:
    return float(_judged(np.random.default_rng(1), np.arange(MANY), rate, spread)[0].mean())


def _rows(item: Ints, cluster: Ints, true: Flags, said: Flags, known: Flags) -> Rows:
    where = {"item": item, "cluster": cluster}
    people = {name: one[known] for name, one in where.items()}
    return together(
        rated("j", "judge", YES_NO[said.astype(int)], **where),
        rated("p", "human", YES_NO[true.astype(int)][known], **people),
    )


def elsewhere(rng: Rng) -> Found:
    """Labels of 30 other clusters of 6 in which half are yes; the pool has 40 of 15."""
    own, other = np.repeat(np.arange(40), 15), np.repeat(np.arange(30), 6)
    pool, labels = _judged(rng, own, 0.2, 0.5), _judged(rng, other, 0.5, 0.5)
    n, m = len(own), len(other)
    test = _rows(np.arange(n), own, *pool, np.zeros(n, bool))
    cal = _rows(np.arange(n, n + m), other + 40, *labels, np.ones(m, bool))
    rows = together(
        {**test, "split": ["test"] * len(test["item"])},
        {**cal, "split": ["calibration"] * len(cal["item"])},
    )
    task = {**BINARY, "calibration": "separate", "cluster": "cluster"}
    yield "prevalence", _headline(goldassay.estimate(rows, task)), _rate(0.2, 0.5)


def by_verdict(rng: Rng) -> Found:
    """40 labels of each verdict, of 40 clusters of 1 to 20."""
    cluster = np.repeat(np.arange(40), rng.integers(1, 21, 40))
    true, said = _judged(rng, cluster, 0.15, 0.9)
    known = np.zeros(len(cluster), bool)
    for verdict in (True, False):
        known[rng.permutation(np.flatnonzero(said == verdict))[:40]] = True
    rows = _rows(np.arange(len(cluster)), cluster, true, said, known)
    task = {**BINARY, "calibration": "by_verdict", "cluster": "cluster"}
    yield "prevalence", _headline(goldassay.estimate(rows, task)), _rate(0.15, 0.9)


def _headline(found: goldassay.Findings, name: str = "prevalence") -> Result:
    return next(row.result for row in found.rows if row.result.name == name)


def ceiling(rng: Rng, *, size: int) -> Found:
    """Grades of which .92 are the best, by a judge that takes one off a sixth of them."""
    shares = np.array([0.01, 0.01, 0.02, 0.04, 0.92])
    cluster = np.repeat(np.arange(400 // size), size)
    label = rng.choice(5, 400, p=shares)
    if size > 1:  # clusters in which half of the items are as the first is
        first = label[np.arange(400) // size * size]
        label = np.where(rng.random(400) < 0.5, first, label)
    verdict = np.clip(label - (rng.random(400) < 1 / 6), 0, 4)
    row = np.where(labelled_of(rng, cluster, 0.1, whole=False), label, 5)
    sample = sample_from(cluster, 0 * label, row, verdict, 5)
    drawn = drawing("random", apart=False)
    found = option_rates(Subject("j"), sample, drawn, Settings(), ordinal=True)
    assert found.mean is not None
    yield "mean", found.mean, float(shares @ np.arange(1, 6))


def options_by_verdict(rng: Rng) -> Found:
    """Four options, 20 labels of each verdict, in 30 clusters of 12 of which a third are alike."""
    shares = np.array([0.55, 0.25, 0.15, 0.05])
    cluster = np.repeat(np.arange(30), 12)
    own = rng.choice(4, 30, p=shares)[cluster]
    label = np.where(rng.random(360) < 0.33, own, rng.choice(4, 360, p=shares))
    verdict = np.where(rng.random(360) < 0.75, label, rng.choice(4, 360))
    known = np.zeros(360, bool)
    for one in range(4):
        known[rng.permutation(np.flatnonzero(verdict == one))[:20]] = True
    sample = sample_from(cluster, 0 * label, np.where(known, label, 4), verdict, 4)
    found = option_rates(
        Subject("j"), sample, drawing("by_verdict", apart=False), Settings(), ordinal=False
    )
    for share, one in zip(shares, found.rates, strict=True):
        yield f"rate of an option that {share:g} have", one, float(share)


def floor_scores(rng: Rng) -> Found:
    """Scores from 0 to 100, two fifths of them 0; 18 of 60 clusters labelled whole."""
    cluster = np.repeat(np.arange(60), 8)
    people = _scores(rng, cluster)
    judge = np.clip(people + rng.normal(5, 12, len(people)), 0, 100)
    known = labelled_of(rng, cluster, 0.3, whole=True)
    yield "mean", scored_mean(cluster, people, judge, known), _mean_score()


def _scores(rng: Rng, cluster: Ints) -> Floats:
    height = 10 + 25 * (level(rng, cluster, 0.7) + rng.normal(0, 0.9, len(cluster)))
    return np.clip(height, 0, 100)


@cache
def _mean_score() -> float:
    return float(_scores(np.random.default_rng(1), np.arange(MANY * 4)).mean())


# --- compare and select -----------------------------------------------------------------------


def _grades(rng: Rng, prompts: int) -> tuple[Floats, Ints]:
    """Weights of prompts, and grades 0 to 4 of three systems [3, N], lower on heavy prompts."""
    heavy, hard = rng.standard_normal(prompts), rng.normal(0, 0.7, prompts)
    middle = np.array([2.6, 2.9, 2.4])[:, None] - hard - np.array([0.1, 0.3, 0.0])[:, None] * heavy
    grade = np.round(middle + rng.normal(0, 0.9, (3, prompts)))
    return np.exp(0.6 * heavy), np.clip(grade, 0, 4).astype(np.int64)


@cache
def _mean_grades() -> Floats:
    weight, grade = _grades(np.random.default_rng(1), MANY * 5)
    return np.asarray(1 + grade @ weight / weight.sum())


def weighted_grades(rng: Rng) -> Found:
    """Three systems, 120 prompts of unequal weight, 40 labels of each system."""
    weight, grade = _grades(rng, 120)
    lenient = np.clip(grade + (rng.random(grade.shape) < 0.3), 0, 4)
    parts = []
    for s in range(3):
        every, some = np.arange(120), rng.permutation(120)[:40]
        for rater, kind, value, at in (
            ("j", "judge", lenient[s], every),
            ("p", "human", grade[s], some),
        ):
            item = 3 * at + s
            where = {"item": item, "prompt": at, "system": np.full(len(at), f"s{s}")}
            parts.append(rated(rater, kind, value[at] + 1, weight=weight[at], **where))
    task = {"scale": "ordinal", "options": list("12345"), "calibration": "random"}
    yield from _compared(goldassay.compare(together(*parts), task), "mean_score", _mean_grades())


def _compared(found: goldassay.Findings, name: str, truth: Floats) -> Found:
    gaps = []
    for row in found.rows:
        result, system = row.result, row.about.get("system")
        if result.name == name:
            yield name, result, float(truth[int(str(system)[1:])])
        elif result.name == "difference" and result.interval is not None:
            first, second = (int(str(row.about[one])[1:]) for one in ("system", "opponent"))
            gap = float(truth[first] - truth[second])
            gaps.append((result.interval.low, result.interval.high, gap))
    yield "differences at once", at_once(gaps), 0.0


def partly_shared_prompts(rng: Rng) -> Found:
    """Three systems of which each answers 70 % of 150 prompts, 50 labels each."""
    hard = rng.normal(0, 1.2, 150)
    parts = []
    for s, good in enumerate((0.9, 0.3, 0.2)):
        at = np.sort(rng.permutation(150)[:105])
        true = rng.random(105) < expit(good - hard[at])
        said = np.where(rng.random(105) < 0.86, true, ~true)
        known = np.isin(np.arange(105), rng.permutation(105)[:50])
        where = {"item": 3 * at + s, "prompt": at, "system": np.full(105, f"s{s}")}
        people = {name: one[known] for name, one in where.items()}
        parts += [
            rated("j", "judge", YES_NO[said.astype(int)], **where),
            rated("p", "human", YES_NO[true.astype(int)][known], **people),
        ]
    found = goldassay.compare(together(*parts), {**BINARY, "calibration": "random"})
    yield from _compared(found, "prevalence", _partly_rates())


@cache
def _partly_rates() -> Floats:
    hard = np.random.default_rng(1).normal(0, 1.2, MANY * 5)
    return np.array([expit(good - hard).mean() for good in (0.9, 0.3, 0.2)])


def _three_judges(rng: Rng, cluster: Ints) -> tuple[Flags, Flags]:
    """Labels, and verdicts [3, N] whose errors go with how hard an item is."""
    n = len(cluster)
    true, hard = rng.random(n) < 0.3, 1.2 * rng.standard_normal(n) + level(rng, cluster, 0.6)
    right = expit(np.array([2.4, 2.2, 1.6])[:, None] - hard + 0.3 * true)
    return true, np.where(rng.random((3, n)) < right, true, ~true)


@cache
def _three_in_truth() -> Floats:
    true, said = _three_judges(np.random.default_rng(1), np.arange(MANY * 5))
    return np.array([(one[true].mean() + (~one[~true]).mean()) / 2 for one in said])


def correlated_judges(rng: Rng) -> Found:
    """Twelve clusters of 15."""
    cluster = np.repeat(np.arange(12), 15)
    true, said = _three_judges(rng, cluster)
    where = {"item": np.arange(180), "cluster": cluster}
    raters = [("p", "human", true), *((f"s{j}", "judge", said[j]) for j in range(3))]
    rows = together(*(rated(r, k, YES_NO[v.astype(int)], **where) for r, k, v in raters))
    found = goldassay.select(rows, {**BINARY, "cluster": "cluster"})
    truth, columns = _three_in_truth(), found.tables["differences"].columns
    gaps = []
    for line in found.tables["differences"].rows:
        one = dict(zip(columns, line, strict=True))
        first, second = (int(str(value)[1:]) for value in list(line)[:2])
        gaps.append((float(one["low"]), float(one["high"]), float(truth[first] - truth[second])))
    yield "differences at once", at_once(gaps), 0.0
    for row in found.rows:
        if row.result.name == "balanced_accuracy":
            yield "balanced_accuracy", row.result, float(truth[int(str(row.about["judge"])[1:])])


# --- rank -------------------------------------------------------------------------------------

STRENGTHS = np.array([0.5, 0.3, 0.2, 0.0, -0.2])


def _battles(rng: Rng, prompts: Ints) -> tuple[Ints, Ints, Ints]:
    """First and second system of each battle, and 0 a win, 1 a loss, 2 a tie [pairs, N]."""
    first, second = np.triu_indices(5, 1)
    own = STRENGTHS[:, None] + level(rng, prompts, 0.5) * np.linspace(-1, 1, 5)[:, None]
    gap = own[first] - own[second] + rng.logistic(0, 0.7, (len(first), len(prompts)))
    return first, second, np.where(np.abs(gap) < 1.0, 2, np.where(gap > 0, 0, 1))


@cache
def _win_rates() -> Floats:
    first, second, outcome = _battles(np.random.default_rng(1), np.arange(MANY))
    won = np.where(outcome == 2, 0.5, outcome == 0).mean(1)
    total = np.zeros(5)
    np.add.at(total, first, won)
    np.add.at(total, second, 1 - won)
    return total / 4


def tied_battles(rng: Rng) -> Found:
    """Five systems, half of whose battles tie, on 30 clusters of two prompts."""
    cluster = np.repeat(np.arange(30), 2)
    first, second, outcome = _battles(rng, cluster)
    k, p = np.indices(outcome.shape).reshape(2, -1)
    where = {
        "item": [f"{a}-{b}" for a, b in zip(k, p, strict=True)],
        "prompt": p,
        "cluster": cluster[p],
        "system": [f"s{one}" for one in first[k]],
        "opponent": [f"s{one}" for one in second[k]],
    }
    value = np.array(["system", "opponent", "tie"])[outcome.reshape(-1)]
    rows = rated("j", "judge", value, **where)
    task = {
        "scale": "pairwise",
        "options": ["system", "opponent", "tie"],
        "tie": "tie",
        "cluster": "cluster",
    }
    found = goldassay.rank(rows, task)
    for row in found.rows:
        if row.result.name == "system_score" and row.about["aggregation"] == "win_rate":
            truth = _win_rates()[int(str(row.about["system"])[1:])]
            yield "win_rate", row.result, float(truth)


# --- agree ------------------------------------------------------------------------------------


def _three_people(rng: Rng, items: int) -> tuple[Flags, Flags, Flags]:
    """What three people and the judge say, and which people say anything."""
    true, hard = rng.random(items) < 0.35, rng.standard_normal(items)
    right = expit(np.array([2.5, 2.0, 1.2, 1.8])[:, None] - hard)
    said = np.where(rng.random((4, items)) < right, true, ~true)
    there = rng.random((3, items)) >= np.array([0.0, 0.3, 0.6])[:, None]
    return said[:3], said[3], there


def people_missing(rng: Rng) -> Found:
    """80 items; a third of one person's labels are missing, and more than half of another's."""
    people, judge, there = _three_people(rng, 80)
    truth = _of_people()
    for name, result in _with_people(people, judge, there).items():
        yield name, result, truth[name]


def _with_people(people: Flags, judge: Flags, there: Flags) -> dict[str, Result]:
    item = np.arange(len(judge))
    parts = [rated("j", "judge", YES_NO[judge.astype(int)], item=item)]
    for k in range(3):
        at = np.flatnonzero(there[k])
        parts.append(rated(f"p{k}", "human", YES_NO[people[k][at].astype(int)], item=at))
    found = goldassay.agree(together(*parts), {**BINARY, "reference": "majority"})
    asked = {"accuracy", "cohen_kappa", "balanced_accuracy", "human_krippendorff_alpha"}
    shown: dict[str, Result] = {}
    for row in found.rows:
        if row.result.name in asked and row.about.get("level") in (None, "micro"):
            shown.setdefault(row.result.name, row.result)
    return shown


@cache
def _of_people() -> Mapping[str, float]:
    found = _with_people(*_three_people(np.random.default_rng(1), MANY))
    return {name: one.value for name, one in found.items() if isinstance(one, Estimate)}


def _tied(rng: Rng, cluster: Ints) -> tuple[Flags, Floats]:
    """Labels, and scores of five levels."""
    n = len(cluster)
    true = rng.random(n) < expit(-1.8 + level(rng, cluster, 0.5))
    score = 1.3 * true + level(rng, cluster, 0.4) + rng.standard_normal(n)
    return true, np.digitize(score, (-0.5, 0.3, 1.0, 1.8)).astype(float)


@cache
def _tied_area() -> float:
    true, score = _tied(np.random.default_rng(1), np.arange(MANY * 5))
    return RocArea.of(score, true, None).value


def tied_area(rng: Rng, *, clusters: int, size: int) -> Found:
    cluster = np.repeat(np.arange(clusters), size)
    true, score = _tied(rng, cluster)
    one = RocArea.of(score, true, cluster if size > 1 else None).interval(0.95)
    if one is not None:
        yield "roc_auc", bare("roc_auc", one.low, one.high), _tied_area()


RANKED = {"spearman": spearman, "kendall_tau_b": kendall_tau_b}


def _top_heavy(rng: Rng, cluster: Ints) -> tuple[Floats, Floats]:
    """Grades 1 to 3 of people and a judge, 70 % of them the best."""
    common = level(rng, cluster, 0.6)
    z = common + rng.standard_normal((2, len(cluster))) * 0.8
    mixed = np.stack([z[0], 0.7 * z[0] + 0.6 * z[1]])
    grades = 1.0 + (mixed > -1.0) + (mixed > -0.5)
    return grades[0], grades[1]


@cache
def _ranked_in_truth(name: str) -> float:
    whole = _top_heavy(np.random.default_rng(1), np.arange(MANY))
    return float(RANKED[name](*whole))


def tied_ranks(rng: Rng, *, clusters: int, size: int) -> Found:
    cluster = np.repeat(np.arange(clusters), size)
    people, judge = _top_heavy(rng, cluster)
    for name in RANKED:
        asked = getattr(goldassay.metrics, name)
        result = asked(people, judge, clusters=cluster) if size > 1 else asked(people, judge)
        yield name, result, _ranked_in_truth(name)


def _rare(rng: Rng, clusters: int) -> tuple[Ints, Ints, Ints]:
    """Four options in clusters of Poisson sizes, one of which 4 % have."""
    cluster = np.repeat(np.arange(clusters), 1 + rng.poisson(9, clusters))
    n, shares = len(cluster), np.array([0.5, 0.3, 0.16, 0.04])
    true = rng.choice(4, n, p=shares)
    right = rng.random(n) < expit(1.6 + level(rng, cluster, 0.8) - 0.5 * (true == 3))
    return cluster, true, np.where(right, true, rng.choice(4, n))


SEVERAL = ("accuracy", "balanced_accuracy", "macro_f1", "cohen_kappa", "gwet_ac1")
FOUR = Setting("", 4, None, agreement_weights("linear", 4), "linear", "nominal")


@cache
def _rare_in_truth(name: str) -> float:
    _, true, said = _rare(np.random.default_rng(1), MANY // 2)
    table = np.zeros((4, 4))
    np.add.at(table, (true, said), 1.0)
    return float(TABLE_METRICS[name].compute(table, FOUR))


def rare_option(rng: Rng) -> Found:
    cluster, true, said = _rare(rng, 25)
    tables = Given(true, said, None, list(range(4)), cluster).tables("verbs")
    counted = counted_of(tables, FOUR, int(rng.integers(1 << 30)))
    for name, one in table_intervals(counted, SEVERAL).items():
        if one is not None:
            yield name, bare(name, *one), _rare_in_truth(name)


SETTINGS: Mapping[str, Callable[[Rng], Found]] = {
    "diff: 150 items, the new version abstains on hard ones": partial(
        diff_abstains, clusters=150, size=1
    ),
    "diff: 25 clusters of 8, the new version abstains on hard ones": partial(
        diff_abstains, clusters=25, size=8
    ),
    "estimate: labels of other clusters, where more are yes": elsewhere,
    "estimate: 40 labels of each verdict, 40 clusters of 1 to 20": by_verdict,
    "estimate: mean of 400 items, .92 the best grade, 40 labels": partial(ceiling, size=1),
    "estimate: the same in 40 clusters of 10": partial(ceiling, size=10),
    "estimate: four options, 20 labels of each verdict, clusters": options_by_verdict,
    "estimate: scores from 0 to 100, two fifths 0, 18 clusters whole": floor_scores,
    "compare: grades of three systems, prompts of unequal weight": weighted_grades,
    "compare: three systems that share some prompts": partly_shared_prompts,
    "select: three judges that err together, 12 clusters": correlated_judges,
    "rank: battles that mostly tie, 30 clusters of two prompts": tied_battles,
    "agree: three people who leave out none, a third, more than half": people_missing,
    "agree: area, scores of five levels, 150 items": partial(tied_area, clusters=150, size=1),
    "agree: area, scores of five levels, 25 clusters of 8": partial(tied_area, clusters=25, size=8),
    "agree: three grades, 70 % the best, 50 items": partial(tied_ranks, clusters=50, size=1),
    "agree: three grades, 70 % the best, 20 clusters of 6": partial(
        tied_ranks, clusters=20, size=6
    ),
    "agree: four options, one of them rare, 25 clusters": rare_option,
}


def measured(
    settings: Mapping[str, Callable[[Rng], Found]], names: list[str], runs: int, seed: int
) -> Iterator[str]:
    for name, setting in settings.items():
        if names and not any(part in name for part in names):
            continue
        for of, one in measure(setting, runs, seed).items():
            silent = "-" if one.silent is None else f"{one.silent:.3f}"
            yield (
                f"| {name} | {of} | {one.coverage:.3f} | {one.length:.3f} | {one.undefined:.3f} |"
                f" {one.warned:.3f} | {silent} |"
            )


def main(
    settings: Mapping[str, Callable[[Rng], Found]],
    description: str | None,
    instead: Callable[[list[str], int, int], Iterator[str]] | None = None,
) -> None:
    """Print the coverage of settings, of all or of those whose names are asked for.

    Or what `instead` makes of the names, the runs and the seed.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("names", nargs="*", help="settings whose name holds one of these")
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if instead is None:
        print(
            "| Setting | Interval of | Coverage | Length | Undefined | Warned | Without a warning |"
        )
        print("| --- | --- | --- | --- | --- | --- | --- |")
        instead = partial(measured, settings)
    for line in instead(asked.names, asked.runs, asked.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main(SETTINGS, __doc__)
