"""Indicators over the frames of the caller: `df.candela.rsi(14)`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ._table import Table

if TYPE_CHECKING:
    import pandas

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


def to_arrow_bytes(candles: Any) -> bytes:
    """Candles as a stream of Arrow: of a table of pyarrow, or of a frame of pandas or polars."""
    import pyarrow

    if not isinstance(candles, pyarrow.Table):
        candles = candles.to_arrow() if hasattr(candles, "to_arrow") else _of_pandas(candles)
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, candles.schema) as writer:
        writer.write_table(candles)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _of_pandas(frame: pandas.DataFrame) -> Any:
    """The candles of a frame: its columns by their usual names in any case, its index as times, or as numbers of rows."""
    import pandas
    import pyarrow

    found = {str(name).lower(): name for name in frame.columns}
    columns = {name: frame[found[name]].to_numpy(dtype="float64") for name in _columns if name in found}
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

    def expression(self, text: str, **window: Any) -> Any:
        """An expression over the frame."""
        return self._indexed(_client().compute_expression(text, self._frame, **window), text)

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
