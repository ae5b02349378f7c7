"""Runs a program of this folder under an emulator of its processor, and compares traces.

    python3 trace.py SYSTEM IMAGE RECORDER

A trace is the address of each basic block that runs, and address and size of each load and store. Every
piece of work runs with several secrets, from the same state of memory and registers. Exit code 1 if a
piece gives other traces than it must (`WORK` in src/work.rs says what it must).
"""

import array
import ctypes
import random
import struct
import sys

from unicorn import Uc, UcError, UC_HOOK_BLOCK, UC_HOOK_MEM_READ, UC_HOOK_MEM_WRITE
from unicorn import UC_ARCH_ARM64, UC_ARCH_X86, UC_MODE_64, UC_MODE_ARM
from unicorn import arm64_const as arm, x86_const as x86
from unicorn.unicorn_py3.unicorn import uclib

PAGE = 0x1000
# A call's arguments: secrets, results; and its stack, and where it returns to.
SECRETS, RESULTS, ROOM = 0x7000_0000, 0x7001_0000, 4096
STACK, STACK_SIZE = 0x7100_0000, 0x10_0000
RETURN = 0x7200_0000
RUNS = 6
# Blocks, loads and stores for which a decision may make traces part.
DECISION = 8
# An entry of a trace: the lowest two bits say what it is (a block, a load, a store), 14 the size, the others
# the address.
BLOCK = 0


def pages(address, size):
    """The pages that a piece of memory lies in: their address and size."""
    first = address // PAGE * PAGE
    return first, -(-(address + size - first) // PAGE) * PAGE


def elf(image):
    """Entry, and pieces of memory (address, size, content) of a linked 64-bit ELF program."""
    entry, table = struct.unpack_from("<QQ", image, 24)
    size, count = struct.unpack_from("<HH", image, 54)
    pieces = []
    for n in range(count):
        kind, _, offset, address, _, stored, total, _ = struct.unpack_from("<IIQQQQQQ", image, table + n * size)
        if kind == 1 and total:
            pieces.append((address, total, image[offset:offset + stored]))
    return entry, pieces


def pe(image):
    """The same of a 64-bit PE program without relocations."""
    header = struct.unpack_from("<I", image, 60)[0]
    count, _, _, _, optional = struct.unpack_from("<HIIIH", image, header + 6)
    entry = struct.unpack_from("<I", image, header + 40)[0]
    base = struct.unpack_from("<Q", image, header + 48)[0]
    pieces = []
    for n in range(count):
        at = header + 24 + optional + 40 * n
        total, address, stored, offset = struct.unpack_from("<IIII", image, at + 8)
        pieces.append((base + address, total, image[offset:offset + min(stored, total)]))
    return base + entry, pieces


def macho(image):
    """The same of a 64-bit Mach-O program without relocations."""
    count = struct.unpack_from("<I", image, 16)[0]
    at, pieces, entry, text = 32, [], None, None
    for _ in range(count):
        command, size = struct.unpack_from("<II", image, at)
        if command == 0x19:
            address, total, offset, stored = struct.unpack_from("<QQQQ", image, at + 24)
            name = image[at + 8:at + 24].rstrip(b"\0")
            text = address if name == b"__TEXT" else text
            if total and name != b"__PAGEZERO":
                pieces.append((address, total, image[offset:offset + stored]))
        elif command == 0x8000_0028:
            entry = struct.unpack_from("<Q", image, at + 8)[0]
        at += size
    return text + entry, pieces


class Arm:
    """Calls on AArch64."""

    def __init__(self):
        self.emulator = Uc(UC_ARCH_ARM64, UC_MODE_ARM)
        # Code for macOS has instructions of later processors.
        self.emulator.ctl_set_cpu_model(arm.UC_CPU_ARM64_MAX)
        # Vector instructions are allowed.
        self.emulator.reg_write(arm.UC_ARM64_REG_CPACR_EL1, 3 << 20)

    def call(self, entry, arguments):
        for register, value in zip([arm.UC_ARM64_REG_X0, arm.UC_ARM64_REG_X1, arm.UC_ARM64_REG_X2], arguments):
            self.emulator.reg_write(register, value)
        self.emulator.reg_write(arm.UC_ARM64_REG_SP, STACK + STACK_SIZE - 0x100)
        self.emulator.reg_write(arm.UC_ARM64_REG_LR, RETURN)
        self.emulator.emu_start(entry, RETURN)
        return self.emulator.reg_read(arm.UC_ARM64_REG_X0)

    def where(self):
        return self.emulator.reg_read(arm.UC_ARM64_REG_PC)


class X64:
    """Calls on x86-64, with arguments as System V has them."""

    ARGUMENTS = [x86.UC_X86_REG_RDI, x86.UC_X86_REG_RSI, x86.UC_X86_REG_RDX]

    def __init__(self):
        self.emulator = Uc(UC_ARCH_X86, UC_MODE_64)

    def call(self, entry, arguments):
        for register, value in zip(self.ARGUMENTS, arguments):
            self.emulator.reg_write(register, value)
        stack = STACK + STACK_SIZE - 0x108
        self.emulator.mem_write(stack, struct.pack("<Q", RETURN))
        self.emulator.reg_write(x86.UC_X86_REG_RSP, stack)
        self.emulator.emu_start(entry, RETURN)
        return self.emulator.reg_read(x86.UC_X86_REG_RAX)

    def where(self):
        return self.emulator.reg_read(x86.UC_X86_REG_RIP)


class Windows(X64):
    """The same, with arguments as Windows has them."""

    ARGUMENTS = [x86.UC_X86_REG_RCX, x86.UC_X86_REG_RDX, x86.UC_X86_REG_R8]


SYSTEMS = {
    "linux-aarch64": (elf, Arm),
    "windows-x86_64": (pe, Windows),
    "macos-x86_64": (macho, X64),
    "macos-aarch64": (macho, Arm),
}


class Program:
    """A program in an emulator."""

    def __init__(self, system, image, recorder):
        self.recorder = ctypes.CDLL(recorder)
        self.recorder.stop.restype = ctypes.c_size_t
        self.recorder.entries.restype = ctypes.c_void_p
        parse, processor = SYSTEMS[system]
        self.entry, pieces = parse(image)
        self.processor = processor()
        self.emulator = self.processor.emulator
        room = [(SECRETS, ROOM, b""), (RESULTS, ROOM, b""), (STACK, STACK_SIZE, b""), (RETURN, PAGE, b"")]
        # Segments may share a page.
        mapped = sorted({
            page
            for address, size, _ in pieces + room
            for page in range(pages(address, size)[0], sum(pages(address, size)), PAGE)
        })
        for page in mapped:
            self.emulator.mem_map(page, PAGE)
        for address, _, content in pieces:
            self.emulator.mem_write(address, content)
        self.mapped = mapped
        # From the start: code that is already translated is not hooked.
        self.hook(UC_HOOK_BLOCK, "block")
        self.hook(UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, "access")

    def call(self, number, secrets=None):
        """What the entry gives for one piece of work, and the results."""
        try:
            if secrets is not None:
                self.emulator.mem_write(SECRETS, secrets)
            status = self.processor.call(self.entry, [number, SECRETS if secrets is not None else 0, RESULTS])
        except UcError as error:
            raise SystemExit(f"the program fails at {self.processor.where():#x}: {error}") from error
        return status, bytes(self.emulator.mem_read(RESULTS, ROOM))

    def save(self):
        """The state of memory and registers."""
        return self.emulator.context_save(), [bytes(self.emulator.mem_read(page, PAGE)) for page in self.mapped]

    def restore(self, state):
        context, contents = state
        for page, content in zip(self.mapped, contents):
            if self.emulator.mem_read(page, PAGE) != content:
                self.emulator.mem_write(page, content)
        self.emulator.context_restore(context)

    def trace(self, number, secrets):
        """A call's trace, its status and its results."""
        self.recorder.start()
        status, results = self.call(number, secrets)
        count = self.recorder.stop()
        return array.array("Q", ctypes.string_at(self.recorder.entries(), 8 * count)), status, results

    def hook(self, kind, name):
        """Has the emulator call a function of the recorder."""
        function, hook = ctypes.cast(getattr(self.recorder, name), ctypes.c_void_p), ctypes.c_size_t()
        everywhere = ctypes.c_uint64(1), ctypes.c_uint64(0)
        status = uclib.uc_hook_add(self.emulator._uch, ctypes.byref(hook), kind, function, None, *everywhere)
        if status:
            raise UcError(status)


def same_from(a, b):
    """Entries up to the first difference."""
    return next((n for n, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))


def apart(a, b):
    """Entries between what two traces begin and end with."""
    start = same_from(a, b)
    end = same_from(a[start:][::-1], b[start:][::-1])
    return max(len(a), len(b)) - start - end


def place(a, b):
    """Says where two traces part."""
    at = same_from(a, b)
    block = next((a[n] >> 16 for n in range(min(at, len(a)) - 1, -1, -1) if a[n] & 3 == BLOCK), 0)
    what = ["block", "load", "store"][a[at] & 3] if at < len(a) else "end"
    return f"in the block at {block:#x}, entry {at} of {len(a)}, a {what}"


def secrets_of(number):
    """Each bit 0, each bit 1, and some at random that are the same each time."""
    source = random.Random(number)
    return [bytes(ROOM), b"\xff" * ROOM] + [source.randbytes(ROOM) for _ in range(RUNS - 2)]


def judge(must, runs):
    """What is wrong with a piece's runs, if something is; and what else there is to say."""
    first = runs[0][0]
    if any(status != 1 for _, status, _ in runs):
        return "the library refuses the work", ""
    if must == "leak":
        count = len({trace.tobytes() for trace, _, _ in runs})
        return ("" if count > 1 else "a leak is not found"), f"{count} traces, as it must be"
    if must == "same":
        other = next((trace for trace, _, _ in runs if trace != first), None)
        return (f"traces part {place(first, other)}" if other else ""), "one trace"
    decisions = {}
    for trace, _, results in runs:
        decisions.setdefault(results[0], []).append(trace)
    if sorted(decisions) != [0, 1] or min(map(len, decisions.values())) < 2:
        return "not both decisions were taken, each more than once", ""
    for first, *others in decisions.values():
        other = next((trace for trace in others if trace != first), None)
        if other:
            return f"more than the decision is told: traces part {place(first, other)}", ""
    a, b = (traces[0] for traces in decisions.values())
    if apart(a, b) > DECISION:
        return f"a decision makes traces part for {apart(a, b)} entries, first {place(a, b)}", ""
    return "", f"two traces, which part for {apart(a, b)} entries"


def main(system, path, recorder):
    with open(path, "rb") as file:
        program = Program(system, file.read(), recorder)
    wrong = number = 0
    while True:
        status, what = program.call(number)
        if status == 2:
            break
        must, name = what.rstrip(b"\0").decode().split(": ")
        # Self-tests are done after this.
        start = program.save()
        if program.call(number, bytes(range(256)) * (ROOM // 256))[0] != 1:
            raise SystemExit(f"{name}: the library refuses the work")
        state = program.save()
        runs = []
        for secrets in secrets_of(number):
            program.restore(state)
            runs.append(program.trace(number, secrets))
        program.restore(start)
        problem, note = judge(must, runs)
        trace = runs[0][0]
        blocks = sum(1 for entry in trace if entry & 3 == BLOCK)
        size = f"{RUNS} secrets, {blocks} blocks, {len(trace) - blocks} loads and stores"
        print(f"{system:<15} {name:<38} {size}: {'WRONG: ' + problem if problem else note}", flush=True)
        wrong += bool(problem)
        number += 1
    if number == 0:
        raise SystemExit("no work was found")
    raise SystemExit(f"{wrong} of {number} pieces give other traces than they must" if wrong else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
