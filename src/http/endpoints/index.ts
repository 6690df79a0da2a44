import type { Alerts } from '../../alerts/alerts.js'
import type { ComputeDispatcher } from '../../compute/compute-dispatcher.js'
import type { Expressions } from '../../compute/expressions/expressions.js'
import type { BodyParser } from '../../compute/json/body-parser.js'
import type { Calculator } from '../../compute/kernels/calculator.js'
import type { ExchangeLookup } from '../../markets/exchanges/registry.js'
import type { MarketData } from '../../markets/history/market-data.js'
import type { NamedLists } from '../../markets/named-lists.js'
import type { Breadths } from '../../screens/breadth/breadths.js'
import type { Screener } from '../../screens/screener.js'
import { fixedBodyOf } from '../files/fixed-body.js'
import { type HttpRequest, type Origins, type Reply, type RequestHead, replyOf } from '../reply.js'
import type { KeyRouteId, OpenRouteId } from '../route-table.js'
import { TableReplies } from '../tables/table-replies.js'
import {
  type AdminDependencies,
  changeKey,
  createKey,
  deleteKey,
  getKey,
  getKeys,
  getUsage,
  postRotation,
} from './admin.js'
import { changeAlert, createAlert, deleteAlert, getAlerts, getDeadLetters, testAlert } from './alerts.js'
import { postBreadth } from './breadth.js'
import { BulkEndpoint } from './bulk.js'
import { getCandles } from './candles.js'
import type { Endpoint } from './endpoint.js'
import { postEvaluate } from './evaluate.js'
import { getExchanges, getSymbols } from './exchanges.js'
import { postExpressionCheck } from './expression-check.js'
import {
  getLive,
  getReady,
  getStreaming,
  getStreamingHealth,
  type Health,
  type StreamingHealth,
} from './health.js'
import { IndicatorEndpoints } from './indicator.js'
import { IndicatorList } from './indicators.js'
import { deleteList, getList, getLists, storeList } from './lists.js'
import { postMcp } from './mcp.js'
import { postScreen } from './screen.js'
import { SuppliedEndpoints } from './supplied.js'

export interface EndpointDependencies extends AdminDependencies {
  readonly calculator: Calculator
  readonly dispatch: ComputeDispatcher
  readonly bodyParser: BodyParser
  readonly expressions: Expressions
  readonly exchanges: ExchangeLookup
  readonly alerts: Alerts
  readonly lists: NamedLists
  /** The origins whose pages may read replies. */
  readonly corsOrigins: Origins
  /** Whether webhooks may lead to loopback and private addresses. */
  readonly privateTargets: boolean
  /** Candles of a market that are kept. */
  readonly historyDepth: number
  readonly marketData: MarketData
  readonly screener: Screener
  readonly breadths: Breadths
  /** How long a bulk request waits for candles that are fetched for the first time, in seconds. */
  readonly bulkWaitSeconds: number
  /** Candles that a body may have which is a table. */
  readonly tableCandles: number
  /** The present figures of the streaming connections. */
  readonly streaming: () => StreamingHealth
  /** The present state of the parts of the service. */
  readonly health: () => Health
}

export type OpenEndpoint = (request: HttpRequest) => Reply | Promise<Reply>

export const createOpenEndpoints = (
  dependencies: EndpointDependencies,
): Readonly<Record<OpenRouteId, OpenEndpoint>> => ({
  openapi: documentOf('openapi'),
  asyncapi: documentOf('asyncapi'),
  streaming: getStreaming,
  live: getLive,
  ready: () => getReady(dependencies),
})

export function createEndpoints(dependencies: EndpointDependencies): Readonly<Record<KeyRouteId, Endpoint>> {
  const tables = new TableReplies(dependencies)
  const all = { ...dependencies, tables }
  const indicator = new IndicatorEndpoints(all)
  const supplied = new SuppliedEndpoints(all)
  const bulk = new BulkEndpoint(all)
  const list = new IndicatorList()
  const endpoints: Readonly<Record<KeyRouteId, Endpoint>> = {
    bulk: (request, account, _, body) => bulk.post(request, account, body),
    bulkCandles: async (request, { constructs, id }, _, body) =>
      replyOf(await dependencies.dispatch.runSupplied(body, constructs, request, id)),
    candles: (request, account) => getCandles(all, request, account),
    exchanges: () => getExchanges(dependencies),
    symbols: (_, __, exchange) => getSymbols(dependencies, exchange),
    indicators: request => list.get(request),
    mcp: (request, account, _, body) => postMcp(dependencies, endpoints, request, account, body),
    alerts: (_, { id }) => getAlerts(dependencies, id),
    createAlert: (_, account, __, body) => createAlert(dependencies, body, account),
    deadLetters: (_, { id }) => getDeadLetters(dependencies, id),
    changeAlert: (_, { id }, alert, body) => changeAlert(dependencies, body, id, alert),
    testAlert: (request, { id }, alert, body) => testAlert(dependencies, request, body, id, alert),
    deleteAlert: (_, { id }, alert) => deleteAlert(dependencies, id, alert),
    lists: (_, { id }) => getLists(dependencies, id),
    storeList: (_, account, __, body) => storeList(dependencies, body, account),
    list: (_, { id }, name) => getList(dependencies, id, name),
    deleteList: (_, { id }, name) => deleteList(dependencies, id, name),
    adminKeys: request => getKeys(dependencies, request),
    createKey: (_, account, __, body) => createKey(dependencies, body, account),
    adminKey: (_, __, id) => getKey(dependencies, id),
    changeKey: (_, account, id, body) => changeKey(dependencies, body, id, account),
    revokeKey: (_, account, id) => deleteKey(dependencies, id, account),
    rotateKey: (_, account, id, body) => postRotation(dependencies, body, id, account),
    adminUsage: request => getUsage(dependencies, request),
    streamingHealth: () => getStreamingHealth(dependencies),
    getExpression: (request, account) => indicator.getExpression(request, account),
    postExpression: (request, account, _, body, charge) =>
      supplied.postExpression(request, account, body, charge),
    checkExpression: (_, __, ___, body) => postExpressionCheck(all, body),
    screen: (request, account, _, body) => postScreen(all, request, account, body),
    breadth: (request, account, _, body) => postBreadth(all, request, account, body),
    evaluate: (request, account, _, body) => postEvaluate(all, request, account, body),
    getIndicator: (request, account, name) => indicator.get(request, account, name),
    postIndicator: (request, account, name, body, charge) =>
      supplied.post(request, account, name, body, charge),
  }
  return endpoints
}

/** Replies with a document that the build has written, `openapi` or `asyncapi`: to make one takes longer than a request may. */
function documentOf(name: string): (head: RequestHead) => Reply | Promise<Reply> {
  const file = new URL(`../../../build/${name}.json`, import.meta.url)
  const body = fixedBodyOf(file, { 'Content-Type': 'application/json' })
  return head => body().reply(head)
}
