"""The notebooks of `examples/` run from top to bottom, and show what they promise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.fixture(scope="module", params=NOTEBOOKS, ids=lambda path: path.stem)
def executed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    notebook = nbformat.read(request.param, as_version=4)
    where = {"metadata": {"path": str(tmp_path_factory.mktemp("notebook"))}}
    client = nbclient.NotebookClient(notebook, timeout=300, resources=where)
    return client.execute()


def outputs(notebook: Any) -> list[Any]:
    return [out for cell in notebook.cells if cell.cell_type == "code" for out in cell.outputs]


def test_there_are_three() -> None:
    assert len(NOTEBOOKS) == 3


def test_no_cell_warns_or_fails(executed: Any) -> None:
    assert not [out for out in outputs(executed) if out.output_type == "error"]
    assert not [out for out in outputs(executed) if out.get("name") == "stderr"]


def test_findings_show_themselves(executed: Any) -> None:
    shown = [out.data for out in outputs(executed) if out.output_type == "execute_result"]
    pages = [data["text/html"] for data in shown if "text/html" in data]
    assert any('class="goldassay"' in page and "<svg" in page for page in pages)
    assert not any("<script" in page for page in pages)


def test_what_is_claimed_holds(executed: Any) -> None:
    """A cell that ends in a comparison with the truth is true."""
    shown = [
        out.data.get("text/plain")
        for out in outputs(executed)
        if out.output_type == "execute_result"
    ]
    assert "False" not in shown
    assert "True" in shown


def test_they_are_kept_without_outputs() -> None:
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        assert not outputs(notebook), f"{path.name}: clear the outputs before committing"
