"""Columns of numbers in arrays and frames of numpy, pandas, polars and Apache Arrow, and results in the same form."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._catalogue import SPELLINGS
from ._kernels import FLOAT, Numbers
from ._plans import NAMES_PER_COLUMN, Output
from ._script import CandelaError

#: Larger times are milliseconds.
_MOST_SECONDS = 1e11
#: Maximum number of names of columns in an error.
_MOST_NAMES = 10


def library_of(given: Any) -> str:
    """The library of an object: pandas, polars or pyarrow, else numpy."""
    name = type(given).__module__.partition(".")[0]
    return name if name in ("pandas", "polars", "pyarrow") else "numpy"


def is_frame(given: Any) -> bool:
    """Whether an object has named columns."""
    if hasattr(given, "collect"):
        raise CandelaError(f"A {type(given).__name__} has no values yet: collect() it first")
    return isinstance(given, Mapping) or hasattr(given, "columns") or hasattr(given, "column_names")


def numbers_of(given: Any, name: str = "a column") -> Numbers:
    """A column as numbers; times are Unix seconds. Missing values are NaN."""
    if type(given) is np.ndarray and given.dtype is FLOAT and given.ndim == 1:
        return given
    try:
        array = _array_of(given)
        if array.dtype.kind == "M":
            return _seconds_of(array)
        if array.ndim == 1:
            casting: Any = "unsafe" if array.dtype.kind == "O" else "same_kind"
            numbers: Numbers = array.astype(FLOAT, copy=array.dtype is not FLOAT, casting=casting)
            return numbers
    except (TypeError, ValueError):
        raise CandelaError(f"The values of {name} are not all numbers") from None
    found = f"an array with {array.ndim} dimensions" if array.ndim else f"a {type(given).__name__}"
    raise CandelaError(f"The values of {name} are an array, a list or a series, and not {found}")


def _array_of(given: Any) -> Any:
    library = library_of(given)
    if hasattr(given, "filled"):
        # A masked array.
        return given.astype(FLOAT).filled(np.nan)
    dtype: Any = getattr(given, "dtype", None)
    if library == "pandas" and dtype is not None:
        if dtype.kind != "M":
            return given.to_numpy(dtype=FLOAT, na_value=np.nan)
        times = getattr(given, "dt", given)
        return np.asarray(times.tz_convert(None) if times.tz is not None else given)
    if library == "polars" and getattr(dtype, "time_zone", None):
        given = given.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    if library == "pyarrow" and not hasattr(given, "chunks"):
        given = given.to_numpy(zero_copy_only=False)
    return np.asarray(given)


def _seconds_of(times: Any) -> Numbers:
    milliseconds: Numbers = np.asarray(times).astype("datetime64[ms]").astype(np.float64)
    return milliseconds / 1000


def _names_of(frame: Any) -> Sequence[Any]:
    if hasattr(frame, "column_names"):
        return list(frame.column_names)
    return list(frame.columns if hasattr(frame, "columns") else frame)


def _column_of(frame: Any, role: str, known: Mapping[str, Any]) -> Numbers:
    """The column of a frame with a role, such as close or timestamp. Raises CandelaError if there is none."""
    name = next((known[each] for each in SPELLINGS[role] if each in known), None)
    if name is not None:
        if hasattr(frame[name], "columns"):
            raise CandelaError(f"The frame has several columns {name}")
        numbers = numbers_of(frame[name], f"the column {name}")
    elif role == "timestamp" and getattr(getattr(getattr(frame, "index", None), "dtype", None), "kind", "") == "M":
        numbers = numbers_of(frame.index)
    else:
        names = list(known.values())[::-1]
        more = ", …" if len(names) > _MOST_NAMES else ""
        found = ", ".join(map(str, names[:_MOST_NAMES]))
        raise CandelaError(
            f"The frame has no column {role}: it has {found}{more}" if names else f"The frame has no column {role}"
        )
    if role == "timestamp" and len(numbers) and abs(numbers[-1]) > _MOST_SECONDS:
        return numbers / 1000
    return numbers


def check_rows(first: Any, other: Any) -> None:
    """Raises CandelaError if two series have the same rows in different orders, or different rows."""
    one, two = (each.index if library_of(each) == "pandas" and hasattr(each, "index") else None for each in (first, other))
    if one is not None and two is not None and one is not two and not one.equals(two):
        raise CandelaError("The columns have different indexes: align them, or give a frame")


def _simple(name: Any) -> str:
    return str(name).lower().replace(" ", "").replace("_", "")


def columns_of(roles: Sequence[str], given: Any) -> tuple[list[Numbers], int]:
    """The columns with these roles of a frame, or the only column, and the number of candles."""
    if is_frame(given):
        known = {_simple(name): name for name in reversed(_names_of(given))}
        return [_column_of(given, role, known) for role in roles], length_of(given)
    if len(roles) != 1:
        raise CandelaError(f"This reads {', '.join(roles)}: give a frame with these columns")
    numbers = numbers_of(given)
    return [numbers], len(numbers)


def value_of(candle: Any, role: str) -> float:
    """The value of a candle with a role: of a dictionary, or of a row of a frame."""
    # To iterate over a row of pandas returns its values.
    names = [role] if role in candle else [each for each in list(candle.keys()) if _simple(each) in SPELLINGS[role]]
    if not names:
        raise CandelaError(f"The candle has no {role}")
    return number_of(candle[names[0]])


def number_of(given: Any) -> float:
    """A number, or NaN for a missing value."""
    try:
        return np.nan if given is None else float(given)
    except (TypeError, ValueError):
        raise CandelaError(f"A candle has numbers, and not {given!r}") from None


def values_of(output: Output, columns: Sequence[Numbers]) -> Any:
    """The values of an output: numbers, or an array of objects with texts. Conditions are 1, 0 and NaN."""
    if output.kind == "label":
        return _texts_of(columns[0], output.labels)
    if output.kind == "names":
        joined = [_names_in(output.names, masks) for masks in zip(*columns, strict=True)]
        return np.array(joined, dtype=object)
    return columns[0]


def _names_in(names: Sequence[str], masks: Sequence[float]) -> str | None:
    if masks[0] != masks[0]:
        return None
    found = []
    for at, mask in enumerate(masks):
        part = names[at * NAMES_PER_COLUMN : (at + 1) * NAMES_PER_COLUMN]
        found += [name for bit, name in enumerate(part) if int(mask) >> bit & 1]
    return ",".join(found)


def _texts_of(codes: Numbers, labels: Mapping[float, str]) -> Any:
    (_, first), *others = labels.items()
    texts = np.empty(len(codes), dtype=object)
    texts.fill(first)
    for code, text in others:
        texts[codes == code] = text
    texts[np.isnan(codes)] = None
    return texts


def result(like: Any, name: str, outputs: Sequence[tuple[str, str, Any]]) -> Any:
    """Named outputs, each with its kind, in the form of the given column or frame: one is a column, several a frame."""
    if len(outputs) > 1:
        return frame(like, outputs)
    ((_, kind, values),) = outputs
    library = library_of(like)
    if library == "numpy":
        return values
    column = _COLUMNS[library](sys.modules[library], kind, values, like)
    return column if library == "pyarrow" else column.rename(name)


def frame(like: Any, outputs: Sequence[tuple[str, str, Any]]) -> Any:
    """A frame of named outputs, each with its kind, from the library of the given frame; a dictionary for numpy."""
    library = library_of(like)
    if library == "numpy":
        return {name: values for name, _, values in outputs}
    module = sys.modules[library]
    columns = {name: _COLUMNS[library](module, kind, values, like) for name, kind, values in outputs}
    if library == "pyarrow":
        return module.table(columns)
    return module.DataFrame(columns, index=like.index) if library == "pandas" else module.DataFrame(columns)


def length_of(frame: Any) -> int:
    """The number of rows of a frame."""
    return len(next(iter(frame.values()))) if isinstance(frame, Mapping) else len(frame)


def _pandas(pandas: Any, kind: str, values: Any, like: Any) -> Any:
    if kind == "flag":
        # Without a type of its own, a missing value would make all of them objects, of which ~ is no negation.
        values = pandas.array(np.where(np.isnan(values), None, values == 1), dtype="boolean")
    return pandas.Series(values, index=getattr(like, "index", None), copy=False)


def _arrow(pyarrow: Any, kind: str, values: Any, _: Any) -> Any:
    if kind == "flag":
        return pyarrow.array(values == 1, mask=np.isnan(values))
    return (
        pyarrow.array(values, mask=np.isnan(values))
        if values.dtype == np.float64
        else pyarrow.array(values, pyarrow.string())
    )


def _polars(polars: Any, kind: str, values: Any, _: Any) -> Any:
    if values.dtype != np.float64:
        return polars.Series(values.tolist(), dtype=polars.String)
    if kind == "flag":
        return polars.Series(values, nan_to_null=True) == 1
    return polars.Series(values, nan_to_null=True)


_COLUMNS = {"pandas": _pandas, "polars": _polars, "pyarrow": _arrow}
