"""Ratings with known truth: a declared study, drawn with a seed, the truth written beside it."""

from goldassay.lab.simulate.ask import simulate
from goldassay.lab.simulate.draw import Drawn
from goldassay.lab.simulate.response_sets import RatingModel, simulate_response_sets
from goldassay.lab.simulate.study import Judge, Raters, Study, read_study

__all__ = [
    "Drawn",
    "Judge",
    "Raters",
    "RatingModel",
    "Study",
    "read_study",
    "simulate",
    "simulate_response_sets",
]
