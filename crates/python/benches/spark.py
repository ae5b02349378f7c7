"""One column of Spark's, decrypted in three ways: by Cipherloom, by a function in Python that calls pycryptodome, and
(AES, as Spark has nothing older) by Spark's own `aes_decrypt`.

The same rows, keys for each; each way in turn, round by round, after one that does not count; medians and ranges.
"""

import argparse
import os
import random
import sys

import cipherloom.spark
import pyspark
from Crypto.Cipher import AES, DES3
from pyspark.sql import SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import BinaryType
from turns import table, turns

WIDTH = 32


def pycryptodome(secret, key, iv):
    return DES3.new(bytes(key), DES3.MODE_CBC, bytes(iv)).decrypt(bytes(secret))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    given = parser.parse_args()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{given.cores}]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    rng = random.Random(1)
    rows = []
    for _ in range(given.rows):
        key, iv, plain = rng.randbytes(24), rng.randbytes(8), rng.randbytes(WIDTH)
        secret = DES3.new(key, DES3.MODE_CBC, iv).encrypt(plain)
        # Spark's CBC takes its IV from the front.
        front = rng.randbytes(16)
        own = front + AES.new(key, AES.MODE_CBC, front).encrypt(plain + bytes([16]) * 16)
        rows.append((key, iv, secret, own))
    frame = spark.createDataFrame(rows, "key binary, iv binary, secret binary, aes binary")
    frame = frame.repartition(2 * given.cores).persist()
    frame.count()
    udf = f.udf(pycryptodome, BinaryType())
    arrow = f.udf(pycryptodome, BinaryType(), useArrow=True)
    options = {"cipher": "des-ede3-cbc", "padding": "none", "key_column": "key", "iv_column": "iv"}
    ways = {
        "cipherloom.spark.decrypt": cipherloom.spark.decrypt(frame, "secret", **options).select("result"),
        "a Python UDF, pycryptodome": frame.select(udf("secret", "key", "iv").alias("result")),
        "the same through Arrow": frame.select(arrow("secret", "key", "iv").alias("result")),
        "Spark's aes_decrypt": frame.select(f.expr("aes_decrypt(aes, key, 'CBC')").alias("result")),
    }

    def digest(way):
        # All results are needed, and little of them comes back.
        return way.agg(f.sum(f.xxhash64("result").cast("decimal(38,0)"))).collect()[0][0]

    digests = set()
    works = {name: lambda way=way: digests.add(digest(way)) for name, way in ways.items()}
    turns(works, 1)
    times = turns(works, given.rounds)
    assert len(digests) == 1, "the ways differ"
    print(f"Spark {pyspark.__version__}, local[{given.cores}], medians of {given.rounds} rounds")
    title = f"{given.rows:,} rows of {WIDTH} bytes, a key each"
    table(title, times, "Spark's aes_decrypt", "rows/s", lambda s: given.rows / s)
    spark.stop()


if __name__ == "__main__":
    sys.exit(main())
