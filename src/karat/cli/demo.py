"""`karat demo`: a simulated study with known truth, through every verb."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from karat.cli.common import DEFAULT_SEED, SeedOption, write_atomically

if TYPE_CHECKING:
    from karat.ratings import Ratings
    from karat.results import Findings
    from karat.simulate import Study

__all__ = ["command", "demo_study"]

RESAMPLES = 1000


def demo_study() -> Study:
    """Three judges of known quality, five people, four systems, two criteria; a third labelled."""
    from karat.simulate import Judge, Raters, Study

    return Study(
        prompts=150,
        systems={"alder": 0.82, "birch": 0.70, "cedar": 0.62, "dogwood": 0.45},
        criteria={"correct": 0.0, "polite": 0.6},
        judges={
            "lenient": Judge(sensitivity=0.97, specificity=0.62, invalid=0.01, cost=0.0004),
            "strict": Judge(
                sensitivity=0.78, specificity=0.93, abstain=0.06, abstain_when_unsure=1.5,
                invalid=0.02, cost=0.004, latency=1.8,
            ),
            "balanced": Judge(
                sensitivity=0.90, specificity=0.88, abstain=0.02, invalid=0.03, samples=2,
                noise=0.3, cost=0.002, latency=0.9,
            ),
        },
        raters=Raters(number=5, per_unit=3, abstain=0.01, response_sets=0.4),
        cluster_size=2,
        correlation=0.2,
        indeterminate=0.15,
        labelled=0.35,
    )  # fmt: skip


def command(
    out: Annotated[str, typer.Option("--out", "-o", metavar="DIR", help="Folder to write.")] = (
        "karat-demo"
    ),
    seed: SeedOption = DEFAULT_SEED,
) -> None:
    """A study whose truth is known, simulated, taken through every verb, and compared with it.

    Writes DIR/ratings.csv, task.toml, items.jsonl, truth.json, results/VERB.json and report.html.

    Examples:

        karat demo

        karat demo --out /tmp/study --seed 7
    """
    from karat.cli.report import QUESTIONS, report_document
    from karat.ratings import read_ratings
    from karat.report.html import render_html
    from karat.results import dumps
    from karat.simulate import simulate

    folder = Path(out)
    (folder / "results").mkdir(parents=True, exist_ok=True)
    drawn = simulate(demo_study(), seed=seed)
    source, task = folder / "ratings.csv", folder / "task.toml"
    write_atomically(source, drawn.to_csv())
    write_atomically(task, drawn.task.to_toml())
    write_atomically(folder / "items.jsonl", drawn.items_jsonl())
    write_atomically(folder / "truth.json", dumps(drawn.truth))
    print(f"Simulated {len(drawn.rows):,} ratings with known truth in {folder}/")
    table = read_ratings(source, drawn.task)
    found: dict[str, Findings] = {}
    for verb in QUESTIONS:
        findings = _asked(verb, table, seed)
        if findings is not None:
            found[verb] = findings
            write_atomically(
                folder / "results" / f"{verb}.json", dumps(_document(verb, findings, table, seed))
            )
    report = report_document(
        table, source=str(source), task_file=str(task), seed=seed, resamples=RESAMPLES
    )
    write_atomically(folder / "report.html", render_html(report))
    print()
    for line in _compared(found, drawn.truth):
        print(f"  {line}")
    print()
    print(f"Read {folder}/report.html, or ask one question yourself:")
    print(f"  karat agree {source} --task {task}")


def _asked(verb: str, table: Ratings, seed: int) -> Findings | None:
    from importlib import import_module

    from karat.errors import InputError

    try:
        findings: Findings = import_module(f"karat.cli.{verb}").find(
            table, seed=seed, resamples=RESAMPLES
        )
        return findings
    except InputError as error:
        print(f"  {verb} does not apply: {error}")
        return None


def _document(verb: str, findings: Findings, table: Ratings, seed: int) -> dict[str, Any]:
    from karat import __version__
    from karat.results import Provenance, envelope

    provenance = Provenance(__version__, table.inputs, seed, ())
    return envelope(verb, findings, task=table.task.to_json(), provenance=provenance)


def _compared(found: dict[str, Findings], truth: dict[str, Any]) -> list[str]:
    """What each verb found, and how far that is from the truth."""
    lines = []
    for judge, rates in truth["judges"].items():
        row = _row(found.get("agree"), "youden_j", judge=judge)
        if row is not None:
            lines.append(
                f"agree     {judge}: Youden's J {row[0]:.2f} ({row[1]:.2f} to {row[2]:.2f}); "
                f"true {rates['youden_j']:.2f}"
            )
    if "select" in found and found["select"].answer:
        lines.append(f"select    {found['select'].answer[0]}")
        lines.append(f"          The best judge in truth: {truth['best_judge']}.")
    for judge in truth["judges"]:
        row = _row(found.get("estimate"), "prevalence", judge=judge)
        if row is not None:
            lines.append(
                f"estimate  {judge}: {row[0]:.1%} meet it ({row[1]:.1%} to {row[2]:.1%}); "
                f"true {truth['prevalence']:.1%}"
            )
    if "rank" in found and found["rank"].answer:
        lines.append(f"rank      {found['rank'].answer[0]}")
        lines.append(f"          The true order: {', '.join(truth['ranking'])}.")
    if "audit" in found and found["audit"].answer:
        lines.append(f"audit     {found['audit'].answer[0]}")
    if "plan" in found and found["plan"].answer:
        lines.append(f"plan      {found['plan'].answer[0]}")
    return lines


def _row(findings: Findings | None, name: str, **about: str) -> tuple[float, float, float] | None:
    """Value and interval of the first result with this name (micro, overall)."""
    from karat.results import Estimate

    for row in findings.rows if findings else ():
        result = row.result
        fits = all(row.about.get(key) == value for key, value in about.items())
        narrow = row.about.get("criterion") or row.about.get("system")
        if isinstance(result, Estimate) and result.name == name and fits and not narrow:
            if result.interval is not None and row.about.get("level") in (None, "micro"):
                return result.value, result.interval.low, result.interval.high
    return None
