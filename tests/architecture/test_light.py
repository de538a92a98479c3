"""goldassay works with what `pip install goldassay` brings: heavy packages are extras."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Import names of packages that differ from the names they are installed by.
NAMES = {
    "scikit-learn": "sklearn", "ppi-python": "ppi_py", "pytest-xdist": "xdist",
    "pyyaml": "yaml", "mlflow-skinny": "mlflow",
}  # fmt: skip

WITHOUT = """
import sys
from dataclasses import replace
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
from goldassay.cli import command_line
from goldassay.lab import demo
large = demo.demo_study()
demo.RESAMPLES, demo.demo_study = 100, lambda: replace(large, prompts=20)
for words in {commands!r}:
    assert command_line(words) == 0, words
"""


def blocked() -> set[str]:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    listed = {re.split(r"[\[><=!~ ]", text)[0] for texts in extras.values() for text in texts} - {
        "goldassay"
    }
    return {NAMES.get(name, name).replace("-", "_") for name in listed} - {"markdown_it_py"}


def test_the_verbs_need_no_extra(tmp_path: Path) -> None:
    """The demo as small as it goes: what it needs does not depend on how much it draws."""
    judges, people, task = tmp_path / "judges.csv", tmp_path / "people.csv", tmp_path / "task.toml"
    rows = [f"i{n},gpt,judge,{'yes' if n % 3 else 'no'},one\n" for n in range(40)]
    judges.write_text("item,rater,kind,value,system\n" + "".join(rows))
    labels = [f"i{n},kim,human,{'yes' if n % 4 else 'no'}\n" for n in range(40)]
    people.write_text("item,rater,kind,value\n" + "".join(labels))
    task.write_text('scale = "binary"\noptions = ["yes", "no"]\npositive = "yes"\n')
    both = [str(judges), str(people), "--task", str(task)]
    commands = [[verb, *both] for verb in ("check", "agree", "estimate", "plan", "audit")]
    commands.append(["report", *both, "--out", str(tmp_path / "report.html")])
    commands.append(["demo", "--out", str(tmp_path / "demo")])
    names = blocked()
    assert {"pyarrow", "pandas", "polars", "httpx2", "starlette", "sklearn"} <= names
    code = WITHOUT.format(blocked=names, commands=commands)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
