"""Items that were received, but not read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from typing import Any, Generic, TypeVar

from .types import Update

Item = TypeVar("Item")


class Unread(Generic[Item]):
    """Unread items by keys."""

    def __init__(self) -> None:
        #: In the order in which they are read.
        self.items: dict[str, Item] = {}
        self._event = asyncio.Event()

    @property
    def size(self) -> int:
        """The number of unread items."""
        return len(self.items)

    def put(self, key: str, item: Item) -> None:
        """Appends an item, which replaces the item with its key."""
        self.items.pop(key, None)
        self.items[key] = item
        self.wake()

    def take_all(self) -> Iterator[Item]:
        """Takes out all items, oldest first."""
        while self.items:
            yield self.items.pop(next(iter(self.items)))

    def wake(self) -> None:
        """Must be called when there is something to read."""
        self._event.set()

    async def until(self, ended: asyncio.Future[Any]) -> AsyncGenerator[Item, None]:
        """The items as they arrive, until `ended` is done and all earlier items were read."""
        ended.add_done_callback(lambda _: self.wake())
        while True:
            self._event.clear()
            for item in self.take_all():
                yield item
            if self.size == 0:
                if ended.done():
                    return
                await self._event.wait()


class UpdateQueue(Unread[Update]):
    """Updates by subscription and candle.

    A newer forming state replaces an unread one of the same candle, so that a slow reader has at most one of them per
    subscription and candle.
    """

    def __init__(self) -> None:
        super().__init__()
        self._closed = 0

    def push(self, update: Update) -> None:
        """Adds an update."""
        key = f"{update['data']['timestamp']} {update['id']}"
        known = self.items.get(key)
        if update["closed"]:
            self.items.pop(key, None)
            # Several bars of a chart may close at one time.
            key = f"{self._closed}"
            self._closed += 1
        # A replaced update keeps its mark of a gap.
        self.put(key, {**update, "gap": True} if known and known.get("gap") else update)
