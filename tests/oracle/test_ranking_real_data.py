"""The WMT22 and PandaLM ratings, where they are at hand: published figures come out again."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import duckdb
import numpy as np
import pytest
from internals import command_line as run
from internals import read_attributes
from scipy.stats import kendalltau

import goldassay as ga

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("GOLDASSAY_SHARED", ROOT.parent / "shared")) / "data"
EXAMPLES = ROOT / "examples"


def converted(example: str, source: Path, out: Path) -> Path:
    if not source.exists():
        pytest.skip(f"{source} is not here")
    subprocess.run(
        [sys.executable, str(EXAMPLES / example / "convert.py"), str(source), str(out)], check=True
    )
    return out


def verdicts(path: Path, judge: str) -> list[tuple[str, str, str, str]]:
    """(prompt, system, opponent, outcome) of a judge's usable verdicts."""
    with path.open(encoding="utf-8", newline="") as stream:
        return [
            (row["prompt"], row["system"], row["opponent"], row["value"])
            for row in csv.DictReader(stream)
            if row["rater"] == judge and row["value"] != "garbage"
        ]


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert run(["rank", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


@pytest.mark.slow
def test_wmt22(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """System-level tau with MQM over 14 systems, as the data's own notes have them."""
    ratings = converted("rank_wmt22", DATA / "wmt22_zhen_gemba", tmp_path / "ratings.parquet")
    found = document(
        capsys,
        str(ratings),
        "--task",
        str(EXAMPLES / "rank_wmt22" / "task.toml"),
        "--judges",
        str(EXAMPLES / "rank_wmt22" / "judges.csv"),
        "--resamples",
        "100",
    )
    results: list[dict[str, object]] = found["results"]  # type: ignore[assignment]
    taus = {
        r["judge"]: r["value"]
        for r in results
        if r["name"] == "kendall_tau" and r["aggregation"] == "mean"
    }
    assert len(taus) == 32
    for judge, tau in (
        ("GPT4-Stars-refA", 0.780),
        ("COMET-22-refA", 0.736),
        ("BLEU-refA", 0.275),
        ("Bab-Classes-refA", -0.442),
    ):
        assert taus[judge] == pytest.approx(tau, abs=5e-4)
    assert min(taus, key=lambda judge: taus[judge]) == "Bab-Classes-refA"  # type: ignore[arg-type,return-value]
    assert found["rows"] == {"read": 1_106_250, "used": 1_102_593, "excluded": 3_657}
    tables: dict[str, object] = found["tables"]  # type: ignore[assignment]
    assert {"judges", "behaviour", "factors", "levels"} <= set(tables)


def test_wmt22_by_domain(tmp_path: Path) -> None:
    """Tau of a judge and two metrics within each domain of the texts, from the file's own rows."""
    ratings = converted("rank_wmt22", DATA / "wmt22_zhen_gemba", tmp_path / "ratings.parquet")
    judges = ["GPT4-Stars-refA", "COMET-22-refA", "BLEU-refA"]
    task = str(EXAMPLES / "rank_wmt22" / "task.toml")
    found = ga.rank(
        str(ratings),
        task,
        only={"rater": [*judges, "MQM"]},
        by=["domain"],
        aggregation=["mean"],
        resamples=60,
    )
    query = (
        "select domain, rater, system, avg(try_cast(value as double)) as mean from "
        f"'{ratings}' where rater in ('MQM', {str(judges)[1:-1]}) group by all"
    )
    means: dict[tuple[str, str], dict[str, float]] = {}
    for domain, rater, system, mean in duckdb.sql(query).fetchall():
        means.setdefault((domain, rater), {})[system] = mean
    domains = {domain for domain, _ in means}
    assert domains == {"conversation", "ecommerce", "news", "social"}
    for domain in domains:
        people = means[domain, "MQM"]
        for judge in judges:
            pairs = [(means[domain, judge][system], people[system]) for system in people]
            by_hand = kendalltau(*zip(*pairs, strict=True)).statistic
            (row,) = found.rows_where(name="kendall_tau", judge=judge, domain=domain)
            assert row.result.value == pytest.approx(by_hand)  # type: ignore[union-attr]


def test_pandalm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ratings = converted("rank_pandalm", DATA / "pandalm" / "data", tmp_path / "ratings.csv")
    found = document(
        capsys,
        str(ratings),
        "--task",
        str(EXAMPLES / "rank_pandalm" / "task.toml"),
        "--resamples",
        "200",
    )
    assert found["rows"] == {"read": 4_995, "used": 4_970, "excluded": 25}
    results: list[dict[str, object]] = found["results"]  # type: ignore[assignment]
    taus = {r["judge"]: r["value"] for r in results if r["name"] == "kendall_tau"}
    assert taus == {"gpt-3.5-turbo": pytest.approx(0.8), "pandalm-7b": pytest.approx(0.8)}


def test_pandalm_with_both_rules_of_ties(tmp_path: Path) -> None:
    """Win rates in which a tie is no win, beside Bradley-Terry with ties by half."""
    ratings = converted("rank_pandalm", DATA / "pandalm" / "data", tmp_path / "ratings.csv")
    task = str(EXAMPLES / "rank_pandalm" / "task.toml")
    judge = "pandalm-7b"
    both = ga.rank(str(ratings), task, win_rate_ties="class", judge=[judge], resamples=60)
    half = ga.rank(str(ratings), task, judge=[judge], resamples=60)
    won: Counter[str] = Counter()
    met: Counter[str] = Counter()
    for _, one, two, outcome in verdicts(ratings, judge):
        met.update([one, two])
        won.update([one] if outcome == "first" else [two] if outcome == "second" else [])

    def scores(found: ga.Findings, by: str) -> dict[str, float]:
        rows = found.rows_where(name="system_score", judge=judge, aggregation=by)
        return {str(row.about["system"]): row.result.value for row in rows}  # type: ignore[union-attr]

    assert scores(both, "win_rate") == pytest.approx({name: won[name] / met[name] for name in met})
    assert scores(both, "win_rate") != pytest.approx(scores(half, "win_rate"))
    assert scores(both, "bradley_terry") == scores(half, "bradley_terry")


def test_pandalm_with_a_jury(tmp_path: Path) -> None:
    """Both judges' verdicts counted together make the jury's win rates, and so its tau."""
    ratings = converted("rank_pandalm", DATA / "pandalm" / "data", tmp_path / "ratings.csv")
    task = str(EXAMPLES / "rank_pandalm" / "task.toml")
    asked = {"jury": ["both=pandalm-7b,gpt-3.5-turbo"], "aggregation": ["win_rate"]}
    found = ga.rank(str(ratings), task, judge=["both"], resamples=60, **asked)
    won: Counter[str] = Counter()
    met: Counter[str] = Counter()
    for judge in ("pandalm-7b", "gpt-3.5-turbo"):
        for _, one, two, outcome in verdicts(ratings, judge):
            met.update([one, two])
            won[one] += {"first": 2, "tie": 1, "second": 0}[outcome]
            won[two] += {"first": 0, "tie": 1, "second": 2}[outcome]
    rows = found.rows_where(name="system_score", judge="both", aggregation="win_rate")
    scores = {str(row.about["system"]): row.result.value for row in rows}  # type: ignore[union-attr]
    assert scores == pytest.approx({name: won[name] / met[name] / 2 for name in met})
    (tau,) = found.rows_where(name="kendall_tau", judge="both")
    (gain,) = found.rows_where(name="jury_gain", judge="both")
    assert gain.result.value == pytest.approx(tau.result.value - 0.8)  # type: ignore[union-attr]


def test_pandalm_has_too_few_systems_to_explain_bias_by_the_texts(tmp_path: Path) -> None:
    """Attributes of the texts beside item effects, by dummies; five systems do not tell a slope."""
    folder = DATA / "pandalm" / "data"
    ratings = converted("rank_pandalm", folder, tmp_path / "ratings.csv")
    tests = json.loads((folder / "testset-v1.json").read_text(encoding="utf-8"))
    texts = tmp_path / "texts.csv"
    rows = []
    for test in tests:
        names = test["cmp_key"].split("_")
        rows += [(str(test["idx"]), s, str(test[f"response{i + 1}"])) for i, s in enumerate(names)]
    with texts.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([("item", "system", "text"), *rows])
    systems = sorted({system for _, system, _ in rows})
    found = read_attributes(str(texts), systems)
    design = np.zeros((len(rows), len(tests) + len(systems)))
    for n, (item, system, _) in enumerate(rows):
        design[n, int(item)] = design[n, len(tests) + systems.index(system)] = 1
    length = np.log2([1 + len(text) for _, _, text in rows])
    effects = np.linalg.lstsq(design, length, rcond=None)[0][len(tests) :]
    assert found.levels[0] == pytest.approx(effects - effects.mean())
    task = str(EXAMPLES / "rank_pandalm" / "task.toml")
    asked = ga.rank(str(ratings), task, texts=str(texts), resamples=60)
    (said,) = (one for one in (*asked.answer, *asked.notes) if one.key == "rank.style")
    assert said.text.endswith(
        "cannot be told: 5 systems have texts and win rates by people; it takes 6."
    )
