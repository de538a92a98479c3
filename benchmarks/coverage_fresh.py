"""Coverage in settings that were written down after all methods stood, and before any was tried.

    python benchmarks/coverage_fresh.py [NAME ...] [--runs N] [--seed S]
    python benchmarks/coverage_fresh.py --lengths [NAME ...] [--runs N]    rates beside others

As somebody would choose them who looks for what nobody tried: weights, clusters and labels by
verdict at once, rates near 0 and 1 with a mediocre judge, strata of unequal shares, grades at the
top of three and seven, tied and heavy-tailed scores, a rare one of four options, judges that
abstain, six systems of which each has five labels or one has, people who leave out much, agreement
near 1 in 40 items, eight judges that err together, areas of tied scores in 12 clusters, twelve
near-tied systems, three people for one judge, a new version that abstains, a stream that drifts,
a passport. All go through the verbs with the rows that a user has. "At once" is of all differences.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

import numpy as np
from coverage_estimate import Found
from coverage_verbs import (
    BINARY,
    MANY,
    YES_NO,
    Flags,
    Floats,
    Ints,
    Rng,
    Rows,
    at_once,
    level,
    main,
    rated,
    together,
)
from numpy.typing import ArrayLike
from scipy.special import expit
from scipy.stats import kendalltau

import goldassay
from goldassay.inference.areas import RocArea
from goldassay.results import Estimate


def rows_of(
    value: ArrayLike, said: ArrayLike, known: Flags, words: ArrayLike, **columns: ArrayLike
) -> Rows:
    """A judge `j` on all items and a person `p` on those that are known; -1: it abstains."""
    told = np.append(np.asarray(words), "")
    where = {"item": np.arange(len(known)), **columns}
    people = {name: np.asarray(one)[known] for name, one in where.items()}
    return together(
        rated("j", "judge", told[np.asarray(said, int)], **where),
        rated("p", "human", told[np.asarray(value, int)][known], **people),
    )


def some(rng: Rng, number: int, labels: int) -> Flags:
    found = np.zeros(number, bool)
    found[rng.permutation(number)[:labels]] = True
    return found


def each_verdict(rng: Rng, said: Ints, labels: int) -> Flags:
    found = np.zeros(len(said), bool)
    for verdict in np.unique(said):
        found[rng.permutation(np.flatnonzero(said == verdict))[:labels]] = True
    return found


def turned(rng: Rng, true: Flags, right: ArrayLike) -> Flags:
    return np.where(rng.random(len(true)) < right, true, ~true)


#: The findings that were looked at last.
LAST: list[goldassay.Findings] = []


def numbers(found: goldassay.Findings, *names: str) -> list[goldassay.findings.Row]:
    LAST[:] = [found]
    return [row for row in found.rows if row.result.name in names]


# --- estimate ---------------------------------------------------------------------------------


def _weighted(rng: Rng, clusters: int) -> tuple[Ints, Flags, Flags, Floats]:
    """Clusters of 2 to 18 whose heavy items are more often yes and judged worse."""
    cluster = np.repeat(np.arange(clusters), rng.integers(2, 19, clusters))
    heavy = rng.standard_normal(len(cluster))
    true = rng.random(len(cluster)) < expit(-1.6 + 0.4 * heavy + level(rng, cluster, 0.7))
    said = turned(rng, true, expit(2.0 - 0.4 * heavy + level(rng, cluster, 0.4)))
    return cluster, true, said, np.exp(0.5 * heavy)


@cache
def _weighted_rate() -> float:
    _, true, _, weight = _weighted(np.random.default_rng(1), MANY // 4)
    return float(weight @ true / weight.sum())


def weighted_by_verdict(rng: Rng) -> Found:
    cluster, true, said, weight = _weighted(rng, 50)
    known = each_verdict(rng, said, 60)
    rows = rows_of(true, said, known, YES_NO, cluster=cluster, weight=weight.round(6))
    task = {**BINARY, "calibration": "by_verdict", "cluster": "cluster"}
    for row in numbers(goldassay.estimate(rows, task), "prevalence"):
        yield "prevalence", row.result, _weighted_rate()


def mediocre(rng: Rng, *, rate: float, calibration: str) -> Found:
    """1,000 items, a judge right on .7 of yes and .8 of no, 150 labels."""
    true = rng.random(1_000) < rate
    said = turned(rng, true, np.where(true, 0.7, 0.8))
    verdict = calibration == "by_verdict"
    known = each_verdict(rng, said, 75) if verdict else some(rng, 1_000, 150)
    rows = rows_of(true, said, known, YES_NO)
    found = goldassay.estimate(rows, {**BINARY, "calibration": calibration})
    for row in numbers(found, "prevalence"):
        yield "prevalence", row.result, rate


def apart(rng: Rng) -> Found:
    """300 items of which .05 are yes, and 80 labels elsewhere, half of them yes."""
    true = np.append(rng.random(300) < 0.05, rng.random(80) < 0.5)
    said = turned(rng, true, np.where(true, 0.8, 0.9))
    known = np.arange(380) >= 300
    split = np.where(known, "calibration", "test")
    rows = rows_of(true, said, known, YES_NO, split=split)
    for row in numbers(
        goldassay.estimate(rows, {**BINARY, "calibration": "separate"}), "prevalence"
    ):
        yield "prevalence", row.result, 0.05


def strata(rng: Rng) -> Found:
    """Topics of .7, .25 and .05 of 600 items, in which the judge errs unlike; 40 labels of each."""
    rates, right = np.array([0.15, 0.5, 0.85]), np.array([0.92, 0.8, 0.65])
    topic = rng.choice(3, 600, p=(0.7, 0.25, 0.05))
    true = rng.random(600) < rates[topic]
    said = turned(rng, true, right[topic])
    known = each_verdict(rng, topic, 40)
    rows = rows_of(true, said, known, YES_NO, topic=topic)
    found = goldassay.estimate(rows, {**BINARY, "calibration": "random"}, strata=["topic"])
    for row in numbers(found, "prevalence"):
        yield "prevalence", row.result, float(np.array([0.7, 0.25, 0.05]) @ rates)


def grades(rng: Rng, *, shares: tuple[float, ...], clusters: int, size: int, labels: int) -> Found:
    """Clusters in which a third are as the first is; the judge is one off on a quarter."""
    points, n = len(shares), clusters * size
    cluster, label = np.repeat(np.arange(clusters), size), rng.choice(points, n, p=shares)
    if size > 1:
        label = np.where(rng.random(n) < 0.33, label[cluster * size], label)
    step = np.where(rng.random(n) < 0.25, rng.choice((-1, 1), n), 0)
    words = np.arange(1, points + 1).astype(str)
    known, said = some(rng, n, labels), np.clip(label + step, 0, points - 1)
    rows = rows_of(label, said, known, words, cluster=cluster)
    task = {"scale": "ordinal", "options": list(words), "calibration": "random"}
    found = goldassay.estimate(rows, {**task, "cluster": "cluster"} if size > 1 else task)
    for row in numbers(found, "mean_score"):
        yield "mean_score", row.result, float(np.array(shares) @ np.arange(1, points + 1))
    for row in numbers(found, "prevalence"):
        share = shares[int(str(row.about["option"])) - 1]
        yield f"rate of a grade that {share:g} have", row.result, share


def tied_tails(rng: Rng) -> Found:
    """Whole numbers around 10 with the tails of Student's t of 3; 60 of 500 labelled."""
    people = np.round(10 + 2 * rng.standard_t(3, 500))
    judge = np.round(people + rng.standard_t(3, 500) + 1)
    known = some(rng, 500, 60)
    where = {"item": np.arange(500)}
    rows = together(
        rated("j", "judge", judge, **where),
        rated("p", "human", people[known], item=np.flatnonzero(known)),
    )
    found = goldassay.estimate(rows, {"scale": "continuous", "calibration": "random"})
    for row in numbers(found, "mean_score"):
        yield "mean_score", row.result, 10.0


FOUR = np.array(["a", "b", "c", "d"])


def four_options(rng: Rng) -> Found:
    """Four options of which .03 have the last; a judge right on .8; 120 of 800 labelled."""
    shares = np.array([0.5, 0.3, 0.17, 0.03])
    label = rng.choice(4, 800, p=shares)
    said = np.where(rng.random(800) < 0.8, label, rng.choice(4, 800))
    rows = rows_of(label, said, some(rng, 800, 120), FOUR)
    task = {"scale": "nominal", "options": list(FOUR), "calibration": "random"}
    for row in numbers(goldassay.estimate(rows, task), "prevalence"):
        share = float(shares[list(FOUR).index(str(row.about["option"]))])
        yield f"rate of an option that {share:g} have", row.result, share


def _abstaining(rng: Rng, cluster: Ints) -> tuple[Flags, Ints]:
    """The judge abstains on some of what is hard, and more on yes than on no."""
    hard = level(rng, cluster, 0.6) + rng.standard_normal(len(cluster))
    true = rng.random(len(cluster)) < expit(-1.0 + 0.3 * hard)
    said = turned(rng, true, expit(2.0 - hard)).astype(np.int64)
    return true, np.where(rng.random(len(cluster)) < expit(hard + true - 2.2), -1, said)


@cache
def _abstained_rate() -> float:
    return float(_abstaining(np.random.default_rng(1), np.arange(MANY * 5))[0].mean())


def abstains(rng: Rng, *, clusters: int, size: int, labels: int) -> Found:
    cluster = np.repeat(np.arange(clusters), size)
    true, said = _abstaining(rng, cluster)
    rows = rows_of(true, said, some(rng, len(cluster), labels), YES_NO, cluster=cluster)
    task = {**BINARY, "calibration": "random", "abstain": [""], "abstentions": "class"}
    found = goldassay.estimate(rows, {**task, "cluster": "cluster"} if size > 1 else task)
    for row in numbers(found, "prevalence"):
        yield "prevalence", row.result, _abstained_rate()


# --- compare ----------------------------------------------------------------------------------


def systems(
    rng: Rng, *, good: tuple[float, ...], labels: tuple[int, ...], prompts: int, paired: bool
) -> Found:
    """Systems of these rates (logits), on the same prompts or each on its own."""
    parts, spread = [], 1.0
    hard = rng.normal(0, spread, (1 if paired else len(good), prompts))
    for s, (one, number) in enumerate(zip(good, labels, strict=True)):
        at = np.arange(prompts) + (0 if paired else s * prompts)
        true = rng.random(prompts) < expit(one - hard[0 if paired else s])
        said = turned(rng, true, np.where(true, 0.88, 0.82))
        known = some(rng, prompts, number)
        where = {"prompt": at, "system": np.full(prompts, f"s{s}")}
        part = rows_of(true, said, known, YES_NO, **where)
        parts.append({**part, "item": [f"{s}-{item}" for item in part["item"]]})
    found = goldassay.compare(together(*parts), {**BINARY, "calibration": "random"})
    truth = _of_systems(good, spread)
    gaps = []
    for row in found.rows:
        result = row.result
        if result.name == "prevalence":
            s = int(str(row.about["system"])[1:])
            yield f"rate of a system with {labels[s]} labels", result, float(truth[s])
        elif result.name == "difference" and result.interval is not None:
            first, second = (int(str(row.about[one])[1:]) for one in ("system", "opponent"))
            gap = float(truth[first] - truth[second])
            gaps.append((result.interval.low, result.interval.high, gap))
    if gaps:
        yield "differences at once", at_once(gaps), 0.0


@cache
def _of_systems(good: tuple[float, ...], spread: float) -> Floats:
    hard = np.random.default_rng(1).normal(0, spread, MANY * 5)
    return np.array([expit(one - hard).mean() for one in good])


# --- agree ------------------------------------------------------------------------------------


def _people(rng: Rng, items: int, people: int, points: int) -> tuple[Ints, Ints]:
    """Grades of people [P, N] and of a judge [N]: a height, and noise of each."""
    cuts = {2: (0.6,), 5: (-1.2, -0.4, 0.4, 1.2)}[points]
    height = rng.standard_normal(items)
    noise = np.linspace(0.5, 0.9, people + 1)[:, None] * rng.standard_normal((people + 1, items))
    given = np.digitize(height + noise, cuts)
    return given[:people], given[people]


def _agreed(people: Ints, judge: Ints, there: Flags, points: int) -> Mapping[str, Estimate]:
    words = YES_NO if points == 2 else np.arange(1, points + 1).astype(str)
    parts = [rated("j", "judge", words[judge], item=np.arange(len(judge)))]
    for k, one in enumerate(people):
        at = np.flatnonzero(there[k])
        parts.append(rated(f"p{k}", "human", words[one[at]], item=at))
    scale = BINARY if points == 2 else {"scale": "ordinal", "options": list(words)}
    found = goldassay.agree(together(*parts), {**scale, "reference": "majority"})
    asked = ("accuracy", "cohen_kappa", "weighted_kappa", "human_krippendorff_alpha")
    shown: dict[str, Estimate] = {}
    for row in numbers(found, *asked):
        if row.about.get("level") in (None, "micro") and isinstance(row.result, Estimate):
            shown.setdefault(row.result.name, row.result)
    return shown


@cache
def _agreed_in_truth(people: int, points: int, missing: float) -> Mapping[str, float]:
    rng = np.random.default_rng(1)
    given, judge = _people(rng, MANY // 4, people, points)
    found = _agreed(given, judge, rng.random(given.shape) >= missing, points)
    return {name: one.value for name, one in found.items()}


def several_people(rng: Rng, *, items: int, people: int, points: int, missing: float) -> Found:
    given, judge = _people(rng, items, people, points)
    truth = _agreed_in_truth(people, points, missing)
    for name, one in _agreed(given, judge, rng.random(given.shape) >= missing, points).items():
        yield name, one, truth[name]


PREVALENT = ("cohen_kappa", "gwet_ac1", "scott_pi", "balanced_accuracy", "f1")


@cache
def _prevalent_in_truth(name: str) -> float:
    true, said = _prevalent(np.random.default_rng(1), MANY * 5)
    return float(getattr(goldassay.metrics, name)(true, said, **_positive(name)).value)


def _positive(name: str) -> dict[str, int]:
    return {"positive": 1} if name == "f1" else {}


def _prevalent(rng: Rng, items: int) -> tuple[Ints, Ints]:
    true = rng.random(items) < 0.93
    return true.astype(int), turned(rng, true, np.where(true, 0.95, 0.6)).astype(int)


def prevalent(rng: Rng) -> Found:
    """40 items, .93 of them yes, a judge right on .95 of yes and .6 of no."""
    true, said = _prevalent(rng, 40)
    for name in PREVALENT:
        result = getattr(goldassay.metrics, name)(true, said, **_positive(name))
        yield name, result, _prevalent_in_truth(name)


def _four_levels(rng: Rng, cluster: Ints) -> tuple[Flags, Floats]:
    true = rng.random(len(cluster)) < expit(-1.3 + level(rng, cluster, 0.8))
    score = 1.8 * true + level(rng, cluster, 0.6) + rng.standard_normal(len(cluster))
    return true, np.digitize(score, (0.0, 1.0, 2.0)).astype(float)


@cache
def _area_in_truth() -> float:
    true, score = _four_levels(np.random.default_rng(1), np.arange(MANY * 5))
    return RocArea.of(score, true, None).value


def tied_area(rng: Rng) -> Found:
    cluster = np.repeat(np.arange(12), 12)
    true, score = _four_levels(rng, cluster)
    yield "roc_auc", goldassay.metrics.roc_auc(true, score, clusters=cluster), _area_in_truth()


# --- select, rank, replace, diff, monitor, certify --------------------------------------------


def _eight(rng: Rng, items: int) -> tuple[Flags, Flags]:
    """Labels, and verdicts [8, N] that err on the same hard items."""
    true, hard = rng.random(items) < 0.4, rng.normal(0, 1.5, items)
    right = expit(np.linspace(2.6, 1.6, 8)[:, None] - hard)
    return true, np.where(rng.random((8, items)) < right, true, ~true)


@cache
def _eight_in_truth() -> Floats:
    true, said = _eight(np.random.default_rng(1), MANY)
    return np.array(
        [((one == true)[true].mean() + (one == true)[~true].mean()) / 2 for one in said]
    )


def eight_judges(rng: Rng) -> Found:
    true, said = _eight(rng, 100)
    item, truth = np.arange(100), _eight_in_truth()
    rows = together(
        rated("p", "human", YES_NO[true.astype(int)], item=item),
        *(
            rated(f"j{k}", "judge", YES_NO[one.astype(int)], item=item)
            for k, one in enumerate(said)
        ),
    )
    found = goldassay.select(rows, BINARY, resamples=1_000)
    table = found.tables["differences"]
    gaps = []
    for line in table.rows:
        one = dict(zip(table.columns, line, strict=True))
        first, second = (int(str(value)[1:]) for value in list(line)[:2])
        gaps.append((float(one["low"]), float(one["high"]), float(truth[first] - truth[second])))
    yield "differences at once", at_once(gaps), 0.0


TWELVE = np.linspace(0, 0.4, 12)


def _graded(rng: Rng, cluster: Ints) -> tuple[Floats, Floats]:
    """Grades 1 to 5 of twelve systems [12, N] by the judge and by people."""
    n = len(cluster)
    height = TWELVE[:, None] + 0.5 * rng.standard_normal((12, int(cluster.max()) + 1))[:, cluster]
    height = height + rng.normal(0, 0.8, n) + rng.normal(0, 0.5, (12, n))
    liked = height + np.where(np.arange(12) % 3 == 0, 0.12, 0.0)[:, None]
    said = (one + rng.normal(0, 0.5, (12, n)) for one in (liked, height))
    judge, people = (np.clip(np.round(one + 3), 1, 5) for one in said)
    return judge, people


@cache
def _grades_in_truth() -> tuple[Floats, Floats]:
    """Mean places of the grades, which `rank` counts from 0."""
    judge, people = _graded(np.random.default_rng(1), np.arange(MANY // 2))
    return judge.mean(1) - 1, people.mean(1) - 1


def near_tied(rng: Rng) -> Found:
    """Twelve systems on 20 clusters of two prompts, graded by a judge and by a person."""
    cluster = np.repeat(np.arange(20), 2)
    judge, people = _graded(rng, cluster)
    s, p = (one.reshape(-1) for one in np.indices(judge.shape))
    where = {"prompt": p, "cluster": cluster[p], "system": [f"s{one}" for one in s]}
    item = [f"{a}-{b}" for a, b in zip(s, p, strict=True)]
    told = (("j", "judge", judge), ("p", "human", people))
    parts = [rated(who, k, x.reshape(-1).astype(int), item=item, **where) for who, k, x in told]
    task = {"scale": "ordinal", "options": list("12345"), "cluster": "cluster"}
    found = goldassay.rank(together(*parts), task, resamples=1_000)
    mine, theirs = _grades_in_truth()
    for row in numbers(found, "system_score", "kendall_tau"):
        about = row.about
        if row.result.name == "kendall_tau":
            if about.get("aggregation") == "mean":
                yield "kendall_tau", row.result, float(kendalltau(mine, theirs)[0])
        elif about.get("aggregation") == "mean" and about.get("judge") == "j":
            yield "mean of a system", row.result, float(mine[int(str(about["system"])[1:])])


def battles(rng: Rng) -> Found:
    """Four systems, a third of whose battles tie, on 25 prompts."""
    first, second = np.triu_indices(4, 1)
    own = _strengths(rng, 25)
    gap = own[first] - own[second] + rng.logistic(0, 0.8, (6, 25))
    outcome = np.where(np.abs(gap) < 0.7, 2, np.where(gap > 0, 0, 1))
    k, p = (one.reshape(-1) for one in np.indices(outcome.shape))
    where = {
        "item": [f"{a}-{b}" for a, b in zip(k, p, strict=True)],
        "prompt": p,
        "system": [f"s{one}" for one in first[k]],
        "opponent": [f"s{one}" for one in second[k]],
    }
    options = ["system", "opponent", "tie"]
    rows = rated("j", "judge", np.array(options)[outcome.reshape(-1)], **where)
    task = {"scale": "pairwise", "options": options, "tie": "tie"}
    for row in numbers(goldassay.rank(rows, task, resamples=1_000), "system_score"):
        if row.about["aggregation"] == "win_rate":
            truth = _win_rates()[int(str(row.about["system"])[1:])]
            yield "win_rate", row.result, float(truth)


def _strengths(rng: Rng, prompts: int) -> Floats:
    return np.array([0.9, 0.4, 0.1, -0.6])[:, None] + rng.normal(0, 0.6, (4, prompts))


@cache
def _win_rates() -> Floats:
    rng = np.random.default_rng(1)
    own = _strengths(rng, MANY)
    gap = own[:, None] - own[None] + rng.logistic(0, 0.8, (4, 4, MANY))
    won = np.where(np.abs(gap) < 0.7, 0.5, gap > 0).mean(2)
    return np.array((won.sum(1) - won.diagonal()) / 3)


def _instead(rng: Rng, items: int) -> tuple[Flags, Flags]:
    """Three people and a judge on items of which some divide people."""
    true, hard = rng.random(items) < 0.5, rng.normal(0, 1.2, items)
    right = expit(np.array([2.4, 2.0, 1.6, 1.9])[:, None] - hard)
    said = np.where(rng.random((4, items)) < right, true, ~true)
    return said[:3], said[3]


def _advantages(people: Flags, judge: Flags) -> list[tuple[str, Estimate]]:
    item = np.arange(len(judge))
    rows = together(
        rated("j", "judge", YES_NO[judge.astype(int)], item=item),
        *(
            rated(f"p{k}", "human", YES_NO[one.astype(int)], item=item)
            for k, one in enumerate(people)
        ),
    )
    found = goldassay.replace(rows, BINARY)
    wanted = numbers(found, "advantage_probability", "advantage")
    return [
        (f"{row.result.name} {row.about.get('rater', '')}".strip(), row.result)
        for row in wanted
        if isinstance(row.result, Estimate)
    ]


@cache
def _advantages_in_truth() -> Mapping[str, float]:
    people, judge = _instead(np.random.default_rng(1), MANY // 2)
    return {name: one.value for name, one in _advantages(people, judge)}


def three_people(rng: Rng) -> Found:
    for name, one in _advantages(*_instead(rng, 60)):
        yield name, one, _advantages_in_truth()[name]


CHANGES = ("accuracy", "balanced_accuracy", "cohen_kappa")


def _two_versions(rng: Rng, cluster: Ints) -> tuple[Flags, Ints, Ints]:
    """The old version abstains on .05, the new one on .2, mostly of what is hard."""
    n = len(cluster)
    true, hard = rng.random(n) < 0.35, level(rng, cluster, 0.6) + rng.standard_normal(n)
    old, new = (turned(rng, true, expit(one - hard)).astype(int) for one in (1.7, 1.9))
    silent = rng.random(n) < 0.05, rng.random(n) < expit(1.5 * hard - 2.0)
    return true, np.where(silent[0], -1, old), np.where(silent[1], -1, new)


def _changes(true: Flags, old: Ints, new: Ints, cluster: Ints) -> list[goldassay.findings.Row]:
    every = np.ones(len(true), bool)
    task = {**BINARY, "abstain": [""], "cluster": "cluster"}
    documents = [
        goldassay.agree(rows_of(true, one, every, YES_NO, cluster=cluster), task, resamples=200)
        for one in (old, new)
    ]
    # Abstentions as declared: other ways to count them stand beside.
    changed = numbers(goldassay.diff(*documents), *(f"{one}_change" for one in CHANGES))
    return [row for row in changed if row.about.get("mode") is None]


@cache
def _changes_in_truth() -> Mapping[str, float]:
    cluster = np.repeat(np.arange(MANY // 20), 6)
    rows = _changes(*_two_versions(np.random.default_rng(1), cluster), cluster)
    return {row.result.name: row.result.value for row in rows}  # type: ignore[union-attr]


def abstaining_version(rng: Rng) -> Found:
    """30 clusters of 6."""
    cluster = np.repeat(np.arange(30), 6)
    for row in _changes(*_two_versions(rng, cluster), cluster):
        if row.about.get("level") in (None, "micro"):
            yield row.result.name, row.result, _changes_in_truth()[row.result.name]


def drift(rng: Rng, *, after: float) -> Found:
    """Thirty batches of 40 verdicts, .3 yes in the first half and `after` in the second."""
    batch = np.repeat(np.arange(30), 40)
    said = rng.random(len(batch)) < np.where(batch < 15, 0.3, after)
    rows = rated("j", "judge", YES_NO[said.astype(int)], item=np.arange(len(batch)), batch=batch)
    for row in numbers(goldassay.monitor(rows, BINARY, reference="14"), "rate_change"):
        yield "rate_change", row.result, after - 0.3


def passport(rng: Rng) -> Found:
    """What a passport says of a judge with 90 labels of 280 items in 40 clusters."""
    cluster = np.repeat(np.arange(40), 7)
    true, said = _certified(rng, cluster)
    rows = rows_of(true, said, some(rng, len(true), 90), YES_NO, cluster=cluster)
    task = {**BINARY, "calibration": "random", "cluster": "cluster"}
    found = goldassay.certify(rows, task, resamples=1_000)
    asked = ("accuracy", "sensitivity", "specificity", "cohen_kappa", "prevalence")
    for row in numbers(found, *asked):
        if row.about["verb"] != "audit":  # that asks what all people would say
            yield row.result.name, row.result, _certified_in_truth()[row.result.name]


def _certified(rng: Rng, cluster: Ints) -> tuple[Flags, Flags]:
    true = rng.random(len(cluster)) < expit(-0.8 + level(rng, cluster, 0.6))
    return true, turned(rng, true, expit(1.9 - 0.3 * true + level(rng, cluster, 0.6)))


@cache
def _certified_in_truth() -> Mapping[str, float]:
    true, said = _certified(np.random.default_rng(1), np.arange(MANY * 5))
    asked = ("accuracy", "sensitivity", "specificity", "cohen_kappa")
    told = {
        name: float(
            getattr(goldassay.metrics, name)(
                true.astype(int),
                said.astype(int),
                **({"positive": 1} if name.endswith("ity") else {}),
            ).value
        )
        for name in asked
    }
    return {**told, "prevalence": float(true.mean())}


SETTINGS: Mapping[str, Callable[[Rng], Found]] = {
    "estimate: weights, 50 clusters of 2 to 18, 60 labels of each verdict": weighted_by_verdict,
    "estimate: rate .01, a mediocre judge, 150 of 1,000 labelled": partial(
        mediocre, rate=0.01, calibration="random"
    ),
    "estimate: rate .99, a mediocre judge, 75 labels of each verdict": partial(
        mediocre, rate=0.99, calibration="by_verdict"
    ),
    "estimate: 300 items, 80 labels elsewhere": apart,
    "estimate: strata of .7, .25 and .05, 40 labels of each": strata,
    "estimate: three grades, .85 the best, 20 clusters of 15": partial(
        grades, shares=(0.05, 0.1, 0.85), clusters=20, size=15, labels=60
    ),
    "estimate: seven grades, .6 the best, 80 of 600 labelled": partial(
        grades, shares=(0.02, 0.03, 0.05, 0.05, 0.1, 0.15, 0.6), clusters=600, size=1, labels=80
    ),
    "estimate: tied scores with heavy tails, 60 of 500 labelled": tied_tails,
    "estimate: four options, one of which .03 have": four_options,
    "estimate: a judge that abstains, 100 of 500 labelled": partial(
        abstains, clusters=500, size=1, labels=100
    ),
    "estimate: a judge that abstains, 25 clusters of 16": partial(
        abstains, clusters=25, size=16, labels=100
    ),
    "compare: six systems with five labels each": partial(
        systems, good=(0.8, 0.6, 0.4, 0.2, 0.0, -0.2), labels=(5,) * 6, prompts=100, paired=False
    ),
    "compare: three systems on 80 prompts, one with five labels": partial(
        systems, good=(0.8, 0.4, 0.0), labels=(40, 40, 5), prompts=80, paired=True
    ),
    "agree: two people who leave out a third, 60 items": partial(
        several_people, items=60, people=2, points=2, missing=0.33
    ),
    "agree: six people who leave out two fifths, five grades, 50 items": partial(
        several_people, items=50, people=6, points=5, missing=0.4
    ),
    "agree: 40 items, .93 of them yes": prevalent,
    "agree: area, scores of four levels, 12 clusters of 12": tied_area,
    "select: eight judges that err together, 100 items": eight_judges,
    "rank: twelve near-tied systems, 20 clusters of two prompts": near_tied,
    "rank: four systems, a third of battles tie, 25 prompts": battles,
    "replace: three people and a judge, 60 items": three_people,
    "diff: 30 clusters of 6, the new version abstains more": abstaining_version,
    "monitor: a rate that drifts from .3 to .42": partial(drift, after=0.42),
    "certify: 90 labels in 40 clusters of 7": passport,
}


def lengths(names: list[str], runs: int, seed: int) -> Iterator[str]:
    """The headline's length over that of the shortest other estimator that covers .94.

    The others are those that `estimate` shows beside it, of the same items like these.
    """
    yield "| Setting | Coverage | Length | Shortest that covers .94 | x as long |"
    yield "| --- " * 5 + "|"
    for name, setting in SETTINGS.items():
        if names and not any(part in name for part in names):
            continue
        rng, seen = np.random.default_rng(seed), dict[str, list[tuple[bool, float]]]()
        for run in range(runs):
            if run == 1 and not seen:  # a setting of other numbers
                break
            for of, result, truth in setting(rng):
                every = {row.result.name: row.result for row in LAST[0].rows}
                for one, other in {**every, "ours": result}.items():
                    told = one == "ours" or one.removeprefix("prevalence_") in NAMED
                    if of == "prevalence" and told and other.interval is not None:
                        low, high = other.interval.low, other.interval.high
                        seen.setdefault(one, []).append((low <= truth <= high, high - low))
        if not seen:
            continue
        known = {one: np.mean(rows, 0) for one, rows in seen.items() if len(rows) == runs}
        held, length = known.pop("ours")
        covers = {one: long for one, (share, long) in known.items() if share >= 0.94}
        best = min(covers, key=lambda one: covers[one], default="none")
        ratio = f"{length / covers[best]:.2f}" if covers else "-"
        shown = f"{best} ({covers[best]:.3f})" if covers else "none"
        yield f"| {name} | {held:.3f} | {length:.3f} | {shown} | {ratio} |"


NAMED = ("ppi_plus_plus", "ppi", "conditional_calibration", "rogan_gladen", "calibration_only")


if __name__ == "__main__":
    if "--lengths" in sys.argv:
        sys.argv.remove("--lengths")
        main(SETTINGS, __doc__, lengths)
    else:
        main(SETTINGS, __doc__)
