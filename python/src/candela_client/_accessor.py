"""Indicators over the frames of the caller: `df.candela.rsi(14)`."""

from __future__ import annotations

import difflib
import importlib.util
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ._candles import Candles, read_candles, reads_closes
from ._errors import CandelaError
from ._indicators import PARAMETERS
from ._table import Table

if TYPE_CHECKING:
    import pandas

    from ._client import Candela

_configured: Candela | None = None


def configure(client: Candela) -> None:
    """Sets the client of the accessor. The default client uses CANDELA_URL and CANDELA_KEY."""
    global _configured
    _configured = client


def _client() -> Candela:
    from ._client import Candela

    if _configured is None:
        url = os.environ.get("CANDELA_URL", "http://127.0.0.1:8080")
        configure(Candela(url, key=os.environ.get("CANDELA_KEY", "")))
    assert _configured is not None
    return _configured


class FrameAccessor:
    """The accessor `candela` of frames of pandas with open, high, low, close and, where there is one, volume.

    The library candela-ta computes the values if it is installed, else the service does.

    Every indicator is a method, whose parameters may be given in their order. Columns are found by their usual names, in
    either order of time. The result has the index of the frame. It is a Series if the indicator has one output. A series of
    closes is enough for indicators that read nothing else.
    """

    def __init__(self, frame: pandas.DataFrame | pandas.Series) -> None:
        self._frame = frame

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(f"_{name}" if name[0].isdecimal() else name for name in PARAMETERS)]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name.lstrip("_") not in PARAMETERS:
            raise AttributeError(_unknown(name))

        def method(*values: Any, **parameters: Any) -> Any:
            return self.indicator(name.lstrip("_"), *values, **parameters)

        return method

    def indicator(self, name: str, *values: Any, **parameters: Any) -> Any:
        """An indicator by its name."""
        if name not in PARAMETERS:
            raise CandelaError(_unknown(name), 404)
        names = PARAMETERS[name]
        if len(values) > len(names):
            raise TypeError(f"{name} has {len(names)} parameters ({', '.join(names)}), and {len(values)} values were given")
        twice = next((each for each in names[: len(values)] if each in parameters), None)
        if twice is not None:
            raise TypeError(f"{name} has two values for {twice}")
        parameters = {**dict(zip(names, values, strict=False)), **parameters}
        candles = read_candles(self._frame, is_close_enough=reads_closes(name, parameters))
        if set(parameters) <= {*names, "source", "source2"}:
            table = _computed_here(candles, lambda library, frame: library.compute(name, frame, **parameters))
        else:
            table = None
        return self._indexed(table or _client().compute(name, candles, **parameters), candles, name)

    def expression(self, text: str, others: Mapping[str, Any] | None = None, **window: Any) -> Any:
        """An expression over the frame.

        `others` are the frames of other markets, by their names in the expression: `close / close{ETH}` takes `{"ETH":
        frame}`. Each needs the times of its candles.
        """
        candles = read_candles(self._frame)
        table = None
        # The library has no other markets and timeframes.
        if not others and not window and "@" not in text and "{" not in text:
            table = _computed_here(candles, lambda library, frame: library.expression(text, frame))
        return self._indexed(table or _client().compute_expression(text, candles, others, **window), candles, text)

    def _indexed(self, table: Table, candles: Candles, name: str) -> Any:
        import pyarrow

        result = table.to_pandas(index=None).drop(columns="time")
        conditions = [field.name for field in table.to_arrow().schema if pyarrow.types.is_boolean(field.type)]
        # Without a type of its own, a missing value would make all of them objects, of which ~ is no negation.
        result = result.astype(dict.fromkeys(conditions, "boolean"))
        # The answer begins at the first candle that has a value.
        result.index = candles.rows.to_pandas()[len(candles.rows) - len(result) :]
        result = result.reindex(range(len(self._frame))).set_axis(self._frame.index)
        return result.iloc[:, 0].rename(name) if result.shape[1] == 1 else result


def _computed_here(candles: Candles, compute: Callable[[Any, Any], Any]) -> Table | None:
    """The values of the library candela-ta, which are those of the service; None if it is not installed."""
    if importlib.util.find_spec("candela_ta") is None:
        return None
    import pyarrow

    import candela_ta

    try:
        found = compute(candela_ta, candles.table)
    except candela_ta.CandelaError as refusal:
        raise CandelaError(str(refusal), 400) from refusal
    columns = dict(zip(found.column_names, found.columns, strict=True)) if hasattr(found, "columns") else {"value": found}
    for name, column in columns.items():
        if pyarrow.types.is_string(column.type):
            columns[name] = column.dictionary_encode()
    return Table.of_arrow(pyarrow.table({"time": candles.table["time"], **columns}))


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name.lstrip("_").lower(), PARAMETERS, 3)
    hint = f". Did you mean {' or '.join(near)}?" if near else ""
    return f"There is no indicator {name}{hint}"


def register() -> None:
    """Adds the accessor to pandas, if installed."""
    try:
        import pandas
    except ImportError:
        return
    pandas.api.extensions.register_dataframe_accessor("candela")(FrameAccessor)
    pandas.api.extensions.register_series_accessor("candela")(FrameAccessor)


__all__ = ["FrameAccessor", "configure", "register"]
