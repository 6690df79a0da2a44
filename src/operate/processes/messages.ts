import type { FromThread, ToThread } from '../../markets/exchanges/worker/messages.js'
import type { MetricsOfProcess } from '../metrics/metrics.js'

/** Open connections, subscriptions and feeds of one process, or the sums over all processes. */
export interface Counts {
  readonly connections: number
  readonly subscriptions: number
  readonly feeds: number
}

export const noCounts: Counts = { connections: 0, subscriptions: 0, feeds: 0 }

export const addCounts = (one: Counts, other: Counts): Counts => ({
  connections: one.connections + other.connections,
  subscriptions: one.subscriptions + other.subscriptions,
  feeds: one.feeds + other.feeds,
})

export type ToWorker =
  /** Sent every second and answered with a beat. `others` has the counts of all other processes. */
  | { readonly kind: 'beat'; readonly others: Counts; readonly uptime: number }
  | { readonly kind: 'exchange'; readonly message: FromThread }
  /** A message of one process to the alerts of all processes. */
  | { readonly kind: 'alerts'; readonly text: string }
  | { readonly kind: 'read-metrics'; readonly id: number }
  | { readonly kind: 'stop'; readonly drainSeconds: number }

export type ToOwner =
  | { readonly kind: 'listening' }
  | { readonly kind: 'beat'; readonly counts: Counts }
  | { readonly kind: 'exchange'; readonly message: ToThread }
  | { readonly kind: 'alerts'; readonly text: string }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: MetricsOfProcess }
