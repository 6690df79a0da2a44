/**
 * Limits that the interface promises. The enforcing layers, the refusals and the OpenAPI document all read them from
 * here.
 */

export const maxBodyBytes = 4 * 1024 * 1024

/** Maximum bytes of a streaming message from the client. */
export const maxMessageBytes = 16 * 1024

/**
 * Approximate maximum bytes of the compiled expressions of a key on one node. The subscriptions and the alerts of the
 * key each have this limit. An expression shared by several subscriptions counts once.
 */
export const maxExpressionBytes = 64 * 1024 * 1024

/** Maximum number of constructs per bulk request, whatever the plan. */
export const maxConstructs = 20

export const maxIndicators = 20

/** Form of an id. */
export const idPattern = /^[a-zA-Z0-9_]+$/

/** Keys in the answer of a construct, in addition to the ids of its indicators. */
export const reservedIds: readonly string[] = ['_asset', '_error', '_age']

/** Maximum length of an exchange, a symbol, an identifier and every other name. */
export const maxNameLength = 100

/** Length of the window in which the requests of an account are counted. */
export const rateWindowSeconds = 15
export const rateWindowMs = rateWindowSeconds * 1000

/** Longest wait for pending candles that a client may request with `Prefer: wait=<seconds>`. */
export const maxWaitSeconds = 10

/** Maximum time that a streaming connection may be open without a key. */
export const authenticationSeconds = 10

/** Maximum time that a streaming client may leave updates unread. */
export const maxUnreadSeconds = 15

/** Maximum number of candles that a request may supply in one array. */
export const maxSuppliedCandles = 500

/** Bytes per candle of a body that is a table. The maximum size of the body is this number times `TABLE_CANDLES`. */
export const tableCandleBytes = 168
/** Maximum number of candles in the time range of one request that reads candles older than those in memory. */
export const maxRangeCandles = 100_000
/** Maximum total of such candles over all items of a bulk request. */
export const maxRangeCandlesOfBulk = 1_000_000

export const maxExpressionLength = 1_000

/** Maximum number of markets of a screen, whatever the plan. */
export const maxMarkets = 2_000

/** Maximum number of expressions in the `select` of a screen. */
export const maxSelected = 12

/** Maximum number of measures per request for breadth. */
export const maxMeasures = 12

/** Maximum number of markets of one alert. Each market is followed live. */
export const maxAlertMarkets = 100

/** Maximum length of an e-mail address (RFC 5321, section 4.5.3.1.3). */
export const maxEmailLength = 254

export const maxWebhookLength = 2_000

/** Maximum number of horizons of an evaluation, and maximum number of candles of a horizon. */
export const maxHorizons = 5
export const longestHorizon = 500

/** Maximum fee of one side of a trade, as a share. */
export const maxFee = 0.1

/** Maximum number of points in the equity curve of an evaluation. */
export const maxPoints = 1_000
/** Number of screen markets that a plan allows per construct of its bulk limit. */
export const marketsPerConstruct = 100
