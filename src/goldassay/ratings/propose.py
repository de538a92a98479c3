"""Draft a task file for a table that has none: for a person to read and correct, never to trust."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import narwhals as nw

from goldassay.errors import RatingsError, listed
from goldassay.ratings.fetch import fetch
from goldassay.sources.frames import Source, open_source

__all__ = ["Proposal", "propose"]

#: Names that other tools give to goldassay's columns, in order of preference.
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "item": (
        "item_id",
        "example_id",
        "example",
        "id",
        "question_id",
        "task_id",
        "idx",
        "index",
        "sample_id",
        "uid",
        "qid",
        "doc_id",
        "segment_id",
    ),
    "rater": (
        "annotator",
        "annotator_id",
        "rater_id",
        "judge",
        "worker",
        "worker_id",
        "labeler",
        "evaluator",
        "user",
        "user_id",
        "grader",
        "scorer",
        "model",
    ),
    "value": (
        "label",
        "verdict",
        "rating",
        "answer",
        "annotation",
        "grade",
        "score",
        "preference",
        "winner",
        "judgement",
        "judgment",
        "choice",
        "response",
    ),
    "kind": ("rater_type", "source", "type", "annotator_type"),
    "criterion": ("rubric", "dimension", "aspect", "metric", "question"),
    "system": ("model_id", "model_name", "system_id", "candidate", "model_a", "system_a"),
    "opponent": ("model_b", "system_b", "baseline"),
    "prompt": ("prompt_id", "conversation_id", "thread", "dialogue_id"),
}
#: Columns that name judges, and parts of names that judges have.
JUDGES = ("judge", "evaluator", "grader", "scorer", "model")
JUDGE_WORDS = ("judge", "gpt", "llm", "model", "claude", "gemini", "auto", "llama")
ABSTAIN = {
    "cannot_assess",
    "cannot assess",
    "n/a",
    "na",
    "unsure",
    "not sure",
    "don't know",
    "unknown",
    "abstain",
    "skip",
    "can't tell",
    "cannot tell",
}
INVALID = {"none", "nan", "null", "error", "invalid", "garbage", "parse_error", "unparsable", "-1"}
POSITIVE = (
    "yes",
    "true",
    "1",
    "met",
    "pass",
    "passed",
    "correct",
    "good",
    "positive",
    "toxic",
    "unsafe",
    "harmful",
    "relevant",
    "acceptable",
)
#: Grades of inspect_ai, worst first: incorrect, partly, correct. N is "no answer", by the system.
GRADES = ("I", "P", "C")
TIES = {"tie", "draw", "equal", "both", "c", "same", "0"}
CLUSTERS = ("cluster", "prompt", "thread", "document", "conversation", "session")
MANY = 100


@dataclass
class Proposal:
    """A drafted task and the doubts to put before a person."""

    task: dict[str, Any]
    doubts: list[str] = field(default_factory=list)

    def to_toml(self) -> str:
        """TOML with the doubts as comments."""
        lines = ["# Drafted by `goldassay check`. Read every line: it says what the numbers mean."]
        lines += [f"# ? {doubt}" for doubt in self.doubts]
        lines.append("")
        tables = []
        for key, value in self.task.items():
            if isinstance(value, dict):
                tables += [
                    "",
                    f"[{key}]",
                    *(f"{json.dumps(k)} = {json.dumps(v)}" for k, v in value.items()),
                ]
            else:
                lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
        return "\n".join(lines + tables) + "\n"


def propose(source: Any) -> Proposal:
    """Look at a table's columns and labels and draft the task they suggest."""
    opened = open_source(source)
    proposal = Proposal({})
    columns, several = _columns(opened, proposal)
    if several:
        opened = open_source(source, several)
    if "kind" not in columns and {"rater", "value"} <= set(columns):
        _kinds(opened, columns["rater"], several, proposal)
    wide = _wide(opened, columns, proposal) if "value" not in columns else {}
    if wide:
        labels = sorted(set().union(*wide.values()))
    elif "value" in columns:
        labels = _labels(opened, columns["value"])
    else:
        raise RatingsError(
            opened.name,
            f"no column looks like the ratings; its columns are {listed(opened.columns)}",
            next_step='Write a task file with [columns] value = "..." or [wide] human = ["..."]',
        )
    _scale(labels, "opponent" in columns, proposal)
    _clusters(opened, columns, proposal)
    # Scalars first, then tables, as TOML wants them.
    ordered = {k: v for k, v in proposal.task.items() if not isinstance(v, dict)}
    tables = {k: v for k, v in proposal.task.items() if isinstance(v, dict)}
    renamed: dict[str, Any] = {o: theirs for o, theirs in columns.items() if o != theirs}
    renamed |= {o: t[0] if len(t) == 1 else list(t) for o, t in several.items()}
    if renamed:
        tables["columns"] = renamed
    proposal.task = {**ordered, **tables}
    return proposal


def _columns(
    opened: Source, proposal: Proposal
) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """goldassay's column -> the file's column; of several files, the names that differ apart."""
    if not opened.parts:
        found = _guessed(opened.columns)
        _ask({ours: (theirs,) for ours, theirs in found.items()}, proposal)
        if "kind" not in found and "value" in found:
            proposal.task["constants"] = {"kind": "human"}
        return found, {}
    each = [_guessed(columns) for _, columns in opened.parts]
    # A file may lack what only some tables have; then it keeps the name that it has there.
    shared = [ours for ours in SYNONYMS if all(ours in one for one in each)]
    names = {ours: tuple(dict.fromkeys(one[ours] for one in each)) for ours in shared}
    _ask(names, proposal)
    found = {ours: ours for ours in (*shared, *SYNONYMS) if ours in (*shared, *opened.columns)}
    several = {
        ours: tuple(name for name in theirs if name != ours)
        for ours, theirs in names.items()
        if theirs != (ours,)
    }
    return found, several


def _guessed(columns: Sequence[str]) -> dict[str, str]:
    """goldassay's column -> the column of one file that its name suggests."""
    found: dict[str, str] = {}
    lower = {name.casefold(): name for name in columns}
    for ours, others in SYNONYMS.items():
        for name in (ours, *others):
            if name in lower and lower[name] not in found.values():
                found[ours] = lower[name]
                break
    return found


def _ask(names: Mapping[str, Sequence[str]], proposal: Proposal) -> None:
    for ours, theirs in names.items():
        proposal.doubts += [f"Is the column {t!r} the {ours}?" for t in theirs if t != ours]


def _kinds(
    opened: Source, rater: str, several: Mapping[str, Sequence[str]], proposal: Proposal
) -> None:
    """Who is a judge, by the raters' names; by the column's name where all rows are alike."""
    raters = _labels(opened, rater)
    judges = [one for one in raters if any(word in one.casefold() for word in JUDGE_WORDS)]
    if not judges and not several and rater.casefold() in JUDGES:
        proposal.task["constants"] = {"kind": "judge"}
    elif not judges or len(raters) > MANY:
        proposal.task["constants"] = {"kind": "human"}
    else:
        proposal.task.pop("constants", None)
        proposal.task["raters"] = {"judge": judges}
        proposal.doubts.append(
            f"No column says who is a person and who a judge: only {', '.join(judges)} judge?"
        )
        return
    kind = proposal.task["constants"]["kind"]
    proposal.doubts.append(
        f'No column says who is a person and who a judge: kind is "{kind}" for all rows here. '
        'Where some are judges, name them instead: [raters] judge = ["..."].'
    )


def _wide(
    opened: Source, columns: Mapping[str, str], proposal: Proposal
) -> dict[str, frozenset[str]]:
    """Columns that share a small set of labels, with these: one column per rater."""
    taken = set(columns.values())
    sets: dict[str, frozenset[str]] = {}
    for name in opened.columns:
        labels = _labels(opened, name) if name not in taken else []
        if 1 < len(labels) <= 12:
            sets[name] = frozenset(labels)
    best: list[str] = []
    for mine in dict.fromkeys(sets.values()):
        group = [name for name, other in sets.items() if len(mine & other) >= 2]
        best = group if len(group) > len(best) else best
    if len(best) < 2:
        return {}
    judged = [name for name in best if any(word in name.casefold() for word in JUDGE_WORDS)]
    people = [name for name in best if name not in judged]
    proposal.task["wide"] = {k: v for k, v in (("human", people), ("judge", judged)) if v}
    proposal.doubts.append("One column per rater: are people and judges told apart rightly?")
    proposal.task.pop("constants", None)
    return {name: sets[name] for name in best}


def _labels(opened: Source, column: str) -> list[str]:
    """Distinct labels, at most one more than a scale may have."""
    counted = (
        opened.frame.group_by(column)
        .agg(rows=nw.len())
        .sort(["rows", column], descending=[True, False])
    )
    found = fetch(counted.head(MANY + 1), place=opened.name)
    values = [v for v in found[column].tolist() if v is not None and v != ""]
    return sorted(str(v) for v in values)


def _scale(labels: Sequence[str], pairs: bool, proposal: Proposal) -> None:
    task = proposal.task
    abstain = [label for label in labels if label.casefold() in ABSTAIN]
    numbers = {label: _float(label) for label in labels}
    invalid = [
        label
        for label in labels
        if label.casefold() in INVALID
        and label not in abstain
        and not (label == "-1" and any(v is not None and v < -1 for v in numbers.values()))
    ]
    options = [label for label in labels if label not in (*abstain, *invalid)]
    numeric = all(numbers[label] is not None for label in options) and bool(options)
    if numeric:
        options.sort(key=lambda label: numbers[label] or 0.0)
    if len(labels) > MANY and not numeric:
        raise RatingsError(
            "the column of ratings",
            f"holds more than {MANY} different labels",
            next_step='Name the column of ratings in a task file: [columns] value = "..."',
        )
    if pairs and 2 <= len(options) <= 3:
        ties = [o for o in options if o.casefold() in TIES and len(options) == 3]
        rest = [o for o in options if o not in ties[:1]]
        task |= {"scale": "pairwise", "options": [*rest, *ties[:1]]}
        if ties:
            task["tie"] = ties[0]
        proposal.doubts.append("Does the first option mean that the column system wins?")
    elif numeric and len(options) > 12:
        task["scale"] = "continuous"
        proposal.doubts.append("Is a larger number better, and do all raters use one range?")
    elif set(options) <= {*GRADES, "N"} and "C" in options:
        _grades(options, proposal)
    elif len(options) == 2:
        low = [option.casefold() for option in options]
        positive = next((options[low.index(word)] for word in POSITIVE if word in low), options[0])
        task |= {"scale": "binary", "options": options, "positive": positive}
        proposal.doubts.append(f"Is {positive!r} the option you count?")
    elif numeric:
        task |= {"scale": "ordinal", "options": options, "weights": "quadratic"}
        proposal.doubts.append("Are these all the options, lowest first, used or not?")
    else:
        task |= {"scale": "nominal", "options": options}
        proposal.doubts.append("Are these all the options? If they have an order: ordinal.")
    folded = [option.casefold() for option in options]
    if alike := [option for option in options if folded.count(option.casefold()) > 1]:
        proposal.doubts.append(f"Do these mean the same: {', '.join(alike)}? Then write it alike.")
    if abstain:
        task["abstain"] = abstain
        proposal.doubts.append(f"Do these mean that a rater abstained: {', '.join(abstain)}?")
    if invalid:
        task["invalid"] = invalid
        proposal.doubts.append(f"Do these mean an unreadable answer: {', '.join(invalid)}?")


def _grades(options: Sequence[str], proposal: Proposal) -> None:
    """The letters C, P, I and N as inspect_ai gives them."""
    found = [grade for grade in GRADES if grade in options or grade != "P"]
    proposal.task |= {"scale": "binary" if len(found) == 2 else "ordinal", "options": found}
    if len(found) == 2:
        proposal.task["positive"] = "C"
    proposal.doubts.append("Do C, P and I mean correct, partly correct and incorrect?")
    if "N" in options:
        proposal.task["abstain"] = ["N"]
        proposal.doubts.append("N is the system's missing answer: left out, or an option?")


def _clusters(opened: Source, columns: Mapping[str, str], proposal: Proposal) -> None:
    for name in CLUSTERS:
        if name in opened.columns or name in columns:
            proposal.task["cluster"] = name
            proposal.doubts.append(f"Are ratings of one {name} dependent, as cluster says?")
            return
    proposal.task["cluster"] = "item"


def _float(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value == value and abs(value) != float("inf") else None  # noqa: PLR0124
