"""docs/tools.md and docs/images/tools.svg from the draws and what every tool made of them.

python benchmarks/tools_page.py draws.npz others.json
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from tools_draws import SETTINGS

from goldassay import __version__
from goldassay.rendering.markup import text
from goldassay.words import listed

DOCS = Path(__file__).parents[1] / "docs"
#: Coverage from here on is drawn; below, at the edge.
LEAST = 0.6
#: What each does well, said where it is compared.
GOOD = {
    "truescore (PPI++)": "one command on a plain file, refuses what it cannot do, four log formats",
    "truescore (Rogan-Gladen)": "the same package's correction for a separate set",
    "ppi_py": "the method's own authors; means, quantiles, regressions",
    "glide-py": "many estimators and samplers, clustered and stratified ones among them",
    "cje-eval": "continuous scores, cross-fitted calibration, audits that refuse a claim",
    "evalstats": "benchmark comparisons with several tests, plots and tables",
    "judgy": "five lines of Python, Rogan-Gladen with a bootstrap of the labels",
    "statsmodels, labels alone": "the reference for classical statistics; Wilson's interval",
    "scikit-learn bootstrap, labels alone": "at hand everywhere",
}


def table(draws: Any, others: dict[str, Any]) -> dict[str, dict[str, dict[str, Any]]]:
    """Tool -> setting -> runs, refused, covered, length; ours first."""
    mine = {}
    for setting in SETTINGS:
        ends, rates = draws[f"{setting.name}_ours"], draws[f"{setting.name}_rates"]
        known = np.isfinite(ends).all(1)
        low, high = ends[known].T
        mine[setting.name] = {
            "runs": len(ends),
            "refused": int((~known).sum()),
            "covered": float(((low <= rates[known]) & (rates[known] <= high)).mean()),
            "length": float((high - low).mean()),
        }
    return {f"goldassay {__version__}": mine} | {
        _titled(tool, one["version"]): one["settings"] for tool, one in others.items()
    }


def _titled(tool: str, version: str) -> str:
    first, *rest = tool.split(" ", 1)
    if first.endswith(","):
        return f"{first[:-1]} {version}, {rest[0]}"
    return " ".join([first, version, *rest])


def picture(found: dict[str, dict[str, dict[str, Any]]]) -> str:
    """Rows of tools, columns of settings: a dot at the coverage, its length beneath."""
    left, wide, tall, top = 250, 118, 40, 70
    width, height = left + wide * len(SETTINGS) + 10, top + tall * len(found) + 46
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="system-ui, sans-serif" role="img" aria-labelledby="t">',
        '<title id="t">How often each tool\'s 95 % interval holds the true rate</title>',
        "<style>text{fill:#1b1b1b;font-size:12px}.s{fill:#666;font-size:10px}"
        "line{stroke:#ccc}.c{stroke:#2a7}.ok{fill:#2a7d5f}.no{fill:#c0392b}"
        "@media(prefers-color-scheme:dark){text{fill:#eee}.s{fill:#aaa}line{stroke:#444}"
        ".ok{fill:#5fc9a3}.no{fill:#ff8a75}}</style>",
    ]
    for column, setting in enumerate(SETTINGS):
        x = left + column * wide
        name, _, rest = setting.words.partition(":")
        parts.append(f'<text x="{x}" y="20" font-weight="600">{text(name)}</text>')
        for line, words in enumerate(_folded(rest.strip())[:3]):
            parts.append(f'<text class="s" x="{x}" y="{34 + 11 * line}">{text(words)}</text>')
        at = x + _place(0.95, wide)
        bottom = top + tall * len(found)
        parts.append(f'<line class="c" x1="{at:.1f}" x2="{at:.1f}" y1="{top}" y2="{bottom}"/>')
    for row, (tool, settings) in enumerate(found.items()):
        y = top + row * tall + 16
        weight = ' font-weight="600"' if row == 0 else ""
        parts.append(f'<text x="4" y="{y + 4}"{weight}>{text(tool)}</text>')
        for column, setting in enumerate(SETTINGS):
            x, one = left + column * wide, settings.get(setting.name)
            if one is None:
                continue
            parts.append(f'<line x1="{x}" x2="{x + wide - 14}" y1="{y}" y2="{y}"/>')
            if one["covered"] is None:
                parts.append(f'<text class="s" x="{x}" y="{y - 4}">refuses</text>')
                continue
            good = one["covered"] + 2 * _error(one) >= 0.93
            spot = x + _place(one["covered"], wide)
            kind = "ok" if good else "no"
            parts.append(f'<circle class="{kind}" cx="{spot:.1f}" cy="{y}" r="4.5"/>')
            said = f"{one['covered']:.3f}, length {one['length']:.3f}"
            if one["refused"]:
                said = f"{one['covered']:.3f}, refuses {_refused(one)}"
            parts.append(f'<text class="s" x="{x}" y="{y + 15}">{said}</text>')
    parts.append(
        f'<text class="s" x="4" y="{height - 12}">Scale from {LEAST:g} to 1; the line is .95. Red: '
        "below .93 by more than two Monte Carlo errors.</text></svg>"
    )
    return "\n".join(parts) + "\n"


def _error(one: dict[str, Any]) -> float:
    share, runs = one["covered"], max(one["runs"] - one["refused"], 1)
    return float(np.sqrt(max(share * (1 - share), 1e-4) / runs))


def _place(coverage: float, wide: int) -> float:
    return (max(coverage, LEAST) - LEAST) / (1 - LEAST) * (wide - 14)


def _folded(words: str, width: int = 21) -> list[str]:
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) + 1 > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def page(found: dict[str, dict[str, dict[str, Any]]], others: dict[str, Any]) -> str:
    """The page around the picture."""
    names = [setting.name for setting in SETTINGS]
    lines = [
        "# What each tool's 95 % really covers",
        "",
        "Several packages give an interval for the true rate behind a judge's verdicts. On the "
        "same draws, how often does each one's 95 % interval hold the true rate, how long is it, "
        "and how often is there none?",
        "",
        "![Coverage of 95 % intervals by tool and setting](images/tools.svg)",
        "",
        "Settings (labels drawn at random from the pool, but for whole clusters):",
        "",
        *(f"- **{one.name}**: {one.words.removeprefix(f'{one.name}: ')}" for one in SETTINGS),
        "",
        "Coverage (mean length); refused: the share of draws without an interval.",
        "",
        f"| Tool | {' | '.join(names)} |",
        f"| --- |{' --- |' * len(names)}",
    ]
    for tool, settings in found.items():
        cells = [_cell(settings[name]) if name in settings else "not run" for name in names]
        lines.append(f"| {tool} | {' | '.join(cells)} |")
    mine, ppi = next(iter(found.values())), next(k for k in found if k.startswith("ppi_py"))
    longer = mine["good"]["length"] / found[ppi]["good"]["length"]
    lines += [
        "",
        "## What to make of it",
        "",
        "A tool is called as its own pages say, with its defaults (judgy with 2,000 resamples "
        "instead of 20,000). None of them claims more than "
        "its method gives: normal intervals of PPI are for many labels and rates away from 0 and "
        "1, and to refuse is better than a wrong interval. Tools that take no clusters are shown "
        "on clustered draws "
        "too, as users have them. Longer is the price of covering with few labels or rare classes; "
        f"with a nearly perfect judge ours is {longer:.2f} times as long as that of ppi_py.",
        "",
        "What each does well:",
        "",
        *(f"- {_titled(tool, one['version'])}: {GOOD[tool]}." for tool, one in others.items()),
        "",
        "## Refusals",
        "",
        "Coverage is of the draws with an interval. What the tools said where there was none, and "
        "how often:",
        "",
        "| Tool | Setting | Draws | What it said |",
        "| --- | --- | --- | --- |",
        *_refusals(others),
        "",
        f"Runs: {_runs(found)}. "
        "Made by `benchmarks/tools_draws.py`, `tools_others.py` (Python 3.12, in an environment of "
        "its own) and `tools_page.py`.",
        "",
    ]
    return "\n".join(lines)


def _refusals(others: dict[str, Any]) -> Iterator[str]:
    """A row for each reason: the first sentence of what was said, whatever its numbers."""
    for tool, one in others.items():
        for setting, of in one["settings"].items():
            said: Counter[str] = Counter()
            for reason, times in of["reasons"].items():
                first = " ".join(reason.replace("|", "/").split()).partition(". ")[0]
                said[re.sub(r"\d+(\.\d+)?", "N", first)] += times
            for words, times in said.most_common():
                often = f"{times:,} of {of['runs']:,}"
                yield f"| {_titled(tool, one['version'])} | {setting} | {often} | `{words}` |"


def _runs(found: dict[str, dict[str, dict[str, Any]]]) -> str:
    """The runs of each tool, those with the most together, and what they tell."""
    runs = {tool: min(one["runs"] for one in of.values()) for tool, of in found.items()}
    most = max(runs.values())
    fewer = [f"{n:,} of {tool}" for tool, n in runs.items() if n < most]
    said = f"{most:,} a setting" + f" ({listed(fewer)}, which are slow)" * bool(fewer)
    told = {n: 2 * np.sqrt(0.95 * 0.05 / n) for n in sorted({*runs.values()})[::-1]}
    errors = listed([f"{error:.3f} at {n:,}".removeprefix("0") for n, error in told.items()])
    return f"{said}. Two Monte Carlo errors of .95 are {errors}"


def _refused(one: dict[str, Any]) -> str:
    share = one["refused"] / one["runs"]
    return f"{share:.0%}" if share >= 0.01 else f"{share:.1%}"


def _cell(one: dict[str, Any]) -> str:
    if one["covered"] is None:
        return "refuses"
    refused = f"; refused {_refused(one)}" if one["refused"] else ""
    return f"{one['covered']:.3f} ({one['length']:.3f}{refused})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("draws")
    parser.add_argument("others")
    options = parser.parse_args()
    others = json.loads(Path(options.others).read_text(encoding="utf-8"))
    found = table(np.load(options.draws), others)
    (DOCS / "images" / "tools.svg").write_text(picture(found), encoding="utf-8")
    (DOCS / "tools.md").write_text(page(found, others), encoding="utf-8")


if __name__ == "__main__":
    main()
