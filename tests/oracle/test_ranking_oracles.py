"""Bradley-Terry, rank correlation, ANOVA, Tukey and paired t against R, statsmodels and others.

`ranking.json` holds the inputs and what the named tools print (R 4.2.2 and the Python packages).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from internals import (
    Outcomes,
    anova,
    fit,
    kendall_tau,
    paired_t_test,
    pairs_of,
    spearman_rho,
    tukey_hsd,
)
from lookup import some

ORACLE = json.loads(Path(__file__).with_name("ranking.json").read_text(encoding="utf-8"))


def rows(topic: str) -> list[tuple[str, str, float, float]]:
    return [
        (case, quantity, value, rtol)
        for t, case, quantity, value, rtol, _ in ORACLE["rows"]
        if t == topic
    ]


def outcomes_of(case: dict[str, list[list[float]]]) -> Outcomes:
    pairs = pairs_of(len(case["wins"]))
    wins, ties = np.array(case["wins"], float), np.array(case["ties"], float)
    return Outcomes(
        wins[pairs.first, pairs.second],
        wins[pairs.second, pairs.first],
        ties[pairs.first, pairs.second],
    )


@pytest.mark.parametrize(("case", "quantity", "value", "rtol"), rows("bradley_terry"))
def test_bradley_terry(case: str, quantity: str, value: float, rtol: float) -> None:
    data = ORACLE["cases"]["bradley_terry"][case]
    fitted = fit(pairs_of(len(data["players"])), outcomes_of(data))
    player = data["players"].index(quantity.split("[")[1].split("]", maxsplit=1)[0])
    if quantity.startswith("beta"):
        assert fitted.strengths[player] - fitted.strengths[0] == pytest.approx(value, rel=rtol)
    else:
        covariance = fitted.battle_covariance
        variance = covariance[player, player] + covariance[0, 0] - 2 * covariance[player, 0]
        assert np.sqrt(variance) == pytest.approx(value, rel=rtol)


@pytest.mark.parametrize(("case", "quantity", "value", "rtol"), rows("rank"))
def test_rank_correlation(case: str, quantity: str, value: float, rtol: float) -> None:
    data = ORACLE["cases"]["rank"][case]
    x, y = (np.array([np.nan if v is None else v for v in data[key]]) for key in "xy")
    statistic = kendall_tau if quantity == "kendall_tau_b" else spearman_rho
    assert float(statistic(x, y)) == pytest.approx(value, rel=rtol)


@pytest.mark.parametrize(("case", "quantity", "value", "rtol"), rows("anova"))
def test_anova(case: str, quantity: str, value: float, rtol: float) -> None:
    records = ORACLE["cases"]["anova"][case]
    factors = {name: [record[name] for record in records] for name in "ABC"}
    kind, name = quantity.split(" ", 1)
    # On balanced data sequential sums of squares (type I) are those of type II.
    table = anova(
        [record["y"] for record in records],
        factors,
        interactions=["A:B", "A:C", "B:C", "A:B:C"],
        sums_of_squares="III" if kind == "typeIII" else "II",
    )
    assert table is not None
    effect = next(e for e in table.effects if name.endswith(f"[{e.term}]"))
    found = effect.f if name.startswith("F") else effect.partial_eta_squared
    assert found == pytest.approx(value, rel=rtol)


@pytest.mark.parametrize("case", ["unequal_n", "equal_n"])
def test_tukey(case: str) -> None:
    pairs = {f"{p.one}-{p.two}": p for p in tukey_hsd(ORACLE["cases"]["tukey"][case])}
    for _, quantity, value, _ in some(row for row in rows("tukey") if row[0] == case):
        name, what = quantity.split()
        field = {"diff": "difference", "lwr": "low", "upr": "high", "p": "p"}[what]
        # The studentized range is integrated numerically; R's own p-values have 7 digits.
        assert getattr(pairs[name], field) == pytest.approx(value, rel=2e-6)


def test_paired_t() -> None:
    data = ORACLE["cases"]["paired_t"]["4 models"]
    test = paired_t_test(np.array(data["m1"]), np.array(data["m2"]))
    assert test is not None
    expected = {quantity: value for _, quantity, value, _ in rows("paired_t")}
    assert test.t == pytest.approx(expected["m1-m2 t"], rel=1e-9)
    assert test.p_two_sided == pytest.approx(expected["m1-m2 p"], rel=1e-9)
    # Bonferroni over the six pairs of four models, as R's p.adjust and statsmodels have it.
    assert min(1.0, 6 * test.p_two_sided) == pytest.approx(0.0103475807312426, rel=1e-9)


def test_undefeated_is_infinite_not_large() -> None:
    """BradleyTerry2 stops at -24.3, with a standard error of 40,545; there is no such number."""
    data = ORACLE["cases"]["bradley_terry"]["undefeated"]
    fitted = fit(pairs_of(3), outcomes_of(data))
    assert fitted.strengths[0] == np.inf
    # b and c among themselves: 3 wins to 2.
    assert fitted.strengths[1] - fitted.strengths[2] == pytest.approx(np.log(3 / 2), rel=1e-9)
    assert fitted.components.members[0] == (0,)


@pytest.mark.parametrize("name", sorted(ORACLE["nist"]))
def test_nist_anova(name: str) -> None:
    """Certified F of NIST's data sets, to within a digit of what float64 inputs allow."""
    scipy = pytest.importorskip("scipy")
    path = Path(scipy.__file__).parent / "stats" / "tests" / "data" / "nist_anova" / f"{name}.dat"
    if not path.exists():
        pytest.skip("SciPy is installed without NIST's data sets")
    lines = path.read_text(encoding="latin-1").splitlines()
    cells = [line.split() for line in lines[60:] if line.strip()]
    table = anova([float(c[1]) for c in cells], {"treatment": [c[0] for c in cells]})
    assert table is not None
    certified, ceiling = ORACLE["nist"][name]
    error = abs(table.effects[0].f - certified) / certified
    digits = 15.0 if error == 0 else -np.log10(error)
    assert digits > min(ceiling, 15) - 2
