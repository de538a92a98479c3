"""The built-in realizations, by name."""

from __future__ import annotations

from collections.abc import Mapping

from goldassay.judges.realizations.lettered import FORCED_CHOICE, RESPONSE_SET
from goldassay.judges.realizations.numeric import NUMERIC
from goldassay.judges.realizations.pairs import ANCHOR, PAIRWISE
from goldassay.judges.realizations.record import Realization
from goldassay.judges.realizations.token_probs import TOKEN_PROBS
from goldassay.judges.realizations.worded import BINARY, LIKERT

__all__ = ["REALIZATIONS"]

REALIZATIONS: Mapping[str, Realization] = {
    one.name: one
    for one in (NUMERIC, LIKERT, TOKEN_PROBS, ANCHOR, FORCED_CHOICE, RESPONSE_SET, BINARY, PAIRWISE)
}
