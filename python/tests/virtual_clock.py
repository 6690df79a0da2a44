"""A clock of event loops that stands still while there is work, and then jumps to the next due time."""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

Result = TypeVar("Result")

#: Modules that read a clock or wait without a loop.
_MODULES = ("_requests", "_continuity", "_client")


class VirtualClock:
    """Replaces the clocks of the client. `time` is the time of day in Unix seconds, starting at the given one."""

    def __init__(self, patch: pytest.MonkeyPatch, begin: float = 0) -> None:
        self.now = 0.0
        self.begin = begin
        for name in _MODULES:
            patch.setattr(f"candela_client.{name}.time", self, raising=False)

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.begin + self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Runs a coroutine in a loop with this clock."""
        loop = _Loop(self)
        try:
            return loop.run_until_complete(asyncio.wait_for(work, 1e6))
        finally:
            for task in asyncio.all_tasks(loop):
                task.cancel()
            loop.run_until_complete(asyncio.sleep(0))
            loop.close()


class _Selector(selectors.SelectSelector):
    def __init__(self, clock: VirtualClock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if not ready and timeout is None:
            # Another thread has work for the loop.
            time.sleep(0.001)
        elif not ready and timeout:
            self._clock.now += timeout
        return ready


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self, clock: VirtualClock) -> None:
        self._virtual = clock
        super().__init__(_Selector(clock))

    def time(self) -> float:
        return self._virtual.now


async def settle() -> None:
    """Runs everything that is due."""
    # A shorter delay would be due at once.
    await asyncio.sleep(1e-6)
