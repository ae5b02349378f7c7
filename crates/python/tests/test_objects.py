"""The library's objects: what they give is pycryptodome's, what they refuse is a ValueError."""

import threading

import cipherloom as cl
import numpy
import pytest
from Crypto.Cipher import ARC4, DES, DES3
from Crypto.Hash import CMAC
from Crypto.Util.Padding import pad

KEYS = [(cl.Des, DES, 8), (cl.TdesEde2, DES3, 16), (cl.TdesEde3, DES3, 24)]
IV = b"8 bytes!"


def peers(rng):
    for ours, theirs, length in KEYS:
        key = rng.randbytes(length)
        for name, mode, options in [
            ("ecb", theirs.MODE_ECB, {}),
            ("cbc", theirs.MODE_CBC, {"iv": IV}),
            ("cfb8", theirs.MODE_CFB, {"iv": IV, "segment_size": 8}),
            ("cfb64", theirs.MODE_CFB, {"iv": IV, "segment_size": 64}),
            ("ofb", theirs.MODE_OFB, {"iv": IV}),
            ("ctr", theirs.MODE_CTR, {"nonce": b"", "initial_value": IV}),
        ]:
            own = getattr(cl.Mode, name)(*([IV] if options else []))
            yield ours(key), own, lambda k=key, t=theirs, m=mode, o=options: t.new(k, m, **o)


def test_every_mode_gives_what_pycryptodome_gives(rng):
    cases = 0
    for key, mode, peer in peers(rng):
        is_padded = repr(mode) in ("<cipherloom.Mode ecb>", "<cipherloom.Mode cbc>")
        for length in [0, 1, 7, 8, 9, 64, 1000, 100_000]:
            data = rng.randbytes(length)
            expected = peer().encrypt(pad(data, 8) if is_padded else data)
            assert mode.encrypt(key, data) == expected
            assert mode.decrypt(key, expected) == data
            cases += 1
    assert cases == 144


def test_messages_in_pieces_are_the_same(rng):
    for key, mode, _ in peers(rng):
        data = rng.randbytes(3000)
        whole = mode.encrypt(key, data)
        encryptor, decryptor, place = mode.encryptor(key), mode.decryptor(key), 0
        made, back = b"", b""
        while place < len(data):
            piece = data[place : place + rng.randrange(1, 200)]
            place += len(piece)
            part = encryptor.update(piece)
            made += part
            out = bytearray(len(part) + 8)
            back += bytes(out[: decryptor.update_into(part, out)])
        end = encryptor.finish()
        assert made + end == whole
        assert back + decryptor.update(end) + decryptor.finish() == data
        with pytest.raises(cl.Error, match="has ended"):
            encryptor.update(b"x")


def test_stealing_has_no_peer_and_comes_back(rng):
    key = cl.TdesEde3(rng.randbytes(24))
    made = set()
    for name in ["cbc_cs1", "cbc_cs2", "cbc_cs3", "cfb1"]:
        mode, data = getattr(cl.Mode, name)(IV), rng.randbytes(21)
        made.add(mode.encrypt(key, data))
        assert mode.decrypt(key, mode.encrypt(key, data)) == data
    # CS2 and CS3 are one where the end is not whole.
    assert len({len(one) for one in made}) == 1 and len(made) == 4


def test_macs(rng):
    key = rng.randbytes(24)
    for length in range(40):
        data = rng.randbytes(length)
        mac = cl.Mac.cmac(cl.TdesEde3(key))
        mac.update(data[:7])
        mac.update(data[7:])
        expected = CMAC.new(key, data, ciphermod=DES3).digest()
        assert mac.finish() == expected
        again = cl.Mac.cmac(cl.TdesEde3(key))
        again.update(data)
        again.verify(expected[:4])
    # ISO/IEC 9797-1:2011 annex B.4, algorithm 3 with padding method 1.
    two = cl.TdesEde2(bytes.fromhex("0123456789abcdeffedcba9876543210"))
    mac = cl.Mac.retail(two)
    mac.update(b"Now is the time for all ")
    assert mac.finish().hex() == "a1c72e74ea3fa9b6"
    mac = cl.Mac.cbc_mac(two, "iso7816")
    mac.update(b"x")
    with pytest.raises(cl.TagError):
        mac.verify(bytes(8))


def test_rc4(rng):
    for length in [1, 5, 16, 256]:
        key, data = rng.randbytes(length), rng.randbytes(10_000)
        stream, peer = cl.Rc4(key, drop=768), ARC4.new(key, drop=768)
        assert stream.apply(data[:77]) + stream.apply(data[77:]) == peer.encrypt(data)
        constant = cl.Rc4(key, constant_time=True)
        constant.skip(768)
        assert constant.apply(data[:500]) == ARC4.new(key, drop=768).encrypt(data[:500])


def test_anything_with_a_buffer_goes_in(rng):
    key, data = cl.Des(memoryview(b"01234567")), rng.randbytes(64)
    mode = cl.Mode.cbc(bytearray(IV))
    expected = mode.encrypt(key, data)
    array = numpy.frombuffer(data, "uint8")
    for same in [bytearray(data), memoryview(data), array, array.view("uint32"), array.reshape(8, 8)]:
        assert mode.encrypt(key, same) == expected
    with pytest.raises(BufferError):
        mode.encrypt(key, array[::2])
    with pytest.raises(TypeError):
        mode.encrypt(key, "text")
    with pytest.raises(TypeError):
        mode.encryptor(key).update_into(data, b"8 bytes.")
    with pytest.raises(cl.Error, match="output buffer"):
        mode.encryptor(key).update_into(data, bytearray(8))


def test_errors_are_value_errors():
    key = cl.TdesEde3(bytes(range(24)))
    for wrong, words in [
        (lambda: cl.Des(b"short"), "5 bytes"),
        (lambda: cl.Des(bytes(8), checked=True), "weak"),
        (lambda: cl.TdesEde3(bytes(24), checked=True), "refused key"),
        (lambda: cl.Des(bytes([3] * 8), odd_parity=True), "refused key"),
        (lambda: cl.Mode.cbc(b"short"), "5 bytes"),
        (lambda: cl.Mode.cbc(IV, "pkcs5"), "there are pkcs7, iso7816, zero, none"),
        (lambda: cl.Mode.cbc(IV).decrypt(key, b"nine byte"), "no multiple of 8"),
        (lambda: cl.Rc4(b""), "1 to 256"),
    ]:
        with pytest.raises(cl.Error, match=words):
            wrong()
    with pytest.raises(cl.PaddingError) as caught:
        cl.Mode.cbc(IV).decrypt(key, bytes(16))
    assert isinstance(caught.value, ValueError)
    assert "TdesEde3" in repr(key) and "0102" not in repr(key)
    assert cl.TdesEde3.KEY_LEN == 24


def test_others_run_while_there_is_long_work(rng):
    """Work on much data leaves Python's lock: another thread counts meanwhile."""
    key, mode, data = cl.TdesEde3(rng.randbytes(24)), cl.Mode.ofb(IV), bytes(8 << 20)
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    mode.encrypt(key, data)
    during = counted[0] - before
    done.set()
    thread.join()
    # One chain of a million blocks; with the lock kept, it would be a switch before and none in it.
    assert during > 1000
