"""Plays the scenarios of test/scenarios/requests.yaml, which explains their fields, with both clients."""

from __future__ import annotations

import inspect
import json
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pyarrow
from stream_scenario import matches
from virtual_clock import VirtualClock

from candela_client import AsyncCandela, Candela, CandelaError, Table

#: The first argument of methods whose request is one object in TypeScript.
_FIRST = {
    **{"screen": "where", "breadth": "measures", "evaluate": "entry"},
    **{"create_alert": "expression", "store_list": "name"},
}
_NAMES = {"asOf": "as_of", "maxAge": "max_age", "orderBy": "order_by", "from": "from_"}


def snake(name: str) -> str:
    """A name of TypeScript as one of Python."""
    return re.sub(r"([A-Z])", lambda found: f"_{found[1].lower()}", name)


def _keywords(fields: dict[str, Any]) -> dict[str, Any]:
    return {_NAMES.get(name, name): value for name, value in fields.items()}


def call(client: Any, method: str, arguments: list[Any], options: dict[str, Any]) -> Any:
    """Calls a method by its name and its arguments in TypeScript."""
    name = {"bulk": "bulk_results"}.get(method, snake(method))
    if name in _FIRST:
        fields = _keywords(arguments[0])
        return getattr(client, name)(fields.pop(_FIRST[name]), **fields, **options)
    if name in ("compute", "compute_expression"):
        text, candles, *rest = arguments
        arguments = [text, pyarrow.Table.from_pylist(candles), *rest]
    positional = [argument for argument in arguments if not isinstance(argument, dict)]
    given = {key: value for each in arguments if isinstance(each, dict) for key, value in each.items()}
    if "with" in given:
        given["others"] = {other: pyarrow.Table.from_pylist(candles) for other, candles in given.pop("with").items()}
    return getattr(client, name)(*positional, **_keywords(given), **options)


def _far(done: int) -> dict[str, Any]:
    body = {"pending": True, "key": "screen", "done": done, "total": 500}
    return {"status": 202, "body": body, "headers": {"Retry-After": "1"}}


@contextmanager
def _logged() -> Iterator[list[str]]:
    """The lines that the client logs."""
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("candela_client")
    logger.addHandler(handler)
    try:
        yield lines
    finally:
        logger.removeHandler(handler)


class RequestPlayer:
    """Plays one scenario; `is_async` selects the client."""

    def __init__(self, scenario: dict[str, Any], clock: VirtualClock, is_async: bool) -> None:
        self._scenario = scenario
        self._clock = clock
        self._is_async = is_async
        self._sent: list[dict[str, Any]] = []

    def play(self) -> None:
        if self._is_async:
            self._clock.run(self._play())
            return
        try:
            self._play().send(None)
        except StopIteration:
            return
        raise AssertionError("nothing waits but the clock")

    async def _play(self) -> None:
        await (self._play_bulk() if "bulk" in self._scenario else self._play_call())

    def _start(self, answer: Callable[[dict[str, Any]], Any]) -> Any:
        def handle(request: httpx.Request) -> httpx.Response:
            path, _, query = request.url.raw_path.decode().partition("?")
            sent: dict[str, Any] = {
                "path": path,
                "method": request.method,
                "query": dict(httpx.QueryParams(query)),
                "headers": request.headers,
                "body": json.loads(request.content) if request.content else None,
                "at": round(1000 * self._clock.now),
            }
            self._sent.append(sent)
            reply = answer(sent)
            if reply == "none":
                raise httpx.ConnectError("refused")
            content = reply["text"] if "text" in reply else json.dumps(reply["body"])
            kind = "text/html" if "text" in reply else sent["headers"]["accept"]
            headers = {"Content-Type": kind, **reply.get("headers", {})}
            return httpx.Response(reply["status"], headers=headers, content=content.encode())

        transport: Any = httpx.MockTransport(handle)
        wait_seconds = self._scenario.get("waitSeconds", 60)
        make: Any = AsyncCandela if self._is_async else Candela
        return make("http://candela/", key="cnd_1", wait_seconds=wait_seconds, transport=transport)

    async def _outcome(self, ask: Callable[[], Any]) -> Any:
        try:
            value = ask()
            return await value if inspect.isawaitable(value) else value
        except CandelaError as error:
            return error

    async def _play_call(self) -> None:
        scenario = self._scenario
        replies = [each for reply in scenario["replies"] for each in self._repeat(reply)]
        client = self._start(lambda _: replies[min(len(self._sent), len(replies)) - 1])
        done: list[int] = []
        options = {"on_progress": lambda each: done.append(each["done"])} if "progress" in scenario else {}
        method, *arguments = scenario["call"]
        with _logged() as lines:
            outcome = await self._outcome(lambda: call(client, method, arguments, options))
        assert lines == scenario.get("says", [])
        if "error" in scenario:
            self._expect_error(outcome)
        elif not isinstance(outcome, Table):
            assert outcome == scenario["answer"]
        assert len(self._sent) == scenario.get("count", len(scenario["sent"]))
        for sent, expected in zip(self._sent, scenario["sent"], strict=False):
            self._expect_sent(sent, expected)
        self._expect_sent(self._sent[-1], scenario.get("last", {}))
        assert done == list(range(scenario.get("progress", 0)))

    @staticmethod
    def _repeat(reply: Any) -> list[Any]:
        return [_far(done) for done in range(reply["pending"])] if "pending" in reply else [reply]

    def _expect_error(self, error: Any) -> None:
        assert isinstance(error, CandelaError)
        found = {"message": str(error), "status": error.status, "retryAfter": error.retry_after}
        assert found == {"retryAfter": None, **self._scenario["error"]}

    @staticmethod
    def _expect_sent(sent: dict[str, Any], expected: dict[str, Any]) -> None:
        fields = {name: value for name, value in expected.items() if name != "headers"}
        assert matches(sent, fields)
        for name, value in expected.get("headers", {}).items():
            assert sent["headers"].get(name) == value

    async def _play_bulk(self) -> None:
        scenario = self._scenario
        plan = scenario["plan"]
        answered = 0

        def answer(sent: dict[str, Any]) -> dict[str, Any]:
            nonlocal answered
            constructs = sent["body"]["constructs"]
            if len(constructs) > plan:
                error = f"Too many constructs. Your plan allows {plan} construct(s) per bulk request."
                return {"status": 429, "body": {"error": error}, "headers": {"Retry-After": "15"}}
            answered += 1
            results = {each["id"]: {inner["id"]: answered for inner in each["indicators"]} for each in constructs}
            return {"status": 200, "body": results}

        client = self._start(answer)
        outcome = await self._outcome(lambda: client.bulk_results(self._constructs(scenario["bulk"])))
        assert self._requests() == scenario["requests"]
        if "error" in scenario:
            self._expect_error(outcome)
        if "results" in scenario:
            assert list(outcome) == list(scenario["results"])
            for name, counts in scenario["results"].items():
                values = [request for request, count in counts.items() for _ in range(count)]
                assert list(outcome[name].items()) == [(f"i{at}", value) for at, value in enumerate(values)]
        if "then" in scenario:
            await self._outcome(lambda: client.bulk_results(self._constructs(scenario["then"]["bulk"])))
            assert self._requests() == scenario["then"]["requests"]

    def _constructs(self, sizes: list[int]) -> list[dict[str, Any]]:
        duplicate = self._scenario.get("duplicate")
        constructs: list[dict[str, Any]] = [
            {
                "id": f"c{0 if duplicate == 'construct' else at}",
                **{"exchange": "demo", "symbol": f"S{at}", "timeframe": "1h"},
                "indicators": [{"id": f"i{place}", "indicator": "rsi"} for place in range(size)],
            }
            for at, size in enumerate(sizes)
        ]
        if duplicate == "indicator":
            constructs[0]["indicators"][-1]["id"] = "i3"
        return constructs

    def _requests(self) -> list[list[str]]:
        requests = [[each["id"] for each in sent["body"]["constructs"]] for sent in self._sent]
        self._sent.clear()
        return requests
