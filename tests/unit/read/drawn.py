"""Plain tables as people have them, drawn by a seed, each with what it says."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

Counts = dict[tuple[str, str, str], Counter[str]]

SCALES: list[list[str]] = [
    ["yes", "no"],
    ["pass", "fail"],
    ["correct", "incorrect"],
    ["1", "2", "3", "4", "5"],
    ["good", "bad"],
    ["0", "1"],
    ["True", "False"],
    ["relevant", "irrelevant"],
    ["supported", "refuted", "neutral"],
]
HUMANS = ["human", "human_label", "annotator", "human_score", "human_rating", "rater", "humanLabel"]
JUDGES = ["judge", "llm_judge", "judge_label", "gpt-4o-2024-08-06", "judge_score", "gpt4_judge"]
MODELS = ["gpt4", "claude", "llama", "gemini"]
IDS = ["id", "item_id", "example_id", "qid", "item", "uid"]
CRITERIA = ["fluency", "coherence", "safety", "relevance", "tone"]
WORDS = [
    "the",
    "a",
    "model",
    "answer",
    "says",
    "that",
    "it",
    "was",
    "not",
    "in",
    "time",
    "for",
    "so",
]


@dataclass
class Drawn:
    """A table, and its ratings: kind, rater or column, criterion -> counts."""

    shape: str
    columns: dict[str, list[Any]]
    counts: list[tuple[str, Counter[str]]] = field(default_factory=list)
    items: int = 0


def text(draw: random.Random) -> str:
    return " ".join(draw.choices(WORDS, k=draw.randint(9, 30))).capitalize() + "."


def noisy(draw: random.Random, truth: list[str], scale: list[str]) -> list[str]:
    """The truth with errors, more for some raters."""
    wrong = draw.uniform(0.05, 0.35)
    return [draw.choice(scale) if draw.random() < wrong else value for value in truth]


def distractors(draw: random.Random, size: int) -> dict[str, list[Any]]:
    """Columns that are no ratings, and plainly so."""
    every = {
        "prompt": [f"{text(draw)} {n}" for n in range(size)],
        "response": [text(draw) for _ in range(size)],
        "created_at": [f"2025-03-{n % 28 + 1:02d}T10:{n % 60:02d}:00" for n in range(size)],
        "latency_ms": [draw.randint(200, 9000) for _ in range(size)],
        "cost_usd": [round(draw.uniform(0.001, 0.02), 5) for _ in range(size)],
        "topic": [draw.choice(["law", "tax", "health", "sports"]) for _ in range(size)],
        "language": [draw.choice(["en", "de", "fr"]) for _ in range(size)],
        "input_tokens": [draw.randint(20, 2000) for _ in range(size)],
        "comment": [draw.choice(["", text(draw)]) for _ in range(size)],
    }
    chosen = draw.sample(list(every), draw.randint(0, 4))
    return {name: every[name] for name in chosen}


def wide(draw: random.Random, *, humans: int = 1, judges: int = 1) -> Drawn:
    """A column for each rater."""
    size, scale = draw.randint(20, 200), draw.choice(SCALES)
    truth = [draw.choice(scale) for _ in range(size)]
    people = [draw.choice(HUMANS)] if humans == 1 else [f"annotator_{n + 1}" for n in range(humans)]
    if humans > 1 and draw.random() < 0.4:
        people = [f"human{n + 1}" for n in range(humans)]
    models = [f"judge_{name}" for name in draw.sample(MODELS, judges)]
    models = [draw.choice(JUDGES)] if judges == 1 else models
    columns: dict[str, list[Any]] = {}
    if draw.random() < 0.85:
        columns[draw.choice(IDS)] = [f"q{n}" if draw.random() < 2 else n for n in range(size)]
    drawn = Drawn("wide", columns, items=size)
    rated = {}
    for kind, names in (("human", people), ("judge", models)):
        for name in names:
            rated[name] = noisy(draw, truth, scale)
            drawn.counts.append((kind, Counter(rated[name])))
    more = distractors(draw, size)
    parts = [*rated.items(), *more.items()]
    draw.shuffle(parts)
    columns.update(parts)
    return drawn


def criteria(draw: random.Random) -> Drawn:
    """A column for each rater and criterion."""
    size, scale = draw.randint(20, 150), ["1", "2", "3", "4", "5"]
    names = draw.sample(CRITERIA, draw.randint(2, 3))
    columns: dict[str, list[Any]] = {draw.choice(IDS): [f"e{n}" for n in range(size)]}
    drawn = Drawn("criteria", columns, items=size)
    for name in names:
        truth = [draw.choice(scale) for _ in range(size)]
        for kind in ("human", "judge"):
            columns[f"{kind}_{name}"] = noisy(draw, truth, scale)
            drawn.counts.append((kind, Counter(columns[f"{kind}_{name}"])))
    columns.update(distractors(draw, size))
    return drawn


def long(draw: random.Random) -> Drawn:
    """A row for each rating, who rated in a column."""
    size, scale = draw.randint(20, 80), draw.choice(SCALES)
    truth = [draw.choice(scale) for _ in range(size)]
    people = [f"annotator_{n + 1}" for n in range(draw.randint(1, 3))]
    models = draw.sample(
        ["gpt-4o-2024-08-06", "claude-3-opus", "gemini-1.5-pro"], draw.randint(1, 2)
    )
    by, value = draw.choice([("rater", "label"), ("rater", "value"), ("rater", "score")])
    key = draw.choice(["item", "item_id", "id"])
    columns: dict[str, list[Any]] = {key: [], by: [], value: []}
    with_kind = draw.random() < 0.5
    if with_kind:
        people = [f"p{n}" for n in range(len(people))]
        columns["kind"] = []
    drawn = Drawn("long", columns, items=size)
    for kind, names in (("human", people), ("judge", models)):
        for name in names:
            said = noisy(draw, truth, scale)
            columns[key] += [f"i{n}" for n in range(size)]
            columns[by] += [name] * size
            columns[value] += said
            if with_kind:
                columns["kind"] += [kind] * size
            drawn.counts.append((kind, Counter(said)))
    total = len(columns[key])
    columns.update(distractors(draw, total))
    return drawn


def pairs(draw: random.Random) -> Drawn:
    """Who wins of two systems."""
    size, scale = draw.randint(20, 120), ["A", "B", "tie"]
    truth = [draw.choice(scale) for _ in range(size)]
    systems = ["sys-1", "sys-2", "sys-3"]
    sides = [draw.sample(systems, 2) for _ in range(size)]
    columns: dict[str, list[Any]] = {
        "id": [f"b{n}" for n in range(size)],
        "model_a": [one for one, _ in sides],
        "model_b": [other for _, other in sides],
    }
    drawn = Drawn("pairs", columns, items=size)
    for kind, name in (("human", "human_winner"), ("judge", "judge_winner")):
        columns[name] = noisy(draw, truth, scale)
        drawn.counts.append((kind, Counter(columns[name])))
    columns.update(distractors(draw, size))
    return drawn


def scores(draw: random.Random) -> Drawn:
    """Numbers of a person and a judge."""
    size = draw.randint(30, 150)
    truth = [draw.uniform(0, 1) for _ in range(size)]
    columns: dict[str, list[Any]] = {draw.choice(IDS): [f"s{n}" for n in range(size)]}
    drawn = Drawn("scores", columns, items=size)
    for kind, name in (("human", "human_score"), ("judge", "judge_score")):
        said = [f"{min(1, max(0, t + draw.gauss(0, 0.1))):.3f}" for t in truth]
        said = [f"{float(one):g}" for one in said]
        columns[name] = said
        drawn.counts.append((kind, Counter(said)))
    columns.update(distractors(draw, size))
    return drawn


def table(seed: int) -> Drawn:
    """A plain table."""
    draw = random.Random(seed)
    shapes = [
        lambda: wide(draw),
        lambda: wide(draw),
        lambda: wide(draw, judges=draw.randint(2, 4)),
        lambda: wide(draw, humans=draw.randint(2, 3)),
        lambda: wide(draw, humans=2, judges=2),
        lambda: criteria(draw),
        lambda: long(draw),
        lambda: pairs(draw),
        lambda: scores(draw),
    ]
    return draw.choice(shapes)()


def with_trap(seed: int) -> tuple[Drawn, str]:
    """A table with a column beside the ratings that is none of its raters."""
    drawn = table(seed)
    draw = random.Random(seed + 10**6)
    size = len(next(iter(drawn.columns.values())))
    rated = [
        c
        for c in drawn.columns
        if Counter(map(str, drawn.columns[c])) in [n for _, n in drawn.counts]
    ]
    rated = rated or [c for c in ("label", "value", "score") if c in drawn.columns]
    base = drawn.columns[draw.choice(rated)]
    trap = draw.choice(["confidence", "majority", "truth"])
    if trap == "confidence":
        cells: list[Any] = [round(draw.uniform(0.5, 1), 2) for _ in range(size)]
        name = draw.choice(["confidence", "judge_confidence", "prob", "human_confidence"])
    elif trap == "majority":
        cells = [one if draw.random() < 0.95 else draw.choice(base) for one in base]
        name = draw.choice(["majority", "consensus", "majority_vote", "final_label"])
    else:
        cells = [one if draw.random() < 0.8 else draw.choice(base) for one in base]
        name = draw.choice(["label", "expected", "answer_key", "truth2", "correct_label"])
    columns = list(drawn.columns.items())
    columns.insert(draw.randint(0, len(columns)), (name, cells))
    drawn.columns = dict(columns)
    return drawn, f"{trap} {name}"
