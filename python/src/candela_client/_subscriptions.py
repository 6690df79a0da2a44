"""Followed subscriptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._continuity import Continuity
from ._errors import CandelaError
from ._requests import given
from ._stream import AskBulk, Unanswered
from ._unread import UpdateQueue
from .types import Subscription


def _refuse_duplicates(subscriptions: Sequence[Subscription]) -> None:
    """The ids of updates are those of subscriptions, which the service compares case-insensitively."""
    ids = set()
    for subscription in subscriptions:
        name = subscription.id
        if name.lower() in ids:
            raise CandelaError(f'Duplicate subscription id "{name}"', 400)
        ids.add(name.lower())


class Subscriptions(Unanswered):
    """Followed subscriptions. Raises CandelaError if two have the same id."""

    has_ids = True

    def __init__(self, subscriptions: Sequence[Subscription], ask: AskBulk) -> None:
        _refuse_duplicates(subscriptions)
        self.unread = UpdateQueue()
        self._continuity = Continuity(subscriptions, ask, self.unread.push)
        self.requests = [self._request(each) for each in subscriptions]

    @staticmethod
    def _request(subscription: Subscription) -> dict[str, Any]:
        fields = {**vars(subscription), "candle_close": subscription.candle_close or None}
        interval = fields.pop("timeframe")
        return given({"type": "subscribe", **fields, "interval": interval})

    def receive(self, message: dict[str, Any]) -> bool:
        if message["type"] != "update":
            return False
        self._continuity.receive({name: message[name] for name in ("id", "data", "closed", "age") if name in message})
        return True

    def is_accepted(self, id: str | None) -> bool:
        return self._continuity.has_updates(id)

    def reset(self) -> None:
        self._continuity.reset()
