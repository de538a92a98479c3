"""What is public, and that importing it stays cheap."""

from __future__ import annotations

import subprocess
import sys

import goldassay

PUBLIC = {
    "__version__",
    "GoldassayError",
    "InputError",
    "Estimate",
    "Findings",
    "Interval",
    "Undefined",
    "envelope",
    "Task",
    "read_task",
    "Ratings",
    "read_ratings",
    "count_units",
    "count_distributions",
    "count_scores",
    "count_wins",
    "confusion",
    "Study",
    "read_study",
    "simulate",
    "agree",
    "select",
    "estimate",
    "plan",
    "audit",
    "rank",
}


def test_the_public_surface() -> None:
    assert set(goldassay.__all__) == PUBLIC
    for name in PUBLIC:
        assert getattr(goldassay, name) is not None


def test_import_loads_nothing_heavy() -> None:
    code = "import goldassay, sys; print([m for m in ('numpy', 'scipy', 'duckdb') if m in "
    "sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_statistics_need_numpy_and_scipy_only() -> None:
    """Formulas work on plain arrays without the table, the engine or the command line."""
    code = (
        "import sys\n"
        "for name in ('duckdb', 'narwhals', 'typer', 'rich'): sys.modules[name] = None\n"
        "import goldassay.formulas.agreement, goldassay.inference.posterior, "
        "goldassay.inference.bootstrap, goldassay.inference.clusters, "
        "goldassay.inference.proportions, goldassay.results, goldassay.ratings.task\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
