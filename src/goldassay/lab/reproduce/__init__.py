"""The tables and figures of the papers behind goldassay, made again with goldassay.

Each paper is one module with `reproduce(*, quick, seed, data) -> Gathered`, imported only when
asked for. `quick` shrinks the simulations; `data` is a folder of published ratings, for papers with
findings on real ratings too (without it, those parts are left out and the findings say so).
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from goldassay.errors import UsageError, nearest
from goldassay.results import Gathered

__all__ = ["PAPERS", "Paper", "reproduce"]


class Paper(NamedTuple):
    """A paper: its module in this package and its title."""

    module: str
    title: str


PAPERS: Mapping[str, Paper] = {
    "agreement-metrics": Paper(
        "agreement_metrics", "Agreement Metrics for LLM-as-Judge Evaluation: What to Report and Why"
    ),
    "balanced-accuracy": Paper(
        "balanced_accuracy", "Balanced Accuracy: The Right Metric for Evaluating LLM Judges"
    ),
    "correct-reporting": Paper(
        "correct_reporting", "How to Correctly Report LLM-as-a-Judge Evaluations"
    ),
    "no-gold-labels": Paper(
        "no_gold_labels", "Validating LLM-as-a-Judge Systems in the Absence of Gold Labels"
    ),
    "justrank": Paper("justrank", "JuStRank: Benchmarking LLM Judges for System Ranking"),
}


class _Module(Protocol):
    def reproduce(self, *, quick: bool, seed: int, data: Path | None) -> Gathered: ...


def reproduce(
    paper: str, *, quick: bool = False, seed: int = 0, data: Path | None = None
) -> Gathered:
    """What goldassay gets for the tables and figures of `paper`, beside what the paper printed."""
    if paper not in PAPERS:
        near = nearest(paper, PAPERS)
        raise UsageError(
            f"the paper {paper!r}",
            f"must be one of {', '.join(PAPERS)}",
            next_step=f"Did you mean {near!r}?" if near else None,
        )
    module = cast(_Module, import_module(f"goldassay.lab.reproduce.{PAPERS[paper].module}"))
    return module.reproduce(quick=quick, seed=seed, data=data)
