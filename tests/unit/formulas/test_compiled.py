"""SciPy's functions come without its package, and the package finds them as its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from goldassay.formulas import compiled


def _run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_package_is_not_imported_and_may_be_later() -> None:
    code = """
import sys
from goldassay.formulas import compiled
assert "scipy.special" not in sys.modules
import scipy.special, scipy.stats
assert scipy.special.ndtri is compiled.ndtri and scipy.special.psi is compiled.digamma
print(scipy.stats.norm.ppf(0.975) == compiled.ndtri(0.975))
"""
    assert _run(code) == "True"


@pytest.mark.parametrize(
    ("named", "instead"),
    [
        ('"_gufuncs", ', ""),  # the last module imports the package, which needs the last module
        ('"_ufuncs_cxx", ', ""),
        ('"_ellip_harm_2"', '"_elsewhere"'),
        ('"_ufuncs")', '"_elsewhere")'),
    ],
)
def test_another_layout_of_scipy_is_imported_the_ordinary_way(named: str, instead: str) -> None:
    code = f"""
import sys, types
from pathlib import Path
text = Path({compiled.__file__!r}).read_text()
assert {named!r} in text
module = types.ModuleType("other")
exec(text.replace({named!r}, {instead!r}), module.__dict__)
import scipy.special, scipy.stats
assert scipy.special.ndtri is module.ndtri
print(module._functions.__name__)
"""
    assert _run(code) == "scipy.special"


def test_threads_that_ask_at_once_get_the_same() -> None:
    code = """
import threading
start, found = threading.Barrier(8), []
def one(number):
    start.wait()
    if number % 2:
        import scipy.special as functions
    else:
        from goldassay.formulas import compiled as functions
    found.append(functions.ndtri)
threads = [threading.Thread(target=one, args=(n,)) for n in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
import scipy.stats
print(len(found), len(set(map(id, found))))
"""
    assert _run(code) == "8 1"
