"""Indicators over the frames of the caller: `df.candela.rsi(14)`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ._table import Table

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from ._client import Candela

_columns = ("open", "high", "low", "close", "volume")
_configured: Candela | None = None


def configure(client: Candela) -> None:
    """Sets the client of the accessor. By default it is made from CANDELA_URL and CANDELA_KEY."""
    global _configured
    _configured = client


def _client() -> Candela:
    from ._client import Candela

    if _configured is None:
        url = os.environ.get("CANDELA_URL", "http://127.0.0.1:8080")
        configure(Candela(url, key=os.environ.get("CANDELA_KEY", "")))
    assert _configured is not None
    return _configured


def to_arrow_bytes(candles: Any, others: Mapping[str, Any] | None = None) -> bytes:
    """Candles as a stream of Arrow: of a table of pyarrow, or of a frame of pandas or polars.

    Those of other markets follow, in rows that have the name of their market in the column `with`.
    """
    import pyarrow

    table = _to_arrow(candles)
    if others:
        tables: dict[str | None, Any] = {None: table, **{name: _to_arrow(other) for name, other in others.items()}}
        named = [
            each.append_column("with", pyarrow.array([name] * each.num_rows, pyarrow.string()))
            for name, each in tables.items()
        ]
        table = pyarrow.concat_tables(named, promote_options="permissive")
    return Table.of_arrow(table).content


def _to_arrow(candles: Any) -> pyarrow.Table:
    import pyarrow

    if isinstance(candles, pyarrow.Table):
        return candles
    return candles.to_arrow() if hasattr(candles, "to_arrow") else _of_pandas(candles)


def _of_pandas(frame: pandas.DataFrame) -> pyarrow.Table:
    """The candles of a frame: its columns by their usual names in any case, its index as times, or as numbers of rows."""
    import numpy
    import pandas
    import pyarrow

    found = {str(name).lower(): name for name in frame.columns}
    columns = {name: frame[found[name]].to_numpy(dtype="float64") for name in _columns if name in found}
    # Of several markets one may have volumes.
    columns.setdefault("volume", numpy.zeros(len(frame)))
    index = frame.index
    if isinstance(index, pandas.DatetimeIndex):
        utc = index.tz_localize("UTC") if index.tz is None else index.tz_convert("UTC")
        times = pyarrow.array(utc.as_unit("ms").asi8, pyarrow.timestamp("ms", "UTC"))
    else:
        times = pyarrow.array(range(len(frame)), pyarrow.timestamp("s", "UTC"))
    return pyarrow.table({"time": times, **columns})


class FrameAccessor:
    """The accessor `candela` of frames of pandas with open, high, low, close and, where there is one, volume.

    Every indicator is a method, whose parameters may be given in their order. The frame is computed as a whole, in one
    request. The result has the index of the frame; of an indicator with one output it is a Series.
    """

    def __init__(self, frame: pandas.DataFrame) -> None:
        self._frame = frame

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)

        def method(*values: Any, **parameters: Any) -> Any:
            return self.indicator(name.lstrip("_"), *values, **parameters)

        return method

    def indicator(self, name: str, *values: Any, **parameters: Any) -> Any:
        """An indicator by its name."""
        from ._indicators import PARAMETERS

        if values:
            parameters = {**dict(zip(PARAMETERS[name], values, strict=False)), **parameters}
        return self._indexed(_client().compute(name, self._frame, **parameters), name)

    def expression(self, text: str, others: Mapping[str, Any] | None = None, **window: Any) -> Any:
        """An expression over the frame.

        `others` are the frames of other markets, by the names that the expression has for them: `close / close{ETH}` takes
        `{"ETH": frame}`. Each needs the times of its candles.
        """
        return self._indexed(_client().compute_expression(text, self._frame, others, **window), text)

    def _indexed(self, table: Table, name: str) -> Any:
        result = table.to_pandas(index=None).drop(columns="time")
        # The answer begins at the first candle that has a value.
        result.index = self._frame.index[len(self._frame) - len(result) :]
        result = result.reindex(self._frame.index) if self._frame.index.is_unique else result
        return result.iloc[:, 0].rename(name) if result.shape[1] == 1 else result


def register() -> None:
    """Adds the accessor to pandas, where that is installed."""
    try:
        import pandas
    except ImportError:
        return
    pandas.api.extensions.register_dataframe_accessor("candela")(FrameAccessor)


__all__ = ["FrameAccessor", "configure", "register", "to_arrow_bytes"]
