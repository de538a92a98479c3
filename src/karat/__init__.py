"""karat: how much gold is in an LLM judge, and what may honestly be reported with it."""

__version__ = "0.1.0"
