"""How many labels by people are needed, on which items, and is the judge worth it?

- `precision`: expected lengths of intervals, before any label exists
- `allocation`: how labels are shared out, by true label (Algorithm 1) and by verdict
- `designs`: the ways to spend labels, one record each
- `costs`: the cheapest of them, and when a judge beats people alone (proposition 6.1)
- `golden_set`: labelled items that tell two judges apart
- `pool`: a judge's items by verdict, and which of them to label next
- `study`: these together, from ratings or from rates alone
"""
