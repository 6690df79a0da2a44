"""The synchronous client. Written by scripts/docs-python.mjs from _async_client.py: changes here are lost."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import httpx

from ._accessor import to_arrow_bytes
from ._errors import CandelaError, allowed_constructs
from ._frame import constructs_of, join
from ._indicators import IndicatorMethods
from ._requests import (
    Deadline,
    Request,
    chunks,
    get_table,
    given,
    no_reply,
    post_candles,
    post_json,
    post_table,
    table_of,
)
from ._table import ARROW, Table

#: Constructs of a bulk request, whatever the plan.
_MAX_CONSTRUCTS = 20


class Candela(IndicatorMethods[Table]):
    """A client of one Candela, whose methods wait for their answers.

    Every method raises CandelaError where the service refuses. A request waits for candles that are fetched for the
    first time, for the next window of the rate limit and for a busy service, up to `wait_seconds`. Every indicator is a
    method; `indicator` takes its name as a text.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        key: str,
        wait_seconds: float = 60,
        compress: bool = False,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`compress` is for connections that are slower than the compression of tables."""
        self.url = url.rstrip("/")
        self._wait_seconds = wait_seconds
        headers = {"Authorization": f"Bearer {key}"}
        if not compress:
            headers["Accept-Encoding"] = "identity"
        self._http = httpx.Client(base_url=self.url, headers=headers, timeout=wait_seconds + 10, transport=transport)

    def __enter__(self) -> Candela:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def _send(self, request: Request) -> httpx.Response:
        deadline = Deadline(self._wait_seconds)
        while True:
            try:
                response = self._http.send(request.build(self._http, deadline.left))
            except httpx.TransportError as cause:
                raise no_reply(self.url) from cause
            seconds = deadline.delay(response)
            if seconds is None:
                return response
            time.sleep(seconds)

    def _table(self, request: Request) -> Table:
        return table_of(self._send(request))

    def _json(self, request: Request) -> Any:
        return (self._send(request)).json()

    def _ask(self, name: str, query: dict[str, Any]) -> Table:
        return self._table(get_table(f"/indicator/{name}", query))

    def indicator(self, name: str, *, exchange: str, symbol: str, timeframe: str, **parameters: Any) -> Table:
        """One indicator over the candles of a market; `from_` stands for the parameter `from`."""
        market = {"exchange": exchange, "symbol": symbol, "timeframe": timeframe}
        return self._ask(name, {**market, **_plain(parameters)})

    def candles(
        self,
        *,
        exchange: str,
        symbol: str,
        timeframe: str,
        results: int | str | None = None,
        backtrack: int | None = None,
        from_: str | float | None = None,
        to: str | float | None = None,
    ) -> Table:
        """The candles of a market, oldest first."""
        market = {"exchange": exchange, "symbol": symbol, "timeframe": timeframe}
        window = {"results": results, "backtrack": backtrack, "from": from_, "to": to}
        return self._table(get_table("/candles", {**market, **window}))

    def expression(self, text: str, *, exchange: str, symbol: str, timeframe: str, **window: Any) -> Table:
        """An expression over the candles of a market."""
        market = {"exchange": exchange, "symbol": symbol, "timeframe": timeframe}
        return self._table(get_table("/expression", {**market, "expression": text, **_plain(window)}))

    def compute(self, name: str, candles: Any, **parameters: Any) -> Table:
        """One indicator over candles of the caller: a frame of pandas or polars, or a table of pyarrow."""
        query = _plain({"results": "max", **parameters})
        return self._table(post_candles(f"/indicator/{name}", to_arrow_bytes(candles), ARROW, query))

    def compute_expression(self, text: str, candles: Any, **window: Any) -> Table:
        """An expression over candles of the caller."""
        query = _plain({"results": "max", **window, "expression": text})
        return self._table(post_candles("/expression", to_arrow_bytes(candles), ARROW, query))

    def bulk(self, constructs: Sequence[dict[str, Any]], *, layout: str = "long", verbose: bool = False) -> Table:
        """Many indicators over many markets, in one request. Layouts are `long` and `wide`."""
        body = {"constructs": list(constructs), "verbose": verbose}
        return self._table(post_table("/bulk", body, {"layout": layout}))

    def frame(
        self,
        symbols: Sequence[str],
        indicators: Sequence[str],
        *,
        exchange: str,
        timeframe: str,
        **window: Any,
    ) -> Table:
        """Indicators and expressions over several symbols: one row for each candle, one column for each text.

        It needs pyarrow, and takes as many requests as the plan needs.
        """
        market = {"exchange": exchange, "timeframe": timeframe}
        constructs = constructs_of(symbols, indicators, market, _plain({"results": "max", **window}))
        try:
            return self._frame(constructs, _MAX_CONSTRUCTS, symbols, indicators)
        except CandelaError as error:
            allowed = allowed_constructs(error)
            if not allowed:
                raise
        return self._frame(constructs, allowed, symbols, indicators)

    def _frame(
        self,
        constructs: Sequence[dict[str, Any]],
        size: int,
        symbols: Sequence[str],
        indicators: Sequence[str],
    ) -> Table:
        tables = [self.bulk(part, layout="wide") for part in chunks(constructs, size)]
        return join(tables, symbols, indicators)

    def screen(self, where: str, *, exchange: str, timeframe: str, **fields: Any) -> Table:
        """The markets of an exchange at which a condition holds. The fields are those of `POST /screen`."""
        body = {"exchange": exchange, "timeframe": timeframe, "where": where, **_plain(fields)}
        return self._table(post_table("/screen", body))

    def evaluate(self, entry: str, **fields: Any) -> dict[str, Any]:
        """What followed when a condition became true. The fields are those of `POST /evaluate`."""
        answer: dict[str, Any] = self._json(post_json("/evaluate", {"entry": entry, **_plain(fields)}))
        return answer

    def alerts(self) -> list[dict[str, Any]]:
        """The alerts of the key, the oldest first."""
        answer: list[dict[str, Any]] = (self._json(Request("/alerts")))["alerts"]
        return answer

    def create_alert(self, expression: str, **fields: Any) -> dict[str, Any]:
        """Makes an alert. The fields are those of `POST /alerts`."""
        answer: dict[str, Any] = self._json(post_json("/alerts", {"expression": expression, **_plain(fields)}))
        return answer

    def pause_alert(self, id: str, paused: bool = True) -> dict[str, Any]:
        """Pauses an alert, or resumes it."""
        answer: dict[str, Any] = self._json(post_json(f"/alerts/{id}", {"paused": paused}))
        return answer

    def delete_alert(self, id: str) -> dict[str, Any]:
        """Deletes an alert, with its messages that were not delivered yet."""
        answer: dict[str, Any] = self._json(Request(f"/alerts/{id}", method="DELETE"))
        return answer

    def exchanges(self) -> list[str]:
        """The identifiers of all exchanges."""
        answer: list[str] = (self._json(Request("/exchanges")))["exchanges"]
        return answer

    def symbols(self, exchange: str) -> list[str]:
        """The symbols of an exchange."""
        answer: list[str] = (self._json(Request(f"/exchanges/{exchange}/symbols")))["symbols"]
        return answer

    def indicators(self, **search: Any) -> list[dict[str, Any]]:
        """All indicators with their parameters and outputs, or those that are searched for."""
        answer: list[dict[str, Any]] = (self._json(Request("/indicators", given(search))))["indicators"]
        return answer


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields under the names of the interface: some are words of Python, which end with an underscore here."""
    return given({name.rstrip("_"): value for name, value in fields.items()})
