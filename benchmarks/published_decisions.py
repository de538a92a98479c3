"""`replace` and `route` on published ratings: tables of docs/replace.md and docs/route.md.

    GOLDASSAY_SHARED=.../shared python benchmarks/published_decisions.py

Reads `$GOLDASSAY_SHARED/data` (its README names the sources). Of the sets with several people two
have a judge and name who rated: PandaLM and LLM-Rubric.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import goldassay as ga
from goldassay.findings import Findings
from goldassay.inference.risk_control import last_held, steps_of
from goldassay.results import Estimate
from goldassay.words import figure

DATA = Path(os.environ.get("GOLDASSAY_SHARED", "../shared")) / "data"
COLUMNS = ["item", "rater", "kind", "value"]
VERDICTS = {"yes": "yes", "no": "no", "unknown": "cannot tell", "few": "too few ratings"}


def pandalm() -> pl.DataFrame:
    """999 pairs by three people and two judges."""
    words = {"0": "tie", "1": "1", "2": "2", "Tie": "tie"}
    folder = DATA / "pandalm" / "data"
    names = ("testset-v1", "gpt-3.5-turbo-testset-v1", "pandalm-7b-testset-v1")
    people, gpt, panda = (json.loads((folder / f"{name}.json").read_text()) for name in names)
    rows = []
    for three, one, other in zip(people, gpt, panda, strict=True):
        item = str(three["idx"])
        rows += [
            (item, f"annotator{k}", "human", words[str(three[f"annotator{k}"])]) for k in (1, 2, 3)
        ]
        said = (("GPT-3.5", one["gpt_result"]), ("PandaLM-7B", other["pandalm_result"]))
        rows += [
            (item, judge, "judge", words.get(str(value).strip(), "garbage"))
            for judge, value in said
        ]
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def rubric() -> pl.DataFrame:
    """Synthetic dialogues by nine questions: grades of 24 people and of GPT-3.5 with its chance."""
    folder = DATA / "llm_rubric" / "data" / "synth_data"
    rows = []
    with (folder / "human_judges_synth_all_FIXED_ANON.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            for k in range(9):
                grade = row[f"Q{k}"] and int(float(row[f"Q{k}"]))
                person = f"person {row['annotator_id']}"
                if grade:  # 0 is no grade
                    rows.append((row["text_id"], person, "human", str(grade), f"Q{k}", None))
    with (folder / "gpt-3.5-turbo-16k_synth_evaluations_FIXED.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            chances = [float(row[f"answer{k}_prob"] or 0) for k in range(1, 5)]
            best = int(np.argmax(chances))
            judge = ("GPT-3.5", "judge", str(best + 1), row["criterion"], chances[best])
            rows.append((row["text_id"], *judge))
    columns = [*COLUMNS, "criterion", "score"]
    table = pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None)
    # A person who rated a dialogue twice did so in two rounds: the first counts.
    return table.unique(["item", "rater", "kind", "criterion"], keep="first", maintain_order=True)


def composo() -> Iterator[tuple[str, pl.DataFrame]]:
    """Which of four answers is best, by eight repeated scores of four judges; answer 0 is."""
    for file, names in (
        ("base_both_k8", ("GPT", "GPT mini")),
        ("base_claude_both_k8", ("Claude", "Claude mini")),
    ):
        lines = (DATA / "composo_rb2" / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()
        items = [json.loads(line) for line in lines]
        for name, key in zip(names, ("full_scores", "mini_scores"), strict=True):
            rows: list[tuple[Any, ...]] = []
            for item in items:
                scores = item[key] or []
                for sample in range(8):
                    given = [s[sample] if len(s) > sample else None for s in scores]
                    known = [g for g in given if g is not None]
                    best = [k for k, g in enumerate(given) if known and g == max(known)]
                    said = str(best[0]) if len(best) == 1 else "none"
                    rows.append((item["id"], name, "judge", said, str(sample)))
                rows.append((item["id"], "chosen", "human", "0", "0"))
            yield (
                name,
                pl.DataFrame(rows, schema=[*COLUMNS, "sample"], orient="row").unique(
                    ["item", "rater", "sample"], keep="first", maintain_order=True
                ),
            )


def line(*cells: object) -> None:
    print(f"| {' | '.join(map(str, cells))} |")


def show_replace(label: str, found: Findings) -> None:
    """A line for each judge, and for each slice."""
    for one in (*found.answer, *found.notes):
        if one.key != "replace.verdict":
            continue
        judge, facts = one.about["judge"], one.facts
        close = found["advantage_probability", judge]
        told = figure(close) if isinstance(close, Estimate) else ""
        matched = f"{len(facts['matched'])} of {facts['people']}"
        line(label, judge, f"{facts['items']:,}", told, matched, VERDICTS[facts["verdict"]])


def replacing() -> None:
    line("Ratings", "Judge", "Decisions", "As close", "People matched", "May stand in")
    line(*["---"] * 6)
    base = {
        "scale": "pairwise",
        "options": ["1", "2", "tie"],
        "tie": "tie",
        "invalid": ["garbage"],
        "invalids": "wrong",
    }
    for ties in ("class", "half", "exclude"):
        show_replace(f"PandaLM, ties {ties}", ga.replace(pandalm(), {**base, "ties": ties}))
    task = {"scale": "ordinal", "options": list("1234"), "cluster": "item"}
    found = ga.replace(rubric(), task, by=["criterion"])
    show_replace("LLM-Rubric, all questions", found)
    for row in found.tables["by_criterion"].rows:
        question, judge, close, matched, verdict, number = row
        line(f"LLM-Rubric, {question}", judge, number, close or "", matched or "", verdict)
    print()
    for question in (
        row[0] for row in found.tables["by_criterion"].rows if row[4] == VERDICTS["yes"]
    ):
        alone = ga.replace(rubric(), task, only={"criterion": str(question)})
        print(f"{question} alone: {alone.answer[0].text}")


#: Draws of labelled items from each set, and how many items are labelled.
RUNS, LABELS = 2000, 400


def routing() -> None:
    """Eight answers of a judge: 400 items are labelled, the whole set says what is true."""
    line("Judge", "Items", "Risk", "Broken", "Naive", "Decided", "Naive", "Possible")
    line(*["---"] * 8)
    for name, table in composo():
        sure, wrong = agreeing(table)
        levels = np.unique(sure)
        share = {least: float((sure >= least).mean()) for least in levels}
        error = {least: float(wrong[sure >= least].mean()) for least in levels}
        for risk in (0.05, 0.1):
            rng = np.random.default_rng(1)
            found: dict[str, list[float]] = {"route": [], "naive": []}
            for _ in range(RUNS):
                drawn = rng.permutation(len(sure))[:LABELS]
                steps = steps_of(sure[drawn], wrong[drawn], None, np.ones(LABELS), 0.05)
                held = last_held(steps, risk)
                if held is not None:
                    found["route"].append(float(steps.at_least[held]))
                if (good := np.flatnonzero(steps.share <= risk)).size:
                    found["naive"].append(float(steps.at_least[good[-1]]))
            broken = [sum(error[t] > risk for t in one) / RUNS for one in found.values()]
            decided = [sum(share[t] for t in one) / RUNS for one in found.values()]
            possible = max((share[t] for t in levels if error[t] <= risk), default=0.0)
            cells = [f"{100 * one:.1f} %" for one in broken]
            cells += [f"{100 * one:.0f} %" for one in (*decided, possible)]
            line(name, f"{len(sure):,}", f"{100 * risk:.0f} %", *cells)


def agreeing(table: pl.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The share of answers that name the commonest best one, and whether it is not answer 0."""
    said: dict[str, list[str]] = {}
    for item, kind, value in table.select("item", "kind", "value").iter_rows():
        if kind == "judge":
            said.setdefault(item, []).append(value)
    found = []
    for given in said.values():
        shares = {option: given.count(option) / len(given) for option in "0123"}
        best = [option for option, share in shares.items() if share == max(shares.values())]
        if len(best) == 1:
            found.append((shares[best[0]], float(best != ["0"])))
    sure, wrong = np.array(found).T
    return sure, wrong


if __name__ == "__main__":
    replacing()
    print()
    routing()
