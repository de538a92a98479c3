"""What to ask next: a command that works on the same files, and why."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from goldassay.cli.screen import command_lines
from goldassay.findings import Findings
from goldassay.rendering.columns import width_of

__all__ = ["Asked", "following"]


#: Files of ratings and of the task.
Asked = tuple[Sequence[str], str | None]


def following(findings: Findings, asked: Asked, width: int) -> tuple[str, ...]:
    """The next question about the same files, as a command that fits the screen."""
    ratings, task = asked
    if findings.verb == "report" or not ratings:
        return ()
    files = [*ratings, *(["--task", task] if task else [])]
    words, why = ["check", "--write-task", "task.toml"], "declare what the ratings mean"
    if task or findings.verb != "check":
        words, why = _next(findings)
    if findings.verb == "check" and (lacks := _lacks(findings)):
        words, why = ["check"], f"the file with {lacks} beside it"
        files = [*ratings, "OTHER.csv", *files[len(ratings) :]]
    line = ["goldassay", words[0], *files, *words[1:]]
    lines = command_lines(["next:", *map(shlex.quote, line)], width)
    if len(lines) == 1 and width_of(f"{lines[0]}  # {why}") <= width:
        return (f"{lines[0]}  # {why}",)
    return tuple(lines)


def _next(findings: Findings) -> tuple[list[str], str]:
    """The verb that comes next, with its options, and what it tells."""
    judges = list(dict.fromkeys(r.about["judge"] for r in findings.rows if r.about.get("judge")))
    scale, verb = findings.task.get("scale"), findings.verb
    systems = "system" in findings.columns and scale != "nominal"
    told = bool({"score", "sample"} & set(findings.columns)) and scale != "continuous"
    match verb:
        case "check":
            return _answered(findings)
        case "agree" if _nobody_labelled(findings):
            return _pilot(findings)
        case "agree" if scale == "pairwise" and systems and findings.task.get("goal") == "ranking":
            return ["rank"], "does the judge rank systems as people do?"
        case "agree" if len(judges) > 1 and scale != "continuous":
            return ["select"], "which judge should be used?"
        case "select" if any(one.key == "select.undefined" for one in findings.answer):
            return ["agree"], "what can be said of each judge"
        case "agree" | "select" | "audit" if scale == "binary" and _unlabelled(findings):
            return ["estimate"], "the true rate behind the judge's rate"
        case "estimate" if len({r.about.get("system") for r in findings.rows} - {None}) > 1:
            return ["compare"], "which system is better?"
        case "estimate" if scale == "binary" and not _all_labelled(findings):
            return ["plan"], "how many more labels are needed?"
        case "plan" if "next" not in findings.more and _needs_labels(findings):
            return ["plan", "--next", "50", "--list", "next.csv"], "which items to label next"
        case "agree" | "select" | "compare" if systems and scale in _RANKED[verb]:
            return ["rank"], "does the judge rank systems as people do?"
        case "agree" | "select" | "estimate" | "replace" if told:
            return ["route"], "where may the judge decide alone?"
    return ["report", "--out", "report.html"], "all questions on one page"


#: Scales on which systems are ranked after a question; rates of systems are compared first.
_RANKED = {
    "agree": ("pairwise", "continuous"),
    "select": ("pairwise",),
    "compare": ("binary", "ordinal", "continuous", "pairwise"),
}


def _lacks(findings: Findings) -> str | None:
    """Whose ratings the table does not hold at all."""
    return next((str(one.facts["lacks"]) for one in findings.answer if "lacks" in one.facts), None)


def _answered(findings: Findings) -> tuple[list[str], str]:
    """The first question that the table answers."""
    now = [verb for one in findings.answer for verb in one.facts.get("now", ())]
    if "agree" in now:
        return ["agree"], "does the judge agree with people?"
    if "plan" in now:
        return ["plan"], "how many labels are needed?"
    return ["report", "--out", "report.html"], "all questions on one page"


def _all_labelled(findings: Findings) -> bool:
    return any(one.key == "estimate.all_labelled" for one in findings.answer)


def _needs_labels(findings: Findings) -> bool:
    """Whether a plan asks for more labels, or cannot say; not where no item is left to label."""
    needed = [one.facts for one in findings.answer if one.key == "plan.labels_needed"]
    return not needed or any(one.get("value") != 0 and one.get("most") != 0 for one in needed)


def _nobody_labelled(findings: Findings) -> bool:
    """Whether there is no rating by people at all."""
    return any(one.key == "agree.no_people" for one in findings.answer)


def _pilot(findings: Findings) -> tuple[list[str], str]:
    """The first labels: as many as a plan asks for, where it can be made."""
    task = findings.task
    if task.get("scale") == "binary" or task.get("positive"):
        return ["plan"], "how many labels are needed?"
    return ["check"], "what each question needs"


def _unlabelled(findings: Findings) -> bool:
    """Whether judges rated items beside those that people did: there is a rate to be estimated."""
    left_out = sum(one.rows for one in findings.exclusions)
    some = any(one.reason == "no human reference" for one in findings.exclusions)
    return some and left_out < (findings.rows_read or 0)
