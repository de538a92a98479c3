"""Does the judge agree with people, and how sure are we?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from goldassay.counts import (
    Units,
    count_paired_scores,
    count_statuses,
    count_units,
    pairing_exclusions,
)
from goldassay.errors import RatingsError
from goldassay.findings import Findings
from goldassay.questions.agree.checklist import methods
from goldassay.questions.agree.continuous import study_scores
from goldassay.questions.agree.judges import Draw
from goldassay.questions.agree.study import Extras, Study, study
from goldassay.questions.agree.texts import Texts
from goldassay.questions.asking import RESAMPLES, SEED, TaskSource, made, ratings_of
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Census, Ratings
from goldassay.results import Exclusion, Sentence
from goldassay.sources.frames import open_source

__all__ = ["agree"]

#: Beyond so many people a matrix of pairs tells nothing.
MAX_PEOPLE = 40


def agree(
    source: Any,
    task: TaskSource = None,
    *,
    by: Sequence[str] = (),
    items: int = 0,
    texts: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Findings:
    """Agreement of every judge with people: accuracy, kappa, phi, alpha and more, with intervals.

    Parameters
    ----------
    source
        A path, several paths, a frame of any library, or `Ratings`.
    task
        What the ratings mean: a path, a `Task` or a mapping of its keys.
    by
        Columns; every number also within each label of them.
    items
        How many items on which judge and people differ are listed, worst first.
    texts
        An items table (`item`, and the texts): shown beside the items, and their lengths tested
        for bias.
    resamples, seed
        Draws behind the intervals, and their seed.

    Returns
    -------
    Findings
        A row for each metric, judge and level (micro, macro, item).

    Notes
    -----
    Assumes that clusters (the declared unit) are drawn independently. Intervals are posterior
    intervals hedged at both ends (`docs/intervals.md`). After Rao and Callison-Burch (2026), whose
    eleven-point checklist closes the findings.
    """
    ratings = ratings_of(source, task)
    if not ratings.judges:
        raise RatingsError(
            ratings.name,
            "has no rating of kind judge",
            next_step='Agreement needs a judge: mark its rows with kind = "judge"',
        )
    draw = Draw(resamples, seed, ratings.task.confidence_level)
    if ratings.task.scale == "continuous":
        found, exclusions = _scores(ratings, draw, by)
    else:
        found, exclusions = _options(ratings, draw, by, items, texts)
    gathered = found.findings
    gathered.notes.append(_methods(found, draw))
    return Findings.of("agree", gathered, **made(ratings, exclusions, seed=seed))


def _methods(found: Study, draw: Draw) -> Sentence:
    """The paragraph for a methods section."""
    from goldassay import __version__

    text = methods(
        found.facts, found.findings.rows, seed=draw.seed, draws=draw.draws, version=__version__
    )
    return Sentence("agree.methods", text)


def _scores(ratings: Ratings, draw: Draw, by: Sequence[str]) -> tuple[Study, tuple[Exclusion, ...]]:
    pairs = count_paired_scores(ratings, by=by)
    found = study_scores(pairs, ratings.task, draw=draw, by=by, statuses=count_statuses(ratings))
    return found, (*pairs.exclusions, *pairs.unpaired)


def _options(
    ratings: Ratings, draw: Draw, by: Sequence[str], items: int, texts: str | None
) -> tuple[Study, tuple[Exclusion, ...]]:
    several = "criterion" in ratings.columns
    named = bool(items or texts or (several and ratings.cluster != "item"))
    more = ["item"] if named else []
    more += ["opponent"] if several and "opponent" in ratings.columns else []
    units = count_units(ratings, by=list(dict.fromkeys([*by, *more])))
    scored = "score" in ratings.columns and ratings.task.scale == "binary"
    extras = Extras(
        people=_people(ratings),
        pairs=count_paired_scores(ratings) if scored else None,
        texts=_texts(texts, ratings) if texts else None,
    )
    found = study(units, draw=draw, by=by, items=items, extras=extras)
    return found, (*units.exclusions, *pairing_exclusions(units))


def _people(ratings: Ratings) -> Units | None:
    """People as raters, to compare them with one another."""
    if not 1 < len(ratings.humans) <= MAX_PEOPLE:
        return None
    human = ratings.frame.filter(nw.col("kind") == nw.lit("human"))
    counts = {("judge", r, s): n for (k, r, s), n in ratings.census.counts.items() if k == "human"}
    census = Census(sum(counts.values()), counts)
    recast = human.with_columns(kind=nw.lit("judge"))
    return count_units(replace(ratings, frame=recast, census=census))


def _texts(path: str, ratings: Ratings) -> Texts:
    """Each item's (and system's) text, and its length (of both sides, for a pairwise task)."""
    source = open_source(path)
    if "item" not in source.columns:
        raise RatingsError(
            source.name,
            f"has no column 'item'; its columns are {', '.join(source.columns)}",
            next_step="An items table names each item once, beside its texts",
        )
    named = [name for name in ("item", "system") if name in source.columns]
    others = [name for name in source.columns if name not in named]
    sides = [option for option in ratings.task.options if option != ratings.task.tie]
    pairwise = ratings.task.scale == "pairwise"
    if pairwise and not set(sides) <= set(others):  # as `import` and `run` name them
        sides = ["output", "output_b"]
    pairwise = pairwise and set(sides) <= set(others)
    one = next(([name] for name in ("text", "output") if name in others), others)
    measured = sides if pairwise else one
    found = fetch(source.frame.select(*named, *others), place=source.name)
    cells = {name: ["" if cell is None else str(cell) for cell in found[name]] for name in found}
    texts: dict[tuple[str, str], str] = {}
    lengths: dict[tuple[str, str], NDArray[np.float64]] = {}
    several = set()
    systems = cells.get("system", [""] * len(cells["item"]))
    for row, key in enumerate(zip(cells["item"], systems, strict=True)):
        text = " | ".join(cells[name][row] for name in measured)
        if key in texts:  # several outputs under one name: all are shown, and none is measured
            several.add(key)
            text = f"{texts[key]} | {text}"
        texts[key] = text
        size = [len(cells[name][row]) for name in measured]
        lengths[key] = np.array(size if pairwise else [sum(size)], dtype=float)
    for key in several:
        del lengths[key]
    return Texts(texts, lengths)
