"""What R, SciPy, statsmodels, scikit-learn and others print, to their tolerance.

`agreement.json` holds the cases, the value and the tools that agree on it. Where tools dissent,
docs/conventions.md says which way goldassay goes, and DIFFERENT lists the few cases where goldassay
goes its own way, with what it says instead.
"""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from internals import agreement as c
from internals import binomial, kendall_p_value, mcnemar, spearman_p_value
from internals import correlation as r
from internals import reliability as rel
from scipy import stats

import goldassay as ga

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
#: Small orders without ties are counted exactly, as R's cor.test does by default; SciPy's t is not.
EXACT = {("no_ties_n8", "spearman_p_default"): 0.0153769841269841}


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
        "cohen_kappa_SE": lambda: c.cohen_kappa_standard_error(table),
        "weighted_kappa_linear": lambda: c.cohen_kappa(table, linear),
        "weighted_kappa_quadratic": lambda: c.cohen_kappa(table, quadratic),
        "weighted_kappa_SE_linear": lambda: c.cohen_kappa_standard_error(table, linear),
        "weighted_kappa_SE_quadratic": lambda: c.cohen_kappa_standard_error(table, quadratic),
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


#: Large-sample standard errors (Gwet's); irr's is the one under no agreement.
SE = {
    "fleiss_SE": rel.fleiss_kappa_standard_error,
    "alpha_SE": rel.krippendorff_alpha_standard_error,
}


def test_the_standard_error_of_alpha_is_fleiss_shrunk() -> None:
    """alpha = kappa + (1 - kappa)/(NR), so its error is 1 - 1/(NR) times that of kappa.

    irrCAC-R prints .09246 for this table: it takes half of the derivative of chance agreement.
    """
    counts = np.array(CASES["counts"]["wikipedia_10x5_14raters"])
    fleiss = rel.fleiss_kappa_standard_error(counts)
    expected = fleiss * (1 - 1 / 140)
    assert rel.krippendorff_alpha_standard_error(counts) == pytest.approx(expected)
    left_out = [
        float(rel.krippendorff_alpha(rel.coincidences(np.delete(counts, u, 0)).sum(0)))
        for u in range(10)
    ]
    jackknife = np.sqrt(0.9 * ((np.array(left_out) - np.mean(left_out)) ** 2).sum())
    assert expected == pytest.approx(jackknife, rel=0.1)


@pytest.mark.parametrize(
    "row",
    [
        p
        for p in rows("multi_rater")
        if (p.values[0]["case"], p.values[0]["quantity"]) != ("wikipedia_10x5_14raters", "alpha_SE")
    ],
)
def test_several_raters(row: dict) -> None:
    if row["quantity"] == "fleiss_kappa_with_missing":
        counts, _ = coded(row["case"])
        check(row, rel.fleiss_kappa(rel.pair_sums(counts).sum(0)))
        return
    counts = np.array(CASES["counts"][row["case"]])
    if row["quantity"].endswith("_SE"):
        check(row, SE[row["quantity"]](counts))
        return
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
    value = {
        "kendall_tau_b": r.kendall_tau_b,
        "spearman_rho": r.spearman,
        "kendall_p_default": kendall_p_value,
        "spearman_p_default": spearman_p_value,
    }[row["quantity"]](x, y)
    expected = EXACT.get((row["case"], row["quantity"]), row["value"])
    check({**row, "value": expected}, value)


def test_p_values_are_those_of_the_tools_that_dissent_too() -> None:
    """What R's and SciPy's asymptotic tests print for ties, at sizes beyond the oracles'."""
    rng = np.random.default_rng(1)
    x = rng.integers(0, 6, 70)
    y = np.clip(x + rng.integers(-3, 4, 70), 0, 5)
    assert kendall_p_value(x, y) == pytest.approx(stats.kendalltau(x, y).pvalue, rel=1e-9)
    assert spearman_p_value(x, y) == pytest.approx(stats.spearmanr(x, y).pvalue, rel=1e-9)
    assert np.isnan(kendall_p_value([1, 1, 1], [1, 2, 3]))
    assert np.isnan(spearman_p_value([1, 1, 1], [1, 2, 3]))
    assert spearman_p_value(np.arange(20), np.arange(20)) == 0.0


@pytest.mark.parametrize("row", rows("mcnemar"))
def test_mcnemar(row: dict) -> None:
    # With equal cells R's correction stops at 0; statsmodels' goes beyond it and prints .72.
    method = row["quantity"].removeprefix("p_")
    check(row, mcnemar(CASES["mcnemar"][row["case"]], method=method))


def test_mcnemar_without_a_difference_is_undefined() -> None:
    assert np.isnan(mcnemar([[5, 0], [0, 3]]))  # statsmodels prints p = 0


def test_labels_as_they_are() -> None:
    """Text that looks like a missing value is a label; constants leave phi undefined."""
    tables = {}
    for name, case in CASES["labels"].items():
        options = sorted({str(v) for side in "yp" for v in case[side]})
        table = np.zeros((max(len(options), 2),) * 2)
        for y, p in zip(case["y"], case["p"], strict=True):
            table[options.index(str(y)), options.index(str(p))] += 1
        tables[name] = table
    assert float(c.accuracy(tables["strings_nan_label"])) == 0.75
    assert float(c.cohen_kappa(tables["strings_nan_label"])) == pytest.approx(0.5)
    assert float(c.cohen_kappa(tables["pred_constant"])) == 0
    assert np.isnan(c.phi(tables["pred_constant"]))
    assert np.isnan(c.cohen_kappa(tables["both_constant_same"]))


def _ensemble(case: str, values: dict[int, str], **declared: object) -> dict[str, float]:
    """Coefficients among judges that gave a case's ratings, out of `agree`."""
    rows = [
        {"item": str(unit), "rater": f"j{coder}", "kind": "judge", "value": values[value]}
        for coder, ratings in enumerate(CASES["raw"][case]["coders_by_units"])
        for unit, value in enumerate(ratings)
        if value is not None
    ]
    found = ga.agree(pl.DataFrame(rows), declared, resamples=100)
    return {row.result.name: row.result.value for row in found.rows if "judge" not in row.about}


def _value(case: str, quantity: str) -> float:
    (row,) = [r for r in FILE["values"] if (r["case"], r["quantity"]) == (case, quantity)]
    return float(row["value"])


def test_three_classes_of_an_ensemble_with_a_declared_matrix() -> None:
    """Classes at 1, 2 and 10: squared distances as a matrix are the interval difference."""
    case, at = "uneven_scale_1_2_10", np.array([1.0, 2.0, 10.0])
    matrix = (1 - ((at[:, None] - at) / 9) ** 2).tolist()
    plain = {"scale": "nominal", "options": ["1", "2", "10"]}
    names = {1: "1", 2: "2", 10: "10"}
    found = _ensemble(case, names, **plain, weights=matrix)
    alpha, interval = (_value(case, f"alpha_{one}") for one in ("nominal", "interval"))
    assert found["judges_krippendorff_alpha"] == pytest.approx(alpha)
    assert found["judges_fleiss_kappa"] == pytest.approx(_value(case, "fleiss_kappa_with_missing"))
    assert found["judges_weighted_alpha"] == pytest.approx(interval)
    # Quadratic weights by position are another matrix, and change it.
    other = _ensemble(case, names, **plain, weights="quadratic")
    assert other["judges_krippendorff_alpha"] == pytest.approx(alpha)
    assert abs(other["judges_weighted_alpha"] - interval) > 0.05
    # The third class may be abstention, with its row in the matrix.
    abstained = _ensemble(
        case,
        {1: "MET", 2: "UNMET", 10: "CA"},
        scale="binary",
        options=["MET", "UNMET"],
        positive="MET",
        abstain=["CA"],
        abstentions="class",
        weights=matrix,
    )
    for name in ("krippendorff_alpha", "fleiss_kappa", "weighted_alpha"):
        assert abstained[f"judges_{name}"] == pytest.approx(found[f"judges_{name}"])


def test_quadratic_weights_of_an_ordinal_ensemble_are_the_interval_difference() -> None:
    case, options = "wikipedia_3x15", ["1", "2", "3", "4"]
    names = {k: str(k) for k in range(1, 5)}
    found = _ensemble(case, names, scale="ordinal", options=options, weights="quadratic")
    assert found["judges_weighted_alpha"] == pytest.approx(_value(case, "alpha_interval"))
    assert found["judges_krippendorff_alpha"] == pytest.approx(_value(case, "alpha_ordinal"))
