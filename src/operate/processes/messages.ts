import type { FromThread, ToThread } from '../../markets/exchanges/worker/messages.js'
import type { MetricsOfProcess } from '../metrics/metrics.js'

/** What a process has open at present, or all of them together. */
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

/** What the owner sends to a process that serves. */
export type ToWorker =
  /** Sent each second, and answered with a beat. The counts are those of all other processes. */
  | { readonly kind: 'beat'; readonly others: Counts; readonly uptime: number }
  | { readonly kind: 'exchange'; readonly message: FromThread }
  /** What a process has sent to the alerts of all. */
  | { readonly kind: 'alerts'; readonly text: string }
  | { readonly kind: 'read-metrics'; readonly id: number }
  | { readonly kind: 'stop'; readonly drainSeconds: number }

/** What a process that serves sends to the owner. */
export type ToOwner =
  | { readonly kind: 'listening' }
  | { readonly kind: 'beat'; readonly counts: Counts }
  | { readonly kind: 'exchange'; readonly message: ToThread }
  | { readonly kind: 'alerts'; readonly text: string }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: MetricsOfProcess }
