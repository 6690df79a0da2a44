"""Candles of any length, in as many requests as required."""

from __future__ import annotations

import importlib
import importlib.util
import re
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ._errors import CandelaError
from ._table import Table, concatenate

if TYPE_CHECKING:
    import pyarrow

    from ._requests import Request

#: Maximum number of candles of a table, unless the service or the plan has another limit.
USUAL_CANDLES = 100_000
#: Response header with the number of candles after which all digits of a value have settled, or the reason why they never
#: do.
SETTLED = "Settled-Candles"
#: Refusal of a time with too many candles: their number, that of a part, and the last time of the first part.
_TOO_LONG = re.compile(r"The range has (\d+) candles, and an answer at most (\d+)\. .* to (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)$")


class Chunks:
    """The unsent parts of a table of candles.

    They overlap by the number of candles that all digits of a value need to settle, so that their values equal those of one
    computation, up to rounding. Values that never settle need one request for the whole table, in case the service accepts
    it.
    """

    def __init__(self, what: str, candles: pyarrow.Table) -> None:
        self._what = what
        self._candles = candles
        self._count = candles.num_rows
        #: Number of candles with values, and the range of the last chunk.
        self._done = 0
        self._begin = 0
        self._end = 0
        self._overlap = 0
        self._answers: list[Table] = []
        self._progress: Progress | None = None
        #: The reason why there can be no chunks.
        self._why: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether candles are left, or nothing was sent yet."""
        return self._done < self._count or not self._answers

    def first(self, most: int) -> bytes:
        """The next chunk of at most `most` candles, as a stream of Arrow."""
        # Otherwise candles would be sent ten times and more.
        if most - self._overlap < most / 10:
            self._why = f"a value depends on {self._overlap} candles before it"
        self._begin = 0 if self._why else max(0, self._done - self._overlap)
        self._end = self._count if self._why else min(self._begin + most, self._count)
        return Table.of_arrow(self._candles.slice(self._begin, self._end - self._begin)).content

    def fewer(self, error: CandelaError) -> int:
        """The maximum number of candles of a chunk after one was refused. Raises the error if it has another reason."""
        found = re.search(r"A table must hold at most (\d+) candles", str(error))
        if self._why:
            limit = f" of at most {found[1]} candles" if found else ""
            raise CandelaError(
                f"{self._what} over {self._count} candles does not fit into one request{limit}, and chunks would have other "
                f"values: {self._why}. The command candela compute takes files of any length",
                error.status,
            ) from error
        if not found:
            raise error
        return int(found[1])

    def take(self, answer: Table, settled: str) -> None:
        """Must be called with the answer to a chunk, and with the number of candles after which its values have settled."""
        if self._end - self._begin == self._count:
            self._answers = [answer]
        else:
            self._answers.append(self._own_rows(answer) if self._done else answer)
        if self._end < self._count or self._progress:
            self._progress = self._progress or Progress(self._count, "candles")
            self._progress.advance(self._end - self._done)
        self._done = self._end
        if settled.isdecimal():
            self._overlap = int(settled)
        elif self._done < self._count:
            self._why = settled.removeprefix("never; ")

    def _own_rows(self, answer: Table) -> Table:
        """The rows of the candles that no earlier chunk had. The answer begins with the first candle that has a value."""
        import pyarrow

        table = answer.to_arrow()
        new = self._end - self._done
        missing = new - table.num_rows
        if missing <= 0:
            return Table.of_arrow(table.slice(-missing), [answer])
        times = self._candles["time"].slice(self._done, missing)
        nothing = {field.name: pyarrow.nulls(missing, field.type) for field in table.schema}
        empty = pyarrow.table({**nothing, "time": times}, table.schema)
        return Table.of_arrow(pyarrow.concat_tables([empty, table]), [answer])

    @property
    def table(self) -> Table:
        """The values of all candles."""
        return concatenate(self._answers)


class RangeParts:
    """The unsent parts of a request over a time, of which one reply has only some candles.

    The service refuses a longer time and names the first part. All parts are cut from one computation, so their rows are
    those of one reply.
    """

    def __init__(self, request: Request) -> None:
        self._rest = request
        self._next = request
        self._answers: list[Table] = []
        self._progress: Progress | None = None
        #: Number of candles of the next part, unless it is the last one.
        self._candles = 0
        self.is_open = True

    @property
    def request(self) -> Request:
        """The request of the next part."""
        return self._next

    def divide(self, error: CandelaError) -> None:
        """Must be called with a refusal of the next part. Raises the error if it has another reason."""
        found = _TOO_LONG.search(str(error))
        if not found or self._rest.body is not None or self._next is not self._rest:
            raise error
        self._candles = int(found[2])
        self._progress = self._progress or Progress(int(found[1]), "candles")
        end = int(datetime.fromisoformat(f"{found[3]}+00:00").timestamp())
        self._next = replace(self._rest, query={**self._rest.query, "to": end})
        self._rest = replace(self._rest, query={**self._rest.query, "from": end + 1})

    def take(self, answer: Table) -> None:
        """Must be called with the answer to the next part."""
        self._answers.append(answer)
        self.is_open = self._next is not self._rest
        self._next = self._rest
        if self._progress:
            self._progress.advance(self._candles if self.is_open else None)

    @property
    def table(self) -> Table:
        """The rows of all parts."""
        return concatenate(self._answers)


class Progress:
    """A bar of tqdm, if it is installed, for work that needs several requests."""

    def __init__(self, total: int, unit: str) -> None:
        self._bar: Any = None
        self._left = total
        if importlib.util.find_spec("tqdm"):
            tqdm: Any = importlib.import_module("tqdm.auto")
            self._bar = tqdm.tqdm(total=total, unit=f" {unit}", leave=False)

    def advance(self, count: int | None = None) -> None:
        """Counts finished work; without a number, all that is left. The bar then disappears."""
        done = self._left if count is None else min(count, self._left)
        self._left -= done
        if self._bar is not None:
            self._bar.update(done)
            if self._left == 0:
                self._bar.close()
