"""A simulated study with known truth, through the ten questions, and held against that truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from goldassay.frozen import dataclass
from goldassay.lab.simulate import Drawn, Judge, Raters, Study, simulate
from goldassay.lab.stream import Stream, drawn_stream
from goldassay.questions.monitor.ask import monitor
from goldassay.questions.report.ask import report
from goldassay.rendering.html import render_html
from goldassay.results import dumps
from goldassay.sources.writing import made_folder, write_atomically
from goldassay.words import decimal, named, percent, result_text

__all__ = ["Demo", "demo", "demo_study"]

RESAMPLES = 1000
#: A verb, and what is said of it.
Line = tuple[str, str]


@dataclass(frozen=True)
class Demo:
    """What was drawn, the report of it, the watched weeks, and where all that lies."""

    drawn: Drawn
    stream: Stream
    report: Mapping[str, Any]
    watched: Mapping[str, Any]
    ratings: Path
    task: Path

    def compared(self) -> list[Line]:
        """What each verb found, and what is true; an empty verb goes on with the one before."""
        return [*_compared(self.report, self.drawn.truth), *_changed(self.watched, self.stream)]


def demo(folder: str | Path, *, seed: int) -> Demo:
    """Draw the study and the weeks, write them, ask the ten questions, write answers and page."""
    drawn = simulate(demo_study(), seed=seed)
    folder = drawn.save(folder)
    made_folder(folder / "results")
    source, task = folder / "ratings.csv", folder / "task.toml"
    found = report(str(source), str(task), resamples=RESAMPLES, seed=seed).document()
    for part in found["parts"]:
        path = folder / "results" / f"{part['verb']}.json"
        write_atomically(path, dumps(_document(found, part)))
    write_atomically(folder / "report.html", render_html(found))
    options = drawn.task.options
    stream = drawn_stream(drawn.truth["best_judge"], (options[0], options[1]), seed=seed)
    weeks = folder / "weeks.csv"
    write_atomically(weeks, stream.to_csv())
    declared: dict[str, object] = {
        "scale": "binary",
        "options": list(options),
        "positive": drawn.task.positive,
        "calibration": "random",
    }
    watched = monitor(str(weeks), declared, batch="week", anchors="set=anchor").document()
    write_atomically(folder / "results" / "monitor.json", dumps(watched))
    return Demo(drawn, stream, found, watched, source, task)


def demo_study() -> Study:
    """Three judges of known quality, seven people, four systems, two criteria; a third labelled."""
    return Study(
        prompts=150,
        systems={"alder": 0.82, "birch": 0.70, "cedar": 0.62, "dogwood": 0.45},
        criteria={"correct": 0.0, "polite": 0.6},
        judges={
            "lenient": Judge(sensitivity=0.97, specificity=0.62, invalid=0.01, cost=0.0004),
            "strict": Judge(
                sensitivity=0.78,
                specificity=0.93,
                abstain=0.06,
                abstain_when_unsure=1.5,
                invalid=0.02,
                cost=0.004,
                latency=1.8,
            ),
            "balanced": Judge(
                sensitivity=0.90,
                specificity=0.88,
                abstain=0.02,
                invalid=0.03,
                samples=2,
                noise=0.3,
                cost=0.002,
                latency=0.9,
            ),
        },
        raters=Raters(number=7, per_unit=5, abstain=0.01, response_sets=0.4),
        cluster_size=2,
        correlation=0.2,
        indeterminate=0.1,
        labelled=0.35,
    )


def _document(report: Mapping[str, Any], part: Mapping[str, Any]) -> dict[str, Any]:
    """The document of one verb, as `goldassay VERB --json` would print it."""
    mine = [row for row in report["results"] if row["verb"] == part["verb"]]
    return {
        **{key: report[key] for key in ("schema", "task", "provenance", "rows", "exclusions")},
        **{key: part[key] for key in ("verb", "answer", "tables", "charts", "warnings")},
        "results": [{k: v for k, v in row.items() if k != "verb"} for row in mine],
    }


def _compared(report: Mapping[str, Any], truth: Mapping[str, Any]) -> Iterator[Line]:
    """What each verb of the report found, and how far that is from the truth."""
    answers = {part["verb"]: part["answer"] for part in report["parts"]}
    for judge, rates in truth["judges"].items():
        row = _row(report, "agree", "youden_j", judge)
        if row is not None:
            found, true = _figure(row), decimal(rates["youden_j"])
            yield "agree", f"{named(judge)}: Youden's J {found}; in truth {true}."
    if answers.get("select"):
        yield "select", answers["select"][0]
        yield "", f"In truth the best is {named(truth['best_judge'])}."
    for row in report["results"]:
        whole = row["verb"] == "estimate" and row["name"] == "prevalence" and not row.get("system")
        if whole and row["low"] is not None and row.get("criterion") in truth["criteria"]:
            about = f"{named(row['judge'])} on {named(row['criterion'])}"
            true = percent(truth["criteria"][row["criterion"]])
            yield "estimate", f"{about}: {_figure(row)}; in truth {true}."
    for verb in ("plan", "audit", "replace", "route"):
        if answers.get(verb):
            yield verb, answers[verb][0]
    if answers.get("rank"):
        yield "rank", answers["rank"][0]
        yield "", f"In truth: {', '.join(map(named, truth['ranking']))}."
    if answers.get("compare"):
        yield "compare", answers["compare"][0]
        rates = (f"{named(one)} {percent(rate)}" for one, rate in truth["systems"].items())
        yield "", f"In truth, over both criteria: {', '.join(rates)}."


def _changed(watched: Mapping[str, Any], stream: Stream) -> Iterator[Line]:
    yield "monitor", watched["answer"][0]
    yield "", f"In truth {named(stream.judge)} grew laxer with batch {named(stream.changed)}."


def _row(report: Mapping[str, Any], verb: str, name: str, judge: str) -> dict[str, Any] | None:
    """The overall result with this name and an interval."""
    for row in report["results"]:
        overall = not row.get("criterion") and not row.get("system")
        fits = (row["verb"], row["name"], row.get("judge")) == (verb, name, judge)
        if fits and overall and row["low"] is not None and row.get("level") in (None, "micro"):
            found: dict[str, Any] = row
            return found
    return None


def _figure(row: Mapping[str, Any]) -> str:
    return result_text(row["name"], row["value"], (row["low"], row["high"]))
