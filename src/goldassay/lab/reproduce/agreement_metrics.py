"""Rao and Callison-Burch (2026), "Agreement Metrics for LLM-as-Judge Evaluation".

Every worked example beside the number that the paper prints, and every observation and identity on
tables drawn at random: by how much it is off at the most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas import agreement as f
from goldassay.formulas.agreement import agreement_weights
from goldassay.formulas.correlation import kendall_tau_b, pearson, spearman
from goldassay.formulas.reliability import (
    coincidences,
    fleiss_kappa,
    krippendorff_alpha,
    pair_sums,
    tally,
)
from goldassay.frozen import dataclass
from goldassay.results import Gathered, Table

__all__ = ["Claim", "Example", "claims", "examples", "reproduce"]

Array = NDArray[np.float64]

#: What differs by less is the same number.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Example:
    """A number that the paper prints, and goldassay's; None is undefined."""

    where: str
    what: str
    #: As printed: with the digits that it has.
    printed: str
    ours: float | None
    #: Why they differ, where they do.
    note: str = ""

    @property
    def same(self) -> bool:
        """Whether ours, with as many digits, is what is printed."""
        if self.ours is None or self.printed == "undefined":
            return self.ours is None and self.printed == "undefined"
        digits = len(self.printed.partition(".")[2])
        return abs(self.ours - float(self.printed)) <= 0.5 * 10.0**-digits + ROUNDING


@dataclass(frozen=True)
class Claim:
    """What the paper says of all tables of a kind, and the worst that was seen."""

    where: str
    what: str
    tables: int
    #: How far off the worst table is from what is claimed.
    worst: float
    holds: bool


def reproduce(*, quick: bool, seed: int, data: Path | None) -> Gathered:
    """All worked examples and observations. The paper has no ratings of its own: no `data`."""
    del data
    shown, held = list(examples()), list(claims(200 if quick else 2_000, seed))
    findings = Gathered()
    findings.tables["examples"] = Table(
        "Worked examples, as printed and as computed",
        ("where", "what", "paper", "goldassay", "the same", "note"),
        tuple(
            (one.where, one.what, one.printed, _shown(one), "yes" if one.same else "no", one.note)
            for one in shown
        ),
    )
    findings.tables["observations"] = Table(
        "Observations and identities, on random tables",
        ("where", "claim", "tables", "largest deviation", "holds"),
        tuple(
            (one.where, one.what, one.tables, f"{one.worst:.1e}", "yes" if one.holds else "no")
            for one in held
        ),
    )
    same, true = sum(one.same for one in shown), sum(one.holds for one in held)
    findings.answer.append(
        f"Of {len(shown)} printed numbers {same} come out with the digits that are printed, and "
        f"{true} of {len(held)} claims hold on every table drawn."
    )
    others = [f"{one.what} ({one.printed}; here {_shown(one)})" for one in shown if not one.same]
    if others:
        findings.answer.append(f"Not as printed: {'; '.join(others)}.")
    return findings


def _shown(one: Example) -> str:
    if one.ours is None:
        return "undefined"
    digits = len(one.printed.partition(".")[2]) if one.printed != "undefined" else 3
    return f"{one.ours:.{digits if one.same else digits + 1}f}"


# --- worked examples ----------------------------------------------------------------------------


def _table(tp: float, fn: float, fp: float, tn: float) -> Array:
    """Rows are people, columns the judge, the positive option first."""
    return np.array([[tp, fn], [fp, tn]], dtype=float)


def _number(value: Array) -> float | None:
    return None if np.isnan(value) else float(value)


def examples() -> Iterator[Example]:
    """Every number that the paper works out."""
    yield from _section_5()
    yield from _section_5_1()
    yield from _sections_6_and_7()
    yield from _appendix_b()
    yield from _appendix_c()


def _section_5() -> Iterator[Example]:
    first = _table(40, 10, 20, 30)
    for what, printed, value in (
        ("accuracy", "0.700", f.accuracy(first)),
        ("F1", "0.727", f.f1(first, positive=0)),
        ("chance agreement", "0.500", f.chance_agreement(first)),
        ("kappa", "0.400", f.cohen_kappa(first)),
        ("phi", "0.408", f.phi(first)),
    ):
        yield Example("5, (40, 10, 20, 30)", what, printed, _number(value))
    rare, never = _table(5, 5, 0, 90), _table(0, 10, 0, 90)
    yield Example("5, (5, 5, 0, 90)", "accuracy", "0.95", _number(f.accuracy(rare)))
    yield Example("5, (5, 5, 0, 90)", "kappa", "0.643", _number(f.cohen_kappa(rare)))
    yield Example("5, (5, 5, 0, 90)", "phi", "0.688", _number(f.phi(rare)))
    yield Example("5, always negative", "accuracy", "0.90", _number(f.accuracy(never)))
    yield Example("5, always negative", "kappa", "0", _number(f.cohen_kappa(never)))
    yield Example("5, always negative", "phi", "undefined", _number(f.phi(never)))


def _matched(rate: float, kappa: float) -> Array:
    """Shares of a table in which both sides have this rate, and which has this kappa."""
    both = rate**2 + kappa * rate * (1 - rate)
    return _table(both, rate - both, rate - both, 1 - 2 * rate + both)


def _section_5_1() -> Iterator[Example]:
    easy, hard = _matched(0.8, 0.9), _matched(0.05, 0.2)
    pooled = _number(f.cohen_kappa(easy + hard))
    note = "with the rates of both sides equal, which the text implies"
    yield Example("5.1, criteria A and B", "micro kappa", "0.85", pooled, note)
    macro = float((f.cohen_kappa(easy) + f.cohen_kappa(hard)) / 2)
    yield Example("5.1, criteria A and B", "macro kappa", "0.55", macro)


def _sections_6_and_7() -> Iterator[Example]:
    table = _three_classes()
    product = (1 - table[2].sum() / 100) * (1 - table[:, 2].sum() / 100)
    note = "of Appendix B's table, where the formula (people and judge abstain independently) says"
    both = float(table[:2, :2].sum() / 100)
    yield Example("6.1", "share on which both commit", f"{product:.2f}", both, f"{note} this")
    kappa, raters, items = 0.6, 3, 100
    gap = (1 - kappa) / (items * raters)
    yield Example("7.1, kappa .6, N 100, R 3", "alpha less kappa", "0.0013", gap)


def _three_classes() -> Array:
    """Appendix B: MET, UNMET, CA."""
    return np.array([[30.0, 10, 5], [10, 20, 5], [5, 5, 10]])


def _appendix_b() -> Iterator[Example]:
    table = _three_classes()
    fold = np.array([[1.0, 0], [0, 1], [0, 1]])  # CA becomes UNMET
    modes = {
        "exclude": (table[:2, :2], ("70", "0.714", "0.416", "0.750")),
        "recode": (fold.T @ table @ fold, ("100", "0.700", "0.394", "0.667")),
        "three classes": (table, ("100", "0.600", "0.370", "")),
    }
    for mode, (counts, printed) in modes.items():
        values = (counts.sum(), f.accuracy(counts), f.cohen_kappa(counts), f.f1(counts, positive=0))
        names = ("N", "accuracy", "kappa", "F1 of MET")
        for what, number, value in zip(names, printed, values, strict=True):
            if number:
                cut = mode == "exclude" and what == "kappa"
                note = "5/12: cut after the third digit, not rounded" if cut else ""
                yield Example(f"B, {mode}", what, number, float(value), note)
    one = _number(f.f1(table, positive=0))
    yield Example("B, three classes", "F1 of MET against the rest", "0.667", one)


def _gradient(value: Callable[[Array], Array], cells: Array) -> Array:
    """Derivatives by the four cells, by differences."""
    moves = 1e-6 * np.eye(4)
    return np.array([(value(cells + move) - value(cells - move)) / 2e-6 for move in moves])


def _kappa(cells: Array) -> Array:
    return f.cohen_kappa(cells.reshape(2, 2))


def _phi(cells: Array) -> Array:
    return f.phi(cells.reshape(2, 2))


def _written_out(cells: Array) -> tuple[Array, Array]:
    """Kappa and phi with the negative rates as 1 less the positive ones (equations 3 and 5).

    So the paper differentiates them; cells that do not sum to 1 tell that from other ways.
    """
    a, b, c, d = cells
    people, judge = a + b, a + c
    chance = people * judge + (1 - people) * (1 - judge)
    spread = np.sqrt(people * (1 - people) * judge * (1 - judge))
    return np.asarray((a + d - chance) / (1 - chance)), np.asarray((a * d - b * c) / spread)


def _appendix_c() -> Iterator[Example]:
    cells = np.array([0.3, 0.1, 0.1, 0.5])
    apart = _gradient(lambda p: np.subtract(*_written_out(p)), cells)
    for place, value in zip(("11", "10", "01", "00"), apart, strict=True):
        yield Example(
            "C, (.3, .1, .1, .5)", f"gradient of kappa less phi, p{place}", "0.8333", float(value)
        )
    balanced, off = np.array([0.4, 0.1, 0.1, 0.4]), np.array([0.4, 0.1, 0.2, 0.3])
    for where, at, what, printed, value in (
        ("C, (.4, .1, .1, .4)", balanced, "N x variance of kappa", "0.640", _kappa),
        ("C, (.4, .1, .1, .4)", balanced, "N x variance of phi", "0.640", _phi),
        ("C, (.4, .1, .2, .3)", off, "N x variance of kappa", "0.806", _kappa),
        ("C, (.4, .1, .2, .3)", off, "N x variance of phi", "0.813", _phi),
    ):
        slope = _gradient(value, at)
        variance = float(slope @ (np.diag(at) - np.outer(at, at)) @ slope)
        yield Example(where, what, printed, variance)
    normal = (1 - float(_phi(balanced)) ** 2) ** 2
    yield Example("C, (.4, .1, .1, .4)", "N x variance, were they normal", "0.41", normal)


# --- observations and identities ----------------------------------------------------------------


def claims(tables: int, seed: int) -> Iterator[Claim]:
    """What the paper says of all tables, on so many of each kind."""
    rng = np.random.default_rng(seed)
    yield from _of_two_raters(_binary_pairs(tables, rng), tables)
    yield from _of_ensembles(tables, rng)
    yield from _of_three_values(tables, rng)


def _binary_pairs(tables: int, rng: np.random.Generator) -> list[tuple[Array, Array]]:
    """Vectors of people and judge, 0 and 1, with both values on either side."""
    found: list[tuple[Array, Array]] = []
    while len(found) < tables:
        size = int(rng.integers(4, 60))
        one = (rng.random(size) < rng.random()).astype(float)
        flips = rng.random(size) < rng.random()
        two = np.where(flips, 1 - one, one)
        if 0 < one.mean() < 1 and 0 < two.mean() < 1:
            found.append((one, two))
    return found


def _counts(one: Array, two: Array) -> Array:
    both = np.array([one * two, one * (1 - two), (1 - one) * two, (1 - one) * (1 - two)]).sum(1)
    return _table(*both)


def _of_two_raters(pairs: list[tuple[Array, Array]], tables: int) -> Iterator[Claim]:
    five, ratio, bound, matched = 0.0, 0.0, 0.0, 0.0
    for one, two in pairs:
        counts = _counts(one, two)
        phi, kappa = float(f.phi(counts)), float(f.cohen_kappa(counts))
        others = (pearson(one, two), spearman(one, two), kendall_tau_b(one, two))
        five = max(five, *(abs(other - phi) for other in others))
        a, b = (counts[0].sum() * counts[:, 1].sum(), counts[:, 0].sum() * counts[1].sum())
        if abs(phi) > ROUNDING:
            ratio = max(ratio, abs(kappa / phi - 2 * np.sqrt(a * b) / (a + b)))
        bound = max(bound, abs(kappa) - abs(phi))
        if one.mean() == two.mean():
            matched = max(matched, abs(kappa - phi))
    what = "Pearson, Spearman, tau-b, phi and MCC are one number"
    yield Claim("Observation 1", what, tables, five, five < ROUNDING)
    yield Claim("equation 11", "kappa / phi = 2 sqrt(AB) / (A + B)", tables, ratio, ratio < 1e-8)
    yield Claim("equation 12", "|kappa| is at most |phi|", tables, max(bound, 0), bound < ROUNDING)
    what = "kappa = phi where both sides have one rate"
    yield Claim("equation 12", what, tables, matched, matched < ROUNDING)


def _of_ensembles(tables: int, rng: np.random.Generator) -> Iterator[Claim]:
    identity, order, level = 0.0, 0.0, 0.0
    for _ in range(tables):
        raters, items, size = (int(rng.integers(*ends)) for ends in ((2, 7), (5, 60), (2, 5)))
        codes = rng.integers(0, size, (raters, items))
        codes[:, : items // 2] = codes[0, : items // 2]  # they agree on half of the items
        votes = tally(codes, size)
        kappa = float(fleiss_kappa(pair_sums(votes).sum(0)))
        alpha = float(krippendorff_alpha(coincidences(votes).sum(0)))
        if np.isnan(kappa):
            continue
        identity = max(identity, abs(alpha - kappa - (1 - kappa) / (items * raters)))
        order = max(order, kappa - alpha)
        ones = int(rng.integers(1, items))
        alike = np.array([rng.permutation(np.arange(items) < ones) for _ in range(raters)]) * 1.0
        pairs = [pearson(alike[i], alike[j]) for i in range(raters) for j in range(i)]
        same = float(fleiss_kappa(pair_sums(tally(alike.astype(int), 2)).sum(0)))
        level = max(level, abs(float(np.mean(pairs)) - same))
    what = "alpha = kappa_F + (1 - kappa_F) / (N R), of any number of options"
    yield Claim("Observation 2", what, tables, identity, identity < ROUNDING)
    yield Claim(
        "Observation 2", "alpha is at least kappa_F", tables, max(order, 0), order < ROUNDING
    )
    what = "the mean pairwise phi is kappa_F where all judges have one rate"
    yield Claim("Observation 2", what, tables, level, level < ROUNDING)


def _of_three_values(tables: int, rng: np.random.Generator) -> Iterator[Claim]:
    """Sections 6.2 and 7.2: with CA between UNMET and MET, at 0, 1/2 and 1."""
    even, alike, tied = 0.0, 0, 0
    values = np.array([0.0, 0.5, 1.0])
    quadratic = agreement_weights("quadratic", 3)
    seen: list[tuple[float, float]] = []
    for _ in range(tables):
        outer, middle = int(rng.integers(2, 15)), int(rng.integers(1, 15))
        balanced = np.repeat(values, (outer, middle, outer))
        one, two = balanced, rng.permutation(balanced)
        even = max(even, abs(pearson(one, two) - spearman(one, two)))
        skewed = np.repeat(values, (outer, middle, outer + int(rng.integers(3, 20))))
        one, two = skewed, np.where(rng.random(len(skewed)) < 0.5, skewed, rng.permutation(skewed))
        alike += abs(pearson(one, two) - spearman(one, two)) < ROUNDING
        tied += abs(spearman(one, two) - kendall_tau_b(one, two)) < ROUNDING
        codes = rng.choice(3, (3, 30), p=rng.dirichlet(np.ones(3)))
        codes[:, : int(rng.integers(5, 25))] = 0
        votes = tally(codes, 3)
        nominal = float(fleiss_kappa(pair_sums(votes).sum(0)))
        weighted = float(krippendorff_alpha(coincidences(votes).sum(0), weights=quadratic))
        if np.isfinite([nominal, weighted]).all():
            seen.append((nominal, weighted))
    turned = [
        (one_n - two_n) * (one_w - two_w) < 0 for (one_n, one_w), (two_n, two_w) in pairwise(seen)
    ]
    what = "Spearman = Pearson where MET and UNMET are equally common"
    yield Claim("6.2", what, tables, even, even < ROUNDING)
    what = "and otherwise not: the share of tables on which they are equal, at most 1 %"
    yield Claim("6.2", what, tables, alike / tables, alike <= 0.01 * tables)
    what = "Spearman and tau-b of three values differ: the share that is equal, at most 1 %"
    yield Claim("7.2", what, tables, tied / tables, tied <= 0.01 * tables)
    what = (
        "Fleiss' kappa and quadratic alpha order two ensembles alike: not always, the share of "
        "pairs in opposite orders is at least 1 %"
    )
    share = float(np.mean(turned))
    yield Claim("7.2", what, len(turned), share, share >= 0.01)
