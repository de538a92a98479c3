"""The house of docs/architecture.md, drawn from the imports: docs/images/house.svg.

    python scripts/house.py

A room is a folder of the source or a module beside them. It stands one floor above the highest room
that it uses; a line leads to what it uses, unless it gets there by way of another.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "goldassay"
PICTURE = ROOT / "docs" / "images" / "house.svg"
PACKAGE = re.compile(r"^goldassay(\.[a-z_]+)+(:\w+)?$")
BOX, GAP, FLOOR, WIDTH = (112, 44), 12, 88, 900

STYLE = """
.card{fill:#fff;stroke:#d0d7de}.box{fill:#f6f8fa;stroke:#8c959f}.t{fill:#1f2328}.d{fill:#59636e}
.e{stroke:#8c959f;fill:none;stroke-opacity:.7}
@media(prefers-color-scheme:dark){.card{fill:#0d1117;stroke:#3d444d}
.box{fill:#151b23;stroke:#656c76}
.t{fill:#f0f6fc}.d{fill:#9198a1}.e{stroke:#656c76}}
text{font:14px system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
.s{font-size:11px}
"""


def named(text: str) -> set[str]:
    """The modules of goldassay that a text imports, inside functions and by a string too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names |= {node.value.partition(":")[0]} if PACKAGE.match(node.value) else set()
    return {name for name in names if name.startswith("goldassay.")}


def rooms() -> tuple[dict[str, int], dict[str, set[str]]]:
    """The number of modules of each room, and the rooms that it uses."""
    sizes: dict[str, int] = defaultdict(int)
    uses: dict[str, set[str]] = defaultdict(set)
    for path in sorted(SOURCE.rglob("*.py")):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if not room.startswith("__"):
            sizes[room] += 1
            uses[room] |= {name.split(".")[1] for name in named(path.read_text(encoding="utf-8"))}
    return sizes, {room: (uses[room] & sizes.keys()) - {room} for room in sizes}


def floors(uses: dict[str, set[str]]) -> dict[str, int]:
    """Each room's floor; 0 is the ground."""
    found: dict[str, int] = {}
    for room in TopologicalSorter(uses).static_order():
        found[room] = 1 + max((found[other] for other in uses[room]), default=-1)
    return found


def direct(uses: dict[str, set[str]]) -> list[tuple[str, str]]:
    """The uses that do not lead there by way of another room."""
    below: dict[str, set[str]] = {}
    for room in TopologicalSorter(uses).static_order():
        below[room] = set().union(uses[room], *(below[other] for other in uses[room]))
    return [
        (room, other)
        for room, others in sorted(uses.items())
        for other in sorted(others)
        if not any(other in below[third] for third in others - {other})
    ]


def drawing() -> str:
    sizes, uses = rooms()
    floor = floors(uses)
    top = max(floor.values())
    height = FLOOR * (top + 1)
    place: dict[str, tuple[float, float]] = {}
    for level in range(top + 1):
        row = sorted(room for room in floor if floor[room] == level)
        wide = len(row) * BOX[0] + (len(row) - 1) * GAP
        left = (WIDTH - wide) / 2
        # Odd floors stand a little aside, so that lines do not run through boxes.
        left += 0 if len(row) > 3 else (-1) ** level * 60
        for k, room in enumerate(row):
            place[room] = (left + k * (BOX[0] + GAP), 20 + FLOOR * (top - level))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'width="{WIDTH}" height="{height}"><title>The rooms of the source, each above what it uses'
        f"</title><style>{STYLE}</style>",
        f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="10" class="card"/>',
    ]
    for room, other in direct(uses):
        x1, y1 = place[room][0] + BOX[0] / 2, place[room][1] + BOX[1]
        x2, y2 = place[other][0] + BOX[0] / 2, place[other][1]
        middle = (y1 + y2) / 2
        curve = f"M{x1:.0f} {y1:.0f}C{x1:.0f} {middle:.0f} {x2:.0f} {middle:.0f} {x2:.0f} {y2:.0f}"
        parts.append(f'<path d="{curve}" class="e"/>')
    for room, (left, y) in sorted(place.items()):
        size = f"{sizes[room]} modules" if sizes[room] > 1 else "1 module"
        box = f'x="{left:.0f}" y="{y}" width="{BOX[0]}" height="{BOX[1]}" rx="6"'
        at = f'x="{left + BOX[0] / 2:.0f}" text-anchor="middle"'
        parts += [
            f'<rect {box} class="box"/>',
            f'<text {at} y="{y + 20}" class="t">{escape(room)}</text>',
            f'<text {at} y="{y + 36}" class="d s">{size}</text>',
        ]
    return "\n".join([*parts, "</svg>\n"])


if __name__ == "__main__":
    PICTURE.write_text(drawing(), encoding="utf-8")
    print(PICTURE.relative_to(ROOT))
