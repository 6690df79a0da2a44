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


def authentication_error(text: str) -> CandelaError:
    """Why a streaming connection was not authenticated, by the text that the service gives.

    Only a key that it does not accept has the status 401: others are temporary, as where connections that were lost still
    count.
    """
    if re.match(r"Invalid\b", text):
        return CandelaError(text, 401)
    return CandelaError(text, 429 if re.match(r"Too many\b", text) else 503)


def allowed_constructs(error: CandelaError) -> int | None:
    """How many constructs the plan allows, where a bulk request was refused for that."""
    found = re.search(r"Your plan allows (\d+) construct", str(error)) if error.status == 429 else None
    return int(found[1]) if found else None
