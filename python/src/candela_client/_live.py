"""Live screens and alerts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from ._stream import MAX_UNREAD, Unanswered
from ._unread import Unread
from .types import AlertMessage, BreadthResult, ScreenProgress, ScreenUpdate

#: Number of remembered alert ids; at least the number of alerts that may be unread.
_MAX_KNOWN = 2 * MAX_UNREAD

Item = TypeVar("Item")
Matches = dict[str, dict[str, Any]]


class _UnreadMatches(Unread[ScreenUpdate]):
    """The state of a screen, as the difference from the state that was read last.

    Unread changes are merged into one difference, so that a slow reader needs no more memory than the matches.
    """

    def __init__(self) -> None:
        super().__init__()
        #: Matches by symbol.
        self.found: Matches = {}
        self._read: Matches | None = None
        self._counted: dict[str, Any] = {"screened": 0, "failed": []}
        self._is_new = False

    @property
    def size(self) -> int:
        return int(self._is_new)

    def replace(self, matches: Matches, message: Mapping[str, Any]) -> None:
        """Replaces the whole state, and the other facts of a message."""
        self.found = matches
        counted = {name: message.get(name, self._counted[name]) for name in ("screened", "failed")}
        self._counted = {**counted, "stale": message["stale"]} if "stale" in message else counted
        self._is_new = True
        self.wake()

    def take_all(self) -> Iterator[ScreenUpdate]:
        if not self._is_new:
            return
        self._is_new = False
        found, before = self.found, self._read
        self._read = found
        known = before or {}
        entered = [match for symbol, match in found.items() if symbol not in known]
        changed = [match for symbol, match in found.items() if symbol in known and known[symbol] != match]
        left = [symbol for symbol in known if symbol not in found]
        # The first state is an update even without matches.
        if before is None or entered or changed or left:
            changes = {"entered": entered, "changed": changed, "left": left}
            update: Any = {"matches": list(found.values()), **self._counted, **changes}
            yield update


class _LiveMarkets(Unanswered, Generic[Item]):
    """A followed screen or breadth. Every connection begins with its whole state."""

    has_ids = False
    kind: str
    unread: Unread[Item]

    def __init__(self, request: Mapping[str, Any], on_progress: Callable[[ScreenProgress], None] | None) -> None:
        self.requests = [{**request, "type": self.kind, "id": self.kind}]
        self._on_progress = on_progress
        self._is_accepted = False

    def take(self, message: dict[str, Any]) -> None:
        """Processes a whole state or a change."""
        raise NotImplementedError

    def receive(self, message: dict[str, Any]) -> bool:
        if not message["type"].startswith(f"{self.kind}_"):
            return False
        if "done" not in message:
            self.take(message)
            self._is_accepted = True
        elif self._on_progress:
            self._on_progress({"done": message["done"], "total": message["total"]})
        return True

    def is_accepted(self, id: str | None) -> bool:
        return self._is_accepted

    def reset(self) -> None:
        """Keeps the state that was read last, because the next connection's first state is compared with it."""


class LiveScreen(_LiveMarkets[ScreenUpdate]):
    """A followed screen."""

    kind = "screen"

    def __init__(self, request: Mapping[str, Any], on_progress: Callable[[ScreenProgress], None] | None) -> None:
        super().__init__(request, on_progress)
        self._matches = _UnreadMatches()
        self.unread = self._matches

    def take(self, message: dict[str, Any]) -> None:
        if message["type"] == "screen_ok":
            self._matches.replace({match["symbol"]: match for match in message["matches"]}, message)
        elif message["type"] == "screen_update":
            found = {symbol: match for symbol, match in self._matches.found.items() if symbol not in message["left"]}
            come = [*message["entered"], *message["changed"]]
            self._matches.replace({**found, **{match["symbol"]: match for match in come}}, message)


class LiveBreadth(_LiveMarkets[BreadthResult]):
    """A followed breadth. Newer values replace unread values of the same candles."""

    kind = "breadth"

    def __init__(self, request: Mapping[str, Any], on_progress: Callable[[ScreenProgress], None] | None) -> None:
        super().__init__(request, on_progress)
        self.unread = Unread[BreadthResult]()

    def take(self, message: dict[str, Any]) -> None:
        values: Any = {name: value for name, value in message.items() if name not in ("type", "id")}
        self.unread.put(f"{values['timestamp']}", values)


class AlertInbox:
    """The alerts of the key without a webhook and an e-mail address, in the order of arrival, each once.

    The service stores each alert until it is acknowledged, which happens when the reader requests the next one.
    """

    has_ids = False

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = [{"type": "alerts", "ack": True}]
        self.answers: list[dict[str, Any]] = []
        self.unread = Unread[AlertMessage]()
        #: The ids of the newest alerts, oldest first, and whether each was read.
        self._known: dict[str, bool] = {}
        self._is_accepted = False
        #: Earlier services do not support acknowledgements.
        self._acknowledges = False

    def receive(self, message: dict[str, Any]) -> bool:
        if message["type"] == "alert":
            self._push(message)
        elif message["type"] == "alerts_ok":
            self._is_accepted = True
            self._acknowledges = message.get("ack") is True
        else:
            return False
        return True

    def is_accepted(self, id: str | None) -> bool:
        return self._is_accepted

    def reset(self) -> None:
        """Keeps the alerts that were read, because the service may send them again."""
        self.answers.clear()

    def taken(self, item: AlertMessage) -> None:
        self._known[item["id"]] = True
        if self._acknowledges:
            self.answers.append({"type": "alert_ack", "id": item["id"]})

    def _push(self, alert: Any) -> None:
        known = self._known.get(alert["id"])
        if known is not None:
            # The acknowledgement has not arrived.
            if known:
                self.taken(alert)
            return
        self._known[alert["id"]] = False
        if len(self._known) > _MAX_KNOWN:
            del self._known[next(iter(self._known))]
        self.unread.put(alert["id"], alert)
