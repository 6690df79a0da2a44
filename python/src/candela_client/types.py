"""What the clients take and give. Dictionaries have the names of the interface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ._answers import *  # noqa: F403
from ._indicators import Adjustment as Adjustment
from ._indicators import Timeframe

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class Market(TypedDict):
    """Names a series of candles: `client.rsi(**market)`."""

    exchange: str
    #: With or without a slash.
    symbol: str
    timeframe: Timeframe
    adjustment: NotRequired[Adjustment]


@dataclass(frozen=True, kw_only=True)
class Subscription:
    """What to follow: `Subscription(id="fast", **market, indicator="rsi", params={"period": 7})`."""

    #: Names the updates.
    id: str
    exchange: str
    symbol: str
    timeframe: Timeframe
    #: The name of an indicator, or `expression` with the text as a parameter of that name.
    indicator: str
    params: Mapping[str, Any] | None = None
    chart: str | None = None
    #: Whether only closed candles are wanted.
    candle_close: bool = False
    #: There is no update for a candle whose value has fewer settled digits: 1 to 8.
    settled: int | None = None
    adjustment: Adjustment | None = None


class Update(TypedDict):
    """One update of a subscription."""

    #: That of the subscription.
    id: str
    indicator: str
    #: The values by output, and the open time of their candle as `timestamp` in Unix seconds.
    data: dict[str, Any]
    #: Whether the candle is closed.
    closed: bool
    #: Closed candles before this one are missing: the connection was lost, and the service could not give their values.
    gap: NotRequired[Literal[True]]
    #: Where candles are old: seconds since the newest one ended.
    age: NotRequired[int]


class ScreenFailure(TypedDict):
    """A market for which a condition could not be evaluated."""

    symbol: str
    error: str


class StaleMarket(TypedDict):
    """A market whose candles are old: `age` seconds have passed since the newest one ended."""

    symbol: str
    age: int


class ScreenProgress(TypedDict):
    """How far the candles of a screen are fetched: `done` of `total` markets."""

    done: int
    total: int


class ScreenUpdate(TypedDict):
    """What a live screen finds now, and what differs from the update before; in the first one all matches have entered.

    `screened` and `failed` are as they were when the connection began, `stale` as it was with the newest update.
    """

    #: Each has `symbol`, `timestamp` (the open of its newest candle in Unix seconds) and the names of `select`.
    matches: list[dict[str, Any]]
    screened: int
    failed: list[ScreenFailure]
    stale: NotRequired[list[StaleMarket]]
    entered: list[dict[str, Any]]
    #: Matches with other values.
    changed: list[dict[str, Any]]
    #: Symbols.
    left: list[str]
