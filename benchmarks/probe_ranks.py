"""Medians, strengths and biases of systems on few prompts: a family of `coverage_probe`.

Three to six systems answer the same 3 to 60 prompts, alone or in 4 to 12 clusters. Scores are
normal, lognormal, grades most of which are the best, or right and wrong. People score the same
prompts, or a large file of their battles is given (which counts as certain here). The median and
the Bradley-Terry strength are of the first system, biases are averaged over systems, `kin_bias` is
towards the first two. All are those of `rank`, made as the verb makes them. Strengths and biases
are relative to the systems and pairs that a sample has, and so is the truth that they are held
against. By itself the script measures biases of systems so close, on so few prompts, that a
judge's decisiveness is left open:

    python benchmarks/probe_ranks.py [--runs N] [--seed S]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from probe_groups import Grouping, Ranges
from scipy.special import ndtr

from goldassay.formulas.comparisons import Outcomes, comparisons_from_scores, pairs_of, win_rates
from goldassay.formulas.strength import fit
from goldassay.questions.rank.behaviour import beta_curve, decisiveness, system_bias
from goldassay.questions.rank.contest import Contest
from goldassay.questions.rank.families import family_bias
from goldassay.questions.rank.gold import Gold, PairRules, gold_of
from goldassay.questions.rank.judged import Ranker, Settings
from goldassay.questions.rank.record import Bias, Judged
from goldassay.questions.rank.resampling import Draw, draw_prompts
from goldassay.questions.rank.study import corrected_biases, raw_biases
from goldassay.questions.rank.systems import ranked_systems
from goldassay.results import Estimate, Result

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rng = np.random.Generator
Ends = tuple[float, float] | None

LEVEL, RESAMPLES, MANY = 0.95, 400, 200_000
KINDS = ("normal", "lognormal", "grades", "right or wrong")
SETTINGS = Settings(("median", "bradley_terry"), "half", "half", intervals=False)
MIN_BATTLES = 10
KIN = (0, 1)


@dataclass(frozen=True)
class RankedFew:
    """Medians, strengths and biases."""

    kind: str
    prompts: int
    systems: int
    #: How far systems are apart, and how far the judge likes each other than people do.
    spread: float
    liking: float
    #: Whether people's battles are given, and many.
    given: bool
    grouping: Grouping = field(default_factory=Grouping)
    #: Whether scores of systems are told beside biases.
    scored: bool = True

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> RankedFew:
        while True:
            prompts = int(np.exp(rng.uniform(np.log(3), np.log(60))))
            grouping = ranges.grouping(rng)
            if grouping.clusters:
                few = int(rng.choice([4, 8, 12]))
                grouping = Grouping(few, grouping.heavy, grouping.correlation, grouping.giant)
            if prompts >= 2 * grouping.clusters:
                return cls(str(rng.choice(KINDS)), prompts, int(rng.integers(3, 7)),
                           float(rng.choice([0.0, 0.3, 1.0])), float(rng.choice([0.0, 0.5])),
                           bool(rng.random() < 0.4), grouping)  # fmt: skip

    def scores(self, rng: Rng, code: Ints, grouping: Grouping) -> tuple[Floats, Floats]:
        """The judge's and people's [prompts, systems]; half of the spread is the prompt's."""
        noise = grouping.noise(code, rng, 2 * self.systems + 1)
        good = np.linspace(self.spread, 0.0, self.systems)
        likes = self.liking * np.cos(np.arange(self.systems))
        own = noise[1:].reshape(2, self.systems, -1).transpose(0, 2, 1)
        judge, people = np.sqrt(0.5) * (noise[0][:, None] + own) + good
        return self.shown(judge + likes), self.shown(people)

    def shown(self, quality: Floats) -> Floats:
        if self.kind == "lognormal":
            return np.exp(quality)
        if self.kind == "grades":
            return np.searchsorted([-1.0, -0.6, -0.2, 0.3], quality).astype(np.float64)
        if self.kind == "right or wrong":
            return (ndtr(quality) > 0.3).astype(np.float64)
        return quality

    @cached_property
    def whole(self) -> tuple[Floats, Outcomes, Outcomes]:
        """Medians, and outcomes of pairs by the judge and by people, on endless prompts.

        Clusters only make prompts alike: what all of them show is what lone ones do.
        """
        judge, people = self.scores(np.random.default_rng(7), np.arange(MANY), Grouping())
        outcomes = [comparisons_from_scores(one).observed() for one in (judge, people)]
        return np.median(judge, axis=0), outcomes[0], outcomes[1]

    def truth(self) -> dict[str, float]:
        return {}  # of each sample: ends are told from it

    def sample(self, rng: Rng) -> Iterator[tuple[str, Ends]]:
        _, _, of_people = self.whole
        code = self.grouping.codes(self.prompts, rng)
        judge, people = self.scores(rng, code, self.grouping)
        contest = Contest(
            ("j",), tuple(f"s{k}" for k in range(self.systems)), code, int(code.max()) + 1,
            len(code), judge[None], people[None], rates=self.kind == "right or wrong",
        )  # fmt: skip
        draw = draw_prompts(contest, resamples=RESAMPLES, confidence_level=LEVEL, rng=rng)
        gold = gold_of(contest, None, draw, PairRules("half", MIN_BATTLES), lambda _: rng)
        if self.given:
            rates = win_rates(of_people)
            gold = Gold("battles", -np.arange(self.systems, dtype=np.float64), rates)
        ranker = Ranker(contest, gold, draw, SETTINGS)
        judged = ranker.judge(0)
        if self.scored:
            yield from self.scores_of_systems(ranker, judged)
        if judged.bias is not None and gold is not None:
            yield from self.biases(judged.bias, gold, draw)
            kin = family_bias([judged], gold, contest.systems, {"j": KIN}, draw)
            if kin and not np.isnan(judged.bias.corrected[list(KIN)]).any():
                true = self.towards(judged.bias, gold)[1][list(KIN)].mean()
                yield from _with_or_without("kin bias", kin[0].bias, float(true))

    def scores_of_systems(self, ranker: Ranker, judged: Judged) -> Iterator[tuple[str, Ends]]:
        medians, outcomes, _ = self.whole
        lines = ranked_systems(ranker, judged).lines
        yield "median", _around(_first(lines["median"]), medians[0])
        one = judged.aggregated["bradley_terry"]
        steady = np.isfinite(one.observed) & np.isfinite(one.resampled).all(axis=0)
        if steady.any():
            true = fit(pairs_of(self.systems), outcomes, ties="half").strengths
            zero = true[steady].mean()
            yield "Bradley-Terry", _around(_first(lines["bradley_terry"]), true[0] - zero)

    def towards(self, bias: Bias, gold: Gold) -> tuple[Floats, Floats]:
        """The true bias over the pairs that a sample has, as it is and beyond decisiveness."""
        known = ~np.isnan(bias.rates + gold.rates)
        rates = win_rates(self.whole[1])
        people = np.where(known, win_rates(self.whole[2]), np.nan)
        pairs, shape = pairs_of(self.systems), decisiveness(rates, people)
        straight = system_bias(pairs, rates, people)
        if shape is None:
            return straight, np.full(self.systems, np.nan)
        return straight, system_bias(pairs, rates, beta_curve(people, shape))

    def biases(self, bias: Bias, gold: Gold, draw: Draw) -> Iterator[tuple[str, Ends]]:
        straight, beyond = self.towards(bias, gold)
        for system, one in raw_biases(bias, draw).items():
            yield "bias", _around(one, float(straight[system]))
        for system, one in corrected_biases(bias, draw).items():
            yield from _with_or_without("corrected bias", one, float(beyond[system]))


def _with_or_without(name: str, one: Estimate, truth: float) -> Iterator[tuple[str, Ends]]:
    """All samples, and those whose number has no warning."""
    yield name, _around(one, truth)
    if not one.warnings:
        yield f"{name}, no warning", _around(one, truth)


def _first(lines: tuple) -> Result:
    return next(line.score for line in lines if line.system == 0)


def _around(score: Result, truth: float) -> Ends:
    if not isinstance(score, Estimate) or score.interval is None or np.isnan(truth):
        return None
    return score.interval.low - truth, score.interval.high - truth


#: Systems so close that prompts leave decisiveness open.
CLOSE = (
    RankedFew("normal", 14, 6, spread=0.3, liking=0.5, given=False),
    RankedFew("lognormal", 20, 5, spread=0.3, liking=0.5, given=False),
)


def main() -> None:
    from coverage_probe import measured

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    names = ("bias", "corrected bias", "kin bias")
    print(f"| prompts | systems | scores | {' | '.join(names)} |")
    print("| --- " * (3 + len(names)) + "|")
    for one in CLOSE:
        found = measured(one, given.runs, given.seed)
        cells = [
            f"{found[name].coverage:.3f} ({found[name].length / found[name].runs:.3f})"
            for name in names
        ]
        print(f"| {one.prompts} | {one.systems} | {one.kind} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
