import { refuseScope } from '../contract/account.js'
import { notFound } from '../contract/refusals.js'
import { adminRoutes } from './endpoints/admin.js'
import { alertRoutes } from './endpoints/alerts.js'
import { bulkCandlesRoute, bulkRoute, createBulkRequests } from './endpoints/bulk.js'
import { candlesRoute } from './endpoints/candles.js'
import { asyncapiRoute, IndicatorList, indicatorsRoute, openapiRoute } from './endpoints/catalogue.js'
import { evaluateRoute } from './endpoints/evaluate.js'
import { exchangesRoute, symbolsRoute } from './endpoints/exchanges.js'
import { expressionCheckRoute, pineRoute } from './endpoints/expression-check.js'
import { healthRoutes, streamingHealthRoute, streamingRoute } from './endpoints/health.js'
import { createQuestions, expressionRoute, indicatorRoute } from './endpoints/indicator.js'
import { listRoutes } from './endpoints/lists.js'
import { mcpRoute } from './endpoints/mcp.js'
import { breadthRoute, screenRoute } from './endpoints/screen.js'
import { suppliedExpressionRoute, suppliedIndicatorRoute } from './endpoints/supplied.js'
import { refused } from './reply.js'
import type { KeyRoute, OpenRoute } from './route.js'
import type { RouteMatcher } from './route-matcher.js'
import { TableReplies } from './tables/table-replies.js'

const routes = [
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

type PartsOf<Routes> = [Routes] extends [KeyRoute<infer Parts> | OpenRoute<infer Parts>] ? Parts : never

/** Parts of the service that routes use: the sum of what each of them names. */
export type RouteParts = PartsOf<(typeof routes)[number]>

/** Parts of the service that are made elsewhere. */
export type RouteDependencies = Omit<
  RouteParts,
  'tables' | 'questions' | 'bulkRequests' | 'indicatorList' | 'answerTool'
>

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
export const routeTable: readonly AnyRoute[] = routes
