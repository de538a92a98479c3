"""A composite action's steps, run as GitHub's runner would run them, without GitHub."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

__all__ = ["Job"]

_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


@dataclass
class Job:
    """One job that uses the action: its folder, its inputs, and what the steps wrote so far."""

    action: Path
    folder: Path
    inputs: dict[str, str]
    base_ref: str = ""
    path: str = ""
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.made: dict[str, Any] = yaml.safe_load(self.action.read_text(encoding="utf-8"))
        declared = self.made["inputs"]
        assert self.inputs.keys() <= declared.keys()
        self.inputs = {k: self.inputs.get(k, v.get("default", "")) for k, v in declared.items()}
        self.temp = self.folder.parent / "runner-temp"
        self.temp.mkdir(exist_ok=True)
        self.summary = self.temp / "summary.md"
        self.summary.touch()

    def step(self, name: str) -> subprocess.CompletedProcess[str]:
        """Run the step of a name: its script by bash, its inputs as variables."""
        step = next(one for one in self.made["runs"]["steps"] if one.get("name") == name)
        assert step["shell"] == "bash"
        written = self.temp / "output"
        written.write_text("")
        env = {
            **os.environ,
            **{key: self._told(value) for key, value in step["env"].items()},
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_OUTPUT": str(written),
            "RUNNER_TEMP": str(self.temp),
            "PATH": f"{self.path}{os.pathsep}{os.environ['PATH']}",
        }
        # As the runner calls it for `shell: bash`.
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(
            words, cwd=self.folder, env=env, capture_output=True, text=True, check=False
        )
        lines = written.read_text().splitlines()
        self.outputs[step.get("id", name)] = dict(line.split("=", 1) for line in lines)
        return done

    def _told(self, value: str) -> str:
        known = {f"inputs.{key}": text for key, text in self.inputs.items()}
        known |= {"github.action_path": str(self.action.parent), "github.base_ref": self.base_ref}
        return _EXPRESSION.sub(lambda found: known[found[1]], str(value))
