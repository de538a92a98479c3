"""What R, SciPy, statsmodels, scikit-learn and others print, to their tolerance.

`agreement.json` holds the cases, the value and the tools that agree on it. Where tools dissent,
docs/conventions.md says which way karat goes, and DIFFERENT lists the few cases where karat goes
its own way, with what it says instead.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from karat import coefficients as c
from karat import correlations as r
from karat import reliability as rel
from karat.intervals import binomial, cohen_kappa_standard_error

FILE = json.loads((Path(__file__).parent / "agreement.json").read_text(encoding="utf-8"))
CASES = FILE["cases"]

UNDEFINED = float("nan")
#: One option used by everybody: undefined here; tools print 1, -0.09 (rounding) or an error.
DIFFERENT = {
    **{("all_same", f"alpha_{d}"): UNDEFINED for d in ("nominal", "ordinal", "interval", "ratio")},
    ("all_same", "fleiss_kappa_with_missing"): UNDEFINED,
    ("perfect_single_category", "fleiss_kappa"): UNDEFINED,
    ("perfect_single_category", "conger/exact fleiss"): UNDEFINED,
    ("asym_zero_col", "mcc"): UNDEFINED,  # scikit-learn's 0 means "could not"
}


def rows(topic: str) -> list:
    chosen = [row for row in FILE["values"] if row["topic"] == topic and "value" in row]
    return [pytest.param(row, id=f"{row['case']}-{row['quantity']}") for row in chosen]


def check(row: dict, value: object) -> None:
    ours = float(value)  # type: ignore[arg-type]
    key = (row["case"], row["quantity"])
    if key in DIFFERENT:
        assert np.isnan(ours) == np.isnan(DIFFERENT[key])
        return
    if not isinstance(row["value"], float | int):
        assert np.isnan(ours)
        return
    assert ours == pytest.approx(
        row["value"], rel=row["rtol"], abs=1e-7 if "SE" in key[1] else 1e-12
    )


@pytest.mark.parametrize("row", rows("two_rater"))
def test_two_raters(row: dict) -> None:
    table = np.array(CASES["tables"][row["case"]], dtype=float)
    size = len(table)
    linear, quadratic = (c.agreement_weights(w, size) for w in ("linear", "quadratic"))
    both = table + table.T
    value = {
        "cohen_kappa": lambda: c.cohen_kappa(table),
        "cohen_kappa_SE": lambda: cohen_kappa_standard_error(table),
        "weighted_kappa_linear": lambda: c.cohen_kappa(table, linear),
        "weighted_kappa_quadratic": lambda: c.cohen_kappa(table, quadratic),
        "weighted_kappa_SE_linear": lambda: cohen_kappa_standard_error(table, linear),
        "weighted_kappa_SE_quadratic": lambda: cohen_kappa_standard_error(table, quadratic),
        "scott_pi": lambda: c.scott_pi(table),
        "gwet_ac1": lambda: c.gwet_ac(table),
        "krippendorff_nominal": lambda: rel.krippendorff_alpha(both),
        "mcc": lambda: c.phi(table),
    }[row["quantity"]]()
    check(row, value)


def coded(name: str) -> tuple[np.ndarray, list]:
    raw = CASES["raw"][name]["coders_by_units"]
    values = sorted({v for coder in raw for v in coder if v is not None})
    codes = [[-1 if v is None else values.index(v) for v in coder] for coder in raw]
    return rel.tally(np.array(codes), len(values)), values


@pytest.mark.parametrize("row", rows("krippendorff"))
def test_krippendorff(row: dict) -> None:
    counts, values = coded(row["case"])
    difference = row["quantity"].removeprefix("alpha_")
    check(row, rel.krippendorff_alpha(rel.coincidences(counts).sum(0), difference, values))


@pytest.mark.parametrize(
    "row", [p for p in rows("multi_rater") if not p.values[0]["quantity"].endswith("_SE")]
)
def test_several_raters(row: dict) -> None:
    if row["quantity"] == "fleiss_kappa_with_missing":
        counts, _ = coded(row["case"])
        check(row, rel.fleiss_kappa(rel.pair_sums(counts).sum(0)))
        return
    counts = np.array(CASES["counts"][row["case"]])
    sums = rel.pair_sums(counts).sum(0)
    size = counts.shape[1]
    raters = np.array([np.repeat(np.arange(size), unit) for unit in counts]).T
    margins = np.stack([np.bincount(rater, minlength=size) for rater in raters])
    value = {
        "fleiss_kappa": lambda: rel.fleiss_kappa(sums),
        "gwet_ac1": lambda: rel.gwet_ac1_of_many(sums),
        "conger/exact fleiss": lambda: rel.conger_kappa(sums, margins),
    }[row["quantity"]]()
    check(row, value)


@pytest.mark.parametrize("row", rows("binomial"))
def test_binomial(row: dict) -> None:
    k, n = map(int, row["case"].split("/"))
    method, end = row["quantity"].rsplit("_", 1)
    check(row, binomial(k, n, method=method)[end == "hi"])


@pytest.mark.parametrize("row", rows("rank"))
def test_rank(row: dict) -> None:
    x, y = ([np.nan if v is None else v for v in CASES["rank"][row["case"]][side]] for side in "xy")
    value = {"kendall_tau_b": r.kendall_tau_b, "spearman_rho": r.spearman}[row["quantity"]](x, y)
    check(row, value)
