"""A real Spark standalone cluster on loopback counts as DuckDB does, to the byte."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from patience import PATIENCE

import goldassay
from goldassay.counts import confusion, count_distributions, count_scores, count_units, count_wins
from goldassay.lab.simulate import (
    Judge,
    Raters,
    RatingModel,
    Study,
    simulate,
    simulate_response_sets,
)
from goldassay.ratings.table import Ratings, read_ratings
from goldassay.ratings.task import Task
from goldassay.results import Provenance

pyspark = pytest.importorskip(
    "pyspark", reason="pyspark is not installed (pip install goldassay[spark])"
)

pytestmark = [
    pytest.mark.spark,
    pytest.mark.xdist_group("spark"),
    pytest.mark.skipif(shutil.which("java") is None, reason="Java is not installed"),
    pytest.mark.filterwarnings("ignore"),
]


NOWHERE = Provenance("test")
# Five Java machines live for a minute each: compiling well, and collecting garbage on several
# threads, costs more than it saves.
SHORT_LIVED = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}


class Daemon:
    """A Spark master or worker, started through spark-class and stopped at the end."""

    def __init__(self, *arguments: str, folder: Path, name: str) -> None:
        home = Path(pyspark.__file__).parent
        environment = {
            **os.environ,
            **SHORT_LIVED,
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_WORKER_DIR": str(folder / name),
            "SPARK_NO_DAEMONIZE": "1",
            "SPARK_DAEMON_MEMORY": "256m",
        }
        self.log = folder / f"{name}.log"
        with self.log.open("wb") as stream:
            self.process = subprocess.Popen(
                [str(home / "bin" / "spark-class"), *arguments],
                env=environment,
                stdout=stream,
                stderr=subprocess.STDOUT,
            )

    def wait_for(self, pattern: str, seconds: float = PATIENCE) -> re.Match[str]:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            text = self.log.read_text(errors="replace")
            if match := re.search(pattern, text):
                return match
            if self.process.poll() is not None:
                break
            time.sleep(0.2)
        raise RuntimeError(f"{pattern!r} not seen:\n{self.log.read_text(errors='replace')[-2000:]}")

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session on a master and two workers."""
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    daemons = [
        Daemon(
            "org.apache.spark.deploy.master.Master",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--webui-port",
            "0",
            folder=folder,
            name="master",
        )
    ]
    try:
        url = daemons[0].wait_for(r"Starting Spark master at (spark://127\.0\.0\.1:\d+)").group(1)
        for number in (1, 2):
            daemons.append(
                Daemon(
                    "org.apache.spark.deploy.worker.Worker",
                    url,
                    "--host",
                    "127.0.0.1",
                    "--webui-port",
                    "0",
                    "--cores",
                    "1",
                    "--memory",
                    "768m",
                    folder=folder,
                    name=f"worker{number}",
                )
            )
        for worker in daemons[1:]:
            worker.wait_for("Successfully registered with master")
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        with warnings.catch_warnings(), patch.dict(os.environ, SHORT_LIVED):
            warnings.simplefilter("ignore")
            spark = (
                SparkSession.builder.master(url)
                .appName("goldassay")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.executor.memory", "512m")
                # A few hundred rows: compiling and planning anew takes longer than the work.
                .config("spark.sql.shuffle.partitions", "2")
                .config("spark.sql.codegen.wholeStage", "false")
                .config("spark.sql.adaptive.enabled", "false")
                .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
                .getOrCreate()
            )
        spark.sparkContext.setLogLevel("ERROR")
        yield spark
        spark.stop()
    finally:
        for daemon in reversed(daemons):
            daemon.stop()


def spark_table(session: Any, path: Path) -> Any:
    """The file in three parts on the workers, read once."""
    table = session.read.csv(str(path), header=True, nullValue="", emptyValue="")
    return table.repartition(3).cache()


def arrays(counts: Any) -> dict[str, Any]:
    """The fields of a counts object, arrays as bytes."""
    out: dict[str, Any] = {}
    for name, value in vars(counts).items():
        if isinstance(value, np.ndarray):
            out[name] = (value.dtype.str, value.shape, np.ascontiguousarray(value).tobytes())
        elif name == "by":
            out[name] = {k: (b.labels, b.codes.tobytes()) for k, b in value.items()}
        elif name != "task":
            out[name] = value
    return out


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Task]:
    drawn = simulate(
        Study(
            prompts=60,
            criteria={"clear": 0.5, "correct": -0.5},
            judges={
                "strict": Judge(sensitivity=0.7, specificity=0.95, abstain=0.05, invalid=0.03),
                "noisy": Judge(sensitivity=0.8, specificity=0.7, samples=2),
            },
            raters=Raters(abstain=0.02, response_sets=0.3),
            cluster_size=3,
            correlation=0.3,
            indeterminate=0.2,
        ),
        seed=5,
    )
    path = tmp_path_factory.mktemp("study") / "ratings.csv"
    path.write_text(drawn.to_csv())
    return path, drawn.task


@pytest.fixture(scope="module")
def both(session: Any, study: tuple[Path, Task]) -> tuple[Ratings, Ratings]:
    """One table of ratings, here and on the cluster."""
    path, task = study
    return read_ratings(path, task), read_ratings(spark_table(session, path), task)


def test_the_cluster_has_two_workers(session: Any) -> None:
    executors = session.sparkContext._jsc.sc().getExecutorMemoryStatus().size()
    deadline = time.monotonic() + PATIENCE
    while executors < 3 and time.monotonic() < deadline:  # the driver and two executors
        time.sleep(0.5)
        executors = session.sparkContext._jsc.sc().getExecutorMemoryStatus().size()
    assert executors == 3


def test_units_and_confusion_are_identical(both: tuple[Ratings, Ratings]) -> None:
    here, there = map(count_units, both)
    assert arrays(here) == arrays(there)
    for judge in here.judge_names:
        assert arrays(confusion(here, judge)) == arrays(confusion(there, judge))


def test_results_made_from_counts_are_identical(both: tuple[Ratings, Ratings]) -> None:
    documents = []
    for ratings in both:
        found = goldassay.agree(ratings, seed=1, resamples=200)
        documents.append(replace(found, provenance=NOWHERE).to_json())
    assert documents[0] == documents[1]
    assert '"cohen_kappa"' in documents[0]


def test_distributions_and_scores_are_identical(both: tuple[Ratings, Ratings]) -> None:
    here, there = both
    assert arrays(count_distributions(here)) == arrays(count_distributions(there))
    assert arrays(count_scores(here)) == arrays(count_scores(there))


def test_response_sets_are_identical(session: Any, tmp_path: Path) -> None:
    drawn = simulate_response_sets(RatingModel(options=("A", "B", "C"), items=20), seed=2)
    path = tmp_path / "ratings.csv"
    path.write_text(drawn.to_csv())
    here = count_distributions(read_ratings(path, drawn.task))
    there = count_distributions(read_ratings(spark_table(session, path), drawn.task))
    assert arrays(here) == arrays(there)
    assert here.human_sets.sum() > 0


def test_wins_are_identical(session: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    lines = ["item,prompt,rater,kind,value,system,opponent"]
    for item in range(80):
        first, second = rng.permutation(["a", "b", "c"])[:2]
        for rater, kind in ((f"j{item % 2}", "judge"), ("ann", "human"), ("bea", "human")):
            value = rng.choice(["first", "second", "tie"])
            lines.append(f"i{item},p{item % 9},{rater},{kind},{value},{first},{second}")
            first, second = second, first
    path = tmp_path / "battles.csv"
    path.write_text("\n".join(lines) + "\n")
    task = Task.from_mapping(
        {"scale": "pairwise", "options": ["first", "second", "tie"], "tie": "tie"}
    )
    here = count_wins(read_ratings(path, task))
    there = count_wins(read_ratings(spark_table(session, path), task))
    assert arrays(here) == arrays(there)
    assert here.people.sum() > 0


#: Continuous scores and battles, which have no table of options to be counted into, run always;
#: the rest of what each example can be asked runs with --slow.
ASKED = [
    ("scores", "agree"),
    ("scores", "estimate"),
    ("pairs", "rank"),
    *(
        pytest.param(table, verb, marks=pytest.mark.slow)
        for table, verb in (
            ("answers", "estimate"),
            ("answers", "rank"),
            ("answers", "compare"),
            ("grades", "agree"),
            ("grades", "replace"),
            ("pairs", "agree"),
            ("pairs", "compare"),
            ("rubric", "select"),
            ("rubric", "audit"),
            ("rubric", "route"),
            ("safety", "plan"),
            ("scores", "rank"),
            ("scores", "compare"),
            ("versions", "monitor"),
        )
    ),
]


@pytest.mark.parametrize(("table", "verb"), ASKED)
def test_a_question_gives_the_same_bytes(session: Any, table: str, verb: str) -> None:
    example = getattr(goldassay.examples, table)
    documents = []
    for source in (example.path, spark_table(session, example.path)):
        found = getattr(goldassay, verb)(source, task=example.task)
        documents.append(replace(found, provenance=NOWHERE).to_json())
    assert documents[0] == documents[1]
    assert f'"verb": "{verb}"' in documents[0]


@pytest.mark.slow
def test_a_report_gives_the_same_but_for_the_name_of_the_table(session: Any) -> None:
    """Every question at once, of a binary task in clusters."""
    example = goldassay.examples.answers
    there = read_ratings(spark_table(session, example.path), goldassay.read_task(example.task))
    documents = []
    for source, name in ((example.path, example.path.name), (there, there.name)):
        found = goldassay.report(source, task=example.task, resamples=200)
        # Reasons and commands name the table.
        documents.append(replace(found, provenance=NOWHERE).to_json().replace(name, "RATINGS"))
    assert documents[0] == documents[1]
    assert '"verb": "audit"' in documents[0]


@pytest.mark.slow
@pytest.mark.parametrize("table", ["answers", "rubric", "grades", "scores", "pairs"])
def test_check_gives_the_same_but_for_how_to_ask_next(session: Any, table: str) -> None:
    example = getattr(goldassay.examples, table)
    documents = []
    for source in (example.path, spark_table(session, example.path)):
        found = replace(goldassay.check(source, task=example.task), provenance=NOWHERE)
        document = json.loads(found.to_json())
        said = document["sentences"]
        # A file is asked by a command, a table by a call.
        document["sentences"] = [one for one in said if "command" not in one["facts"]]
        assert len(document["sentences"]) < len(said)
        documents.append(document)
    assert documents[0] == documents[1]
    assert documents[0]["verb"] == "check"


def test_more_than_the_driver_should_hold_is_refused(
    session: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = goldassay.examples.scores  # 400 items, four raters: 1,600 numbers
    table = spark_table(session, scores.path)
    monkeypatch.setattr("goldassay.ratings.fetch.MOST_ROWS", 1_599)
    with pytest.raises(goldassay.InputError, match="at most 1,599 counts or scores; found more"):
        goldassay.estimate(table, task=scores.task)
