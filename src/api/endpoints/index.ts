import type { Alerts } from '../../alerts/alerts.js'
import type { ComputeDispatcher } from '../../compute/compute-dispatcher.js'
import type { BodyParser } from '../../compute/json/body-parser.js'
import type { Calculator } from '../../compute/kernels/calculator.js'
import type { ResultCache } from '../../compute/results/result-cache.js'
import type { ExchangeLookup } from '../../exchanges/registry.js'
import type { MarketData } from '../../history/market-data.js'
import type { Screener } from '../../screen/screener.js'
import type { Account, FreeRetries } from '../../store/store.js'
import type { Caller, Reply, RequestHead } from '../reply.js'
import type { GetRouteId, OpenRouteId, PostRouteId } from '../route-table.js'
import { changeAlert, createAlert, deleteAlert, getAlerts, getDeadLetters } from './alerts.js'
import { postBulk } from './bulk.js'
import { postBulkCandles } from './bulk-candles.js'
import { getCandles } from './candles.js'
import { asyncapi, openapi } from './documents.js'
import { postEvaluate } from './evaluate.js'
import { getExchanges } from './exchanges.js'
import { getLive, getReady, type Health } from './health.js'
import { getExpression, getIndicator, postExpression, postIndicator } from './indicator.js'
import { getIndicators } from './indicators.js'
import { postMcp } from './mcp.js'
import { postScreen } from './screen.js'
import { getStreaming, getStreamingHealth, type StreamingHealth } from './streaming.js'
import { getSymbols } from './symbols.js'

export interface EndpointDependencies {
  readonly calculator: Calculator
  readonly resultCache: ResultCache
  readonly dispatch: ComputeDispatcher
  readonly bodyParser: BodyParser
  readonly exchanges: ExchangeLookup
  readonly alerts: Alerts
  /** Whether webhooks may lead to loopback and private addresses. */
  readonly privateTargets: boolean
  readonly marketData: MarketData
  readonly screener: Screener
  readonly questions: FreeRetries
  /** How long a bulk request waits for candles that are fetched for the first time, in seconds. */
  readonly bulkWaitSeconds: number
  /** The present figures of the streaming connections. */
  readonly streaming: () => StreamingHealth
  /** The present state of the parts of the service. */
  readonly health: () => Health
}

export type OpenEndpoint = (head: RequestHead) => Reply | Promise<Reply>

/** `segment` is the variable of the path. */
export type GetEndpoint = (head: RequestHead, account: Account, segment: string) => Reply | Promise<Reply>

/** `prefer` is the header field of that name. */
export type PostEndpoint = (
  body: Uint8Array,
  account: Account,
  caller: Caller,
  segment: string,
  prefer: string,
) => Reply | Promise<Reply>

export const createOpenEndpoints = (
  dependencies: EndpointDependencies,
): Readonly<Record<OpenRouteId, OpenEndpoint>> => ({
  openapi: openapi(),
  asyncapi: asyncapi(),
  streaming: getStreaming,
  live: getLive,
  ready: () => getReady(dependencies),
})

export const createGetEndpoints = (
  dependencies: EndpointDependencies,
): Readonly<Record<GetRouteId, GetEndpoint>> => ({
  candles: (head, { id }) => getCandles(dependencies, head, id),
  exchanges: () => getExchanges(dependencies),
  symbols: (_, __, exchange) => getSymbols(dependencies, exchange),
  indicators: getIndicators,
  alerts: (_, { id }) => getAlerts(dependencies, id),
  deadLetters: (_, { id }) => getDeadLetters(dependencies, id),
  deleteAlert: (_, { id }, alert) => deleteAlert(dependencies, id, alert),
  streamingHealth: () => getStreamingHealth(dependencies),
  getExpression: (head, { id }) => getExpression(dependencies, head, id),
  getIndicator: (head, { id }, name) => getIndicator(dependencies, name, head, id),
})

export const createPostEndpoints = (
  dependencies: EndpointDependencies,
): Readonly<Record<PostRouteId, PostEndpoint>> => ({
  mcp: (body, account, caller) => postMcp(dependencies, body, account, caller),
  bulk: (body, account, caller) => postBulk(dependencies, body, account, caller),
  bulkCandles: (body, account, caller) => postBulkCandles(dependencies, body, account, caller),
  screen: (body, account, _, __, prefer) => postScreen(dependencies, body, account, prefer),
  evaluate: (body, account, _, __, prefer) => postEvaluate(dependencies, body, account, prefer),
  createAlert: (body, account) => createAlert(dependencies, body, account),
  changeAlert: (body, { id }, _, alert) => changeAlert(dependencies, body, id, alert),
  postExpression: (body, { id }, caller) => postExpression(dependencies, body, id, caller),
  postIndicator: (body, { id }, caller, name) => postIndicator(dependencies, name, body, id, caller),
})
