import type { Executor } from '../compute/executor.js'
import type { ResultCache } from '../compute/results/result-cache.js'
import type { Market } from '../contract/market.js'
import type { AlertStore } from '../contract/storage/alerts.js'
import type { ExchangeLookup } from '../markets/exchanges/registry.js'
import type { Feeds } from '../markets/feeds/feed-registry.js'
import type { AgeClock } from '../runtime/age-clock.js'
import type { Mailer } from './mail.js'
import type { StreamDelivery } from './stream-delivery.js'

export interface RunnerSettings {
  /** Whether webhooks may lead to loopback and private addresses. */
  readonly privateTargets: boolean
  /** Webhooks that are called at the same time. */
  readonly concurrency: number
  /** Milliseconds before what failed is tried again; they double with every failure, up to a minute. */
  readonly backoffMs: number
  /** Seconds after which a delivery is given up. */
  readonly giveUpSeconds: number
  /** Deliveries that may wait, a fifth of them of one account; what is fired beyond that goes to the dead letters. */
  readonly maxPending: number
  /** Candles that have ended so many seconds ago fire nothing. */
  readonly catchUpSeconds: number
}

export interface RunnerOptions extends RunnerSettings {
  readonly store: AlertStore
  readonly feeds: Pick<Feeds, 'follow'>
  readonly resultCache?: ResultCache | undefined
  /** Runs expressions over long histories; without it they are run on the event loop. */
  readonly threads?: Pick<Executor, 'build'>
  readonly exchanges: Pick<ExchangeLookup, 'find' | 'ids'>
  /** Unix seconds. */
  readonly clock: () => number
  /** Clock that decides when a delivery is given up, and when deliveries of an expired key are dropped. */
  readonly ages: Pick<AgeClock, 'now'>
  readonly streams: StreamDelivery
  /** Undefined where the service sends no e-mail. */
  readonly mail?: Mailer | undefined
  /** Whether it is known that the key of an account was revoked. */
  readonly isRevoked: (account: string) => boolean
  /** Looks whether it was. Rejects where the account cannot be read. */
  readonly findRevoked: (account: string) => Promise<boolean>
  readonly onFired: (alerts: number) => void
  readonly onOutcome: (outcome: 'delivered' | 'failed' | 'dead') => void
  /** Called with the seconds that an attempt to call a webhook has taken. */
  readonly onWebhook?: (outcome: 'delivered' | 'failed', seconds: number) => void
  readonly onFault: (error: unknown, market?: Market) => void
}

/** The longest pause before what failed is tried again. */
export const maxBackoffMs = 60_000
