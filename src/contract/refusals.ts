import { formatAge } from '../candles/age.js'
import { formatTime } from '../candles/format-time.js'
import { didYouMean, isKeyField, keyForm, keyInHeader, nearFields, nearNames } from './hints.js'
import { jsonText } from './json-value.js'
import {
  maxConstructs,
  maxIndicators,
  maxMessageBytes,
  maxNameLength,
  maxSuppliedCandles,
  rateWindowSeconds,
} from './limits.js'
import { type NeverReason, neverReasons } from './settled-candles.js'

/** Refusal of an account that has used all `requests` of its window. The window ends in `seconds`. */
export const rateExceeded = (requests: number, seconds: number): Refusal =>
  refusal(
    429,
    `Rate limit exceeded. Your plan allows ${requests} requests per ${rateWindowSeconds} seconds.`,
    retryAfter(seconds),
  )

export const tooManyConstructsForPlan = (constructs: number): Refusal =>
  refusal(429, `Too many constructs. Your plan allows ${constructs} construct(s) per bulk request.`)

export const tooManySubscriptionsForPlan = (subscriptions: number): Refusal =>
  refusal(429, `Too many subscriptions. Your plan allows ${subscriptions} subscription(s).`)

export const tooManyNewSubscriptions = (subscriptions: number, seconds: number): Refusal =>
  refusal(
    429,
    `Too many new subscriptions. Your plan allows ${subscriptions} per ${rateWindowSeconds} seconds; try again in ${seconds} s.`,
    retryAfter(seconds),
  )

export const notFound = (path: string, near: readonly string[] = []): Refusal =>
  refusal(404, `Not found: ${quote(path)}${didYouMean(near)}`)

export const methodNotAllowed = (allow: string): Refusal =>
  refusal(405, `Method not allowed. Allowed: ${allow}`, { Allow: allow })

/** `others` are the media types that a path accepts in addition to JSON. */
export const unsupportedMediaType = (others: readonly string[] = []): Refusal =>
  refusal(415, `Content-Type must be ${['application/json', ...others].join(' or ')}`)

export const bodyTooLarge = (limit: number): Refusal =>
  refusal(413, `Request body is larger than ${limit / 1024 / 1024} MiB`)

export const malformedRequest = (): Refusal => invalid`Malformed HTTP request`

export const headTooLarge = (): Refusal => refusal(431, 'Request header fields are too large')

export const requestTimeout = (): Refusal => refusal(408, 'The request did not arrive in time')

export const malformedJson = (): Refusal => invalid`Request body is not valid JSON`

export const bodyNotObject = (): Refusal => invalid`Request body must be a JSON object`

export const malformedQuery = (): Refusal => invalid`Malformed query string`

/**
 * `names` are the missing fields, in the order of the interface. `given` are the fields of the request. The error
 * suggests a given field that may be a missing field under another name.
 */
export function missingRequired(names: readonly string[], given: readonly string[] = []): Refusal {
  const error = `Missing required: ${names.join(', ')}`
  for (const other of given.slice(0, maxComparedFields)) {
    const [name] = nearFields(other, names)
    if (name !== undefined) return refusal(400, `${error}. Write ${name} instead of ${quote(other)}`)
  }
  return refusal(400, error)
}

const maxComparedFields = 20

/** `owner` is the indicator or the path. `accepted` are the names of all its parameters. */
export function unknownParameter(name: string, owner: string, accepted: readonly string[]): Refusal {
  const hint = isKeyField(name) ? `. ${keyInHeader}` : didYouMean(nearFields(name, accepted))
  return refusal(
    400,
    `Unknown parameter: ${quote(name)}. ${owner} accepts: ${accepted.join(', ') || 'no parameters'}${hint}`,
  )
}

/** Texts for `invalidValue` that describe the expected value. */
export const expected = {
  flag: 'true or false',
  object: 'an object',
  text: 'text',
  name: `text of at most ${maxNameLength} characters`,
  oneOf: (values: readonly (string | number)[]) => `one of ${values.join(', ')}`,
  range: (type: 'integer' | 'number', min: number, max: number) => `${type}, ${min} to ${max}`,
} as const

/** `range` is the expected type and range, as in `integer, 2 to 400`. */
export const invalidValue = (name: string, value: unknown, range: string): Refusal =>
  refusal(400, `Invalid ${name}: ${quote(value)}. Expected ${range}`)

export const outOfOrder = (
  name: string,
  value: unknown,
  order: 'at most' | 'at least',
  other: string,
  limit: unknown,
): Refusal => invalidValue(name, value, `${order} ${other} (${quote(limit)})`)

export const repeatedParameter = (name: string): Refusal => invalid`Repeated parameter: ${name}. Give it once`

export const contradictoryParameter = (name: string, other: string): Refusal =>
  invalid`Repeated parameter: ${name}. Give it once, or with the value of ${other}`

export const invalidTimeframe = (value: unknown, timeframes: readonly string[]): Refusal =>
  refusal(400, `Invalid timeframe: ${quote(value)}. Expected ${expected.oneOf(timeframes)}`)

/**
 * Refusal of `adjustment` for an exchange other than `stocks`. A name such as `stocks-raw` already includes the
 * adjustment.
 */
export const adjustmentNotOfStocks = (exchange: string): Refusal =>
  invalid`adjustment can be used with exchange stocks only, not with ${exchange}`

export const unknownIndicator = (name: string, near: readonly string[] = []): Refusal =>
  refusal(404, `Unknown indicator: ${quote(name)}${didYouMean(near)}`)

function quoteCandle(value: unknown): string {
  const text = jsonText(value)
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

/** The refusals of supplied candles name the place of the fault. `at` is the index of the candle. */
export const candlesNotArray = (): Refusal => invalid`candles must be an array of candles`

export const paramsNotObject = (given: unknown): Refusal =>
  invalid`params must be an object such as { period: 9 }, got ${given}`

export const savedNotObject = (given: unknown): Refusal =>
  invalid`the saved state must be what save() returned, got ${given}`

export const missingCandles = (): Refusal => invalid`candles is missing`

export const noCandles = (): Refusal => invalid`candles must hold at least 1 candle`

export const tooManyCandles = (limit: number, count: number): Refusal =>
  invalid`candles must hold at most ${limit} candles, got ${count}`

export const candleNotObject = (at: number, candle: unknown): Refusal =>
  invalid`candles[${at}] must be an object with open, high, low, close and volume, got ${quoteCandle(candle)}`

export const missingPrice = (at: number, field: string): Refusal =>
  invalid`candles[${at}].${field} is missing`

export const priceNotNumber = (at: number, field: string, value: unknown): Refusal =>
  invalid`candles[${at}].${field} must be a number, got ${quoteCandle(value)}`

export const unequalColumns = (name: string, length: number, other: number): Refusal =>
  invalid`Columns must have one length: ${name} has ${length} values, others ${other}`

export const repeatedCandleField = (at: number, long: string, short: string): Refusal =>
  invalid`candles[${at}] has both ${long} and ${short}`

export const highBelowLow = (at: number): Refusal => invalid`candles[${at}].high is below candles[${at}].low`

export const negativeVolume = (at: number): Refusal => invalid`candles[${at}].volume is negative`

export const zeroForMissing = (at: number): Refusal =>
  invalid`candles[${at}] has a price of 0 that stands for a missing one: leave the row out`

export const missingTimestamp = (at: number): Refusal =>
  invalid`candles[${at}].timestamp is missing: give it on every candle or on none`

export const unexpectedTimestamp = (at: number): Refusal =>
  invalid`candles[${at}].timestamp is given, but not on the candles before it: give it on every candle or on none`

export const timeOfOtherName = (at: number, name: string): Refusal =>
  invalid`candles[${at}].${name} is not read: give the time as timestamp, in Unix seconds`

export const invalidTimestamp = (at: number, value: unknown): Refusal =>
  invalid`candles[${at}].timestamp must be a whole number of Unix seconds, got ${quoteCandle(value)}`

export const timestampInMilliseconds = (at: number, value: number): Refusal =>
  invalid`candles[${at}].timestamp is ${value}: Unix seconds are expected, this looks like milliseconds`

export const timestampNotAfter = (at: number): Refusal =>
  invalid`candles[${at}].timestamp is not after candles[${at - 1}].timestamp`

/**
 * Refusal if the history is too short for a single value. `isFull` is true if the history has the maximum number of
 * candles that the service keeps.
 */
export const notEnoughCandles = (name: string, needed: number, available: number, isFull = false): Refusal =>
  invalid`Not enough candles: ${name} needs ${needed}, ${available} available${keptCandles(isFull)}`

/** Refusal if no value has `digits` settled digits. `isFull` has the same meaning as in `notEnoughCandles`. */
export const notSettled = (
  indicator: string,
  digits: number,
  needed: number,
  available: number,
  isFull: boolean,
): Refusal =>
  invalid`Not enough candles: ${indicator} needs ${needed} for ${digits} settled digits, ${available} available${keptCandles(isFull)}`

export const neverSettles = (indicator: string, reason: NeverReason): Refusal =>
  invalid`${indicator} never settles: ${neverReasons[reason]}. Leave out settled`

export const rangeBesideCount = (range: string, count: string): Refusal =>
  invalid`${range} and ${count} exclude each other. Give a time with from and to, or a number of values with results and backtrack`

export const rangeBackwards = (): Refusal => invalid`from is after to`

export const nothingInRange = (range: string, first: string, last: string): Refusal =>
  invalid`No candles ${range}: the first one opens at ${first}, the last one at ${last}`

/** `first` is the open time of the oldest candle of the history. `why` explains the number of candles `depth`. */
export const rangeBeforeHistory = (first: string, depth: number, why = 'HISTORY_DEPTH is their number') =>
  invalid`The history begins at ${first}, after from. It has the ${depth} newest candles: ${why}`

/**
 * `candles` is the number of candles in the range, which begins at `from`. The largest allowed range from there ends at
 * `end`.
 */
export const rangeTooLong = (candles: number, most: number, from: string, end: string): Refusal =>
  invalid`The range has ${candles} candles, and an answer at most ${most}. Ask for it in parts: the first one from ${from} to ${end}`

function notFoundBut(error: string, near: readonly string[]): Refusal {
  const hint = didYouMean(near)
  return hint === '' ? refusal(404, error) : { status: 404, error: error + hint, hint }
}

export const exchangeNotFound = (exchange: string, near: readonly string[] = []): Refusal =>
  notFoundBut(`Exchange not found: ${quote(exchange)}`, near)

export const symbolNotFound = (symbol: string, exchange: string, near: readonly string[] = []): Refusal =>
  notFoundBut(`Symbol not found: ${quote(symbol)} on ${quote(exchange)}`, near)

export const symbolDelisted = (symbol: string, exchange: string): Refusal =>
  refusal(404, `${symbolNotFound(symbol, exchange).error}. The exchange has delisted it`)

export const exchangeUnavailable = (exchange: string, reason: string, seconds: number): Refusal =>
  refusal(503, `Exchange unavailable: ${quote(exchange)} (${quote(reason)})`, retryAfter(seconds))

export const candlesTooLate = (exchange: string, waitedSeconds: number, seconds: number): Refusal =>
  exchangeUnavailable(exchange, `no candles within ${waitedSeconds} seconds`, seconds)

/**
 * Refusal of an account for which `limit` markets or exchanges are being fetched for the first time. It may retry after
 * `seconds`.
 */
export const tooManyFirstRequests = (
  limit: number,
  seconds: number,
  of: 'markets' | 'exchanges' = 'markets',
): Refusal =>
  refusal(
    429,
    `Too many first requests. At most ${limit} ${of} may be fetched for the first time at once.`,
    retryAfter(seconds),
  )

/** Text of `_error` for a bulk construct whose candles were refused with 404, 429 or 503. */
export function fetchFailed({ status, error, hint = '' }: Refusal): string {
  if (status === 404)
    return `Failed to fetch candles: 404 Not Found - check exchange, symbol and timeframe${hint}`
  const reason = status === 429 ? 'Too Many Requests' : 'Service Unavailable'
  return `Failed to fetch candles: ${status} ${reason} - ${error}`
}

export const missingConstructs = (): Refusal =>
  invalid`Request body must contain a non-empty 'constructs' array`

export const tooManyConstructs = (): Refusal =>
  invalid`Too many constructs. Maximum allowed per request is ${maxConstructs}.`

/** Place of a construct in an error. The next four refusals begin with the place of a construct or of an indicator. */
export const constructPlace = (index: number): string => `Construct [${index}]`
export const indicatorPlace = (construct: string, index: number): string =>
  `Construct "${quote(construct)}" indicator [${index}]`

export const elementNotObject = (place: string): Refusal => refusal(400, `${place} must be an object`)

export const elementWithoutId = (place: string): Refusal =>
  refusal(400, `${place} is missing a required 'id' field`)

export const badElementId = (place: string, id: string): Refusal =>
  refusal(
    400,
    `${place} id "${quote(id)}" is invalid. Only alphanumeric characters and underscores are allowed.`,
  )

export const elementIdNotName = (place: string, id: unknown): Refusal =>
  refusal(400, `${place} id ${quoteJson(id)} is invalid. Expected ${expected.name}`)

export const duplicateConstructId = (id: string): Refusal =>
  invalid`Duplicate construct id "${id}". Construct ids must be unique within the request.`

export const duplicateConstruct = (exchange: string, symbol: string, timeframe: string): Refusal =>
  invalid`Duplicate construct: exchange "${exchange}", symbol "${symbol}", timeframe "${timeframe}" appears more than once. Merge the indicators into a single construct.`

export const inConstruct = (id: string, { status, error }: Refusal): Refusal =>
  refusal(status, `Construct "${quote(id)}": ${error}`)

export const missingIndicators = (construct: string): Refusal =>
  invalid`Construct "${construct}" must contain a non-empty 'indicators' array`

export const tooManyIndicators = (construct: string): Refusal =>
  invalid`Construct "${construct}" has too many indicators. Maximum allowed per construct is ${maxIndicators}.`

export const duplicateIndicatorId = (construct: string, id: string): Refusal =>
  invalid`Construct "${construct}" has duplicate indicator id "${id}". Indicator ids must be unique within a construct.`

export const reservedIndicatorId = (construct: string, id: string): Refusal =>
  invalid`Construct "${construct}" indicator id "${id}" is reserved`

export const unknownIndicatorInConstruct = (
  construct: string,
  name: unknown,
  near: readonly string[] = [],
): Refusal =>
  refusal(
    400,
    `Construct "${quote(construct)}" references unknown indicator: ${quote(name)}${didYouMean(near)}`,
  )

export const inIndicator = (construct: string, id: string, { status, error }: Refusal): Refusal =>
  refusal(status, `Construct "${quote(construct)}", indicator "${quote(id)}": ${error}`)

export const computationFailed = (): string => 'Computation failed'

export const busy = (seconds: number): Refusal =>
  refusal(503, 'Service busy. Too many computations are waiting.', retryAfter(seconds))

/** Refusal if request bodies use all memory allowed for them. The client may send the body again after `seconds`. */
export const tooManyBodies = (seconds: number): Refusal =>
  refusal(503, 'Service busy. Too many request bodies are being received.', retryAfter(seconds))

export const upgradeRequired = (): Refusal =>
  refusal(426, 'Upgrade required. Connect to this path with a WebSocket.', {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
  })

export const tooManyConnections = (seconds: number): Refusal =>
  refusal(503, 'Service busy. Too many streaming connections.', retryAfter(seconds))

export const tooManyOfKey = (what: 'streaming connections' | 'requests at once', max: number): Refusal =>
  refusal(429, `Too many ${what}. At most ${max} are allowed for one key.`, retryAfter(1))

export const stopping = (seconds: number): Refusal =>
  refusal(503, 'The service is stopping', retryAfter(seconds))

export const notAuthenticated = (): Refusal =>
  refusal(401, 'Not authenticated. Send {"type":"auth","token":"Bearer <API_KEY>"} first.')

export const alreadyAuthenticated = (): Refusal => invalid`Already authenticated`

export const malformedMessage = (): Refusal => invalid`Message is not valid JSON`

export const messageNotObject = (): Refusal => invalid`Message must be a JSON object`

export const unknownMessageType = (type: unknown, types: readonly string[]): Refusal =>
  refusal(400, `Unknown message type: ${quote(type)}. Expected ${expected.oneOf(types)}`)

export const tooManyMessages = (messages: number): Refusal =>
  refusal(429, `Too many messages. At most ${messages} per second are accepted.`)

/** `id` is in the composed form. */
export const duplicateSubscription = (id: string): Refusal => invalid`Duplicate subscription id: ${id}`

export const subscriptionNotFound = (id: string, near: readonly string[] = []): Refusal =>
  notFoundBut(`Subscription not found: ${quote(id)}`, near)

/**
 * Close codes and reasons of streaming connections. Codes below 4000 are from RFC 6455, codes from 4000 on belong to
 * this interface.
 */
export const closeCodes = () =>
  ({
    stopping: { code: 1001, reason: 'The service is stopping' },
    binary: { code: 1003, reason: 'Messages must be text' },
    tooManyMessages: { code: 1008, reason: 'Too many messages' },
    tooLarge: { code: 1009, reason: `Messages may have at most ${maxMessageBytes / 1024} KiB` },
    internal: { code: 1011, reason: 'Internal error' },
    displaced: { code: 1013, reason: 'Too many connections without a key' },
    tooSlow: { code: 1013, reason: 'Updates are not read fast enough' },
    inactive: { code: 4401, reason: 'Invalid or inactive token' },
    outOfScope: { code: 4403, reason: 'The key has lost a scope' },
    unauthenticated: { code: 4408, reason: 'Not authenticated in time' },
  }) as const

/** Refusal because of a bug of the service. Its cause is in the log. */
export const internal = (): Refusal => refusal(500, 'Internal error')

/**
 * An answer that refuses a request, because of a fault of the caller (4xx), or of the service or an exchange (5xx). It
 * is returned, not thrown. Its body is `{ "error": error }`.
 */
export interface Refusal {
  readonly status: number
  readonly error: string
  readonly headers?: Readonly<Record<string, string>>
  /** End of `error` with a suggestion. */
  readonly hint?: string
}

/**
 * Whether a result of this program is a refusal. Do not use it for values of a client, because any object with a status
 * and an error looks like a refusal.
 */
export const isRefusal = (result: unknown): result is Refusal =>
  typeof result === 'object' && result !== null && 'status' in result && 'error' in result

export const refusal = (
  status: number,
  error: string,
  headers?: Readonly<Record<string, string>>,
): Refusal => (headers === undefined ? { status, error } : { status, error, headers })

const maxQuotedLength = 200

/** Quotes a value of a client: a text unchanged, everything else as JSON. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonText(value)
  return text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength)}…` : text
}

/** Quotes a value as JSON. A text has quotation marks. */
export const quoteJson = (value: unknown): string => quote(jsonText(value))

/** Refusal with status 400. Each value in its text is quoted by `quote`. */
export const invalid = (texts: TemplateStringsArray, ...values: readonly unknown[]): Refusal =>
  refusal(400, String.raw({ raw: texts }, ...values.map(quote)))

export const retryAfter = (seconds: number) => ({ 'Retry-After': String(seconds) })

export const missingKey = (): Refusal =>
  refusal(401, 'Invalid or missing API key.', { 'WWW-Authenticate': 'Bearer' })

export const malformedKey = (): Refusal =>
  refusal(401, `${missingKey().error} ${keyForm}`, missingKey().headers)

export const misplacedKey = (place: 'the query string' | 'X-API-Key'): Refusal =>
  refusal(401, `${missingKey().error} ${keyInHeader}, not in ${place}`, missingKey().headers)

const invalidToken = { 'WWW-Authenticate': 'Bearer error="invalid_token"' }

export const inactiveKey = (): Refusal => refusal(401, 'Invalid or inactive token', invalidToken)

/** Refusal of a key that another key has replaced. The key worked until `ends` (Unix seconds). */
export const replacedKey = (ends: number): Refusal =>
  refusal(
    401,
    `Invalid or inactive token. A newer key has taken its place; it worked until ${formatTime(ends)} UTC`,
    invalidToken,
  )

export const accountsUnavailable = (seconds: number): Refusal =>
  refusal(503, 'The API key cannot be checked at present. Try again.', retryAfter(seconds))

export const missingScope = (scope: string, id: string, own: readonly string[]): Refusal =>
  refusal(
    403,
    `The key has no scope ${scope}, which this needs. "candela keys update ${id} --scopes ${[...own, scope].join(',')}" adds it`,
    // Source: RFC 6750, section 3.1.
    { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  )

export const keyNotFound = (id: string): Refusal => refusal(404, `No key with the id "${quote(id)}"`)

export const keyNotActive = (id: string): Refusal =>
  refusal(409, `Key ${id} is revoked or has expired: create another one`)

/**
 * Refusal if an account has the maximum number of keys that still work. This happens after several replacements within a
 * short time.
 */
export const tooManyKeys = (id: string, most: number): Refusal =>
  refusal(409, `Key ${id} was replaced so often that ${most} keys of it still work: wait until one has ended`)

export const scopesNotList = (value: unknown, scopes: readonly string[]): Refusal =>
  invalid`Invalid scopes: ${value}. Expected a list of ${scopes.join(', ')}`

export const keysUnavailable = (seconds: number): Refusal =>
  refusal(503, 'Keys cannot be read or changed at present. Try again.', retryAfter(seconds))

export const nothingToChange = (names: readonly string[]): Refusal =>
  invalid`Nothing to change. Expected some of ${names.join(', ')}`

/** Refusal if the newest candle of a market ended `age` seconds ago and the request allows only `maxAge`. */
export const candlesTooOld = (
  { exchange, symbol, timeframe }: Readonly<Record<'exchange' | 'symbol' | 'timeframe', string>>,
  age: number,
  maxAge: number,
): Refusal =>
  refusal(
    503,
    `The candles of ${quote(`${exchange} ${symbol} ${timeframe}`)} are too old: the last one ended ${formatAge(age)} ago, and maxAge is ${maxAge} seconds`,
  )

/** `since` is the time since which corrections of candles are stored. */
export const notKnownAsOf = (time: string, since: string): Refusal =>
  invalid`The candles of ${time} are not known as they were then: corrections are stored since ${since}`

export const correctionsNotStored = (): Refusal =>
  invalid`The candles are not known as they were: their corrections are not stored. CORRECTIONS_DAYS says for how long they are, and a shared store has none`

export const malformedTable = (format: string): Refusal => invalid`Request body is not ${format}`

export const tableWithoutColumns = (reason: string): Refusal => invalid`Request body has ${reason}`

export const tooManyTableCandles = (limit: number, count: number): Refusal =>
  refusal(
    400,
    `A table must hold at most ${limit} candles, got ${count}. Each ${maxSuppliedCandles} of them count as one request of the plan`,
  )

export const tooManyTableMarkets = (limit: number): Refusal =>
  invalid`A table may hold candles of at most ${limit} other markets in its column with`

export const wrongTableLine = (line: number, problem: string): Refusal =>
  invalid`Request body: line ${line}: ${problem}`

export const unknownTool = (name: string, names: readonly string[]): Refusal =>
  refusal(
    404,
    `Unknown tool: ${quote(name)}. The tools are ${names.join(', ')}${didYouMean(nearNames(name, names))}`,
  )

export const indicatorOrExpression = (): Refusal => invalid`Send either indicator or expression`

export const resourceNotFound = (uri: string): Refusal => refusal(404, `Resource not found: ${quote(uri)}`)

/** Text for a history with the maximum number of candles that the service keeps. Older candles may exist. */
export const keptCandles = (isFull: boolean): string =>
  isFull ? ': HISTORY_DEPTH is the number of candles that are kept, a request with from reads older ones' : ''

/**
 * Warning for an answer with fewer values than `results`. `isFull` is true if the history has the maximum number of
 * candles that the service keeps.
 */
export const fewerValues = (given: number, results: number, isFull: boolean): string =>
  `Fewer values than results: ${given} of ${results}${keptCandles(isFull)}`
