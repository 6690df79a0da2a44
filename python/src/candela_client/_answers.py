"""The answers in JSON. Written by scripts/docs-python.mjs: changes here are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class EvaluationResultReturn(TypedDict):
    #: Candles.
    after: int
    signals: ReturnStatistics
    baseline: ReturnStatistics


EvaluationResultTradesMaximumDrawdown = TypedDict("EvaluationResultTradesMaximumDrawdown", {
    #: The largest fall, as a share of the value before it
    "share": "float",
    #: Unix seconds of a candle open
    "from": "int",
    #: Unix seconds of a candle open
    "to": "int",
})


EvaluationResultTradesOpen = TypedDict("EvaluationResultTradesOpen", {
    #: Unix seconds of a candle open
    "entryTimestamp": "int",
    #: An open
    "entryPrice": "float",
    #: So far
    "return": "float | None",
})


EvaluationResultTradesList = TypedDict("EvaluationResultTradesList", {
    #: Unix seconds of a candle open
    "entryTimestamp": "int",
    #: The open of that candle
    "entryPrice": "float",
    #: Unix seconds of a candle open
    "exitTimestamp": "int",
    #: The open of that candle
    "exitPrice": "float",
    "candles": "int",
    #: After costs
    "return": "float",
})


class EvaluationResultTrades(TypedDict):
    count: int
    #: A return of 0.01 is one per cent.
    mean: float | None
    #: The middle one.
    median: float | None
    #: Of a sample, with the divisor n − 1.
    standardDeviation: float | None
    #: The share of returns above 0.
    hitRate: float | None
    #: The 95 % confidence interval of the mean by Student’s distribution.
    meanInterval: list[float] | None
    #: The 95 % confidence interval of the hit rate by Wilson’s score.
    hitRateInterval: list[float] | None
    #: What the trades gained for each 1 that they lost.
    profitFactor: float | None
    #: Candles that a trade took on average.
    candles: float | None
    #: The share of candles with an open trade
    exposure: float
    #: Of all trades one after the other, after costs
    totalReturn: float
    #: Of buying (or selling) once and keeping it, without costs.
    holdReturn: float | None
    maximumDrawdown: EvaluationResultTradesMaximumDrawdown
    open: EvaluationResultTradesOpen | None
    #: The newest ones.
    list: list[EvaluationResultTradesList]


class EvaluationResultEquity(TypedDict):
    timestamp: list[int]
    value: list[float]


EvaluationResult = TypedDict("EvaluationResult", {
    #: Closed candles at which the entry is defined.
    "candles": "int",
    #: Unix seconds of a candle open
    "from": "int",
    #: Unix seconds of a candle open
    "to": "int",
    #: How often the entry became true.
    "fired": "int",
    #: Without costs; `baseline` is over all candles, for comparison.
    "returns": "list[EvaluationResultReturn]",
    #: Why the statistics say less than it seems.
    "warnings": "list[str]",
    "trades": "NotRequired[EvaluationResultTrades]",
    #: What 1 became; at most 1000 points.
    "equity": "NotRequired[EvaluationResultEquity]",
})


class ReturnStatistics(TypedDict):
    count: int
    #: A return of 0.01 is one per cent.
    mean: float | None
    #: The middle one.
    median: float | None
    #: Of a sample, with the divisor n − 1.
    standardDeviation: float | None
    #: The share of returns above 0.
    hitRate: float | None
    #: The 95 % confidence interval of the mean by Student’s distribution.
    meanInterval: list[float] | None
    #: The 95 % confidence interval of the hit rate by Wilson’s score.
    hitRateInterval: list[float] | None


class ExpressionCheckOutput(TypedDict):
    name: str
    type: Literal["number", "boolean"]


class ExpressionCheckLookAhead(TypedDict):
    #: Whether a value may depend on a later candle: never.
    possible: bool
    #: Why.
    because: str


class ExpressionCheckIndicator(TypedDict):
    indicator: str
    params: dict[str, Any]
    #: Candles before its first value.
    lookback: int
    stability: Literal["start-independent", "converging", "path-dependent"]
    #: Candles before the first value whose first 4 digits do not depend on where the history begins. Null where there is no such number.
    settled4: int | None
    #: Candles before the first value whose first 8 digits do not depend on where the history begins. Null where there is no such number.
    settled8: int | None


class ExpressionCheckCost(TypedDict):
    #: Those that the service keeps of a market.
    candles: int
    microseconds: int


class ExpressionCheck(TypedDict):
    outputs: list[ExpressionCheckOutput]
    #: Candles, or bars of the chart, before the first value.
    lookback: int
    #: Candles before the first value whose first 4 digits do not depend on where the history begins. Null where there is no such number.
    settled4: int | None
    #: Candles before the first value whose first 8 digits do not depend on where the history begins. Null where there is no such number.
    settled8: int | None
    #: The indicator or the chart because of which it never settles.
    unsettling: NotRequired[str]
    #: Whether the value at the forming candle may change until that closes.
    formingChanges: bool
    lookAhead: ExpressionCheckLookAhead
    #: The longer timeframes that are chosen by `@`.
    timeframes: list[str]
    #: The other markets that are chosen between braces.
    markets: list[str]
    #: Different parts that are computed.
    nodes: int
    #: The different calculations of indicators among them.
    indicators: list[ExpressionCheckIndicator]
    #: What the first value over so many candles takes, about; later ones take one step.
    cost: ExpressionCheckCost


class Alert(TypedDict):
    id: str
    #: An identifier from GET /exchanges; `stocks` for US shares.
    exchange: str
    timeframe: Literal["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w", "1M"]
    #: Of the exchange `stocks`: prices adjusted for splits (the default), as they were traded, or adjusted for splits and dividends, which are those of the exchanges `stocks-raw` and `stocks-all`.
    adjustment: NotRequired[Literal["split", "raw", "all"]]
    #: The condition.
    expression: str
    #: `close`: evaluated when a candle has closed. `update`: also at every change of the forming candle.
    on: Literal["close", "update"]
    #: `edge`: fires where the condition is true and was false at the candle before. `level`: fires at every candle where it is true.
    trigger: Literal["edge", "level"]
    #: It fires where so many digits of what the condition compares have settled: 0 to 8, and 0 for any. Default: 4, or as many as can settle within the candles that are kept (HISTORY_DEPTH). A condition that never settles counts from its first value on.
    settled: NotRequired[int]
    #: What is made of the candles first: `heikinashi`, `renko:<size>`, `renko:atr<n>`, `range:<size>` or `linebreak:<n>`. Default: `candles`. Results and steps back count bars.
    chart: NotRequired[str]
    #: Where what it fires is posted; without one it goes to the streaming connections of the key that ask for alerts.
    webhook: NotRequired[str]
    #: The address to which what it fires is sent by e-mail, instead of a webhook, where the service is set up for that.
    email: NotRequired[str]
    #: What is sent. To an e-mail address `text`, the default, or `html`. To a webhook all but `html`; by default that of the messenger whose address it is. `candela`, the default of other addresses: the message as JSON. `json`: the `template`, a JSON text. Others: a short text, or the `template`, as `text/plain` or as Discord, Slack, Telegram and ntfy expect it.
    format: NotRequired[Literal["candela", "json", "text", "discord", "slack", "telegram", "ntfy", "html"]]
    #: The text that is sent, with fields of the message in braces: {id}, {alert}, {name}, {exchange}, {symbol}, {timeframe}, {expression}, {chart}, {on}, {trigger}, {timestamp}, {timestampHuman}, {closed}, {price}, {test}.
    template: NotRequired[str]
    #: For its owner.
    name: NotRequired[str]
    #: A symbol without slash, or a ticker. With `.funding`, `.openinterest`, `.markprice` or `.indexprice` behind that of a derivative it is this series of it.
    symbol: NotRequired[str]
    #: The markets, `list:<name>` for those of a list of the key, and `top:<n>` for those of `quote` of which the most is traded when the alert is made, instead of `symbol`. Each counts as an alert.
    symbols: NotRequired[list[str]]
    #: Instead of `symbol` and `symbols`: all symbols of the exchange that end with it, such as USDT, at most 100.
    quote: NotRequired[str]
    paused: bool
    #: When it was made, in Unix seconds.
    created: int
    #: Candles before the first one at which the condition has settled, where it must.
    settledAfter: NotRequired[int]
    #: The indicator because of which the condition never settles: then it may fire at any candle.
    unsettling: NotRequired[str]
    #: Symbols at which the condition has not settled yet, so that nothing is fired. The list of alerts has it.
    unsettled: NotRequired[list[str]]
    #: The open time of the newest candle at which it has fired, where it has. The list of alerts has it, in Unix seconds.
    fired: NotRequired[int]
    #: The key of the signatures of its webhook. Only the reply that makes the alert has it.
    secret: NotRequired[str]


class AlertMessage(TypedDict):
    type: Literal["alert"]
    #: It is a test: no candle has fired it, its time is that of the test and its price is 0.
    test: NotRequired[Literal[True]]
    #: The same whenever the same candle is delivered: the alert, over several markets the symbol, and the candle.
    id: str
    #: The id of the alert.
    alert: str
    #: An identifier from GET /exchanges; `stocks` for US shares.
    exchange: str
    timeframe: Literal["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w", "1M"]
    #: Of the exchange `stocks`: prices adjusted for splits (the default), as they were traded, or adjusted for splits and dividends, which are those of the exchanges `stocks-raw` and `stocks-all`.
    adjustment: NotRequired[Literal["split", "raw", "all"]]
    #: The condition.
    expression: str
    #: `close`: evaluated when a candle has closed. `update`: also at every change of the forming candle.
    on: Literal["close", "update"]
    #: `edge`: fires where the condition is true and was false at the candle before. `level`: fires at every candle where it is true.
    trigger: Literal["edge", "level"]
    #: It fires where so many digits of what the condition compares have settled: 0 to 8, and 0 for any. Default: 4, or as many as can settle within the candles that are kept (HISTORY_DEPTH). A condition that never settles counts from its first value on.
    settled: NotRequired[int]
    #: What is made of the candles first: `heikinashi`, `renko:<size>`, `renko:atr<n>`, `range:<size>` or `linebreak:<n>`. Default: `candles`. Results and steps back count bars.
    chart: NotRequired[str]
    #: Where what it fires is posted; without one it goes to the streaming connections of the key that ask for alerts.
    webhook: NotRequired[str]
    #: For its owner.
    name: NotRequired[str]
    #: A symbol without slash, or a ticker. With `.funding`, `.openinterest`, `.markprice` or `.indexprice` behind that of a derivative it is this series of it.
    symbol: str
    #: The open time of the candle, in Unix seconds.
    timestamp: int
    timestampHuman: str
    #: Whether the candle had closed.
    closed: bool
    #: The close of the candle, or its last price.
    price: float


class AlertTest(TypedDict):
    delivered: bool
    #: Why it has not arrived.
    reason: NotRequired[str]


class DeadLetter(TypedDict):
    #: Of the message.
    id: str
    #: The id of the alert.
    alert: str
    #: When the alert fired, in Unix seconds.
    created: int
    #: When it was given up, in Unix seconds.
    failed: int
    #: Since the last start of the service.
    attempts: int
    #: Why the last attempt failed.
    reason: str
    message: AlertMessage


class NamedList(TypedDict):
    #: Lower case.
    name: str
    symbols: list[str]


class BreadthResultFailed(TypedDict):
    symbol: str
    error: str


class BreadthResultStale(TypedDict):
    symbol: str
    #: Seconds since the end of the newest candle
    age: int


class BreadthResult(TypedDict):
    #: Unix seconds of candle opens, oldest first.
    timestamp: list[int]
    #: By name; aligned with `timestamp`.
    measures: dict[str, Any]
    #: Whether the last candle is not closed at all markets, so that its values may change.
    forming: bool
    #: Markets whose candles were looked at.
    screened: int
    failed: list[BreadthResultFailed]
    #: Markets whose candles are old; absent where there are none.
    stale: NotRequired[list[BreadthResultStale]]
