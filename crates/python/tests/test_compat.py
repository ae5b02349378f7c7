"""Modules in place of pycryptodome's: random calls give the same results or the same kinds of errors."""

import itertools

import Crypto.Cipher.ARC4
import Crypto.Cipher.DES
import Crypto.Cipher.DES3
import Crypto.Util.Counter
import pytest
from cipherloom.compat import ARC4, DES, DES3, Counter

PAIRS = [(DES, Crypto.Cipher.DES), (DES3, Crypto.Cipher.DES3)]


def outcome(call):
    """What a call gives, or the kind of its error that callers catch."""
    try:
        return call()
    except (TypeError, ValueError, OverflowError) as error:
        kinds = (TypeError, OverflowError, ValueError)
        return next(kind for kind in kinds if isinstance(error, kind))


def options(rng):
    """Arguments of `new`, of all modes, good and bad; those for a counter as a function of the module."""
    for iv in [bytes(8), rng.randbytes(8), b"short", bytes(10), "8 chars!"]:
        for name in ("iv", "IV"):
            yield from ((mode, {name: iv}) for mode in (1, 2, 3, 5, 6, 7, 9))
    yield from ((3, {"iv": bytes(8), "segment_size": size}) for size in (0, 1, 8, 16, 24, 56, 64, 72))
    for length in range(9):
        for start in (0, 250, 255, 256, (1 << 56) - 2, (1 << 64) - 2):
            yield 6, {"nonce": bytes(range(length)), "initial_value": start}
    yield 6, {"nonce": b"1234", "initial_value": b"5678"}
    yield 6, {"nonce": b"1234", "initial_value": b"567"}
    yield 6, {"nonce": b"1234", "threads": 4}
    yield 6, {"nonce": b"1234", "threads": -1}
    yield 6, {"nonce": b"1234", "threads": True}
    for length, suffix, start, little in itertools.product((1, 2, 6, 7, 8), (b"", b"x"), (0, 5, 250), (False, True)):
        prefix = bytes(max(0, 8 - length - len(suffix)))
        counter = (8 * length, prefix, suffix, start, little)
        yield 6, {"counter": counter}
    yield 6, {"counter": {}}
    yield 6, {}
    yield 6, {"nonce": b"1234", "unknown": 1}
    yield 9, {"nonce": b"16 bytes of nonce", "mac_len": 4}
    yield 9, {"nonce": b"1", "mac_len": 8}
    yield 9, {"nonce": b""}
    yield 9, {"nonce": b"1", "mac_len": 9}
    yield 2, {"iv": bytes(8), "IV": bytes(8)}
    yield 2, {"iv": bytes(8), "segment_size": 8}
    yield 4, {}
    yield 8, {"nonce": b"1"}


def made(module, counters, key, mode, given):
    given = dict(given)
    if isinstance(given.get("counter"), tuple):
        length, prefix, suffix, start, little = given["counter"]
        given["counter"] = counters.new(length, prefix, suffix, start, little)
    return module.new(key, mode, **given)


def test_the_same_calls_give_the_same(rng):
    compared, refused = 0, 0
    for ours, theirs in PAIRS:
        for mode, given in options(rng):
            key = rng.randbytes(8 if ours is DES else rng.choice((16, 24)))
            own = outcome(lambda: made(ours, Counter, key, mode, given))
            peer = outcome(lambda: made(theirs, Crypto.Util.Counter, key, mode, given))
            if isinstance(peer, type) or isinstance(own, type):
                assert own is peer, (ours.__name__, mode, given)
                refused += 1
                continue
            assert own.block_size == peer.block_size == 8
            for name in ("iv", "IV", "nonce"):
                assert getattr(own, name, None) == getattr(peer, name, None), (mode, given)
            is_whole = mode in (1, 2)
            for _ in range(12):
                length = rng.choice((0, 1, 5, 8, 16, 100, 900))
                length = length // 8 * 8 if is_whole and rng.random() < 0.8 else length
                data = rng.randbytes(length)
                name = "encrypt" if rng.random() < 0.9 or compared % 3 else "decrypt"
                results = [outcome(lambda: getattr(one, name)(data)) for one in (own, peer)]
                assert results[0] == results[1], (ours.__name__, mode, given, name, length)
                compared += 1
                # Of a piece that is refused, pycryptodome may have taken the whole blocks.
                if results[0] is ValueError:
                    break
            if mode == 9:
                for name in ("digest", "hexdigest", "digest"):
                    results = [outcome(lambda: getattr(one, name)()) for one in (own, peer)]
                    assert results[0] == results[1]
    assert compared > 2000 and refused > 60


def test_what_is_encrypted_comes_back(rng):
    for ours, theirs in PAIRS:
        key, data = rng.randbytes(8 if ours is DES else 24), rng.randbytes(800)
        for mode, given in [
            (1, {}),
            (2, {"iv": bytes(8)}),
            (3, {"iv": bytes(8), "segment_size": 24}),
            (5, {"iv": bytes(8)}),
            (6, {"nonce": b"1234"}),
        ]:
            ciphertext = ours.new(key, mode, **given).encrypt(data)
            for module in (ours, theirs):
                assert module.new(key, mode, **given).decrypt(ciphertext) == data
            out = bytearray(800)
            assert ours.new(key, mode, **given).decrypt(ciphertext, output=out) is None
            assert out == data
            # In place.
            out[:] = data
            ours.new(key, mode, **given).encrypt(out, output=out)
            assert out == ciphertext


def test_the_order_of_methods(rng):
    key = rng.randbytes(8)
    for mode in (2, 3, 5):
        cipher = DES.new(key, mode, iv=bytes(8))
        cipher.encrypt(b"")
        with pytest.raises(TypeError, match="cannot be called after"):
            cipher.decrypt(b"")
    ecb = DES.new(key, DES.MODE_ECB)
    assert ecb.decrypt(ecb.encrypt(bytes(8))) == bytes(8)
    for calls in itertools.product(("update", "encrypt", "decrypt", "digest", "verify"), repeat=3):
        results = []
        for module in (DES, Crypto.Cipher.DES):
            cipher = module.new(key, 9, nonce=b"nonce")
            takes = {"digest": (), "verify": (bytes(8),)}
            results.append([outcome(lambda: getattr(cipher, call)(*takes.get(call, (b"data",)))) for call in calls])
        ours, theirs = results
        for call, own, peer in zip(calls, ours, theirs):
            assert (own == peer) or call == "update" and not isinstance(peer, type), (calls, ours, theirs)


def test_eax_says_what_is_wrong(rng):
    key = rng.randbytes(24)
    ciphertext, tag = DES3.new(key, DES3.MODE_EAX, b"nonce").encrypt_and_digest(b"some data")
    peer = Crypto.Cipher.DES3.new(key, DES3.MODE_EAX, b"nonce")
    assert peer.decrypt_and_verify(ciphertext, tag) == b"some data"
    with pytest.raises(ValueError, match="MAC check failed"):
        DES3.new(key, DES3.MODE_EAX, b"nonce").decrypt_and_verify(ciphertext, bytes(8))
    DES3.new(key, DES3.MODE_EAX, b"nonce").decrypt_and_verify(ciphertext, memoryview(tag))


def test_arc4(rng):
    for length in (0, 1, 5, 16, 256, 257):
        key, data = rng.randbytes(length), rng.randbytes(1000)
        results = [outcome(lambda: m.new(key, drop=100).encrypt(data)) for m in (ARC4, Crypto.Cipher.ARC4)]
        assert results[0] == results[1]
    assert (ARC4.block_size, list(ARC4.key_size)) == (1, list(Crypto.Cipher.ARC4.key_size))
    assert ARC4.new(b"12345").key_size == Crypto.Cipher.ARC4.new(b"12345").key_size == 5


def test_keys(rng):
    for key in [bytes(16), bytes(24), b"short", rng.randbytes(8) * 2, rng.randbytes(8) * 3, rng.randbytes(16)]:
        results = [outcome(lambda: m.adjust_key_parity(key)) for m in (DES3, Crypto.Cipher.DES3)]
        assert results[0] == results[1]
    for name in ("MODE_ECB", "MODE_CBC", "MODE_CFB", "MODE_OFB", "MODE_CTR", "MODE_OPENPGP", "MODE_EAX",
                 "block_size", "key_size"):
        for ours, theirs in PAIRS:
            assert getattr(ours, name) == getattr(theirs, name)
