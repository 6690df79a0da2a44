"""Questions to the code of the service, which checks parameters and compiles expressions in QuickJS."""

from __future__ import annotations

import json
import threading
from typing import Any

from wasmtime import Func, FuncType, Linker, Memory, Store

from . import _wasm


class CandelaError(ValueError):
    """A refusal in the words of the service."""


class _Script:
    """The script in an instance of QuickJS."""

    def __init__(self) -> None:
        module = _wasm.load("quickjs.wasm")
        linker = Linker(_wasm.ENGINE)
        for each in module.imports:
            # The script uses neither files nor clocks nor functions of the host.
            kind = each.type
            assert isinstance(kind, FuncType)
            result = 0 if kind.results else None
            linker.define_func(each.module, str(each.name), kind, lambda *_, result=result: result)
        self._store = Store(_wasm.ENGINE)
        self._linker = linker
        linker.define_instance(self._store, "script", linker.instantiate(self._store, module))
        memory = linker.get(self._store, "script", "memory")
        assert isinstance(memory, Memory)
        self._memory = memory
        self._call("_initialize")
        if self._call("qjs_init") != 0:
            raise RuntimeError("QuickJS does not start")
        self._evaluate(_wasm.read("plans.js"))

    def ask(self, function: str, *texts: str) -> Any:
        # A text in JSON is one in JavaScript.
        return json.loads(self._evaluate(f"candela.{function}({', '.join(map(json.dumps, texts))})".encode()))

    def _call(self, name: str, *values: int) -> Any:
        function = self._linker.get(self._store, "script", name)
        assert isinstance(function, Func)
        return function(self._store, *values)

    def _place(self, content: bytes) -> int:
        at = int(self._call("wasm_malloc", len(content) + 1))
        self._memory.write(self._store, content + b"\0", at)
        return at

    def _evaluate(self, code: bytes) -> str:
        at, name = self._place(code), self._place(b"candela")
        value = self._call("qjs_eval", at, len(code), name, 0)
        failed = self._call("qjs_is_exception", value)
        if failed:
            value = self._call("qjs_get_exception")
        text = self._call("qjs_get_string", value)
        content = bytes(self._memory.read(self._store, text, text + self._call("strlen", text)))
        self._call("qjs_free_cstring", text)
        for each in (at, name):
            self._call("wasm_free", each)
        self._call("qjs_free_value", value)
        if failed:
            raise RuntimeError(f"candela_ta has a bug: {content.decode()}")
        return content.decode()


_lock = threading.Lock()
_script: _Script | None = None


def ask(function: str, *texts: str) -> Any:
    """The answer of a function of the script (docs/kernels.md). Raises CandelaError if it is a refusal."""
    global _script
    with _lock:
        if _script is None:
            _script = _Script()
        answer = _script.ask(function, *texts)
    if isinstance(answer, dict) and "error" in answer:
        raise CandelaError(answer["error"])
    return answer
