"""The worked examples and observations of the agreement-metrics paper."""

from __future__ import annotations

import pytest
from lookup import some

from goldassay.lab.reproduce import reproduce
from goldassay.lab.reproduce.agreement_metrics import Example, claims, examples


def test_what_is_printed_comes_out_but_for_three() -> None:
    found = list(examples())
    assert [(one.where, one.what) for one in found if not one.same] == [
        ("5.1, criteria A and B", "micro kappa"),
        ("6.1", "share on which both commit"),
        ("B, exclude", "kappa"),
    ]
    assert all(one.note for one in some(one for one in found if not one.same))
    assert len(found) == 36


def test_gradients_and_variances_by_hand() -> None:
    """Appendix C: 5/6 in each of four cells; 16/25, 504/625 and 13/16."""
    numbers = {(one.where, one.what): one.ours for one in examples()}
    for cell in ("11", "10", "01", "00"):
        key = ("C, (.3, .1, .1, .5)", f"gradient of kappa less phi, p{cell}")
        assert numbers[key] == pytest.approx(5 / 6, abs=1e-6)
    assert numbers["C, (.4, .1, .1, .4)", "N x variance of kappa"] == pytest.approx(16 / 25)
    assert numbers["C, (.4, .1, .2, .3)", "N x variance of kappa"] == pytest.approx(504 / 625)
    assert numbers["C, (.4, .1, .2, .3)", "N x variance of phi"] == pytest.approx(13 / 16)


def test_every_claim_holds() -> None:
    found = list(claims(60, 3))
    assert all(one.holds for one in found), [one for one in found if not one.holds]
    assert len(found) == 11


@pytest.mark.parametrize(
    ("printed", "ours", "same"),
    [
        ("0.813", 0.8125, True),
        ("0.416", 5 / 12, False),
        ("undefined", None, True),
        ("0", 0.4, True),
    ],
)
def test_the_same_is_with_the_digits_that_are_printed(
    printed: str, ours: float | None, same: bool
) -> None:
    assert Example("", "", printed, ours).same is same


def test_the_tables_stand_beside_the_paper() -> None:
    found = reproduce("agreement-metrics", quick=True, seed=1)
    rows = {row[:2]: row for row in found.tables["examples"].rows}
    assert rows["B, exclude", "kappa"][2:5] == ("0.416", "0.4167", "no")
    assert rows["5, (40, 10, 20, 30)", "phi"][2:5] == ("0.408", "0.408", "yes")
    said = [str(one) for one in found.answer]
    assert said[0].startswith("Of 36 printed numbers 33 come out")
    assert "11 of 11 claims hold" in said[0]
