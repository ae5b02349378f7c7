"""What a wheel for any Linux gives: known answers, without any peer. The argument is the processor it is for."""

import platform
import random
import sys

import cipherloom as cl
from cipherloom.compat import DES3

assert platform.machine() == sys.argv[1], platform.machine()
assert cl.decrypt("FF8F7777B28C7A459A", preset="mysql", password="sabakala") == b"dog"
# SP 800-67, appendix B.1.
key = bytes.fromhex("0123456789abcdef23456789abcdef01456789abcdef0123")
made = DES3.new(key, DES3.MODE_ECB).encrypt(b"The qufck brown fox jump")
assert made.hex() == "a826fd8ce53b855fcce21c8112256fe668d5c05dd9b6b900"
rng = random.Random(1)
plain = [rng.randbytes(rng.randrange(50)) for _ in range(2000)]
keys, ivs = [rng.randbytes(24) for _ in plain], [rng.randbytes(8) for _ in plain]
options = {"cipher": "des-ede3-cbc", "key": keys, "iv": ivs}
sealed = cl.encrypt_records(plain, **options).results
assert cl.decrypt_records(sealed, **options).results == plain
for own, iv, data, made in list(zip(keys, ivs, plain, sealed))[:50]:
    assert cl.Mode.cbc(iv).encrypt(cl.TdesEde3(own), data) == made
try:
    cl.Mode.cbc(bytes(8)).decrypt(cl.TdesEde3(key), bytes(16))
except cl.PaddingError:
    print(f"cipherloom {cl.__version__} on {platform.machine()}, Python {platform.python_version()}: right")
else:
    sys.exit("a wrong padding was taken")
