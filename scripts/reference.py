"""The pages of docs/reference that are made from the source: what the code says, nothing else.

    python scripts/reference.py

writes command.md (from the parser), python.md and python-metrics.md (from signatures and
docstrings), task.md (every key of `Task`, with the words of docs/ratings.md), metrics.md (from
glossary.toml and docs/reference/metrics.toml), document.md and passport.md (from their JSON
Schemas). A test holds the pages equal to what this makes.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

import typer  # noqa: E402

import goldassay  # noqa: E402
from goldassay import metrics  # noqa: E402
from goldassay.glossary import Method, methods  # noqa: E402
from goldassay.ratings.task import Task  # noqa: E402
from goldassay.verbs import VERBS, Verb  # noqa: E402

REFERENCE = ROOT / "docs" / "reference"
MADE = "<!-- Made by scripts/reference.py: do not edit. -->\n"
#: Fields of a task that are written otherwise in its file.
WRITTEN = {
    "option_texts": "[options.NAME]",
    "criteria": "[criteria.NAME]",
    "criterion_weights": "[criteria.NAME] weight",
    "positives": "positive",
}
#: What an option of the command takes, where the parser only knows its type.
VALUES = {"int range": "N", "int": "N", "integer": "N", "float": "X", "float range": "X"}
#: Keys that docs/ratings.md tells together with others: key -> values, meaning.
APART = {
    "tie": ("option", "the option that means a tie"),
    "ties": ("", "how ties of a pairwise task count"),
    "abstain": ("list of words", 'words that mean abstained; `""` is an empty cell'),
    "invalid": ("list of words", 'words that mean unreadable; `""` is an empty cell'),
    "recode_to": ("option", 'what an abstention becomes, with `abstentions = "recode"`'),
    "[options.NAME]": ('`text = "..."`', "what an option means, for those who label"),
    "[criteria.NAME]": ('`text = "..."`', "what a criterion means, for those who label"),
    "[criteria.NAME] weight": ("number", "its weight in `item_rule`; below 0 for a fault"),
    "population": ("text", "of which items results speak, in words"),
    "expires": ("a day, or a number", "until when, or for how many verdicts, a passport holds"),
    "response_sets": ("list of lists", "admissible response sets; else all subsets of the options"),
    "separator": ("text", "what joins the options of a response set in one value"),
    "strata": ("list of columns", "columns within which the judge's errors may differ"),
    "families": ("table", "judge to family of models, for a judge's bias towards its kin"),
    "confidence_level": ("number", "the level of every interval"),
    "asked": ("`all`, `rows`", "what judges were asked about: all labelled items, or their rows'"),
    "rater_weights": ("table", "person to the weight of the vote in the majority; others have 1"),
    "columns": ("table", "goldassay's column to the file's; a list where several name it together"),
    "wide": ("table", "columns that are raters: `human`, `judge`, `reference`"),
    "cells": ("table", "column to what its ratings are about: rater, kind, criterion and more"),
    "raters": ("table", "who is a person and who a judge, by name; it wins over a column `kind`"),
    "references": ("", "what a reference is, by its name"),
    "constants": ("table", 'values of columns that the file lacks, as `kind = "judge"`'),
    "files": ("table", "the constants of one file of several, by its name"),
    "file": ("table", "how a file is written: `header`, `separator`, `decimal`, `rows` and more"),
}


def cell(text: str) -> str:
    """Text for a cell of a table."""
    return " ".join(text.replace("|", "\\|").split())


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join('---' for _ in head)} |"]
    lines += [f"| {' | '.join(map(cell, row))} |" for row in rows]
    return "\n".join(lines)


# The command


def command_page() -> str:
    parts = [
        MADE,
        "# The command\n",
        "`goldassay VERB --help` prints the same. Every question is a function of the same name, "
        "with the same options and defaults ([Python](python.md)).\n",
        "Exit codes: 0 done; 1 a gate not met, 4 one inconclusive; 2 wrong usage or input; 3 a "
        "fault of goldassay, or output lost; 130 and 143 ended by a signal; 141 the reader of the "
        "output went away.\n",
    ]
    panel = ""
    for verb in VERBS:
        if verb.panel != panel:
            panel = verb.panel
            parts.append(f"## {panel}\n")
        parts.append(verb_section(verb))
    return "\n".join(parts)


def verb_section(verb: Verb) -> str:
    app = typer.Typer(rich_markup_mode=None)
    app.command(verb.name)(import_module(f"goldassay.cli.{verb.module}").command)
    command = typer.main.get_command(app)
    context = command.make_context("goldassay", [], resilient_parsing=True)
    given = [one for one in command.get_params(context) if not getattr(one, "hidden", False)]
    kept = [one for one in given if "--help" not in one.opts and "completion" not in one.name]
    names = [one.make_metavar(context) for one in kept if one.param_type_name == "argument"]
    about, examples = _told(command.help or "")
    rows = [(_named(one, context), _about(one)) for one in kept]
    parts = [f"### `{verb.name}`\n", f"{about}\n"]
    parts.append(f"```sh\n{' '.join(['goldassay', verb.name, '[OPTIONS]', *names])}\n```\n")
    if rows:
        parts.append(table(("Option", "Meaning"), rows) + "\n")
    if examples:
        parts.append("\n".join(["```sh", *examples, "```\n"]))
    return "\n".join(parts)


def _told(text: str) -> tuple[str, list[str]]:
    """The words of a docstring, and its examples of commands."""
    words, examples = [], []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text.replace("\b", ""))):
        if paragraph.startswith("    "):
            examples += [" ".join(line.split()) for line in paragraph.split("\n    goldassay ")]
        elif not paragraph.rstrip().endswith("Examples:"):
            words.append(" ".join(paragraph.split()))
    return "\n\n".join(words), examples


def _named(param: Any, context: Any) -> str:
    if param.param_type_name == "argument":
        return f"`{param.make_metavar(context)}`"
    shown = ", ".join(sorted(param.opts, key=len))
    shown += "".join(f" / {one}" for one in param.secondary_opts)
    if getattr(param, "is_flag", False):
        return f"`{shown}`"
    value = param.make_metavar(context).strip("<>")
    return f"`{shown} {VALUES.get(value, value)}`"


def _about(param: Any) -> str:
    said = (getattr(param, "help", None) or "").strip()
    default = param.default
    if param.required:
        return f"{said} Required."
    unsaid = default is None or callable(default) or isinstance(default, bool)
    return said if unsaid or default in ("", (), []) else f"{said} `{default}` unless given."


# Python


def python_page() -> str:
    parts = [
        MADE,
        "# Python\n",
        "`import goldassay as ga`. Names are loaded when first used. [From Python](../python.md) "
        "shows how they go together.\n",
    ]
    public = {name: getattr(goldassay, name) for name in goldassay.__all__}
    modules = ("metrics", "examples", "__version__")
    questions = [verb.name for verb in VERBS if inspect.isfunction(public.get(verb.name))]
    others = [name for name in public if name not in (*questions, *modules)]
    parts.append("## Questions\n")
    parts += [function_section(f"goldassay.{name}", public[name]) for name in questions]
    parts.append("## Reading and results\n")
    for name in others:
        one = public[name]
        made = class_section if inspect.isclass(one) else function_section
        parts.append(made(f"goldassay.{name}", one))
    parts.append("## Examples\n")
    about = _first(inspect.getdoc(public["examples"]) or "")
    parts.append(
        f"{about} Each is an `Example`: called, it gives `Ratings`; `path`, `task` and `truth` say "
        "where it lies and what is true of it.\n"
    )
    rows = [(f"`goldassay.examples.{one.name}`", one.about) for one in public["examples"].every()]
    parts.append(table(("Example", "What it is"), rows) + "\n")
    parts.append("## Metrics\n")
    parts.append("One coefficient, on labels, counts or scores: [metrics](python-metrics.md).\n")
    return "\n".join(parts)


def python_metrics_page() -> str:
    parts = [
        MADE,
        "# Metrics from Python\n",
        "Labels, counts or scores in, an `Estimate` with its interval out, or `Undefined` with the "
        "reason. What each means: [every metric](metrics.md).\n",
    ]
    for name in sorted(metrics.__all__):
        text = function_section(f"goldassay.metrics.{name}", getattr(metrics, name))
        parts.append(text.replace("### `", "## `", 1))
    return "\n".join(parts)


def signature(function: Callable[..., Any]) -> str:
    """One parameter a line, annotations as they are written."""
    found = inspect.signature(function)
    lines, starred = [], False
    for name, one in found.parameters.items():
        if one.kind is one.KEYWORD_ONLY and not starred:
            lines.append("    *,")
            starred = True
        noted = one.annotation
        kind = (
            "" if noted is one.empty else f": {noted if isinstance(noted, str) else noted.__name__}"
        )
        default = "" if one.default is one.empty else f" = {one.default!r}"
        lines.append(f"    {name}{kind}{default},")
    returned = found.return_annotation
    gives = "" if returned is found.empty else f" -> {str(returned).strip(chr(39))}"
    inside = "\n".join(lines)
    return f"{function.__name__}(\n{inside}\n){gives}" if lines else f"{function.__name__}(){gives}"


def function_section(name: str, function: Callable[..., Any]) -> str:
    text = inspect.getdoc(function) or ""
    parts = [f"### `{name}`\n", f"```py\n{signature(function)}\n```\n", docstring(text)]
    return "\n".join(parts)


def class_section(name: str, one: type) -> str:
    parts = [f"### `{name}`\n"]
    if issubclass(one, Exception):
        return "\n".join([*parts, f"{_first(inspect.getdoc(one) or '')}\n"])
    parts.append(docstring(inspect.getdoc(one) or ""))
    if dataclasses.is_dataclass(one):
        fields = [field for field in dataclasses.fields(one) if field.name[0] != "_"]
        if one is not Task:
            rows = [(f"`{field.name}`", f"`{field.type}`") for field in fields]
            parts.append(table(("Field", "Type"), rows) + "\n")
        else:
            parts.append("Its fields are the keys of [the task](task.md).\n")
    rows = [
        (f"`{key}{str(inspect.signature(value)).replace('self, ', '').replace('self', '')}`",
         _first(inspect.getdoc(value) or ""))
        for key, value in vars(one).items()
        if key[0] != "_" and inspect.isfunction(value)
    ]  # fmt: skip
    if rows:
        parts.append(table(("Method", "What it does"), rows) + "\n")
    return "\n".join(parts)


def docstring(text: str) -> str:
    """A docstring in NumPy's form as Markdown."""
    first, *rest = re.split(r"^(\w+)\n-+$", text, flags=re.M)
    parts = [_prose(first)]
    for title, inside in zip(rest[::2], rest[1::2], strict=True):
        if title in ("Parameters", "Returns"):
            rows = [(f"`{name}`", words) for name, words in _entries(inside)]
            parts.append(table((title, "Meaning"), rows) + "\n")
        elif title == "Examples":
            parts.append(_prose(inside))
        else:
            parts.append(f"**{title}.** {_prose(inside)}")
    return "\n".join(parts)


def _entries(text: str) -> Iterator[tuple[str, str]]:
    for name, words in re.findall(r"^(\S.*)\n((?:[ ]+.*\n?|\n)+)", text.strip("\n") + "\n", re.M):
        yield name, " ".join(words.split())


def _prose(text: str) -> str:
    """Paragraphs, with sessions of Python set apart."""
    parts = []
    for block in re.split(r"\n\s*\n", text.strip()):
        plain = inspect.cleandoc(block)
        parts.append(f"```pycon\n{plain}\n```" if plain.startswith(">>>") else plain)
    return "\n\n".join(parts) + "\n"


def _first(text: str) -> str:
    return " ".join(text.split("\n\n", 1)[0].split())


# The task


def task_page() -> str:
    said = _ratings_table() | APART
    hints = get_type_hints(Task)
    noted = _comments()
    rows = []
    for field in dataclasses.fields(Task):
        written = WRITTEN.get(field.name, field.name)
        if field.name == "positives":
            continue
        values, meaning = said.get(written, said.get(field.name, ("", noted[field.name])))
        listed = _choices(hints[field.name])
        rows.append((f"`{written}`", listed or values, _default(field), meaning))
    return "\n".join(
        [
            MADE,
            "# The task\n",
            "A task file is TOML. It says what the numbers mean before any is relied on. "
            "`goldassay check FILE --write-task task.toml` drafts one; a key that nobody reads is "
            "an error. "
            "[Ratings and tasks](../ratings.md#the-task) has the tables with names, by example.\n",
            table(("Key", "Values", "Unless given", "Meaning"), rows) + "\n",
        ]
    )


def _comments() -> dict[str, str]:
    """The comment above each field of `Task`."""
    found, above = {}, ""
    for line in inspect.getsource(Task).splitlines():
        if line.strip().startswith("#:"):
            above = f"{above} {line.strip().removeprefix('#:').strip()}".strip()
        elif named := re.match(r"^    (\w+): ", line):
            found[named[1]] = above
            above = ""
    return found


def _ratings_table() -> dict[str, tuple[str, str]]:
    """Key -> values and meaning, from the table of docs/ratings.md."""
    text = (ROOT / "docs" / "ratings.md").read_text(encoding="utf-8")
    body = text.split("| Key | Values | Meaning |\n| --- | --- | --- |\n")[1].split("\n\n")[0]
    found = {}
    for line in body.splitlines():
        keys, values, meaning = (part.strip() for part in line.strip("|").split(" | ", 2))
        names = re.findall(r"`([^`]+)`", keys)
        each = [one.strip() for one in values.split(";")]
        for k, name in enumerate(names):
            own = each[k] if len(each) == len(names) else values
            words = re.sub(r"\]\((?=\w+\.md)", "](../", meaning)
            found[name.strip("[]") if name == "[use]" else name] = (own, words)
    return found


def _choices(hint: Any) -> str:
    """The words that a key takes, where it takes some of a list."""
    inside = [hint, *get_args(hint)]
    words = [word for one in inside if get_origin(one) is Literal for word in get_args(one)]
    return ", ".join(f"`{word}`" for word in words)


def _default(field: Any) -> str:
    if field.default_factory is not dataclasses.MISSING:
        return ""
    value = field.default
    if value in (None, (), ""):
        return ""
    shown = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return f"`{shown.lower() if isinstance(value, bool) else shown}`"


# The document


def document_page() -> str:
    schema = json.loads((REFERENCE / "document.schema.json").read_text(encoding="utf-8"))
    parts = [
        MADE,
        "# The document\n",
        "`--json` prints it, `--out FILE.json` writes it, `found.document()` gives it in Python. "
        "Text, Markdown, HTML, PDF and CSV are made from it alone, and the same input, seed and "
        "version give the same bytes. Its shape is the same for every verb; a verb may add keys of "
        "its own, as `report` adds `parts`. The JSON Schema is "
        "[document.schema.json](document.schema.json).\n",
        table(("Key", "Type", "Meaning"), list(_fields(schema))) + "\n",
        "An undefined result has `value` null and the reason in `undefined`. Numbers are written "
        "in full; how many digits mean something is said by `low` and `high`.\n",
    ]
    for key in ("results", "provenance", "rows", "exclusions", "summary", "tables", "sentences"):
        inside = schema["properties"][key]
        inside = inside.get("oneOf", [inside])[-1]
        inside = inside.get("items", inside.get("additionalProperties", inside))
        rows = list(_fields(inside))
        parts += [f"## `{key}`\n", table(("Key", "Type", "Meaning"), rows) + "\n"]
    return "\n".join(parts)


def passport_page() -> str:
    schema = json.loads((REFERENCE / "passport.schema.json").read_text(encoding="utf-8"))
    inside = schema["properties"]["passport"]["properties"]
    parts = [
        MADE,
        "# The passport\n",
        "`goldassay certify --out JUDGE.passport.json` writes it ([a judge's passport]"
        "(../certify.md)); `--passport` of the other verbs reads it. It is [a document]"
        "(document.md) of goldassay, with two more parts: `claims` and `passport`. The JSON Schema "
        "is [passport.schema.json](passport.schema.json).\n",
        table(("Key", "Type", "Meaning"), list(_fields(schema))) + "\n",
        "## `passport`\n",
        table(("Key", "Type", "Meaning"), list(_fields(schema["properties"]["passport"]))) + "\n",
        "## `identity`\n",
        "An object for each of "
        + ", ".join(f"`{name}`" for name in inside["identity"]["required"])
        + ": `value`, and in `from` who says so. Of a text over 80 characters it is the digest. "
        "`family` and `size` describe a judge and are not compared.\n",
        "## `errors`\n",
        table(("Key", "Type", "Meaning"), list(_fields(inside["errors"]["items"]))) + "\n",
        "## `digest`\n",
        "The SHA-256 of the document without it and without `provenance.argv`, as JSON with sorted "
        "keys, no spaces, and escapes for all that is not ASCII. A passport that was changed by "
        "hand is refused.\n",
    ]
    return "\n".join(parts)


def _fields(schema: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for name, one in schema["properties"].items():
        if "const" in one:
            yield f"`{name}`", f"`{json.dumps(one['const'])}`", one.get("description", "")
            continue
        kinds = one.get("type", "object or null" if "oneOf" in one else "string")
        kinds = ["string", "null"] if None in one.get("enum", ()) else kinds
        kind = " or ".join(kinds) if isinstance(kinds, list) else kinds
        inside = one.get("items", {}).get("type")
        shown = f"{kind} of {inside}" if inside else kind
        yield f"`{name}`", shown, one.get("description", "")


# Metrics


def told() -> dict[str, list[str]]:
    return tomllib.loads((REFERENCE / "metrics.toml").read_text(encoding="utf-8"))


def metrics_page() -> str:
    more = told()
    public = set(metrics.__all__)
    parts = [
        MADE,
        "# Every metric\n",
        "The names are those of the JSON documents; [metrics by question](../metrics.md) has them "
        "where they occur. A metric that does not exist for the data is `undefined`, with the "
        'reason, never NaN and never a 0 that means "could not". "Held against" names the '
        "trusted software, or the separate program, with which the tests compare its value "
        "([how a statistic is proved](../testing.md)).\n",
    ]
    if untold := sorted(methods().keys() - more.keys()):
        raise ValueError(f"docs/reference/metrics.toml says nothing of {', '.join(untold)}")
    for name, method in sorted(methods().items(), key=lambda one: one[0].split(".")[-1]):
        parts.append(metric_section(name, method, more[name], name in public))
    return "\n".join(parts)


def metric_section(name: str, method: Method, more: list[str], public: bool) -> str:
    verb, _, short = name.rpartition(".")
    heading = f"{short} (in {verb})" if verb else short
    span, undefined, oracle = more
    rows = [("Formula", f"`{method.formula}`"), ("Range", span), ("Undefined when", undefined)]
    source = method.reference or "none: it is what the formula says"
    rows += [("Reference", source), ("Held against", oracle)]
    rows += [("From Python", f"`goldassay.metrics.{short}`")] if public and not verb else []
    said = f"**{method.words[0].upper()}{method.words[1:]}**: {method.meaning}.\n"
    lines = [f"- {title}: {words}" for title, words in rows]
    return "\n".join([f"## `{heading}`\n", said, *lines, ""])


def pages() -> dict[str, str]:
    """The text of every page that is made, by its file."""
    made = {
        "command.md": command_page(),
        "python.md": python_page(),
        "python-metrics.md": python_metrics_page(),
        "task.md": task_page(),
        "document.md": document_page(),
        "passport.md": passport_page(),
        "metrics.md": metrics_page(),
    }
    return {name: re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n" for name, text in made.items()}


if __name__ == "__main__":
    for name, text in pages().items():
        (REFERENCE / name).write_text(text, encoding="utf-8")
        print(f"{name}: {len(text.splitlines()):,} lines")
