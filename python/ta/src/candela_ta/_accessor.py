"""The accessor `ta` of frames: `df.ta.rsi(14)` and `df.ta(["rsi(14)", "close > ema(200)"])`."""

from __future__ import annotations

import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from . import _compute, _indicators
from ._catalogue import INDICATORS


class FrameAccessor:
    """Indicators over a frame, as methods whose parameters may be given in their order, and lists of texts."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def __call__(self, texts: str | Sequence[str]) -> Any:
        """A frame with a column for each text. One text is an expression, or an indicator, by itself."""
        if isinstance(texts, str):
            return _compute.expression(texts, self._frame)
        return _compute.compute_all(texts, self._frame)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_indicators.__all__]

    def __getattr__(self, name: str) -> Any:
        indicator = name.strip("_")
        if name.startswith("__") or indicator not in INDICATORS:
            raise AttributeError(f"There is no indicator {name}")

        def method(*values: Any, **parameters: Any) -> Any:
            return _compute.run(indicator, (self._frame,), values, parameters)

        method.__doc__ = getattr(_indicators, name).__doc__
        return method


def _register(library: ModuleType) -> None:
    if library.__name__ == "pandas":
        library.api.extensions.register_dataframe_accessor("ta")(FrameAccessor)
    else:
        library.api.register_dataframe_namespace("ta")(FrameAccessor)


class _AtImport:
    """Adds the accessor to pandas and polars when they are imported, because importing them here would take longer."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name not in ("pandas", "polars"):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                execute(module)
                _register(module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def register() -> None:
    """Adds the accessor to pandas and polars, now or when they are imported."""
    for name in ("pandas", "polars"):
        if name in sys.modules:
            _register(sys.modules[name])
    sys.meta_path.insert(0, _AtImport())
