"""Documents in the shape of the JSON envelope, made by hand, for the tests of the report."""

from __future__ import annotations

from functools import cache
from typing import Any

import sample_charts

from goldassay.rendering.html import render_html

VERBS = ("agree", "select", "estimate", "plan", "audit", "rank")


def row(name: str, value: float | None, verb: str, **about: Any) -> dict[str, Any]:
    known = value is not None
    return {
        "name": name,
        "judge": None,
        "criterion": None,
        "level": "micro",
        **about,
        "value": value,
        "low": value - 0.08 if known else None,
        "high": value + 0.07 if known else None,
        "confidence_level": 0.95 if known else None,
        "method": "cluster bootstrap (percentile, 2000)" if known else None,
        "n_items": 240,
        "n_clusters": 31 if known else None,
        "declared": {"abstentions": "exclude"} if known else {},
        "assumptions": ["the labelled items are a random draw"] if known else [],
        "warnings": [],
        "undefined": None if known else "people used one option only",
        "verb": verb,
    }


def part(verb: str, charts: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "verb": verb,
        "answer": [f"The first sentence of {verb}.", "A second one."],
        "warnings": [f"A warning of {verb}."],
        "charts": charts,
        "tables": {
            "counts": {
                "title": "Counts",
                "columns": ["people", "yes", "no"],
                "rows": [["yes", 120, 18], ["no", 31, None]],
                "notes": ["A note."],
            }
        },
        "command": f"goldassay {verb} ratings.csv --task task.toml --seed 1",
    }


def sentence(key: str, text: str, **facts: Any) -> dict[str, Any]:
    return {"key": key, "about": {}, "facts": facts, "text": text}


def shown(name: str, value: float) -> dict[str, Any]:
    return row(name, value, "agree", judge="gpt")


def first() -> dict[str, Any]:
    """The numbers of a first screen: a rate, a field of judges, systems."""
    judges = [
        {"label": name, "cells": [shown("balanced_accuracy", value)], "tied": value > 0.7}
        for name, value in (("gpt", 0.84), ("llama", 0.8), ("rule", 0.6))
    ]
    rate = {"true": row("prevalence", 0.22, "estimate", judge="gpt"), "called": shown("x", 0.31)}
    return {
        "judge": "gpt",
        "judges": 3,
        "items": 500,
        "labelled": 240,
        "strips": [{"option": "yes", "criterion": None, **rate, "labels": shown("x", 0.2)}],
        "agreement": {"agreed": shown("accuracy", 0.84), "chance": None, "people": None},
        "field": {"about": "judge", "columns": ["balanced_accuracy"], "lines": judges, "notes": []},
        "tied": 2,
        "systems": [{"system": name, **rate} for name in ("alpha", "beta")],
        "order": None,
        "use": None,
        "undefined": 1,
        "warnings": 6,
    }


def summary() -> dict[str, Any]:
    """A line for each judge, more of them than stand open."""
    names = ["accuracy", "cohen_kappa", "items"]
    lines = [
        {
            "label": f"judge {k}",
            "cells": [shown("accuracy", 0.9 - k / 100), shown("cohen_kappa", 0.7 - k / 100), 240],
            "tied": k < 3,
        }
        for k in range(14)
    ]
    return {"about": "judge", "columns": names, "lines": lines, "notes": ["On the same items."]}


def report() -> dict[str, Any]:
    parts = [
        part(verb, [chart]) for verb, chart in zip(VERBS, sample_charts.all_kinds(), strict=True)
    ]
    parts[0]["tables"]["checklist"] = {
        "title": "Checklist",
        "columns": ["point", "answer"],
        "rows": [[f"Point {k}", "said"] for k in range(1, 12)],
        "notes": [],
    }
    parts[0]["tables"]["confusion: gpt"] = {
        "title": "Confusion matrix: gpt",
        "columns": ["", "judge: yes", "judge: no", "total"],
        "rows": [
            ["people: yes", 90, 12, 102],
            ["people: no", 9, 110.5, 119.5],
            ["total", 99, 122.5, 221.5],
        ],
        "notes": [],
    }
    # Of everything that opens on demand there is one: more sentences, a long chart, a long table.
    parts[3]["sentences"] = [sentence("plan.any", f"Sentence {k} of many.") for k in range(12)]
    parts[0]["summary"] = summary()
    parts[4]["tables"]["long"] = {
        "title": "A long table",
        "columns": ["judge", "accuracy"],
        "notes": [],
        "rows": [[f"judge {k}", k / 40] for k in range(40)],
    }
    parts[5]["charts"] += [
        {
            "kind": "dot_interval",
            "title": "A long chart",
            "x_label": "tau",
            "alt": "Many dots.",
            "references": [],
            "rows": [
                {
                    "label": f"judge {k}",
                    "value": k / 50,
                    "low": k / 60,
                    "high": k / 45,
                    "group": "g",
                }
                for k in range(40)
            ],
        },
        {
            "kind": "scatter",
            "title": "A cloud",
            "x_label": "x",
            "y_label": "y",
            "alt": "A cloud.",
            "diagonal": True,
            "points": [
                {"label": f"pair {k}", "x": k / 700, "y": (k * 7 % 700) / 700, "group": "all"}
                for k in range(700)
            ],
        },
    ]
    return {
        "schema": "goldassay/1",
        "verb": "report",
        "judges": ["gpt", "llama"],
        "answer": ["First verdict.", "Second verdict.", "Third verdict."],
        "first": first(),
        "sentences": [
            sentence("report.trust", "First verdict."),
            sentence("report.definitions", "Second verdict."),
            sentence("report.order", "Third verdict."),
        ],
        "claims": {
            "may": [sentence("report.may_rate", "This may be said of `gpt`.", verb="estimate")],
            "may_not": [sentence("report.elsewhere", "This may not be said.")],
        },
        "task": {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "tie": None},
        "provenance": {
            "version": "0.1.0",
            "inputs": [{"name": "ratings.csv", "sha256": "ab" * 32, "rows": 500}],
            "seed": 1,
            "argv": ["report", "ratings.csv", "--task", "task.toml"],
        },
        "rows": {"read": 500, "used": 488, "excluded": 12},
        "exclusions": [{"reason": "invalid", "rows": 12, "by": {"rater": {"gpt": 9, "llama": 3}}}],
        "results": [
            row("accuracy", 0.84, "agree", judge="gpt"),
            row("cohen_kappa", 0.61, "agree", judge="gpt"),
            row("accuracy", 0.71, "agree", judge="llama"),
            row("cohen_kappa", None, "agree", judge="llama"),
            row("coverage", 0.95, "agree", judge="gpt"),
            row("abstention_rate", 0.05, "agree", judge="gpt"),
            row("prevalence", 0.22, "estimate", judge="gpt", estimator="PPI++"),
            *(row("kendall_tau", 0.1 * k, "rank", judge=f"judge-{k}") for k in range(8)),
        ],
        "tables": {},
        "charts": [],
        "warnings": [],
        "parts": parts,
        "not_run": [{"verb": "rank", "reason": "the table has no column 'system'"}],
    }


@cache
def report_page() -> str:
    """The report as a page, which many tests look at."""
    return render_html(report())
