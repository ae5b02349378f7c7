"""Modules in place of pycryptodome's: `from Crypto.Cipher import DES3` becomes
`from cipherloom.compat import DES3`.

Names, modes, arguments, errors and the order in which methods may be called are pycryptodome's.
"""

from . import ARC4, DES, DES3, Counter
from ._modes import MessageTooLongError

__all__ = ["ARC4", "DES", "DES3", "Counter", "MessageTooLongError"]
