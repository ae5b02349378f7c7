"""Programs of their own: the examples, which print what stands at their ends, and a job by Spark Connect."""

import os
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example(path):
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    expected = path.read_text().split("# Prints:\n")[1]
    assert done.stdout.splitlines() == [line.removeprefix("# ") for line in expected.splitlines()]


def test_there_are_examples():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {"datafusion_column", "duckdb_column"}


def test_spark_connect():
    job = pathlib.Path(__file__).parent / "connect/job.py"
    own = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run(
        [sys.executable, job], capture_output=True, text=True, check=False, env={**os.environ, **own}
    )
    assert done.returncode == 0 and done.stdout.endswith("right\n"), done.stdout + done.stderr
