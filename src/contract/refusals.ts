/**
 * An answer that says no: the caller's fault (4xx), or the world's that the caller must hear of (5xx).
 * It is returned, not thrown, and its body is `{ "error": error }`.
 */
export interface Refusal {
  readonly status: number
  readonly error: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Tells a refusal from any other result of ours. A body that a caller sent must not be asked: it can look like one. */
export const isRefusal = (result: unknown): result is Refusal =>
  typeof result === 'object' && result !== null && 'status' in result && 'error' in result

const refusal = (status: number, error: string, headers?: Readonly<Record<string, string>>): Refusal =>
  headers === undefined ? { status, error } : { status, error, headers }

/** How much of a caller's own words is repeated to the caller, in characters. */
const maxQuotedLength = 200

/** A value as JSON, or a sign in its place where it is nested too deeply to be written. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch (error) {
    if (error instanceof RangeError) return '[…]'
    throw error
  }
}

/** A value as the caller may have written it: texts as they are, everything else as JSON. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonText(value)
  return text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength)}…` : text
}

const retryAfter = (seconds: number) => ({ 'Retry-After': String(seconds) })

/** No key, a malformed header or a key that nobody was given. */
export const missingKey = (): Refusal =>
  refusal(401, 'Invalid or missing API key.', { 'WWW-Authenticate': 'Bearer' })

/** A key that was revoked. */
export const inactiveKey = (): Refusal =>
  refusal(401, 'Invalid or inactive token', { 'WWW-Authenticate': 'Bearer error="invalid_token"' })

/** The account made its `requests` of this window, which ends in `seconds`. */
export const rateExceeded = (requests: number, seconds: number): Refusal =>
  refusal(
    429,
    `Rate limit exceeded. Your plan allows ${requests} requests per 15 seconds.`,
    retryAfter(seconds),
  )

export const tooManyConstructsForPlan = (constructs: number): Refusal =>
  refusal(429, `Too many constructs. Your plan allows ${constructs} construct(s) per bulk request.`)

export const tooManySubscriptionsForPlan = (subscriptions: number): Refusal =>
  refusal(429, `Too many subscriptions. Your plan allows ${subscriptions} subscription(s).`)

export const notFound = (path: string): Refusal => refusal(404, `Not found: ${shown(path)}`)

/** `allow` are the methods of the path, as in `GET, POST`. */
export const methodNotAllowed = (allow: string): Refusal =>
  refusal(405, `Method not allowed. Allowed: ${allow}`, { Allow: allow })

export const unsupportedMediaType = (): Refusal => refusal(415, 'Content-Type must be application/json')

export const bodyTooLarge = (limit: number): Refusal =>
  refusal(413, `Request body is larger than ${limit / 1024 / 1024} MiB`)

export const malformedJson = (): Refusal => refusal(400, 'Request body is not valid JSON')

export const bodyNotObject = (): Refusal => refusal(400, 'Request body must be a JSON object')

/** A query string with an escape that is no UTF-8 text. */
export const malformedQuery = (): Refusal => refusal(400, 'Malformed query string')

/** `names` are those that are missing, in the order of the interface. */
export const missingRequired = (names: readonly string[]): Refusal =>
  refusal(400, `Missing required: ${names.join(', ')}`)

/** `owner` is the indicator or the path, `accepted` all that it takes. */
export const unknownParameter = (name: string, owner: string, accepted: readonly string[]): Refusal =>
  refusal(
    400,
    `Unknown parameter: ${shown(name)}. ${owner} accepts: ${accepted.join(', ') || 'no parameters'}`,
  )

/** `expected` are type and range, as in `an integer from 2 to 400`. */
export const invalidValue = (name: string, value: unknown, expected: string): Refusal =>
  refusal(400, `Invalid ${name}: ${shown(value)}. Expected ${expected}`)

/** `order` says how `name` must stand to the value of the parameter `other`. */
export const outOfOrder = (
  name: string,
  value: unknown,
  order: 'at most' | 'at least',
  other: string,
  limit: unknown,
): Refusal => invalidValue(name, value, `${order} ${other} (${shown(limit)})`)

export const repeatedParameter = (name: string): Refusal =>
  refusal(400, `Repeated parameter: ${shown(name)}. Give it once`)

export const invalidTimeframe = (value: unknown): Refusal =>
  refusal(400, `Invalid timeframe: ${shown(value)}`)

export const unknownIndicator = (name: string): Refusal => refusal(404, `Unknown indicator: ${shown(name)}`)

/** Supplied candles that are none; `text` names the place, as in `candles[17].high is below candles[17].low`. */
export const badCandles = (text: string): Refusal => refusal(400, text)

/** The history is too short for a single value. */
export const notEnoughCandles = (indicator: string, needed: number, available: number): Refusal =>
  refusal(400, `Not enough candles: ${indicator} needs ${needed}, ${available} available`)

export const exchangeNotFound = (exchange: string): Refusal =>
  refusal(404, `Exchange not found: ${shown(exchange)}`)

export const symbolNotFound = (symbol: string, exchange: string): Refusal =>
  refusal(404, `Symbol not found: ${shown(symbol)} on ${shown(exchange)}`)

/** The exchange could not be reached; `seconds` are a good time to try again. */
export const exchangeUnavailable = (exchange: string, reason: string, seconds: number): Refusal =>
  refusal(503, `Exchange unavailable: ${shown(exchange)} (${shown(reason)})`, retryAfter(seconds))

/** The `_error` of a bulk construct whose candles were refused with 404 or 503. */
export const fetchFailed = ({ status, error }: Refusal): string =>
  status === 404
    ? 'Failed to fetch candles: 404 Not Found - check exchange, symbol and timeframe'
    : `Failed to fetch candles: 503 Service Unavailable - ${error}`

/** The body has no `constructs`, or they are no array, or an empty one. */
export const missingConstructs = (): Refusal =>
  refusal(400, "Request body must contain a non-empty 'constructs' array")

export const tooManyConstructs = (): Refusal =>
  refusal(400, 'Too many constructs. Maximum allowed per request is 20.')

export const constructNotObject = (index: number): Refusal =>
  refusal(400, `Construct [${index}] must be an object`)

export const constructWithoutId = (index: number): Refusal =>
  refusal(400, `Construct [${index}] is missing a required 'id' field`)

export const badConstructId = (index: number, id: unknown): Refusal =>
  refusal(
    400,
    `Construct [${index}] id "${shown(id)}" is invalid. Only alphanumeric characters and underscores are allowed.`,
  )

export const duplicateConstructId = (id: string): Refusal =>
  refusal(400, `Duplicate construct id "${shown(id)}". Construct ids must be unique within the request.`)

export const duplicateConstruct = (exchange: string, symbol: string, timeframe: string): Refusal =>
  refusal(
    400,
    `Duplicate construct: exchange "${shown(exchange)}", symbol "${shown(symbol)}", timeframe "${shown(timeframe)}" appears more than once. Merge the indicators into a single construct.`,
  )

/** A refusal of something inside a construct, with the construct named. */
export const inConstruct = (id: string, { status, error }: Refusal): Refusal =>
  refusal(status, `Construct "${shown(id)}": ${error}`)

export const missingIndicators = (construct: string): Refusal =>
  refusal(400, `Construct "${shown(construct)}" must contain a non-empty 'indicators' array`)

export const tooManyIndicators = (construct: string): Refusal =>
  refusal(
    400,
    `Construct "${shown(construct)}" has too many indicators. Maximum allowed per construct is 20.`,
  )

export const indicatorNotObject = (construct: string, index: number): Refusal =>
  refusal(400, `Construct "${shown(construct)}" indicator [${index}] must be an object`)

export const indicatorWithoutId = (construct: string, index: number): Refusal =>
  refusal(400, `Construct "${shown(construct)}" indicator [${index}] is missing a required 'id' field`)

export const badIndicatorId = (construct: string, index: number, id: unknown): Refusal =>
  refusal(
    400,
    `Construct "${shown(construct)}" indicator [${index}] id "${shown(id)}" is invalid. Only alphanumeric characters and underscores are allowed.`,
  )

export const duplicateIndicatorId = (construct: string, id: string): Refusal =>
  refusal(
    400,
    `Construct "${shown(construct)}" has duplicate indicator id "${shown(id)}". Indicator ids must be unique within a construct.`,
  )

/** An id that would hide what the answer says about the construct itself. */
export const reservedIndicatorId = (construct: string, id: string): Refusal =>
  refusal(400, `Construct "${shown(construct)}" indicator id "${id}" is reserved`)

export const unknownIndicatorInConstruct = (construct: string, name: unknown): Refusal =>
  refusal(400, `Construct "${shown(construct)}" references unknown indicator: ${shown(name)}`)

/** A refusal of an indicator's parameter, with its place named. */
export const inIndicator = (construct: string, id: string, { status, error }: Refusal): Refusal =>
  refusal(status, `Construct "${shown(construct)}", indicator "${shown(id)}": ${error}`)

/** The entry of a bulk answer that could not be computed by a fault of ours. */
export const computationFailed = (): string => 'Computation failed'

/** More is being computed than may wait; `seconds` are a good time to try again. */
export const busy = (seconds: number): Refusal =>
  refusal(503, 'Service busy. Too many computations are waiting.', retryAfter(seconds))

/** `/streaming` was asked for without the upgrade to a WebSocket. */
export const upgradeRequired = (): Refusal =>
  refusal(426, 'Upgrade required. Connect to this path with a WebSocket.', {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
  })

/** More streaming connections are open, or not authenticated yet, than the service allows. */
export const tooManyConnections = (seconds: number): Refusal =>
  refusal(503, 'Service busy. Too many streaming connections.', retryAfter(seconds))

/** The service ends; `seconds` are a good time to look for the next one. */
export const stopping = (seconds: number): Refusal =>
  refusal(503, 'The service is stopping', retryAfter(seconds))

/** A streaming client asked for something before it said who it is. */
export const notAuthenticated = (): Refusal =>
  refusal(401, 'Not authenticated. Send {"type":"auth","token":"Bearer <API_KEY>"} first.')

export const alreadyAuthenticated = (): Refusal => refusal(400, 'Already authenticated')

export const malformedMessage = (): Refusal => refusal(400, 'Message is not valid JSON')

export const messageNotObject = (): Refusal => refusal(400, 'Message must be a JSON object')

/** `known` are the types there are. */
export const unknownMessageType = (type: unknown, known: readonly string[]): Refusal =>
  refusal(400, `Unknown message type: ${shown(type)}. Expected one of ${known.join(', ')}`)

/** `messages` per second are accepted in the long run. */
export const tooManyMessages = (messages: number): Refusal =>
  refusal(429, `Too many messages. At most ${messages} per second are accepted.`)

/** `id` in the composed form. */
export const duplicateSubscription = (id: string): Refusal =>
  refusal(400, `Duplicate subscription id: ${shown(id)}`)

export const subscriptionNotFound = (id: string): Refusal =>
  refusal(404, `Subscription not found: ${shown(id)}`)

/** Why a streaming connection is closed, with the code of RFC 6455 or one of ours from 4000 on. */
export const closeCodes = () =>
  ({
    stopping: { code: 1001, reason: 'The service is stopping' },
    binary: { code: 1003, reason: 'Messages must be text' },
    tooManyMessages: { code: 1008, reason: 'Too many messages' },
    tooLarge: { code: 1009, reason: 'Messages may have at most 16 KiB' },
    internal: { code: 1011, reason: 'Internal error' },
    tooSlow: { code: 1013, reason: 'Updates are not read fast enough' },
    inactive: { code: 4401, reason: 'Invalid or inactive token' },
    unauthenticated: { code: 4408, reason: 'Not authenticated in time' },
  }) as const

/** A bug of ours; what it was stands in the log. */
export const internal = (): Refusal => refusal(500, 'Internal error')
