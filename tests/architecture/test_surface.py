"""What is public, and that importing it stays cheap."""

from __future__ import annotations

import subprocess
import sys

import goldassay

PUBLIC = {
    "__version__",
    "GateInconclusive",
    "GateNotMet",
    "GoldassayError",
    "InputError",
    "Estimate",
    "Findings",
    "Interval",
    "Sentence",
    "Undefined",
    "Task",
    "read_task",
    "Ratings",
    "read_ratings",
    "read_log",
    "Study",
    "read_study",
    "simulate",
    "examples",
    "metrics",
    "agree",
    "audit",
    "certify",
    "check",
    "compare",
    "diff",
    "estimate",
    "monitor",
    "plan",
    "rank",
    "replace",
    "report",
    "route",
    "select",
}


def test_the_public_surface() -> None:
    assert set(goldassay.__all__) == PUBLIC
    for name in PUBLIC:
        assert getattr(goldassay, name) is not None


def test_import_loads_nothing_heavy() -> None:
    heavy = ("numpy", "scipy", "duckdb", "narwhals", "typer")
    code = f"import goldassay, sys; print([m for m in {heavy} if m in sys.modules])"
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


def test_a_metric_needs_numpy_only() -> None:
    """And SciPy, for intervals: not the table, the engine or the command line."""
    code = (
        "import sys\n"
        "for name in ('duckdb', 'narwhals', 'typer', 'rich'): sys.modules[name] = None\n"
        "import goldassay.metrics\n"
        "assert 'scipy' not in sys.modules\n"
        "found = goldassay.metrics.cohen_kappa([1, 0, 1, 1], [1, 0, 0, 1])\n"
        "assert found.value == 0.5 and 0.5 in found.interval\n"
        "assert 'scipy' not in sys.modules\n"
        "clusters = ['a', 'a', 'b', 'c']\n"
        "goldassay.metrics.accuracy([1, 0, 1, 1], [1, 0, 0, 1], clusters=clusters)\n"
        "goldassay.metrics.pearson([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])\n"
        "goldassay.metrics.fleiss_kappa([[1, 0, 1], [1, 0, 0]])\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_metrics_are_shown() -> None:
    assert "metrics" in dir(goldassay)
    assert set(dir(goldassay.metrics)) == set(goldassay.metrics.__all__)
