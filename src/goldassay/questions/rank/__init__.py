"""Does the judge rank systems as people do?

- `ask`: the public function; `study`: a contest in, results out
- `words`, `tables`, `charts`: what is shown of them
- `contest`: what goes in, the judges' scores or battles and people's, by prompt
- `aggregation`, `systems`: a score for each system, its rank, and its gap to the next
- `judged`, `leaderboard`: agreement with people's ranking (`gold`), and which judge ranks best
- `behaviour`, `families`: decisiveness, bias, and bias towards one's own
- `items`, `drivers` with `anova`: item by item; what tau depends on
- `resampling`, `uncertainty`: one draw of the prompts for all judges, and intervals

Gera and others (2025), "JuStRank: Benchmarking LLM Judges for System Ranking".
"""
