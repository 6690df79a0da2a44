/**
 * The limits that the interface promises. The layers that enforce them, the refusals and the OpenAPI document all read
 * them from here.
 */

/** Bytes of a request body. */
export const maxBodyBytes = 4 * 1024 * 1024

/** Bytes of a streaming message. */
export const maxMessageBytes = 16 * 1024

/**
 * Bytes of memory that the compiled expressions of the subscriptions of a key may take together on one node, about, and
 * those of its alerts. An expression that several subscriptions have in common counts once.
 */
export const maxExpressionBytes = 64 * 1024 * 1024

/** Constructs of a bulk request, whatever the plan. */
export const maxConstructs = 20

/** Indicators of a construct. */
export const maxIndicators = 20

/** The characters of an id. */
export const idPattern = /^[a-zA-Z0-9_]+$/

/** Keys of a construct's answer beside the ids of its indicators. */
export const reservedIds: readonly string[] = ['_asset', '_error', '_age']

/** Characters of an exchange, a symbol, an identifier and every other name. */
export const maxNameLength = 100

/** The window in which the requests of an account are counted. */
/** Length of a rate window. */
export const rateWindowSeconds = 15
export const rateWindowMs = rateWindowSeconds * 1000

/** How long a client may wait for pending candles by `Prefer: wait=<seconds>`. */
export const maxWaitSeconds = 10

/** How long a streaming connection may be open without a key. */
export const authenticationSeconds = 10

/** How long a streaming client may leave updates unread. */
export const maxUnreadSeconds = 15

/** Candles that a request may supply in one array. */
export const maxSuppliedCandles = 500

/** Bytes of a candle in a body that is a table: a body may have as many for each candle that `TABLE_CANDLES` allows. */
export const tableCandleBytes = 168
/** The candles of the time for which one request may ask where older candles than those in memory are read for it. */
export const maxRangeCandles = 100_000
/** The same for all items of a bulk request together. */
export const maxRangeCandlesOfBulk = 1_000_000

/** Characters of an expression. */
export const maxExpressionLength = 1_000

/** Markets of a screen, whatever the plan. */
export const maxMarkets = 2_000

/** Expressions in the `select` of a screen. */
export const maxSelected = 12

/** Measures of one request for breadth. */
export const maxMeasures = 12

/** Markets of one alert: each is followed live. */
export const maxAlertMarkets = 100

/** Characters of an e-mail address (RFC 5321, section 4.5.3.1.3). */
export const maxEmailLength = 254

/** Characters of the address of a webhook. */
export const maxWebhookLength = 2_000

/** Horizons of an evaluation, and the candles that one may reach ahead of a signal. */
export const maxHorizons = 5
export const longestHorizon = 500

/** The highest fee of one side of a trade, as a share. */
export const maxFee = 0.1

/** Points of the equity curve of an evaluation. */
export const maxPoints = 1_000
/** Markets of a screen for each construct that the plan allows in a bulk request. */
export const marketsPerConstruct = 100
