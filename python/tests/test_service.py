"""Both clients against a service whose markets move when a test lets time pass, at the address CANDELA_CLOCK."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, closing, contextmanager
from typing import Any

import httpx
import pytest
import websockets.asyncio.client
from request_scenario import call
from test_scenarios import read_scenarios

from candela_client import AsyncCandela, Candela, CandelaError, Subscription, Table
from candela_client.types import Market, Update

URL = os.environ["CANDELA_URL"]
KEY = os.environ["CANDELA_KEY"]
MARKET: Market = {"exchange": "demo", "symbol": "BTCUSDT", "timeframe": "1m"}
SUBSCRIPTIONS = [
    Subscription(id="short", **MARKET, indicator="sma", params={"period": 5}),
    Subscription(id="long", **MARKET, indicator="sma", params={"period": 50}),
    Subscription(id="closed", **MARKET, indicator="sma", candle_close=True),
    Subscription(
        id="bars", **MARKET, indicator="expression", params={"expression": "close"}, chart="range:0.5", candle_close=True
    ),
    Subscription(id="up", **MARKET, indicator="expression", params={"expression": "close > open"}),
]


@pytest.fixture(scope="module")
def client() -> Iterator[Candela]:
    with Candela(URL, key=KEY) as client:
        yield client


_CLOCK = httpx.Client(base_url=os.environ["CANDELA_CLOCK"])


def let_pass(seconds: float) -> None:
    _CLOCK.post(f"/{seconds}")


@contextmanager
def time_passing() -> Iterator[None]:
    """Lets the time of the markets pass."""
    ended = threading.Event()

    def go_on() -> None:
        while not ended.wait(0.02):
            let_pass(7)

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


class Network:
    """The connector of a test's streams."""

    def __init__(self) -> None:
        self._connections: list[Any] = []
        self._is_reachable = True

    async def connect(self, *args: Any, **options: Any) -> Any:
        if not self._is_reachable:
            raise OSError("unreachable")
        connection = await websockets.asyncio.client.connect(*args, **options)
        self._connections.append(connection)
        return connection

    def let_pass_unseen(self, seconds: float) -> None:
        """Breaks the newest connection, and lets time pass while no connection can be opened."""
        self._is_reachable = False
        connection = self._connections[-1]
        connection.loop.call_soon_threadsafe(connection.transport.abort)
        let_pass(seconds)
        self._is_reachable = True


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    network = Network()
    monkeypatch.setattr("candela_client._stream.connect", network.connect)
    return network


def as_json(answer: Any, reply: Any) -> Any:
    """The result of a method in the form of the service's JSON."""
    if not isinstance(answer, Table):
        return answer
    rows = answer.rows()
    if isinstance(reply, list):
        named = [{"timestamp": int(row.pop("time").timestamp()), **row} for row in rows]
        return [{**row, "timestampHuman": each["timestampHuman"]} for row, each in zip(named, reply, strict=True)]
    if "matches" in reply:
        return {**reply, "matches": [{"timestamp": int(row.pop("time").timestamp()), **row} for row in rows]}
    columns = {name: [row[name] for row in rows] for name in rows[0] if name != "time"}
    timestamps = [int(row["time"].timestamp()) for row in rows]
    if "measures" in reply:
        measures = {name: {"value": columns[name], "markets": columns[f"{name}_markets"]} for name in reply["measures"]}
        return {**reply, "timestamp": timestamps, "measures": measures}
    return {**columns, "timestamp": timestamps}


@pytest.mark.parametrize("scenario", read_scenarios("service")["scenarios"], ids=lambda each: json.dumps(each["call"]))
def test_answers_and_refusals_are_those_of_the_service(scenario: dict[str, Any]) -> None:
    method, *arguments = scenario["call"]
    body, key = scenario.get("body"), scenario.get("key", KEY)
    client = Candela(URL, key=key)
    headers = {"Authorization": f"Bearer {key}", "Prefer": "wait=10"}
    raw = httpx.request("GET" if body is None else "POST", URL + scenario["path"], json=body, headers=headers)
    reply = raw.json()
    if raw.status_code != 200:
        with pytest.raises(CandelaError) as caught:
            call(client, method, arguments, {})
        assert (caught.value.status, str(caught.value)) == (raw.status_code, reply["error"])
        return
    expected = reply[scenario["part"]] if "part" in scenario else reply
    assert as_json(call(client, method, arguments, {}), expected) == expected


class Continuity:
    """Closed updates of a stream, until each subscription has enough of them."""

    def __init__(self) -> None:
        self.states: list[str] = []
        self.closed: dict[str, list[Update]] = {each.id: [] for each in SUBSCRIPTIONS}

    def on_state(self, state: str, _: CandelaError | None) -> None:
        self.states.append(state)

    def take(self, update: Update, count: int) -> bool:
        if update["closed"]:
            self.closed[update["id"]].append(update)
        return all(len(updates) >= count for updates in self.closed.values())

    def check(self, client: Candela) -> None:
        """The updates follow each other, with the values of requests."""
        assert self.states == ["open", "reconnecting", "open"]
        asked: list[tuple[str, str, Table]] = [
            ("short", "sma", client.sma(**MARKET, period=5, results=200)),
            ("long", "sma", client.sma(**MARKET, period=50, results=200)),
            ("closed", "sma", client.sma(**MARKET, results=200)),
            ("bars", "expression", client.expression("close", **MARKET, chart="range:0.5", results=400)),
            ("up", "expression", client.expression("close > open", **MARKET, results=200)),
        ]
        for name, field, table in asked:
            found = [(each["data"]["timestamp"], each["data"][field]) for each in self.closed[name]]
            rows = [(int(row["time"].timestamp()), row["value"]) for row in table.rows()]
            begin = rows.index(found[0])
            assert found == rows[begin : begin + len(found)]
            assert not any("gap" in each for each in self.closed[name])


def test_a_stream_lacks_nothing_after_its_connection_broke(client: Candela, network: Network) -> None:
    continuity = Continuity()
    with time_passing(), closing(client.stream(SUBSCRIPTIONS, on_state=continuity.on_state)) as stream:
        next(update for update in stream if continuity.take(update, 1))
        network.let_pass_unseen(600)
        next(update for update in stream if continuity.take(update, 13))
    continuity.check(client)


def test_a_stream_of_the_asynchronous_client_lacks_nothing(client: Candela, network: Network) -> None:
    continuity = Continuity()

    async def until(stream: AsyncIterator[Update], count: int) -> None:
        async for update in stream:
            if continuity.take(update, count):
                return

    async def follow() -> None:
        own = AsyncCandela(URL, key=KEY)
        async with own, aclosing(own.stream(SUBSCRIPTIONS, on_state=continuity.on_state)) as stream:
            await until(stream, 1)
            network.let_pass_unseen(600)
            await until(stream, 13)

    with time_passing():
        asyncio.run(follow())
    continuity.check(client)


def test_a_live_screen_says_which_markets_enter_and_leave(client: Candela, network: Network) -> None:
    found: set[str] = set()
    let_pass(90)
    with closing(client.stream_screen("close > open", exchange="demo", timeframe="1m")) as screen:
        for seconds in (60, 60, 0):
            # If time has passed while an update was evaluated, some of its markets are old. The next update corrects them.
            for update in screen:
                assert not found.intersection(match["symbol"] for match in update["entered"])
                found = found.difference(update["left"]).union(match["symbol"] for match in update["entered"])
                assert found == {match["symbol"] for match in update["matches"]}
                answer = client.screen("close > open", exchange="demo", timeframe="1m")
                if found == {row["symbol"] for row in answer.rows()}:
                    break
            if seconds:
                network.let_pass_unseen(seconds)


def test_a_live_breadth_has_the_values_of_an_answer_after_each_update(client: Candela, network: Network) -> None:
    request: Any = {
        "measures": {"up": "advances", "traded": "total(volume)"},
        **{"exchange": "demo", "timeframe": "1m", "symbols": ["BTCUSDT", "ETHUSDT", "SOLUSDT"], "results": 2},
    }
    known: dict[int, Any] = {}
    let_pass(20)
    with closing(client.stream_breadth(**request)) as breadth:
        for seconds, is_seen in ((10, True), (60, True), (120, False), (0, True)):
            # If time has passed while an update was evaluated, some of its markets are old. The next update corrects them.
            for update in breadth:
                assert update["failed"] == []
                values = zip(*(update["measures"][name]["value"] for name in ("up", "traded")), strict=True)
                known.update(zip(update["timestamp"], values, strict=True))
                rows = client.breadth(**request).rows()
                if sorted(known.items())[-2:] == [
                    (int(row["time"].timestamp()), (row["up"], row["traded"])) for row in rows
                ]:
                    break
            if seconds:
                (let_pass if is_seen else network.let_pass_unseen)(seconds)


def test_alerts_arrive_once_each_and_in_order(client: Candela, network: Network) -> None:
    opened = threading.Event()
    times: list[int] = []

    def listen() -> None:
        with closing(client.stream_alerts(on_state=lambda *_: opened.set())) as alerts:
            for alert in alerts:
                assert (alert["alert"], alert["symbol"], alert["closed"]) == (made["id"], "BTCUSDT", True)
                times.append(alert["timestamp"])
                if len(times) == 1:
                    network.let_pass_unseen(180)
                if len(times) == 4:
                    return

    made = client.create_alert("close > 0", **MARKET, trigger="level")
    thread = threading.Thread(target=listen)
    thread.start()
    opened.wait()
    let_pass(60)
    thread.join()
    client.delete_alert(made["id"])
    assert times == [times[0] + after for after in (0, 60, 120, 180)]


def test_streams_raise_what_the_service_refuses(client: Candela) -> None:
    wrong = [Subscription(id="x", **MARKET, indicator="sma", params={"period": 1_000_000})]
    with pytest.raises(CandelaError, match="x: Invalid period") as caught:
        next(client.stream(wrong))
    assert caught.value.status == 400
    with pytest.raises(CandelaError, match="where must be a condition"):
        next(client.stream_screen("close", exchange="demo", timeframe="1m"))
    with pytest.raises(CandelaError, match="of a single market"):
        next(client.stream_breadth({"x": "rsi(14)"}, exchange="demo", timeframe="1m"))
    with Candela(URL, key="none") as other, pytest.raises(CandelaError) as caught:
        next(other.stream_alerts())
    assert caught.value.status == 401


def test_a_stream_ends_its_thread_when_the_loop_is_left(client: Candela) -> None:
    for _ in client.stream(SUBSCRIPTIONS):
        break
    assert [thread.name for thread in threading.enumerate() if "candela" in thread.name] == []
