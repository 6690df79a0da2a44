"""The asynchronous client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, TypeVar

import httpx

from ._async_alerts import AsyncAlerts
from ._bulk import MAX_CONSTRUCTS, Construct, Division, Results, bulk_body, fewer_constructs, merge
from ._candles import read_candles, reads_closes, with_others
from ._chunks import SETTLED, USUAL_CANDLES, Chunks, Progress, RangeParts
from ._errors import CandelaError
from ._frame import constructs_of, join
from ._indicators import Adjustment, IndicatorMethods, Timeframe
from ._live import AlertInbox, LiveBreadth, LiveScreen
from ._requests import (
    MAX_PREFERRED,
    Repetition,
    Request,
    check_connection,
    get_table,
    given,
    is_windowed,
    json_of,
    no_reply,
    post_candles,
    post_json,
    post_table,
    table_of,
)
from ._stream import Begin, OnState, follow
from ._subscriptions import Subscriptions
from ._table import ARROW, Table, concatenate
from .types import (
    AlertMessage,
    BreadthResult,
    EvaluationResult,
    ExpressionCheck,
    ScreenProgress,
    ScreenUpdate,
    Subscription,
    Update,
)

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class AsyncCandela(AsyncAlerts, IndicatorMethods[Awaitable[Table]]):
    """A client of one Candela, whose methods are awaited.

    Every method raises CandelaError if the service refuses the request. A request waits for candles that are fetched for the
    first time, for the next window of the rate limit and for a busy service, up to `wait_seconds`. Every indicator is a
    method; `indicator` takes its name as a text. Windows of results are given by `results` and `backtrack`, or by the times
    `from_` and `to`, in Unix seconds or ISO 8601. `chart` is the chart type that the candles are converted to first, such as
    `renko:atr14`. `as_of` is the time at which the candles were known. `settled` is the number of digits that must have
    settled.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        key: str,
        wait_seconds: float = 60,
        compress: bool = False,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Creates a client. `compress` is for connections that are slower than the compression of tables."""
        check_connection(url, key)
        self.url = url.rstrip("/")
        self._key = key
        self._wait_seconds = wait_seconds
        self._plan_constructs = MAX_CONSTRUCTS
        self._table_candles = USUAL_CANDLES
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        if not compress:
            headers["Accept-Encoding"] = "identity"
        self._http = httpx.AsyncClient(base_url=self.url, headers=headers, timeout=wait_seconds + 10, transport=transport)

    async def __aenter__(self) -> AsyncCandela:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections, except those of streams, which end with their loops."""
        await self._http.aclose()

    async def _send_once(self, request: httpx.Request) -> httpx.Response:
        try:
            return await self._http.send(request)
        except httpx.TransportError as cause:
            raise no_reply(self.url) from cause

    async def _send(self, request: Request) -> httpx.Response:
        repetition = Repetition(request, self.url, self._wait_seconds)
        while True:
            response = await self._send_once(request.build(self._http, repetition.left))
            seconds = repetition.delay(response)
            if seconds is None:
                return response
            await asyncio.sleep(seconds)

    async def _table(self, request: Request) -> Table:
        parts = RangeParts(request)
        while parts.is_open:
            try:
                response = await self._send(parts.request)
            except CandelaError as error:
                parts.divide(error)
            else:
                parts.take(table_of(response, self.url))
        return parts.table

    async def _json(self, request: Request) -> Any:
        return json_of(await self._send(request), self.url)

    def _ask(self, name: str, query: dict[str, Any]) -> Awaitable[Table]:
        return self._table(get_table(f"/indicator/{name}", query))

    async def fetch(
        self, path: str, *, method: str = "GET", headers: Mapping[str, str] | None = None, content: bytes | None = None
    ) -> httpx.Response:
        """Sends one request and returns the reply of any status, without waiting.

        The request has the key unless `headers` have another one.
        """
        return await self._send_once(self._http.build_request(method, path, headers=headers, content=content))

    async def indicator(self, name: str, *, exchange: str, symbol: str, timeframe: Timeframe, **parameters: Any) -> Table:
        """One indicator over the candles of a market; `from_` is the parameter `from`."""
        market = {"exchange": exchange, "symbol": symbol, "timeframe": timeframe}
        return await self._ask(name, {**market, **given(parameters)})

    async def candles(
        self,
        *,
        exchange: str,
        symbol: str,
        timeframe: Timeframe,
        adjustment: Adjustment | None = None,
        results: int | Literal["max"] | None = None,
        backtrack: int | None = None,
        from_: str | float | None = None,
        to: str | float | None = None,
        as_of: str | float | None = None,
        max_age: int | None = None,
        chart: str | None = None,
    ) -> Table:
        """The candles of a market, oldest first. A time with more candles than one reply has is requested in parts."""
        return await self._table(get_table("/candles", given(locals())))

    async def expression(
        self,
        expression: str,
        *,
        exchange: str,
        symbol: str,
        timeframe: Timeframe,
        adjustment: Adjustment | None = None,
        results: int | Literal["max"] | None = None,
        backtrack: int | None = None,
        from_: str | float | None = None,
        to: str | float | None = None,
        as_of: str | float | None = None,
        max_age: int | None = None,
        chart: str | None = None,
        settled: int | None = None,
    ) -> Table:
        """An expression over the candles of a market."""
        return await self._table(get_table("/expression", given(locals())))

    async def check_expression(
        self, expression: str, timeframe: Timeframe | None = None, *, chart: str | None = None
    ) -> ExpressionCheck:
        """Analyses an expression without computing it.

        The timeframe is needed if the expression selects longer ones by `@`.
        """
        answer: ExpressionCheck = await self._json(post_json("/expression/check", given(locals())))
        return answer

    async def compute(self, name: str, candles: Any, **parameters: Any) -> Table:
        """One indicator over candles of the caller: a frame of pandas or polars, a table of pyarrow, or rows.

        A series or a list of closes is enough for an indicator that reads nothing else.
        Columns are found by their usual names, in either order of time; the answer is oldest first. Candles of any length
        are sent in chunks, which overlap by the number of candles that the values need to settle.
        """
        return await self._computed(f"/indicator/{name}", name, candles, None, parameters)

    async def compute_expression(
        self,
        expression: str,
        candles: Any,
        others: Mapping[str, Any] | None = None,
        *,
        chart: str | None = None,
        settled: int | None = None,
        **window: Any,
    ) -> Table:
        """An expression over candles of the caller; `others` are those of other markets by their names."""
        fields = {"expression": expression, "chart": chart, "settled": settled, **window}
        return await self._computed("/expression", "The expression", candles, others, fields)

    async def _computed(
        self, path: str, what: str, candles: Any, others: Mapping[str, Any] | None, fields: Mapping[str, Any]
    ) -> Table:
        query = given({"results": "max", **fields})
        own = read_candles(candles, is_close_enough=reads_closes(what, query))
        if others or is_windowed(query):
            content = Table.of_arrow(with_others(own, others)).content
            return await self._table(post_candles(path, content, ARROW, query))
        chunks = Chunks(what, own.table)
        while chunks.is_open:
            request = post_candles(path, chunks.first(self._table_candles), ARROW, query)
            try:
                response = await self._send(request)
            except CandelaError as error:
                self._table_candles = chunks.fewer(error)
            else:
                chunks.take(table_of(response, self.url), response.headers.get(SETTLED, ""))
        return chunks.table

    async def bulk(
        self,
        constructs: Sequence[Construct],
        *,
        layout: Literal["long", "wide"] = "long",
        verbose: bool = False,
    ) -> Table:
        """Many indicators over many markets, in as many requests as the plan and the limits of one request require."""

        async def ask(part: Sequence[Construct]) -> Table:
            return await self._table(post_table("/bulk", bulk_body(part, verbose), {"layout": layout}, prefer=0))

        return concatenate(await self._divided(constructs, ask))

    async def bulk_results(self, constructs: Sequence[Construct], *, verbose: bool = False) -> Results:
        """The same as `bulk` in JSON: results by the ids of constructs and of indicators."""
        return await self._bulk_json("/bulk", constructs, verbose)

    async def bulk_candles(self, constructs: Sequence[Construct], *, verbose: bool = False) -> Results:
        """Many indicators over many series of the caller, in JSON."""
        return await self._bulk_json("/bulk-candles", constructs, verbose)

    async def _bulk_json(self, path: str, constructs: Sequence[Construct], verbose: bool) -> Results:
        async def ask(part: Sequence[Construct]) -> Results:
            answer: Results = await self._json(post_json(path, bulk_body(part, verbose)))
            return answer

        return merge(await self._divided(constructs, ask))

    async def _divided(
        self, constructs: Sequence[Construct], ask: Callable[[Sequence[Construct]], Awaitable[Answer]]
    ) -> list[Answer]:
        division = Division(constructs)
        answers: list[Answer] = []
        progress: Progress | None = None
        while division.is_open:
            part = division.first(self._plan_constructs)
            try:
                answers.append(await ask(part))
                division.remove(part)
                progress = progress or (Progress(division.left + len(part), "constructs") if division.left else None)
                if progress:
                    progress.advance(len(part))
            except CandelaError as error:
                self._plan_constructs = fewer_constructs(error, len(part))
        return answers

    async def frame(
        self,
        symbols: Sequence[str],
        indicators: Sequence[str],
        *,
        exchange: str,
        timeframe: Timeframe,
        adjustment: Adjustment | None = None,
        results: int | Literal["max"] | None = None,
        backtrack: int | None = None,
        from_: str | float | None = None,
        to: str | float | None = None,
        as_of: str | float | None = None,
        max_age: int | None = None,
        chart: str | None = None,
        settled: int | None = None,
    ) -> Table:
        """Indicators and expressions over several symbols: one row for each candle, one column for each text.

        Without a window it has all candles. It needs pyarrow, and sends as many requests as the plan requires.
        """
        series = {"exchange": exchange, "timeframe": timeframe, "adjustment": adjustment}
        market = given({**series, "as_of": as_of, "max_age": max_age})
        is_whole = all(each is None for each in (results, backtrack, from_, to))
        window = {"results": "max" if is_whole else results, "backtrack": backtrack, "from": from_, "to": to}
        items = given({**window, "chart": chart, "settled": settled})
        constructs = constructs_of(symbols, indicators, market, items)
        return join(await self.bulk(constructs, layout="wide"), symbols, indicators)

    async def screen(
        self,
        where: str,
        *,
        exchange: str,
        timeframe: Timeframe,
        adjustment: Adjustment | None = None,
        symbols: Sequence[str] | None = None,
        quote: str | None = None,
        select: Mapping[str, str] | None = None,
        order_by: str | None = None,
        limit: int | None = None,
        backtrack: int | None = None,
        at: str | float | None = None,
        chart: str | None = None,
        settled: int | None = None,
        max_age: int | None = None,
        wait_seconds: float = 900,
        on_progress: Callable[[ScreenProgress], None] | None = None,
    ) -> Table:
        """The markets of an exchange at which a condition holds.

        The first screen of a large exchange takes minutes; `on_progress` is called about once a second until then.
        """
        return await self._over_markets("/screen", given(locals()))

    async def breadth(
        self,
        measures: Mapping[str, str],
        *,
        exchange: str,
        timeframe: Timeframe,
        adjustment: Adjustment | None = None,
        symbols: Sequence[str] | None = None,
        quote: str | None = None,
        results: int | Literal["max"] | None = None,
        from_: str | float | None = None,
        to: str | float | None = None,
        max_age: int | None = None,
        wait_seconds: float = 900,
        on_progress: Callable[[ScreenProgress], None] | None = None,
    ) -> Table:
        """Measures over the markets of an exchange, such as `{"above": "breadth(close > sma(200))"}`, by time.

        Each measure has a column with its values, and a column `<name>_markets` with the number of markets that take part.
        """
        return await self._over_markets("/breadth", given(locals()))

    async def _over_markets(self, path: str, fields: dict[str, Any]) -> Table:
        on_progress = fields.pop("on_progress", None)
        options = {"wait_seconds": fields.pop("wait_seconds"), "on_pending": on_progress}
        prefer = MAX_PREFERRED if on_progress is None else 1
        return await self._table(post_table(path, fields, prefer=prefer, **options))

    async def evaluate(
        self,
        entry: str,
        *,
        exchange: str | None = None,
        symbol: str | None = None,
        timeframe: Timeframe | None = None,
        adjustment: Adjustment | None = None,
        candles: Sequence[Mapping[str, float]] | None = None,
        exit: str | None = None,
        side: Literal["long", "short"] | None = None,
        fee: float | None = None,
        horizons: Sequence[int] | None = None,
        from_: str | float | None = None,
        to: str | float | None = None,
        chart: str | None = None,
        settled: int | None = None,
        max_age: int | None = None,
    ) -> EvaluationResult:
        """Statistics of the returns after a condition became true, over the candles of a market or those of the caller."""
        answer: EvaluationResult = await self._json(post_json("/evaluate", given(locals()), MAX_PREFERRED))
        return answer

    def stream(
        self, subscriptions: Sequence[Subscription], *, on_state: OnState | None = None
    ) -> AsyncGenerator[Update, None]:
        """Follows subscriptions until the loop is left.

        A lost connection is opened again and subscribes again; the values of candles that have closed since then are
        requested and come first. A slow reader gets only the newest of several unread forming states of a candle. `on_state`
        is called with `open` when the connection is open, and with `reconnecting` and the reason, if the service gave one,
        when it is lost.
        """
        return self._follow(lambda ask: Subscriptions(subscriptions, ask), on_state)

    def stream_screen(
        self,
        where: str,
        *,
        exchange: str,
        timeframe: Timeframe,
        adjustment: Adjustment | None = None,
        symbols: Sequence[str] | None = None,
        quote: str | None = None,
        select: Mapping[str, str] | None = None,
        chart: str | None = None,
        settled: int | None = None,
        max_age: int | None = None,
        on_progress: Callable[[ScreenProgress], None] | None = None,
        on_state: OnState | None = None,
    ) -> AsyncGenerator[ScreenUpdate, None]:
        """Follows a screen: first its whole state, then the differences from the state that was read last.

        After a lost connection, too, the differences continue. Several unread changes are merged into one.
        """
        fields = given(locals())
        request = {name: value for name, value in fields.items() if name not in ("on_progress", "on_state")}
        return self._follow(lambda _: LiveScreen(request, on_progress), on_state)

    def stream_breadth(
        self,
        measures: Mapping[str, str],
        *,
        exchange: str,
        timeframe: Timeframe,
        adjustment: Adjustment | None = None,
        symbols: Sequence[str] | None = None,
        quote: str | None = None,
        results: int | Literal["max"] | None = None,
        max_age: int | None = None,
        on_progress: Callable[[ScreenProgress], None] | None = None,
        on_state: OnState | None = None,
    ) -> AsyncGenerator[BreadthResult, None]:
        """Follows a breadth.

        The whole breadth comes first, then new and changed values. After a lost connection it restarts with the whole
        breadth. Values replace those of candles with the same times.
        """
        fields = given(locals())
        request = {name: value for name, value in fields.items() if name not in ("on_progress", "on_state")}
        return self._follow(lambda _: LiveBreadth(request, on_progress), on_state)

    def stream_alerts(self, *, on_state: OnState | None = None) -> AsyncGenerator[AlertMessage, None]:
        """The messages of the alerts of the key that have no webhook, each once.

        A message that is fired without a connection arrives with the next connection. The service keeps a message until it
        is acknowledged.
        """
        return self._follow(lambda _: AlertInbox(), on_state)

    def _follow(self, begin: Begin[Item], on_state: OnState | None) -> AsyncGenerator[Item, None]:
        return follow(begin, self.bulk_results, self.url, self._key, on_state)
