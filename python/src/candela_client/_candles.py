"""Candles in the frames that people have: which column is what, and in which order of time they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._errors import CandelaError
from ._spellings import QUOTE_CURRENCIES, SPELLINGS, SYMBOLS
from ._times import row_numbers, times_of

if TYPE_CHECKING:
    import pandas

_PRICES = ("open", "high", "low", "close")
_ORDER = ("time", *_PRICES, "volume")
#: The exchange Coinbase has the prices in an order of its own.
_COINBASE = ("time", "low", "high", "open", "close", "volume")
#: Candles that show the order of prices. Fewer may show another one by chance.
_FEWEST_FOR_ORDER = 3
#: The number of columns of Binance's candles.
_BINANCE = 12
#: The most columns that candles without names may have, unless they are Binance's. Kraken's have seven.
_MOST_UNNAMED = 7


@dataclass(frozen=True)
class Candles:
    """Candles, oldest first."""

    #: A table of pyarrow with `time` in UTC, `open`, `high`, `low`, `close` and `volume`.
    table: Any
    #: For each of them the number of the row that it was in: an array of pyarrow.
    rows: Any


@dataclass(frozen=True)
class _Source:
    """Columns before it is known which one is what."""

    #: Undefined where the columns have no names.
    names: Sequence[str] | None
    width: int
    #: The values of a column, as an array of pyarrow.
    column: Callable[[int], Any]
    #: The times, where they are not in a column.
    index: Any = None
    #: Rows at the beginning that are no candles.
    skipped: int = 0


def read_candles(given: Any) -> Candles:
    """The candles of a frame of pandas or polars, of a table of pyarrow, or of rows. Raises CandelaError."""
    import pyarrow

    if isinstance(given, Candles):
        return given
    source = _source_of(given)
    found = _unnamed(source) if source.names is None else _named(source.names, source)
    prices = {name: _numbers(source, found[name]) for name in _PRICES}
    length = len(prices["close"])
    volume = _numbers(source, found["volume"]) if "volume" in found else pyarrow.array([0.0] * length)
    return _ordered(pyarrow.table({"time": _times(source, found, length), **prices, "volume": volume}), source.skipped)


def with_others(candles: Candles, others: Mapping[str, Any] | None) -> Any:
    """The table of candles, and behind it those of other markets, with the name of the market in the column `with`."""
    import pyarrow

    if not others:
        return candles.table
    tables: dict[str | None, Any] = {
        None: candles.table,
        **{name: read_candles(other).table for name, other in others.items()},
    }
    return pyarrow.concat_tables(
        each.append_column("with", pyarrow.array([name] * each.num_rows, pyarrow.string())) for name, each in tables.items()
    )


def normalize(name: str) -> str:
    """`Open time (UTC)`, `open_time` and `<OPENTIME>` are the same name, and so are `1. open` and `open`."""
    text = re.sub(r"\((?:utc|gmt|ms|s|unix)\)", "", re.sub(r"^\d+\. ", "", name.lower()))
    return re.sub(r"(?<=.)(?:utc|gmt)$", "", "".join(each for each in text if each.isalnum()))


def _refused(text: str) -> CandelaError:
    return CandelaError(text, 400)


def _source_of(given: Any) -> _Source:
    import pyarrow

    if isinstance(given, pyarrow.Table):
        return _Source(given.column_names, given.num_columns, given.column)
    if hasattr(given, "to_arrow"):
        return _source_of(given.to_arrow())
    if hasattr(given, "iloc"):
        return _of_pandas(given)
    rows = given if isinstance(given, Sequence) else list(given)
    if len(rows) == 0:
        raise _refused("There are no candles")
    if isinstance(rows[0], Mapping):
        return _source_of(pyarrow.Table.from_pylist(list(rows)))
    columns = [pyarrow.array(list(each)) for each in zip(*rows, strict=False)]
    return _Source(None, len(columns), columns.__getitem__)


def _of_pandas(given: pandas.DataFrame) -> _Source:
    import pandas
    import pyarrow

    frame = _of_one_market(given)
    width = len(frame.columns)
    has_names = not all(isinstance(name, int) for name in frame.columns)
    # The file of yfinance has three lines of names, of which pandas takes one.
    is_yfinance = has_names and len(frame) > 1 and str(frame.columns[0]) == "Price" and str(frame.iat[0, 0]) == "Ticker"
    skipped = 2 if is_yfinance else 0
    index = frame.index[skipped:]
    if isinstance(index, pandas.PeriodIndex):
        index = index.to_timestamp()
    is_time = isinstance(index, pandas.DatetimeIndex) or not _counts_rows(index)
    return _Source(
        [str(name) for name in frame.columns] if has_names else None,
        width,
        lambda at: pyarrow.Array.from_pandas(frame.iloc[skipped:, at]),
        pyarrow.Array.from_pandas(index) if is_time else None,
        skipped,
    )


def _counts_rows(index: pandas.Index) -> bool:
    """Whether an index has numbers of rows. There are not as many rows as seconds since 1973."""
    import pandas

    return bool(pandas.api.types.is_numeric_dtype(index) and (len(index) == 0 or abs(index[0]) < 1e8))


def _of_one_market(frame: pandas.DataFrame) -> pandas.DataFrame:
    """A frame with one name for each column, of one whose columns also name their market, as those of yfinance do."""
    if frame.columns.nlevels == 1:
        return frame
    levels = range(frame.columns.nlevels)
    at = next((level for level in levels if _has_close(frame.columns.get_level_values(level))), 0)
    for level in levels:
        markets = list(dict.fromkeys(str(name) for name in frame.columns.get_level_values(level)))
        if level != at and len(markets) > 1:
            shown = ", ".join(markets[:5])
            choice = f"frame.xs({markets[0]!r}, axis=1, level={level})"
            raise _refused(f"The frame has the columns of several markets: {shown}. Choose one, such as {choice}")
    return frame.set_axis(frame.columns.get_level_values(at), axis=1)


def _has_close(names: Any) -> bool:
    return any(normalize(str(name)) == "close" for name in names)


#: The columns of candles by their number.
Columns = dict[str, int]


def _named(names: Sequence[str], source: _Source) -> Columns:
    plain = [normalize(name) for name in names]
    found: Columns = {}
    for field, spellings in SPELLINGS.items():
        spelling = next((each for each in spellings if each in plain), None)
        if spelling is None or (field == "time" and source.index is not None):
            continue
        same = [names[at] for at, name in enumerate(plain) if name == spelling]
        if len(same) > 1:
            listed = " and ".join(f'"{name}"' for name in same)
            raise _refused(f"The columns {listed} may both be the {field}: drop one")
        found[field] = plain.index(spelling)
    # The index of a frame has no name in a file, or that of all columns, as in the files of yfinance.
    if source.index is None and "time" not in found and plain[0] in ("", "price", "unnamed0"):
        found["time"] = 0
    missing = [name for name in _PRICES if name not in found]
    if missing:
        raise _refused(f"There is no column for {', '.join(missing)}; the columns are {', '.join(names)[:200]}")
    symbols = _symbols_of(plain, source)
    volume = _volume_of(names, plain, found.pop("volume", None), symbols, source)
    if volume is not None:
        found["volume"] = volume
    # In some files the date and the time of day have a column each.
    if "time" in found and plain[found["time"]] == "time" and "date" in plain:
        found["clock"], found["time"] = found["time"], plain.index("date")
    return found


def _symbols_of(plain: Sequence[str], source: _Source) -> list[str]:
    """The market that a column names."""
    at = next((at for at, name in enumerate(plain) if name in SYMBOLS), None)
    symbols = [] if at is None else [str(each) for each in source.column(at).unique().to_pylist()]
    if at is not None and len(symbols) > 1:
        assert source.names is not None
        raise _refused(
            f'The column "{source.names[at]}" names several markets: {", ".join(symbols[:5])}. Choose the rows of one'
        )
    return symbols


def _volume_of(
    names: Sequence[str], plain: Sequence[str], known: int | None, symbols: Sequence[str], source: _Source
) -> int | None:
    """The column of the volume in the base currency."""
    currencies = {
        at: found[1]
        for at, name in enumerate(plain)
        if name != "volumen" and (found := re.match(r"^vol(?:ume)?(.+)$", name))
    }
    for at, currency in currencies.items():
        if any(normalize(symbol).startswith(currency) for symbol in symbols):
            return at
    if known is not None:
        # MetaTrader 5 has the number of price changes where a broker knows no volume.
        ticks = next((at for at, name in enumerate(plain) if name in ("tickvol", "tickvolume")), known)
        return ticks if ticks != known and not any(source.column(known).to_pylist()) else known
    others = [at for at, currency in currencies.items() if currency not in QUOTE_CURRENCIES] or list(currencies)
    if len(others) > 1:
        first, second = (names[at] for at in others[:2])
        choice = f'frame.rename(columns={{"{first}": "volume"}})'
        raise _refused(f'The volume may be "{first}" or "{second}": name it, such as {choice}')
    return others[0] if others else None


def _unnamed(source: _Source) -> Columns:
    order = [name for name in _ORDER if name != "time" or source.index is None]
    if len(order) - 1 <= source.width <= _MOST_UNNAMED or source.width == _BINANCE:
        usual = {name: at for at, name in enumerate(order) if at < source.width}
        if source.index is not None or source.width == _BINANCE or _fits(source, usual):
            return usual
        coinbase = {name: at for at, name in enumerate(_COINBASE) if at < source.width}
        return coinbase if _fits(source, coinbase) else usual
    raise _refused(f"The {source.width} columns have no names: name them, such as time, open, high, low, close, volume")


def _fits(source: _Source, columns: Columns) -> bool:
    """Whether no open or close lies outside of high and low where columns have this order."""
    opens, highs, lows, closes = (_numbers(source, columns[name]).to_pylist()[:50] for name in _PRICES)
    if len(opens) < _FEWEST_FOR_ORDER:
        return columns["high"] < columns["low"]
    return all(low <= min(o, c) and high >= max(o, c) for o, high, low, c in zip(opens, highs, lows, closes, strict=True))


def _numbers(source: _Source, at: int) -> Any:
    """The numbers of a column; NaN for none."""
    import pyarrow
    import pyarrow.compute as compute

    try:
        column = source.column(at)
        return compute.fill_null(compute.cast(column, pyarrow.float64(), safe=False), float("nan"))
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, pyarrow.ArrowNotImplementedError):
        name = source.names[at] if source.names else str(at)
        choice = "make them numbers, as decimal and thousands of pandas.read_csv do"
        raise _refused(f'The values of the column "{name}" are not all numbers: {choice}') from None


def _times(source: _Source, found: Columns, length: int) -> Any:
    """The times in UTC; where there are none, numbers of rows."""
    if source.index is not None:
        return times_of(source.index, "index")
    if "time" not in found:
        return row_numbers(length)
    at = found["time"]
    name = source.names[at] if source.names else str(at)
    clock = source.column(found["clock"]) if "clock" in found else None
    return times_of(source.column(at), name, clock)


def _ordered(table: Any, skipped: int) -> Candles:
    """Without rows that have no price, as on days without trade, and with the oldest candle first."""
    import pyarrow
    import pyarrow.compute as compute

    rows = pyarrow.array(range(skipped, skipped + len(table)), pyarrow.int64())
    absent = [compute.is_nan(table[name]) for name in _PRICES]
    has_price = compute.invert(compute.and_(compute.and_(absent[0], absent[1]), compute.and_(absent[2], absent[3])))
    table, rows = table.filter(has_price), rows.filter(has_price.combine_chunks())
    times = table["time"]
    if len(table) > 1 and times[0].as_py() > times[-1].as_py():
        reverse = pyarrow.array(range(len(table) - 1, -1, -1))
        table, rows = table.take(reverse), rows.take(reverse)
    # Of a currency or an index there may be no volume on some days.
    volume = compute.if_else(compute.is_nan(table["volume"]), 0.0, table["volume"])
    return Candles(table.set_column(5, "volume", volume).combine_chunks(), rows)
