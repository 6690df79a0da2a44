"""The scenarios that the TypeScript client plays as well."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from request_scenario import RequestPlayer
from stream_scenario import FakeSocket, StreamPlayer
from virtual_clock import VirtualClock, settle

from candela_client._stream import _Connection

_FOLDER = Path(__file__).parents[2] / "test" / "scenarios"


def read_scenarios(name: str) -> Any:
    return yaml.safe_load((_FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))


_STREAMS = read_scenarios("streams")


@pytest.mark.parametrize("scenario", _STREAMS["scenarios"], ids=lambda each: each["title"])
def test_streams(scenario: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = VirtualClock(monkeypatch)
    clock.run(StreamPlayer(scenario, _STREAMS, clock).play(monkeypatch))


@pytest.mark.parametrize("turns", range(6))
def test_a_connection_ends_where_a_message_comes_at_the_same_time(turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    async def end() -> bool:
        socket = FakeSocket()
        monkeypatch.setattr("candela_client._stream.connect", lambda *_, **__: asyncio.sleep(0, socket))
        followed: Any = SimpleNamespace(requests=[])
        running = asyncio.ensure_future(_Connection(followed, "http://x", lambda _: True, lambda: None).run("k"))
        await settle()
        socket.say({"type": "pong"})
        for _ in range(turns):
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.wait([running], timeout=1)
        return socket.is_closed and running.done()

    assert VirtualClock(monkeypatch).run(end())


@pytest.mark.parametrize("is_async", [False, True], ids=["Candela", "AsyncCandela"])
@pytest.mark.parametrize("scenario", read_scenarios("requests")["scenarios"], ids=lambda each: each["title"])
def test_requests(scenario: dict[str, Any], is_async: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    RequestPlayer(scenario, VirtualClock(monkeypatch), is_async).play()
