import type { ResultCache } from '../compute/results/result-cache.js'
import type { Admission } from '../http/admission.js'
import type { SessionRegistry } from '../live/session-registry.js'
import type { Feeds } from '../markets/feeds/feed-registry.js'
import type { History } from '../markets/history/history.js'
import type { Metrics } from './metrics/metrics.js'

interface GaugedParts {
  readonly history: History
  readonly feeds: Feeds
  readonly sessions: SessionRegistry
  readonly resultCache: ResultCache
  readonly admission: Admission
}

/** Adds the metrics that are read from the parts of the service whenever they are requested. */
export function addGauges(
  metrics: Metrics,
  { history, feeds, sessions, resultCache, admission }: GaugedParts,
): void {
  metrics.gauge('candela_series', 'Series of candles in memory', () => history.size)
  metrics.gauge('candela_series_bytes', 'Memory of the series of candles', () => history.bytes)
  metrics.gauge('candela_feeds', 'Markets that are watched or polled for subscribers', () => feeds.size)
  metrics.gauge('candela_connections', 'Streaming connections', () => sessions.connections)
  metrics.gauge(
    'candela_subscriptions',
    'Subscriptions of streaming connections',
    () => sessions.subscriptions,
  )
  metrics.gauge('candela_results', 'Calculations whose results are in memory', () => resultCache.size)
  metrics.gauge('candela_results_bytes', 'Memory of the results of calculations', () => resultCache.bytes)
  metrics.totals(
    'candela_results_read_total',
    'Queries by where their results came from: kept in memory, or computed over the whole history',
    'outcome',
    () => ({ kept: resultCache.hits, computed: resultCache.misses }),
  )
  metrics.totals(
    'candela_plan_requests_total',
    'Requests with a valid key, by its plan; repetitions of a pending one are left out',
    'plan',
    () => admission.byPlan,
  )
  metrics.totals(
    'candela_plan_refused_total',
    'Requests that the rate window of their key refused, by its plan',
    'plan',
    () => admission.refusedByPlan,
  )
}
