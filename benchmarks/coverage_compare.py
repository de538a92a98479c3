"""How often `compare` is wrong where nothing differs, and how often it is right where it does.

Studies are drawn with known truths: prompts answered by 2 to 20 systems, a judge whose errors are
equal or not by system, people's labels on some of the prompts (the same for all systems, or each
its own), prompts alone or in clusters; yes or no, grades, numbers and battles. Type I error is the
share of studies in which two equal systems are told apart, familywise error that in which any
difference of all is outside its interval. Power is that of the true difference, beside labels alone
and the judge alone.

    python benchmarks/coverage_compare.py --out tables.md
    python benchmarks/coverage_compare.py --out tables.md --page docs/compare.md
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from compare_draws import (
    Setting,
    beside_others,
    clustered,
    drawn,
    many_systems,
    power,
    shared,
    two_systems,
)
from compare_scales import Scaled, any_scale, every_scale, every_scale_clustered, told, truths
from numpy.typing import NDArray

from goldassay.inference.contrasts import family_of, pairs_of
from goldassay.questions.compare.estimates import rate_kinds
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.label_use import LabelUse
from goldassay.questions.estimate.sample import Sample
from goldassay.questions.estimate.systems import corrected_rates
from goldassay.questions.estimate.together import Estimates

Array = NDArray[np.float64]
LEVEL = 0.95
DRAWS = 2_000
#: Studies of equal systems for which labels alone and the judge alone are counted too.
BESIDE = 300


def sample_of(truth: Array, called: Array, labelled: Array, cluster: Array) -> Sample:
    """The cells of a study, each cluster once."""
    prompts, systems = truth.shape
    clusters = int(cluster.max()) + 1
    row = np.where(labelled, truth, 2).astype(np.int64)
    place = ((cluster[:, None] * systems + np.arange(systems)) * 3 + row) * 2 + called
    cells = np.bincount(place.reshape(-1), minlength=clusters * systems * 6)
    return Sample(
        options=("no", "yes"),
        verdicts=("no", "yes"),
        groups=tuple(f"s{k:02}" for k in range(systems)),
        cells=cells.reshape(clusters, systems, 3, 2).astype(float),
        multiplicity=np.ones(clusters, np.int64),
        n_items=prompts * systems,
        independent=False,
        apart=False,
        test_labels=np.zeros(2),
        without_verdict={},
        labels_without_verdict=np.zeros(2),
    )


@dataclass(frozen=True)
class Outcome:
    """Of one study: is every difference inside, and which true differences are told."""

    outside: Array
    told: Array
    length: Array
    beside: Mapping[str, tuple[Array, Array]]


@dataclass(frozen=True)
class Study:
    """The estimates of one study, and what is true."""

    corrected: Estimates
    beside: Mapping[str, Estimates | None]
    truth: Array


def study(setting: Setting | Scaled, rng: np.random.Generator, *, beside_too: bool) -> Study:
    """One study of a setting; labels and judge alone where asked."""
    if isinstance(setting, Scaled):
        corrected, kinds = told(setting, rng, beside_too=beside_too)
        beside = {"labels": kinds.labels, "judge": kinds.judge} if beside_too and kinds else {}
        return Study(corrected, beside, np.array(truths(setting)))
    sample, design = sample_of(*drawn(setting, rng)), drawing("random", apart=False)
    use = LabelUse.of(sample.total, design, shared=setting.shared)
    beside = {}
    if beside_too:
        kinds = rate_kinds(sample, use)
        beside = {"labels": kinds.labels, "judge": kinds.judge}
    corrected = corrected_rates(sample, use)
    return Study(corrected, beside, np.array(setting.rates))


def outcome(one: Study, seed: int) -> Outcome:
    """All pairs of a study at once, as `compare` has them."""
    corrected = one.corrected
    first, second = np.triu_indices(len(one.truth), 1)
    truth = one.truth[second] - one.truth[first]
    pairs = pairs_of(second, first)

    def limits(which: Any) -> tuple[Array, Array]:
        together = which.recovered
        covariance = together.covariance(LEVEL)
        family = family_of(pairs, covariance, seed=seed, draws=DRAWS)
        return together.contrast_limits(pairs, family.level(LEVEL))

    low, high = limits(corrected)
    gap = pairs.of(np.nan_to_num(corrected.value))
    low, high = np.minimum(low, gap), np.maximum(high, gap)
    outside = (truth < low) | (truth > high)
    apart = np.sign(truth) * np.where(truth > 0, low, high) > 0
    beside = {}
    for name, which in one.beside.items():
        a, b = limits(which)
        beside[name] = ((truth < a) | (truth > b), np.sign(truth) * np.where(truth > 0, a, b) > 0)
    return Outcome(outside, apart, high - low, beside)


GRIDS = {
    "two": two_systems,
    "many": many_systems,
    "clusters": clustered,
    "shared": shared,
    "power": power,
    "scales": every_scale,
    "clustered scales": every_scale_clustered,
    "any": any_scale,
    "beside": beside_others,
}


@dataclass(frozen=True)
class Counted:
    """Of many studies: how often some difference was outside, and the first was told."""

    runs: int
    wrong: float
    told: float
    length: float
    beside: Mapping[str, tuple[float, float]]

    @property
    def too_many(self) -> bool:
        """More errors than 5 % and two Monte Carlo errors."""
        return self.wrong > 1 - LEVEL + 2 * math.sqrt(LEVEL * (1 - LEVEL) / self.runs)


def counted(setting: Setting | Scaled, runs: int, seed: int) -> Counted:
    rng = np.random.default_rng(seed)
    found, some = [], []
    for run in range(runs):
        equal = isinstance(setting, Scaled) or len(set(setting.rates)) == 1
        beside_too = run < BESIDE or not equal
        one = outcome(study(setting, rng, beside_too=beside_too), run)
        found.append(one)
        some += [one] if beside_too else []

    def share(flags: list[Any]) -> float:
        return float(np.mean(flags))

    return Counted(
        runs,
        share([one.outside.any() for one in found]),
        share([one.told[0] for one in found]),
        share([one.length.mean() for one in found]),
        {
            name: (
                share([one.beside[name][0].any() for one in some]),
                share([one.beside[name][1][0] for one in some]),
            )
            for name in ("labels", "judge")
        },
    )


#: Grid -> title of its table, columns of a setting, and of what was counted.
TABLES = {
    "two": (
        "Two equal systems: how often one is called better",
        "true rate | labels of each | prompts with labels | judge's errors",
        "compare | labels alone | judge alone | length",
    ),
    "many": (
        "Several equal systems: how often any difference is outside its interval",
        "systems | true rate | labels of each | prompts with labels | judge's errors",
        "compare | labels alone | judge alone | length",
    ),
    "clusters": (
        "Prompts in clusters, a judge with unequal errors, half of the prompts labelled",
        "systems | clusters | labels",
        "compare | labels alone | judge alone | length",
    ),
    "shared": (
        "Shared labels, a judge with equal errors",
        "systems | true rate | labels of each",
        "compare | labels alone | judge alone | length",
    ),
    "power": (
        "Power: true rates 0.65 and 0.75, 1,000 prompts, labels on the same ones",
        "labels of each | sensitivity, specificity",
        "told | told by labels alone | outside | length",
    ),
    "scales": (
        "Every scale: how often any of several equal systems is called better",
        "scale | systems | prompts | labels of each | prompts with labels",
        "compare | labels alone | judge alone | length",
    ),
    "clustered scales": (
        "Every scale, prompts in clusters, half of them labelled",
        "scale | systems | clusters | labels",
        "compare | labels alone | judge alone | length",
    ),
    "any": (
        "Settings drawn at random",
        "scale, labels | systems | prompts | labels of each | clusters of",
        "compare | labels alone | judge alone | length",
    ),
    "beside": (
        "What other tools are asked too",
        "study",
        "told | told by labels alone | outside | length",
    ),
}


def line(grid: str, name: str, one: Counted) -> str:
    """A row of a table."""
    (outside, told), judge = one.beside["labels"], one.beside["judge"][0]
    if grid in ("power", "beside"):
        return f"| {name} | {one.told:.3f} | {told:.3f} | {one.wrong:.3f} | {one.length:.3f} |"
    mark = " (too many)" if one.too_many else ""
    return f"| {name} | {one.wrong:.3f}{mark} | {outside:.3f} | {judge:.3f} | {one.length:.3f} |"


def measured(grids: list[str], runs: int, seed: int, rows: list[int]) -> str:
    """All tables, Markdown; rows are printed as they come, these (all, where none is named)."""
    text = []
    for grid in grids:
        title, setting, counts = TABLES[grid]
        columns = f"{setting} | {counts}".count("|") + 1
        text += ["", f"**{title}** ({runs:,} studies a row)", ""]
        text += [f"| {setting} | {counts} |", "| " + " | ".join(["---"] * columns) + " |"]
        for number, one in enumerate(GRIDS[grid]()):
            if rows and number not in rows:
                continue
            text.append(line(grid, one.name, counted(one, runs, seed)))
            print(text[-1], flush=True)
    return "\n".join(text[1:]) + "\n"


def written(page: str, tables: str) -> str:
    """A page with the tables between its two marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables}\n{END}{after}"


BEGIN, END = "<!-- measured by benchmarks/coverage_compare.py -->", "<!-- end of measured -->"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--only", nargs="*", default=list(GRIDS), choices=list(GRIDS))
    parser.add_argument("--rows", type=int, nargs="*", default=[], help="these rows of a grid")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="Write the tables to this file.")
    parser.add_argument("--page", help="Put the tables of --out into this page; nothing is run.")
    given = parser.parse_args()
    if given.page:
        tables, page = Path(given.out).read_text(), Path(given.page)
        page.write_text(written(page.read_text(), tables))
        return
    start = time.process_time()
    tables = measured(given.only, given.runs, given.seed, given.rows)
    print(f"{time.process_time() - start:.0f} s of CPU")
    if given.out:
        Path(given.out).write_text(tables)


if __name__ == "__main__":
    main()
