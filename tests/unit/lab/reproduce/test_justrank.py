"""The paper's own figures from its printed tables, and the tables from data of the same form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from lookup import some

from goldassay.errors import SourceError
from goldassay.lab.reproduce.justrank import (
    PRINTED_EFFECTS,
    PRINTED_WIN_RATES,
    published,
    reproduce,
)
from goldassay.questions.rank.anova import SumsOfSquares, anova
from goldassay.questions.rank.ask import rank
from goldassay.results import Estimate
from goldassay.sources.importers import import_table
from tests.support.justrank_files import write_battles, write_judge_scores


def test_the_printed_tables_are_whole() -> None:
    assert len(published(2)) == 159
    assert len(published(4)) == 48
    # The tau of table 4 is that of table 2 by Bradley-Terry.
    by_judge = {(r["model"], r["realization"]): float(r["tau"]) for r in published(4)}
    for row in some(row for row in published(2) if row["aggregation"] == "bradley_terry"):
        judge = row["model"], row["realization"]
        assert by_judge[judge] == pytest.approx(float(row["tau"]), abs=2e-3)


def test_appendix_d() -> None:
    found = reproduce(quick=True, seed=0, data=None)
    rows = {row[0]: row for row in found.tables["appendix_d"].rows}
    for term, (f, eta) in PRINTED_EFFECTS.items():
        assert rows[term][4] == pytest.approx(eta, abs=0.006)
        if f is not None:
            assert rows[term][2] == pytest.approx(f, abs=0.09)  # model: 36.08, printed 36.0
    means = {row[0]: row[1:3] for row in found.tables["realizations"].rows}
    printed = {
        "Numeric": (0.75, 0.06),
        "Likert": (0.74, 0.07),
        "Anchor": (0.71, 0.07),
        "TokenProbs": (0.68, 0.13),
    }
    for name, values in printed.items():
        assert means[name] == pytest.approx(values, abs=0.0051)


def test_the_paper_has_type_iii_and_the_user_may_have_either() -> None:
    """Medians exist for one realization only: with these empty cells the types differ."""
    rows = [row for row in published(2) if row["realization"] != "Reward"]
    factors = {name: [r[name] for r in rows] for name in ("model", "realization", "aggregation")}
    found: dict[str, dict[str, tuple[int, float]]] = {}
    types: tuple[SumsOfSquares, ...] = ("II", "III")
    for kind in types:
        table = anova(
            [float(r["tau"]) for r in rows],
            factors,
            sums_of_squares=kind,
            interactions=["model:realization", "realization:aggregation"],
        )
        assert table is not None
        found[kind] = {effect.term: (effect.degrees, effect.f) for effect in table.effects}
    assert found["II"]["model"] == (9, pytest.approx(37.13, abs=0.005))
    assert found["III"]["model"] == (9, pytest.approx(36.08, abs=0.005))
    for kind in types:  # the rest is alike
        assert found[kind]["realization"] == (3, pytest.approx(26.59, abs=0.005))
        assert found[kind]["aggregation"] == (3, pytest.approx(0.41, abs=0.005))
        assert found[kind]["model:realization"] == (27, pytest.approx(10.10, abs=0.005))


def test_section_6_3() -> None:
    found = reproduce(quick=True, seed=0, data=None)
    for _, ours, paper in found.tables["section_6_3"].rows:
        assert ours == pytest.approx(paper, abs=0.005)


def test_without_data_it_says_what_to_fetch() -> None:
    found = reproduce(quick=True, seed=0, data=None)
    assert "justrank_judge_scores" in found.warnings[0]
    assert "table_2" not in found.tables


def test_tables_from_data_of_the_same_form(tmp_path: Path) -> None:
    write_judge_scores(tmp_path)
    write_battles(tmp_path, battles=3000)
    found = reproduce(quick=True, seed=0, data=tmp_path)
    table = found.tables["table_2"].rows
    assert len(table) >= 4 * 3  # Likert medians may tie all systems
    assert table == tuple(sorted(table, key=lambda row: -row[3]))
    assert all(0.5 < row[3] <= 1 for row in some(row for row in table if row[2] == "mean"))
    assert len(found.tables["table_4"].rows) == 4
    assert all(np.isfinite(row[3]) for row in found.tables["table_4"].rows)
    assert "8 systems of which 8 have Arena battles" in found.answer[-1]


def test_appendix_e_from_data_of_the_same_form(tmp_path: Path) -> None:
    """Over six judges: tau with the share of pairs that have people's winner."""
    write_judge_scores(tmp_path, models=3)
    write_battles(tmp_path, battles=3000)
    tables = reproduce(quick=True, seed=0, data=tmp_path).tables
    rows = {(row[1], row[0]): row[2:] for row in tables["appendix_e"].rows}
    assert {key: printed for key, (_, printed) in rows.items()} == PRINTED_WIN_RATES
    scores, battles = tmp_path / "scores.parquet", tmp_path / "battles.parquet"
    import_table("justrank", tmp_path / "data", scores)
    import_table("arena-battles", tmp_path / "clean_battle_made_public.json", battles)
    task = {"scale": "continuous", "invalid": ["None"]}
    found = rank(scores, task, gold=str(battles), resamples=50)
    for trait in ("win_rate_accuracy", "win_rate_mse"):
        values = {row.about["judge"]: row.result for row in found.rows_where(name=trait)}
        taus = {
            row.about["judge"]: row.result
            for row in found.rows_where(name="kendall_tau", aggregation="mean")
        }
        both = [(taus[one].value, values[one].value) for one in taus]  # type: ignore[union-attr]
        by_hand = np.corrcoef(np.array(both).T)[0, 1]
        assert rows["mean", trait][0] == pytest.approx(by_hand, abs=6e-4)
        (row,) = found.rows_where(name="trait_correlation", traits=f"kendall_tau, {trait}")
        assert row.result.value == pytest.approx(by_hand)  # type: ignore[union-attr]
    assert "traits" in found.tables


def test_one_run_of_rank_has_both_rules_of_ties(tmp_path: Path) -> None:
    """Half a win for Bradley-Terry and none for the win rate: the command gives the paper's tau."""
    write_judge_scores(tmp_path)
    write_battles(tmp_path, battles=3000)
    tables = reproduce(quick=True, seed=0, data=tmp_path).tables
    scores, battles = tmp_path / "scores.parquet", tmp_path / "battles.parquet"
    import_table("justrank", tmp_path / "data", scores)
    import_table("arena-battles", tmp_path / "clean_battle_made_public.json", battles)
    task = {"scale": "continuous", "invalid": ["None"], "ties": "half"}
    found = rank(scores, task, gold=str(battles), win_rate_ties="class", resamples=50)
    ours = {
        (str(row.about["judge"]), str(row.about["aggregation"])): row.result.value
        for row in found.rows_where(name="kendall_tau")
        if isinstance(row.result, Estimate)
    }
    assert {key: round(tau, 3) for key, tau in ours.items()} == {
        (f"{model} ({how})", by): tau for model, how, by, tau, _ in tables["table_2"].rows
    }
    for judge, tau, _, shape, _, delta, _ in tables["table_4"].rows:
        assert round(ours[judge, "bradley_terry"], 3) == tau
        for name, value in (("decisiveness", shape), ("bias_delta", delta)):
            (row,) = found.rows_where(name=name, judge=judge)
            assert isinstance(row.result, Estimate)
            assert round(row.result.value, 3) == value


def test_data_without_battles_is_refused(tmp_path: Path) -> None:
    write_judge_scores(tmp_path)
    with pytest.raises(SourceError, match="no file like"):
        reproduce(quick=True, seed=0, data=tmp_path)
