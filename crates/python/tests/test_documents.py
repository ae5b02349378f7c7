"""The examples of docs/PYTHON.md and of docstrings do what they say."""

import doctest
import pathlib
import re

import cipherloom
import pytest

ROOT = pathlib.Path(__file__).parents[3]
SPARK = "pyspark"


def blocks():
    text = (ROOT / "docs/PYTHON.md").read_text()
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_examples(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    known, count = {}, 0
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for number, block in enumerate(block for block in blocks() if SPARK not in block):
        test = parser.get_doctest(block, known, f"block {number}", "docs/PYTHON.md", 0)
        count += len(test.examples)
        runner.run(test, clear_globs=False)
        known = test.globs
    assert runner.failures == 0 and count > 25


def test_the_first_example_is_the_shortest_thing_that_works():
    assert blocks()[0].startswith(">>> import cipherloom\n>>> cipherloom.decrypt(")


def test_docstrings():
    failed, tried = doctest.testmod(cipherloom)
    assert failed == 0 and tried > 1


@pytest.mark.parametrize("name", ["README.md", "docs/FORMATS.md"])
def test_the_page_is_named(name):
    assert "PYTHON.md" in (ROOT / name).read_text()
