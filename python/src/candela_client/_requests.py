"""Requests and their retries, without a connection: both clients use these."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from ._errors import CandelaError, allowed_constructs
from ._table import ARROW, NDJSON, Table, preferred_format
from .types import ScreenProgress

#: The longest wait that the service accepts for candles that are being fetched, in seconds.
MAX_PREFERRED = 10
#: Statuses after which the same request may succeed later.
_TEMPORARY = (202, 429, 503)
#: Statuses of proxies that cannot reach the service, or have lost its reply. The service uses 503 only.
_OF_PROXIES = (502, 503, 504)
#: Seconds until a proxy is asked again if it sends no Retry-After.
_PROXY_RETRY = 1.0
#: Longest wait for the rate limit that is not logged, in seconds.
_SILENT = 2.0
_log = logging.getLogger("candela_client")


@dataclass(frozen=True)
class Request:
    """One request. `accept` is the media type of its answer."""

    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: bytes | None = None
    content_type: str = "application/json"
    method: str | None = None
    accept: str = "application/json"
    #: Maximum number of seconds that the service may wait for candles that are fetched for the first time.
    prefer: int = MAX_PREFERRED
    #: Seconds for which the request is retried, instead of the client's setting.
    wait_seconds: float | None = None
    #: Called with the body of each reply that is still pending.
    on_pending: Callable[[ScreenProgress], None] | None = None
    #: Whether the request must not be sent twice: a proxy that lost the reply may have passed on the request.
    is_change: bool = False

    def build(self, http: httpx.Client | httpx.AsyncClient, left: float) -> httpx.Request:
        """The request with `left` as the number of remaining seconds."""
        headers = {"Accept": self.accept}
        if self.body is not None:
            headers["Content-Type"] = self.content_type
        seconds = int(min(self.prefer, left))
        if seconds > 0:
            headers["Prefer"] = f"wait={seconds}"
        method = self.method or ("GET" if self.body is None else "POST")
        return http.build_request(method, self.path, params=_texts(self.query), content=self.body, headers=headers)


def _texts(query: Mapping[str, Any]) -> dict[str, str]:
    return {name: _text(value) for name, value in query.items() if value is not None}


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class Repetition:
    """Decides whether and when a request is sent again."""

    def __init__(self, request: Request, url: str, seconds: float) -> None:
        self._request = request
        self._url = url
        self._begin = time.monotonic()
        self._deadline = self._begin + (seconds if request.wait_seconds is None else request.wait_seconds)

    @property
    def left(self) -> float:
        """Remaining seconds."""
        return max(0.0, self._deadline - time.monotonic())

    def delay(self, response: httpx.Response) -> float | None:
        """Seconds after which the request is sent again; None if it succeeded. Raises CandelaError."""
        if response.status_code in (200, 201):
            return None
        if _is_of_proxy(response):
            error = _error_of_proxy(response, self._url)
            # With 503 the service has not processed the request.
            is_repeatable = error.status == 503 or not self._request.is_change
            seconds = _PROXY_RETRY if error.retry_after is None else error.retry_after
        else:
            body = json_of(response, self._url)
            if response.status_code == 202 and self._request.on_pending:
                self._request.on_pending(body)
            error = _error_of(response, body)
            # A refusal for too many constructs has a Retry-After, too, but the same request would be refused again.
            is_repeatable = response.status_code in _TEMPORARY and allowed_constructs(error) is None
            seconds = float("inf") if error.retry_after is None else error.retry_after
        if not is_repeatable or seconds > self.left:
            raise error
        if error.status == 429 and time.monotonic() - self._begin + seconds > _SILENT:
            _log.warning("%s The client waits %g seconds.", error, seconds)
        return seconds


def check_connection(url: str, key: str) -> None:
    """Raises CandelaError for an invalid address, or a key that cannot be sent in a header field."""
    if not re.match(r"https?://[^/]", str(url), re.IGNORECASE):
        raise CandelaError(f"Invalid url: {url}. Expected an address such as http://localhost:8080", 0)
    if not re.fullmatch(r"[\x21-\x7e]*", key):
        raise CandelaError("Invalid key: it has characters that no key has", 0)


def _is_of_proxy(response: httpx.Response) -> bool:
    status = response.status_code
    return status in _OF_PROXIES and (status != 503 or not _is_json(response))


def _is_json(response: httpx.Response) -> bool:
    try:
        response.json()
    except ValueError:
        return False
    return True


def _error_of_proxy(response: httpx.Response, url: str) -> CandelaError:
    status = response.status_code
    message = f"Candela cannot be reached at {url}: a proxy answers with status {status}"
    return CandelaError(message, status, _retry_after_of(response))


def json_of(response: httpx.Response, url: str) -> Any:
    """The parsed body of a reply. Raises CandelaError."""
    try:
        return response.json()
    except ValueError as cause:
        message = f"The reply of {url} is not JSON: is this the address of Candela?"
        raise CandelaError(message, response.status_code) from cause


def _error_of(response: httpx.Response, body: Any) -> CandelaError:
    fields = body if isinstance(body, dict) else {}
    status = response.status_code
    pending = f"The candles of {fields.get('key')} are still being fetched"
    message = fields.get("error") or (pending if status == 202 else f"Status {status}")
    return CandelaError(message, status, _retry_after_of(response))


def _retry_after_of(response: httpx.Response) -> float | None:
    # A proxy may send a date.
    after = response.headers.get("Retry-After", "")
    return float(after) if re.fullmatch(r"\d+(\.\d+)?", after) else None


def no_reply(url: str) -> CandelaError:
    """The error of a request without a reply."""
    return CandelaError(f"Candela does not answer at {url}", 0)


def table_of(response: httpx.Response, url: str) -> Table:
    """The table of a reply. Raises CandelaError if the reply is none."""
    headers = response.headers
    if headers.get("Content-Type", "") not in (ARROW, NDJSON):
        raise CandelaError(f"The reply of {url} is no table: is this the address of Candela?", response.status_code)
    return Table(
        response.content, headers.get("Content-Type", ""), age=age_of(response), warning=headers.get("Warning") or None
    )


def age_of(response: httpx.Response) -> int | None:
    """Seconds since the newest candle ended, if candles are old."""
    is_stale = response.headers.get("Warning", "").startswith("110")
    return int(response.headers["Age"]) if is_stale and "Age" in response.headers else None


def get_table(path: str, query: Mapping[str, Any]) -> Request:
    """A GET that is answered with a table."""
    return Request(path, query, accept=preferred_format())


def encode(body: Any) -> bytes:
    """A body as JSON. Numbers of numpy are written as numbers."""
    return json.dumps(body, default=_plain).encode()


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):
        return value.item()
    raise CandelaError(f"A {type(value).__name__} cannot be sent: {value!r}", 400)


def post_table(path: str, body: Any, query: Mapping[str, Any] | None = None, **options: Any) -> Request:
    """A POST of JSON that is answered with a table."""
    return Request(path, query or {}, encode(body), accept=preferred_format(), **options)


def post_json(path: str, body: Any, prefer: int = 0, is_change: bool = False) -> Request:
    """A POST of JSON that is answered with JSON."""
    return Request(path, body=encode(body), prefer=prefer, is_change=is_change)


def post_candles(path: str, content: bytes, media_type: str, query: Mapping[str, Any]) -> Request:
    """A POST of candles as a table, which is answered with a table."""
    return Request(path, query, content, media_type, accept=preferred_format(), prefer=0)


def is_windowed(query: Mapping[str, Any]) -> bool:
    """Whether the values of only a part of the candles are requested."""
    return query.get("results") != "max" or any(name in query for name in ("backtrack", "from", "to"))


#: Arguments with other names than those of the interface.
_NAMES = {"as_of": "asOf", "order_by": "orderBy", "candle_close": "candleClose", "max_age": "maxAge", "from_": "from"}


def given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are given, under their names in the interface."""
    return {
        _NAMES.get(name, name.rstrip("_")): value
        for name, value in fields.items()
        if value is not None and name not in ("self", "__class__")
    }
