"""The built-in ways to ask a judge: a file for each family, one record for each realization.

The papers' prompts are kept to the letter as long as no criterion is declared; with one,
`{criterion_line}` names it.
"""

from goldassay.judges.realizations.record import Realization
from goldassay.judges.realizations.registry import REALIZATIONS

__all__ = ["REALIZATIONS", "Realization"]
