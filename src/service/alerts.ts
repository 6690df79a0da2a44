import { Alerts } from '../alerts/alerts.js'
import type { ComputeDispatcher } from '../compute/compute-dispatcher.js'
import type { ResultCache } from '../compute/results/result-cache.js'
import type { Config } from '../config/config.js'
import type { Log } from '../config/log.js'
import type { ExchangeLookup } from '../exchanges/registry.js'
import type { Feeds } from '../feeds/feed-registry.js'
import type { Metrics } from '../metrics/metrics.js'
import type { SessionRegistry } from '../sessions/session-registry.js'
import type { Store } from '../store/store.js'

interface Parts {
  readonly store: Store
  readonly feeds: Feeds
  readonly resultCache: ResultCache
  readonly dispatch: ComputeDispatcher
  readonly exchanges: ExchangeLookup
  readonly sessions: SessionRegistry
  readonly clock: () => number
  readonly metrics: Metrics
  readonly log: Log
}

/** The alerts of all keys, which run once they are started. */
export function createAlerts(config: Config, parts: Parts): Alerts {
  const { store, feeds, resultCache, dispatch, exchanges, sessions, clock, metrics, log } = parts
  const fired = metrics.counter('candela_alerts_fired_total', 'Alerts that fired at a candle')
  const deliveries = metrics.counter(
    'candela_alert_deliveries_total',
    'Attempts to deliver what alerts fired: delivered, failed, or dead where it was given up',
    'outcome',
  )
  const alerts = new Alerts({
    store: store.alerts,
    accounts: store.accounts,
    feeds,
    resultCache,
    threads: dispatch,
    exchanges,
    clock,
    maxAlerts: config.alertsMax,
    maxPerAccount: config.alertsPerKey,
    privateTargets: config.alertsPrivateTargets,
    concurrency: config.alertsConcurrency,
    backoffMs: config.alertsBackoffMs,
    giveUpSeconds: config.alertsGiveUpSeconds,
    maxPending: config.alertsWaiting,
    catchUpSeconds: config.alertsCatchUpSeconds,
    sendToAccount: (account, text) => sessions.sendAlert(account, text),
    onFired: count => fired.add({}, count),
    onOutcome: outcome => deliveries.add({ outcome }),
    onFault: (error, market) =>
      log.warn({ err: error, market }, 'alerts could not be run, read or changed, and are tried again'),
  })
  sessions.watchListeners(account => alerts.listening(account))
  metrics.gauge(
    'candela_alerts',
    'Alerts that this node runs, paused ones included; each market of one counts',
    () => alerts.size,
  )
  metrics.gauge(
    'candela_alert_conditions',
    'Expressions that are evaluated for alerts: one for each that is used over a market',
    () => alerts.conditions,
  )
  metrics.gauge(
    'candela_alert_pending',
    'Deliveries of alerts that have not arrived yet',
    () => alerts.pending,
  )
  return alerts
}
