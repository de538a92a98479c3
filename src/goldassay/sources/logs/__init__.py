"""Logs of evaluation tools, one module per tool: a stream of ratings, texts and what is left out.

A module has `recognises(log) -> bool` and `ratings(log) -> Iterator[Part]`, and is named in
`importers.py`.
"""
