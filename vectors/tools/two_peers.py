#!/usr/bin/env python3
"""Makes ../two-peers/*.txt: vectors for which no standard prints any.

Every vector is computed twice, by programs that share no code, from constructions that are
written differently, and is written only if both agree:

  A  pycryptodome: its DES, with its own modes where it has them
  B  OpenSSL's command: its DES, its CBC and its DESX, and otherwise single blocks in ECB

Needs `pip install pycryptodome` and OpenSSL 3 with its legacy provider. The inputs are SHA-256 of
a label, so a second run writes the same bytes.
"""

import hashlib
import pathlib
import subprocess
import sys

import Crypto
from Crypto.Cipher import DES, DES3
from Crypto.Util import Counter

OUT = pathlib.Path(__file__).resolve().parent.parent / "two-peers"
ZERO = bytes(8)


def data(label, n):
    """n bytes that follow from the label."""
    out, i = b"", 0
    while len(out) < n:
        out += hashlib.sha256(f"{label} {i}".encode()).digest()
        i += 1
    return out[:n]


def xor(x, y):
    return bytes(a ^ b for a, b in zip(x, y, strict=True))


def openssl(cipher, key, text, iv=None):
    """B: `openssl enc` without padding."""
    if not text:
        return b""
    command = ["openssl", "enc", "-" + cipher, "-nopad", "-K", key.hex()]
    command += ["-iv", iv.hex()] if iv is not None else []
    command += ["-provider", "legacy", "-provider", "default"]
    return subprocess.run(command, input=text, capture_output=True, check=True).stdout


# What each cipher is to the two peers.

B_ECB = {8: "des-ecb", 16: "des-ede", 24: "des-ede3"}
B_CBC = {8: "des-cbc", 16: "des-ede-cbc", 24: "des-ede3-cbc"}


def a_cipher(key, *mode, **options):
    return (DES if len(key) == 8 else DES3).new(key, *mode, **options)


def a_block(key, block):
    return a_cipher(key, DES.MODE_ECB).encrypt(block)


def b_block(key, block):
    return openssl(B_ECB[len(key)], key, block)


# Ciphertext stealing. A: CBC of the zero-filled text, then cut and reordered.
# B: CBC of the first n - 1 blocks; then C_n alone from P*_n and C_(n-1), as a stream that goes on.


def a_steal(variant, key, iv, text):
    d = (len(text) - 1) % 8 + 1
    c = a_cipher(key, DES.MODE_CBC, iv=iv).encrypt(text + bytes(8 - d))
    if len(text) == 8:
        return c
    head, c_n1, c_n = c[:-16], c[-16:-8][:d], c[-8:]
    swap = variant == 3 or (variant == 2 and d < 8)
    return head + (c_n + c_n1 if swap else c_n1 + c_n)


def b_steal(variant, key, iv, text):
    whole = (len(text) - 1) // 8 * 8
    first, rest = text[:whole], text[whole:]
    chain = openssl(B_CBC[len(key)], key, first, iv)
    feedback = chain[-8:] or iv
    # P*_n ⊕ the head of the feedback, then the tail of the feedback itself: zeros change nothing.
    last = b_block(key, xor(rest, feedback[: len(rest)]) + feedback[len(rest) :])
    if not chain:
        return last
    stolen = chain[:-8], chain[-8 : len(chain) - 8 + len(rest)]
    in_order = {1: True, 2: len(rest) == 8, 3: False}[variant]
    return stolen[0] + (stolen[1] + last if in_order else last + stolen[1])


# Counter mode. A: pycryptodome's CTR. B: the counters as one text in ECB.


def a_ctr(key, first, text):
    counter = Counter.new(64, initial_value=int.from_bytes(first, "big"), allow_wraparound=True)
    return a_cipher(key, DES.MODE_CTR, counter=counter).encrypt(text)


def b_ctr(key, first, text):
    t = int.from_bytes(first, "big")
    counters = [(t + j) % 2**64 for j in range(-(-len(text) // 8))]
    stream = openssl(B_ECB[len(key)], key, b"".join(c.to_bytes(8, "big") for c in counters))
    return xor(text, stream[: len(text)])


# DESX in CBC; the key is K, input whitening, output whitening. A: by its definition. B: OpenSSL's.


def a_desx(key, iv, text):
    k, k1, k2 = key[:8], key[8:16], key[16:]
    out = b""
    for i in range(0, len(text), 8):
        iv = xor(k2, a_block(k, xor(k1, xor(text[i : i + 8], iv))))
        out += iv
    return out


def b_desx(key, iv, text):
    return openssl("desx-cbc", key, text, iv)


# EEE in ECB. A: three passes of single DES over the text. B: the same passes, each as triple DES
# with three equal keys, which is single DES by other code.


def a_eee(key, text):
    for k in [key[:8], key[8:16], key[16:] or key[:8]]:
        text = DES.new(k, DES.MODE_ECB).encrypt(text)
    return text


def b_eee(key, text):
    key3 = key[16:24] if len(key) == 24 else key[0:8]
    once = openssl("des-ede3", key[0:8] * 3, text)
    twice = openssl("des-ede3", key[8:16] * 3, once)
    return openssl("des-ede3", key3 * 3, twice)


# MACs of ISO/IEC 9797-1. A: the chain block by block, padding by arithmetic on lengths.
# B: the last block of OpenSSL's CBC, padding by string operations; algorithm 3 as two-key EDE on
# the last block.


def a_mac(algorithm, padding, key, text):
    if padding == 2:
        padded = text + b"\x80" + bytes(7 - len(text) % 8)
    else:
        padded = text + bytes(-len(text) % 8 if text else 8)
        if padding == 3:
            padded = (8 * len(text)).to_bytes(8, "big") + padded
    k, k_prime = (key[:8], key[8:]) if algorithm == 3 else (key, None)
    h = ZERO
    for i in range(0, len(padded), 8):
        h = a_block(k, xor(h, padded[i : i + 8]))
    if algorithm == 3:
        h = a_block(k, DES.new(k_prime, DES.MODE_ECB).decrypt(h))
    return h


def b_mac(algorithm, padding, key, text):
    blocks = [text[i : i + 8] for i in range(0, len(text), 8)]
    if padding == 2 and (not blocks or len(blocks[-1]) == 8):
        blocks.append(b"\x80")
    elif padding == 2:
        blocks[-1] += b"\x80"
    blocks = [block.ljust(8, b"\0") for block in blocks or [b""]]
    if padding == 3:
        blocks.insert(0, bytes.fromhex(f"{8 * len(text):016x}"))
    if algorithm == 1:
        return openssl(B_CBC[len(key)], key, b"".join(blocks), ZERO)[-8:]
    before = openssl("des-cbc", key[:8], b"".join(blocks[:-1]), ZERO)[-8:] or ZERO
    return openssl("des-ede", key, xor(before, blocks[-1]))


# The files.

KEYS = {"DES": 8, "TDEA-2": 16, "TDEA-3": 24}


def cbc_cs():
    for variant in (1, 2, 3):
        yield f"[CBC-CS{variant}]"
        for cipher, key_len in KEYS.items():
            for n in (8, 9, 12, 15, 16, 17, 23, 24, 25, 31, 32, 33, 64, 100):
                key, iv = data(f"cs {cipher} key {n}", key_len), data(f"cs iv {n}", 8)
                text = data(f"cs text {n}", n)
                ours = a_steal(variant, key, iv, text), b_steal(variant, key, iv, text)
                yield record(cipher, key, ours, IV=iv, PLAINTEXT=text)


def ctr():
    yield "[CTR]"
    starts = [0, 2**64 - 1, 2**64 - 2, 2**64 - 5, 2**32 - 1, 2**63 - 1]
    for cipher, key_len in KEYS.items():
        for start in starts:
            for n in (1, 8, 13, 40, 67):
                key, first = data(f"ctr {cipher} key {n}", key_len), start.to_bytes(8, "big")
                text = data(f"ctr text {n}", n)
                ours = a_ctr(key, first, text), b_ctr(key, first, text)
                yield record(cipher, key, ours, IV=first, PLAINTEXT=text)


def desx():
    yield "[CBC]"
    for n in range(8, 128, 8):
        key, iv = data(f"desx key {n}", 24), data(f"desx iv {n}", 8)
        text = data(f"desx text {n}", n)
        ours = a_desx(key, iv, text), b_desx(key, iv, text)
        yield record("DESX", key, ours, IV=iv, PLAINTEXT=text)


def eee():
    yield "[ECB]"
    for cipher, key_len in {"DES-EEE2": 16, "DES-EEE3": 24}.items():
        for n in range(8, 128, 8):
            key, text = data(f"{cipher} key {n}", key_len), data(f"eee text {n}", n)
            yield record(cipher, key, (a_eee(key, text), b_eee(key, text)), PLAINTEXT=text)


def mac():
    yield "[MAC]"
    ciphers = {1: KEYS, 3: {"DES": 16}}
    for algorithm, keys in ciphers.items():
        for cipher, key_len in keys.items():
            for padding in (1, 2, 3):
                for n in (0, 1, 7, 8, 9, 15, 16, 17, 24, 61):
                    key, text = data(f"mac {cipher} key {n}", key_len), data(f"mac text {n}", n)
                    how = algorithm, padding, key, text
                    ours = a_mac(*how), b_mac(*how)
                    given = {"ALGORITHM": algorithm, "PADDING": padding, "DATA": text}
                    yield record(cipher, key, ours, "MAC", **given)


def record(cipher, key, ours, result="CIPHERTEXT", **fields):
    if ours[0] != ours[1]:
        sys.exit(f"the peers differ: {cipher} {key.hex()} {fields}")
    lines = [f"CIPHER = {cipher}", f"KEY = {key.hex()}"]
    for name, value in [*fields.items(), (result, ours[0])]:
        lines.append(f"{name} = {value.hex() if isinstance(value, bytes) else value}".rstrip())
    return "\n".join(lines)


FILES = {
    "cbc-cs": (cbc_cs, "CBC with ciphertext stealing, CS1, CS2, CS3 (SP 800-38A addendum)"),
    "ctr": (ctr, "CTR, a 64-bit big-endian counter that wraps (SP 800-38A); IV is the first one"),
    "desx": (desx, "DESX in CBC; KEY is the key of DES, the input whitening, the output whitening"),
    "eee": (eee, "DES-EEE2 (KEY3 = KEY1) and DES-EEE3 in ECB"),
    "mac": (mac, "ISO/IEC 9797-1 MAC algorithms 1 and 3 with padding methods 1, 2, 3; all 8 bytes"),
}

if __name__ == "__main__":
    answer = subprocess.run(["openssl", "version"], capture_output=True, check=True, text=True)
    version = " ".join(answer.stdout.split()[:2])
    OUT.mkdir(exist_ok=True)
    for name, (make, title) in FILES.items():
        body = "\n\n".join(make())
        head = [
            f"# {title}.",
            "# Made by tools/two_peers.py: computed by pycryptodome and by OpenSSL's command, from",
            "# constructions written separately, and equal. Keys and texts are SHA-256 of labels.",
            f"# Last made with pycryptodome {Crypto.__version__} and {version}. Rights: facts.",
        ]
        (OUT / f"{name}.txt").write_text("\n".join(head) + "\n\n" + body + "\n")
        print(f"{name}.txt: {body.count('CIPHER =')} vectors")
