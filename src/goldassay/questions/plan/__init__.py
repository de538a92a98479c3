"""How many labels by people are needed, on which items, and is the judge worth it?

- `precision`: expected lengths of intervals, before any label exists
- `allocation`: how labels are shared out, by true label (Algorithm 1) and by verdict
- `designs`: targets, costs, and when a judge beats people alone (proposition 6.1)
- `golden_set`: labelled items that tell two judges apart
- `pool`: a judge's items by verdict, and which of them to label next
- `trial`: the sequential allocation tried on simulated pools
"""

from goldassay.questions.plan.allocation import algorithm_1, best_split, next_labels
from goldassay.questions.plan.designs import (
    Costs,
    Plan,
    cheapest,
    expected_length,
    labels_for_length,
    region,
)
from goldassay.questions.plan.findings import (
    judge_to_plan_for,
    plan_for_judges,
    plan_for_pool,
    plan_for_rates,
)
from goldassay.questions.plan.golden_set import items_to_tell_apart
from goldassay.questions.plan.pool import Pool, chosen_units, plan_exclusions, pool_of
from goldassay.questions.plan.precision import JudgeRates

__all__ = [
    "Costs",
    "JudgeRates",
    "Plan",
    "Pool",
    "algorithm_1",
    "best_split",
    "cheapest",
    "chosen_units",
    "expected_length",
    "items_to_tell_apart",
    "judge_to_plan_for",
    "labels_for_length",
    "next_labels",
    "plan_exclusions",
    "plan_for_judges",
    "plan_for_pool",
    "plan_for_rates",
    "pool_of",
    "region",
]
