"""Batch files: submitted, polled, collected, found again."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from other_endpoints import Batches
from small_runs import judge, ratings, write_items

from goldassay.errors import InputError
from goldassay.judges import batch as batch_module
from goldassay.judges.batch import run_batches
from goldassay.judges.clients.openai import OpenAIBatches
from goldassay.judges.run import Outcome


def batched(folder: Path, url: str) -> Outcome:
    one = judge(folder, model="m", base_url=f"{url}/v1", realization="likert", price=[1, 1])
    return run_batches([one], folder / "items.jsonl", folder / "r.db", poll=0.01)


def test_a_batch_is_submitted_polled_and_collected_at_half_price(tmp_path: Path) -> None:
    write_items(tmp_path, 5)
    endpoint = Batches()
    endpoint.fail = {3}
    with endpoint.running() as url:
        outcome = batched(tmp_path, url)
        assert [row[3] for row in ratings(tmp_path)] == ["rated"] * 3 + ["failed", "rated"]
        assert outcome.tallies[0].cost == pytest.approx(0.5 * 4 * 110 / 1e6)
        endpoint.fail = set()
        batched(tmp_path, url)  # what failed is submitted again, and only that
        assert [row[3] for row in ratings(tmp_path)] == ["rated"] * 5
        assert len(endpoint.batches) == 2
        assert len(endpoint.files["file-2"].strip().splitlines()) == 1


@pytest.mark.parametrize("lost", ["before", "after"])
def test_an_interrupted_batch_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    """Dies after the upload, before the provider has the batch or after: never bought twice."""
    write_items(tmp_path, 3)
    endpoint = Batches()

    class Killed(BaseException):
        """Stands for SIGKILL."""

    async def died(*arguments: Any) -> None:
        raise Killed

    with endpoint.running() as url:
        with monkeypatch.context() as patch:
            if lost == "after":
                patch.setattr(batch_module._Batches, "_remember", died)
            else:
                patch.setattr(OpenAIBatches, "submit", died)
            with pytest.raises(Killed):
                batched(tmp_path, url)
        assert not ratings(tmp_path)
        batched(tmp_path, url)
        assert [row[3] for row in ratings(tmp_path)] == ["rated"] * 3
        assert len(endpoint.batches) == 1


def test_what_is_in_a_batch_is_not_asked_one_by_one(tmp_path: Path) -> None:
    """A batch that is under way keeps its items from an ordinary run."""
    write_items(tmp_path, 3)
    with Batches().running() as url:
        batched(tmp_path, url)
    store = sqlite3.connect(tmp_path / "r.db")
    assert store.execute("SELECT count(*) FROM batch_keys").fetchone() == (0,)
    assert store.execute("SELECT count(*) FROM batches WHERE collected IS NULL").fetchone() == (0,)
    store.close()


def test_trouble_on_the_way_is_waited_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldassay.judges.batch.backoff", lambda attempt: 0.001)
    write_items(tmp_path, 3)
    endpoint = Batches()
    endpoint.troubles = {"/v1/batches/": [500, 503], "/v1/files/": [502]}
    with endpoint.running() as url:
        batched(tmp_path, url)
    assert [row[3] for row in ratings(tmp_path)] == ["rated"] * 3
    assert len(endpoint.batches) == 1


@pytest.mark.parametrize("path", ["/v1/files", "/v1/batches"])
def test_a_batch_that_cannot_be_submitted_is_one_clear_error(tmp_path: Path, path: str) -> None:
    write_items(tmp_path, 3)
    endpoint = Batches()
    endpoint.troubles = {path: [401]}
    with endpoint.running() as url:
        with pytest.raises(
            InputError, match=r"could not be asked \(unauthorized: HTTP 401 trouble"
        ):
            batched(tmp_path, url)
        batched(tmp_path, url)  # and nothing is lost by it
    assert [row[3] for row in ratings(tmp_path)] == ["rated"] * 3


def test_a_missing_key_is_told_before_a_store_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MINE", raising=False)
    one = judge(tmp_path, model="m", api_key_env="MINE")
    with pytest.raises(InputError, match="MINE, which is not set"):
        run_batches([one], write_items(tmp_path), tmp_path / "r.db")
    assert not (tmp_path / "r.db").exists()


def test_odd_lines_of_a_file(tmp_path: Path) -> None:
    write_items(tmp_path, 3)
    endpoint = Batches()
    endpoint.content = "[[Good]]\u2028because"  # no end of a line, though it looks like one
    endpoint.stray = ["{", "[]", "null", '{"custom_id": 3}', '{"custom_id": "nobody\'s"}', ""]
    with endpoint.running() as url:
        batched(tmp_path, url)
    assert [row[3] for row in ratings(tmp_path)] == ["rated"] * 3


@pytest.mark.parametrize(
    "response",
    [None, 3, {}, {"status_code": 10**30}, {"status_code": "200"}, {"status_code": 200, "body": 1}],
)
def test_an_odd_response_fails_its_call(tmp_path: Path, response: Any) -> None:
    write_items(tmp_path, 3)

    class Odd(Batches):
        """Adds an odd line for the request that it leaves out."""

        def _looked(self, name: str) -> dict[str, Any]:
            first = self.files[self.batches[name]["input_file_id"]].splitlines()[0]
            key = json.loads(first)["custom_id"]
            self.stray = [json.dumps({"custom_id": key, "response": response})]
            return super()._looked(name)

    odd = Odd()
    odd.fail = {0}
    with odd.running() as url:
        outcome = batched(tmp_path, url)
    assert outcome.tallies[0].statuses == {"rated": 2, "failed": 1}
