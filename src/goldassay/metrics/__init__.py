"""Single metrics: labels, counts or scores in, an `Estimate` with its interval out.

    >>> from goldassay.metrics import cohen_kappa
    >>> cohen_kappa(["yes", "no", "no", "yes"], ["yes", "no", "yes", "yes"]).value
    0.5

Each returns what the verbs give for the same data and settings, to the last bit; where a
coefficient does not exist it is `Undefined`, with the reason. NumPy is all that these modules need,
and SciPy where an interval does.
"""

from goldassay.metrics import (
    beyond_chance,
    class_rates,
    correlation,
    positives,
    probabilities,
    rater_pairs,
    raters,
    rates,
)
from goldassay.metrics.beyond_chance import *
from goldassay.metrics.class_rates import *
from goldassay.metrics.correlation import *
from goldassay.metrics.positives import *
from goldassay.metrics.probabilities import *
from goldassay.metrics.rater_pairs import *
from goldassay.metrics.raters import *
from goldassay.metrics.rates import *

# A metric is listed where it stands, and nowhere else.
__all__ = []
__all__ += beyond_chance.__all__
__all__ += class_rates.__all__
__all__ += correlation.__all__
__all__ += positives.__all__
__all__ += probabilities.__all__
__all__ += rater_pairs.__all__
__all__ += raters.__all__
__all__ += rates.__all__


def __dir__() -> list[str]:
    return sorted(__all__)
