"""What to ask next: a command that works on the same files, and why."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from goldassay.cli.screen import command_lines
from goldassay.findings import Findings
from goldassay.reference_words import Wording
from goldassay.rendering.columns import width_of
from goldassay.results import Estimate
from goldassay.sources.writing import free_name

__all__ = ["Asked", "following"]


class Asked(NamedTuple):
    """What a question was asked of: files, rows and judges, which the next one keeps."""

    ratings: Sequence[str]
    task: str | None = None
    only: Sequence[str] | None = None
    exclude: Sequence[str] | None = None
    judge: Sequence[str] | None = None
    #: A passport declares what the ratings mean where no task does; not every verb takes its word.
    passport: str | None = None
    gold: str | None = None
    judges: str | None = None
    calibration: str | None = None
    #: What was declared of the columns.
    columns: Mapping[str, Any] = MappingProxyType({})

    @property
    def again(self) -> bool:
        """Whether another command can read the same: standard input is gone once it was read."""
        meant = self.task is not None or self.passport is None
        return bool(self.ratings) and "-" not in self.ratings and meant

    def options(self, verb: str) -> list[str]:
        """The options that ask a verb about the same rows and judges."""
        said = [("--task", self.task)] if self.task else []
        said += [("--only", one) for one in self.only or ()]
        said += [("--exclude", one) for one in self.exclude or ()]
        if verb in _OF_LABELS and self.calibration:
            said += [("--calibration", self.calibration)]
        for name, texts in self.columns.items():
            each = [texts] if isinstance(texts, str) else texts
            said += [(f"--{name}", one) for one in each]
        if verb in _OF_A_JUDGE or (self.columns and self.judge):
            said += [("--judge", one) for one in self.judge or ()]
        if verb in _OF_AN_ORDER:
            about = (("--gold", self.gold), ("--judges", self.judges))
            said += [(option, file) for option, file in about if file]
        return [word for option in said for word in option]


#: Verbs that ask about the judges that they are told.
_OF_A_JUDGE = frozenset({"agree", "estimate", "compare", "plan", "route"})
#: Verbs that ask how the labelled items were drawn.
_OF_LABELS = frozenset({"agree", "select", "estimate", "compare", "plan", "route", "report"})
#: Verbs that hold an order of systems against people's, with what is known of the judges.
_OF_AN_ORDER = frozenset({"rank", "report"})


def following(findings: Findings, asked: Asked, width: int) -> tuple[str, ...]:
    """The next question about the same rows, as a command that fits the screen."""
    if findings.verb == "report" or not asked.again:
        return ()
    files = [*asked.ratings]
    words, why = ["check", "--write-task", free_name("task.toml")], "declare what the ratings mean"
    if asked.task or findings.verb != "check":
        words, why = _next(findings)
    if findings.verb == "check" and (lacks := _lacks(findings)):
        words, why = ["check"], f"the file with {lacks} beside it"
        files.append("OTHER.csv")
    if words[0] == "plan" and len(asked.judge or ()) > 1:  # a plan is for one
        asked = asked._replace(judge=None)
    why = Wording(len(findings.references)).text(why) if findings.references else why
    line = ["goldassay", words[0], *files, *asked.options(words[0]), *words[1:]]
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
        case "agree" if len(judges) > 1 and scale != "continuous" and _has_classes(findings):
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
            return [
                "plan",
                "--next",
                "50",
                "--list",
                free_name("next.csv"),
            ], "which items to label next"
        case "agree" | "select" | "compare" if systems and scale in _RANKED[verb]:
            return ["rank"], "does the judge rank systems as people do?"
        case "agree" | "select" | "estimate" | "replace" if told:
            return ["route"], "where may the judge decide alone?"
    return ["report", "--out", free_name("report.html")], "all questions on one page"


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
    return ["report", "--out", free_name("report.html")], "all questions on one page"


def _has_classes(findings: Findings) -> bool:
    """Whether people use two options or more: of one alone no judge can be chosen."""
    found = [row.result for row in findings.rows if row.result.name == "balanced_accuracy"]
    return not found or any(isinstance(one, Estimate) for one in found)


def _all_labelled(findings: Findings) -> bool:
    return any(one.key == "estimate.all_labelled" for one in findings.answer)


def _needs_labels(findings: Findings) -> bool:
    """Whether a plan asks for more labels, or cannot say; not where no item is left to label."""
    said = [one for one in (*findings.answer, *findings.notes) if one.key == "plan.labels_needed"]
    # A sentence about all criteria adds up what those about each one say.
    needed = [one.facts for one in said if "criteria" not in one.facts]
    # Items on which people are divided count as without a label, and have been labelled.
    tied = sum(one.rows for one in findings.exclusions if one.reason == "people tied")
    return not needed or any(
        one.get("value") != 0 and (one.get("most") is None or one["most"] > tied) for one in needed
    )


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
