"""What is the true rate behind the judge's rate?

The judge labels many items, people label few of them; the two together give the rate that people
would have found, with an interval over both samples. Which way of putting them together is right
depends on how the labelled items were drawn, and that is declared (`task.calibration`).

- `points`, `limits`: the estimators of a binary rate and their intervals, on plain counts
- `design`: which of them a declared design allows, what each assumes, and tests of shift
- `multinomial`, `means`: more than two classes; ordinal and real-valued scores
- `strata`, `systems`: error rates by stratum; the corrected leaderboard
- `bounds`: abstentions and invalid verdicts when nothing may be assumed about them
- `linear`, `sample`: clusters, weights and shared labels
- `bare`: from bare counts
- `study`: from a table of ratings (with `counting`, `binary`, `classes`, `parts`, `scores`)

Lee, Zeng, Jeong, Sohn and Lee (2026), "How to Correctly Report LLM-as-a-Judge Evaluations".
"""
