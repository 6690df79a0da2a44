"""What the client raises."""

from __future__ import annotations

import re


class CandelaError(Exception):
    """The service refuses a request, or does not answer it. `status` is 0 where there is no reply."""

    def __init__(self, message: str, status: int, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        #: Seconds after which the same request may succeed, where the service says so.
        self.retry_after = retry_after


def allowed_constructs(error: CandelaError) -> int | None:
    """How many constructs the plan allows, where a bulk request was refused for that."""
    found = re.search(r"Your plan allows (\d+) construct", str(error))
    return int(found[1]) if found else None


def allowed_candles(error: CandelaError) -> int | None:
    """How many candles a table may have, where one was refused for that."""
    found = re.search(r"A table must hold at most (\d+) candles", str(error))
    return int(found[1]) if found else None
