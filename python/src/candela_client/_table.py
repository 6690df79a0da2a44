"""Answers as tables."""

from __future__ import annotations

import importlib
import importlib.util
import io
import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

ARROW = "application/vnd.apache.arrow.stream"
NDJSON = "application/x-ndjson"


def _has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def load(module: str, extra: str) -> Any:
    """A module that an extra of this package installs. Raises ImportError that names the extra."""
    try:
        return importlib.import_module(module)
    except ImportError as cause:
        raise ImportError(f"{module} is not installed: pip install 'candela-client[{extra}]'") from cause


def preferred_format() -> str:
    """The media type of answers: Arrow if it can be read."""
    return ARROW if _has("pyarrow") or _has("polars") else NDJSON


class Table:
    """An answer of the service. Frames are created on request."""

    def __init__(self, content: bytes, media_type: str, *, age: int | None = None, warning: str | None = None) -> None:
        self.content = content
        self.media_type = media_type
        #: Seconds since the newest candle ended, if candles are old; the oldest of several markets counts.
        self.age = age
        #: The service's warning about the answer: candles are old, or there are fewer values than requested.
        self.warning = warning

    @classmethod
    def of_arrow(cls, table: pyarrow.Table, like: Sequence[Table] = ()) -> Table:
        """A table with the rows of one of pyarrow, which is derived from these answers."""
        import pyarrow

        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        return cls(sink.getvalue().to_pybytes(), ARROW, **_said_of(like))

    def to_arrow(self) -> pyarrow.Table:
        """A table of pyarrow. An answer in Arrow is read without a copy."""
        pyarrow = load("pyarrow", "pyarrow")
        if self.media_type == ARROW:
            return pyarrow.ipc.open_stream(self.content).read_all()
        return pyarrow.Table.from_pylist(self.rows())

    def to_pandas(self, index: str | None = "time") -> pandas.DataFrame:
        """A frame of pandas with the times, in UTC, as its index; `index=None` leaves them a column."""
        load("pandas", "pandas")
        load("pyarrow", "pandas")
        frame: pandas.DataFrame = self.to_arrow().to_pandas()
        return frame.set_index(index) if index in frame.columns else frame

    def to_polars(self) -> polars.DataFrame:
        """A frame of polars."""
        polars = load("polars", "polars")
        if self.media_type == ARROW:
            return polars.read_ipc_stream(self.content)
        return polars.DataFrame(self.rows())

    def rows(self) -> list[dict[str, Any]]:
        """The rows as dictionaries; times are datetimes in UTC."""
        if self.media_type == NDJSON:
            return [_with_times(json.loads(line)) for line in self.content.splitlines()]
        if _has("pyarrow"):
            rows: list[dict[str, Any]] = self.to_arrow().to_pylist()
            return rows
        listed: list[dict[str, Any]] = self.to_polars().to_dicts()
        return listed


def _said_of(tables: Sequence[Table]) -> dict[str, Any]:
    """The warning and the age of the oldest of these answers."""
    ages = [table.age for table in tables if table.age is not None]
    return {
        "age": max(ages, default=None),
        "warning": next((table.warning for table in tables if table.warning), None),
    }


def concatenate(tables: Sequence[Table]) -> Table:
    """The rows of several answers to requests of one kind."""
    if len(tables) == 1:
        return tables[0]
    if tables[0].media_type == NDJSON:
        return Table(b"".join(table.content for table in tables), NDJSON, **_said_of(tables))
    if not _has("pyarrow"):
        import polars

        content = io.BytesIO()
        polars.concat([table.to_polars() for table in tables], how="diagonal").write_ipc_stream(content)
        return Table(content.getvalue(), ARROW, **_said_of(tables))
    import pyarrow

    whole = pyarrow.concat_tables([table.to_arrow() for table in tables], promote_options="default")
    return Table.of_arrow(whole.unify_dictionaries(), tables)


def _with_times(row: dict[str, Any]) -> dict[str, Any]:
    # Python 3.10 does not read the Z of UTC.
    return {
        name: datetime.fromisoformat(value.replace("Z", "+00:00"))
        if isinstance(value, str) and name.lower().endswith("time")
        else value
        for name, value in row.items()
    }
