"""Corrected rates on real human labels: EVOUNA's questions, five systems, a lexical judge.

The judge is lexical match: an answer is called correct when it holds a golden answer. People
labelled every answer, so that a study (some items judged, few of them labelled) can be drawn a
thousand times from the real table and its intervals held against the real rate.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from goldassay.errors import SourceError
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.estimators import estimates, headline
from goldassay.results import Gathered, Table

__all__ = ["SYSTEMS", "add_evouna", "draw_study", "lexical_tables"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
ITEMS, LABELS = 1_000, 200
DESIGNS = ("random", "by_verdict", "by_label", "separate")


def lexical_tables(data: Path) -> dict[str, Ints]:
    """Label x verdict counts of each system over the proper questions of EVOUNA's NQ part."""
    path = data / "evouna_qaeval" / "EVOUNA" / "NQ.json"
    try:
        questions = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SourceError(str(path), f"cannot be read ({error})") from None
    tables = {system: np.zeros((2, 2), np.int64) for system in SYSTEMS}
    for question in questions:
        if question["improper"] or question["golden_answer"] is None:
            continue
        golden = [text.strip().lower() for text in question["golden_answer"].split("/")]
        for system, table in tables.items():
            label = question[f"judge_{system}"]
            if label is not None:
                answer = (question[f"answer_{system}"] or "").lower()
                table[int(label), int(any(text in answer for text in golden if text))] += 1
    return tables


def draw_study(
    population: Ints,
    design: str,
    draws: int,
    rng: np.random.Generator,
    labelled: Ints | None = None,
) -> tuple[Array, Array]:
    """Studies of 1,000 judged items of a population and 200 labels under a design.

    Returns unlabelled verdicts [draws, 2] and labelled items [draws, 2, 2]. `labelled` is the
    population that the labels of `by_label` and `separate` come from, the same when None.
    """
    source = population if labelled is None else labelled
    shares = population / population.sum()
    if design in ("random", "by_verdict"):
        pool = rng.multinomial(ITEMS, shares.reshape(-1), draws).reshape(draws, 2, 2)
        called = pool.sum(-2)
        if design == "random":
            first = rng.hypergeometric(called[:, 1], called[:, 0], LABELS)
        else:
            first = np.clip(LABELS // 2, LABELS - called[:, 0], called[:, 1])
        numbers = np.stack([LABELS - first, first], -1)
        hits = rng.hypergeometric(pool[:, 1], pool[:, 0], numbers)
        return (called - numbers).astype(float), np.stack([numbers - hits, hits], -2).astype(float)
    test = rng.multinomial(ITEMS, shares.sum(0), draws)
    if design == "by_label":
        ones = np.full(draws, LABELS // 2)
    else:
        ones = rng.binomial(LABELS, source[1].sum() / source.sum(), draws)
    zeros = LABELS - ones
    right0 = rng.binomial(zeros, source[0, 0] / source[0].sum())
    right1 = rng.binomial(ones, source[1, 1] / source[1].sum())
    calibration = np.stack([right0, zeros - right0, ones - right1, right1], -1)
    return test.astype(float), calibration.reshape(draws, 2, 2).astype(float)


def add_evouna(findings: Gathered, data: Path, *, draws: int, seed: int) -> None:
    """Headline coverage and bias on every system and design, and labels from another system."""
    tables = lexical_tables(data)
    rng = np.random.default_rng(seed)
    rows, least, most = [], 1.0, 0.0
    for system, table in tables.items():
        truth = float(table[1].sum() / table.sum())
        naive = float(table[:, 1].sum() / table.sum()) - truth
        for design in DESIGNS:
            name = headline(drawing(design, apart=True)).name
            value, low, high = estimates(name, *draw_study(table, design, draws, rng))
            held = float(((low <= truth) & (truth <= high)).mean())
            least, most = min(least, held), max(most, held)
            bias = float(np.clip(value, 0, 1).mean()) - truth
            rows.append(
                (system, truth, design, name, naive, bias, held, float((high - low).mean()))
            )
    off = [abs(row[4]) for row in rows]
    findings.tables["evouna"] = Table(
        f"EVOUNA, judged by lexical match: {draws:,} studies of {ITEMS:,} items, {LABELS} labels",
        (
            "system",
            "true rate",
            "design",
            "headline",
            "naive bias",
            "bias of the estimate",
            "coverage",
            "length",
        ),
        tuple(rows),
    )
    findings.answer.append(
        f"On EVOUNA's human labels goldassay's first interval holds the true rate in "
        f"{100 * least:.1f} to {100 * most:.1f} % of the studies, over {len(tables)} systems and "
        f"{len(DESIGNS)} ways to draw labels; the lexical judge's own rate is off by "
        f"{100 * min(off):.0f} to {100 * max(off):.0f} points."
    )
    _shifted(findings, tables, draws, rng)


def _shifted(
    findings: Gathered, tables: dict[str, Ints], draws: int, rng: np.random.Generator
) -> None:
    """Labels of one system, test items of another: what carries over?"""
    rows = []
    for source, lent in tables.items():
        for target, table in tables.items():
            if source == target:
                continue
            truth = float(table[1].sum() / table.sum())
            study = draw_study(table, "separate", draws, rng, lent)
            cells: list[float] = []
            for name in ("rogan_gladen", "difference", "conditional_calibration"):
                value, low, high = estimates(name, *study)
                held = (low <= truth) & (truth <= high)
                cells += [float(np.clip(value, 0, 1).mean()) - truth, float(held.mean())]
            rows.append((source, target, truth, *cells))
    findings.tables["evouna_shift"] = Table(
        "EVOUNA, labels of one system and test items of another (real shift)",
        (
            "labels of",
            "test of",
            "true rate",
            "Rogan-Gladen bias",
            "Rogan-Gladen coverage",
            "PPI bias",
            "PPI coverage",
            "conditional bias",
            "conditional coverage",
        ),
        tuple(rows),
        (
            "Rogan-Gladen needs equal error rates. Lexical match misses .16 of FiD's correct "
            "answers and .25 of ChatGPT's, so that no estimator carries over everywhere.",
        ),
    )
    table = np.array([row[3:] for row in rows])
    findings.answer.append(
        "With labels of another system the rate is off by "
        f"{np.abs(table[:, 0]).mean():.3f} for Rogan-Gladen, {np.abs(table[:, 2]).mean():.3f} for "
        f"PPI and {np.abs(table[:, 4]).mean():.3f} for conditional calibration, on average: the "
        "judge errs differently on different systems. Label outputs of the system itself."
    )
