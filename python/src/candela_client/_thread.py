"""Streams for programs without `await`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing
from typing import Any, TypeVar

from ._stream import Begin, OnState

Item = TypeVar("Item")

_ENDED: Any = object()


def in_thread(begin: Begin[Item], on_state: OnState | None, **settings: Any) -> Generator[Item, None, None]:
    """Follows the result of `begin` in a thread, which receives while the caller does not read.

    `settings` are those of the asynchronous client, which calls `on_state`.
    """
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="candela stream", daemon=True)
    thread.start()
    items = _follow(begin, on_state, settings)

    async def next_item() -> Item:
        return await anext(items, _ENDED)

    async def end() -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await items.aclose()
        await loop.shutdown_asyncgens()

    try:
        while (item := asyncio.run_coroutine_threadsafe(next_item(), loop).result()) is not _ENDED:
            yield item
    finally:
        asyncio.run_coroutine_threadsafe(end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _follow(begin: Begin[Item], on_state: OnState | None, settings: dict[str, Any]) -> AsyncGenerator[Item, None]:
    from ._async_client import AsyncCandela

    async with AsyncCandela(**settings) as client, aclosing(client._follow(begin, on_state)) as items:
        async for item in items:
            yield item
