"""The kernels: one instance per thread, with columns of numbers in its memory (docs/kernels.md)."""

from __future__ import annotations

import ctypes
import struct
import threading
from typing import Any, NoReturn

import numpy as np
import wasmtime._bindings
from numpy.typing import NDArray
from wasmtime import Global, Instance, Linker, Memory, Store, WasmtimeError

from . import _wasm

#: The functions of the C interface of wasmtime, without its types.
_ffi: Any = wasmtime._bindings

Numbers = NDArray[np.float64]
FLOAT = np.dtype(np.float64)

#: Numbers of a frame, and places of its parts in words of 4 bytes; of the parameters in numbers.
FRAME_NUMBERS = 41
INPUTS, OUTPUTS, SCRATCH, STATE = 0, 8, 24, 32
PARAMETERS = 17
_PAGE = 65_536
_MOST_BYTES = 1 << 32

#: Codes of operations, in the order of assembly/expression/pointwise.ts.
_OPERATIONS = (
    *("add", "subtract", "multiply", "divide", "min", "max", "less", "lessOrEqual", "equal", "notEqual", "and", "or", "not"),
    *("negate", "isUndefined", "orElse", "if", "power", "remainder"),
)
CODES = {name: code for code, name in enumerate(_OPERATIONS)}

# A call with the values in place. It skips the conversions of wasmtime.Func, and releases the lock of the interpreter.
CALL = ctypes.CFUNCTYPE(ctypes.c_void_p)(("wasmtime_func_call_unchecked", _ffi.dll))
#: Values of a call, each in 16 bytes.
_ONE, _THREE, _FOUR, _SIX = (struct.Struct("I12x" * count) for count in (1, 3, 4, 6))
#: Distance of two frames.
_FRAME = 48
#: Maximum number of frames of remembered calculations.
_MOST_FRAMES = 1000


def column_length(numbers: int) -> int:
    """Distance between two columns. Addresses five cache lines apart do not share their place in the cache."""
    return ((numbers + 511) & ~511) + 40


def scratch_length(to: int, lookback: int) -> int:
    """Numbers of a scratch column of a kernel for the candles before `to`."""
    return to + 2 * (lookback + 1) + 16


class Kernels:
    """One instance of the kernels. Addresses are indices of numbers in its memory."""

    def __init__(self) -> None:
        self._store = Store(_wasm.ENGINE)
        # A linker finds exports one by one, and in microseconds; Instance.exports() wraps all of them.
        self._linker = Linker(_wasm.ENGINE)
        self._linker.define_instance(self._store, "kernels", Instance(self._store, _wasm.load("kernels.wasm"), []))
        memory, start = self._export("memory"), self._export("start")
        assert isinstance(memory, Memory) and isinstance(start, Global)
        self._memory = memory
        self._functions: dict[str, tuple[Any, ...]] = {}
        #: The functions of call.wat by their kernels.
        self._checked: dict[str, Any] = {}
        self._values = ctypes.create_string_buffer(6 * 16)
        #: The trap of the last call, if any.
        self.trap = ctypes.c_void_p()
        self._context = ctypes.cast(self._store._context(), ctypes.c_void_p)
        #: Places of the frame and of the first number behind those of calculations: multiples of a cache line.
        self.frame = (int(start.value(self._store)) + 63) // 64 * 8
        self.free = self.frame + (1 + _MOST_FRAMES) * _FRAME
        #: Calculations of whole columns, each with a frame.
        self.calls: dict[Any, Any] = {}
        self._frames = 0
        self.numbers: Numbers
        self.words: NDArray[np.uint32]
        self._view()

    def _view(self) -> None:
        size = self._memory.data_len(self._store)
        content: Any = (ctypes.c_uint8 * size).from_address(ctypes.addressof(self._memory.data_ptr(self._store).contents))
        self.numbers = np.frombuffer(content, dtype=np.float64)
        self.words = np.frombuffer(content, dtype=np.uint32)
        self._forget()

    def _forget(self) -> None:
        self.calls.clear()
        self._frames = 0

    def reserve(self, numbers: int) -> Numbers:
        """The memory, with at least as many numbers."""
        if len(self.numbers) < numbers:
            missing = numbers * 8 - len(self.numbers) * 8
            try:
                self._memory.grow(self._store, -(-missing // _PAGE))
            except WasmtimeError as cause:
                raise MemoryError(f"A calculation needs {numbers * 8:,} bytes, at most {_MOST_BYTES:,}") from cause
            self._view()
        return self.numbers

    def _arguments(self, function: Any, values: Any) -> tuple[Any, ...]:
        """The arguments of a call of a function by the C interface, with its values in a buffer."""
        length = ctypes.c_size_t(len(values) // 16)
        return (self._context, ctypes.byref(function._func), ctypes.byref(values), length, ctypes.byref(self.trap))

    def _export(self, name: str) -> Any:
        return self._linker.get(self._store, "kernels", name)

    def _exported(self, name: str) -> tuple[Any, ...]:
        found = self._functions[name] = self._arguments(self._export(name), self._values)
        return found

    def new_frame(self) -> int:
        """The place of another frame, which stays until the calculations are forgotten."""
        if self._frames == _MOST_FRAMES:
            self._forget()
        self._frames += 1
        return self.frame + self._frames * _FRAME

    def whole_call(self, kernel: str, frame: int, inputs: int, count: int) -> tuple[tuple[Any, ...], Any]:
        """The arguments of `CALL` for a kernel over `count` candles, and its result: 0 if an input is not finite."""
        values = ctypes.create_string_buffer(_FOUR.pack(0, frame * 8, inputs, count), 4 * 16)
        function = self._checked.get(kernel)
        if function is None:
            # A store has room for few instances, so lengths of columns share that of their kernel.
            imports: Any = [self._export(name) for name in ("memory", "countFinite", kernel)]
            function = Instance(self._store, _wasm.load("call.wat"), imports).exports(self._store)["compute"]
            self._checked[kernel] = function
        return self._arguments(function, values), ctypes.c_uint32.from_buffer(values)

    def fail(self, name: str) -> NoReturn:
        """Raises an error after a trap."""
        # The memory may be damaged, so the next calculation has another instance.
        _local.__dict__.clear()
        raise RuntimeError(f"{name} cannot be computed because of a bug in its kernel")

    def call(self, name: str, *values: int) -> int:
        """Calls a function with three or six integers. Other threads of the interpreter run during the call."""
        (_THREE if len(values) == 3 else _SIX).pack_into(self._values, 0, *values)
        if CALL(*(self._functions.get(name) or self._exported(name))) or self.trap:
            self.fail(name)
        result: int = _ONE.unpack_from(self._values)[0]
        return result

    def run(self, kernel: str, frm: int, to: int) -> None:
        """Runs a kernel for the candles [frm, to) of the frame."""
        self.call(kernel, self.frame * 8, frm, to)

    def count_finite(self, at: int, count: int) -> int:
        """Number of finite values from a place on, up to the first one that is not finite."""
        return self.call("countFinite", at * 8, count, 0)

    def pointwise(self, operation: str, out: int, inputs: list[int], count: int) -> None:
        """Computes an operation for `count` candles. Also writes the number behind its values."""
        a, b, c = (*inputs, 0, 0)[:3]
        self.call("computePointwise", CODES[operation], out * 8, a * 8, b * 8, c * 8, count)


_local = threading.local()


def kernels() -> Kernels:
    """The kernels of this thread."""
    try:
        found: Kernels = _local.kernels
    except AttributeError:
        found = _local.kernels = Kernels()
    return found
