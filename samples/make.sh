#!/usr/bin/env bash
# The commands that made the encrypted samples, run with OpenSSL 3.0.19 on Debian 12.
# Every run draws new salts: the files change, the plaintext does not.
set -euo pipefail
cd "$(dirname "$0")"

password='thread by thread'

# The way of every OpenSSL until 1.0.2 (1998 to 2016): MD5, one round. Those versions had MD5 as
# the default; later ones have to be told.
openssl enc -des3 -md md5 -pass "pass:$password" -in letter.txt -out letter.txt.des3

# The way since OpenSSL 1.1.1 (2018) if one asks for PBKDF2: HMAC-SHA-256, 10000 rounds.
openssl enc -des3 -pbkdf2 -pass "pass:$password" -in letter.txt -out letter.txt.pbkdf2.des3
