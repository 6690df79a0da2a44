"""Times of candles, as frames have them, in UTC."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

from ._errors import CandelaError

#: Upper bounds of numbers of each unit: seconds, milli-, micro- and nanoseconds, from 1973 to 5138.
_UNITS = ((1e11, 1, "s"), (1e14, 10**3, "ms"), (1e17, 10**6, "us"), (float("inf"), 10**9, "ns"))
#: 1990-01-01. A number that would be an earlier Unix time is no time.
_EARLIEST = 631_152_000
#: A day in digits, which may have a time of day behind it down to milliseconds.
_DIGITS = re.compile(r"^(\d{4})(\d\d)(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(\d{3})?)?)?)?$")
#: A time that begins with the year, and may have a time of day and an offset from UTC.
_ISO = re.compile(r"^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:Z|[+-]\d\d(?::?\d\d)?)?)?$")
_DAY = re.compile(r"^(?:\d{4}[-./]\d\d[-./]\d\d|\d{8}(?:\.0*)?)(?:[T ]00:00(?::00(?:\.0*)?)?)?$")
_CLOCK = re.compile(r"^\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?$")


def row_numbers(count: int) -> Any:
    """Numbered times of candles that have none."""
    import pyarrow

    return pyarrow.array(range(count), pyarrow.timestamp("s", "UTC")).cast(_milliseconds())


def times_of(column: Any, name: str, clock: Any = None) -> Any:
    """The times of a column; `clock` has the time of day if it is in another column. Raises CandelaError."""
    import pyarrow

    kind = column.type
    if pyarrow.types.is_dictionary(kind):
        return times_of(column.cast(kind.value_type), name, clock)
    if clock is not None:
        return _of_texts(_joined(column, clock, name), name)
    if pyarrow.types.is_timestamp(kind):
        return _in_utc(column)
    if pyarrow.types.is_date(kind):
        return _in_utc(column.cast(pyarrow.timestamp("s")))
    if pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind):
        return _of_numbers(column, name)
    return _of_texts([str(each) for each in column.to_pylist()], name)


def are_days(column: Any) -> bool:
    """Whether all times are midnight."""
    import pyarrow
    import pyarrow.compute as compute

    kind = column.type
    if pyarrow.types.is_date(kind):
        return True
    if pyarrow.types.is_timestamp(kind):
        local = compute.local_timestamp(column) if kind.tz else column
        return bool(compute.all(compute.equal(local, compute.floor_temporal(local, unit="day"))).as_py())
    if pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind):
        return are_day_numbers(column)
    texts = [each for each in column.to_pylist() if each is not None]
    return len(texts) > 0 and all(isinstance(text, str) and _DAY.match(text.strip()) for text in texts)


def are_day_numbers(column: Any) -> bool:
    """Whether all numbers are days such as 20240131."""
    values = column.to_pylist()
    return len(values) > 0 and all(
        value is not None and 1e7 <= value < 1e8 and _of_digits(str(int(value))) is not None for value in values
    )


def are_clocks(column: Any, is_named: bool = False) -> bool:
    """Whether a column has times of day. Digits count only in a column with such a name."""
    import pyarrow

    if pyarrow.types.is_time(column.type):
        return True
    values = [each for each in column.to_pylist() if each is not None]
    if is_named and all(isinstance(each, (int, float)) and 0 <= each < 240_000 for each in values):
        return len(values) > 0
    texts = [str(each).strip() for each in values]
    return len(texts) > 0 and all(_CLOCK.match(text) or (is_named and re.match(r"^\d{1,6}$", text)) for text in texts)


def _milliseconds() -> Any:
    import pyarrow

    return pyarrow.timestamp("ms", "UTC")


def _in_utc(times: Any) -> Any:
    """Times without a zone are in UTC."""
    import pyarrow

    return times.cast(pyarrow.timestamp("ms", times.type.tz), safe=False).cast(_milliseconds())


def _of_numbers(column: Any, name: str) -> Any:
    """Unix times from 1990 to the end of next year, or days such as 20240131 that may have a time of day behind them."""
    import pyarrow
    import pyarrow.compute as compute

    if column.null_count > 0 or compute.any(compute.invert(compute.is_finite(column))).as_py():
        raise _unclear(name, "not all there")
    smallest, largest = compute.min(column).as_py() or 0, compute.max(column).as_py() or 0
    _, factor, unit = next(each for each in _UNITS if largest < each[0])
    if not (_EARLIEST * factor <= smallest and largest < _latest() * factor):
        texts = [str(int(each)) if each == int(each) else str(each) for each in column.to_pylist()]
        wrong = next((text for text in texts if _of_digits(text) is None), None)
        if wrong is not None:
            raise _unclear(name, f"numbers such as {wrong}")
        return pyarrow.array([_of_digits(text) for text in texts], _milliseconds())
    if unit == "s":
        milliseconds = compute.round(compute.multiply(column.cast(pyarrow.float64()), 1000))
        return milliseconds.cast(pyarrow.int64()).cast(_milliseconds())
    return _in_utc(column.cast(pyarrow.int64(), safe=False).cast(pyarrow.timestamp(unit)))


def _latest() -> float:
    """The end of next year."""
    return datetime(datetime.now(timezone.utc).year + 2, 1, 1, tzinfo=timezone.utc).timestamp()


def _of_digits(text: str) -> datetime | None:
    """The time of a day in 8, 10, 12, 14 or 17 digits."""
    found = _DIGITS.match(text)
    if not found or not 1800 <= int(found[1]) <= datetime.now(timezone.utc).year + 1:
        return None
    year, month, day, hour, minute, second, milliseconds = (int(part or 0) for part in found.groups())
    try:
        return datetime(year, month, day, hour, minute, second, 1000 * milliseconds, timezone.utc)
    except ValueError:
        return None


def _joined(dates: Any, clocks: Any, name: str) -> list[str]:
    """Dates with their times of day, which may be 093000, 930 or 9:30."""
    width = _clock_digits([_digits(each) for each in clocks.to_pylist()], name)
    joined = []
    for date, clock in zip(dates.to_pylist(), clocks.to_pylist(), strict=True):
        text = _digits(clock)
        found = re.match(r"^(\d\d)(\d\d)(\d\d)?$", text.zfill(width)) if text.isdecimal() else None
        time = f"{found[1]}:{found[2]}:{found[3] or '00'}" if found else re.sub(r"^(\d):", r"0\1:", text)
        day = re.sub(r"[T ]00:00(?::00(?:\.0*)?)?(?:\+00:00)?$", "", _digits(date))
        joined.append(f"{day} {time}")
    return joined


def _digits(value: Any) -> str:
    """A value as a text, without the decimals of a whole number."""
    return str(int(value)) if isinstance(value, float) and value == int(value) else str(value).strip()


def _clock_digits(texts: Sequence[str], name: str) -> int:
    """The number of digits of times of day: candles are full minutes, so that other seconds mean HHMM."""
    digits = [text for text in texts if text.isdecimal()]
    if any(len(text) > 4 for text in digits):
        return 6
    if any(len(text) == 4 and text.startswith("0") for text in digits):
        return 4
    if not all(int(text[-2:]) < 60 and int(text) < 2400 for text in digits):
        return 6
    if any(text != "0" for text in digits) and all(text.endswith("00") or text == "0" for text in digits):
        example = next((text for text in digits if text != "0"), "0")
        raise CandelaError(
            f'The times of day beside "{name}" such as {example} may be HHMM or HHMMSS: write them as HH:MM', 400
        )
    return 4


def _of_texts(texts: list[str], name: str) -> Any:
    """Times that begin with the year. Others may begin with the day or the month."""
    import pyarrow

    if texts and all(re.match(r"^\d+(?:\.0*)?$", text) for text in texts):
        return _of_numbers(pyarrow.array([int(float(text)) if "." in text else int(text) for text in texts]), name)
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
    text = (
        re.sub(r"\s*([+-]\d\d)(?::?(\d\d))?$", lambda found: f"{found[1]}:{found[2] or '00'}", text)
        if re.search(r"\d\d:\d\d.*[+-]", text)
        else text
    )
    text = re.sub(r"\.(\d+)", lambda found: f".{found[1][:6]:0<6}", text)
    parsed = datetime.fromisoformat(text)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=timezone.utc)
