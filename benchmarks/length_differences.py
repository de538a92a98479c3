"""Differences of systems and of judges beside named intervals: two families of `lengths`.

Systems: two of them on the same prompts, lone or in clusters, with labels on some prompts or on
all, as `compare` has them. Judges: two to five on one golden set, all differences at once, as
`select` has them; the named intervals then share the level out over all pairs (Bonferroni), or are
studentised together. An interval is held where it holds every difference, and its length is the
mean of all.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from compare_draws import Setting, drawn, errors
from coverage_compare import Study, outcome, sample_of
from coverage_probe import Judges, Tally
from numpy.typing import NDArray
from probe_groups import Ranges
from scipy import stats

from goldassay.questions.estimate import linear
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.label_use import LabelUse
from goldassay.questions.estimate.systems import corrected_rates, functional

Floats = NDArray[np.float64]
Rng = np.random.Generator
#: A setting's kind, what is measured, and how each interval did.
Found = tuple[str, str, dict[str, Tally]]

OURS = "goldassay"
LEVEL, RESAMPLES = 0.95, 400
SYSTEMS = (
    "Student's t over prompts or clusters (clusters - 1), bootstrap-t and percentile bootstrap of "
    "them; labels alone: Bonett-Price, Newcombe's square-and-add of paired shares, Student's t"
)
JUDGES = (
    "Student's t over items or clusters, percentile bootstrap and Bonett-Price, each shared out "
    "over all pairs (Bonferroni), and the bootstrap of the largest studentised difference"
)


def count(tally: Tally, low: Floats, high: Floats, truth: Floats) -> None:
    """One study: held where every difference is."""
    tally.runs, tally.finite = tally.runs + 1, tally.finite + 1
    tally.held += bool(((low <= truth + 1e-9) & (truth - 1e-9 <= high)).all())
    tally.length += float((np.minimum(high, 1) - np.maximum(low, -1)).mean())


def around(
    value: Floats, influences: Floats, rng: Rng, lone: bool
) -> Iterator[tuple[str, Floats, Floats]]:
    """Limits of differences [D] from what each cluster [C, D] moves them by."""
    number, pairs = influences.shape
    centred = influences - influences.mean(0)
    error = np.sqrt(number / (number - 1) * (centred**2).sum(0))
    t = stats.t.ppf(1 - (1 - LEVEL) / 2 / pairs, number - 1)
    yield "delta method" if lone else "cluster t", value - t * error, value + t * error
    picks = rng.multinomial(number, np.full(number, 1 / number), RESAMPLES).astype(float)
    moved, squares = picks @ centred, picks @ centred**2
    again = np.sqrt(number / (number - 1) * np.maximum(squares - moved**2 / number, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        studentised = np.abs(np.where(again > 0, moved / again, 0.0)).max(1)
    reach = np.quantile(studentised, LEVEL) * error
    yield "bootstrap-t", value - reach, value + reach


def paired(first: Floats, second: Floats, level: float) -> Iterator[tuple[str, float, float]]:
    """Named intervals of the difference second - first of two shares of the same lone items."""
    n, z = len(first), float(stats.norm.ppf((1 + level) / 2))
    up, down = float((second & ~first).sum()), float((first & ~second).sum())
    a, b = (up + 1) / (n + 2), (down + 1) / (n + 2)
    reach = z * np.sqrt((a + b - (a - b) ** 2) / (n + 2))
    yield "Bonett-Price", a - b - reach, a - b + reach
    x, y = float(first.sum()), float(second.sum())

    def wilson(hits: float) -> tuple[float, float]:
        centre, half = (hits + z**2 / 2) / (n + z**2), z / (n + z**2)
        half *= np.sqrt(hits * (n - hits) / n + z**2 / 4)
        return centre - half, centre + half

    (l1, u1), (l2, u2) = wilson(x), wilson(y)
    spread = np.sqrt(x * (n - x) * y * (n - y))
    phi = (float((first & second).sum()) * n - x * y) / spread if spread else 0.0
    p1, p2 = x / n, y / n
    low = np.sqrt((p2 - l2) ** 2 - 2 * phi * (p2 - l2) * (u1 - p1) + (u1 - p1) ** 2)
    high = np.sqrt((u2 - p2) ** 2 - 2 * phi * (u2 - p2) * (p1 - l1) + (p1 - l1) ** 2)
    yield "Newcombe", p2 - p1 - low, p2 - p1 + high


def drawn_systems(rng: Rng) -> Setting:
    """Two systems with labels of some prompts, or of all."""
    rate, gap = float(rng.choice([0.05, 0.3, 0.5, 0.8])), float(rng.choice([0.0, 0.1]))
    size = int(rng.choice([1, 1, 10]))
    prompts = size * int(rng.choice([15, 40])) if size > 1 else int(rng.choice([60, 200, 400]))
    part = float(rng.choice([0.25, 0.5, 1.0]))
    return Setting(
        f"{'lone prompts' if size == 1 else f'{prompts // size} clusters'}, "
        f"{'all' if part == 1 else 'some'} labelled",
        (rate, rate + gap),
        errors(str(rng.choice(["equal", "unequal"])), 2),
        prompts=prompts,
        labels=max(int(part * prompts), 30),
        cluster=size,
        within=float(rng.choice([0.0, 0.3])) if size > 1 else 0.0,
        prompt=0.2,
    )


def systems(rng: Rng, runs: int, seed: int) -> Found:
    setting = drawn_systems(rng)
    return setting.name, "difference of systems", beside(setting, runs, seed)


def beside(setting: Setting, runs: int, seed: int) -> dict[str, Tally]:
    """The difference of two systems by every interval."""
    made = np.random.default_rng(seed)
    truth = np.array([setting.rates[1] - setting.rates[0]])
    tallies: dict[str, Tally] = {OURS: Tally()}
    for run in range(runs):
        true, called, labelled, cluster = drawn(setting, made)
        sample, design = sample_of(true, called, labelled, cluster), drawing("random", apart=False)
        use = LabelUse.of(sample.total, design, shared=False)
        found = corrected_rates(sample, use)
        told = outcome(Study(found, {}, np.array(setting.rates)), run)
        ours = tallies[OURS]
        ours.runs, ours.finite = ours.runs + 1, ours.finite + 1
        ours.held += not told.outside.any()
        ours.length += float(told.length.mean())
        rate = functional(use.estimator, design, shared=False)
        moves = linear.influence(sample.cells, sample.multiplicity, rate)
        value, lone = np.diff(np.nan_to_num(found.value)), setting.cluster == 1
        for name, low, high in around(value, np.diff(moves, axis=1), made, lone):
            count(tallies.setdefault(name, Tally()), low, high, truth)
        number = len(sample.cells)
        picks = made.multinomial(number, np.full(number, 1 / number), RESAMPLES).astype(float)
        again = np.diff(rate(np.tensordot(picks, sample.cells, axes=1)), axis=1)
        ends = np.nanquantile(again, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
        count(tallies.setdefault("percentile bootstrap", Tally()), *ends, truth)
        if lone:
            known = labelled[:, 0]
            for name, a, b in paired(true[known, 0], true[known, 1], LEVEL):
                ends = np.array([a]), np.array([b])
                count(tallies.setdefault(f"labels alone, {name}", Tally()), *ends, truth)
    return tallies


def judges(rng: Rng, runs: int, seed: int) -> Iterator[Found]:
    setting, made = Judges.drawn(rng, Ranges()), np.random.default_rng(seed)
    first, second = np.triu_indices(len(setting.right), 1)
    right = np.array(setting.right)
    truth, pairs = right[second] - right[first], len(first)
    lone = not setting.grouping.clusters
    names = ("accuracy", "balanced_accuracy")
    found: dict[str, dict[str, Tally]] = {name: {OURS: Tally()} for name in names}
    for _ in range(runs):
        counts, times = setting.tables(made)
        for name, ours in setting.told(counts, times).items():
            if ours is None:
                continue
            tallies = found[name]
            count(tallies[OURS], ours[0], ours[1], truth)
            values, moves = _moves(name, counts)
            value, moved = values[second] - values[first], moves[:, second] - moves[:, first]
            for rival, low, high in around(value, moved, made, lone):
                count(tallies.setdefault(rival, Tally()), low, high, truth)
            number = len(counts)
            picks = made.multinomial(number, np.full(number, 1 / number), RESAMPLES).astype(float)
            again, _ = _moves(name, np.tensordot(picks, counts, axes=1), whole=True)
            tail = (1 - LEVEL) / 2 / pairs
            ends = np.nanquantile(again[:, second] - again[:, first], [tail, 1 - tail], axis=0)
            count(tallies.setdefault("percentile bootstrap", Tally()), *ends, truth)
            if lone and name == "accuracy":
                hits = (counts[:, :, 0, 0] + counts[:, :, 1, 1]) > 0
                level = 1 - (1 - LEVEL) / pairs
                limits = [
                    {n: (a, b) for n, a, b in paired(hits[:, i], hits[:, j], level)}
                    for i, j in zip(first, second, strict=True)
                ]
                ends = np.array([one["Bonett-Price"] for one in limits]).T
                count(tallies.setdefault("Bonett-Price", Tally()), *ends, truth)
    kind = "lone items" if lone else f"{setting.grouping.clusters} clusters"
    kind += ", unequal" if setting.grouping.heavy else ""
    for name, tallies in found.items():
        yield kind, f"all differences of {name}", tallies


def _moves(name: str, counts: Floats, *, whole: bool = False) -> tuple[Floats, Floats]:
    """The statistic of each judge, and by how much each cluster [C, J] moves it.

    `whole`: counts [B, J, 2, 2] are of whole samples.
    """
    total = counts if whole else counts.sum(0)
    rows = total.sum(-1)  # [..., J, 2]
    hits = np.stack([total[..., 0, 0], total[..., 1, 1]], -1)
    own = np.stack([counts[..., 0, 0], counts[..., 1, 1]], -1)
    with np.errstate(divide="ignore", invalid="ignore"):
        if name == "accuracy":
            value = hits.sum(-1) / rows.sum(-1)
            return value, (own.sum(-1) - value * counts.sum((-1, -2))) / rows.sum(-1)
        rates = hits / rows
        return rates.mean(-1), ((own - rates * counts.sum(-1)) / rows).mean(-1)
