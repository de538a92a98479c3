"""Files of the form of JuStRank's published data, made by the project."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import numpy as np

REALIZATIONS = ("Numeric", "Likert")


def write_judge_scores(
    folder: Path, *, systems: int = 8, questions: int = 60, models: int = 2, seed: int = 0
) -> Path:
    """Scores with the published columns; one of them is missing."""
    rng = np.random.default_rng(seed)
    rows = []
    for model in range(models):
        for realization in REALIZATIONS:
            bias = rng.normal(0, 0.3, systems)
            for question in range(questions):
                ease = rng.normal()
                scores = ease - np.arange(systems) / 2 + bias + rng.normal(0, 1, systems)
                if realization == "Likert":
                    scores = np.clip(np.round(scores + 3), 1, 5)
                rows += [
                    (
                        f"q{question:03d}",
                        f"system-{s}",
                        f"model-{model}",
                        realization,
                        float(scores[s]),
                    )
                    for s in range(systems)
                ]
    rows[0] = (*rows[0][:4], float("nan"))
    path = folder / "data" / "test-00000-of-00001.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = duckdb.connect()
    connection.execute(
        "create table scores (arena_hard_question_id varchar, system varchar, "
        "judge_model varchar, judge_realization varchar, judgment_score double)"
    )
    connection.executemany("insert into scores values (?, ?, ?, ?, ?)", rows)
    connection.execute(f"copy scores to '{path}' (format parquet)")
    return path


def write_battles(folder: Path, *, systems: int = 8, battles: int = 1500, seed: int = 1) -> Path:
    """Arena battles with the published fields, some of them outside the English hard subset."""
    rng = np.random.default_rng(seed)
    criteria = (
        "specificity",
        "domain_knowledge",
        "complexity",
        "problem_solving",
        "creativity",
        "technical_accuracy",
        "real_world",
    )
    out = []
    for _ in range(battles):
        a, b = rng.choice(systems + 1, 2, replace=False)  # one system that no judge scored
        won = rng.random() < 1 / (1 + np.exp(-(b - a) / 2))
        winner = "tie (bothbad)" if rng.random() < 0.15 else "model_a" if won else "model_b"
        hard = bool(rng.random() < 0.9)
        out.append(
            {
                "model_a": f"system-{a}",
                "model_b": f"system-{b}",
                "winner": winner,
                "anony": True,
                "language": "English" if rng.random() < 0.9 else "German",
                "dedup_tag": {"high_freq": False, "sampled": bool(rng.random() < 0.95)},
                "category_tag": {"criteria_v0.1": dict.fromkeys(criteria, hard)},
            }
        )
    path = folder / "clean_battle_made_public.json"
    path.write_text(json.dumps(out), encoding="utf-8")
    return path
