"""Streams over one connection after the other."""

from __future__ import annotations

import asyncio
import json
import math
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from ._bulk import Construct, Results
from ._errors import CandelaError, authentication_error
from ._requests import encode, no_reply
from ._unread import Unread

Item = TypeVar("Item")
OnState = Callable[[Literal["open", "reconnecting"], "CandelaError | None"], None]
#: The results of a bulk request.
AskBulk = Callable[[Sequence[Construct]], Awaitable[Results]]

#: Seconds before a connection is opened again: doubled after each failure.
_MIN_PAUSE = 0.25
_MAX_PAUSE = 15.0
#: Maximum number of unread items. Beyond it the connection is closed until all are read.
MAX_UNREAD = 10_000
#: Silence after which a reply is requested. Without one in the next `_REPLY` seconds the connection is closed.
_SILENCE = 30
_REPLY = 15


class Followed(Protocol[Item]):
    """A stream: its requests and its unread items, independent of the connection."""

    @property
    def answers(self) -> list[dict[str, Any]]:
        """Messages to send over the present connection."""

    def taken(self, item: Item) -> None:
        """Must be called when the consumer requests the next item."""

    @property
    def requests(self) -> Sequence[dict[str, Any]]:
        """The messages that request it, the same on each connection."""

    @property
    def unread(self) -> Unread[Item]:
        """The unread items."""

    @property
    def has_ids(self) -> bool:
        """Whether the caller has chosen the ids of `requests`."""

    def receive(self, message: dict[str, Any]) -> bool:
        """Processes a message; returns whether it shows that the service has accepted a request."""

    def is_accepted(self, id: str | None) -> bool:
        """Whether the request with an id was accepted before; any request if `id` is None."""

    def reset(self) -> None:
        """Must be called when a connection has ended."""


class Unanswered:
    """A stream without answers to its items."""

    @property
    def answers(self) -> list[dict[str, Any]]:
        """No messages."""
        return []

    def taken(self, item: Any) -> None:
        """Does nothing."""


#: Creates a stream, which sends bulk requests by the given function.
Begin = Callable[[AskBulk], Followed[Item]]


@dataclass(frozen=True)
class _End:
    """The end of a connection."""

    #: The error of the service, or that it does not answer; None if an accepted connection broke.
    error: CandelaError | None = None
    #: The id of the refused request.
    id: str | None = None


def _pause(failures: int) -> float:
    """Pause in seconds: half of it is random, so that several clients that failed together do not return together."""
    longest = min(_MAX_PAUSE, _MIN_PAUSE * 2.0 ** min(failures, 30))
    return math.ceil(1000 * longest * (1 - random.random() / 2)) / 1000


async def follow(
    begin: Begin[Item], ask: AskBulk, url: str, key: str, on_state: OnState | None = None
) -> AsyncGenerator[Item, None]:
    """Follows the result of `begin`, over one connection at a time.

    Raises CandelaError if the key is refused, or a request that was never accepted.
    """
    followed = begin(ask)
    # Connections in a row without an accepted request.
    failures = 0

    def receive(message: dict[str, Any]) -> bool:
        nonlocal failures
        if followed.receive(message):
            failures = 0
        return followed.unread.size <= MAX_UNREAD

    def opened() -> None:
        if on_state:
            on_state("open", None)

    while True:
        opening = _Connection(followed, url, receive, opened)
        connection = asyncio.ensure_future(opening.run(key))
        try:
            async for item in followed.unread.until(connection):
                yield item
                followed.taken(item)
                await opening.send_answers()
            end = connection.result()
            # Otherwise another connection may have another end.
            if end.error and (end.error.status == 401 or not followed.is_accepted(end.id)):
                raise end.error
            if on_state:
                on_state("reconnecting", end.error)
        finally:
            connection.cancel()
            followed.reset()
        await asyncio.sleep(_pause(failures))
        failures += 1


async def _receive(socket: ClientConnection, seconds: float) -> str | bytes | None:
    """The next message; None if there is none within `seconds`."""
    # Before Python 3.12 asyncio.wait_for loses a cancellation that comes together with a message.
    message = asyncio.ensure_future(socket.recv())
    try:
        await asyncio.wait([message], timeout=seconds)
        return message.result() if message.done() else None
    finally:
        message.cancel()


class _Connection:
    """One connection: it authenticates, sends the requests, and notices a lost service."""

    def __init__(
        self, followed: Followed[Any], url: str, receive: Callable[[dict[str, Any]], bool], opened: Callable[[], None]
    ) -> None:
        self._followed = followed
        self._url = url
        self._receive = receive
        self._opened = opened
        #: Whether the key was accepted.
        self._is_open = False
        self._socket: ClientConnection | None = None

    async def send_answers(self) -> None:
        """Sends the pending messages; messages that an ended connection cannot send are requested again over the next."""
        try:
            while self._socket and self._followed.answers:
                await self._socket.send(json.dumps(self._followed.answers.pop(0)))
        except (ConnectionClosed, OSError):
            self._socket = None

    async def run(self, key: str) -> _End:
        """Ends with the connection, or when `receive` returns true."""
        try:
            socket = await connect(self._address(), max_size=None, ping_interval=None, open_timeout=_SILENCE)
        except (OSError, WebSocketException, asyncio.TimeoutError):
            return _End(no_reply(self._url))
        try:
            await socket.send(json.dumps({"type": "auth", "token": f"Bearer {key}"}))
            self._socket = socket
            return await self._read(socket)
        except (ConnectionClosed, OSError):
            return _End()
        finally:
            self._socket = None
            # Does not wait for the other side, which may take minutes if the service is gone.
            socket.transport.close()

    def _address(self) -> str:
        """The address names the market of the first request for one, for balancers; the service ignores the market."""
        for request in self._followed.requests:
            exchange, symbol = request.get("exchange"), request.get("symbol")
            if exchange and symbol:
                query = urlencode({"exchange": exchange, "symbol": symbol})
                return f"ws{self._url.removeprefix('http')}/streaming?{query}"
        return f"ws{self._url.removeprefix('http')}/streaming"

    async def _read(self, socket: ClientConnection) -> _End:
        while True:
            text = await self._next(socket)
            if text is None:
                return _End()
            try:
                end = await self._take(socket, json.loads(text))
            except (ValueError, TypeError, KeyError, AttributeError) as cause:
                error = CandelaError(f"A message of {self._url} is not as expected: is this the address of Candela?", 0)
                error.__cause__ = cause
                return _End(error)
            if end:
                return end

    async def _next(self, socket: ClientConnection) -> str | bytes | None:
        """The next message; None after too long a silence."""
        text = await _receive(socket, _SILENCE)
        if text is not None or not self._is_open:
            return text
        # The service answers this message on every connection.
        await socket.send(json.dumps({"type": "list"}))
        return await _receive(socket, _REPLY)

    async def _take(self, socket: ClientConnection, message: dict[str, Any]) -> _End | None:
        kind = message["type"]
        if kind == "auth_ok":
            self._is_open = True
            for request in self._followed.requests:
                await socket.send(encode(request).decode())
            self._opened()
        elif kind == "auth_error":
            return _End(authentication_error(message["error"]))
        elif kind == "error":
            name, error = message["id"], message["error"]
            is_named = name is not None and self._followed.has_ids
            return _End(CandelaError(f"{name}: {error}" if is_named else error, 400), name)
        elif not self._receive(message):
            return _End()
        else:
            await self.send_answers()
        return None
