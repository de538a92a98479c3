"""A reward model behind an address: a conversation in, a number out."""

from __future__ import annotations

import json
from typing import Any

from goldassay.judges.api_keys import Secrets, api_key, extra_headers
from goldassay.judges.clients.http import Http
from goldassay.judges.clients.kind import Kind
from goldassay.judges.clients.local import read_local
from goldassay.judges.declaration import Declaration
from goldassay.judges.request import Request
from goldassay.judges.responses import FailureError, loads

__all__ = ["REWARD"]


def _address(judge: Declaration) -> str:
    return judge.reward_url or ""


class RewardClient:
    """A POST of the conversation; the number stands at `score_path` of the answer."""

    def __init__(self, judge: Declaration) -> None:
        key = api_key(judge, _address(judge), {})
        extra = extra_headers(judge)
        headers = {**extra, **({"Authorization": f"Bearer {key}"} if key else {})}
        self._http = Http(judge, headers, Secrets((key, *extra.values())))
        self._url = _address(judge)
        self._path = judge.score_path

    async def ask(self, request: Request) -> str:
        item = request.item
        body = {
            "input": item.input,
            "output": item.output,
            "messages": [
                {"role": "user", "content": item.input},
                {"role": "assistant", "content": item.output},
            ],
        }
        value: Any = loads(await self._http.post(self._url, body))
        try:
            for step in self._path.split("."):
                value = value[int(step)] if isinstance(value, list) else value[step]
        except (ValueError, KeyError, IndexError, TypeError):
            raise FailureError("garbage", f"the response has nothing at {self._path!r}") from None
        return json.dumps({"score": value})

    async def close(self) -> None:
        await self._http.close()


REWARD = Kind(
    name="reward_url",
    declared_by="reward_url",
    address=_address,
    open=RewardClient,
    read=read_local,
    asks_criteria=False,
)
