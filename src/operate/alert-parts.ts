import { Alerts } from '../alerts/alerts.js'
import { createMailer } from '../alerts/mail.js'
import type { RunnerOptions } from '../alerts/runner-options.js'
import type { Log } from '../runtime/log.js'
import type { Context, Parts } from './parts.js'
import { createFaultLog } from './rare-faults.js'

/** The alerts of all keys, which run once they are started. */
export function createAlerts(
  { config, log, metrics, tracing, clock, ages }: Context,
  parts: Pick<Parts, 'store' | 'feeds' | 'exchanges' | 'resultCache' | 'executor' | 'sessions'>,
): Alerts {
  const { store, feeds, exchanges, resultCache, executor, sessions } = parts
  const fired = metrics.counter('candela_alerts_fired_total', 'Alerts that fired at a candle')
  const deliveries = metrics.counter(
    'candela_alert_deliveries_total',
    'Attempts to deliver what alerts fired: delivered, failed, or dead where it was given up',
    'outcome',
  )
  const measured = metrics.durations(
    'candela_webhook_seconds',
    'Time that attempts to call webhooks took, in seconds, by outcome: delivered or failed',
    'outcome',
  )
  const webhooks = tracing?.watch(measured, 'call webhook', 'client') ?? measured
  const alerts = new Alerts({
    store: store.alerts,
    accounts: store.accounts,
    feeds,
    resultCache,
    threads: executor,
    exchanges,
    clock,
    ages,
    maxAlerts: config.alertsMax,
    maxPerAccount: config.alertsPerKey,
    privateTargets: config.alertsPrivateTargets,
    concurrency: config.alertsConcurrency,
    backoffMs: config.alertsBackoffMs,
    giveUpSeconds: config.alertsGiveUpSeconds,
    maxPending: config.alertsWaiting,
    catchUpSeconds: config.alertsCatchUpSeconds,
    mail: createMailer(config),
    sendToAccount: (...alert) => sessions.sendAlert(...alert),
    onFired: count => fired.add({}, count),
    onOutcome: outcome => deliveries.add({ outcome }),
    onWebhook: (outcome, seconds) => webhooks.add(seconds, { outcome }),
    onFault: logFaults(log),
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

function logFaults(log: Log): RunnerOptions['onFault'] {
  const logFault = createFaultLog(log)
  const message = 'alerts could not be run, read or changed, and are tried again'
  return (error, market) => logFault(error, message, { market }, market?.exchange)
}
