"""Studies of systems on every scale, with known truths: yes or no, grades, numbers, battles.

Answers have a quality, partly the cluster's, partly the prompt's, and their own. People see it; the
judge sees it with a noise and a bias that may differ by system. A scale is what both make of it:
whether it is high enough, its grade, a number, or which of two answers is better.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from goldassay.counts import PairedScores
from goldassay.questions.compare.estimates import (
    Kinds,
    corrected_means,
    mean_kinds,
    rate_kinds,
    score_kinds,
)
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.label_use import LabelUse
from goldassay.questions.estimate.sample import Sample
from goldassay.questions.estimate.systems import corrected_rates
from goldassay.questions.estimate.together import Estimates

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

#: Answers from which true means are taken.
MANY = 2_000_000
#: Wins of the first side: lost, a tie, won.
WINS = np.array([0.0, 0.5, 1.0])


@dataclass(frozen=True)
class Scaled:
    """One kind of study; see `drawn` for what each field does."""

    name: str
    scale: str = "binary"
    systems: int = 2
    prompts: int = 400
    labels: int = 100
    #: Labels on the same prompts for all systems, on each system's own, or on whole clusters.
    where: str = "same"
    #: The cuts of the quality between grades (its normal quantiles), or the shape of numbers.
    cuts: tuple[float, ...] = (0.0,)
    shape: str = "normal"
    #: The judge's noise and bias by system, in turn.
    noise: tuple[float, ...] = (0.6,)
    bias: tuple[float, ...] = (0.0,)
    #: How much better each system is than the one before.
    step: float = 0.0
    #: Prompts of a cluster, 0 for sizes from 1 to 60, and the cluster's and the prompt's part.
    size: int = 1
    within: float = 0.0
    prompt: float = 0.4
    #: The spread of the logarithm of weights.
    weights: float = 0.0
    #: The share of verdicts that are an option of their own (abstained), and that are missing.
    abstained: float = 0.0
    missing: float = 0.0
    #: Labels of all systems correct each (yes or no).
    shared: bool = False


@dataclass(frozen=True)
class Answers:
    """Qualities [P, S] as people and as the judge see them, clusters [P], labelled [P, S]."""

    true: Array
    seen: Array
    cluster: Ints
    labelled: Mask


def drawn(setting: Scaled, rng: np.random.Generator) -> Answers:
    """The answers to the prompts of one study."""
    prompts, systems = setting.prompts, setting.systems
    sizes = np.full(-(-prompts // max(setting.size, 1)), setting.size)
    if not setting.size:
        sizes = np.minimum(np.ceil(rng.pareto(1.2, prompts)).astype(np.int64) + 1, 60)
    cluster = np.repeat(np.arange(len(sizes)), sizes)[:prompts]
    common = rng.standard_normal((int(cluster.max()) + 1, 1))[cluster]
    left = max(1 - setting.within - setting.prompt, 0.0)
    true = (
        np.sqrt(setting.within) * common
        + np.sqrt(setting.prompt) * rng.standard_normal((prompts, 1))
        + np.sqrt(left) * rng.standard_normal((prompts, systems))
        + setting.step * np.arange(systems)
    )
    turn = np.arange(systems)
    noise = np.array(setting.noise)[turn % len(setting.noise)]
    bias = np.array(setting.bias)[turn % len(setting.bias)]
    # A prompt that fools the judge fools it on several systems.
    luck = np.sqrt(0.3) * rng.standard_normal((prompts, 1)) + np.sqrt(0.7) * rng.standard_normal(
        (prompts, systems)
    )
    return Answers(true, true + bias + noise * luck, cluster, _labelled(setting, cluster, rng))


def _labelled(setting: Scaled, cluster: Ints, rng: np.random.Generator) -> Mask:
    prompts, systems = setting.prompts, setting.systems
    found = np.zeros((prompts, systems), bool)
    if setting.where == "whole":
        order = rng.permutation(int(cluster.max()) + 1)
        upto = np.cumsum(np.bincount(cluster)[order])
        kept = order[: max(2, int(np.searchsorted(upto, setting.labels)) + 1)]
        found[np.isin(cluster, kept)] = True
    elif setting.where == "same":
        found[rng.permutation(prompts)[: setting.labels]] = True
    else:
        for s in range(systems):
            found[rng.permutation(prompts)[: setting.labels], s] = True
    return found


def number_of(setting: Scaled, quality: Array) -> Array:
    """A quality as a number."""
    shapes = {
        "normal": lambda x: x,
        "lognormal": lambda x: np.exp(0.8 * x),
        "bounded": lambda x: 1 / (1 + np.exp(-2 * x - 2)),
        "mostly 0": lambda x: np.maximum(x - 0.8, 0.0),
    }
    found: Array = shapes[setting.shape](quality)
    return found


@lru_cache(maxsize=64)
def truths(setting: Scaled) -> tuple[float, ...]:
    """The true rate, mean or win rate of every system."""
    rng = np.random.default_rng(7)
    if setting.scale == "pairwise":
        return tuple(_battle_truths(setting, rng))
    own = rng.standard_normal(MANY)
    levels = np.arange(1.0, len(setting.cuts) + 2)
    found = []
    for s in range(setting.systems if setting.step else 1):
        quality = own + setting.step * s
        if setting.scale == "continuous":
            found.append(float(number_of(setting, quality).mean()))
        elif setting.scale == "ordinal":
            found.append(float(levels[np.searchsorted(setting.cuts, quality)].mean()))
        else:
            found.append(float((quality > setting.cuts[0]).mean()))
    return tuple(found if setting.step else found * setting.systems)


def _battle_truths(setting: Scaled, rng: np.random.Generator) -> list[float]:
    """Win rates over all pairs."""
    if not setting.step:
        return [0.5] * setting.systems
    spread = np.sqrt(2 * (1 - setting.within - setting.prompt))
    gap = rng.standard_normal(MANY // 4) * spread
    found = []
    for a in range(setting.systems):
        others = [b for b in range(setting.systems) if b != a]
        won = [WINS[_outcome(setting, gap + setting.step * (a - b))].mean() for b in others]
        found.append(float(np.mean(won)))
    return found


def _outcome(setting: Scaled, gap: Array) -> Ints:
    """0 lost, 1 a tie, 2 won; without ties 0 or 2."""
    tie = setting.cuts[0]
    return np.where(gap > tie, 2, np.where(gap < -tie, 0, 1)).astype(np.int64)


Told = tuple[Estimates, "Kinds | None"]


def told(setting: Scaled, rng: np.random.Generator, *, beside_too: bool) -> Told:
    """The estimates of one study, and those of labels and judge alone where asked."""
    answers = drawn(setting, rng)
    if setting.scale == "continuous":
        kinds = _numbers(setting, answers, rng)
        return kinds.corrected, kinds
    if setting.scale == "pairwise":
        sample, scores = _battles(setting, answers)
    else:
        sample, scores = _graded(setting, answers, rng)
    design = drawing("random", apart=False)
    if scores is not None:
        kinds = mean_kinds(sample, design, scores) if beside_too else None
        return kinds.corrected if kinds else corrected_means(sample, design, scores), kinds
    use = LabelUse.of(sample.total, design, shared=setting.shared)
    kinds = rate_kinds(sample, use) if beside_too else None
    return kinds.corrected if kinds else corrected_rates(sample, use), kinds


def _kept(setting: Scaled, shape: tuple[int, ...], rng: np.random.Generator) -> Mask:
    """Answers with a verdict."""
    if not setting.missing:
        return np.ones(shape, bool)
    return rng.random(shape) >= setting.missing


def _graded(
    setting: Scaled, answers: Answers, rng: np.random.Generator
) -> tuple[Sample, Array | None]:
    """Cells of grades, and their scores; of two grades the positive one is the last."""
    size = len(setting.cuts) + 1
    grade, verdict = (np.searchsorted(setting.cuts, x) for x in (answers.true, answers.seen))
    verdicts = size
    if setting.abstained:  # of what is near the middle
        verdicts += 1
        unsure = np.abs(answers.seen) < np.quantile(np.abs(answers.seen), setting.abstained)
        verdict = np.where(unsure, size, verdict)
    row = np.where(answers.labelled, grade, size)
    weight = np.ones(row.shape)
    if setting.weights:
        weight = rng.lognormal(0, setting.weights, (setting.prompts, 1)) * weight
    kept = _kept(setting, row.shape, rng)
    system = np.broadcast_to(np.arange(setting.systems), row.shape)
    cell = (system * (size + 1) + row) * verdicts + verdict
    place = np.broadcast_to(answers.cluster[:, None], row.shape)
    shape = (setting.systems, size + 1, verdicts)
    sample = _sample(place[kept], cell[kept], weight[kept], shape)
    return sample, None if size == 2 else np.arange(1.0, size + 1)


def _battles(setting: Scaled, answers: Answers) -> tuple[Sample, Array | None]:
    """Every prompt is a battle of two systems, all pairs in turn, told to both sides."""
    ties = setting.cuts[0] > 0
    options = 3 if ties else 2
    first, second = np.triu_indices(setting.systems, 1)
    turn, at = np.arange(setting.prompts) % len(first), np.arange(setting.prompts)
    a, b = first[turn], second[turn]
    true = _outcome(setting, answers.true[at, a] - answers.true[at, b])
    said = _outcome(setting, answers.seen[at, a] - answers.seen[at, b])
    if not ties:
        true, said = true // 2, said // 2
    known = answers.labelled[:, 0]
    most = options - 1
    row, turned = np.where(known, true, options), np.where(known, most - true, options)
    ours, theirs = (a * (options + 1) + row), (b * (options + 1) + turned)
    cell = np.concatenate([ours * options + said, theirs * options + most - said])
    shape = (setting.systems, options + 1, options)
    sample = _sample(np.tile(answers.cluster, 2), cell, np.ones(len(cell)), shape)
    return sample, WINS if ties else None


def _sample(place: Ints, cell: Ints, weight: Array, shape: tuple[int, int, int]) -> Sample:
    clusters, width = int(place.max()) + 1, int(np.prod(shape))
    cells = np.bincount(place * width + cell, weight, minlength=clusters * width)
    options = tuple(str(k) for k in range(shape[1] - 1))
    return Sample(
        options=options,
        verdicts=tuple(str(k) for k in range(shape[2])),
        groups=tuple(f"s{k:02}" for k in range(shape[0])),
        cells=cells.reshape(clusters, *shape).astype(float),
        multiplicity=np.ones(clusters, np.int64),
        n_items=len(place),
        independent=False,
        apart=False,
        test_labels=np.zeros(len(options)),
        without_verdict={},
        labels_without_verdict=np.zeros(len(options)),
    )


def _numbers(setting: Scaled, answers: Answers, rng: np.random.Generator) -> Kinds:
    prompts, systems = answers.true.shape
    people = np.where(answers.labelled, number_of(setting, answers.true), np.nan).reshape(-1)
    judge = number_of(setting, answers.seen)
    judge = np.where(_kept(setting, judge.shape, rng), judge, np.nan).reshape(-1)
    units = prompts * systems
    system = np.tile(np.arange(systems), prompts)
    scores = PairedScores(
        units=(("",),) * units,
        item=np.arange(units),
        cluster=np.repeat(answers.cluster, systems),
        n_clusters=int(answers.cluster.max()) + 1,
        by={},
        judges=("judge",),
        judge=judge[None],
        repeats=np.ones((1, units)),
        variance=np.full((1, units), np.nan),
        people=people,
        human_unit=np.flatnonzero(~np.isnan(people)),
        human_score=people[~np.isnan(people)],
        humans=1,
    )
    masks = [system == s for s in range(systems)]
    return score_kinds(scores, "judge", masks, (-np.inf, np.inf))


#: A judge that sees the systems differently: how noisy, and how much too well.
UNEQUAL = {"noise": (0.3, 0.9, 0.5), "bias": (0.0, 0.5, -0.4)}
GRADES, HIGH, THREE = (-1.5, -0.5, 0.5, 1.5), (-2.2, -2.0, -1.6, -1.2), (-0.5, 0.8)


def every_scale() -> list[Scaled]:
    """Equally good systems, prompts that stand alone."""
    found = []

    def row(words: str, scale: str, **more: object) -> None:
        one = Scaled("", scale, **UNEQUAL, **more)  # type: ignore[arg-type]
        where = {"same": "the same", "own": "its own"}[one.where]
        name = f"{words} | {one.systems} | {one.prompts:,} | {one.labels} | {where}"
        found.append(replace(one, name=name))

    row("5 grades", "ordinal", cuts=GRADES, labels=30)
    row("5 grades, mostly the highest", "ordinal", cuts=HIGH, labels=30)
    row("5 grades, mostly the highest", "ordinal", cuts=HIGH, labels=100, where="own")
    row("3 grades, 15 % abstained", "ordinal", cuts=THREE, labels=60, abstained=0.15)
    row("5 grades", "ordinal", systems=6, cuts=GRADES, prompts=200, labels=50)
    row("numbers, normal", "continuous", prompts=60, labels=20)
    row("numbers, normal", "continuous", labels=100, where="own")
    row("numbers, lognormal", "continuous", shape="lognormal", labels=50)
    row("numbers, mostly 0", "continuous", shape="mostly 0", labels=50)
    row("numbers, near 1", "continuous", shape="bounded", labels=50, where="own")
    row("numbers, normal", "continuous", systems=8, labels=50)
    row("battles", "pairwise", labels=40)
    row("battles, ties", "pairwise", systems=3, cuts=(0.3,), labels=60)
    row("battles, ties", "pairwise", systems=4, cuts=(0.3,), prompts=600, labels=150)
    row("yes or no, 15 % abstained", "binary", cuts=(-0.8,), labels=60, abstained=0.15)
    row("yes or no, 20 % without verdict", "binary", cuts=(-0.8,), labels=60, missing=0.2)
    row("yes or no, unequal weights", "binary", cuts=(-0.8,), labels=60, weights=0.8)
    row("5 grades, unequal weights", "ordinal", cuts=GRADES, labels=60, weights=0.8)
    return found


def every_scale_clustered() -> list[Scaled]:
    """Equally good systems, prompts in clusters, half of them labelled."""
    kinds = (
        ("yes or no", "binary", (-0.5,), 2),
        ("5 grades", "ordinal", GRADES, 2),
        ("numbers", "continuous", (0.0,), 2),
        ("battles, ties", "pairwise", (0.3,), 3),
    )
    found = []
    for words, scale, cuts, systems in kinds:
        for clusters, size, where in ((10, 10, "same"), (20, 10, "whole"), (30, 0, "same")):
            prompts = clusters * (size or 6)
            spread = "whole clusters" if where == "whole" else "half of each"
            shown = f"{clusters} of {size}" if size else "about 45 of 1 to 60"
            found.append(
                Scaled(
                    f"{words} | {systems} | {shown} | {spread}",
                    scale,
                    systems,
                    prompts,
                    prompts // 2,
                    where,
                    cuts,
                    **UNEQUAL,  # type: ignore[arg-type]
                    size=size,
                    within=0.3,
                    prompt=0.2,
                )
            )
    return found


def any_scale(number: int = 91) -> list[Scaled]:
    """Settings drawn at random: scales in turn, 30 to 2,000 prompts, 20 to 500 labels."""
    return [_any(k, np.random.default_rng([99, k])) for k in range(number)]


def _any(k: int, rng: np.random.Generator) -> Scaled:
    scale = ("binary", "ordinal", "continuous", "pairwise")[k % 4]
    sizes = [30, 60, 100, 200, 400, 1000, 2000]
    prompts = int(rng.choice(sizes, p=[0.1, 0.15, 0.2, 0.2, 0.2, 0.1, 0.05]))
    labels = int(np.clip(np.exp(rng.uniform(np.log(20), np.log(500))), 20, prompts))
    size = int(rng.choice([1, 1, 1, 5, 10, 0]))
    systems = int(rng.choice([2, 2, 2, 3, 5]))
    if scale == "pairwise":
        systems = int(rng.choice([2, 3, 4]))
    where = str(rng.choice(["same", "own", "whole"] if size != 1 else ["same", "own"]))
    if scale == "pairwise" and where == "own":
        where = "same"
    cuts: tuple[float, ...] = (0.0,)
    if scale == "binary":
        cuts = (float(ndtri(rng.uniform(0.02, 0.98))),)
    elif scale == "ordinal":
        grades = int(rng.choice([3, 5, 7]))
        shares = rng.dirichlet(np.ones(grades) * rng.choice([0.5, 1, 3])).cumsum()[:-1]
        cuts = tuple(map(float, ndtri(np.sort(shares.clip(0.01, 0.99)))))
        cuts = cuts if len(set(cuts)) == len(cuts) else (-1.0, 0.0, 1.0)
    elif scale == "pairwise":
        cuts = (float(rng.choice([0.0, 0.2, 0.6])),)
    within = float(rng.uniform(0, 0.5)) if size != 1 else 0.0
    shape = str(rng.choice(["normal", "lognormal", "bounded", "mostly 0"]))
    noise = tuple(rng.uniform(0.05, 1.6, 3).round(2).tolist())
    bias = tuple((rng.normal(0, 0.6, 3) * rng.choice([0, 1])).round(2).tolist())
    step = float(rng.choice([0, 0, 0.2])) if scale != "pairwise" or size == 1 else 0.0
    prompt, graded = float(rng.uniform(0, 0.5)), scale in ("binary", "ordinal")
    weights = float(rng.choice([0, 0, 0, 0.8])) if graded else 0.0
    abstained = float(rng.choice([0, 0, 0.15])) if graded else 0.0
    missing = float(rng.choice([0, 0, 0.2])) if scale != "pairwise" else 0.0
    words = f"{scale}, {where} | {systems} | {prompts:,} | {labels} | {size or 'uneven'}"
    head = (words, scale, systems, prompts, labels, where, cuts, shape, noise, bias, step)
    return Scaled(*head, size, within, prompt, weights, abstained, missing)
