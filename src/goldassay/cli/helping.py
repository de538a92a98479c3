"""`goldassay VERB`: an option that takes one file takes no second; `--help` fits the terminal."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand

from goldassay.cli.screen import command_lines, screen_width
from goldassay.errors import UsageError
from goldassay.rendering.columns import width_of, wrapped_lines

__all__ = ["Verb"]

#: Where the words about an option begin; a longer option stands on a line of its own.
INDENT = 26
#: What stands for the value of an option that names none.
_VALUES = {"integer": "N", "int": "N", "float": "X", "path": "PATH"}


#: How options call the value that names a file or a folder.
_FILES = frozenset({"DB", "DIR", "FILE", "FILE|URI", "FOLDER", "TOML"})


class Verb(TyperCommand):
    """A verb of the command line, which writes its own help and drops no file that is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for one in given:
            if given.count(one) > 1 and not one.multiple and one.metavar in _FILES:
                raise UsageError(
                    max(one.opts, key=len),
                    "takes one file or folder here",
                    found=str(given.count(one)),
                )
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        width = screen_width()
        arguments = [one for one in self.params if one.param_type_name == "argument"]
        options = [one for one in self.get_params(ctx) if one.param_type_name == "option"]
        usage = " ".join([ctx.command_path, "[OPTIONS]", *map(_metavar, arguments)])
        lines = [*wrapped_lines(f"Usage: {usage}", width, "  "), "", *_told(self.help or "", width)]
        lines += _listed("Arguments", [(_metavar(one), one) for one in arguments], width)
        lines += _listed("Options", [(_option(one), one) for one in options], width)
        formatter.write("\n".join(lines) + "\n")


def _told(text: str, width: int) -> list[str]:
    """The docstring: paragraphs filled, examples of commands as they are typed."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        if paragraph.startswith("    "):
            words = re.findall(r"(?:'[^']*'|\"[^\"]*\"|\S)+", paragraph)
            if lines and lines[-1] == "" and lines[-2].startswith("  "):
                lines.pop()  # commands stand close together
            lines += ["  " + line for line in command_lines(words, width - 2)]
        else:
            lines += wrapped_lines(paragraph.replace("\n", " "), width)
        lines.append("")
    return lines


def _listed(title: str, params: list[tuple[str, Any]], width: int) -> list[str]:
    lines = [title] if params else []
    for name, param in params:
        if getattr(param, "hidden", False):
            continue
        about = wrapped_lines(_about(param), max(width - INDENT, 12))
        head = f"  {name}"
        if width_of(head) > INDENT - 2:
            lines.append(head)
            head = ""
        lines.append(f"{head:<{INDENT}}{about[0]}".rstrip())
        lines += [" " * INDENT + line for line in about[1:]]
    return [*lines, ""] if title == "Arguments" and lines else lines


def _about(param: Any) -> str:
    """What is said of an option: its help, and its default where that says something."""
    said = (getattr(param, "help", None) or "").strip()
    default = param.default
    if param.required:
        return f"{said} (required)"
    unsaid = default is None or callable(default) or isinstance(default, bool)
    told = not unsaid and default not in ("", (), [])
    return f"{said} ({default} unless given)" if told else said


def _option(param: Any) -> str:
    names = sorted(param.opts, key=len)
    shown = ", ".join(names) + "".join(f" / {one}" for one in param.secondary_opts)
    value = "" if getattr(param, "is_flag", False) else _metavar(param)
    return f"{shown} {value}".rstrip()


def _metavar(param: Any) -> str:
    if param.metavar:
        return str(param.metavar)
    if choices := getattr(param.type, "choices", None):
        return "|".join(str(getattr(one, "value", one)) for one in choices)
    if param.param_type_name == "argument":
        name = str(param.human_readable_name).upper()
        return name if param.required else f"[{name.strip('[]')}]"
    return _VALUES.get(str(param.type.name).partition(" ")[0], "TEXT")
