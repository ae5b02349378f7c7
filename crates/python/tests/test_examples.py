"""The example programs run, and print what stands at their ends."""

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
