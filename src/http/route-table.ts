import { refuseScope } from '../contract/account.js'
import { notFound } from '../contract/refusals.js'
import { noBody } from './admission.js'
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
import { type HttpRequest, refused } from './reply.js'
import { type KeyRoute, neverCharged, type OpenRoute } from './route.js'
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
  'tables' | 'questions' | 'bulkRequests' | 'indicatorList' | 'answerOwn'
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
    answerOwn({ request, account }, { path, query, body, method }, waitSeconds) {
      const verb = method?.toLowerCase() ?? (body === undefined ? 'get' : 'post')
      const match = matcher.match(path)
      const route = match?.path.methods.get(verb)
      if (!route?.needsKey) return refused(notFound(path))
      const refusal = refuseScope(account, route.scope)
      if (refusal) return refused(refusal)
      const given = Object.entries(query ?? {}).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      )
      const own: HttpRequest = {
        ...{ method: verb, path, queryString: new URLSearchParams(given).toString() },
        ...{ authorization: '', contentType: 'application/json', signal: request.signal },
        header: name => (name === 'prefer' ? `wait=${waitSeconds}` : ''),
        body: async () => noBody,
      }
      return route.answer(parts, {
        request: own,
        account,
        segment: match?.segment ?? '',
        body: body === undefined ? noBody : Buffer.from(JSON.stringify(body)),
        charge: neverCharged,
      })
    },
  }
  return parts
}

/** Every route of the service. Requests are dispatched by this list, and the OpenAPI document is made from it. */
export const routeTable: readonly AnyRoute[] = routes
