"""The fixture `assay`: gates as tests, with the finding in the failure."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

pytest_plugins = ["pytester"]

#: 40 items: the judge and one person agree on 36 of them, so that accuracy is .9.
ROWS = [
    (f"i{n}", rater, kind, "yes" if (n % 2) != (rater == "gpt" and n < 4) else "no")
    for n in range(40)
    for rater, kind in (("gpt", "judge"), ("kim", "human"))
]
TASK = 'scale = "binary"\noptions = ["yes", "no"]\npositive = "yes"\n'


def run(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    """pytest in its own folder; the plugin by its name, unless it is installed with goldassay."""
    installed = any(one.name == "goldassay" for one in entry_points(group="pytest11"))
    by_name = () if installed else ("-p", "goldassay.pytest_plugin")
    return pytester.runpytest_subprocess(*by_name, "-p", "no:cacheprovider", *words)


@pytest.fixture
def folder(pytester: pytest.Pytester) -> pytest.Pytester:
    text = "item,rater,kind,value\n" + "".join(",".join(row) + "\n" for row in ROWS)
    (pytester.path / "ratings.csv").write_text(text)
    (pytester.path / "task.toml").write_text(TASK)
    return pytester


def test_a_gate_that_holds_gives_the_findings(folder: pytest.Pytester) -> None:
    folder.makepyfile(
        """
        def test_judge(assay):
            found = assay.require("ratings.csv", "accuracy >= 0.9", task="task.toml")
            assert found["accuracy", "gpt"].value == 0.9
        """
    )
    run(folder).assert_outcomes(passed=1)


def test_a_gate_that_is_not_met_fails_with_the_finding(folder: pytest.Pytester) -> None:
    folder.makepyfile(
        """
        def test_judge(assay):
            assay.require("ratings.csv", "accuracy.low >= 0.95", "accuracy > 0.1", task="task.toml")
        """
    )
    done = run(folder)
    done.assert_outcomes(failed=1)
    done.stdout.re_match_lines(
        [
            r"accuracy\.low >= 0\.95 does not hold: 0\.\d{2,4}$",
            r"  of: judge gpt, level micro",
            r"  found: accuracy 90 % \[\d\d, \d\d\], 40 items$",
            r"  gpt agrees with people on 90 % .* of 40 items",
        ]
    )
    assert "accuracy > 0.1 does not hold" not in done.stdout.str()


WRONG = {
    '"ratings.csv", "accuracy > 0.1"': "*must rest on a declared task*",
    '"ratings.csv", "acuracy > 0.1", task="task.toml"': "*Did you mean 'accuracy'*",
    '"ratings.csv", task="task.toml"': "*must name a gate*",
    '"nowhere.csv", "accuracy > 0.1", task="task.toml"': "*goldassay: nowhere.csv*",
    '"ratings.csv", "x > 0", question="demo"': "*must be a question about ratings*'demo'*",
    '"ratings.csv", "accuracy > 0", task="task.toml", passport="no.json"': "*goldassay: no.json*",
}


def test_what_cannot_be_asked_is_said_in_a_line(folder: pytest.Pytester) -> None:
    tests = [f"def test_{k}(assay):\n    assay.require({call})\n" for k, call in enumerate(WRONG)]
    folder.makepyfile("\n".join(tests))
    done = run(folder)
    done.assert_outcomes(failed=len(WRONG))
    done.stdout.fnmatch_lines(list(WRONG.values()))
    assert "During handling" not in done.stdout.str()
    assert "pytest_plugin.py" not in done.stdout.str()


def test_findings_with_options_of_ones_own(folder: pytest.Pytester) -> None:
    folder.makepyfile(
        """
        import goldassay as ga

        def test_judge(assay):
            found = ga.estimate("ratings.csv", "task.toml", seed=3)
            assert assay.require(found, "prevalence.low > 0.1") is found
        """
    )
    run(folder).assert_outcomes(passed=1)


def test_a_passport_must_be_fresh(folder: pytest.Pytester) -> None:
    """The judge is known by its table; once its model is another one, the passport is stale."""
    folder.makepyfile(
        """
        from pathlib import Path

        import goldassay as ga

        WHO = "rater,model,version,prompt,rubric,parameters,parser,realization,source,family,size"
        SAME = "gpt,{},1,p,r,t=0,regex,one,api,acme,9"

        def known(model):
            Path("judges.csv").write_text(WHO + chr(10) + SAME.format(model) + chr(10))

        def required(assay):
            assay.require(
                "ratings.csv", "accuracy > 0.1", task="task.toml",
                passport="gpt.passport.json", judges="judges.csv",
            )

        def test_fresh(assay):
            known("a-1")
            ga.certify("ratings.csv", "task.toml", judges="judges.csv").save("gpt.passport.json")
            required(assay)

        def test_stale(assay):
            known("a-2")
            required(assay)
        """
    )
    done = run(folder)
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["passport_fresh >= 1 does not hold: 0", "*is stale: model is a-2*"])


def test_pages_and_properties_with_several_workers(folder: pytest.Pytester) -> None:
    folder.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("bound", [0.1, 0.99])
        def test_judge(assay, bound):
            assay.require("ratings.csv", f"accuracy >= {bound}", task="task.toml")
        """
    )
    done = run(folder, "-n", "2", "--assay-report", "pages", "--junitxml", "tests.xml")
    done.assert_outcomes(passed=1, failed=1)
    pages = sorted((folder.path / "pages").iterdir())
    assert [page.name[:15] for page in pages] == ["test-judge-0-1-", "test-judge-0-99"]
    assert ["not met" in page.read_text() for page in pages].count(True) == 1
    done.stdout.fnmatch_lines([f"*{pages[0].name}"])
    kept = Xml.parse(folder.path / "tests.xml").iter("property")
    assert {one.get("name") for one in kept} >= {"accuracy >= 0.1", "accuracy >= 0.99"}


def test_pages_go_into_a_folder(folder: pytest.Pytester) -> None:
    (folder.path / "pages").write_text("a file")
    for name in ("pages", "pages/more"):
        done = run(folder, "--assay-report", name)
        assert done.ret == pytest.ExitCode.USAGE_ERROR
        done.stderr.fnmatch_lines([f"*--assay-report: must name a folder*'{name}'*"])


def test_the_same_files_are_read_once(folder: pytest.Pytester) -> None:
    folder.makepyfile(
        """
        from pathlib import Path

        found = []

        def test_one(assay):
            found.append(assay.require("ratings.csv", "accuracy > 0", task="task.toml"))

        def test_two(assay):
            assert assay.require("ratings.csv", "accuracy > 0", task="task.toml") is found[0]

        def test_changed(assay):
            text = Path("ratings.csv").read_text()
            Path("ratings.csv").write_text(text + "i40,gpt,judge,yes\\n")
            assert assay.require("ratings.csv", "accuracy > 0", task="task.toml") is not found[0]
        """
    )
    run(folder).assert_outcomes(passed=3)


def test_nothing_is_loaded_before_a_test_asks() -> None:
    code = (
        "import sys, goldassay.pytest_plugin\n"
        "print(sorted(m for m in sys.modules if m.startswith('goldassay')))\n"
        "print([m for m in ('numpy', 'scipy', 'duckdb', 'narwhals', 'typer') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["['goldassay', 'goldassay.pytest_plugin']", "[]"]


def test_the_package_brings_the_plugin() -> None:
    import tomllib

    root = Path(__file__).resolve().parents[2]
    made = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert made["entry-points"]["pytest11"] == {"goldassay": "goldassay.pytest_plugin"}
