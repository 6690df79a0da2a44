"""Plays the scenarios of test/scenarios/streams.yaml, which explains their fields and steps."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from virtual_clock import VirtualClock, settle
from websockets.exceptions import ConnectionClosedError

from candela_client import AsyncCandela, CandelaError, Subscription

_LOST: Any = object()


class FakeSocket:
    """A connection whose other end is the test."""

    def __init__(self, address: str = "") -> None:
        self.address = address
        self.sent: list[dict[str, Any]] = []
        self.is_open = False
        self.is_closed = False
        self.seen = 1
        self._messages: asyncio.Queue[Any] = asyncio.Queue()
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def open(self) -> None:
        await self._opened
        self.is_open = True

    async def send(self, text: str) -> None:
        self.sent.append(json.loads(text))

    async def recv(self) -> str:
        message = await self._messages.get()
        if message is _LOST:
            raise ConnectionClosedError(None, None)
        return str(message)

    @property
    def transport(self) -> FakeSocket:
        return self

    def close(self) -> None:
        self.is_closed = True

    def accept(self) -> None:
        if not self._opened.done():
            self._opened.set_result(None)

    def say(self, message: Any) -> None:
        self._messages.put_nowait(message if isinstance(message, str) else json.dumps(message))

    def lose(self) -> None:
        if not self._opened.done():
            self._opened.set_exception(OSError("refused"))
        self._messages.put_nowait(_LOST)


def _numbers(pair: list[int]) -> range:
    return range(pair[0], pair[1] + 1)


def _matches(values: dict[str, float] | None) -> list[dict[str, Any]]:
    return [{"symbol": symbol, "timestamp": 60, "c": value} for symbol, value in (values or {}).items()]


def _number(value: float) -> str:
    return f"{value:g}" if value % 1 else f"{int(value)}"


def _row(item: Any) -> str:
    if "matches" in item:
        come = [f"{match['symbol']}={match['c']}" for match in [*item["entered"], *item["changed"]]]
        gone = [f"-{symbol}" for symbol in item["left"]]
        return f"{' '.join([*come, *gone])} : {''.join(sorted(match['symbol'] for match in item['matches']))}"
    if "measures" in item:
        values = zip(item["timestamp"], item["measures"]["up"]["value"], strict=True)
        return " ".join(f"{_number(time / 60)}={_number(value)}" for time, value in values)
    if "data" not in item:
        return str(item["id"].removeprefix("alert:"))
    data = item["data"]
    marks = (" closed" if item["closed"] else "") + (" gap" if item.get("gap") else "")
    row = f"{_number(data['timestamp'] / 60)}={_number(data['rsi'])}{marks}"
    return row if item["id"] == "a" else f"{item['id']} {row}"


def matches(found: Any, expected: Any) -> bool:
    """Whether a value has at least what is expected."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(name in found and matches(found[name], expected[name]) for name in expected)
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(matches, found, expected))
    return bool(found == expected)


class StreamPlayer:
    """Plays one scenario."""

    def __init__(self, scenario: dict[str, Any], common: dict[str, Any], clock: VirtualClock) -> None:
        self._scenario = scenario
        self._common = common
        self._clock = clock
        clock.begin = common["now"] * 60
        self._follow = scenario.get("follow")
        given = [{**common["subscription"], **each} for each in scenario.get("subscriptions", [{}])]
        self._subscriptions = [
            Subscription(**{"candle_close" if name == "candleClose" else name: value for name, value in each.items()})
            for each in given
        ]
        self._sockets: list[FakeSocket] = []
        self._came: dict[str, list[Any]] = {"read": [], "states": [], "progress": [], "asked": []}
        self._error: CandelaError | None = None
        self._next: asyncio.Task[Any] | None = None
        self._reading: asyncio.Task[None] | None = None

    async def play(self, patch: pytest.MonkeyPatch) -> None:
        patch.setattr("candela_client._stream.connect", self._connect)
        patch.setattr("random.random", lambda: 0)
        client = AsyncCandela("http://candela", key="cnd_1")
        patch.setattr(client, "bulk_results", self._answer)
        self._items = self._stream(client)
        if not self._scenario.get("slow"):
            self.readAll(None)
        await settle()
        for step in self._scenario["steps"]:
            name, value = (step, None) if isinstance(step, str) else next(iter(step.items()))
            result = getattr(self, name)(value)
            if result is not None:
                await result
            await settle()
        assert self._error is None, "what no step expects"
        if self._reading:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        await self._items.aclose()
        await client.close()
        await settle()
        assert all(socket.is_closed for socket in self._sockets if socket.is_open)
        assert len(asyncio.all_tasks()) <= 2, "tasks that are left"

    def _stream(self, client: AsyncCandela) -> AsyncGenerator[Any, None]:
        if self._follow == "alerts":
            return client.stream_alerts(on_state=self._state)
        if self._follow == "screen":
            return client.stream_screen(
                **self._common["screen"], on_state=self._state, on_progress=self._came["progress"].append
            )
        if self._follow == "breadth":
            return client.stream_breadth(
                **self._common["breadth"], on_state=self._state, on_progress=self._came["progress"].append
            )
        return client.stream(self._subscriptions, on_state=self._state)

    def _state(self, state: str, reason: CandelaError | None) -> None:
        self._came["states"].append(f"{state} {reason}" if reason else state)

    async def _connect(self, address: str, **_: Any) -> FakeSocket:
        socket = FakeSocket(address)
        self._sockets.append(socket)
        await socket.open()
        return socket

    async def _answer(self, constructs: list[dict[str, Any]]) -> dict[str, Any]:
        history = self._scenario.get("history")
        if not history:
            raise CandelaError("unreachable", 0)
        self._came["asked"].append([each for construct in constructs for each in construct["indicators"]])
        return {
            construct["id"]: {each["id"]: self._values(history, each) for each in construct["indicators"]}
            for construct in constructs
        }

    @staticmethod
    def _values(history: dict[str, Any], asked: dict[str, Any]) -> dict[str, list[float]]:
        if asked["results"] == "max":
            rows = history["bars"]
        else:
            first = max(history["from"], history["to"] - asked["results"] + 1)
            rows = [(minute, minute) for minute in range(first, history["to"] + 1)]
        return {"value": [value for _, value in rows], "timestamp": [minute * 60 for minute, _ in rows]}

    def _take(self, kind: str) -> list[Any]:
        taken = list(self._came[kind])
        self._came[kind].clear()
        return taken

    @property
    def _last(self) -> FakeSocket:
        return self._sockets[-1]

    # Steps of the service.

    async def accept(self, _: None) -> None:
        socket = self._last
        socket.accept()
        await settle()
        socket.say({"type": "auth_ok"})
        await settle()
        if self._follow == "alerts":
            socket.say({"type": "alerts_ok"})
        await settle()

    def open(self, _: None) -> None:
        self._last.accept()

    def say(self, message: Any) -> None:
        self._last.say(message)

    def screen(self, change: dict[str, Any]) -> None:
        if "matches" in change:
            state = {"matches": _matches(change["matches"]), "screened": 3, "failed": []}
            self.say({"type": "screen_ok", "id": "screen", **state})
        else:
            come = {name: _matches(change.get(name)) for name in ("entered", "changed")}
            self.say({"type": "screen_update", "id": "screen", **come, "left": change.get("left", [])})

    def breadth(self, row: str) -> None:
        pairs = [pair.split("=") for pair in row.removeprefix("first ").split()]
        values = {"up": {"value": [int(value) for _, value in pairs], "markets": [3] * len(pairs)}}
        kind = "breadth_ok" if row.startswith("first ") else "breadth_update"
        found = {"timestamp": [60 * int(minute) for minute, _ in pairs], "measures": values, "forming": True}
        self.say({"type": kind, "id": "breadth", **found, "screened": 3, "failed": []})

    def update(self, row: str) -> None:
        found = re.fullmatch(r"(\d+)=([\d.]+)( closed)?", row)
        assert found
        self._update(int(found[1]), float(found[2]), bool(found[3]))

    def _update(self, minute: int, value: float, closed: bool) -> None:
        named = {"subscription": "demo:btcusdt:1m", "indicator": "rsi", "params": {"period": 14}}
        data = {"rsi": value, "timestamp": minute * 60}
        for each in self._subscriptions:
            if each.symbol == self._common["subscription"]["symbol"] and (closed or not each.candle_close):
                extra = {"chart": each.chart} if each.chart else {}
                self.say({"type": "update", "id": each.id, **named, **extra, "closed": closed, "data": data})

    def closed(self, minutes: list[int]) -> None:
        for minute in _numbers(minutes):
            self._update(minute, minute, True)

    def alerts(self, numbers: list[int]) -> None:
        for at in _numbers(numbers):
            self.say({"type": "alert", "id": f"alert:{at}"})

    def lose(self, _: None) -> None:
        self._last.lose()

    async def reconnect(self, _: None) -> None:
        self._last.lose()
        await asyncio.sleep(0.25)
        await settle()
        await self.accept(None)

    # Steps of the clock.

    async def wait(self, ms: float) -> None:
        await asyncio.sleep(ms / 1000)

    def time(self, minute: float) -> None:
        self._clock.begin = minute * 60 - self._clock.now

    # Expectations.

    def read(self, rows: list[Any]) -> None:
        assert list(map(_row, self._take("read"))) == list(map(str, rows))

    def numbers(self, pair: list[int]) -> None:
        suffix = "{0}" if self._follow == "alerts" else "{0}={0} closed"
        assert list(map(_row, self._take("read"))) == [suffix.format(at) for at in _numbers(pair)]

    def whole(self, items: list[Any]) -> None:
        assert self._take("read") == items

    def states(self, states: list[str]) -> None:
        assert self._take("states") == states

    def progress(self, progress: list[Any]) -> None:
        assert self._take("progress") == progress

    def asked(self, requests: list[Any]) -> None:
        assert matches(self._take("asked"), requests)

    def sent(self, expected: list[Any]) -> None:
        socket = self._last
        assert socket.sent[socket.seen :] == expected
        socket.seen = len(socket.sent)

    def address(self, expected: str) -> None:
        assert self._last.address == expected, self._last.address

    def connections(self, count: int) -> None:
        assert len(self._sockets) == count

    def ended(self, is_closed: bool) -> None:
        assert self._last.is_closed is is_closed

    def error(self, expected: dict[str, Any]) -> None:
        assert self._error and (str(self._error), self._error.status) == (expected["message"], expected["status"])
        self._error = None

    # Steps of a slow reader.

    def begin(self, _: None) -> None:
        self._next = asyncio.ensure_future(anext(self._items))

    async def next(self, row: Any) -> None:
        item = await (self._next or anext(self._items))
        self._next = None
        assert _row(item) == str(row)

    def readAll(self, _: None) -> None:
        self._reading = asyncio.ensure_future(self._read_all())

    async def _read_all(self) -> None:
        try:
            async for item in self._items:
                self._came["read"].append(item)
        except CandelaError as error:
            self._error = error
