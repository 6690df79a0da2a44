"""Errors of the client."""

from __future__ import annotations

import re
from typing import Any


class CandelaError(Exception):
    """The service refuses a request, or does not answer it. `status` is 0 without a reply."""

    def __init__(self, message: str, status: int, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        #: Seconds after which the same request may succeed, if the service reports it.
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors are copied, and sent to other processes, with all their fields."""
        return type(self), (str(self), self.status, self.retry_after)


def authentication_error(text: str) -> CandelaError:
    """The error of a streaming connection that was not authenticated, from the text of the service.

    Only a key that the service does not accept has the status 401. Other errors are temporary, for example while lost
    connections still count.
    """
    if re.match(r"Invalid\b", text):
        return CandelaError(text, 401)
    return CandelaError(text, 429 if re.match(r"Too many\b", text) else 503)


def allowed_constructs(error: CandelaError) -> int | None:
    """The number of constructs that the plan allows, if a bulk request was refused for that reason."""
    found = re.search(r"Your plan allows (\d+) construct", str(error)) if error.status == 429 else None
    return int(found[1]) if found else None
