"""Coverage and length of the interval of `chance_agreement`, of lone items, clusters and weights.

    python benchmarks/coverage_chance.py [--runs N] [--options K]

Chance agreement is least where both sides give all options alike, and there its slope is 0: every
sample lies above the truth. So options are even or skewed, two to five, and the judge right on .6
or .95 of the items. Beside it on the same samples is the normal interval whose standard error is
known, which nobody has: 1.96 deviations of the estimates over the samples to either side. Lengths
are told against it where it covers .94. The figures are in `docs/intervals.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from goldassay.metrics import chance_agreement
from goldassay.results import Estimate

Floats = NDArray[np.float64]
Rng = np.random.Generator

#: Items, the size of their clusters, how alike these are, and the spread of the log weights.
KINDS = {
    "60 items": (60, 1, 0.0, 0.0),
    "300 items": (300, 1, 0.0, 0.0),
    "40 clusters of 6": (240, 6, 0.3, 0.0),
    "15 clusters of 20": (300, 20, 0.3, 0.0),
    "200 items, unequal weights": (200, 1, 0.0, 0.7),
    "40 clusters of 6, unequal weights": (240, 6, 0.3, 0.7),
}
#: The coverage from which a length is one to compare with.
COVERS = 0.94
#: More draws move no figure by more than its Monte Carlo error.
DRAWS = 400


@dataclass(frozen=True)
class Setting:
    kind: str
    options: int
    even: bool
    right: float

    def __str__(self) -> str:
        shares = "even" if self.even else "skewed"
        return f"{self.kind}, {self.options} {shares} options, right on {self.right:g}"

    @property
    def joint(self) -> Floats:
        """Shares of label and verdict [K, K]; a wrong verdict is any other option."""
        share = np.ones(self.options) if self.even else np.arange(1.0, self.options + 1) ** 1.5
        wrong = (1 - self.right) / (self.options - 1)
        given = np.where(np.eye(self.options, dtype=bool), self.right, wrong)
        found: Floats = share[:, None] / share.sum() * given
        return found


SETTINGS = [Setting(*one) for one in product(KINDS, (2, 3, 5), (True, False), (0.6, 0.95))]


@dataclass(frozen=True)
class Found:
    coverage: float
    length: float
    #: Coverage and length of the normal interval with a known standard error.
    normal: float
    normal_length: float

    @property
    def against(self) -> float | None:
        return self.length / self.normal_length if self.normal >= COVERS else None


def one_sample(setting: Setting, rng: Rng, seed: int) -> Estimate:
    """A sample's estimate; items of a cluster are the same cell with the chance of being alike."""
    items, size, alike, spread = KINDS[setting.kind]
    cells, joint = setting.options**2, setting.joint.reshape(-1)
    if size == 1 and not spread:
        counts = rng.multinomial(items, joint).reshape(setting.options, -1)
        found = chance_agreement(counts=counts, draws=DRAWS, seed=seed)
    else:
        clusters = items // size
        own = rng.choice(cells, (clusters, size), p=joint)
        common = rng.choice(cells, (clusters, 1), p=joint)
        drawn = np.where(rng.random(own.shape) < alike, common, own).reshape(-1)
        label, verdict = np.divmod(drawn, setting.options)
        found = chance_agreement(
            label,
            verdict,
            labels=list(range(setting.options)),
            clusters=np.arange(items) // size if size > 1 else None,
            sample_weight=rng.lognormal(0.0, spread, items) if spread else None,
            draws=DRAWS,
            seed=seed,
        )
    assert isinstance(found, Estimate)
    return found


def measured(setting: Setting, runs: int, seed: int = 0) -> Found:
    rng = np.random.default_rng([seed, len(str(setting)), setting.options, runs])
    truth = float(setting.joint.sum(0) @ setting.joint.sum(1))
    values, lengths, held = np.empty(runs), np.empty(runs), 0
    for run in range(runs):
        found = one_sample(setting, rng, run)
        assert found.interval is not None
        held += truth in found.interval
        values[run], lengths[run] = found.value, found.interval.length
    reach = 1.96 * float(values.std())
    normal = float((np.abs(values - truth) <= reach).mean())
    return Found(held / runs, float(lengths.mean()), normal, 2 * reach)


def lines(found: dict[Setting, Found]) -> Iterator[str]:
    yield "| Items | Options | Lowest | Mean | Normal: lowest | Length | x normal where it covers |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for kind, even in product(KINDS, (True, False)):
        told = [got for one, got in found.items() if one.kind == kind and one.even is even]
        if told:
            covered, factors = [one.coverage for one in told], [one.against for one in told]
            known = [factor for factor in factors if factor is not None]
            yield (
                f"| {kind} | {'even' if even else 'skewed'} | {min(covered):.3f} |"
                f" {np.mean(covered):.3f} | {min(one.normal for one in told):.3f} |"
                f" {np.mean([one.length for one in told]):.3f} |"
                f" {f'{min(known):.2f} to {max(known):.2f}' if known else 'never'} |"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--options", type=int, help="only settings of so many options")
    asked = parser.parse_args()
    found = dict[Setting, Found]()
    for setting in SETTINGS:
        if asked.options in (None, setting.options):
            found[setting] = measured(setting, asked.runs)
            told = found[setting]
            ours, normal = (told.coverage, told.length), (told.normal, told.normal_length)
            shown = " / ".join(
                f"{covered:.3f} ({length:.3f})" for covered, length in (ours, normal)
            )
            print(f"{setting}: {shown}", flush=True)
    print("\n".join(["", *lines(found)]))


if __name__ == "__main__":
    main()
