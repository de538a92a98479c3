"""The published data of the JuStRank study, from local copies of its files.

Judge scores: the dataset `ibm-research/justrank_judge_scores` (Parquet; columns
arena_hard_question_id, system, judge_model, judge_realization, judgment_score). Human battles: the
Chatbot Arena file `clean_battle_20240814_public.json`, or any JSON, JSONL, CSV or Parquet file with
model_a, model_b and winner.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from goldassay.errors import SourceError, listed
from goldassay.sources.engine import queried, quoted

__all__ = ["arena_battles", "judge_scores"]

SCORES = ("arena_hard_question_id", "system", "judge_model", "judge_realization", "judgment_score")
#: The seven marks of a prompt; the Arena's "hard prompts" have at least six.
CRITERIA = (
    "specificity",
    "domain_knowledge",
    "complexity",
    "problem_solving",
    "creativity",
    "technical_accuracy",
    "real_world",
)
HARD = 6


def judge_scores(connection: Any, path: Path) -> Any:
    """Judge scores as a ratings table; a missing score is an invalid rating, never dropped."""
    relation = connection.sql(f"select * from {_scan(path)}")
    missing = [name for name in SCORES if name not in relation.columns]
    if missing:
        raise SourceError(
            str(path),
            f"JuStRank's judge scores have the columns {', '.join(SCORES)}",
            found=listed(relation.columns),
        )
    score = "try_cast(judgment_score as double)"
    return queried(
        relation,
        lambda rows: (
            "select arena_hard_question_id as item, system, "
            "judge_model || ' (' || judge_realization || ')' as rater, 'judge' as kind, "
            f"case when {score} is null or isnan({score}) then 'None' "
            f"else cast({score} as varchar) end as value, "
            f"judge_model as model, judge_realization as realization from {rows}"
        ),
    )


def arena_battles(connection: Any, path: Path) -> Any:
    """Battles as gold (system, opponent, winner): English hard prompts, one vote per duplicate.

    Where the file has the Arena's own columns `anony`, `dedup_tag`, `language` and `category_tag`
    its rules apply: anonymous battles, sampled duplicates, English, six of the seven criteria.
    """
    relation = connection.sql(f"select * from {_scan(path)}")
    names = set(relation.columns)
    if not {"model_a", "model_b", "winner"} <= names:
        raise SourceError(
            str(path),
            "battles have the columns model_a, model_b, winner",
            found=listed(relation.columns),
        )
    rules = []
    if "anony" in names:
        rules.append("anony")
    if "dedup_tag" in names:
        rules.append("dedup_tag.sampled")
    if "language" in names:
        rules.append("language = 'English'")
    if "category_tag" in names:
        marks = " + ".join(f'category_tag."criteria_v0.1".{one}::int' for one in CRITERIA)
        rules.append(f"coalesce({marks}, 0) >= {HARD}")
    where = f" where {' and '.join(rules)}" if rules else ""
    return queried(
        relation,
        lambda rows: (
            "select model_a as system, model_b as opponent, "
            "case winner when 'model_a' then model_a "
            f"when 'model_b' then model_b else 'tie' end as winner from {rows}{where}"
        ),
    )


def _scan(path: Path) -> str:
    """DuckDB's table function for a file, or for the split `test` in a folder's Parquet files."""
    if path.is_dir():
        files = [one for one in sorted(path.rglob("*.parquet")) if not one.name.startswith(".")]
        files = [one for one in files if one.name.startswith("test-")] or files
        if not files:
            raise SourceError(str(path), "has no Parquet file")
        return f"read_parquet([{', '.join(quoted(str(one)) for one in files)}])"
    name = quoted(str(path))
    if path.suffix == ".parquet":
        return f"read_parquet({name})"
    if path.suffix in (".json", ".jsonl", ".ndjson"):
        return f"read_json({name})"
    return f"read_csv({name})"
