"""Followed subscriptions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ._continuity import Continuity
from ._errors import CandelaError
from ._requests import given
from ._stream import AskBulk, Unanswered
from ._unread import UpdateQueue
from .types import Subscription


def _topic(market: str, message: dict[str, Any]) -> str:
    """Key of a computation: the market with its chart, the indicator, all its parameters, and the settled digits."""
    params = sorted(message["params"].items())
    return json.dumps([market, message.get("chart"), message["indicator"], params, message.get("settled")])


def _refuse_duplicates(subscriptions: Sequence[Subscription]) -> None:
    """The ids of updates are those of subscriptions, which the service compares case-insensitively."""
    ids = set()
    for subscription in subscriptions:
        name = subscription.id
        if name.lower() in ids:
            raise CandelaError(f'Duplicate subscription id "{name}"', 400)
        ids.add(name.lower())


class Subscriptions(Unanswered):
    """Followed subscriptions.

    Requests their list, because updates name all parameters of an indicator and a caller gives only some. Raises
    CandelaError if two have the same id.
    """

    has_ids = True

    def __init__(self, subscriptions: Sequence[Subscription], ask: AskBulk) -> None:
        _refuse_duplicates(subscriptions)
        self.unread = UpdateQueue()
        self._subscriptions = subscriptions
        self._continuity = Continuity(subscriptions, ask, self.unread.push)
        #: The subscriptions of each topic, once this connection has listed them.
        self._followers: dict[str, list[Subscription]] | None = None
        #: Updates that arrived before the list.
        self._early: list[dict[str, Any]] = []
        self.requests = [*(self._request(each) for each in subscriptions), {"type": "list"}]

    @staticmethod
    def _request(subscription: Subscription) -> dict[str, Any]:
        fields = {**vars(subscription), "candle_close": subscription.candle_close or None}
        interval = fields.pop("timeframe")
        return given({"type": "subscribe", **fields, "interval": interval})

    def receive(self, message: dict[str, Any]) -> bool:
        if message["type"] == "subscriptions" and self._followers is None:
            self._list(message["data"])
        if message["type"] != "update":
            return False
        if self._followers is None:
            self._early.append(message)
        else:
            self._emit(message, self._followers)
        return True

    def is_accepted(self, id: str | None) -> bool:
        return self._continuity.has_updates(id)

    def reset(self) -> None:
        self._followers = None
        self._early = []
        self._continuity.reset()

    def _list(self, listed: Sequence[dict[str, Any]]) -> None:
        followers: dict[str, list[Subscription]] = {}
        for each in listed:
            exchange, symbol, interval = each["exchange"], each["symbol"], each["interval"]
            name = each["id"][len(f"{exchange}_{symbol}_{interval}_") :]
            own = next((each for each in self._subscriptions if each.id.lower() == name), None)
            if own:
                topic = _topic(f"{exchange}:{symbol}".lower() + f":{interval}", each)
                followers.setdefault(topic, []).append(own)
        self._followers = followers
        for message in self._early:
            self._emit(message, followers)
        self._early = []

    def _emit(self, message: dict[str, Any], followers: dict[str, list[Subscription]]) -> None:
        closed = message["closed"]
        for own in followers.get(_topic(message["subscription"], message), []):
            if closed or not own.candle_close:
                update = {"id": own.id, "indicator": own.indicator, "data": message["data"], "closed": closed}
                if "age" in message:
                    update["age"] = message["age"]
                self._continuity.receive(update)  # type: ignore[arg-type]
