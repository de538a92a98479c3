"""Labels to and from a real Label Studio: its own server reads what is exported, and back.

    python -m venv studio && studio/bin/pip install label-studio
    GOLDASSAY_LABEL_STUDIO=studio/bin/label-studio pytest --slow tests/tools

The server runs on loopback, in a folder of the test, with analytics and error reports off.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from goldassay.cli import command_line
from goldassay.sources.importers import read_log
from goldassay.store import Label, add_label, open_store

EXECUTABLE = os.environ.get("GOLDASSAY_LABEL_STUDIO", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not EXECUTABLE,
        reason="run with --slow, and GOLDASSAY_LABEL_STUDIO naming the label-studio command",
    ),
]

#: Nothing is told to anybody: no analytics, no error reports, no look for newer versions.
SILENT = {
    "COLLECT_ANALYTICS": "0",
    "SENTRY_DSN": "",
    "FRONTEND_SENTRY_DSN": "",
    "LATEST_VERSION_CHECK": "0",
    "FEATURE_FLAGS_OFFLINE": "1",
}
#: The first start makes the database, which takes minutes on a busy machine.
PATIENCE = 600.0
TASK = 'scale = "nominal"\noptions = ["good", "bad", "a|b"]\nabstain = ["unsure"]\n'
CONFIG = """<View>
  <Text name="input" value="$input"/>
  <Text name="output" value="$output"/>
  <Choices name="label" toName="output" choice="multiple">
    <Choice value="good"/><Choice value="bad"/><Choice value="a|b"/>
  </Choices>
  <TextArea name="comment" toName="output"/>
</View>"""


@dataclass(frozen=True)
class Studio:
    url: str
    token: str

    def ask(self, path: str, body: Any = None) -> Any:
        """GET, or POST with a body; the answer as JSON."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Token {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, data, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    folder = tmp_path_factory.mktemp("studio")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(20)
    user = ["--username", "ann@example.org", "--password", secrets.token_hex(8)]
    command = [EXECUTABLE, "start", "--no-browser", "--port", str(port), "--internal-host"]
    command += ["127.0.0.1", "--data-dir", str(folder), *user, "--user-token", token]
    command.append("--enable-legacy-api-token")
    with (folder / "log.txt").open("wb") as log:
        server = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **SILENT}, stdout=log, stderr=log
        )
    try:
        found = Studio(f"http://127.0.0.1:{port}", token)
        wait_for(found, server, folder / "log.txt")
        yield found
    finally:
        server.terminate()
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def wait_for(studio: Studio, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if server.poll() is not None:
            pytest.fail(f"label-studio ended with {server.returncode}: {log.read_text()[-2000:]}")
        try:
            studio.ask("/api/projects")
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(2)
        else:
            return
    pytest.fail(f"label-studio did not answer: {log.read_text()[-2000:]}")


def exported(folder: Path) -> list[dict[str, Any]]:
    """Labels of two people in a store, as `goldassay export` writes them."""
    store = open_store(folder / "labels.db", create=True)
    for label in (
        Label(item="q1", rater="ann", value="good", comment="clear, <b>short</b>"),
        Label(item="q1", rater="ben", value="good|bad", elicitation="response_set"),
        Label(item="q2", rater="ann", value=None, status="abstained", comment="not mine"),
        Label(item="q3", rater="ben", value="a|b", elicitation="forced_choice"),
    ):
        add_label(store, label)
    store.close()
    (folder / "task.toml").write_text(TASK)
    items = [
        {"item": f"q{k}", "input": f"Question {k}?", "output": "4 & 5 \u05d0"} for k in (1, 2, 3)
    ]
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in items))
    words = ["export", "labels.db", "--for", "label-studio", "--out", "studio.json"]
    given = [str(folder / word) if "." in word else word for word in words]
    more = ["--task", str(folder / "task.toml"), "--items", str(folder / "items.jsonl")]
    assert command_line([*given, *more]) == 0
    found: list[dict[str, Any]] = json.loads((folder / "studio.json").read_text())
    return found


def test_there_and_back(studio: Studio, tmp_path: Path) -> None:
    project = studio.ask("/api/projects", {"title": "goldassay", "label_config": CONFIG})["id"]
    tasks = exported(tmp_path)
    told = studio.ask(f"/api/projects/{project}/import?return_task_ids=true", tasks)
    assert (told["task_count"], told["annotation_count"]) == (3, 4)
    # Somebody labels the third task in Label Studio itself.
    result = {
        "from_name": "label",
        "to_name": "output",
        "type": "choices",
        "value": {"choices": ["bad"]},
    }
    third = studio.ask(f"/api/tasks?project={project}")["tasks"][2]["id"]
    made = studio.ask(f"/api/tasks/{third}/annotations/", {"result": [result]})
    assert made["result"][0]["value"] == {"choices": ["bad"]}
    back = studio.ask(f"/api/projects/{project}/export?exportType=JSON&download_all_tasks=true")
    (tmp_path / "back.json").write_text(json.dumps(back))
    out = tmp_path / "ratings.jsonl"
    assert (
        command_line(["import", "label-studio", str(tmp_path / "back.json"), "-o", str(out)]) == 0
    )
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    found = {(row["item"], row["rater"], row.get("value"), row["status"]) for row in rows}
    expected = {
        ("q1", "ann", "good", "rated"),
        ("q1", "ben", "good|bad", "rated"),
        ("q2", "ann", None, "abstained"),
        ("q3", "ben", "a|b", "rated"),
    }
    assert expected <= found, found
    (own,) = found - expected
    assert (own[0], own[2], own[3]) == ("q3", "bad", "rated")
    assert all(row["kind"] == "human" for row in rows)
    assert read_log(tmp_path / "back.json") is not None
