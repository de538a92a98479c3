"""One call to make: what is sent, how the answer is read, and where its verdicts belong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldassay.frozen import dataclass
from goldassay.judges.declaration import Declaration
from goldassay.judges.items import Item
from goldassay.judges.verdicts import Format

__all__ = ["Asked", "Request"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is needed to read the answer to a call."""

    key: str
    form: Format
    #: The texts of the item as shown, to recognise quotations of them.
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A model is sent the prompt with its parameters; any other judge is sent the payload."""

    key: str
    judge: Declaration
    item: Item
    format: Format
    sample: int
    prompt: str
    parameters: Mapping[str, Any]
    #: The JSON schema to ask for, None where words are asked for.
    schema: Mapping[str, Any] | None
    #: How many alternatives of each token to ask for; 0 for none.
    top_logprobs: int
    payload: Mapping[str, Any]
    texts: tuple[str, ...]

    @property
    def asked(self) -> Asked:
        return Asked(self.key, self.format, self.texts)
