"""Closed candles that follow each other, also after a lost connection."""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._indicators import TIMEFRAMES
from ._requests import given
from ._stream import AskBulk
from ._unread import UpdateQueue
from .types import Subscription, Update

#: Time in seconds for which subscriptions that lack candles are collected for one request.
_COLLECT = 0.1


class _Track:
    """The state of one subscription."""

    def __init__(self, subscription: Subscription) -> None:
        self.subscription = subscription
        self.seconds = TIMEFRAMES[subscription.timeframe]
        #: Whether updates come for bars that close by prices, at any time.
        chart = subscription.chart or "candles"
        self.has_own_times = chart.lower() not in ("candles", "heikinashi")
        #: The open time of the newest closed candle that was passed on; at first, that of the candle before the first
        #: update.
        self.last_closed: int | None = None
        #: Updates that wait for earlier closed candles.
        self.waiting: UpdateQueue | None = None
        #: Whether the market itself lacks candles at some times, so that a step over them is no gap.
        self.has_steps = False
        #: Whether closed candles before the next update are missing for good.
        self.is_gap = False
        #: Number of bars with the time `last_closed` that were passed on: several may have one time.
        self.bars_of_last = 0.0
        #: Whether bars may be missing since the last one: their times do not show it.
        self.lacks_bars = False
        #: Requested bars that the service sends as well, because they closed on the present connection.
        self.repeated: Sequence[dict[str, Any]] = []

    def is_repeated(self, update: Update) -> bool:
        """Whether an update repeats a requested bar, which is then removed from the repeated ones."""
        if not self.repeated:
            return False
        # A forming state of a bar that has closed since.
        if not update["closed"]:
            return True
        is_next = bool(self.repeated[0] == update["data"])
        self.repeated = self.repeated[1:] if is_next else []
        return is_next


@dataclass(frozen=True)
class _Question:
    """A track that lacks the closed candles after `after` and before `before`."""

    track: _Track
    after: int
    before: int


class Continuity:
    """Passes on the updates of all subscriptions so that their closed candles follow each other.

    Candles are missing after a time without a connection, or if the service skipped updates for a slow client. Their values
    are requested in bulk and come before the next update.
    """

    def __init__(self, subscriptions: Sequence[Subscription], ask: AskBulk, pass_on: Callable[[Update], None]) -> None:
        self._tracks = {each.id: _Track(each) for each in subscriptions}
        self._ask_bulk = ask
        self._pass_on = pass_on
        self._questions: list[_Question] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def has_updates(self, id: str | None) -> bool:
        """Whether there were updates of a subscription; of any subscription if `id` is None."""
        if id is not None:
            return id in self._tracks and self._tracks[id].last_closed is not None
        return any(track.last_closed is not None for track in self._tracks.values())

    def receive(self, received: Mapping[str, Any]) -> None:
        """Processes an update of the service. The caller gets it with the indicator as its subscription names it."""
        track = self._tracks[received["id"]]
        update: Update = {**received, "indicator": track.subscription.indicator}  # type: ignore[typeddict-item]
        if track.waiting:
            track.waiting.push(update)
        elif track.has_own_times:
            self._receive_bar(track, update)
        else:
            self._receive_candle(track, update)

    def reset(self) -> None:
        """Drops the waiting updates and requests: a new connection sends the updates again."""
        for task in self._tasks:
            task.cancel()
        self._questions = []
        for track in self._tracks.values():
            track.waiting = None
            track.has_steps = False
            track.lacks_bars = True
            track.repeated = []

    def _receive_candle(self, track: _Track, update: Update) -> None:
        timestamp, after = update["data"]["timestamp"], track.last_closed
        if after is None:
            track.last_closed = timestamp - track.seconds
        elif update["closed"] and timestamp <= after:
            return
        elif timestamp - track.seconds > after and not track.has_steps:
            self._hold_back(track, update, after)
            return
        self._deliver(track, update)

    def _receive_bar(self, track: _Track, update: Update) -> None:
        if track.lacks_bars and track.last_closed is not None:
            self._hold_back(track, update, track.last_closed)
        elif not track.is_repeated(update):
            self._deliver_bar(track, update)

    def _deliver_bar(self, track: _Track, update: Update) -> None:
        # Only the last one of the bars with the first time was sent.
        if track.last_closed is None:
            track.bars_of_last = math.inf
        else:
            is_same = update["data"]["timestamp"] == track.last_closed
            track.bars_of_last = track.bars_of_last + 1 if is_same else 1
        self._deliver(track, update)

    def _deliver(self, track: _Track, update: Update) -> None:
        if update["closed"]:
            track.last_closed = update["data"]["timestamp"]
        self._pass_on({**update, "gap": True} if track.is_gap else update)
        track.is_gap = False

    def _hold_back(self, track: _Track, update: Update, after: int) -> None:
        track.waiting = UpdateQueue()
        track.waiting.push(update)
        self._questions.append(_Question(track, after, update["data"]["timestamp"]))
        if len(self._questions) == 1:
            task = asyncio.ensure_future(self._answer())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _answer(self) -> None:
        await asyncio.sleep(_COLLECT)
        questions, self._questions = self._questions, []
        markets: dict[str, list[_Question]] = {}
        for question in questions:
            markets.setdefault(_market_of(question), []).append(question)
        groups = list(markets.values())
        try:
            results = await self._ask_bulk([_construct(f"m{at}", group) for at, group in enumerate(groups)])
        except Exception:
            # Unavailable candles are marked as a gap.
            results = {}
        for at, group in enumerate(groups):
            for place, question in enumerate(group):
                self._resume(question, results.get(f"m{at}", {}).get(f"i{place}"))

    def _resume(self, question: _Question, result: dict[str, list[Any]] | None) -> None:
        track = question.track
        waiting = list(track.waiting.take_all()) if track.waiting else []
        track.waiting = None
        times = result["timestamp"] if result else []
        track.is_gap = len(times) == 0 or times[0] > question.after
        fields = [name for name in waiting[0]["data"] if name != "timestamp"] if waiting else []
        rows = _rows_of(result, fields) if result else []
        if track.has_own_times:
            self._resume_bars(question, waiting, [row for row in rows if row["timestamp"] >= question.after])
            return
        between = [row for row in rows if question.after < row["timestamp"] < question.before]
        track.has_steps = not track.is_gap and len(between) == 0
        for row in between:
            self._deliver(track, _closed(track, row))
        track.last_closed = question.before - track.seconds
        for update in waiting:
            self.receive(update)

    def _resume_bars(self, question: _Question, waiting: Sequence[Update], rows: Sequence[dict[str, Any]]) -> None:
        """Passes on the bars since the last one, then the waiting updates."""
        track = question.track
        track.lacks_bars = False
        known = sum(row["timestamp"] == question.after for row in rows)
        for row in rows[int(min(known, track.bars_of_last)) :]:
            self._deliver_bar(track, _closed(track, row))
        track.repeated = rows[_place_of(waiting[0], rows) :]
        for update in waiting:
            self._receive_bar(track, update)


def _place_of(first: Update, rows: Sequence[dict[str, Any]]) -> int:
    """Index of the first requested bar that the service also sends from its first update on."""
    data = first["data"]
    if first["closed"]:
        places = [at for at, row in enumerate(rows) if row == data][-1:]
    else:
        places = [at for at, row in enumerate(rows) if row["timestamp"] > data["timestamp"]][:1]
    return places[0] if places else len(rows)


def _closed(track: _Track, row: dict[str, Any]) -> Update:
    subscription = track.subscription
    return {"id": subscription.id, "indicator": subscription.indicator, "data": row, "closed": True}


def _market_of(question: _Question) -> str:
    """One text for all spellings of a market, because a request may name a market only once."""
    subscription = question.track.subscription
    symbol = re.sub(r"[/-]", "", subscription.symbol)
    return f"{subscription.exchange} {symbol}".lower() + f" {subscription.timeframe} {subscription.adjustment or ''}"


def _construct(id: str, group: Sequence[_Question]) -> dict[str, Any]:
    """The bulk construct that requests the closed candles of subscriptions to one market."""
    first = group[0].track.subscription
    indicators = []
    for place, question in enumerate(group):
        subscription = question.track.subscription
        # A range may have to be fetched; the bars in memory are available immediately.
        window = {"results": "max" if question.track.has_own_times else _count(question)}
        own = {"settled": subscription.settled, "chart": subscription.chart}
        asked = {"id": f"i{place}", "indicator": subscription.indicator, **given(own), **window}
        indicators.append({**(subscription.params or {}), **asked})
    market = {"exchange": first.exchange, "symbol": first.symbol, "timeframe": first.timeframe}
    return given({"id": id, **market, "adjustment": first.adjustment, "indicators": indicators})


def _count(question: _Question) -> int:
    """Number of candles to request: from the last known one to the newest. An update may be read long after it was sent."""
    newest = max(question.before, time.time())
    return math.ceil((newest - question.after) / question.track.seconds) + 2


def _rows_of(result: dict[str, list[Any]], fields: Sequence[str]) -> list[dict[str, Any]]:
    """A result in the form of updates, which name a single output after the indicator."""
    only = next(name for name in result if name != "timestamp")
    columns = {field: result[field if field in result else only] for field in fields}
    return [
        {"timestamp": timestamp, **{field: column[at] for field, column in columns.items()}}
        for at, timestamp in enumerate(result["timestamp"])
    ]
