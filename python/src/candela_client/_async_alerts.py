"""Alerts and lists, asynchronously."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal
from urllib.parse import quote

from ._indicators import Adjustment, Timeframe
from ._requests import Request, given, post_json
from .types import Alert, AlertTest, DeadLetter, NamedList


class AsyncAlerts:
    """The methods for alerts and lists, and for exchanges, symbols and indicators."""

    async def _json(self, request: Request) -> Any:
        raise NotImplementedError

    async def lists(self) -> list[NamedList]:
        """The lists of symbols of the key, in the order of their names."""
        answer: list[NamedList] = (await self._json(Request("/lists")))["lists"]
        return answer

    async def read_list(self, name: str) -> NamedList:
        """One list."""
        answer: NamedList = await self._json(Request(_list_path(name)))
        return answer

    async def store_list(self, name: str, symbols: Sequence[str]) -> NamedList:
        """Stores a list, which replaces a list of the same name.

        `list:<name>` among `symbols` adds the symbols of that list.
        """
        answer: NamedList = await self._json(post_json("/lists", given(locals())))
        return answer

    async def delete_list(self, name: str) -> NamedList:
        """Deletes a list."""
        answer: NamedList = await self._json(Request(_list_path(name), method="DELETE", is_change=True))
        return answer

    async def create_alert(
        self,
        expression: str,
        *,
        exchange: str,
        timeframe: Timeframe,
        adjustment: Adjustment | None = None,
        symbol: str | None = None,
        symbols: Sequence[str] | None = None,
        quote: str | None = None,
        on: Literal["close", "update"] | None = None,
        trigger: Literal["edge", "level"] | None = None,
        chart: str | None = None,
        settled: int | None = None,
        webhook: str | None = None,
        email: str | None = None,
        format: Literal["candela", "json", "text", "discord", "slack", "telegram", "ntfy", "html"] | None = None,
        template: str | None = None,
        name: str | None = None,
    ) -> Alert:
        """Creates an alert over a market, several markets, or all whose symbols end with `quote`."""
        answer: Alert = await self._json(post_json("/alerts", given(locals()), is_change=True))
        return answer

    async def alerts(self) -> list[Alert]:
        """The alerts of the key, oldest first."""
        answer: list[Alert] = (await self._json(Request("/alerts")))["alerts"]
        return answer

    async def pause_alert(self, id: str) -> Alert:
        """Pauses an alert. Candles that end during the pause fire nothing, and undelivered messages are dropped."""
        answer: Alert = await self._json(post_json(_alert_path(id), {"paused": True}))
        return answer

    async def resume_alert(self, id: str) -> Alert:
        """Resumes a paused alert."""
        answer: Alert = await self._json(post_json(_alert_path(id), {"paused": False}))
        return answer

    async def test_alert(self, id: str) -> AlertTest:
        """Sends a message marked as a test, once, to the destination of the alert."""
        answer: AlertTest = await self._json(post_json(f"{_alert_path(id)}/test", {}, is_change=True))
        return answer

    async def delete_alert(self, id: str) -> Alert:
        """Deletes an alert and its undelivered messages."""
        answer: Alert = await self._json(Request(_alert_path(id), method="DELETE", is_change=True))
        return answer

    async def dead_letters(self) -> list[DeadLetter]:
        """The messages that could not be delivered, newest first."""
        answer: list[DeadLetter] = (await self._json(Request("/alerts/dead-letters")))["deadLetters"]
        return answer

    async def exchanges(self) -> list[str]:
        """The identifiers of all exchanges."""
        answer: list[str] = (await self._json(Request("/exchanges")))["exchanges"]
        return answer

    async def symbols(self, exchange: str) -> list[str]:
        """The symbols of an exchange."""
        path = f"/exchanges/{quote(exchange, safe='')}/symbols"
        answer: list[str] = (await self._json(Request(path)))["symbols"]
        return answer

    async def indicators(
        self, *, category: str | None = None, search: str | None = None, tier: Literal[1, 2, 3] | None = None
    ) -> list[dict[str, Any]]:
        """All indicators with their parameters and outputs, or the matches of a search."""
        answer: list[dict[str, Any]] = (await self._json(Request("/indicators", given(locals()))))["indicators"]
        return answer


def _list_path(name: str) -> str:
    return f"/lists/{quote(name, safe='')}"


def _alert_path(id: str) -> str:
    return f"/alerts/{quote(id, safe='')}"
