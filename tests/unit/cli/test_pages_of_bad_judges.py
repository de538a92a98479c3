"""A page is made whatever a judge did: never answered, never agreed, said one thing only."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from patience import until
from serving import Server

from goldassay.cli import command_line as run

TASKS = {
    "binary": 'scale = "binary"\noptions = ["1", "2"]\npositive = "1"\n',
    "ordinal": 'scale = "ordinal"\noptions = ["1", "2", "3"]\n',
    "pairwise": 'scale = "pairwise"\noptions = ["1", "2"]\n',
    "continuous": 'scale = "continuous"\n',
}
#: What the judge says of a unit of which people say 1, 2 (or 3): its value and status.
JUDGES = {
    "failed": lambda value: ("", "failed"),
    "abstained": lambda value: ("", "abstained"),
    "never agrees": lambda value: ("2" if value == "1" else "1", "rated"),
    "says one thing": lambda value: ("1", "rated"),
}


def write(folder: Path, scale: str, judge: str) -> list[str]:
    draw = random.Random(1)
    lines = ["item,rater,kind,value,status,system,opponent"]
    for k in range(24):
        value = draw.choice("123" if scale == "ordinal" else "12")
        about = f"s{k % 2},{f's{(k + 1) % 2}' if scale == 'pairwise' else ''}"
        said, status = JUDGES[judge](value)
        lines += [f"i{k},{who},human,{value},rated,{about}" for who in ("ann", "ben")]
        lines.append(f"i{k},judge,judge,{said},{status},{about}")
    (folder / "ratings.csv").write_text("\n".join(lines) + "\n")
    (folder / "task.toml").write_text(TASKS[scale])
    return [str(folder / "ratings.csv"), "--task", str(folder / "task.toml")]


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("scale", TASKS)
def test_the_report_is_made(scale: str, judge: str, tmp_path: Path) -> None:
    given = [*write(tmp_path, scale, judge), "--resamples", "100"]
    outs = [str(tmp_path / f"report.{kind}") for kind in ("html", "md", "txt")]
    assert run(["report", *given, *(word for out in outs for word in ("--out", out))]) == 0
    for out in outs:
        assert "judge" in Path(out).read_text(encoding="utf-8")


@pytest.mark.parametrize("judge", ["never agrees", "says one thing"])
def test_the_audit_is_made(judge: str, tmp_path: Path) -> None:
    """Its own metric of the name `coverage` is 0 for a judge that never agrees."""
    given = [*write(tmp_path, "binary", judge), "--resamples", "100"]
    out = tmp_path / "audit.html"
    assert run(["audit", *given, "--out", str(out)]) == 0
    assert "Coverage, abstentions and invalid verdicts" not in out.read_text(encoding="utf-8")


@pytest.mark.parametrize("judge", ["failed", "never agrees"])
def test_the_pages_of_the_server_are_made(judge: str, tmp_path: Path) -> None:
    server = Server(write(tmp_path, "binary", judge)).start()
    try:
        for path in ("/", "/label?rater=eve", "/watch", "/explore", "/explore?relation=no_verdict"):
            assert server.get(path).status == 200, path
        until(lambda: "is being made" not in server.get("/report").text)
        page = server.get("/report")
        assert page.status == 200
        assert "What was declared" in page.text
    finally:
        server.kill()
