"""Indicators and expressions that follow candles as they arrive."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _frames
from ._compute import named, plan_of, plan_of_text
from ._kernels import kernels
from ._plans import BLOCK, Progress
from ._script import CandelaError


class Live:
    """An indicator or an expression after the candles so far. Its values equal those of one calculation, bit for bit.

    A candle is a dictionary or a row with the columns that are read, or a number if that is one column. The value is that of
    the only output, else a dictionary.
    """

    def __init__(self, text: str, history: Any = None, **parameters: Any) -> None:
        plan = plan_of(text, (), parameters) if parameters else plan_of_text(text)
        self._plan = plan
        self._progress = Progress(plan)
        if history is None:
            return
        columns, count = _frames.columns_of(plan.columns, history)
        for frm in range(0, count, BLOCK):
            to = min(frm + BLOCK, count)
            self._progress.run(kernels(), [each[frm:to] for each in columns], to - frm)

    @property
    def count(self) -> int:
        """Number of closed candles so far."""
        return self._progress.count

    def update(self, candle: Any) -> Any:
        """The value with a forming candle, which may come again with other prices."""
        return self._run(candle, False)

    def close(self, candle: Any) -> Any:
        """The value with a closed candle."""
        return self._run(candle, True)

    def save(self) -> Any:
        """The state after the closed candles. It can be copied, pickled, and given to `restore`."""
        progress = self._progress
        return {"count": progress.count, "starts": list(progress.starts), "kept": copy.deepcopy(progress.kept)}

    def restore(self, state: Mapping[str, Any]) -> Live:
        """Continues from a state that the same indicator with the same parameters has saved."""
        progress = self._progress
        try:
            kept = [np.array(each, dtype=np.float64) for each in state["kept"]]
            count, starts = int(state["count"]), list(state["starts"])
        except (KeyError, TypeError, ValueError):
            raise CandelaError("This is no state that save() returned") from None
        if [len(each) for each in kept] != [len(each) for each in progress.kept]:
            raise CandelaError("The state belongs to another indicator or other parameters")
        progress.count, progress.starts, progress.kept = count, starts, kept
        return self

    def _values(self, candle: Any) -> list[float]:
        columns = self._plan.columns
        if hasattr(candle, "keys"):
            return [_frames.value_of(candle, each) for each in columns]
        if len(columns) > 1:
            raise CandelaError(f"A candle needs {', '.join(columns)}")
        return [_frames.number_of(candle)]

    def _run(self, candle: Any, keeps: bool) -> Any:
        results = self._progress.run(kernels(), self._values(candle), 1, keeps)
        values = {name: _plain(kind, values[0]) for name, kind, values in named(self._plan, results)}
        return next(iter(values.values())) if len(values) == 1 else values


def _plain(kind: str, value: Any) -> Any:
    """A value as the service gives it: None if there is none, and a condition as a boolean."""
    if value is None or value != value:
        return None
    return bool(value == 1) if kind == "flag" else value if isinstance(value, str) else float(value)


def live(text: str, history: Any = None, **parameters: Any) -> Live:
    """Follows an indicator with these parameters, or an expression, after the candles of a history."""
    return Live(text, history, **parameters)
