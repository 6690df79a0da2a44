"""The scenarios that the TypeScript client plays as well."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from request_scenario import RequestPlayer
from stream_scenario import StreamPlayer
from virtual_clock import VirtualClock

_FOLDER = Path(__file__).parents[2] / "test" / "scenarios"


def read_scenarios(name: str) -> Any:
    return yaml.safe_load((_FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))


_STREAMS = read_scenarios("streams")


@pytest.mark.parametrize("scenario", _STREAMS["scenarios"], ids=lambda each: each["title"])
def test_streams(scenario: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = VirtualClock(monkeypatch)
    clock.run(StreamPlayer(scenario, _STREAMS, clock).play(monkeypatch))


@pytest.mark.parametrize("is_async", [False, True], ids=["Candela", "AsyncCandela"])
@pytest.mark.parametrize("scenario", read_scenarios("requests")["scenarios"], ids=lambda each: each["title"])
def test_requests(scenario: dict[str, Any], is_async: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    RequestPlayer(scenario, VirtualClock(monkeypatch), is_async).play()
