"""Cipherloom and pycryptodome side by side: one message, and many records with a key each.

Each is run in turn, round by round; medians and ranges. Results are compared before.
"""

import argparse
import importlib.metadata
import os
import platform
import random
import sys

import cipherloom as cl
import numpy as np
import pyarrow as pa
from Crypto.Cipher import DES3
from cipherloom.compat import DES3 as COMPAT
from turns import table, turns

MESSAGE, RECORDS, WIDTH = 1 << 20, 100_000, 32


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    rng = random.Random(1)
    os.sched_setaffinity(0, {0})
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("cipherloom", "pycryptodome", "numpy"))
    print(f"Python {platform.python_version()}, {versions}; one core, medians of {rounds} rounds")

    key, iv, data = rng.randbytes(24), rng.randbytes(8), rng.randbytes(MESSAGE)
    own, mode = cl.TdesEde3(key), cl.Mode.cbc(iv, "none")
    works = {
        "pycryptodome": lambda: DES3.new(key, DES3.MODE_CBC, iv).decrypt(data),
        "cipherloom, a mode": lambda: mode.decrypt(own, data),
        "cipherloom.compat": lambda: COMPAT.new(key, DES3.MODE_CBC, iv).decrypt(data),
    }
    assert len({work() for work in works.values()}) == 1
    times = turns(works, rounds)
    table("Triple-DES, CBC decryption of 1 MiB", times, "pycryptodome", "MB/s", lambda s: MESSAGE / s / 1e6)

    keys = [rng.randbytes(24) for _ in range(RECORDS)]
    ivs = [rng.randbytes(8) for _ in keys]
    plain = [rng.randbytes(WIDTH) for _ in keys]
    options = {"cipher": "des-ede3-cbc", "padding": "none"}
    sealed = cl.encrypt_records(plain, key=keys, iv=ivs, **options).results
    rows = [np.frombuffer(b"".join(own), "uint8").reshape(RECORDS, -1) for own in (sealed, keys, ivs)]
    arrow = [pa.array(own) for own in (sealed, keys, ivs)]

    def loop():
        new, cbc = DES3.new, DES3.MODE_CBC
        return [new(k, cbc, v).decrypt(d) for d, k, v in zip(sealed, keys, ivs)]

    def columns(data, key, iv):
        return cl.decrypt_records(data, key=key, iv=iv, **options).results

    works = {
        "pycryptodome": loop,
        "cipherloom, lists": lambda: columns(sealed, keys, ivs),
        "cipherloom, NumPy": lambda: columns(*rows),
        "cipherloom, Arrow": lambda: columns(*arrow),
    }
    assert loop() == plain == works["cipherloom, lists"]()
    assert works["cipherloom, NumPy"]().tobytes() == b"".join(plain)
    assert pa.array(works["cipherloom, Arrow"]()).to_pylist() == plain
    title = f"Triple-DES, CBC decryption of {RECORDS:,} records of {WIDTH} bytes, a key each"
    table(title, turns(works, rounds), "pycryptodome", "records/s", lambda s: RECORDS / s)


if __name__ == "__main__":
    sys.exit(main())
