"""Columns: lists, NumPy, Arrow, keys for each, and what becomes of bad records."""

import cipherloom as cl
import numpy
import pyarrow as pa
import pytest
from Crypto.Cipher import ARC4, DES, DES3
from Crypto.Util.Padding import pad

MYSQL = ["FF8F7777B28C7A459A", "68656c6c6f", None, "FF8F7777B28C7A459B", "none", ""]
STATUSES = ["decrypted", "passed through", "passed through", "wrong key", "damaged", "passed through"]


def sealed(rng, count, width=None):
    """Plaintexts, keys, IVs and ciphertexts, a key each."""
    plain = [rng.randbytes(rng.randrange(60) if width is None else width) for _ in range(count)]
    keys = [rng.randbytes(24) for _ in plain]
    ivs = [rng.randbytes(8) for _ in plain]
    made = [
        DES3.new(key, DES3.MODE_CBC, iv).encrypt(pad(own, 8))
        for own, key, iv in zip(plain, keys, ivs)
    ]
    return plain, keys, ivs, made


@pytest.mark.parametrize("threads", [1, 3])
def test_lists_with_a_key_each(rng, threads):
    plain, keys, ivs, made = sealed(rng, 9000 if threads > 1 else 1000)
    done = cl.decrypt_records(made, cipher="des-ede3-cbc", key=keys, iv=ivs, threads=threads)
    assert done.results == plain
    assert done.counts() == {"decrypted": len(plain)} and len(done) == len(plain)
    again = cl.encrypt_records(plain, cipher="des-ede3-cbc", key=keys, iv=ivs, threads=threads)
    assert again.results == made
    assert again.statuses == ["encrypted"] * len(plain) and set(again.errors) == {None}
    assert again.results is again.results


def test_a_bad_record_stays_alone(rng):
    plain, keys, ivs, made = sealed(rng, 7)
    made[1] = made[1] + b"x"
    keys[2] = keys[2][:5]
    ivs[3] = None
    made[4] = None
    keys[5] = bytes(24)
    done = cl.decrypt_records(made, cipher="des-ede3-cbc", key=keys, iv=ivs)
    assert [done.results[n] for n in (0, 6)] == [plain[0], plain[6]]
    assert done.results[1:6] == [None] * 5
    expected = ["decrypted", "damaged", "damaged", "damaged", "passed through", "wrong key", "decrypted"]
    assert done.statuses == expected
    for row, words in [(1, "no multiple of 8"), (2, "the key has 5 bytes"), (3, "no IV"), (5, "padding")]:
        assert words in done.errors[row]
    assert done.errors[4] is None
    assert "4 errors" in repr(done)


def test_text_stands_for_bytes(rng):
    plain, keys, ivs, made = sealed(rng, 50)
    hexed = [own.hex() for own in made]
    done = cl.decrypt_records(
        hexed, cipher="des3", key=[own.hex() for own in keys], iv=[own.hex() for own in ivs]
    )
    assert done.results == plain
    one = cl.encrypt_records(["grün", "b"], cipher="des-cbc", key="0123456789abcdef", iv=bytes(8), text=True)
    key = cl.Des(bytes.fromhex("0123456789abcdef"))
    assert one.results[0] == cl.Mode.cbc(bytes(8)).encrypt(key, "grün".encode()).hex()
    options = {"cipher": "des-cbc", "key": "0123456789abcdef", "iv": bytes(8)}
    assert cl.decrypt_records(one.results, text=True, **options).results == ["grün", "b"]
    bad = cl.decrypt_records(one.results, text=True, padding="none", **options)
    assert bad.results[0] == "grün\x03\x03\x03"
    assert "character 1" in cl.decrypt_records(["xx"], **options).errors[0]


def test_arrays_of_numpy(rng):
    data = numpy.frombuffer(rng.randbytes(3200), "uint8").reshape(100, 32)
    keys = numpy.frombuffer(rng.randbytes(2400), "uint8").reshape(100, 24)
    ivs = numpy.frombuffer(rng.randbytes(800), "S8")
    done = cl.encrypt_records(data, cipher="des-ede3-cbc", key=keys, iv=ivs, padding="none")
    assert done.results.shape == (100, 32) and done.results.dtype == "uint8"
    for row in (0, 99):
        iv = ivs.view("uint8").reshape(100, 8)[row].tobytes()
        peer = DES3.new(keys[row].tobytes(), DES3.MODE_CBC, iv)
        assert done.results[row].tobytes() == peer.encrypt(data[row].tobytes())
    # One key, as an array of one dimension, and results of many lengths.
    one = cl.decrypt_records(data, cipher="des-ede3-ecb", key=keys[0])
    assert {type(own) for own in one.results} <= {bytes, type(None)}
    objects = numpy.array([b"8 bytes.", None, b"again 8."], dtype=object)
    assert cl.encrypt_records(objects, cipher="rc4", key=b"Key").results[1] is None
    with pytest.raises(TypeError, match="two dimensions"):
        cl.encrypt_records(numpy.zeros(10, "float64"), cipher="rc4", key=b"Key")


@pytest.mark.parametrize(
    "kind",
    [pa.binary(), pa.large_binary(), pa.binary_view(), pa.dictionary(pa.int32(), pa.binary())],
    ids=str,
)
def test_arrow_s_arrays(rng, kind):
    plain, keys, ivs, made = sealed(rng, 300)
    made[7], plain[7] = None, None
    column = pa.array(made).cast(kind) if pa.types.is_dictionary(kind) else pa.array(made, kind)
    keys = pa.array(keys, pa.binary(24))
    done = cl.decrypt_records(column, cipher="des-ede3-cbc", key=keys, iv=pa.array(ivs))
    assert pa.array(done.results).to_pylist() == plain
    table = pa.record_batch(done)
    assert table.schema.names == ["result", "status", "error"]
    assert table["status"].to_pylist()[6:8] == ["decrypted", "passed through"]
    # In pieces, and with other borders than the keys have.
    pieces = pa.chunked_array([column.slice(0, 10), column.slice(10, 0), column.slice(10)])
    ivs = pa.chunked_array([pa.array(ivs[:200]), pa.array(ivs[200:])])
    again = cl.decrypt_records(pieces, cipher="des-ede3-cbc", key=keys, iv=ivs)
    assert pa.array(again.results).to_pylist() == plain


def test_arrow_s_text_and_bad_kinds():
    column = pa.array(MYSQL)
    done = cl.decrypt_records(column, preset="mysql", password="sabakala")
    table = pa.record_batch(done)
    assert table["result"].to_pylist() == ["dog", "hello", None, None, None, ""]
    assert table["status"].to_pylist() == STATUSES
    assert table["error"][3].as_py() == "wrong key, or the end is damaged"
    with pytest.raises(cl.Error, match="neither text nor bytes, but Int64"):
        cl.decrypt_records(pa.array([1, 2]), preset="mysql", password="x")
    with pytest.raises(cl.Error, match="has 1 values, and that of the data 6"):
        cl.decrypt_records(column, preset="jasypt", password=["one"])


def test_presets_in_lists():
    done = cl.decrypt_records(MYSQL, preset="mysql", password="sabakala")
    assert done.results == ["dog", "hello", None, None, None, ""]
    assert done.statuses == STATUSES
    own = cl.decrypt_records(MYSQL[:1] * 2, preset="mysql", password=["sabakala", "other"])
    assert own.statuses == ["decrypted", "wrong key"]
    raw = cl.decrypt_records([bytes.fromhex(MYSQL[0])], preset="mysql", password="sabakala")
    assert raw.results == [b"dog"]


def test_every_cipher_comes_back(rng):
    data = [rng.randbytes(8 * n + 8) for n in range(20)]
    count = 0
    for name in cl.ciphers():
        length = 5 if name == "rc4-40" else 16 if "ede-" in name or name in ("des-ede", "rc4") else None
        for length in [length] if length else [8, 16, 24]:
            key = rng.randbytes(length)
            for iv in [None, b"12345678"]:
                try:
                    made = cl.encrypt_records(data, cipher=name, key=key, iv=iv)
                except cl.Error:
                    continue
                count += 1
                assert made.counts() == {"encrypted": 20}, name
                assert made.results != data
                back = cl.decrypt_records(made.results, cipher=name, key=key, iv=iv)
                assert back.results == data, name
    assert count >= len(cl.ciphers())


def test_rc4_with_keys_of_any_length(rng):
    data = [rng.randbytes(n) for n in range(50)]
    keys = [rng.randbytes(rng.randrange(1, 257)) for _ in data]
    done = cl.encrypt_records(data, cipher="rc4", key=keys)
    assert done.results == [ARC4.new(key).encrypt(own) for key, own in zip(keys, data)]
    one = cl.encrypt_records([b"x"], cipher="des-ecb", key=b"01234567")
    assert one.results == [DES.new(b"01234567", DES.MODE_ECB).encrypt(pad(b"x", 8))]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "a preset or a cipher"),
        ({"cipher": "aes"}, "unknown cipher"),
        ({"preset": "nobody"}, "unknown preset"),
        ({"cipher": "des3"}, "give a key"),
        ({"cipher": "des3", "key": bytes(24)}, "takes an IV"),
        ({"cipher": "des3", "key": bytes(23), "iv": bytes(8)}, "the key has 23 bytes"),
        ({"cipher": "des3", "key": bytes(24), "iv": bytes(7)}, "the IV has 7 bytes"),
        ({"cipher": "des3", "key": bytes(24), "iv": "x"}, "IV: "),
        ({"cipher": "rc4", "key": b"k", "iv": bytes(8)}, "no IV"),
        ({"cipher": "rc4", "key": b"k", "padding": "none"}, "takes no padding"),
        ({"cipher": "rc4", "key": b"k", "digest": "md5"}, "for presets"),
        ({"cipher": "rc4", "key": b"k", "password": "k"}, "not both"),
        ({"preset": "mysql"}, "takes a password"),
        ({"preset": "vnc", "password": "k"}, "takes no secret"),
        ({"preset": "mysql", "password": "k", "iv": bytes(8)}, "takes no IV"),
        ({"preset": "mysql", "password": "k", "digest": "md5"}, "takes no digest"),
        ({"preset": "mysql", "password": "k", "cipher": "des3"}, "says which cipher"),
        ({"preset": "mysql", "password": "k", "padding": "iso7816"}, "no padding iso7816"),
    ],
)
def test_bad_options_are_errors(options, words):
    with pytest.raises(cl.Error, match=words):
        cl.decrypt_records([b"8 bytes."], **options)


def test_what_is_no_column():
    for value in ["text", b"bytes", bytearray(8), 7]:
        with pytest.raises(TypeError):
            cl.decrypt_records(value, cipher="rc4", key=b"k")
    with pytest.raises(TypeError, match="^row 1: a value is text or bytes, not int$"):
        cl.decrypt_records([b"1", 7], cipher="rc4", key=b"k")
    with pytest.raises(TypeError, match="text or bytes, not float"):
        cl.what(1.5)
    assert cl.decrypt_records([], cipher="rc4", key=b"k").results == []


def test_ivs_before_the_data(rng):
    plain, keys, _, _ = sealed(rng, 300)
    plain[5] = None
    options = {"cipher": "des-ede3-cbc", "key": keys, "iv_prefix": True}
    made = cl.encrypt_records(plain, **options)
    for row in (0, 299):
        iv, rest = made.results[row][:8], made.results[row][8:]
        assert DES3.new(keys[row], DES3.MODE_CBC, iv).encrypt(pad(plain[row], 8)) == rest
    assert len({own[:8] for own in made.results if own}) == 299
    assert cl.decrypt_records(made.results, **options).results == plain
    columns = pa.array(made.results), pa.array(keys)
    done = cl.decrypt_records(columns[0], cipher="des-ede3-cbc", key=columns[1], iv_prefix=True)
    assert pa.array(done.results).to_pylist() == plain
    short = cl.decrypt_records([b"seven b", None], cipher="des-cbc", key=bytes(8), iv_prefix=True)
    assert short.statuses == ["damaged", "passed through"] and "too few for the IV" in short.errors[0]
    for wrong, words in [
        ({"cipher": "des-ecb", "key": bytes(8)}, "has no IV"),
        ({"cipher": "des-cbc", "key": bytes(8), "iv": bytes(8)}, "not both"),
        ({"preset": "mysql", "password": "x"}, "a preset says where"),
    ]:
        with pytest.raises(cl.Error, match=words):
            cl.decrypt_records([b""], iv_prefix=True, **wrong)


def test_long_and_short_values_of_a_list(rng):
    # Those up to 256 bytes are copied, in chunks of 64 KiB; others stay where they are.
    plain = [rng.randbytes(rng.choice([0, 1, 255, 256, 257, 70_000])) for _ in range(500)]
    mixed = [rng.choice([bytes, bytearray, memoryview])(own) for own in plain]
    made = cl.encrypt_records(mixed, cipher="rc4", key=b"Key")
    assert made.results == [ARC4.new(b"Key").encrypt(own) for own in plain]
    text = ["ä" * len(own) for own in plain]
    done = cl.encrypt_records(tuple(text), cipher="rc4", key=b"Key")
    assert done.results == [ARC4.new(b"Key").encrypt(own.encode()) for own in text]
