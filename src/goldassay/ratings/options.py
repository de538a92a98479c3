"""Options, for questions that count them: scores have none until a cut makes two of them."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from goldassay.errors import TaskError
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings

__all__ = ["require_options", "suggested_cut"]


def require_options(ratings: Ratings, rule: str) -> None:
    """Refuse a scale without options, with the cut that would make two of its scores."""
    if not ratings.task.options:
        raise TaskError(
            f'scale = "{ratings.task.scale}"',
            rule,
            next_step="Say from which score on a rating is counted, as by --task "
            f"'{suggested_cut(ratings)}'; goldassay agree, estimate, rank and compare take "
            "scores as they are",
        )


def suggested_cut(ratings: Ratings) -> str:
    """A cut near the middle of the scores that there are, people's where they gave some.

    Which score is good enough is the user's to say: this shows how, on the file's own scale. It is
    found once, however many questions of a report need it to say why they have no answer.
    """
    if "suggested cut" not in ratings.found:
        middle = _middle(ratings.frame.filter(nw.col("kind") == nw.lit("human")), ratings.name)
        if middle is None:
            middle = _middle(ratings.frame, ratings.name)
        cut = f'cut = ">= {0 if middle is None else float(f"{middle:.2g}"):g}"'
        ratings.found["suggested cut"] = cut
    return str(ratings.found["suggested cut"])


def _middle(frame: nw.LazyFrame[Any], place: str) -> float | None:
    (found,) = fetch(frame.select(at=nw.col("number").median()), place=place)["at"].tolist()
    return None if found is None else float(found)
