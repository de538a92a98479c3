"""Which of several judges, prompts, thresholds or panels should be used?

`select` takes counts and gives findings; the parts work on plain arrays:

- `criteria`: what a judge is chosen by, for each goal
- `comparison`: paired uncertainty over judges on the same items, corrected for their number
- `thresholds`: where to cut scores, and the optimism of tuning
- `stability`: whether error rates are the same on every system
- `frontier`: quality against price
"""

from goldassay.questions.select.comparison import Comparison, compare, items_needed
from goldassay.questions.select.findings import select
from goldassay.questions.select.stability import homogeneity
from goldassay.questions.select.thresholds import cross_fitted, roc

__all__ = ["Comparison", "compare", "cross_fitted", "homogeneity", "items_needed", "roc", "select"]
