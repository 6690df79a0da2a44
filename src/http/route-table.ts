import type { Alerts } from '../alerts/alerts.js'
import type { Executor } from '../compute/executor.js'
import type { Expressions } from '../compute/expressions/expressions.js'
import type { BodyParser } from '../compute/json/body-parser.js'
import type { Calculator } from '../compute/kernels/calculator.js'
import { refuseScope } from '../contract/account.js'
import { notFound } from '../contract/refusals.js'
import type { ExchangeLookup } from '../markets/exchanges/registry.js'
import type { MarketData } from '../markets/history/market-data.js'
import type { NamedLists } from '../markets/named-lists.js'
import type { Breadths } from '../screens/breadth/breadths.js'
import type { Screener } from '../screens/screener.js'
import { type AdminDependencies, adminRoutes } from './endpoints/admin.js'
import { alertRoutes } from './endpoints/alerts.js'
import { bulkCandlesRoute, bulkRoute, createBulkRequests } from './endpoints/bulk.js'
import { candlesRoute } from './endpoints/candles.js'
import { asyncapiRoute, IndicatorList, indicatorsRoute, openapiRoute } from './endpoints/catalogue.js'
import { evaluateRoute } from './endpoints/evaluate.js'
import { exchangesRoute, symbolsRoute } from './endpoints/exchanges.js'
import { expressionCheckRoute, pineRoute } from './endpoints/expression-check.js'
import {
  type Health,
  healthRoutes,
  type StreamingHealth,
  streamingHealthRoute,
  streamingRoute,
} from './endpoints/health.js'
import { createQuestions, expressionRoute, indicatorRoute } from './endpoints/indicator.js'
import { listRoutes } from './endpoints/lists.js'
import { type McpParts, mcpRoute } from './endpoints/mcp.js'
import { breadthRoute, screenRoute } from './endpoints/screen.js'
import { suppliedExpressionRoute, suppliedIndicatorRoute } from './endpoints/supplied.js'
import { type Origins, refused } from './reply.js'
import type { KeyRoute, OpenRoute } from './route.js'
import type { RouteMatcher } from './route-matcher.js'
import { TableReplies } from './tables/table-replies.js'

export interface RouteDependencies extends AdminDependencies {
  readonly calculator: Calculator
  readonly executor: Executor
  readonly bodyParser: BodyParser
  readonly expressions: Expressions
  readonly exchanges: ExchangeLookup
  readonly alerts: Alerts
  readonly lists: NamedLists
  /** Origins whose pages may read replies. */
  readonly corsOrigins: Origins
  /** Whether webhooks may lead to loopback and private addresses. */
  readonly privateTargets: boolean
  /** Number of candles of a market that are kept. */
  readonly historyDepth: number
  readonly marketData: MarketData
  readonly screener: Screener
  readonly breadths: Breadths
  /** Time that a bulk request waits for candles that are fetched for the first time, in seconds. */
  readonly bulkWaitSeconds: number
  /** Maximum number of candles in a body that is a table. */
  readonly tableCandles: number
  /** Current figures of the streaming connections. */
  readonly streaming: () => StreamingHealth
  /** Current state of the parts of the service. */
  readonly health: () => Health
}

/** The parts of the service that routes use. */
export interface RouteParts extends RouteDependencies, McpParts {
  readonly tables: TableReplies
  readonly questions: ReturnType<typeof createQuestions>
  readonly bulkRequests: ReturnType<typeof createBulkRequests>
  readonly indicatorList: IndicatorList
}

export type AnyRoute = KeyRoute<RouteParts> | OpenRoute<RouteParts>

export function createRouteParts(
  dependencies: RouteDependencies,
  matcher: RouteMatcher<AnyRoute>,
): RouteParts {
  const parts: RouteParts = {
    ...dependencies,
    tables: new TableReplies(dependencies),
    questions: createQuestions(),
    bulkRequests: createBulkRequests(),
    indicatorList: new IndicatorList(),
    answerTool(call) {
      const { method, path } = call.request
      const match = matcher.match(path)
      const route = match?.path.methods.get(method)
      if (!route?.needsKey) return refused(notFound(path))
      const refusal = refuseScope(call.account, route.scope)
      return refusal ? refused(refusal) : route.answer(parts, { ...call, segment: match?.segment ?? '' })
    },
  }
  return parts
}

/** Every route of the service. Requests are dispatched by this list, and the OpenAPI document is made from it. */
export const routeTable: readonly AnyRoute[] = [
  bulkRoute,
  bulkCandlesRoute,
  candlesRoute,
  exchangesRoute,
  symbolsRoute,
  indicatorsRoute,
  openapiRoute,
  asyncapiRoute,
  mcpRoute,
  ...alertRoutes,
  ...listRoutes,
  ...adminRoutes,
  streamingRoute,
  streamingHealthRoute,
  ...healthRoutes,
  expressionRoute,
  suppliedExpressionRoute,
  expressionCheckRoute,
  pineRoute,
  screenRoute,
  breadthRoute,
  evaluateRoute,
  indicatorRoute,
  suppliedIndicatorRoute,
]
