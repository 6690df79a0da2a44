"""Indicators over the frames of the caller: `df.candela.rsi(14)`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ._errors import CandelaError, allowed_candles
from ._table import ARROW

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

    Every indicator is a method, whose parameters may be given in their order. The result has the index of the frame; of
    an indicator with one output it is a Series.
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
        return self._compute(lambda part: _client().compute(name, part, **parameters), name)

    def expression(self, text: str) -> Any:
        """An expression over the frame, which must not be longer than one request may be."""
        return self._compute(lambda part: _client().compute_expression(text, part), text, None)

    def _compute(self, ask: Any, name: str, memory: str | None = "") -> Any:
        import pandas

        try:
            parts = [ask(self._frame).to_pandas(index=None).drop(columns="time")]
        except CandelaError as error:
            size = allowed_candles(error)
            if not size:
                raise
            parts = self._chunks(ask, name, size, memory)
        result = pandas.concat(parts, ignore_index=True)
        # The answer begins at the first candle that has a value.
        missing = len(self._frame) - len(result)
        result.index = self._frame.index[missing:]
        result = result.reindex(self._frame.index) if self._frame.index.is_unique else result
        return result.iloc[:, 0].rename(name) if result.shape[1] == 1 else result

    def _chunks(self, ask: Any, name: str, size: int, memory: str | None) -> list[Any]:
        """The answers over chunks that overlap by the candles which a value is computed from."""
        from ._indicators import FINITE

        if memory is None or name not in FINITE:
            raise CandelaError(f"{name} depends on all candles before: at most {size} of them can be computed at once", 0)
        parts: list[Any] = []
        lookback = 0
        at = 0
        while at < len(self._frame):
            start = max(0, at - lookback)
            part = self._frame.iloc[start : start + size]
            values = ask(part).to_pandas(index=None).drop(columns="time")
            if at == 0:
                lookback = len(part) - len(values)
            # The rows of the candles that the chunk before had not.
            parts.append(values.iloc[max(0, len(values) - (len(part) - (at - start))) :])
            at = start + size
        return parts


def register() -> None:
    """Adds the accessor to pandas, where that is installed."""
    try:
        import pandas
    except ImportError:
        return
    pandas.api.extensions.register_dataframe_accessor("candela")(FrameAccessor)


__all__ = ["ARROW", "FrameAccessor", "configure", "register", "to_arrow_bytes"]
