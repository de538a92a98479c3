"""Sums of squares of type II and III, by hand on ten lines."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

from goldassay.questions.rank.anova import Anova, SumsOfSquares, anova, tukey_hsd
from goldassay.questions.rank.ask import rank

# Two models and two realizations, in unequal cells of 3, 2, 1 and 4 lines.
MODEL = list("aaaaabbbbb")
HOW = list("xxxyyxyyyy")
TAU = [0.9, 0.7, 0.8, 0.6, 0.5, 0.6, 0.1, 0.2, 0.3, 0.2]


def analysis(kind: SumsOfSquares) -> Anova:
    found = anova(
        TAU, {"model": MODEL, "how": HOW}, interactions=["model:how"], sums_of_squares=kind
    )
    assert found is not None
    return found


def residual(*columns: list[float]) -> float:
    design = np.column_stack([np.ones(10), *columns]) if columns else np.ones((10, 1))
    fitted = design @ np.linalg.lstsq(design, np.array(TAU), rcond=None)[0]
    return float(((np.array(TAU) - fitted) ** 2).sum())


def test_type_two_is_what_a_term_adds_to_those_that_do_not_contain_it() -> None:
    a, x = [float(m == "a") for m in MODEL], [float(h == "x") for h in HOW]
    squares = {effect.term: effect.sum_of_squares for effect in analysis("II").effects}
    both = residual(a, x)
    assert squares["model"] == pytest.approx(residual(x) - both)
    assert squares["how"] == pytest.approx(residual(a) - both)
    full = residual(a, x, [m * h for m, h in zip(a, x, strict=True)])
    assert squares["model:how"] == pytest.approx(both - full)


def test_type_three_counts_every_cell_alike() -> None:
    # Cell means: a,x .8 of 3; a,y .55 of 2; b,x .6 of 1; b,y .2 of 4.
    # Model: (.8 + .55 - .6 - .2) / 2 = .275, variance (1/3 + 1/2 + 1 + 1/4) / 4 = 25/48.
    # Realization: (.8 + .6 - .55 - .2) / 2 = .325, with the same variance.
    squares = {effect.term: effect.sum_of_squares for effect in analysis("III").effects}
    assert squares["model"] == pytest.approx(0.275**2 * 48 / 25)
    assert squares["how"] == pytest.approx(0.325**2 * 48 / 25)
    # Interaction: .8 - .55 - .6 + .2 = -.15, variance 25/12; the same in both types.
    assert squares["model:how"] == pytest.approx(0.15**2 * 12 / 25)
    assert analysis("II").effects[2].sum_of_squares == pytest.approx(squares["model:how"])


def test_with_an_empty_cell_type_three_compares_what_both_have() -> None:
    values = [*TAU, 0.9, 0.7]  # the third realization of a alone
    found = anova(
        values,
        {"model": [*MODEL, "a", "a"], "how": [*HOW, "z", "z"]},
        interactions=["model:how"],
        sums_of_squares="III",
    )
    assert found is not None
    model = found.effects[0]
    assert (model.term, model.degrees) == ("model", 1)
    assert model.sum_of_squares == pytest.approx(0.275**2 * 48 / 25)  # as without z


def test_equal_cells_have_one_answer() -> None:
    values = np.random.default_rng(0).normal(size=12)
    factors = {"a": list("aaaaaabbbbbb"), "b": list("xxyyzzxxyyzz")}
    found = [
        anova(values, factors, interactions=["a:b"], sums_of_squares=kind) for kind in ("II", "III")
    ]
    assert found[0] is not None
    assert found[1] is not None
    for one, other in zip(found[0].effects, found[1].effects, strict=True):
        assert (one.term, one.degrees) == (other.term, other.degrees)
        assert one.sum_of_squares == pytest.approx(other.sum_of_squares)


def test_judges_are_analysed_by_type_two(tmp_path: object) -> None:
    rng = np.random.default_rng(1)
    judges = [(m, h, f"{m} {h}") for m in "abc" for h in ("likert", "numeric", "probs")]
    judges.append(("a", "likert", "another"))  # cells are unequal
    rows = [
        (f"{item}", f"s{s}", judge, "judge", f"{s + rng.normal(0, 6)}")
        for _, _, judge in judges
        for item in range(15)
        for s in range(5)
    ]
    rows += [(f"{item}", f"s{s}", "ann", "human", f"{s}") for item in range(15) for s in range(5)]
    frame = pl.DataFrame(rows, schema=["item", "system", "rater", "kind", "value"], orient="row")
    path = f"{tmp_path}/judges.csv"
    pl.DataFrame(
        [(judge, m, h) for m, h, judge in judges],
        schema=["judge", "model", "realization"],
        orient="row",
    ).write_csv(path)
    task = {"scale": "continuous"}
    table = rank(frame, task, judges=path, aggregation=["mean", "win_rate"], resamples=50).tables[
        "factors"
    ]
    assert "type II," in table.notes[0]
    assert [row[0] for row in table.rows][:2] == ["model", "realization"]


def test_two_levels_alone_have_students_p() -> None:
    groups = {"a": [1.0, 2.0, 4.0], "b": [2.5, 3.0, 5.0, 6.0], "c": [0.0, 1.0, 0.5]}
    error = sum(float(((x := np.array(v)) - x.mean()) @ (x - x.mean())) for v in groups.values())
    for pair in tukey_hsd(groups):
        one, two = (np.array(groups[name]) for name in (pair.one, pair.two))
        t = (one.mean() - two.mean()) / np.sqrt(error / 7 * (1 / len(one) + 1 / len(two)))
        assert pair.p_alone == pytest.approx(2 * stats.t.sf(abs(t), 7), abs=1e-9)
        assert pair.p_alone < pair.p
