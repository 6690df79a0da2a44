"""What was received and not read yet."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from typing import Any, Generic, TypeVar

from .types import Update

Item = TypeVar("Item")


class Unread(Generic[Item]):
    """What was received and not read yet, by keys."""

    def __init__(self) -> None:
        #: In the order in which they are read.
        self.items: dict[str, Item] = {}
        self._event = asyncio.Event()

    @property
    def size(self) -> int:
        """Items that wait to be read."""
        return len(self.items)

    def put(self, key: str, item: Item) -> None:
        """Puts an item behind all others, in the place of that with its key."""
        self.items.pop(key, None)
        self.items[key] = item
        self.wake()

    def take_all(self) -> Iterator[Item]:
        """Takes out all items, oldest first."""
        while self.items:
            yield self.items.pop(next(iter(self.items)))

    def wake(self) -> None:
        """To be called when there is something to read."""
        self._event.set()

    async def until(self, ended: asyncio.Future[Any]) -> AsyncGenerator[Item, None]:
        """The items as they arrive, until `ended` is done and all that arrived before were read."""
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

    A forming state that was not read yet is replaced by a newer one of the same candle, so that a slow reader has at most
    one of them per subscription and candle.
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
        # The mark of a gap stays when the update that has it is replaced.
        self.put(key, {**update, "gap": True} if known and known.get("gap") else update)
