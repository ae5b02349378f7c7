"""pycryptodome's own tests of these ciphers and of the modes with them, on our modules."""

import pathlib
import re
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent


def run(names, words):
    """What pytest says of their tests."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "replaced", "-p", "no:cacheprovider", "--no-header"]
    modules = [f"Crypto.SelfTest.Cipher.test_{name}" for name in names]
    done = subprocess.run(
        [*command, *words, "--rootdir", str(HERE), "-c", "/dev/null", "--pyargs", *modules],
        env={"PYTHONPATH": str(HERE / "pycryptodome")},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("names", "words", "least"),
    [
        (["DES", "DES3", "ARC4"], [], 213),
        (["CBC", "CFB", "OFB", "CTR", "OpenPGP", "EAX"], ["-k", "not aes and not range_boundaries"], 380),
    ],
    ids=["ciphers", "modes"],
)
def test_their_tests(names, words, least):
    code, output = run(names, words)
    passed = re.search(r"(\d+) passed", output)
    assert code == 0 and passed, output[-6000:]
    assert int(passed[1]) >= least, output[-300:]
    print(output.splitlines()[-1])


def test_ours_are_what_they_test():
    code, output = run(["ARC4"], ["--collect-only"])
    assert code == 0, output
    probe = "import replaced, Crypto.Cipher.DES3 as own; print(own.__name__)"
    done = subprocess.run(
        [sys.executable, "-c", probe],
        env={"PYTHONPATH": str(HERE / "pycryptodome")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "cipherloom.compat.DES3"
