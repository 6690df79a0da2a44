"""Candles in the frames of users: roles of columns, and the order of time."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

from ._errors import CandelaError
from ._indicators import CLOSE_ONLY
from ._spellings import FIRST_NAMES, INDEX_NAMES, QUOTE_CURRENCIES, SPELLINGS, TICK_NAMES, VOLUME_STUDIES
from ._table import load
from ._times import are_clocks, are_day_numbers, are_days, row_numbers, times_of

if TYPE_CHECKING:
    import pandas

_PRICES = ("open", "high", "low", "close")
_ORDER = ("time", *_PRICES, "volume")
#: The exchange Coinbase has an order of its own for the prices.
_COINBASE = ("time", "low", "high", "open", "close", "volume")
#: Minimum number of candles that show the order of prices. Fewer may fit another order by chance.
_FEWEST_FOR_ORDER = 3
#: The number of columns of Binance's candles.
_BINANCE = 12
#: Maximum number of columns of candles without names, unless they are Binance's: a seventh may be anything.
_MOST_UNNAMED = 6


@dataclass(frozen=True)
class Candles:
    """Candles, oldest first."""

    #: A table of pyarrow with `time` in UTC, `open`, `high`, `low`, `close` and `volume`.
    table: Any
    #: The row number of each of them: an array of pyarrow.
    rows: Any


@dataclass(frozen=True)
class _Source:
    """Columns before their roles are known."""

    #: Undefined if the columns have no names.
    names: Sequence[str] | None
    width: int
    #: The values of a column, as an array of pyarrow.
    column: Callable[[int], Any]
    #: The times, if they are not in a column.
    index: Any = None
    #: Number of rows at the beginning that are no candles.
    skipped: int = 0


def reads_closes(indicator: str, fields: Mapping[str, Any]) -> bool:
    """Whether an indicator with these parameters reads nothing but closes."""
    return indicator in CLOSE_ONLY and fields.get("source", "close") == "close" and fields.get("chart") is None


def read_candles(given: Any, *, is_close_enough: bool = False) -> Candles:
    """The candles of a frame of pandas or polars, of a table of pyarrow, or of rows. Raises CandelaError.

    A series or a list of numbers has closes. If they are enough, they also stand for missing open, high and low.
    """
    if isinstance(given, Candles):
        return given
    pyarrow = load("pyarrow", "pyarrow")
    source = _source_of(given)
    found = _unnamed(source) if source.names is None else _named(source.names, source, is_close_enough)
    prices = {name: _numbers(source, found[name]) for name in _PRICES}
    length = len(prices["close"])
    volume = _numbers(source, found["volume"]) if "volume" in found else pyarrow.array([0.0] * length)
    return _ordered(pyarrow.table({"time": _times(source, found, length), **prices, "volume": volume}), source.skipped)


def with_others(candles: Candles, others: Mapping[str, Any] | None) -> Any:
    """The table of candles, followed by those of other markets, with the name of the market in the column `with`."""
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
    """`Open time (UTC)` and `<OPENTIME>` are the same name; so are `1. open` and `open`, and `Clôture` and `cloture`."""
    plain = unicodedata.normalize("NFD", name.lower())
    text = re.sub(r"\((?:utc|gmt|ms|s|unix)\)", "", re.sub(r"^\d+\. ", "", plain))
    return re.sub(r"(?<=.)(?:utc|gmt)$", "", "".join(each for each in text if each.isalnum()))


def _refused(text: str) -> CandelaError:
    return CandelaError(text, 400)


def _source_of(given: Any) -> _Source:
    import pyarrow

    if isinstance(given, pyarrow.Table):
        return _Source(given.column_names, given.num_columns, given.column)
    if hasattr(given, "to_frame") and not hasattr(given, "columns"):
        return _source_of(given.to_frame("close"))
    if hasattr(given, "to_arrow"):
        return _source_of(given.to_arrow())
    if hasattr(given, "iloc"):
        return _of_pandas(given)
    rows = given if isinstance(given, Sequence) else list(given)
    if len(rows) == 0:
        raise _refused("There are no candles")
    if isinstance(rows[0], Mapping):
        return _source_of(pyarrow.Table.from_pylist(list(rows)))
    if isinstance(rows[0], Real):
        closes = pyarrow.array(list(rows))
        return _Source(["close"], 1, lambda _: closes)
    columns = [pyarrow.array(list(each)) for each in zip(*rows, strict=False)]
    return _Source(None, len(columns), columns.__getitem__)


def _of_pandas(given: pandas.DataFrame) -> _Source:
    import pandas
    import pyarrow

    frame = _of_one_market(given)
    width = len(frame.columns)
    has_names = not all(isinstance(name, int) for name in frame.columns)
    # The file of yfinance has three lines of names, of which pandas reads one.
    is_yfinance = has_names and len(frame) > 1 and str(frame.columns[0]) == "Price" and str(frame.iat[0, 0]) == "Ticker"
    skipped = 2 if is_yfinance else 0
    if is_yfinance:
        _check_one_market([str(name) for name in frame.iloc[0, 1:]])
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
    """Whether an index has row numbers, which are smaller than seconds since 1973, and no days such as 20240131."""
    import pandas
    import pyarrow

    if not pandas.api.types.is_numeric_dtype(index):
        return False
    return len(index) == 0 or (abs(index[0]) < 1e8 and not are_day_numbers(pyarrow.Array.from_pandas(index)))


def _of_one_market(frame: pandas.DataFrame) -> pandas.DataFrame:
    """A frame with one name for each column, from one whose columns also name their market, like those of yfinance."""
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


def _check_one_market(markets: Sequence[str]) -> None:
    names = list(dict.fromkeys(markets))
    if len(names) > 1:
        raise _refused(
            f"The frame has the columns of several markets: {', '.join(names[:5])}. Drop the columns of all but one"
        )


def _has_close(names: Any) -> bool:
    return any(normalize(str(name)) == "close" for name in names)


#: The columns of candles by their number.
Columns = dict[str, int]


def _named(names: Sequence[str], source: _Source, is_close_enough: bool) -> Columns:
    plain = [normalize(name) for name in names]
    found: Columns = {}
    for role in (*_PRICES, "volume", "time", "date", "clock", "symbol"):
        field = "time" if role in ("date", "clock") else role
        spelling = next((each for each in SPELLINGS[role] if each in plain), None)
        if spelling is None or field in found or (field == "time" and source.index is not None):
            continue
        _check_once(field, spelling, names, plain)
        found[field] = plain.index(spelling)
    if source.index is None and "time" not in found:
        at = next((at for at, name in enumerate(plain) if name in INDEX_NAMES or (at == 0 and name in FIRST_NAMES)), None)
        if at is not None:
            found["time"] = at
    missing = [name for name in _PRICES if name not in found]
    if is_close_enough and "close" in found:
        found = {**{name: found["close"] for name in missing}, **found}
    elif missing:
        raise _refused(f"There is no column for {', '.join(missing)}; the columns are {', '.join(names)[:200]}")
    symbols = _symbols_of(found.pop("symbol", None), source)
    volume = _volume_of(names, plain, found.pop("volume", None), symbols, source)
    if volume is not None:
        found["volume"] = volume
    return _with_clock(found, names, plain, source)


def _check_once(field: str, spelling: str, names: Sequence[str], plain: Sequence[str]) -> None:
    """Raises CandelaError if two columns have the name of a field, or its long and its short one."""
    same = [names[at] for at, name in enumerate(plain) if name == spelling or (spelling == field and name == field[0])]
    if len(same) > 1 and field != "symbol":
        listed = " and ".join(f'"{name}"' for name in same)
        raise _refused(f"The columns {listed} may both be the {field}: drop one")


def _with_clock(found: Columns, names: Sequence[str], plain: Sequence[str], source: _Source) -> Columns:
    """The columns with that of the time of day, if the times are days. A time of day is never dropped."""
    times = source.index if source.index is not None else source.column(found["time"]) if "time" in found else None
    if times is None:
        taken = set(found.values())
        other = next((at for at in range(source.width) if at not in taken and _has_times(source.column(at))), None)
        if other is not None:
            choice = f'frame.rename(columns={{"{names[other]}": "time"}})'
            raise _refused(f'The times may be in "{names[other]}": name it, such as {choice}')
        return found
    if not are_days(times):
        return found
    at = next((at for at, name in enumerate(plain) if name in SPELLINGS["clock"] and at != found.get("time")), None)
    if at is not None:
        clock = source.column(at)
        if are_clocks(clock, is_named=True):
            return {**found, "clock": at}
        if clock.null_count == len(clock):
            return found
        # In some files the column called time has the date, too.
        return {**found, "time": at}
    taken = set(found.values())
    clocks = [at for at in range(source.width) if at not in taken and are_clocks(source.column(at))]
    if len(clocks) > 1:
        listed = " and ".join(f'"{names[at]}"' for at in clocks[:2])
        raise _refused(f"The times of day may be {listed}: drop one")
    return {**found, "clock": clocks[0]} if clocks else found


def _has_times(column: Any) -> bool:
    import pyarrow

    return bool(pyarrow.types.is_temporal(column.type)) or are_days(column)


def _symbols_of(at: int | None, source: _Source) -> list[str]:
    """The market in a column."""
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
    """The column of the volume in the base currency. A column called volume has priority over those in a currency."""
    if known is not None:
        # MetaTrader 5 has the number of price changes if a broker knows no volume.
        ticks = next((at for at, name in enumerate(plain) if name in TICK_NAMES), known)
        return ticks if ticks != known and not any(source.column(known).to_pylist()) else known
    currencies = {
        at: found[1]
        for at, name in enumerate(plain)
        if (found := re.match(r"^vol(?:ume)?(.+)$", name)) and re.sub(r"\d+$", "", found[1]) not in VOLUME_STUDIES
    }
    quotes = {*QUOTE_CURRENCIES, *currencies.values()}
    for at, currency in currencies.items():
        if any(_is_base(currency, symbol, quotes) for symbol in symbols):
            return at
    others = [at for at, currency in currencies.items() if currency not in QUOTE_CURRENCIES] or list(currencies)
    if len(others) > 1:
        first, second = (names[at] for at in others[:2])
        choice = f'frame.rename(columns={{"{first}": "volume"}})'
        raise _refused(f'The volume may be "{first}" or "{second}": name it, such as {choice}')
    return others[0] if others else None


def _is_base(currency: str, symbol: str, quotes: set[str]) -> bool:
    """Whether a currency stands before the slash of a symbol, or before a known quote currency."""
    parts = [normalize(part) for part in re.split(r"[/_-]", re.sub(r"^.*:", "", symbol))]
    base = parts[0]
    if len(parts) > 1:
        return currency == base
    return currency == base or (base.startswith(currency) and base[len(currency) :] in quotes)


def _unnamed(source: _Source) -> Columns:
    order = [name for name in _ORDER if name != "time" or source.index is None]
    if len(order) - 1 <= source.width <= _MOST_UNNAMED or source.width == _BINANCE:
        usual = {name: at for at, name in enumerate(order) if at < source.width}
        if source.width == _BINANCE or _fits(source, usual):
            return usual
        coinbase = {name: at for at, name in enumerate(_COINBASE) if at < source.width}
        if source.index is None and _fits(source, coinbase, fewest=_FEWEST_FOR_ORDER):
            return coinbase
    raise _refused(f"The {source.width} columns have no names: name them, such as time, open, high, low, close, volume")


def _fits(source: _Source, columns: Columns, fewest: int = 0) -> bool:
    """Whether no open or close lies outside of high and low if columns have this order, over enough candles."""
    import pyarrow.compute as compute

    opens, highs, lows, closes = (_numbers(source, columns[name]) for name in _PRICES)
    below = compute.greater(lows, compute.min_element_wise(opens, closes))
    above = compute.less(highs, compute.max_element_wise(opens, closes))
    return len(opens) >= fewest and not compute.any(compute.or_(below, above)).as_py()


def _numbers(source: _Source, at: int) -> Any:
    """The numbers of a column; a missing value is NaN."""
    import pyarrow
    import pyarrow.compute as compute

    try:
        column = source.column(at)
        if _are_unclear(column):
            raise pyarrow.ArrowInvalid
        return compute.fill_null(compute.cast(column, pyarrow.float64(), safe=False), float("nan"))
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, pyarrow.ArrowNotImplementedError):
        name = source.names[at] if source.names else str(at)
        choice = "make them numbers, as decimal and thousands of pandas.read_csv do"
        raise _refused(f'The values of the column "{name}" are not all numbers: {choice}') from None


def _are_unclear(column: Any) -> bool:
    """Whether a column of texts has points that may all separate thousands, as in 16.582."""
    import pyarrow

    if not pyarrow.types.is_string(column.type) and not pyarrow.types.is_large_string(column.type):
        return False
    texts = [each for each in column.to_pylist() if each is not None]
    has_points = any("." in text for text in texts)
    return has_points and all(re.match(r"^[+-]?(?:\d{1,3}|[1-9]\d{0,2}\.\d{3})$", text.strip()) for text in texts)


def _times(source: _Source, found: Columns, length: int) -> Any:
    """The times in UTC; row numbers without times."""
    clock = source.column(found["clock"]) if "clock" in found else None
    if source.index is not None and "time" not in found:
        return times_of(source.index, "index", clock)
    if "time" not in found:
        return row_numbers(length)
    at = found["time"]
    name = source.names[at] if source.names else str(at)
    return times_of(source.column(at), name, clock)


def _check_zeros(table: Any, rows: Any) -> None:
    """
    Raises CandelaError if a price of 0 stands for a missing one: no price is below 0, and all four are 0, or open or
    close lies outside of high and low.
    """
    import pyarrow.compute as compute

    opens, highs, lows, closes = (table[name] for name in _PRICES)
    lowest = compute.min_element_wise(opens, lows, closes)
    outside = compute.or_(compute.less(lowest, lows), compute.greater(compute.max_element_wise(opens, closes), highs))
    # A high below the low is another mistake.
    is_ordered = compute.greater_equal(highs, lows)
    stands_for_missing = compute.and_(
        compute.and_(compute.equal(lowest, 0.0), is_ordered), compute.or_(compute.equal(highs, 0.0), outside)
    )
    at = compute.index(stands_for_missing, True).as_py()
    if at >= 0:
        choice = 'leave such rows out, as frame[frame["open"] != 0] does'
        raise _refused(f"Row {rows[at].as_py()}: a price of 0 stands for a missing one: {choice}")


def _ordered(table: Any, skipped: int) -> Candles:
    """Removes rows without a price, as on days without trade, and sorts the oldest candle first."""
    import pyarrow
    import pyarrow.compute as compute

    rows = pyarrow.array(range(skipped, skipped + len(table)), pyarrow.int64())
    absent = [compute.is_nan(table[name]) for name in _PRICES]
    has_price = compute.invert(compute.and_(compute.and_(absent[0], absent[1]), compute.and_(absent[2], absent[3])))
    table, rows = table.filter(has_price), rows.filter(has_price.combine_chunks())
    _check_zeros(table, rows)
    times = table["time"]
    if len(table) > 1 and times[0].as_py() > times[-1].as_py():
        reverse = pyarrow.array(range(len(table) - 1, -1, -1))
        table, rows = table.take(reverse), rows.take(reverse)
    # A currency or an index may have no volume on some days.
    volume = compute.if_else(compute.is_nan(table["volume"]), 0.0, table["volume"])
    return Candles(table.set_column(5, "volume", volume).combine_chunks(), rows)
