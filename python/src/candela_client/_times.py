"""Times of candles, as frames have them, in UTC."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import Any

from ._errors import CandelaError

#: Above these a number is no time in the unit before: seconds, milli-, micro- and nanoseconds, from 1973 to 5138.
_UNITS = ((1e11, "s"), (1e14, "ms"), (1e17, "us"), (float("inf"), "ns"))
#: What begins with the year, and may have a time of day and an offset from UTC.
_ISO = re.compile(r"^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?\s*(?:Z|[+-]\d\d:?\d\d)?$")


def row_numbers(count: int) -> Any:
    """Times of candles that have none."""
    import pyarrow

    return pyarrow.array(range(count), pyarrow.timestamp("s", "UTC")).cast(_milliseconds())


def times_of(column: Any, name: str, clock: Any = None) -> Any:
    """The times of a column, and of `clock` with the time of day where that has one of its own. Raises CandelaError."""
    import pyarrow

    kind = column.type
    if pyarrow.types.is_dictionary(kind):
        return times_of(column.cast(kind.value_type), name, clock)
    if clock is not None:
        return _of_texts(_joined(column, clock), name)
    if pyarrow.types.is_timestamp(kind):
        return _in_utc(column)
    if pyarrow.types.is_date(kind):
        return _in_utc(column.cast(pyarrow.timestamp("s")))
    if pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind):
        return _of_numbers(column, name)
    return _of_texts([str(each) for each in column.to_pylist()], name)


def _milliseconds() -> Any:
    import pyarrow

    return pyarrow.timestamp("ms", "UTC")


def _in_utc(times: Any) -> Any:
    """Times without a zone are those of UTC."""
    import pyarrow

    return times.cast(pyarrow.timestamp("ms", times.type.tz), safe=False).cast(_milliseconds())


def _of_numbers(column: Any, name: str) -> Any:
    """Unix times, or days such as 20240131."""
    import pyarrow
    import pyarrow.compute as compute

    largest = compute.max(column).as_py() or 0
    if re.match(r"^<?(date|datum)\b", name.lower()) and largest < 1e8:
        if not 19_000_101 <= largest <= 21_001_231:
            raise _unclear(name, f"numbers such as {largest:.0f}")
        return _of_texts([str(int(each)) for each in column.to_pylist()], name)
    unit = next(unit for limit, unit in _UNITS if largest < limit)
    if unit == "s":
        milliseconds = compute.round(compute.multiply(column.cast(pyarrow.float64()), 1000))
        return milliseconds.cast(pyarrow.int64()).cast(_milliseconds())
    return _in_utc(column.cast(pyarrow.int64(), safe=False).cast(pyarrow.timestamp(unit)))


def _joined(dates: Any, clocks: Any) -> list[str]:
    """Dates with their times of day, which may be 093000 or 9:30."""
    joined = []
    for date, clock in zip(dates.to_pylist(), clocks.to_pylist(), strict=True):
        text = f"{clock:06d}" if isinstance(clock, int) else str(clock)
        time = re.sub(r"^(\d\d)(\d\d)(\d\d)?$", lambda found: f"{found[1]}:{found[2]}:{found[3] or '00'}", text)
        joined.append(f"{date} {time}")
    return joined


def _of_texts(texts: list[str], name: str) -> Any:
    """Times that begin with the year. Others may begin with the day or the month."""
    import pyarrow

    if texts and all(text.isdecimal() and len(text) != 8 for text in texts):
        return _of_numbers(pyarrow.array([int(text) for text in texts]), name)
    plain = [re.sub(r"^(\d{4})[./]?(\d\d)[./]?(\d\d)(?=$|[T ])", r"\1-\2-\3", text.strip()) for text in texts]
    wrong = next((text for text, given in zip(texts, plain, strict=True) if not _ISO.match(given)), None)
    if wrong is not None:
        raise _unclear(name, f'texts such as "{wrong}"')
    return pyarrow.array([_parsed(text) for text in plain], _milliseconds())


def _unclear(name: str, what: str) -> CandelaError:
    choice = "make them times, as pandas.to_datetime(…, dayfirst=…) does"
    return CandelaError(f'The times of "{name}" are {what}: {choice}', 400)


def _parsed(text: str) -> datetime:
    # Python 3.10 reads neither the Z of UTC nor offsets without a colon, nor other numbers of decimals than three and six.
    text = re.sub(r"\s*Z$", "+00:00", text)
    text = re.sub(r"\s*([+-]\d\d):?(\d\d)$", r"\1:\2", text) if re.search(r"\d\d:\d\d.*[+-]", text) else text
    text = re.sub(r"\.(\d+)", lambda found: f".{found[1][:6]:0<6}", text)
    parsed = datetime.fromisoformat(text)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=timezone.utc)
