import type { Executor } from '../compute/executor.js'
import type { Market } from '../contract/market.js'
import type { AlertStore } from '../contract/storage/alerts.js'
import type { ExchangeLookup } from '../markets/exchanges/registry.js'
import type { Feeds } from '../markets/feeds/feed-registry.js'
import type { AgeClock } from '../runtime/age-clock.js'
import type { Mailer } from './mail.js'
import type { StreamDelivery } from './stream-delivery.js'

export interface RunnerOptions {
  /** Whether webhooks may lead to loopback and private addresses. */
  readonly privateTargets: boolean
  /** First retry delay in milliseconds. Doubles with every failure, up to a minute. */
  readonly backoffMs: number
  /** Age at which a delivery is given up, in seconds. */
  readonly giveUpSeconds: number
  /** Maximum number of waiting deliveries. One account may use a fifth of them. Further fires become dead letters. */
  readonly maxPending: number
  /** Age from which closed candles fire nothing, in seconds. */
  readonly catchUpSeconds: number
  readonly store: AlertStore
  readonly feeds: Pick<Feeds, 'follow'>
  readonly executor: Pick<Executor, 'answerText'>
  readonly exchanges: Pick<ExchangeLookup, 'find' | 'ids'>
  /** Unix seconds. */
  readonly clock: () => number
  /** Clock for giving up deliveries and for the expiry of keys. */
  readonly ages: Pick<AgeClock, 'now'>
  readonly streams: StreamDelivery
  readonly mail?: Mailer | undefined
  readonly isRevoked: (account: string) => boolean
  /** Reads the account to check for a revoked key. Rejects if the account cannot be read. */
  readonly findRevoked: (account: string) => Promise<boolean>
  readonly onFired: (alerts: number) => void
  readonly onOutcome: (outcome: 'delivered' | 'failed' | 'dead') => void
  /** Called with the duration of each webhook call, in seconds. */
  readonly onWebhook?: (outcome: 'delivered' | 'failed', seconds: number) => void
  readonly onFault: (error: unknown, market?: Market) => void
}

/** Longest retry delay, in milliseconds. */
export const maxBackoffMs = 60_000
