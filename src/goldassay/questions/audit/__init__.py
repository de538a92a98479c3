"""Do conclusions survive that people disagree? (`goldassay audit`)

After Guerdan et al. (2025), "Validating LLM-as-a-Judge Systems in the Absence of Gold Labels".
"""

from goldassay.questions.audit.audit import audit

__all__ = ["audit"]
