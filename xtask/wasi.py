"""Runs a program for WASI in wasmtime, with its arguments, the environment and all files.

python3 wasi.py PROGRAM [ARG...]
"""

import os
import sys

from wasmtime import Engine, ExitTrap, Linker, Module, Store, WasiConfig

engine = Engine()
wasi = WasiConfig()
wasi.argv = sys.argv[1:]
wasi.env = os.environ.items()
wasi.preopen_dir("/", "/")
wasi.inherit_stdin()
wasi.inherit_stdout()
wasi.inherit_stderr()
store = Store(engine)
store.set_wasi(wasi)
linker = Linker(engine)
linker.define_wasi()
program = linker.instantiate(store, Module.from_file(engine, sys.argv[1]))
try:
    program.exports(store)["_start"](store)
except ExitTrap as end:
    sys.exit(end.code)
