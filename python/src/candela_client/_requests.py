"""Requests, and when to repeat them, without a connection: both clients use these."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from ._errors import CandelaError
from ._table import Table, preferred_format

#: The longest wait that the service accepts for candles that are being fetched, in seconds.
_MAX_PREFERRED = 10
#: Statuses that mean: the same request may succeed later.
_TEMPORARY = (202, 429, 503)


@dataclass(frozen=True)
class Request:
    """One request. `accept` is the media type of its answer."""

    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: bytes | None = None
    content_type: str = "application/json"
    method: str | None = None
    accept: str = "application/json"
    #: Whether the service waits for candles that are fetched for the first time.
    may_wait: bool = True

    def build(self, http: httpx.Client | httpx.AsyncClient, left: float) -> httpx.Request:
        """The request of a connection that may take `left` seconds."""
        headers = {"Accept": self.accept}
        if self.body is not None:
            headers["Content-Type"] = self.content_type
        seconds = int(min(_MAX_PREFERRED, left))
        if self.may_wait and seconds > 0:
            headers["Prefer"] = f"wait={seconds}"
        method = self.method or ("GET" if self.body is None else "POST")
        return http.build_request(method, self.path, params=_texts(self.query), content=self.body, headers=headers)


def _texts(query: Mapping[str, Any]) -> dict[str, str]:
    return {name: _text(value) for name, value in query.items() if value is not None}


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class Deadline:
    """Until when a request is repeated."""

    def __init__(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return max(0.0, self._deadline - time.monotonic())

    def delay(self, response: httpx.Response) -> float | None:
        """Seconds after which the request is sent again; None where it is answered. Raises CandelaError."""
        if response.status_code in (200, 201):
            return None
        error = _error_of(response)
        is_temporary = response.status_code in _TEMPORARY and error.retry_after is not None
        if not is_temporary or (error.retry_after or 0) > self.left:
            raise error
        return error.retry_after


def _error_of(response: httpx.Response) -> CandelaError:
    try:
        body = response.json()
    except ValueError:
        body = {}
    pending = f"The candles of {body.get('key')} are still being fetched"
    status = response.status_code
    message = body.get("error") or (pending if status == 202 else f"Status {status}")
    after = response.headers.get("Retry-After")
    return CandelaError(message, status, float(after) if after else None)


def no_reply(url: str) -> CandelaError:
    """What is raised where there is no reply."""
    return CandelaError(f"Candela does not answer at {url}", 0)


def table_of(response: httpx.Response) -> Table:
    """The table of a reply."""
    return Table(response.content, response.headers.get("Content-Type", ""))


def get_table(path: str, query: Mapping[str, Any]) -> Request:
    """A GET that is answered with a table."""
    return Request(path, query, accept=preferred_format())


def post_table(path: str, body: Any, query: Mapping[str, Any] | None = None) -> Request:
    """A POST of JSON that is answered with a table."""
    return Request(path, query or {}, json.dumps(body).encode(), accept=preferred_format())


def post_json(path: str, body: Any) -> Request:
    """A POST of JSON that is answered with JSON."""
    return Request(path, body=json.dumps(body).encode())


def post_candles(path: str, content: bytes, media_type: str, query: Mapping[str, Any]) -> Request:
    """A POST of candles as a table, which is answered with a table."""
    return Request(path, query, content, media_type, accept=preferred_format(), may_wait=False)


def given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are given."""
    return {name: value for name, value in fields.items() if value is not None}


def chunks(items: Sequence[Any], size: int) -> list[Sequence[Any]]:
    """The items in lists of at most `size`."""
    return [items[at : at + size] for at in range(0, len(items), size)]
