"""What the parts of the answer share: the study, the choices made, and what was computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.questions.rank.aggregation import AGGREGATIONS, Aggregation
from goldassay.questions.rank.gold import Gold
from goldassay.questions.rank.judged import Judged, Ranker
from goldassay.questions.rank.study import Study
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Gathered, Interval

__all__ = ["Context", "Options"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What to compute. `judges` describes judges: name -> {model, realization, family, system}."""

    aggregations: tuple[Aggregation, ...] = AGGREGATIONS
    resamples: int = 2000
    seed: int = 1
    top: int = 3
    min_battles: int = 10
    #: Judges whose systems are shown in full; the best one without any.
    detailed: tuple[str, ...] = ()
    judges: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    stability: bool = True


@dataclass(frozen=True, slots=True)
class Context:
    """A study with its judges ranked; `out` gathers the findings."""

    study: Study
    task: Task
    options: Options
    gold: Gold | None
    ranker: Ranker
    judged: Sequence[Judged]
    rng: np.random.Generator
    out: Gathered = field(default_factory=Gathered)

    @property
    def primary(self) -> Aggregation:
        """The aggregation by which judges are ordered: the first that was asked for."""
        return next(iter(self.judged[0].aggregated))

    @property
    def unit(self) -> str:
        """What a resample draws, in words."""
        own = self.study.n_clusters == self.study.n_prompts
        return "prompts" if own else "clusters of prompts"

    def tau(self, one: Judged) -> float:
        """A judge's tau by the primary aggregation, below any tau where it is undefined."""
        value = one.value("kendall_tau", self.primary)
        return -2.0 if value is None else value

    def estimate(
        self,
        name: str,
        value: float,
        ends: tuple[float, float] | None = None,
        method: str = "",
        *,
        declared: Mapping[str, Any] | None = None,
        assumptions: tuple[str, ...] = (),
        n_items: int | None = None,
    ) -> Estimate:
        """An estimate over the study's prompts, its interval holding at least the value."""
        interval = None
        if ends is not None and not np.isnan(ends[0]) and not np.isnan(ends[1]):
            interval = Interval(
                min(float(ends[0]), value),
                max(float(ends[1]), value),
                self.task.confidence_level,
                f"prompt bootstrap ({method}, {self.options.resamples})",
            )
        return Estimate(
            name,
            value,
            interval,
            self.study.n_prompts if n_items is None else n_items,
            self.study.n_clusters,
            dict(declared or {}),
            assumptions,
        )
