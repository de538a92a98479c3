"""The choice of a judge, what its decisions are worth, and Gamma, on tables done by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from audit_counts import TASK, counted, judged

from goldassay.formulas.rating_model import membership, selection_effect
from goldassay.questions.audit.choice import choose
from goldassay.questions.audit.evaluate import Draws
from goldassay.questions.audit.study import study
from goldassay.questions.audit.tables import summary
from goldassay.results import Estimate

QUICK = Draws(resamples=100, panels=0)


def test_the_share_of_definitions_under_which_the_chosen_judge_stays() -> None:
    found = study(judged(items=60), TASK, draws=QUICK)
    # Done again from the results: for each definition, the judge with the better value.
    picks = []
    for one in found.performances:
        values = [r.value if isinstance(r, Estimate) else np.nan for r in one.results]
        if one.definition.better == "zero" or np.isnan(values).any() or np.ptp(values) < 1e-12:
            continue
        best = np.argmax(values) if one.definition.better == "higher" else np.argmin(values)
        picks.append(found.judges[int(best)])
    assert found.choice.n_definitions == len(picks) > 20
    assert found.choice.selected_by == tuple(picks.count(one) for one in found.judges)
    shares = {
        row.about["judge"]: row.result
        for row in found.rows()
        if row.result.name == "selection_share"
    }
    assert isinstance(shares["good"], Estimate)
    assert shares["good"].value == picks.count("good") / len(picks)


def test_decisions_of_ten_items() -> None:
    # People call 3 of 10 Yes; the judge 2 of these and 2 others: alike on 7, always No on 7.
    people = np.array([[3.0, 0]] * 3 + [[0, 3.0]] * 7)
    own = np.array([[1.0, 0]] * 2 + [[0, 1.0]] * 6 + [[1.0, 0]] * 2)
    found = study(counted(people, j=own), TASK, draws=QUICK)
    assert (found.decisions.people[0], found.decisions.judge[0]) == (0.3, 0.4)
    assert found.decisions.constant(0) == 0.7
    (line,) = summary(found).lines
    assert isinstance(line.cells[0], Estimate)
    assert (line.cells[0].value, line.cells[1]) == (pytest.approx(0.7), "70 %")


def test_the_summary_is_in_order_of_merit_and_marks_ties() -> None:
    found = study(judged(items=200, b=0.6, a=0.02, c=0.02), TASK, draws=QUICK)
    lines = summary(found).lines
    values = [line.cells[0].value for line in lines if isinstance(line.cells[0], Estimate)]
    assert values == sorted(values, reverse=True)
    tied = {line.label: line.tied for line in lines}
    assert tied == {"a": True, "c": True, "b": False}  # the first is marked as in any other table


def test_gamma_by_hand() -> None:
    options = ("a", "b", "c")
    sets = (("a",), ("b",), ("a", "b"), ("a", "c"), ("b", "c"), ("a", "b", "c"))
    members = membership(options, sets)
    pairs = np.zeros((3, 6))
    pairs[:, 2] = 3, 1, 0  # a of {a, b}: 3 of 4, against chance 2 x .75 = 1.5
    pairs[:, 5] = 2, 1, 1  # a of {a, b, c}: 2 of 4, 3 x .5 = 1.5; {a, c} was never given
    pairs[0, 0], pairs[2, 4] = 9, 9  # alone, or without it: nothing to choose
    assert selection_effect(pairs, members, 0) == pytest.approx(1.5)
    # b: 2 x .25, 2 x 0, 3 x .25
    assert selection_effect(pairs, members, 1) == pytest.approx((0.5 + 0 + 0.75) / 3)
    assert np.isnan(selection_effect(np.zeros((3, 6)), members))


def test_all_definitions_choose_and_not_those_in_the_table_alone() -> None:
    def picks(judge: str, name: str = "hit_rate") -> Any:
        definition = SimpleNamespace(better="high", name=name, aggregation="s/s")
        return SimpleNamespace(selects=judge, definition=definition)

    in_table = [picks("a", "decision_consistency"), picks("a"), picks("b")]
    all_of_them = [*in_table, *(picks("b") for _ in range(4))]
    value = np.array([[0.9, 0.8]] * len(all_of_them))
    resampled = np.broadcast_to(value, (5, *value.shape))
    found: Any = SimpleNamespace(
        value=value, found=SimpleNamespace(replicates=resampled), unknown=np.zeros(len(value), bool)
    )
    choice = choose(("a", "b"), all_of_them, in_table, found, 0.95)
    assert choice.chosen == "b"
    assert choice.selected_by == (2, 5)
    assert choose(("a", "b"), in_table, in_table, found, 0.95).chosen == "a"
    # All that would select one hang on a majority of people that nobody can tell.
    found.unknown[:] = True
    assert choose(("a", "b"), in_table, in_table, found, 0.95).chosen is None
