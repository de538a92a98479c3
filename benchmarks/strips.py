"""Pictures of coverage: a row for each interval, a dot for each setting, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

__all__ = ["Row", "picture"]

LEFT, RIGHT, TOP, STEP, WIDTH = 250, 20, 54, 34, 760
#: Light and dark, as the page around it is: .o for our intervals, .s for others.
STYLE = (
    ".card{fill:#fff}.grid{stroke:#eee}.level{stroke:#bbb}text{fill:#333}"
    "circle{fill-opacity:.55}.o{fill:#1f6f8b}.s{fill:#c77b2b}"
    "@media(prefers-color-scheme:dark){.card{fill:#16181d}.grid{stroke:#2c3038}"
    ".level{stroke:#6d7480}text{fill:#d6d9de}.o{fill:#62b6d2}.s{fill:#e5a35c}}"
)


@dataclass(frozen=True)
class Row:
    """An interval's name and its coverage in each setting; `ours` for goldassay's."""

    label: str
    coverage: Sequence[float]
    ours: bool = True


def picture(path: str | Path, title: str, rows: Sequence[Row], *, least: float = 0.7) -> None:
    """Write a strip of dots for each row; coverage below `least` stands at the left edge."""
    height = TOP + STEP * len(rows) + 46

    def place(x: float) -> float:
        return LEFT + (max(x, least) - least) / (1 - least) * (WIDTH - LEFT - RIGHT)

    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'font-family="sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" class="card"/>',
        f'<text x="12" y="24" font-size="15" font-weight="bold">{escape(title)}</text>',
    ]
    bottom = TOP + STEP * len(rows)
    ticks = [round(least + 0.05 * k, 2) for k in range(round((1 - least) / 0.05) + 1)]
    for tick in ticks:
        x = place(tick)
        drawn.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}" class="grid"/>')
        said = f"{tick:.2f}" if tick > least else f"≤ {tick:.2f}"
        drawn.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{said}</text>')
    for level, dash in ((0.95, ""), (0.93, ' stroke-dasharray="4 3"')):
        x = place(level)
        drawn.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}" class="level"{dash}/>'
        )
    for k, row in enumerate(rows):
        y = TOP + STEP * (k + 0.5)
        drawn.append(f'<text x="12" y="{y + 4:.1f}">{escape(row.label)}</text>')
        whose = "o" if row.ours else "s"
        for i, one in enumerate(row.coverage):
            # Dots of one row are spread a little, the same way every time.
            shift = (i * 7 % 11 - 5) * STEP / 22
            drawn.append(
                f'<circle cx="{place(one):.1f}" cy="{y + shift:.1f}" r="2.6" class="{whose}"/>'
            )
    drawn.append(
        f'<text x="{LEFT}" y="{bottom + 38}">coverage in each setting; lines at .93 and .95</text>'
    )
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("\n".join([*drawn, "</svg>", ""]), encoding="utf-8")
