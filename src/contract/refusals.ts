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

/** The account has made its `requests` of this window, which ends in `seconds`. */
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

/** An account has subscribed to as much in this window, which ends in `seconds`, as its plan holds. */
export const tooManyNewSubscriptions = (subscriptions: number, seconds: number): Refusal =>
  refusal(
    429,
    `Too many new subscriptions. Your plan allows ${subscriptions} per ${rateWindowSeconds} seconds; try again in ${seconds} s.`,
    retryAfter(seconds),
  )

/** `near` are paths that may be meant. */
export const notFound = (path: string, near: readonly string[] = []): Refusal =>
  refusal(404, `Not found: ${quote(path)}${didYouMean(near)}`)

/** `allow` are the methods of the path, as in `GET, POST`. */
export const methodNotAllowed = (allow: string): Refusal =>
  refusal(405, `Method not allowed. Allowed: ${allow}`, { Allow: allow })

/** `others` are the media types that a path takes beside JSON. */
export const unsupportedMediaType = (others: readonly string[] = []): Refusal =>
  refusal(415, `Content-Type must be ${['application/json', ...others].join(' or ')}`)

export const bodyTooLarge = (limit: number): Refusal =>
  refusal(413, `Request body is larger than ${limit / 1024 / 1024} MiB`)

/** What was sent is no HTTP request, or one whose end is not certain. */
export const malformedRequest = (): Refusal => invalid`Malformed HTTP request`

export const headTooLarge = (): Refusal => refusal(431, 'Request header fields are too large')

export const requestTimeout = (): Refusal => refusal(408, 'The request did not arrive in time')

export const malformedJson = (): Refusal => invalid`Request body is not valid JSON`

export const bodyNotObject = (): Refusal => invalid`Request body must be a JSON object`

/** The query string has an escape that is not UTF-8. */
export const malformedQuery = (): Refusal => invalid`Malformed query string`

/**
 * `names` are those that are missing, in the order of the interface; `given` are the fields of the request, of which one
 * may be a missing one under another name.
 */
export function missingRequired(names: readonly string[], given: readonly string[] = []): Refusal {
  const error = `Missing required: ${names.join(', ')}`
  for (const other of given.slice(0, maxComparedFields)) {
    const [name] = nearFields(other, names)
    if (name !== undefined) return refusal(400, `${error}. Write ${name} instead of ${quote(other)}`)
  }
  return refusal(400, error)
}

/** So many fields of a request are compared with one that is missing. */
const maxComparedFields = 20

/** `owner` is the indicator or the path, `accepted` are the names of all its parameters. */
export function unknownParameter(name: string, owner: string, accepted: readonly string[]): Refusal {
  const hint = isKeyField(name) ? `. ${keyInHeader}` : didYouMean(nearFields(name, accepted))
  return refusal(
    400,
    `Unknown parameter: ${quote(name)}. ${owner} accepts: ${accepted.join(', ') || 'no parameters'}${hint}`,
  )
}

/** What a value must be, as `invalidValue` says it. */
export const expected = {
  flag: 'true or false',
  object: 'an object',
  text: 'text',
  name: `text of at most ${maxNameLength} characters`,
  oneOf: (values: readonly (string | number)[]) => `one of ${values.join(', ')}`,
  range: (type: 'integer' | 'number', min: number, max: number) => `${type}, ${min} to ${max}`,
} as const

/** `range` are the type and the range that are expected, as in `integer, 2 to 400`. */
export const invalidValue = (name: string, value: unknown, range: string): Refusal =>
  refusal(400, `Invalid ${name}: ${quote(value)}. Expected ${range}`)

/** The value of `name` must be at most, or at least, that of the parameter `other`, which is `limit`. */
export const outOfOrder = (
  name: string,
  value: unknown,
  order: 'at most' | 'at least',
  other: string,
  limit: unknown,
): Refusal => invalidValue(name, value, `${order} ${other} (${quote(limit)})`)

export const repeatedParameter = (name: string): Refusal => invalid`Repeated parameter: ${name}. Give it once`

/** Two other names of one parameter have different values. */
export const contradictoryParameter = (name: string, other: string): Refusal =>
  invalid`Repeated parameter: ${name}. Give it once, or with the value of ${other}`

/** `timeframes` are those that there are. */
export const invalidTimeframe = (value: unknown, timeframes: readonly string[]): Refusal =>
  refusal(400, `Invalid timeframe: ${quote(value)}. Expected ${expected.oneOf(timeframes)}`)

/** Only the prices of `stocks` are adjusted; `stocks-raw` says itself what its prices are. */
export const adjustmentNotOfStocks = (exchange: string): Refusal =>
  invalid`adjustment can be used with exchange stocks only, not with ${exchange}`

/** `near` are indicators that may be meant. */
export const unknownIndicator = (name: string, near: readonly string[] = []): Refusal =>
  refusal(404, `Unknown indicator: ${quote(name)}${didYouMean(near)}`)

/** A supplied value as a short text, in JSON. */
function quoteCandle(value: unknown): string {
  const text = jsonText(value)
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

/** The refusals of supplied candles name the place of the fault: `at` is the index of the candle. */
export const candlesNotArray = (): Refusal => invalid`candles must be an array of candles`

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

/** One field of a candle in the long and in the short spelling. */
export const repeatedCandleField = (at: number, long: string, short: string): Refusal =>
  invalid`candles[${at}] has both ${long} and ${short}`

export const highBelowLow = (at: number): Refusal => invalid`candles[${at}].high is below candles[${at}].low`

export const negativeVolume = (at: number): Refusal => invalid`candles[${at}].volume is negative`

/** A candle of a table has a price of 0 in the place of a missing one. */
export const zeroForMissing = (at: number): Refusal =>
  invalid`candles[${at}] has a price of 0 that stands for a missing one: leave the row out`

export const missingTimestamp = (at: number): Refusal =>
  invalid`candles[${at}].timestamp is missing: give it on every candle or on none`

export const unexpectedTimestamp = (at: number): Refusal =>
  invalid`candles[${at}].timestamp is given, but not on the candles before it: give it on every candle or on none`

/** A candle without a timestamp has its time under another name. */
export const timeOfOtherName = (at: number, name: string): Refusal =>
  invalid`candles[${at}].${name} is not read: give the time as timestamp, in Unix seconds`

export const invalidTimestamp = (at: number, value: unknown): Refusal =>
  invalid`candles[${at}].timestamp must be a whole number of Unix seconds, got ${quoteCandle(value)}`

export const timestampInMilliseconds = (at: number, value: number): Refusal =>
  invalid`candles[${at}].timestamp is ${value}: Unix seconds are expected, this looks like milliseconds`

export const timestampNotAfter = (at: number): Refusal =>
  invalid`candles[${at}].timestamp is not after candles[${at - 1}].timestamp`

/** The history is too short for a single value. `isFull` says that it has as many candles as the service keeps of one. */
export const notEnoughCandles = (name: string, needed: number, available: number, isFull = false): Refusal =>
  invalid`Not enough candles: ${name} needs ${needed}, ${available} available${keptCandles(isFull)}`

/** No value has so many settled digits. `isFull` as above. */
export const notSettled = (
  indicator: string,
  digits: number,
  needed: number,
  available: number,
  isFull: boolean,
): Refusal =>
  invalid`Not enough candles: ${indicator} needs ${needed} for ${digits} settled digits, ${available} available${keptCandles(isFull)}`

/** Values of `indicator` never have settled digits, alone or in an expression. */
export const neverSettles = (indicator: string, reason: NeverReason): Refusal =>
  invalid`${indicator} never settles: ${neverReasons[reason]}. Leave out settled`

/** A window of values by time and by number at once. */
export const rangeBesideCount = (range: string, count: string): Refusal =>
  invalid`${range} and ${count} exclude each other. Give a time with from and to, or a number of values with results and backtrack`

export const rangeBackwards = (): Refusal => invalid`from is after to`

/** `first` and `last` are when the oldest and the newest candle open. */
export const nothingInRange = (range: string, first: string, last: string): Refusal =>
  invalid`No candles ${range}: the first one opens at ${first}, the last one at ${last}`

/** `first` is when the oldest candle of the history opens, `why` what it says of the number of its candles. */
export const rangeBeforeHistory = (first: string, depth: number, why = 'HISTORY_DEPTH is their number') =>
  invalid`The history begins at ${first}, after from. It has the ${depth} newest candles: ${why}`

/** `candles` are those of the time from `from` on, which would end at `end` with as many as one answer may have. */
export const rangeTooLong = (candles: number, most: number, from: string, end: string): Refusal =>
  invalid`The range has ${candles} candles, and an answer at most ${most}. Ask for it in parts: the first one from ${from} to ${end}`

/** A refusal of something that is not found; `near` is what may be meant. */
function notFoundBut(error: string, near: readonly string[]): Refusal {
  const hint = didYouMean(near)
  return hint === '' ? refusal(404, error) : { status: 404, error: error + hint, hint }
}

export const exchangeNotFound = (exchange: string, near: readonly string[] = []): Refusal =>
  notFoundBut(`Exchange not found: ${quote(exchange)}`, near)

export const symbolNotFound = (symbol: string, exchange: string, near: readonly string[] = []): Refusal =>
  notFoundBut(`Symbol not found: ${quote(symbol)} on ${quote(exchange)}`, near)

/** A symbol that the exchange has traded before. */
export const symbolDelisted = (symbol: string, exchange: string): Refusal =>
  refusal(404, `${symbolNotFound(symbol, exchange).error}. The exchange has delisted it`)

/** Candles or symbols of an exchange cannot be fetched; the client may try again after `seconds`. */
export const exchangeUnavailable = (exchange: string, reason: string, seconds: number): Refusal =>
  refusal(503, `Exchange unavailable: ${quote(exchange)} (${quote(reason)})`, retryAfter(seconds))

/** The candles of a bulk construct did not arrive while the request waited for them. */
export const candlesTooLate = (exchange: string, waitedSeconds: number, seconds: number): Refusal =>
  exchangeUnavailable(exchange, `no candles within ${waitedSeconds} seconds`, seconds)

/** Of one account, `limit` markets or exchanges are being fetched for the first time; it may try again after `seconds`. */
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

/** The `_error` of a bulk construct whose candles were refused with 404, 429 or 503. */
export function fetchFailed({ status, error, hint = '' }: Refusal): string {
  if (status === 404)
    return `Failed to fetch candles: 404 Not Found - check exchange, symbol and timeframe${hint}`
  const reason = status === 429 ? 'Too Many Requests' : 'Service Unavailable'
  return `Failed to fetch candles: ${status} ${reason} - ${error}`
}

/** The body has no `constructs`, or they are not an array, or an empty one. */
export const missingConstructs = (): Refusal =>
  invalid`Request body must contain a non-empty 'constructs' array`

export const tooManyConstructs = (): Refusal =>
  invalid`Too many constructs. Maximum allowed per request is ${maxConstructs}.`

/** The places of a construct and of an indicator in it, with which the next four refusals begin. */
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

/** An id that is not a text, or too long a one. */
export const elementIdNotName = (place: string, id: unknown): Refusal =>
  refusal(400, `${place} id ${quoteJson(id)} is invalid. Expected ${expected.name}`)

export const duplicateConstructId = (id: string): Refusal =>
  invalid`Duplicate construct id "${id}". Construct ids must be unique within the request.`

export const duplicateConstruct = (exchange: string, symbol: string, timeframe: string): Refusal =>
  invalid`Duplicate construct: exchange "${exchange}", symbol "${symbol}", timeframe "${timeframe}" appears more than once. Merge the indicators into a single construct.`

/** The refusal of something inside a construct, with the id of the construct. */
export const inConstruct = (id: string, { status, error }: Refusal): Refusal =>
  refusal(status, `Construct "${quote(id)}": ${error}`)

export const missingIndicators = (construct: string): Refusal =>
  invalid`Construct "${construct}" must contain a non-empty 'indicators' array`

export const tooManyIndicators = (construct: string): Refusal =>
  invalid`Construct "${construct}" has too many indicators. Maximum allowed per construct is ${maxIndicators}.`

export const duplicateIndicatorId = (construct: string, id: string): Refusal =>
  invalid`Construct "${construct}" has duplicate indicator id "${id}". Indicator ids must be unique within a construct.`

/** An id that is also a key of the answer beside the indicators. */
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

/** The refusal of an indicator's parameter, with the ids of the construct and the indicator. */
export const inIndicator = (construct: string, id: string, { status, error }: Refusal): Refusal =>
  refusal(status, `Construct "${quote(construct)}", indicator "${quote(id)}": ${error}`)

/** The error of a bulk entry whose computation ended with a bug. */
export const computationFailed = (): string => 'Computation failed'

/** The queue of computations is full; the client may try again after `seconds`. */
export const busy = (seconds: number): Refusal =>
  refusal(503, 'Service busy. Too many computations are waiting.', retryAfter(seconds))

/** Request bodies take all memory that they may. The client may send the body again after `seconds`. */
export const tooManyBodies = (seconds: number): Refusal =>
  refusal(503, 'Service busy. Too many request bodies are being received.', retryAfter(seconds))

/** A request to `/streaming` that is not an upgrade to a WebSocket. */
export const upgradeRequired = (): Refusal =>
  refusal(426, 'Upgrade required. Connect to this path with a WebSocket.', {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
  })

/** As many streaming connections are open, or open without a key, as the service allows. */
export const tooManyConnections = (seconds: number): Refusal =>
  refusal(503, 'Service busy. Too many streaming connections.', retryAfter(seconds))

/** A key has as many streaming connections, or requests that wait for their reply, as the service allows. */
export const tooManyOfKey = (what: 'streaming connections' | 'requests at once', max: number): Refusal =>
  refusal(429, `Too many ${what}. At most ${max} are allowed for one key.`, retryAfter(1))

/** The service is shutting down; the client may try again after `seconds`. */
export const stopping = (seconds: number): Refusal =>
  refusal(503, 'The service is stopping', retryAfter(seconds))

/** A streaming client sent another message before `auth`. */
export const notAuthenticated = (): Refusal =>
  refusal(401, 'Not authenticated. Send {"type":"auth","token":"Bearer <API_KEY>"} first.')

export const alreadyAuthenticated = (): Refusal => invalid`Already authenticated`

export const malformedMessage = (): Refusal => invalid`Message is not valid JSON`

export const messageNotObject = (): Refusal => invalid`Message must be a JSON object`

export const unknownMessageType = (type: unknown, types: readonly string[]): Refusal =>
  refusal(400, `Unknown message type: ${quote(type)}. Expected ${expected.oneOf(types)}`)

/** A client may send `messages` per second on average. */
export const tooManyMessages = (messages: number): Refusal =>
  refusal(429, `Too many messages. At most ${messages} per second are accepted.`)

/** `id` in the composed form. */
export const duplicateSubscription = (id: string): Refusal => invalid`Duplicate subscription id: ${id}`

export const subscriptionNotFound = (id: string): Refusal =>
  refusal(404, `Subscription not found: ${quote(id)}`)

/** Why a streaming connection is closed: the code of RFC 6455, or from 4000 on one of this interface. */
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

/** A bug of the service; its cause is in the log. */
export const internal = (): Refusal => refusal(500, 'Internal error')

/**
 * An answer that refuses a request: by a fault of the caller (4xx), or because the service or an exchange cannot serve
 * it now (5xx). It is returned, not thrown, and its body is `{ "error": error }`.
 */
export interface Refusal {
  readonly status: number
  readonly error: string
  readonly headers?: Readonly<Record<string, string>>
  /** The end of `error` that says what would be right. */
  readonly hint?: string
}

/**
 * Whether a result of this program is a refusal. Not for values that a client sent: an object with a status and an
 * error looks like one.
 */
export const isRefusal = (result: unknown): result is Refusal =>
  typeof result === 'object' && result !== null && 'status' in result && 'error' in result

export const refusal = (
  status: number,
  error: string,
  headers?: Readonly<Record<string, string>>,
): Refusal => (headers === undefined ? { status, error } : { status, error, headers })

/** How much of a value that a client sent is repeated in an error, in characters. */
const maxQuotedLength = 200

/** A value as the client may have written it: texts as they are, everything else as JSON. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonText(value)
  return text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength)}…` : text
}

/** A value as JSON: a text stands in quotation marks. */
export const quoteJson = (value: unknown): string => quote(jsonText(value))

/** A refusal with status 400. Each value in its text is quoted as above. */
export const invalid = (texts: TemplateStringsArray, ...values: readonly unknown[]): Refusal =>
  refusal(400, String.raw({ raw: texts }, ...values.map(quote)))

/** The header of a refusal after which the client may try again. */
export const retryAfter = (seconds: number) => ({ 'Retry-After': String(seconds) })

/** No key, or a key that does not exist. */
export const missingKey = (): Refusal =>
  refusal(401, 'Invalid or missing API key.', { 'WWW-Authenticate': 'Bearer' })

/** A header or a token of another form than `Bearer <API_KEY>`. */
export const malformedKey = (): Refusal =>
  refusal(401, `${missingKey().error} ${keyForm}`, missingKey().headers)

/** No key in the header `Authorization`, but one at another place. */
export const misplacedKey = (place: 'the query string' | 'X-API-Key'): Refusal =>
  refusal(401, `${missingKey().error} ${keyInHeader}, not in ${place}`, missingKey().headers)

const invalidToken = { 'WWW-Authenticate': 'Bearer error="invalid_token"' }

/** A key that was revoked. */
export const inactiveKey = (): Refusal => refusal(401, 'Invalid or inactive token', invalidToken)

/** A key whose place another one took, which worked until `ends` (Unix seconds). */
export const replacedKey = (ends: number): Refusal =>
  refusal(
    401,
    `Invalid or inactive token. A newer key has taken its place; it worked until ${formatTime(ends)} UTC`,
    invalidToken,
  )

/** The key is not known here, and the store of the accounts cannot be asked; the client may try again after `seconds`. */
export const accountsUnavailable = (seconds: number): Refusal =>
  refusal(503, 'The API key cannot be checked at present. Try again.', retryAfter(seconds))

/** A request or a message that the scopes of the key do not allow. */
export const missingScope = (scope: string, id: string, own: readonly string[]): Refusal =>
  refusal(
    403,
    `The key has no scope ${scope}, which this needs. "candela keys update ${id} --scopes ${[...own, scope].join(',')}" adds it`,
    // Source: RFC 6750, section 3.1.
    { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  )

export const keyNotFound = (id: string): Refusal => refusal(404, `No key with the id "${quote(id)}"`)

/** A key that was revoked or has expired gets no other one in its place. */
export const keyNotActive = (id: string): Refusal =>
  refusal(409, `Key ${id} is revoked or has expired: create another one`)

/** An account has so many keys that still work, because they were replaced shortly one after the other. */
export const tooManyKeys = (id: string, most: number): Refusal =>
  refusal(409, `Key ${id} was replaced so often that ${most} keys of it still work: wait until one has ended`)

export const scopesNotList = (value: unknown, scopes: readonly string[]): Refusal =>
  invalid`Invalid scopes: ${value}. Expected a list of ${scopes.join(', ')}`

/** Accounts are where they can neither be read nor changed now; the client may try again after `seconds`. */
export const keysUnavailable = (seconds: number): Refusal =>
  refusal(503, 'Keys cannot be read or changed at present. Try again.', retryAfter(seconds))

export const nothingToChange = (names: readonly string[]): Refusal =>
  invalid`Nothing to change. Expected some of ${names.join(', ')}`

/** The newest candle of a market ended `age` seconds ago, and the request allows `maxAge`. */
export const candlesTooOld = (
  { exchange, symbol, timeframe }: Readonly<Record<'exchange' | 'symbol' | 'timeframe', string>>,
  age: number,
  maxAge: number,
): Refusal =>
  refusal(
    503,
    `The candles of ${quote(`${exchange} ${symbol} ${timeframe}`)} are too old: the last one ended ${formatAge(age)} ago, and maxAge is ${maxAge} seconds`,
  )

/** `since` is from when on it is known which candles were others. */
export const notKnownAsOf = (time: string, since: string): Refusal =>
  invalid`The candles of ${time} are not known as they were then: corrections are stored since ${since}`

export const correctionsNotStored = (): Refusal =>
  invalid`The candles are not known as they were: their corrections are not stored. CORRECTIONS_DAYS says for how long they are, and a shared store has none`

/** The body is no table of the format that its `Content-Type` names. */
export const malformedTable = (format: string): Refusal => invalid`Request body is not ${format}`

/** A table lacks columns of candles; `reason` says which. */
export const tableWithoutColumns = (reason: string): Refusal => invalid`Request body has ${reason}`

/** A table has more candles than the service or the plan allows. */
export const tooManyTableCandles = (limit: number, count: number): Refusal =>
  refusal(
    400,
    `A table must hold at most ${limit} candles, got ${count}. Each ${maxSuppliedCandles} of them count as one request of the plan`,
  )

/** The column `with` of a table names more markets than an expression may. */
export const tooManyTableMarkets = (limit: number): Refusal =>
  invalid`A table may hold candles of at most ${limit} other markets in its column with`

/** A line of a table is no candle; `problem` says why. */
export const wrongTableLine = (line: number, problem: string): Refusal =>
  invalid`Request body: line ${line}: ${problem}`

/** A tool for language models that there is not. */
export const unknownTool = (name: string, names: readonly string[]): Refusal =>
  refusal(
    404,
    `Unknown tool: ${quote(name)}. The tools are ${names.join(', ')}${didYouMean(nearNames(name, names))}`,
  )

/** A computation of both, or of neither. */
export const indicatorOrExpression = (): Refusal => invalid`Send either indicator or expression`

export const resourceNotFound = (uri: string): Refusal => refusal(404, `Resource not found: ${quote(uri)}`)

/** The error of an expression with the valid one that may be meant. */
export const withNearest = (error: string, text: string): string =>
  `${error}${/[.?]$/.test(error) ? '' : '.'} Nearest valid form: ${text}`

/** What is said where a history has as many candles as the service keeps of one, so that older ones may exist. */
export const keptCandles = (isFull: boolean): string =>
  isFull ? ': HISTORY_DEPTH is the number of candles that are kept, a request with from reads older ones' : ''

/** What an answer says that has fewer values than `results` asks for; `isFull` says that the history has all candles that are kept. */
export const fewerValues = (given: number, results: number, isFull: boolean): string =>
  `Fewer values than results: ${given} of ${results}${keptCandles(isFull)}`
