"""Arguments and results of the clients. Dictionaries have the names of the interface."""

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
    """A subscription: `Subscription(id="fast", **market, indicator="rsi", params={"period": 7})`."""

    #: Id of the updates.
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
    #: Candles whose values have fewer settled digits have no update: 1 to 8.
    settled: int | None = None
    adjustment: Adjustment | None = None


class Update(TypedDict):
    """One update of a subscription."""

    #: Id of the subscription.
    id: str
    indicator: str
    #: The values by output, and the open time of their candle as `timestamp` in Unix seconds.
    data: dict[str, Any]
    #: Whether the candle is closed.
    closed: bool
    #: Closed candles before this one are missing: the connection was lost, and the service could not return their values.
    gap: NotRequired[Literal[True]]
    #: Seconds since the newest candle ended, if candles are old.
    age: NotRequired[int]


class ScreenProgress(TypedDict):
    """Progress of fetching the candles of a screen: `done` of `total` markets."""

    done: int
    total: int


class ScreenUpdate(TypedDict):
    """The matches of a live screen, and their differences from the previous update; in the first one all have entered.

    `screened` and `failed` date from the start of the connection, `stale` from the newest update.
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
