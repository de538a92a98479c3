"""The picture at the top of README.md, from EVOUNA-NQ: what a judge reports, and what is true.

    python scripts/readme_picture.py [EVOUNA/NQ.json] [OUT.svg]

needs the published data (github.com/wangcunxiang/QA-Eval), of which only rates are drawn. Lexical
match judges the answers of five systems. People's labels of 200 questions are kept, as in a study
that can afford no more; what `goldassay estimate` makes of them stands beside the rates of all
labels, which it has not seen.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

import goldassay as ga  # noqa: E402
from goldassay.results import Estimate  # noqa: E402
from goldassay.words import counted, figure_text, percent  # noqa: E402

EXAMPLE = ROOT / "examples" / "estimate_evouna"
OUT = ROOT / "docs" / "images" / "evouna.svg"
NAMES = {"fid": "FiD", "gpt35": "GPT-3.5", "chatgpt": "ChatGPT", "gpt4": "GPT-4", "newbing": "Bing"}
WIDTH, LEFT, RIGHT, TOP, STEP = 760, 150, 612, 126, 40
LOW, HIGH = 0.45, 0.87

STYLE = """
.card{fill:#fff;stroke:#d0d7de}.t{fill:#1f2328}.d{fill:#59636e}.g{stroke:#d0d7de}
.bar{fill:#1a7f5a;opacity:.32}.dot{fill:#1a7f5a}.judge{fill:#fff;stroke:#bc4c00;stroke-width:2.5}
.move{stroke:#bc4c00;stroke-dasharray:2 4;stroke-width:1.5}.true{stroke:#1f2328;stroke-width:3}
.jt{fill:#bc4c00}.et{fill:#1a7f5a}
@media(prefers-color-scheme:dark){.card{fill:#0d1117;stroke:#3d444d}.t{fill:#f0f6fc}.d{fill:#9198a1}
.g{stroke:#3d444d}.bar{fill:#3fb984;opacity:.4}.dot{fill:#3fb984}.judge{fill:#0d1117;stroke:#f0883e}
.move{stroke:#f0883e}.true{stroke:#f0f6fc}.jt{fill:#f0883e}.et{fill:#3fb984}}
text{font:15px system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
.b{font-weight:600}.s{font-size:13px}.h{font-size:21px;font-weight:600}
@media(max-width:560px){text{font-size:20px}.s{font-size:18px}.h{font-size:27px}}
"""


@dataclass(frozen=True)
class Rate:
    """A rate by the judge, corrected with its interval, and by all labels."""

    name: str
    judge: float
    value: float
    low: float
    high: float
    true: float
    answers: int


def rates(source: Path) -> list[Rate]:
    """All answers first, then the systems, best first."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "evouna.csv"
        command = [sys.executable, str(EXAMPLE / "convert.py"), str(source), str(table)]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found = ga.estimate(str(table), str(EXAMPLE / "task.toml"))
    lines = re.findall(r"^(\w+): ([\d.]+) of (\d+) ", told, flags=re.M)
    true = {name: (float(rate), int(number)) for name, rate, number in lines}
    number = sum(n for _, n in true.values())
    true[""] = (sum(rate * n for rate, n in true.values()) / number, number)
    judged = {
        row.about.get("system") or "": row.result
        for row in found.rows_where(name="prevalence_naive")
    }
    drawn = []
    for row in found.rows_where(name="prevalence"):
        one, system = row.result, row.about.get("system") or ""
        judge = judged[system]
        assert isinstance(one, Estimate)
        assert isinstance(judge, Estimate)
        assert one.interval is not None
        ends = (one.interval.low, one.interval.high)
        drawn.append(Rate(system, judge.value, one.value, *ends, *true[system]))
    return sorted(drawn, key=lambda rate: (rate.name != "", -rate.value))


def x(rate: float) -> float:
    return LEFT + (RIGHT - LEFT) * (rate - LOW) / (HIGH - LOW)


def text(at: tuple[float, float], words: str, kind: str = "t", anchor: str = "start") -> str:
    place = f'x="{at[0]:.1f}" y="{at[1]:.1f}" class="{kind}" text-anchor="{anchor}"'
    return f"<text {place}>{escape(words)}</text>"


def line(one: tuple[float, float], two: tuple[float, float], kind: str) -> str:
    return (
        f'<line x1="{one[0]:.1f}" y1="{one[1]:.1f}" x2="{two[0]:.1f}" y2="{two[1]:.1f}" '
        f'class="{kind}"/>'
    )


def strip(rate: Rate, y: float) -> list[str]:
    whole = rate.name == ""
    name = "all answers" if whole else NAMES[rate.name]
    size = 7 if whole else 5
    bar = f'x="{x(rate.low):.1f}" y="{y - size}" width="{x(rate.high) - x(rate.low):.1f}"'
    return [
        text((LEFT - 16, y + 5), name, "t b" if whole else "t", "end"),
        line((x(rate.judge) + 8, y), (x(rate.low) - 3, y), "move"),
        f'<rect {bar} height="{2 * size}" rx="{size}" class="bar"/>',
        f'<circle cx="{x(rate.judge):.1f}" cy="{y}" r="{size - 0.5}" class="judge"/>',
        f'<circle cx="{x(rate.value):.1f}" cy="{y}" r="{size}" class="dot"/>',
        line((x(rate.true), y - 12), (x(rate.true), y + 12), "true"),
        text((WIDTH - 20, y + 5), figure(rate), "et b" if whole else "et", "end"),
    ]


def figure(rate: Rate) -> str:
    return figure_text(rate.value, (rate.low, rate.high), rate=True)


def drawing(found: list[Rate]) -> str:
    whole = found[0]
    bottom = TOP + STEP * len(found) + 4
    height = bottom + 84
    said = (
        f"The judge reports {percent(whole.judge)} correct. With labels of 200 questions goldassay "
        f"says {figure(whole)}. All {counted(whole.answers, 'label')} "
        f"by people say {percent(whole.true)}."
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'width="{WIDTH}" height="{height}"><title>{escape(said)}</title><style>{STYLE}</style>',
        f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="10" class="card"/>',
        text((24, 38), "How many answers are correct?", "t h"),
        text(
            (24, 64), f"The judge says {percent(whole.judge)}. It is {percent(whole.true)}.", "t b"
        ),
        text(
            (24, 86), "EVOUNA-NQ: five systems on 3,020 questions, judged by lexical match.", "d s"
        ),
    ]
    for tick in (0.5, 0.6, 0.7, 0.8):
        parts.append(line((x(tick), TOP - 18), (x(tick), bottom - 12), "g"))
        parts.append(text((x(tick), bottom + 6), percent(tick), "d s", "middle"))
    for k, rate in enumerate(found):
        parts += strip(rate, TOP + STEP * k + 4)
    y = bottom + 40
    parts += [
        f'<circle cx="33" cy="{y - 5}" r="5" class="judge"/>',
        text((54, y), "what the judge reports", "jt s"),
        line((290, y - 14), (290, y + 4), "true"),
        text((302, y), f"all {counted(whole.answers, 'label')} by people", "t s"),
        f'<rect x="20" y="{y + 15}" width="26" height="10" rx="5" class="bar"/>',
        f'<circle cx="33" cy="{y + 20}" r="5" class="dot"/>',
        text(
            (54, y + 25), "goldassay, from people's labels of 200 questions: 95 % interval", "et s"
        ),
    ]
    return "\n".join([*parts, "</svg>\n"])


if __name__ == "__main__":
    shared = Path(os.environ.get("GOLDASSAY_SHARED", ROOT.parent / "shared"))
    given = shared / "data" / "evouna_qaeval" / "EVOUNA" / "NQ.json"
    found = rates(Path(sys.argv[1]) if len(sys.argv) > 1 else given)
    for rate in found:
        print(rate)
    Path(sys.argv[2] if len(sys.argv) > 2 else OUT).write_text(drawing(found), encoding="utf-8")
