"""What an audit is asked for: counted options, thresholds, and definitions of performance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from goldassay.errors import TaskError, UsageError, nearest, shown
from goldassay.formulas.distributions import (
    Definition,
    decision_rule,
    downstream,
    table_1,
    win_rate_bias,
)
from goldassay.frozen import dataclass
from goldassay.questions.audit.sides import Sides
from goldassay.ratings.task import Task

__all__ = ["BETAS", "HEADLINE", "LOGARITHMS", "Settings", "compared", "definitions_of"]

BETAS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4)

#: The definitions that are compared with one another: whom each selects, how each orders judges.
HEADLINE = (
    ("hit_rate", "h/h"),
    ("cohen_kappa", "h/h"),
    ("krippendorff_alpha", "h/h"),
    ("kl_divergence", "s/s"),
    ("reverse_kl_divergence", "s/s"),
    ("jensen_shannon", "s/s"),
    ("mean_squared_error", "s/s"),
    ("coverage", "h/hrs"),
    ("mean_squared_error", "srs/srs"),
    ("decision_consistency", "s/s"),
    ("decision_consistency", "srs/srs"),
    ("estimation_bias", "s/s"),
    ("estimation_bias", "srs/srs"),
    ("win_rate_bias", "s/s"),
)

#: Undefined where a logarithm meets a probability of 0, unless ratings are smoothed.
LOGARITHMS = frozenset(
    (
        "kl_divergence",
        "reverse_kl_divergence",
        "cross_entropy",
        "reverse_cross_entropy",
        "binary_cross_entropy",
    )
)


@dataclass(frozen=True, slots=True)
class Settings:
    """What an audit is asked for; shares out of range are refused."""

    #: The options that decisions count; none takes the task's counted or positive ones.
    options: tuple[str, ...] = ()
    #: Shares of raters from which an item counts as having the option.
    thresholds: tuple[float, ...] = (0.5,)
    #: The share from which an option belongs to an item's response set.
    set_threshold: float = 0.5
    #: The share of even ratings mixed in so that logarithms of 0 do not occur; without it, KL
    #: divergence and cross-entropy are undefined where they would need one.
    smoothing: float | None = None
    #: How often a forced choice hides another reasonable option.
    betas: tuple[float, ...] = BETAS
    #: How often raters give another answer than the one they hold; None estimates or bounds it.
    rater_error: float | None = None
    #: Whether `options` were taken for want of any that somebody named.
    assumed: bool = False

    def __post_init__(self) -> None:
        if not self.thresholds or not all(0 < one <= 1 for one in self.thresholds):
            found = shown(self.thresholds)
            raise UsageError("--threshold", "lies above 0 and at most at 1", found=found)
        if not self.betas or not all(0 <= one <= 1 for one in self.betas):
            raise UsageError("--beta", "is a probability", found=shown(self.betas))
        if self.rater_error is not None and not 0 <= self.rater_error < 0.5:
            found = shown(self.rater_error)
            raise UsageError("--rater-error", "lies from 0 to below 0.5, as 0.05", found=found)
        if self.smoothing is not None and not 0 < self.smoothing < 1:
            found = shown(self.smoothing)
            raise UsageError("--smoothing", "lies between 0 and 1, as 0.01", found=found)

    def counted_of(self, task: Task) -> tuple[int, ...]:
        """The places, among the options, of those whose prevalence and decisions are audited."""
        names = self.options or task.counted or ((task.positive,) if task.positive else ())
        for name in names:
            if name not in task.options:
                near = nearest(name, task.options)
                raise TaskError(
                    "--option",
                    f"must be one of the options {', '.join(task.options)}",
                    found=shown(name),
                    next_step=f"Did you mean {near!r}?" if near else None,
                )
        if not names:
            return _assumed(task)
        if set(names) == set(task.options):
            raise TaskError("--option", "some option is not counted", found=shown(tuple(names)))
        return tuple(sorted({task.options.index(name) for name in names}))

    def assumes(self, task: Task) -> bool:
        """Whether nobody said which options are counted."""
        return self.assumed or not (self.options or task.counted or task.positive)


def _assumed(task: Task) -> tuple[int, ...]:
    """Of grades the upper half (3 and 4 of 1 to 4, 4 and 5 of 1 to 5); else the first option."""
    size = len(task.options)
    return tuple(range((size + 1) // 2, size)) if task.scale == "ordinal" else (0,)


def definitions_of(task: Task, settings: Settings) -> tuple[Definition, ...]:
    """Table 1 of Guerdan et al. (2025), and what filters and prevalence estimates come to."""
    counted = settings.counted_of(task)
    out = table_1(smoothing=settings.smoothing or 0.0)
    pairs = (("h", "h"), ("s", "s"), ("srs", "srs"))
    name = ", ".join(task.options[k] for k in counted)
    decide = decision_rule(task.reference_ties)
    out += downstream(counted, name, settings.thresholds, pairs, decide=decide)
    if task.scale == "pairwise":
        tie = task.options.index(task.tie) if task.tie else None
        metric = partial(win_rate_bias, option=counted[0], tie=tie)
        out += (Definition("win_rate_bias", "s", "s", "zero", metric),)
    return out


def compared(sides: Sides, definitions: Sequence[Definition]) -> tuple[int, ...]:
    """The places of the definitions that are compared with one another.

    Without any response set, srs is s again: compared once.
    """
    asked = sides.sets_asked or any(not one.startswith("assumed") for one in sides.judge_sets)
    return tuple(
        d
        for d, one in enumerate(definitions)
        if (one.name, one.aggregation) in HEADLINE and (asked or one.aggregation != "srs/srs")
    )
