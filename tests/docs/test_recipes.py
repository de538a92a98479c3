"""The recipes of CONTRIBUTING.md are followed on a copy of the source: they touch as few files as
they say, and what they show is what comes out.

Console blocks and doctests run; any other block is a file, which the paragraph above it names. A
`diff` block has hunks, apart by `@@`: lines that stand in the file once, together, with what is
added between them and what goes.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from other_endpoints import Endpoint
from shown import python_run, run_whole

ROOT = Path(__file__).resolve().parents[2]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
SOURCE = "src/goldassay/"
FENCED = re.compile(r"^(`{3,})(\w+)\n(.*?)^\1$", re.M | re.S)
NAMED = re.compile(r"`([\w/.]*\w\.\w+)`")

#: What a recipe touches of the source, its registry and the list of public names included.
TOUCHED = {
    "A metric": {"formulas/agreement.py", "metrics/beyond_chance.py", "glossary.toml"},
    "An importer": {"sources/logs/tally.py", "sources/importers.py"},
    "A client": {"judges/clients/ollama.py", "judges/clients/registry.py"},
    "A chart": {"charts.py", "rendering/charts/grid.py"},
    "A verb": {"questions/people/", "cli/people.py", "verbs.py", "__init__.py"},
}


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the file that is named above it."""

    kind: str
    text: str
    file: str | None = None


def recipes() -> dict[str, str]:
    """The text of each recipe by the first words of its heading."""
    page = CONTRIBUTING.read_text(encoding="utf-8").split("\n## Recipes\n")[1]
    parts = [part.partition("\n") for part in page.split("\n### ")[1:]]
    return {heading.partition(":")[0]: text for heading, _, text in parts}


def blocks(text: str) -> Iterator[Block]:
    for found in FENCED.finditer(text):
        _, kind, inside = found.groups()
        if kind in ("console", "pycon"):
            yield Block(kind, inside)
            continue
        above = text[: found.start()].rstrip().rpartition("\n\n")[2]
        yield Block(kind, inside, NAMED.findall(above)[0])


def patched(text: str, diff: str) -> str:
    """A text after the hunks of a diff."""
    for hunk in diff.split("@@\n"):
        lines = [(line[:1], f"{line[1:]}\n") for line in hunk.splitlines()]
        before = "".join(line for sign, line in lines if sign != "+")
        after = "".join(line for sign, line in lines if sign != "-")
        assert before, f"nothing says where this goes:\n{hunk}"
        assert text.count(before) == 1, f"not once in the file:\n{before}"
        text = text.replace(before, after)
    return text


def write(block: Block, folder: Path) -> None:
    assert block.file is not None
    path = folder / block.file
    if block.kind == "diff":
        path.write_text(patched(path.read_text(encoding="utf-8"), block.text), encoding="utf-8")
        return
    assert not path.exists(), f"{block.file} is there already"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")


def run(block: Block, folder: Path) -> None:
    copy = {"PYTHONPATH": str(folder / "src")}
    if block.kind == "console":
        real = run_whole(block.text, folder, copy)
        if os.environ.get("GOLDASSAY_UPDATE_SHOWN"):
            page = CONTRIBUTING.read_text(encoding="utf-8")
            CONTRIBUTING.write_text(page.replace(block.text, real), encoding="utf-8")
        else:
            assert real == block.text, "GOLDASSAY_UPDATE_SHOWN=1 pytest tests/docs writes it anew"
        return
    shown = folder / "shown.txt"
    shown.write_text(block.text, encoding="utf-8")
    words = [] if block.kind == "python" else ["-m", "doctest", "-o", "NORMALIZE_WHITESPACE"]
    done = python_run([*words, str(shown)], folder, copy)
    assert done.returncode == 0, done.stdout + done.stderr


class Chats(Endpoint):
    """A model behind Ollama's own protocol, which always says that the criterion is met."""

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        asked = json.loads(body)
        if path != "/api/chat" or asked["stream"]:
            return 404, {"error": "not found"}
        message = {"role": "assistant", "content": "[[MET]]"}
        told = {"done_reason": "stop", "prompt_eval_count": 30, "eval_count": 4}
        return 200, {"model": asked["model"], "message": message, **told}


def room(file: str) -> str:
    """A file of the source; of a question its folder."""
    parts = file.removeprefix(SOURCE).split("/")
    return f"questions/{parts[1]}/" if parts[0] == "questions" else "/".join(parts)


def test_the_recipes_are_those_that_are_promised() -> None:
    assert set(recipes()) == set(TOUCHED)


@pytest.mark.parametrize("name", TOUCHED)
def test_a_recipe_touches_few_files(name: str) -> None:
    files = {block.file for block in blocks(recipes()[name]) if block.file}
    assert {room(file) for file in files if file.startswith(SOURCE)} == TOUCHED[name]
    assert {file for file in files if file.startswith("docs/")} == (
        {"docs/people.md"} if name == "A verb" else set()
    )


@pytest.mark.parametrize("name", TOUCHED)
def test_a_recipe_works(name: str, tmp_path: Path) -> None:
    # With what is compiled already: a file's time is copied too, and a changed file has another.
    shutil.copytree(ROOT / "src", tmp_path / "src")
    with Chats().running() as url:
        for block in blocks(recipes()[name].replace("http://localhost:11434", url)):
            if block.file is None:
                run(block, tmp_path)
                continue
            write(block, tmp_path)
            if block.file.startswith("docs/"):  # a page runs, as every page of the docs does
                for _, kind, text in FENCED.findall(block.text):
                    run(Block(kind, text), tmp_path)


def test_the_test_of_the_recipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOLDASSAY_UPDATE_SHOWN", raising=False)
    text = "a = 1\nb = 2\nb = 2\n"
    assert (
        patched(text, "+zero = 0\n a = 1\n@@\n-a = 1\n+a = 3\n")
        == "zero = 0\na = 3\nb = 2\nb = 2\n"
    )
    for rotten in (" gone = 1\n+c = 3\n", " b = 2\n+c = 3\n", "+c = 3\n"):
        with pytest.raises(AssertionError):
            patched(text, rotten)
    for wrong in (Block("pycon", ">>> 1 + 1\n3\n"), Block("console", "$ goldassay --version\n9\n")):
        with pytest.raises(AssertionError):
            run(wrong, tmp_path)
