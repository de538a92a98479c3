"""Several judges, or several people: how far they agree, err together, and what a jury is worth.

On binary data Fleiss' kappa, Krippendorff's alpha and the mean pairwise phi are one number but for
a term of order 1/(NR) (Observation 2), so one is primary: alpha, with the scale's difference.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units
from goldassay.formulas.agreement import agreement_weights, cohen_kappa, phi
from goldassay.formulas.reliability import Difference, error_tables, krippendorff_alpha
from goldassay.frozen import dataclass
from goldassay.inference.draw import Draw
from goldassay.metrics.rater_inputs import Rated
from goldassay.metrics.rater_pairs import EFFECTIVE_JUDGES, MEAN_PAIRWISE_KAPPA
from goldassay.metrics.rater_sums import NO_PAIR, RaterMetric, drawn_sums
from goldassay.metrics.registry import RATER_METRICS
from goldassay.questions.agree.modes import Mode
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Result, Undefined

__all__ = [
    "Handling",
    "difference_of",
    "effective_judges",
    "error_correlation",
    "handling_of",
    "inter_rater",
    "mean_pairwise_kappa",
    "one_verdict",
    "pairwise",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def difference_of(scale: str) -> Difference:
    """The difference function of alpha that fits a scale."""
    return "ordinal" if scale == "ordinal" else "nominal"


def one_verdict(verdict: Ints, size: int) -> Ints:
    """The commonest option of a judge's repeats [P, S]; -1 when none, or when two are commonest."""
    votes = np.stack([(verdict == k).sum(1) for k in range(size)], 1)
    best = votes.max(1)
    tied = (votes == best[:, None]).sum(1) > 1
    return np.where((best > 0) & ~tied, votes.argmax(1), -1)


# --- agreement among raters -------------------------------------------------------------------


@dataclass(frozen=True)
class Handling:
    """How ratings of one kind are compared: the classes, and how near two of them are.

    Abstentions are left out, recoded or a class of their own as the task declares; invalid outputs
    and failed calls are left out among raters.
    """

    mode: Mode
    options: tuple[str, ...]
    #: Declared agreement weights of the classes; None where all disagreements count alike.
    weights: Floats | None
    weights_name: str

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes: the options, and abstention where it is one."""
        return (*self.options, *(("abstained",) if self.mode.abstentions == "class" else ()))

    @property
    def classes(self) -> int:
        return len(self.labels)

    @property
    def declared(self) -> dict[str, object]:
        said: dict[str, object] = {"abstentions": self.mode.abstentions, "invalids": "exclude"}
        if self.mode.abstentions == "recode":
            said["recode_to"] = self.mode.recode_to
        return said

    def codes(self, verdict: Ints) -> Ints:
        """Codes of ratings with what is recoded, and -1 for what does not count."""
        codes, size = verdict.copy(), len(self.options)
        if self.mode.abstentions == "recode" and self.mode.recode_to is not None:
            codes[codes == size] = self.options.index(self.mode.recode_to)
        return np.where(codes < self.classes, codes, -1)

    def votes(self, human: Ints) -> Ints:
        """People's ratings by class [P, classes] from those by option and state."""
        size = len(self.options)
        votes = human[:, : self.classes].copy()
        if self.mode.abstentions == "recode" and self.mode.recode_to is not None:
            votes[:, self.options.index(self.mode.recode_to)] += human[:, size]
        return votes


def handling_of(task: Task, mode: Mode) -> Handling:
    """How raters are compared under a task."""
    size = len(task.options)
    classes = size + (mode.abstentions == "class")
    if task.weights == "unweighted":
        return Handling(mode, task.options, None, "unweighted")
    weights = np.eye(classes)
    if isinstance(task.weights, str):
        weights[:size, :size] = agreement_weights(task.weights, size)
        return Handling(mode, task.options, weights, task.weights)
    given = np.asarray(task.weights, dtype=float)
    keep = min(len(given), classes)
    weights[:keep, :keep] = given[:keep, :keep]
    return Handling(mode, task.options, weights, "the declared matrix")


def inter_rater(
    counts: Ints,
    units: Units,
    draw: Draw,
    *,
    prefix: str,
    rater_codes: Ints | None = None,
    handling: Handling | None = None,
) -> tuple[Result, ...]:
    """Coefficients among raters from ratings by class [P, K], the primary one first.

    That is Krippendorff's alpha: with the declared weights where there are any, and always with
    the difference of the scale (of unlike classes, where abstention is one of them).
    """
    cluster = None if units.single else units.cluster
    rated = Rated(counts, units.n, cluster, rater_codes, units.task.cluster, alike=units.alike)
    if not rated.n_items:
        return (Undefined(f"{prefix}krippendorff_alpha", NO_PAIR, 0),)
    difference = difference_of(units.task.scale)
    if handling is not None and handling.classes > len(handling.options):
        difference = "nominal"  # abstention has no place in the order of the options
    weights = None if handling is None else handling.weights
    sums = {
        # What needs to know who gave which rating reads no coincidences.
        known: drawn_sums(
            rated, "nominal" if known else difference, draw, by_rater=known, weights=weights
        )
        for known in (False, True)
        if rater_codes is not None or not known
    }
    results = (
        metric.estimate(sums[metric.by_rater], draw)
        for metric in RATER_METRICS.values()
        if rater_codes is not None or not metric.by_rater
    )
    found = list(results)
    if handling is not None and handling.weights is not None:
        found.insert(0, _weighted_alpha(handling).estimate(sums[False], draw))
    declared = {} if handling is None else handling.declared
    return tuple(
        replace(result, name=prefix + result.name, declared={**result.declared, **declared})
        if isinstance(result, Estimate)
        else replace(result, name=prefix + result.name)
        for result in found
    )


def _weighted_alpha(handling: Handling) -> RaterMetric:
    """Krippendorff's alpha in which two classes differ by 1 less their declared weight."""
    return RaterMetric(
        "weighted_alpha",
        lambda x, at: krippendorff_alpha(at.coincidences(x), weights=handling.weights),
        declares=lambda at: {"weights": handling.weights_name},
    )


def pairwise(codes: Ints, n: Ints, size: int, weights: Floats | None = None) -> Floats:
    """Cohen's kappa, weighted if need be, of every two raters [R, R], from codes [P, R]."""
    raters = codes.shape[1]
    kappa = np.full((raters, raters), np.nan)
    rated = (codes >= 0) & (codes < size)
    for i in range(raters - 1):
        # One rater with all after it: tables [R - i - 1, size, size].
        unit, other = np.nonzero(rated[:, i + 1 :] & rated[:, [i]])
        place = (other * size + codes[unit, i]) * size + codes[unit, i + 1 + other]
        others = raters - i - 1
        tables = np.bincount(place, n[unit], others * size**2).reshape(others, size, size)
        kappa[i, i + 1 :] = kappa[i + 1 :, i] = cohen_kappa(tables, weights)
    return kappa


# --- errors -----------------------------------------------------------------------------------


def error_correlation(codes: Ints, reference: Floats, n: Ints) -> Floats:
    """Correlation (phi) of two judges' errors, from codes [P, J] and references [P, K]."""
    out = phi(error_tables(codes, reference, n))
    np.fill_diagonal(out, np.nan)
    return out


def effective_judges(units: Units, codes: Ints, reference: Floats, draw: Draw) -> Result:
    """The effective number of independent judges, with the clusters' weights drawn."""
    return EFFECTIVE_JUDGES.estimate(replace(_rated(units, codes), reference=reference), draw)


def mean_pairwise_kappa(
    name: str, units: Units, codes: Ints, draw: Draw, *, classes: int | None = None
) -> Result:
    """Cohen's kappa, averaged over all pairs of raters, from codes [P, R]."""
    rated = _rated(units, codes, classes)
    return replace(MEAN_PAIRWISE_KAPPA.estimate(rated, draw), name=name)


def _rated(units: Units, codes: Ints, classes: int | None = None) -> Rated:
    size = len(units.options) if classes is None else classes
    votes = np.stack([(codes == k).sum(1) for k in range(size)], 1)
    cluster = None if units.single else units.cluster
    return Rated(votes, units.n, cluster, codes, units.task.cluster, alike=units.alike)
