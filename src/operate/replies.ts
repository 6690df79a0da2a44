import { StoreFailure } from '../contract/storage/stores.js'
import type { ServeOptions } from '../http/drivers/server.js'
import { Durations } from '../runtime/metric.js'
import type { Metrics } from './metrics/metrics.js'
import type { Context } from './parts.js'
import { AccessLog } from './settings/access-log.js'

/** Outcomes of requests: a few label values instead of all statuses. */
const outcomes = ['answered', 'pending', 'refused', 'failed'] as const

function outcomeOf(status: number): number {
  if (status < 400) return status === 202 ? 1 : 0
  return status < 500 ? 2 : 3
}

class RouteCounts {
  readonly statuses = new Float64Array(600)
  readonly durations = outcomes.map(() => new Durations())
}

/** Counts replies and durations per route. Uses plain numbers, because it runs on every request. */
export class ReplyCounts {
  readonly #routes = new Map<string, RouteCounts>()

  constructor(metrics: Metrics) {
    const routes = this.#routes
    metrics.add(
      {
        ...{ kind: 'counter', name: 'candela_requests_total', help: 'Replies by route and status' },
        labelNames: ['route', 'status'],
        *read() {
          for (const [route, { statuses }] of routes)
            for (const [status, count] of statuses.entries())
              if (count > 0) yield [{ route, status: String(status) }, count] as const
        },
      },
      {
        ...{ kind: 'histogram', name: 'candela_request_seconds' },
        help: 'Time from the head of a request to its reply, in seconds, by route and outcome: answered, pending (202), refused (4xx) or failed (5xx)',
        labelNames: ['route', 'outcome'],
        *read() {
          for (const [route, { durations }] of routes)
            for (const [at, outcome] of outcomes.entries()) {
              const each = durations[at] as Durations
              if (each.counts.some(count => count > 0)) yield [{ route, outcome }, each] as const
            }
        },
      },
    )
  }

  /** Counts a reply. `startedAt` is the `performance.now()` at the request's head. */
  count(route: string, status: number, startedAt: number): void {
    let counts = this.#routes.get(route)
    if (!counts) {
      counts = new RouteCounts()
      this.#routes.set(route, counts)
    }
    counts.statuses[status] = (counts.statuses[status] as number) + 1
    counts.durations[outcomeOf(status)]?.add((performance.now() - startedAt) / 1000)
  }
}

/** Opens the configured access log; undefined if there is none. Throws if its file cannot be opened. */
export function openAccessLog({ config, log, metrics }: Context): AccessLog | undefined {
  const dropped = metrics.counter(
    'candela_access_log_dropped_total',
    'Lines of the access log that were dropped, because the disk was full or too slow',
  )
  if (config.accessLog === undefined) return undefined
  try {
    return new AccessLog(config.accessLog, log, () => dropped.add())
  } catch (cause) {
    throw new StoreFailure(`Cannot open the access log "${config.accessLog}": ${(cause as Error).message}`, {
      cause,
    })
  }
}

/** Handler of replies for metrics, traces and the access log. Empty if all of these are off. */
export function watchReplies(
  { config, metrics, tracing }: Context,
  accessLog: AccessLog | undefined,
): Pick<ServeOptions, 'onReply'> {
  const counts = config.metricsPort === undefined ? undefined : new ReplyCounts(metrics)
  if (!counts && !accessLog && !tracing) return {}
  return {
    onReply(request, { status, body, headers }, startedAt) {
      const { route, account, method, isHead } = request
      counts?.count(route, status, startedAt)
      tracing?.answered(request, { route, account, status })
      accessLog?.add({
        time: new Date().toISOString(),
        id: request.headers?.['X-Request-Id'] ?? headers?.['X-Request-Id'],
        account,
        method: method.toUpperCase(),
        route,
        status,
        ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
        bytes: isHead ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength,
      })
    },
  }
}
