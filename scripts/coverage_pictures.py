"""Measured coverages in pictures: docs/images/coverage*.svg, and the summary of docs/intervals.md.

    python scripts/coverage_pictures.py

The figures are those of the tables of docs/theory/figures.md, read from there; nothing is measured
here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from goldassay.words import counted, decimal  # noqa: E402

SOURCE = ROOT / "docs" / "theory" / "figures.md"
PAGE = ROOT / "docs" / "intervals.md"
IMAGES = ROOT / "docs" / "images"
#: Sections with a picture of their own, a line for each of their tables. Others have one that
#: their script draws from single runs.
ALONE = {
    "coverage-strictness.svg": "Strictness, ROC AUC, correlations, macro-F1",
    "coverage-rank.svg": "Rank",
    "coverage-audit.svg": "Audit",
    "coverage-rates.svg": "Corrected rates",
}

#: Columns that hold the coverage of our intervals, and of the simpler ones beside them.
OURS = re.compile(
    r"^(lowest( coverage| of .*)?|coverage|joint coverage|ours.*|least|goldassay, least coverage|"
    r"score|Bradley-Terry|bias|corrected_bias|bias_delta|kin_bias|win_rate_mse|"
    r"no information|1.5 standard deviations apart|[a-z_]+ [hs]/[hs]+|`[a-z_0-9]+`)$",
    re.I,
)
SIMPLER = re.compile(
    r"^(textbook: lowest|simpler(:.*| \(.*)?|plain bootstrap, least|tau, percentile|battle-level|"
    r"pairwise bootstrap, joint coverage)$",
    re.I,
)
VALUE = re.compile(r"^([01]?\.\d+)(?: \([^)]*\))?(?: / ([01]?\.\d+))?$")
LEFT, WIDTH, RIGHT, STEP = 236, 760, 730, 46
LOW = 0.5


@dataclass
class Part:
    """A table, or all tables of a section: what was measured there."""

    title: str
    ours: list[float] = field(default_factory=list)
    simpler: list[float] = field(default_factory=list)

    @property
    def anchor(self) -> str:
        return re.sub(r"[^\w -]", "", self.title.lower()).replace(" ", "-")


def sections() -> dict[str, list[Part]]:
    """The sections of docs/theory/figures.md, each with the coverages of its tables."""
    found: dict[str, list[Part]] = {}
    for section, title, head, rows in tables(SOURCE.read_text(encoding="utf-8").splitlines()):
        part = Part(title)
        headlines = any("(headline)" in one for row in rows for one in row)
        for row in rows:
            aside = headlines and not any("(headline)" in one for one in row)
            for name, text in zip(head, row, strict=True):
                for value in filter(None, map(VALUE.match, text.strip("* ").split("; "))):
                    if OURS.match(name):
                        (part.simpler if aside else part.ours).append(float(value[1]))
                        part.simpler += [float(value[2])] if value[2] else []
                    elif SIMPLER.match(name):
                        part.simpler.append(float(value[1]))
        if part.ours:
            found.setdefault(section, []).append(part)
    return found


def together(section: str, parts: list[Part]) -> Part:
    ours = [value for part in parts for value in part.ours]
    return Part(section, ours, [value for part in parts for value in part.simpler])


def tables(lines: list[str]) -> Iterator[tuple[str, str, list[str], list[list[str]]]]:
    """The section, the heading, the columns and the rows of every table."""
    section, title, k = "", "", 0
    while k < len(lines):
        if re.match(r"^##+ ", lines[k]):
            title = lines[k].lstrip("# ")
            section = title if lines[k].startswith("## ") else section
        if lines[k].startswith("|") and k + 1 < len(lines) and lines[k + 1].startswith("| -"):
            end = k
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            split = ([one.strip() for one in line[1:-1].split("|")] for line in lines[k:end])
            head, _, *rows = split
            yield section, title, head, [row for row in rows if len(row) == len(head)]
            k = end
        k += 1


def x(coverage: float) -> float:
    return LEFT + (RIGHT - LEFT) * (max(coverage, LOW) - LOW) / (1 - LOW)


STYLE = """
.card{fill:#fff;stroke:#d0d7de}.t{fill:#1f2328}.d{fill:#59636e}.g{stroke:#d0d7de}
.claim{stroke:#1f2328;stroke-width:1.5}.o{fill:#1a7f5a;fill-opacity:.4}
.s{fill:#bc4c00;fill-opacity:.4}
.ot{fill:#1a7f5a}.st{fill:#bc4c00}
@media(prefers-color-scheme:dark){.card{fill:#0d1117;stroke:#3d444d}.t{fill:#f0f6fc}.d{fill:#9198a1}
.g{stroke:#3d444d}.claim{stroke:#f0f6fc}.o{fill:#3fb984;fill-opacity:.5}
.s{fill:#f0883e;fill-opacity:.5}
.ot{fill:#3fb984}.st{fill:#f0883e}}
text{font:14px system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
.l{font-size:12.5px}
"""


def drawing(found: list[Part]) -> str:
    height = 96 + STEP * len(found)
    least = min(min(part.ours) for part in found)
    said = (
        f"Coverage of 95 % intervals in {sum(len(part.ours) for part in found)} measurements: "
        f"the lowest of ours is {decimal(least)}."
    )
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'width="{WIDTH}" height="{height}"><title>{escape(said)}</title><style>{STYLE}</style>',
        f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="10" class="card"/>',
        '<circle cx="30" cy="24" r="4" class="o"/>',
        _text((40, 29), "goldassay", "ot l"),
        '<circle cx="130" cy="24" r="4" class="s"/>',
        _text((140, 29), "a simpler interval, where one was measured beside it", "st l"),
    ]
    bottom = height - 38
    for tick in (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0):
        kind = "claim" if tick == 0.95 else "g"
        label = "≤ 0.5" if tick == LOW else f"{tick:g}"
        at = f'x1="{x(tick):.1f}" y1="44" x2="{x(tick):.1f}" y2="{bottom}"'
        drawn.append(f'<line {at} class="{kind}"/>')
        drawn.append(_text((x(tick), bottom + 18), label, "d l", "middle"))
    drawn.append(_text((LEFT - 30, bottom + 18), "coverage", "d l", "end"))
    for k, part in enumerate(found):
        y = 62 + STEP * k
        drawn.append(_text((LEFT - 14, y + 8), _short(part.title), "t", "end"))
        for kind, values, where in (("o", part.ours, y - 4), ("s", part.simpler, y + 12)):
            for n, value in enumerate(values):
                at = f'cx="{x(value):.1f}" cy="{where + (n * 7) % 9 - 4}"'
                drawn.append(f'<circle {at} r="3.2" class="{kind}"/>')
    return "\n".join([*drawn, "</svg>\n"])


def _text(at: tuple[float, float], words: str, kind: str, anchor: str = "start") -> str:
    place = f'x="{at[0]:.1f}" y="{at[1]:.1f}" class="{kind}" text-anchor="{anchor}"'
    return f"<text {place}>{escape(words)}</text>"


def _short(title: str) -> str:
    return title if len(title) < 30 else title[:28].rsplit(" ", 1)[0].rstrip(",") + " …"


def row(part: Part) -> str:
    section = f"[{part.title}](theory/figures.md#{part.anchor})"
    mean = sum(part.ours) / len(part.ours)
    simpler = f"{min(part.simpler):.3f}" if part.simpler else ""
    cells = (section, f"{len(part.ours):,}", f"{min(part.ours):.3f}", f"{mean:.3f}", simpler)
    return f"| {' | '.join(cells)} |"


def summary(found: list[Part]) -> str:
    figures = counted(sum(len(part.ours) for part in found), "figure")
    rows = "\n".join(map(row, found))
    return f"""![Coverage of 95 % intervals by section](images/coverage.svg)

| Section | Figures | Lowest | Mean | Lowest of the simpler ones |
| --- | --- | --- | --- | --- |
{rows}

{figures} in all. With few labels, rare classes or few clusters the textbook's intervals and plain
bootstraps miss by far more."""


def files() -> dict[Path, str]:
    found = sections()
    whole = [together(section, parts) for section, parts in found.items()]
    text = PAGE.read_text(encoding="utf-8")
    mark = re.compile(r"(<!-- measured -->\n).*?(<!-- /measured -->)", re.DOTALL)
    page = mark.sub(lambda match: f"{match[1]}{summary(whole)}\n{match[2]}", text)
    alone = {IMAGES / name: drawing(found[section]) for name, section in ALONE.items()}
    return {IMAGES / "coverage.svg": drawing(whole), PAGE: page, **alone}


if __name__ == "__main__":
    for file, text in files().items():
        file.write_text(text, encoding="utf-8")
        print(file.relative_to(ROOT))
