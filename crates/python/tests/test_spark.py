"""Apache Spark: a master and two workers, one of which is killed in the middle of a job."""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading

import cipherloom as cl
import cipherloom.spark
import pyspark
import pytest
from Crypto.Cipher import DES3
from pyspark.sql import SparkSession

HOME = pathlib.Path(pyspark.__file__).parent
ROWS, PARTITIONS = 6000, 12
CARDS = [(1, "FF8F7777B28C7A459A"), (2, "68656c6c6f"), (3, None), (4, "FF8F7777B28C7A459B"), (5, "none")]


def free_port():
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        return own.getsockname()[1]


def start(name, folder, *words):
    """One of Spark's processes, with a group of its own; returns once it says that it has begun."""
    own = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m"}
    command = [HOME / "bin/spark-class", f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1"]
    process = subprocess.Popen(
        [*command, "--webui-port", "0", *words],
        cwd=folder,
        env={**os.environ, **own},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    sign = "I have been elected leader" if name.startswith("master") else "Successfully registered"
    for line in process.stderr:
        if sign in line:
            break
    # What it says later must not fill up the pipe.
    threading.Thread(target=process.stderr.read, daemon=True).start()
    assert process.poll() is None, f"{name} did not start"
    return process


def kill(process):
    """Kills a worker and the executors that it started, as if its machine were gone."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A session on a master and two workers, and the workers' processes."""
    tmp_path, port = tmp_path_factory.mktemp("spark"), free_port()
    master = f"spark://127.0.0.1:{port}"
    running = [start("master.Master", tmp_path, "--port", str(port))]
    session = None
    try:
        for _ in range(2):
            running.append(start("worker.Worker", tmp_path, "--cores", "1", "--memory", "1g", master))
        os.environ["PYSPARK_PYTHON"] = sys.executable
        builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
        for name, value in {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.executor.memory": "512m",
            "spark.sql.shuffle.partitions": "4",
            "spark.sql.adaptive.enabled": "false",
            "spark.sql.warehouse.dir": str(tmp_path / "warehouse"),
        }.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session, running[1:]
    finally:
        if session is not None:
            session.stop()
        for process in running:
            if process.poll() is None:
                kill(process)


def held_back(folder):
    """What a batch passes through: it says which worker is at work, and most wait until a file is there."""
    import time

    def serve(batches):
        for batch in batches:
            (folder / f"at-{os.getppid()}").touch()
            while batch.column("id")[0].as_py() % 3 and not (folder / "go").exists():
                time.sleep(0.01)
            yield batch

    return serve


def wait_for(condition):
    """Until something is so; a test that hangs is ended from outside."""
    pause = threading.Event()
    while not condition():
        pause.wait(0.05)


def test_presets_secrets_and_bad_options(cluster):
    session, _ = cluster
    frame = session.createDataFrame(CARDS, "id int, card string")
    opening = {"preset": "mysql", "password": "sabakala"}
    odd = cipherloom.spark.decrypt(frame.withColumnRenamed("card", "a.`b"), "a.`b", **opening)
    assert odd.filter("status = 'decrypted'").select("result").collect()[0].result == "dog"
    done = cipherloom.spark.decrypt(frame, "card", **opening)
    assert done.columns == ["id", "card", "result", "status", "error"]
    assert "sabakala" not in done._jdf.queryExecution().toString()
    told = {row.id: (row.result, row.status) for row in done.collect()}
    assert told[1] == ("dog", "decrypted") and told[2] == ("hello", "passed through")
    assert told[3] == (None, "passed through")
    assert told[4] == (None, "wrong key") and told[5] == (None, "damaged")
    options = {"cipher": "des-cbc", "key": "0123456789abcdef", "iv": bytes(8)}
    sealed = cipherloom.spark.encrypt(frame, "card", result="sealed", status="s", error="e", **options)
    back = cipherloom.spark.decrypt(sealed, "sealed", text=True, **options)
    assert {row.id: row.result for row in back.collect()} == dict(CARDS)
    made = cipherloom.spark.encrypt(frame, "card", preset="jasypt", password="word")
    assert dict(made.dtypes)["result"] == "string"
    back = cipherloom.spark.decrypt(made, "result", result="plain", status="s", error="e", preset="jasypt", password="word")
    assert {row.id: row.plain for row in back.collect()} == dict(CARDS)
    for wrong, words in [
        (lambda: cipherloom.spark.decrypt(frame, "nothing", **opening), "no column nothing"),
        (lambda: cipherloom.spark.decrypt(frame, "card", result="id", **opening), "has a column id already"),
        (lambda: cipherloom.spark.decrypt(frame, "card", preset="mysql"), "takes a password"),
        (lambda: cipherloom.spark.decrypt(frame, "card", cipher="des3", key=b"short"), "takes an IV"),
    ]:
        with pytest.raises(cl.Error, match=words):
            wrong()


# The last one: there is a worker less after it.
def test_no_row_is_lost_or_doubled_when_a_worker_is_killed(cluster, rng, tmp_path):
    session, workers = cluster
    rows = []
    for number in range(ROWS):
        key, iv, plain = rng.randbytes(24), rng.randbytes(8), b"%08d" % number
        sealed = DES3.new(key, DES3.MODE_CBC, iv).encrypt(plain)
        rows.append((number, key, iv, sealed[:-1] if number % 100 == 99 else sealed))
    frame = session.createDataFrame(rows, "id long, key binary, iv binary, secret binary").repartition(PARTITIONS)
    folder = tmp_path / "gate"
    folder.mkdir()
    gated = frame.mapInArrow(held_back(folder), frame.schema)
    plain = cipherloom.spark.decrypt(
        gated, "secret", cipher="des-ede3-cbc", padding="none", key_column="key", iv_column="iv"
    )
    # The shuffle has the first half's results on the workers' disks: those of the dead one are made again.
    job = plain.repartition(4, "id").select("id", "secret", "result", "status", "error")
    collected = []
    thread = threading.Thread(target=lambda: collected.extend(job.collect()))
    thread.start()
    # Both workers are in the middle of it.
    wait_for(lambda: len(list(folder.glob("at-*"))) >= 2 or not thread.is_alive())
    assert thread.is_alive()
    kill(workers[1])
    (folder / "go").touch()
    thread.join()
    assert sorted(row.id for row in collected) == list(range(ROWS))
    for row in collected:
        if row.id % 100 == 99:
            assert (row.status, row.result) == ("damaged", None) and "no multiple of 8" in row.error
            assert len(row.secret) == 7
        else:
            assert (row.status, bytes(row.result), row.error) == ("decrypted", b"%08d" % row.id, None)
