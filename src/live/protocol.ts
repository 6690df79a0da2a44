import { timeframes } from '../candles/timeframe.js'
import { catalogue } from '../catalogue/index.js'
import { expressionName, marketsOf } from '../compute/expressions/compile.js'
import { type Expressions, refuseChart } from '../compute/expressions/expressions.js'
import { type Account, refuseScope, type Scope } from '../contract/account.js'
import { readObject as readFields, readShape, refuseMissing, refuseUnknown } from '../contract/fields.js'
import { isObject, type JsonObject } from '../contract/json-value.js'
import { atAdjustment, type Market, marketKey } from '../contract/market.js'
import { clientMessages, messageScopes } from '../contract/messages.js'
import { nearIndicators } from '../contract/near-indicators.js'
import {
  type IndicatorSpec,
  liveKey,
  type PreparedQuestion,
  readIndicatorSpec,
  settledAt,
} from '../contract/query.js'
import {
  isRefusal,
  malformedMessage,
  messageNotObject,
  type Refusal,
  unknownIndicator,
  unknownMessageType,
} from '../contract/refusals.js'
import { readBreadth } from '../screens/breadth/request.js'
import type { LiveRequest } from '../screens/live-screens.js'
import { readScreen } from '../screens/request.js'
import type { LiveUpdate } from '../screens/screener.js'

export interface SubscribeRequest extends PreparedQuestion {
  /** Id chosen by the client. */
  readonly id: string
  /** Whether only closed candles are wanted. */
  readonly candleClose: boolean
}

export type LiveScreenRequest = LiveRequest & {
  /** Id chosen by the client. */
  readonly id: string
  /** Key by which it counts as a subscription. */
  readonly key: string
}

export type Message =
  | { readonly type: 'auth'; readonly token: string }
  | { readonly type: 'subscribe'; readonly request: SubscribeRequest }
  | { readonly type: 'unsubscribe'; readonly id: string }
  | { readonly type: 'list' }
  | { readonly type: 'alerts'; readonly ack: boolean }
  | { readonly type: 'screen' | 'breadth'; readonly request: LiveScreenRequest }
  | { readonly type: 'screen_stop' | 'breadth_stop' | 'alert_ack'; readonly id: string }

/** A message that is refused, with the id that the client gave it. */
export interface InvalidMessage {
  readonly type: 'invalid'
  readonly id: string | null
  readonly refusal: Refusal
}

/** Value of a JSON text, or undefined if the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Token of an `auth` message; undefined for any other text. */
export function readToken(text: string): string | undefined {
  const message = parse(text)
  return isObject(message) && message.type === 'auth' ? tokenOf(message) : undefined
}

/** Reads a message of an authenticated client. An invalid message is refused for its first fault. */
export function readMessage(
  text: string,
  expressions: Expressions,
  account: Pick<Account, 'id' | 'scopes'>,
): Message | InvalidMessage {
  const message = parse(text)
  if (message === undefined) return { type: 'invalid', id: null, refusal: malformedMessage() }
  if (!isObject(message)) return { type: 'invalid', id: null, refusal: messageNotObject() }
  const id = typeof message.id === 'string' ? message.id : null
  const read = refuseScope(account, scopeOf(message.type)) ?? readObject(message, expressions)
  return isRefusal(read) ? { type: 'invalid', id, refusal: read } : read
}

const scopeOf = (type: unknown): Scope | undefined =>
  typeof type === 'string' && Object.hasOwn(messageScopes, type)
    ? messageScopes[type as keyof typeof messageScopes]
    : undefined

const tokenOf = ({ token }: JsonObject): string => (typeof token === 'string' ? token : '')

function readObject(message: JsonObject, expressions: Expressions): Message | Refusal {
  const missing = refuseMissing({ type: message.type }, ['type'])
  if (missing) return missing
  switch (message.type) {
    case 'auth':
      return { type: 'auth', token: tokenOf(message) }
    case 'list':
      return { type: message.type }
    case 'alerts': {
      const read = readShape(clientMessages().alerts.shape, message, ['ack'])
      return isRefusal(read) ? read : { type: 'alerts', ack: read.ack }
    }
    case 'alert_ack':
    case 'unsubscribe':
    case 'screen_stop':
    case 'breadth_stop': {
      const read = refuseMissing(message, ['id']) ?? readShape(clientMessages()[message.type].shape, message)
      return isRefusal(read) ? read : { type: message.type, id: read.id }
    }
    case 'screen':
    case 'breadth': {
      const { type } = message
      const request = readScreenRequest(type, message, expressions)
      return isRefusal(request) ? request : { type, request }
    }
    case 'subscribe': {
      const request = readSubscribeRequest(message, expressions)
      return isRefusal(request) ? request : { type: 'subscribe', request }
    }
    default:
      return unknownMessageType(message.type, Object.keys(clientMessages()))
  }
}

/** Reads the fields in the order in which a request to `/indicator/<name>` is checked. */
function readSubscribeRequest(message: JsonObject, expressions: Expressions): SubscribeRequest | Refusal {
  const { shape } = clientMessages().subscribe
  const required = ['id', 'exchange', 'symbol', 'interval', 'indicator'] as const
  const names =
    refuseMissing(message, required) ?? readShape({ ...shape, interval: shape.id }, message, required)
  if (isRefusal(names)) return names
  const unknown = refuseUnknown(Object.keys(message), 'subscribe', ['type', ...Object.keys(shape)])
  if (unknown) return unknown
  const { id, exchange, symbol } = names
  const indicator = names.indicator.toLowerCase()
  const entry = catalogue.get(indicator)
  if (!entry && indicator !== expressionName)
    return unknownIndicator(names.indicator, nearIndicators(names.indicator))
  const what = readShape(shape, message, ['interval', 'params', 'adjustment'])
  if (isRefusal(what)) return what
  const market = atAdjustment({ exchange, symbol, timeframe: what.interval, adjustment: what.adjustment })
  if (isRefusal(market)) return market
  const given = new Map(Object.entries(what.params))
  const spec = entry
    ? readIndicatorSpec(entry, given, 'json')
    : expressions.readSpec(given, [], market.timeframe)
  if (isRefusal(spec)) return spec
  const how = readShape(shape, message, ['chart', 'candleClose', 'settled'])
  if (isRefusal(how)) return how
  const { chart, candleClose, settled: digits } = how
  const settled = digits === undefined ? undefined : settledAt(spec, digits)
  if (isRefusal(settled)) return settled
  const query = { ...spec, chart, settled, results: 1, backtrack: 0 }
  const unfit = refuseChart(query)
  return unfit ?? { id, query, markets: marketsOf(spec.indicator, market), candleClose }
}

/** Reads the `id`, then the fields in the order of `POST /screen` or `POST /breadth`. */
function readScreenRequest(
  kind: LiveScreenRequest['kind'],
  { type: _, id, ...given }: JsonObject,
  expressions: Expressions,
): LiveScreenRequest | Refusal {
  const own = refuseMissing({ id }, ['id']) ?? readShape(clientMessages()[kind].shape, { id }, ['id'])
  if (isRefusal(own)) return own
  const fields = readFields(given)
  if (isRefusal(fields)) return fields
  const common = { ...own, key: `${kind} ${JSON.stringify(given)}` }
  if (kind === 'screen') {
    const request = readScreen(fields, expressions, true)
    return isRefusal(request) ? request : { ...common, kind, request }
  }
  const request = readBreadth(fields, expressions, true)
  return isRefusal(request) ? request : { ...common, kind, request }
}

/** Key by which a subscription is counted. Equal subscriptions of an account count once. */
export const subscriptionKey = ({ markets: [market], query }: PreparedQuestion): string =>
  `${marketKey(market)} ${liveKey(query)}`

/** Id by which a subscription is listed and ended: the market, then the client's id. */
export const subscriptionId = ({
  id,
  markets: [{ exchange, symbol, timeframe }],
}: SubscribeRequest): string => normalId(`${exchange}_${symbol}_${timeframe}_${id}`)

const composedId = new RegExp(`^(.+?)_(${Object.keys(timeframes).join('|')})_(.*)$`, 'is')

/** Listed form of a subscription's id: lower case, except the timeframe `1M`, because `1m` is a minute. */
export function normalId(id: string): string {
  const [, market, timeframe, own] = composedId.exec(id) ?? []
  if (timeframe !== '1M') return id.toLowerCase()
  return `${(market as string).toLowerCase()}_1M_${(own as string).toLowerCase()}`
}

/**
 * Reply to a client that starts to receive alerts. The account's alerts without a webhook are then sent on this
 * connection. With `ack`, each alert is kept until the client acknowledges it.
 */
export const listening = (ack: boolean): string =>
  ack ? '{"type":"alerts_ok","ack":true}' : '{"type":"alerts_ok"}'

export const authenticated = '{"type":"auth_ok"}'

export const authError = ({ error }: Refusal): string => JSON.stringify({ type: 'auth_error', error })

export const errorMessage = (id: string | null, { error }: Refusal): string =>
  JSON.stringify({ type: 'error', id, error })

/** Parameters of a calculation as clients see them: all parameters, and the sources if they were chosen. */
const paramsOf = ({ params, source, source2 }: IndicatorSpec) => ({ ...params, source, source2 })

/** The subscriptions of a client with their ids. */
export const subscriptionsMessage = (requests: Iterable<readonly [string, SubscribeRequest]>): string =>
  JSON.stringify({
    type: 'subscriptions',
    data: Array.from(
      requests,
      ([
        id,
        {
          markets: [market],
          query,
        },
      ]) => ({
        id,
        exchange: market.exchange,
        symbol: market.symbol,
        interval: market.timeframe,
        indicator: query.indicator.name,
        params: paramsOf(query),
        settled: query.settled?.digits,
        chart: query.chart?.text,
      }),
    ),
  })

/** Progress of a live screen or breadth while its candles are fetched: `done` of `total` markets were tried. */
export const screenPending = (
  kind: LiveScreenRequest['kind'],
  id: string,
  done: number,
  total: number,
): string => JSON.stringify({ type: `${kind}_pending`, id, done, total })

/**
 * Values of a live screen or breadth. The first message has all values, as the reply to a request. Later messages have
 * the new and changed values.
 */
export const screenMessage = (
  kind: LiveScreenRequest['kind'],
  id: string,
  { isWhole, text }: LiveUpdate,
): string => `{"type":"${kind}_${isWhole ? 'ok' : 'update'}","id":${JSON.stringify(id)},${text}}`

/** Market of an update: lower case, except the timeframe `1M`, because `1m` is a minute. */
const marketId = ({ exchange, symbol, timeframe }: Market): string =>
  `${`${exchange}:${symbol}`.toLowerCase()}:${timeframe}`

/** Beginning of the updates of the subscriptions with an id. */
export const updateHead = (id: string): string => `{"type":"update","id":${JSON.stringify(id)},`

/**
 * Text of an update between its beginning and its values. After the values, the update ends with a brace. All updates of
 * closed candles have the same text, and so have all updates of forming candles.
 */
export function updatePrefix(
  { exchange, symbol, timeframe }: Market,
  spec: IndicatorSpec,
  closed: boolean,
): string {
  const fields = {
    subscription: marketId({ exchange, symbol, timeframe }),
    indicator: spec.indicator.name,
    params: paramsOf(spec),
    settled: spec.settled?.digits,
    chart: spec.chart?.text,
    closed,
  }
  return `${JSON.stringify(fields).slice(1, -1)},"data":`
}
