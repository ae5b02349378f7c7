"""A job by Spark Connect, in a process of its own: its session and another kind cannot be in one."""

import random

import cipherloom as cl
import cipherloom.spark
from Crypto.Cipher import DES3
from pyspark.sql import SparkSession

CARDS = [(1, "FF8F7777B28C7A459A"), (2, "68656c6c6f"), (3, None), (4, "FF8F7777B28C7A459B")]

# A server on this machine, and a client that has nothing but a connection to it.
session = SparkSession.builder.remote("local[1]").getOrCreate()
assert type(session).__module__.startswith("pyspark.sql.connect"), type(session)
frame = session.createDataFrame(CARDS, "id int, card string")
done = cipherloom.spark.decrypt(frame, "card", preset="mysql", password="sabakala")
told = {row.id: (row.result, row.status) for row in done.collect()}
assert told == {
    1: ("dog", "decrypted"),
    2: ("hello", "passed through"),
    3: (None, "passed through"),
    4: (None, "wrong key"),
}, told
rng, rows = random.Random(1), []
for number in range(500):
    key, iv = rng.randbytes(24), rng.randbytes(8)
    rows.append((number, key, iv, DES3.new(key, DES3.MODE_CBC, iv).encrypt(b"%08d" % number)))
frame = session.createDataFrame(rows, "id int, key binary, iv binary, secret binary")
options = {"cipher": "des-ede3-cbc", "padding": "none", "key_column": "key", "iv_column": "iv"}
plain = cipherloom.spark.decrypt(frame, "secret", **options).collect()
assert {row.id: bytes(row.result) for row in plain} == {n: b"%08d" % n for n in range(500)}
try:
    cipherloom.spark.decrypt(frame, "nothing", **options)
    raise AssertionError("no error")
except cl.Error as error:
    assert "no column nothing" in str(error)
session.stop()
print("right")
