"""Do conclusions survive that people disagree? (`karat audit`)

After Guerdan et al. (2025), "Validating LLM-as-a-Judge Systems in the Absence of Gold Labels".
"""

from karat.indeterminacy.audit import audit

__all__ = ["audit"]
