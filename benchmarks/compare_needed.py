"""Does the number of labels that `compare` asks for tell a difference as often as it promises?

    python benchmarks/compare_needed.py [--runs 1000]          a table of docs/compare.md
    python benchmarks/compare_needed.py --items [--runs 300]   of how many items, every scale

A pilot study with few labels is drawn, and asked how many labels of each system would tell the true
difference; then a study with that many labels is drawn, and it is counted whether it tells. The
plain number promises 80 % of studies over pilots and studies; the assured one 80 % or more in nine
of ten pilots. Items likewise: the same share of more of them is labelled.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import compare_scales
import numpy as np
from compare_draws import GOOD, Setting, drawn
from compare_scales import GRADES, Scaled, truths
from coverage_compare import LEVEL, sample_of

from goldassay.inference.contrasts import pairs_of
from goldassay.questions.compare.needed import Spread, labels_needed
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.label_use import LabelUse
from goldassay.questions.estimate.systems import corrected_rates
from goldassay.questions.estimate.together import Estimates

DESIGN = drawing("random", apart=False)
PAIR = pairs_of(np.array([1]), np.array([0]))
SHARP = (0.97, 0.95)
SETTINGS = (
    Setting("0.65, 0.75 | 2,000 | 40 | 0.9, 0.85", (0.65, 0.75), (GOOD,) * 2, 2000, 40),
    Setting("0.65, 0.75 | 2,000 | 100 | 0.9, 0.85", (0.65, 0.75), (GOOD,) * 2, 2000, 100),
    Setting("0.65, 0.75 | 2,000 | 40 | 0.97, 0.95", (0.65, 0.75), (SHARP,) * 2, 2000, 40),
    Setting("0.85, 0.92 | 3,000 | 100 | 0.9, 0.85", (0.85, 0.92), (GOOD,) * 2, 3000, 100),
)


def estimates(setting: Setting, rng: np.random.Generator) -> Estimates:
    sample = sample_of(*drawn(setting, rng))
    return corrected_rates(sample, LabelUse.of(sample.total, DESIGN, shared=False))


def asked(setting: Setting, found: Estimates) -> tuple[int | None, int | None]:
    """Labels of each system that would tell the true difference, plain and assured."""
    gap = setting.rates[1] - setting.rates[0]
    variance = float(PAIR.variance(found.recovered.covariance(LEVEL))[0])
    known = Spread(variance, float(setting.prompts), float(setting.labels), 1.96)
    needed = labels_needed(found, (1, 0), gap, known, None)
    return (None, None) if needed is None else (needed.labels, needed.labels_assured)


def told(setting: Setting, labels: int, rng: np.random.Generator) -> bool:
    again = estimates(replace(setting, labels=min(labels, setting.prompts)), rng)
    return bool(again.recovered.contrast_limits(PAIR, LEVEL)[0][0] > 0)


def _scaled() -> tuple[Scaled, ...]:
    """Two systems of which one is better, so many prompts and labels, on every scale."""
    rows = (
        ("yes or no", "binary", (-0.4,), 0.25, 1),
        ("5 grades", "ordinal", GRADES, 0.25, 1),
        ("numbers", "continuous", (0.0,), 0.25, 1),
        ("battles, ties", "pairwise", (0.3,), 0.25, 1),
        ("yes or no", "binary", (-0.4,), 0.3, 5),
        ("5 grades", "ordinal", GRADES, 0.3, 5),
        ("numbers", "continuous", (0.0,), 0.3, 5),
    )
    found = []
    for words, scale, cuts, step, size in rows:
        for prompts, labels in ((40, 40), (60, 20), (150, 75)):
            name = f"{words} | {prompts} | {labels} | {size}"
            more = {"cuts": cuts, "step": step, "size": size, "within": 0.2 * (size > 1)}
            found.append(Scaled(name, scale, 2, prompts, labels, **more))  # type: ignore[arg-type]
    return tuple(found)


def items_asked(setting: Scaled, rng: np.random.Generator) -> tuple[int | None, int | None]:
    """Items that would tell the true difference, plain and assured."""
    _, kinds, _ = compare_scales.told(setting, rng, beside_too=True)
    assert kinds is not None
    found, gap = kinds.corrected, truths(setting)[1] - truths(setting)[0]
    variance = float(PAIR.variance(found.recovered.covariance(LEVEL))[0])
    sizes = float(kinds.items.min()), float(kinds.labelled.mean())
    needed = labels_needed(found, (1, 0), gap, Spread(variance, *sizes, 1.96), None)
    return (None, None) if needed is None else (needed.items, needed.items_assured)


def tells(setting: Scaled, items: int, rng: np.random.Generator) -> bool:
    labels = round(items * setting.labels / setting.prompts)
    again = replace(setting, prompts=items, labels=max(labels, 2))
    found, _, _ = compare_scales.told(again, rng, beside_too=False)
    return bool(found.recovered.contrast_limits(PAIR, LEVEL)[0][0] > 0)


def items_table(runs: int, rows: list[int]) -> None:
    heads = "scale | prompts of the pilot | labels | prompts of a cluster | items asked | told"
    print(f"| {heads} | assured | told |\n|" + " --- |" * 8)
    for number, setting in enumerate(_scaled()):
        if rows and number not in rows:
            continue
        rng = np.random.default_rng(2)
        pilots = [items_asked(setting, rng) for _ in range(runs)]
        cells = []
        for numbers in zip(*pilots, strict=True):
            kept = [one for one in numbers if one is not None]
            share = np.mean([tells(setting, one, rng) for one in kept])
            cells.append(f"{np.median(kept):.0f} | {share:.3f}")
        print(f"| {setting.name} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--items", action="store_true", help="How many items, on every scale.")
    parser.add_argument("--rows", type=int, nargs="*", default=[], help="these rows of --items")
    given = parser.parse_args()
    if given.items:
        items_table(given.runs, given.rows)
        return
    heads = "true rates | prompts | labels of the pilot | sensitivity, specificity | labels asked"
    print(f"| {heads} | told | assured | told |\n|" + " --- |" * 8)
    for setting in SETTINGS:
        rng = np.random.default_rng(1)
        numbers: tuple[list[int], list[int]] = ([], [])
        hits: tuple[list[bool], list[bool]] = ([], [])
        none = 0
        for _ in range(given.runs):
            answer = asked(setting, estimates(setting, rng))
            none += answer[1] is None
            for one, number, hit in zip(answer, numbers, hits, strict=True):
                if one is not None:
                    number.append(one)
                    hit.append(told(setting, one, rng))
        cells = [
            f"{np.median(n):.0f} | {np.mean(h):.3f}" for n, h in zip(numbers, hits, strict=True)
        ]
        print(f"| {setting.name} | {' | '.join(cells)} | <!-- none {none} -->", flush=True)


if __name__ == "__main__":
    main()
