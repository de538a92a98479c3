"""Which of several judges, prompts, thresholds or panels should be used? (`goldassay select`)

- `candidates`: judges, panels and cut scores, counted on the same items
- `criteria`: what a judge is chosen by, for each goal
- `draws`, `comparison`: paired uncertainty over all judges on the same items
- `ordering`: whether a judge puts systems in people's order
- `thresholds`: where to cut scores, and the optimism of tuning
- `stability`: whether error rates are the same on every system
"""
