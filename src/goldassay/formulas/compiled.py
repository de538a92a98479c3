"""SciPy's special functions, by its compiled modules alone.

Importing the package `scipy.special` takes a quarter of a second, nearly all of it for arrays of
other libraries and for what is not used here; the compiled functions take a fiftieth. They are
loaded under their own names, so that whoever imports `scipy.special` later gets these very
functions, and under the locks of Python's import system, so that another thread waits for them. A
SciPy that keeps them elsewhere is imported the ordinary way.
"""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, FileFinder
from types import ModuleType
from typing import Any

PACKAGE = "scipy.special"
#: What the last of them imports when it is loaded: without these it would import the package.
MODULES = ("_special_ufuncs", "_gufuncs", "_ufuncs_cxx", "_ellip_harm_2", "_ufuncs")


def functions(modules: tuple[str, ...] = MODULES) -> ModuleType:
    """The module that holds SciPy's special functions."""
    if PACKAGE not in sys.modules:
        try:
            return [_loaded(f"{PACKAGE}.{name}") for name in modules][-1]
        except (ImportError, AttributeError):  # another layout; what was loaded stays valid
            pass
    return importlib.import_module(PACKAGE)


def _loaded(name: str) -> ModuleType:
    """A compiled module without the package around it."""
    folder = f"{importlib.import_module('scipy').__path__[0]}/special"
    found = FileFinder(folder, (ExtensionFileLoader, EXTENSION_SUFFIXES)).find_spec(name)
    if found is None:
        raise ImportError(name)
    system: Any = importlib.import_module("importlib._bootstrap")
    with system._ModuleLockManager(name):  # as `import` does; another thread may be first
        loaded: ModuleType = sys.modules.get(name) or system._load_unlocked(found)
    return loaded


_functions = functions()

bdtr = _functions.bdtr
betainc = _functions.betainc
betaincinv = _functions.betaincinv
betaln = _functions.betaln
chdtrc = _functions.chdtrc
chdtri = _functions.chdtri
digamma = _functions.psi
entr = _functions.entr
expit = _functions.expit
fdtrc = _functions.fdtrc
gammainccinv = _functions.gammainccinv
gammaincinv = _functions.gammaincinv
gammaln = _functions.gammaln
logit = _functions.logit
ndtr = _functions.ndtr
ndtri = _functions.ndtri
stdtr = _functions.stdtr
stdtrit = _functions.stdtrit
xlogy = _functions.xlogy
