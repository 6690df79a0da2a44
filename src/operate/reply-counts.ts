import { Durations } from '../runtime/durations.js'
import type { Metrics } from './metrics/metrics.js'

/** What a client has got: few values, whatever the status. */
const outcomes = ['answered', 'pending', 'refused', 'failed'] as const

function outcomeOf(status: number): number {
  if (status < 400) return status === 202 ? 1 : 0
  return status < 500 ? 2 : 3
}

/** What is counted of a route. */
class RouteCounts {
  readonly statuses = new Float64Array(600)
  readonly durations = outcomes.map(() => new Durations())
}

/** Counts the replies of each route and how long they took, in plain numbers: it is done for every request. */
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

  /** `startedAt` is the `performance.now()` of the head of the request. */
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
