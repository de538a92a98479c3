"""Gera et al. (2025), "JuStRank: Benchmarking LLM Judges for System Ranking".

From the paper's printed tables: table 1, the analysis of variance and Tukey's comparisons of
appendix D, and the correlations of section 6.3. With the published judge scores and Arena battles
(`--data FOLDER`): tables 1, 2 and 4 and the correlations of appendix E.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from goldassay.counts import count_scores, read_gold
from goldassay.errors import SourceError
from goldassay.inference.draw import stream
from goldassay.questions.rank.aggregation import AGGREGATIONS, Aggregation
from goldassay.questions.rank.anova import anova, tukey_hsd
from goldassay.questions.rank.contest import contest_of_scores
from goldassay.questions.rank.drivers import trait_correlations, trait_values
from goldassay.questions.rank.gold import PairRules, given_gold, gold_of
from goldassay.questions.rank.judged import Ranker, Settings
from goldassay.questions.rank.record import Judged, value_of
from goldassay.questions.rank.resampling import Draw
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.results import Gathered, Table
from goldassay.sources.importers import import_table

__all__ = ["PRINTED_EFFECTS", "PRINTED_WIN_RATES", "published", "reproduce"]

#: Appendix D: F and partial eta squared as printed.
PRINTED_EFFECTS = {
    "model": (36.0, 0.81),
    "realization": (26.6, 0.51),
    "model:realization": (10.1, 0.78),
    "aggregation": (None, 0.02),
}
#: Section 6.3: correlations as printed.
PRINTED_CORRELATIONS = {
    ("kendall_tau", "decisiveness"): 0.55,
    ("kendall_tau", "bias_delta"): -0.56,
    ("decisiveness", "bias_delta"): -0.07,
}
#: Appendix E: correlations over judges of tau with the agreement of win rates, as printed.
PRINTED_WIN_RATES: Mapping[tuple[Aggregation, str], float] = {
    ("bradley_terry", "win_rate_accuracy"): 0.96,
    ("mean", "win_rate_accuracy"): 0.79,
    ("bradley_terry", "win_rate_mse"): -0.19,
    ("mean", "win_rate_mse"): -0.07,
}
MIN_BATTLES = 10
FETCH = (
    "Tables 2 and 4 and Appendix E need the published data: put the Parquet files of "
    "ibm-research/justrank_judge_scores and the Chatbot Arena file "
    "clean_battle_20240814_public.json in one folder and give it as --data."
)


def published(table: int) -> list[dict[str, str]]:
    """The rows of table 2 or 4 as printed in the paper."""
    path = Path(__file__).with_name(f"justrank_table_{table}.csv")
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def reproduce(*, quick: bool, seed: int, data: Path | None) -> Gathered:
    """What the printed tables give, and the tables themselves from the published data."""
    del quick, seed  # nothing here is drawn at random
    findings = Gathered()
    rows = published(2)
    _table_1(findings, rows, "the paper's table 2")
    _appendix_d(findings, rows)
    _section_6_3(findings)
    if data is None:
        findings.warnings.append(FETCH)
    else:
        _from_data(findings, data)
    return findings


def _table_1(findings: Gathered, rows: Sequence[dict[str, str]], source: str) -> None:
    best: dict[str, dict[str, str]] = {}
    for row in rows:
        if row["model"] not in best or float(row["tau"]) > float(best[row["model"]]["tau"]):
            best[row["model"]] = row
    top = sorted(best.values(), key=lambda row: -float(row["tau"]))[:10]
    findings.tables[f"table_1:{source}"] = Table(
        f"Table 1: top ten judges, best realization and aggregation of each model ({source})",
        ("model", "realization", "aggregation", "tau"),
        tuple((r["model"], r["realization"], r["aggregation"], float(r["tau"])) for r in top),
    )


def _appendix_d(findings: Gathered, rows: Sequence[dict[str, str]]) -> None:
    """The ANOVA that the printed F, eta squared and degrees of freedom point to."""
    judges = [row for row in rows if row["realization"] != "Reward"]
    taus = [float(row["tau"]) for row in judges]
    factors = {
        name: [row[name] for row in judges] for name in ("model", "realization", "aggregation")
    }
    interactions = ["model:realization", "realization:aggregation"]
    # SPSS, which the paper used, takes type III unless told otherwise.
    table = anova(taus, factors, interactions=interactions, sums_of_squares="III")
    assert table is not None
    lines = []
    for effect in table.effects:
        f, eta = PRINTED_EFFECTS.get(effect.term, (None, None))
        lines.append(
            (
                effect.term,
                effect.degrees,
                round(effect.f, 2),
                f,
                round(effect.partial_eta_squared, 3),
                eta,
            )
        )
    findings.tables["appendix_d"] = Table(
        "Appendix D: analysis of variance of the LLM judges' tau",
        ("factor", "degrees", "F", "paper's F", "partial eta squared", "paper's"),
        tuple(lines),
        (
            f"{table.n} rows of table 2, {table.error_degrees} degrees of freedom for the error, "
            "type III sums of squares (the default of SPSS, which the paper used). The paper does "
            "not give its model; this one, with the interactions model:realization and "
            "realization:aggregation, gives its figures.",
        ),
    )
    groups = {
        name: [tau for tau, row in zip(taus, judges, strict=True) if row["realization"] == name]
        for name in ("Numeric", "Likert", "Anchor", "TokenProbs")
    }
    findings.tables["realizations"] = Table(
        "Appendix D: mean and standard deviation of tau by realization",
        ("realization", "mean", "standard deviation", "rows"),
        tuple(
            (name, round(float(np.mean(v)), 3), round(float(np.std(v, ddof=1)), 3), len(v))
            for name, v in groups.items()
        ),
    )
    pairs = tukey_hsd(
        groups, mean_square_error=table.mean_square_error, error_degrees=table.error_degrees
    )
    findings.tables["tukey"] = Table(
        "Appendix D: Tukey's honestly significant differences between realizations",
        ("realizations", "difference in tau", "p", "p without correction"),
        tuple(
            (f"{p.one} - {p.two}", round(p.difference, 3), f"{p.p:.2g}", f"{p.p_alone:.2g}")
            for p in pairs
        ),
        (
            "The paper has p-values of at most .002 for Numeric and for Likert against Anchor and "
            "against TokenProbs. Of these four, Anchor against Likert is above it, unless the "
            "correction for many comparisons is left out.",
        ),
    )
    realization = next(e for e in table.effects if e.term == "realization")
    findings.answer.append(
        "How a judge is asked (its realization) moves tau, by the printed table 2: "
        f"F = {realization.f:.1f}, partial eta squared "
        f"{realization.partial_eta_squared:.2f} (the paper: 26.6 and 0.51)."
    )


def _section_6_3(findings: Gathered) -> None:
    rows = published(4)
    names = {"kendall_tau": "tau", "decisiveness": "decisiveness", "bias_delta": "bias_delta"}
    found = trait_correlations(
        {name: np.array([float(row[key]) for row in rows]) for name, key in names.items()}
    )
    findings.tables["section_6_3"] = Table(
        "Section 6.3: correlations of the judges' traits, from the printed table 4",
        ("traits", "r", "paper's r"),
        tuple(
            (f"{a}, {b}", round(r, 3), PRINTED_CORRELATIONS[a, b])
            for (a, b), (r, _) in found.items()
        ),
    )
    findings.answer.append(
        "By the printed table 4, more decisive judges have a higher tau and more biased ones a "
        f"lower one: correlations {found['kendall_tau', 'decisiveness'][0]:.2f} and "
        f"{found['kendall_tau', 'bias_delta'][0]:.2f} (the paper: 0.55 and -0.56)."
    )


def _from_data(findings: Gathered, folder: Path) -> None:
    """Tables 1, 2 and 4 from the published scores and battles."""
    import tempfile

    with tempfile.TemporaryDirectory() as scratch:
        scores, battles = Path(scratch) / "scores.parquet", Path(scratch) / "battles.parquet"
        import_table("justrank", _only(folder, ("*.parquet", "**/*.parquet"), many=True), scores)
        import_table("arena-battles", _only(folder, ("*battle*.json", "*battle*.csv")), battles)
        ratings = read_ratings(scores, Task(scale="continuous", invalid=("None",)))
        contest = contest_of_scores(count_scores(ratings))
        gold_file = read_gold(battles)
    draw = Draw(np.ones((1, contest.n_clusters)), contest.n_prompts, 0.95)
    given = given_gold(gold_file, contest.systems)
    rules = PairRules("half", MIN_BATTLES)
    gold = gold_of(contest, given, draw, rules, partial(stream, 0))
    assert gold is not None
    gold = replace(gold, resampled_scores=None, resampled_rates=None)  # as the paper: as given
    # The paper's rules: ties are half a win for Bradley-Terry and no win for the win rate.
    settings = Settings(AGGREGATIONS, "class", "half", intervals=False)
    ranker = Ranker(contest, gold, draw, settings)
    judged = [ranker.judge(index) for index in range(len(contest.judges))]
    _tables_2_and_4(findings, judged)
    _appendix_e(findings, judged)
    common = int((~np.isnan(gold.scores)).sum())
    pairs = int((~np.isnan(gold.rates)).sum())
    findings.answer.append(
        f"From the data: {len(contest.judges)} judges, {len(contest.systems)} systems of which "
        f"{common} have Arena battles (the paper: 59), {pairs} pairs of systems (the paper: 968)."
    )


def _only(folder: Path, patterns: Sequence[str], *, many: bool = False) -> Path:
    for pattern in patterns:
        found = sorted(folder.glob(pattern))
        if found:
            return folder if many else found[0]
    raise SourceError(str(folder), f"has no file like {patterns[0]}", next_step=FETCH)


def _tables_2_and_4(findings: Gathered, judged: Sequence[Judged]) -> None:
    printed = {
        _key(row["model"], row["realization"], row["aggregation"]): float(row["tau"])
        for row in published(2)
    }
    rows: list[dict[str, str]] = []
    table_2: list[tuple[Any, ...]] = []
    for one in judged:
        model, _, realization = one.name.rpartition(" (")
        realization = realization.removesuffix(")")
        for by in one.aggregated:
            tau = value_of(one.tau(by))
            if tau is not None:
                key = _key(model, realization, by)
                table_2.append((model, realization, by, round(tau, 3), printed.get(key)))
                rows.append(
                    {"model": model, "realization": realization, "aggregation": by, "tau": f"{tau}"}
                )
    _table_1(findings, rows, "computed")
    findings.tables["table_2"] = Table(
        "Table 2: judges by ranking performance",
        ("model", "realization", "aggregation", "tau", "paper's tau"),
        tuple(sorted(table_2, key=lambda row: -row[3])),
    )
    traits = {_key(row["model"], row["realization"]): row for row in published(4)}
    table_4: list[tuple[Any, ...]] = []
    for one in judged:
        model, _, realization = one.name.rpartition(" (")
        paper = traits.get(_key(model, realization), {})
        cells: list[Any] = [one.name]
        for name, value in (
            ("tau", value_of(one.tau("bradley_terry"))),
            ("decisiveness", value_of(one.decisiveness)),
            ("bias_delta", value_of(one.bias_delta)),
        ):
            cells += [None if value is None else round(value, 3), _number(paper.get(name))]
        table_4.append(tuple(cells))
    findings.tables["table_4"] = Table(
        "Table 4: tau (Bradley-Terry), decisiveness and bias of the judges",
        ("judge", "tau", "paper's", "decisiveness", "paper's", "bias delta", "paper's"),
        tuple(sorted(table_4, key=lambda row: -(row[1] or -2))),
    )


def _appendix_e(findings: Gathered, judged: Sequence[Judged]) -> None:
    """Correlations of tau with the accuracy and error of win rates."""
    rows = []
    for (by, trait), printed in PRINTED_WIN_RATES.items():
        found = trait_correlations(trait_values(judged, by)).get(("kendall_tau", trait))
        rows.append((trait, by, None if found is None else round(found[0], 3), printed))
    findings.tables["appendix_e"] = Table(
        "Appendix E: correlations of tau with the agreement of win rates, over the judges",
        ("win rates", "tau by", "r", "paper's r"),
        tuple(rows),
    )


def _number(text: str | None) -> float | None:
    return None if text is None else float(text)


def _key(*parts: str) -> str:
    """Names compared by their letters and digits only."""
    return "|".join("".join(c for c in part.casefold() if c.isalnum()) for part in parts)
