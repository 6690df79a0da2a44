"""Modules of WebAssembly, compiled once and kept on disk."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

import wasmtime
from wasmtime import Engine, Module, WasmtimeError

ENGINE = Engine()
#: Bytes of the digest before a compiled module.
_DIGEST = 32


def read(name: str) -> bytes:
    """A file of this package."""
    return (Path(__file__).parent / name).read_bytes()


def cache_folder() -> Path:
    """The folder of compiled modules: CANDELA_CACHE, or a folder of the user's caches."""
    named = os.environ.get("CANDELA_CACHE")
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"), "candela", "cache")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "candela"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "candela")


@cache
def load(name: str) -> Module:
    """The compiled module of a file of this package.

    A compiled file begins with its digest, because wasmtime does not check its content. A missing or broken file is written
    again; a folder that cannot be written is ignored.
    """
    source = read(name)
    # The folder that names the release of wasmtime. importlib.metadata, which reads it, takes long to import.
    release = sorted(each.name for each in Path(wasmtime.__file__).parents[1].glob("wasmtime-*"))
    key = hashlib.sha256(f"{release} {platform.machine()}".encode() + source).hexdigest()[:32]
    try:
        path = cache_folder() / f"{key}.compiled"
    except RuntimeError:
        # There is no home folder.
        return Module(ENGINE, source)
    with suppress(OSError, WasmtimeError):
        content = path.read_bytes()
        if hashlib.sha256(content[_DIGEST:]).digest() == content[:_DIGEST]:
            return Module.deserialize(ENGINE, content[_DIGEST:])
    module = Module(ENGINE, source)
    compiled = bytes(module.serialize())
    with suppress(OSError):
        _replace(path, hashlib.sha256(compiled).digest() + compiled)
    return module


def _replace(path: Path, content: bytes) -> None:
    """Writes a file in one step, so that other processes read all of it or its former content."""
    import tempfile

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(name, path)
    except OSError:
        os.unlink(name)
        raise
