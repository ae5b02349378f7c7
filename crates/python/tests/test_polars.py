"""Polars: eager, lazy, streaming, keys from columns."""

import cipherloom as cl
import cipherloom.polars  # noqa: F401
import polars as pl
import pytest
from Crypto.Cipher import DES3

CARDS = ["FF8F7777B28C7A459A", "68656c6c6f", None, "FF8F7777B28C7A459B", "none"]
PLAIN = ["dog", "hello", None, None, None]
OPENING = {"preset": "mysql", "password": "sabakala"}


def test_a_preset():
    frame = pl.DataFrame({"id": range(5), "card": CARDS})
    plain = pl.col("card").cipherloom.decrypt(**OPENING)
    assert frame.select(plain)["card"].to_list() == PLAIN
    told = frame.select(pl.col("card").cipherloom.decrypt(status=True, **OPENING)).unnest("card")
    assert told.columns == ["result", "status", "error"]
    assert told["status"].to_list()[3:] == ["wrong key", "damaged"]
    assert "hex digit" in told["error"][4]


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_lazy_with_a_key_each(rng, engine):
    count = 20_000
    keys, ivs = [rng.randbytes(24) for _ in range(count)], [rng.randbytes(8) for _ in range(count)]
    plain = [rng.randbytes(16) for _ in range(count)]
    sealed = [DES3.new(k, DES3.MODE_CBC, v).encrypt(p) for k, v, p in zip(keys, ivs, plain)]
    frame = pl.LazyFrame({"id": range(count), "secret": sealed, "key": keys, "iv": ivs})
    options = {"cipher": "des-ede3-cbc", "padding": "none", "key": pl.col("key"), "iv": pl.col("iv")}
    query = frame.with_columns(pl.col("secret").cipherloom.decrypt(**options).alias("plain"))
    assert query.collect_schema()["plain"] == pl.Binary
    done = query.filter(pl.col("id") >= 5).collect(engine=engine)
    assert done["plain"].to_list() == plain[5:]
    back = done.select(pl.col("plain").cipherloom.encrypt(**options))
    assert back["plain"].to_list() == sealed[5:]


def test_the_streaming_engine_takes_it_in_pieces(tmp_path, monkeypatch):
    count, key, iv = 300_000, bytes(range(24)), bytes(8)
    options = {"cipher": "des-ede3-cbc", "padding": "none", "key": key, "iv": iv}
    plain = [n.to_bytes(8, "big") for n in range(count)]
    sealed = cl.encrypt_records(plain, **options).results
    pl.DataFrame({"id": range(count), "secret": sealed}).write_parquet(tmp_path / "in", row_group_size=50_000)
    pieces = []

    def watched(data, **options):
        pieces.append(len(data))
        return cl.decrypt_records(data, **options)

    monkeypatch.setattr("cipherloom.polars.decrypt_records", watched)
    query = pl.scan_parquet(tmp_path / "in").with_columns(pl.col("secret").cipherloom.decrypt(**options))
    plan = query.show_graph(engine="streaming", plan_stage="physical", raw_output=True)
    # A function that wants the whole column is a node of its own.
    assert "python_udf" in plan and "columnar-function" not in plan and "in-memory-map" not in plan
    assert not pieces
    query.sink_parquet(tmp_path / "out", engine="streaming")
    assert sum(pieces) == count and max(pieces) < count
    done = pl.read_parquet(tmp_path / "out").sort("id")
    assert done["secret"].to_list() == plain


def test_a_filter_goes_below_an_elementwise_expression():
    frame = pl.LazyFrame({"id": range(5), "card": CARDS})
    query = frame.with_columns(pl.col("card").cipherloom.decrypt(**OPENING)).filter(pl.col("id") == 0)
    plan = query.explain()
    assert plan.index("WITH_COLUMNS") < plan.index("id")
    assert query.collect()["card"].to_list() == ["dog"]


def test_series_and_frames_are_columns_of_arrow_s():
    series = pl.Series(CARDS)
    done = cl.decrypt_records(series, **OPENING)
    assert pl.Series(done.results).to_list() == PLAIN
    assert pl.DataFrame(done).columns == ["result", "status", "error"]
    empty = pl.DataFrame({"card": CARDS}).clear().select(pl.col("card").cipherloom.decrypt(**OPENING))
    assert empty.shape == (0, 1) and empty.schema["card"] == pl.String


def test_bad_options_are_told():
    frame = pl.DataFrame({"card": CARDS})
    with pytest.raises((cl.Error, pl.exceptions.ComputeError), match="takes a password"):
        frame.select(pl.col("card").cipherloom.decrypt(preset="mysql"))


def test_what_a_preset_makes():
    frame = pl.DataFrame({"plain": ["dog", None, "cat"]})
    for options, kind in [({"preset": "jasypt"}, pl.String), ({"preset": "openssl-1.0", "cipher": "des3"}, pl.Binary)]:
        options = {"password": "word", **options}
        made = frame.lazy().with_columns(pl.col("plain").cipherloom.encrypt(**options).alias("made"))
        assert made.collect_schema()["made"] == kind
        back = made.collect().select(pl.col("made").cipherloom.decrypt(**options))
        assert back["made"].to_list() == ["dog", None, "cat"]
