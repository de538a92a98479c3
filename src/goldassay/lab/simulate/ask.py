"""Ratings with known truth."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from goldassay.lab.simulate.draw import Drawn, draw_study
from goldassay.lab.simulate.response_sets import RatingModel, simulate_response_sets
from goldassay.lab.simulate.study import Study, read_study
from goldassay.questions.asking import SEED

__all__ = ["simulate"]


def simulate(
    study: Study | str | os.PathLike[str] | Mapping[str, Any] | None = None,
    *,
    prompts: int = 200,
    response_sets: bool = False,
    options: str | Sequence[str] = "Yes,No",
    seed: int = SEED,
) -> Drawn:
    """Draw ratings by people and judges whose true quality is declared.

    Parameters
    ----------
    study
        The declared truths: a `Study`, a TOML file, or a mapping of its keys; else one judge, five
        people and three systems.
    prompts
        The number of prompts, where no study declares it.
    response_sets
        Draw from the rating model with response sets (Guerdan and others 2025, section 3) instead.
    options
        The options of that model, in a list or separated by commas.
    seed
        The same study and seed give the same ratings.

    Returns
    -------
    Drawn
        `drawn.ratings()` goes to any question, `drawn.truth` is what it should find, and
        `drawn.save(folder)` writes both.

    Examples
    --------
    >>> import goldassay
    >>> drawn = goldassay.simulate(prompts=50)
    >>> found = goldassay.agree(drawn.ratings(), resamples=200)
    >>> drawn.truth["best_judge"] in {row.about["judge"] for row in found.rows_where(name="phi")}
    True
    """
    if response_sets:
        names = options.split(",") if isinstance(options, str) else options
        model = RatingModel(options=tuple(name.strip() for name in names), items=prompts)
        return simulate_response_sets(model, seed=seed)
    if study is None:
        study = replace(Study(), prompts=prompts)
    elif isinstance(study, Mapping):
        study = Study.from_mapping(study, place="study")
    elif not isinstance(study, Study):
        study = read_study(os.fspath(study))
    return draw_study(study, seed=seed)
