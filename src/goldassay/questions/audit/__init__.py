"""Do conclusions survive that people disagree? (`goldassay audit`)

After Guerdan et al. (2025), "Validating LLM-as-a-Judge Systems in the Absence of Gold Labels".

- `sides`: people and judges as rating vectors
- `definitions`: what is asked for, and the definitions of performance
- `evaluate`, `bounds`: all definitions at once, and their intervals
- `performance`: the results, and the judge that each definition selects
- `rank_consistency`: whether definitions order the judges alike
- `sensitivity`: what forced choices may hide
- `raters`, `majority`, `grades`: what a larger panel would have said
- `populations`: whether groups of raters differ
"""
