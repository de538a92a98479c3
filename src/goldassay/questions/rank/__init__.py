"""Does the judge rank systems as people do?

`rank_systems` answers it whole. The parts work on plain arrays: `comparisons` (who beat whom, by
prompt), `aggregation` and `bradley_terry` (a score per system), `quality` (agreement of rankings),
`behaviour` (decisiveness and bias), `uncertainty` (intervals), `anova`, `stability`, `corrected`.
"""

from goldassay.questions.rank.findings import Options, rank_systems
from goldassay.questions.rank.study import Study, study_of_scores, study_of_wins

__all__ = ["Options", "Study", "rank_systems", "study_of_scores", "study_of_wins"]
