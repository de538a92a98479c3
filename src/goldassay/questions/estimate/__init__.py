"""What is the true rate behind the judge's rate?

The judge labels many items, people label few of them; the two together give the rate that people
would have found, with an interval over both samples. Which way of putting them together is right
depends on how the labelled items were drawn, and that is declared (`task.calibration`).

- `estimators`: every estimator of a binary rate, one record each; which one is the headline
- `design`, `shift`: how labels were drawn; are the labelled items like the test items?
- `binary`: the estimators side by side for one judge
- `multinomial`, `classes`: more than two options
- `means`, `scores`: mean scores, ordinal and real-valued
- `strata`, `systems`: error rates by stratum; the corrected leaderboard
- `shared`: systems that share their labels
- `bounds`: abstentions and invalid verdicts when nothing may be assumed about them
- `counting`, `sample`, `linear`: ratings as counts; clusters, weights and shared labels
- `bare`: from bare counts
- `study`: from a table of ratings; `words`, `cautions`: what is said of it, and what to beware of

Lee, Zeng, Jeong, Sohn and Lee (2026), "How to Correctly Report LLM-as-a-Judge Evaluations".
"""
