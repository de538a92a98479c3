"""Calls per second of a run beside a bare asyncio + openai loop, and memory as items grow.

The server answers at once, in a process of its own. Both sides make the same requests with the same
concurrency; goldassay also plans, parses and commits each call durably.

Run it: python benchmarks/bench_run.py [--memory]
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SERVER = ROOT / "tests" / "support" / "judge_server.py"
CALLS = 1500
CONCURRENCY = 32

JUDGE = """
name = "j"
model = "m"
base_url = "{url}"
realization = "likert"
concurrency = {concurrency}
"""

#: Reads a judge without a network (a column), so that only goldassay's own memory is measured.
MEMORY = """
import resource, sys
from goldassay.judges.run import run_judges
from goldassay.judges.spec import judge_from_mapping
from goldassay.judges.items import Item, Items
number, out = int(sys.argv[1]), sys.argv[2]
def stream():
    for i in range(number):
        yield Item(f"q{i}", "in", "out", raw={"item": f"q{i}", "x": i % 7}, line=i)
judge = judge_from_mapping({"name": "j", "column": "x", "concurrency": 64}, place="j")
run_judges([judge], Items("items", stream), out)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def items(folder: Path, number: int) -> Path:
    path = folder / "items.jsonl"
    with path.open("w") as stream:
        for i in range(number):
            row = {"item": f"q{i}", "input": f"question {i}", "output": f"answer {i}"}
            stream.write(json.dumps(row) + "\n")
    return path


def bare(path: Path, url: str) -> float:
    """The same requests, with nothing kept."""
    import httpx2
    import openai

    from goldassay.judges.items import read_items
    from goldassay.judges.prompts import requests
    from goldassay.judges.spec import judge_from_mapping

    raw = {"name": "j", "model": "m", "base_url": url, "realization": "likert"}
    judge = judge_from_mapping(raw, place="j")
    prompts = [one.prompt for item in read_items(path) for one in requests(judge, item)]

    async def main() -> None:
        limits = httpx2.Limits(max_connections=CONCURRENCY)
        client = openai.AsyncOpenAI(
            api_key="none", base_url=url, http_client=httpx2.AsyncClient(limits=limits)
        )
        gate = asyncio.Semaphore(CONCURRENCY)

        async def one(prompt: str) -> str | None:
            async with gate:
                answer = await client.chat.completions.create(
                    model="m",
                    messages=[{"role": "user", "content": prompt}],
                    temperature=0,
                    max_tokens=1024,
                )
            return answer.choices[0].message.content

        await asyncio.gather(*(one(prompt) for prompt in prompts))
        await client.close()

    start = time.perf_counter()
    asyncio.run(main())
    return time.perf_counter() - start


def ours(path: Path, url: str, out: Path) -> float:
    from goldassay.judges.run import run_judges
    from goldassay.judges.spec import read_judge

    judge = path.parent / "judge.toml"
    judge.write_text(JUDGE.format(url=url, concurrency=CONCURRENCY))
    start = time.perf_counter()
    run_judges([read_judge(judge)], path, out)
    return time.perf_counter() - start


def memory(number: int) -> float:
    """Peak resident memory, in MB, of a run over so many items."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", MEMORY, str(number), f"{folder}/r.db"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout)


def run() -> list[dict[str, Any]]:
    server = subprocess.Popen([sys.executable, str(SERVER)], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        times: list[tuple[float, float]] = []
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            path = items(folder, CALLS)
            ours(items(folder, 50), url, folder / "warm.db")
            path = items(folder, CALLS)
            for turn in range(3):  # the best of three: other work on the machine only adds time
                times.append((ours(path, url, folder / f"{turn}.db"), bare(path, url)))
    finally:
        server.terminate()
        server.wait()
    goldassay, peer = (min(pair[i] for pair in times) for i in (0, 1))
    return [
        {
            "work": f"{CALLS:,} calls to a server that answers at once, {CONCURRENCY} at a time",
            "goldassay_seconds": goldassay,
            "peer": "a bare asyncio + openai loop, nothing kept",
            "peer_seconds": peer,
            "ratio": peer / goldassay,
            "target": 0.8,
        }
    ]


if __name__ == "__main__":
    for row in run():
        print(row)
    if "--memory" in sys.argv:
        for number in (10_000, 100_000, 1_000_000):
            print(f"{number:>9,} items: peak {memory(number):.0f} MB", flush=True)
