"""A plugin of pytest's: from here on, pycryptodome's DES, DES3, ARC4 and Counter are ours."""

import sys

import Crypto
import Crypto.Cipher
import Crypto.Util
from cipherloom import compat

for package, names in ((Crypto.Cipher, ("ARC4", "DES", "DES3")), (Crypto.Util, ("Counter",))):
    for name in names:
        module = getattr(compat, name)
        sys.modules[f"{package.__name__}.{name}"] = module
        setattr(package, name, module)
Crypto.MessageTooLongError = compat.MessageTooLongError
