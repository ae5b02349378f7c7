"""From the arguments of `new` to a cipher object."""

import os
from collections.abc import Mapping
from typing import Any

from .._cipherloom import BlockKey
from ._eax import EaxMode
from ._modes import BLOCK, CbcMode, CfbMode, Cipher, CtrMode, EcbMode, OfbMode, OpenPgpMode


def create(key: BlockKey, mode: int, *args: Any, **options: Any) -> Cipher:
    """A cipher object in a mode, from the arguments of `new`."""
    takes_iv, takes_nonce = mode in (2, 3, 5, 7), mode == 9
    if args and mode == 1:
        raise TypeError("IV is not meaningful for the ECB mode")
    if len(args) > int(takes_iv or takes_nonce):
        raise TypeError("Too many arguments for this mode")
    if args:
        options["IV" if takes_iv else "nonce"] = args[0]
    made: Cipher
    if mode == 1:
        made = EcbMode(key)
    elif mode == 2:
        made = CbcMode(key, _iv(options))
    elif mode == 3:
        segment, rest = divmod(options.pop("segment_size", 8), 8)
        iv = _iv(options)
        if rest != 0 or not 1 <= segment <= BLOCK:
            raise ValueError("'segment_size' must be positive and multiple of 8 bits")
        made = CfbMode(key, iv, segment)
    elif mode == 5:
        made = OfbMode(key, _iv(options))
    elif mode == 6:
        made = _ctr(key, options)
    elif mode == 7:
        made = OpenPgpMode(key, _iv(options, is_any=True))
    elif mode == 9:
        nonce = options.pop("nonce", None)
        made = EaxMode(key, os.urandom(16) if nonce is None else nonce, options.pop("mac_len", BLOCK))
    else:
        raise ValueError("Mode not supported")
    if options:
        raise TypeError(f"Unknown parameters: {', '.join(options)}")
    return made


def _iv(options: dict[str, Any], is_any: bool = False) -> bytes:
    given = [options.pop(name) for name in ("iv", "IV") if options.get(name) is not None]
    for name in ("iv", "IV"):
        options.pop(name, None)
    if len(given) > 1:
        raise TypeError("You must either use 'iv' or 'IV', not both")
    iv = given[0] if given else os.urandom(BLOCK)
    if not isinstance(iv, (bytes, bytearray, memoryview)):
        raise TypeError("IV must be bytes, bytearray or memoryview")
    if len(iv) != BLOCK and not is_any:
        raise ValueError(f"Incorrect IV length (it must be {BLOCK} bytes long)")
    return bytes(iv)


def _ctr(key: BlockKey, options: dict[str, Any]) -> CtrMode:
    threads = options.pop("threads", 1)
    if not isinstance(threads, int) or isinstance(threads, bool):
        raise TypeError("'threads' must be an integer")
    if threads < 0:
        raise ValueError("'threads' must be a non-negative integer")
    counter = options.pop("counter", None)
    nonce, start = options.pop("nonce", None), options.pop("initial_value", None)
    if counter is not None:
        if nonce is not None or start is not None:
            raise TypeError("'counter' and 'nonce'/'initial_value' are mutually exclusive")
        return _ctr_of_counter(key, counter)
    if nonce is None:
        raise TypeError("Impossible to create a safe nonce for short block sizes")
    if len(nonce) >= BLOCK:
        raise ValueError("Nonce is too long")
    length = BLOCK - len(nonce)
    if start is None:
        start = 0
    if not isinstance(start, int):
        if len(start) != length:
            raise ValueError(f"Incorrect length for counter byte string ({len(start)} bytes, expected {length})")
        start = int.from_bytes(start, "big")
    if start >= 1 << (8 * length):
        raise ValueError("Initial counter value is too large")
    return CtrMode(key, bytes(nonce), b"", length, start, False)


def _ctr_of_counter(key: BlockKey, counter: Mapping[str, Any]) -> CtrMode:
    try:
        length, prefix, suffix = counter["counter_len"], counter["prefix"], counter["suffix"]
        start, is_little = counter["initial_value"], counter["little_endian"]
    except (KeyError, TypeError):
        raise TypeError("Incorrect counter object (use Counter.new)") from None
    size = len(prefix) + length + len(suffix)
    if size != BLOCK:
        raise ValueError(f"Size of the counter block ({size} bytes) must match block size ({BLOCK})")
    return CtrMode(key, bytes(prefix), bytes(suffix), length, start, is_little)
