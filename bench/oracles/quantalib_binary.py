"""Fits the binary of the package `quantalib` to a C library that is older than 2.38.

The binary requires `fmod` of version 2.38, which computes the same as the older one and differs in its error reports. If the
C library lacks this version, the binary is changed in place, so that `fmod` has no version.
"""

import importlib.util
import platform
import struct
from pathlib import Path

wanted = "GLIBC_2.38"


def fit():
    """Changes the binary if it would not load."""
    kind, version = platform.libc_ver()
    if kind != "glibc" or tuple(map(int, version.split("."))) >= (2, 38) or platform.machine() != "x86_64":
        return
    folder = Path(importlib.util.find_spec("quantalib").origin).parent
    path = folder / "native/linux_x86_64/quantalib_native.so"
    binary = bytearray(path.read_bytes())
    if without_version(binary):
        path.write_bytes(binary)


def without_version(binary):
    """Removes the required version from the symbols of an ELF file; returns whether anything changed."""
    table, = struct.unpack_from("<Q", binary, 0x28)
    size, count, names_at = struct.unpack_from("<HHH", binary, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", binary, table + k * size) for k in range(count)]
    text = lambda at: bytes(binary[at : binary.index(0, at)]).decode()  # noqa: E731
    sections = {text(headers[names_at][4] + header[0]): header for header in headers}
    strings, versions, at = sections[".dynstr"][4], sections[".gnu.version"][4], sections[".gnu.version_r"][4]
    number = None
    while True:
        _, needed, _, first, following = struct.unpack_from("<HHIII", binary, at)
        entry = at + first
        for _ in range(needed):
            _, flags, index, name, after = struct.unpack_from("<IHHII", binary, entry)
            if text(strings + name) == wanted and not flags & 2:
                # A weak requirement is ignored.
                struct.pack_into("<H", binary, entry + 4, flags | 2)
                number = index
            entry += after
        if following == 0:
            break
        at += following
    for k in range(sections[".dynsym"][5] // 24 if number else 0):
        if struct.unpack_from("<H", binary, versions + 2 * k)[0] == number:
            struct.pack_into("<H", binary, versions + 2 * k, 1)
    return number is not None
