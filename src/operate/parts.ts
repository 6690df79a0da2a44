import { availableParallelism } from 'node:os'
import { Alerts } from '../alerts/alerts.js'
import { createMailer } from '../alerts/mail.js'
import type { RunnerOptions } from '../alerts/runner-options.js'
import { Executor } from '../compute/executor.js'
import type { Expressions } from '../compute/expressions/expressions.js'
import type { BodyParser } from '../compute/json/body-parser.js'
import { Calculator } from '../compute/kernels/calculator.js'
import type { ResultCache } from '../compute/results/result-cache.js'
import { NotShared } from '../contract/storage/cluster.js'
import { type Accounts, type Store, StoreFailure } from '../contract/storage/stores.js'
import { type Access, type Admission, UsageCounter } from '../http/admission.js'
import { RareWarning } from '../http/drivers/rare-warning.js'
import type { AdminDependencies } from '../http/endpoints/admin.js'
import { Hub } from '../live/hub.js'
import { SessionRegistry } from '../live/session-registry.js'
import { Archive } from '../markets/archive/archive.js'
import { entriesOf } from '../markets/archive/archive-copy.js'
import { headKey } from '../markets/archive/archive-keys.js'
import { ArchiveLimit } from '../markets/archive/archive-limit.js'
import { OwnSource } from '../markets/archive/own-market.js'
import { type ExchangeLookup, ExchangeRegistry } from '../markets/exchanges/registry.js'
import { createSymbolCache } from '../markets/exchanges/symbol-cache.js'
import type { Thread } from '../markets/exchanges/worker/exchange-thread.js'
import { FeedRegistry, type Feeds } from '../markets/feeds/feed-registry.js'
import type { FailedFetch } from '../markets/history/candle-fetcher.js'
import { History } from '../markets/history/history.js'
import type { OlderLocation } from '../markets/history/older-reader.js'
import { NamedLists } from '../markets/named-lists.js'
import type { AgeClock } from '../runtime/age-clock.js'
import type { Log } from '../runtime/log.js'
import { scheduler } from '../runtime/scheduler.js'
import { Breadths } from '../screens/breadth/breadths.js'
import { LiveScreens } from '../screens/live-screens.js'
import { Screener, type ScreenerOptions } from '../screens/screener.js'
import { openStore } from '../store/open.js'
import type { StoreProcess } from '../store/process/process-store.js'
import type { Metrics } from './metrics/metrics.js'
import type { Tracing } from './metrics/tracing.js'
import type { Config } from './settings/config.js'

/** Values that follow from measurements and not from an installation, so no setting changes them. */
export const usualTuning = {
  /** Maximum number of tasks that wait for a thread. */
  maxQueuedTasks: 64,
  /** Maximum estimated cost of a bulk answer that is computed on the event loop, in microseconds. */
  inlineBudgetUs: 400,
  /** Maximum length of a body that the event loop reads, in bytes. */
  inlineBodyBytes: 65_536,
  /** Maximum number of updates per second for a forming candle. */
  formingPerSecond: 4,
  /** Seconds for which a market is followed after its last subscription has ended. */
  lingerSeconds: 30,
  /** Maximum number of streaming connections of one address that have not sent their key yet. */
  maxUnauthenticatedPerAddress: 100,
  /** Milliseconds before a webhook that failed is called again. They double with every failure, up to a minute. */
  webhookBackoffMs: 1_000,
}
export type Tuning = Readonly<typeof usualTuning>

export interface Context {
  readonly config: Config
  readonly tuning: Tuning
  readonly log: Log
  readonly metrics: Metrics
  readonly tracing: Tracing | undefined
  /** Wall clock, in Unix seconds. */
  readonly clock: () => number
  /** Monotonic clock in whole milliseconds, with an arbitrary start. */
  readonly monotonicMs: () => number
  /** Clock that decides when old records are dropped. */
  readonly ages: AgeClock
}

export interface Parts {
  readonly store: Store
  readonly history: History
  readonly feeds: Feeds
  readonly exchanges: ExchangeLookup
  readonly access: Access
  readonly calculator: Calculator
  readonly bodyParser: BodyParser
  readonly expressions: Expressions
  readonly resultCache: ResultCache
  readonly executor: Executor
  readonly screener: Screener
  readonly breadths: Breadths
  readonly sessions: SessionRegistry
}

/** Opens the store. Failures of a shared store are reported in the metrics and the log. */
export function openServiceStore(
  { config, log, metrics, monotonicMs }: Context,
  local?: StoreProcess,
): Store {
  const commands = metrics.counter(
    'candela_store_commands_total',
    'Commands of the shared store: ok, or failed where it did not answer in time',
    'outcome',
  )
  const seconds = metrics.counter(
    'candela_store_seconds_total',
    'Time that the commands of the shared store took, in seconds',
  )
  const countedAlone = metrics.counter(
    'candela_store_counted_alone_total',
    'Requests and subscriptions that were counted in memory, because the shared store was away',
  )
  const dropped = metrics.counter(
    'candela_store_messages_dropped_total',
    'Messages of other nodes that could not be read, by the kind of the channel',
    'channel',
  )
  const warning = new RareWarning(log)
  const store = openStore(config, {
    exclusive: true,
    local,
    clock: monotonicMs,
    copyBytes: config.historyBytes,
    maxWaitMs: config.fetchTimeoutMs,
    onAway: error =>
      log.warn(
        { err: error },
        'the shared store does not answer: this node counts requests and fetches candles for itself, and knows only the keys it has used',
      ),
    onLost: error => log.error({ err: error }, `the shared store cannot be used: ${error.message}`),
    onReturn: away => log.info({ seconds: Math.round(away) }, 'the shared store answers again'),
    onCommand: (outcome, duration) => {
      commands.add({ outcome })
      seconds.add({}, duration)
    },
    onCountedAlone: () => countedAlone.add(),
    onDropped: (channel, error) => {
      dropped.add({ channel })
      // Rate-limited: a node that sends such messages may send many.
      warning.warn({ err: error, channel }, 'a message of another node could not be read and was dropped')
    },
  })
  metrics.gauge('candela_store_up', 'Whether the store answers in time: 1 or 0', () =>
    store.clusterState?.isUp === false ? 0 : 1,
  )
  return store
}

/** Creates the exchanges. `start` opens the worker that calls exchanges, instead of a thread of this process. */
export function createExchanges(
  { config, log, metrics, monotonicMs }: Context,
  { keyValues, accounts }: Store,
  archive: Archive,
  start?: () => Thread,
): ExchangeLookup {
  const anomalies = metrics.counter(
    'candela_anomalies_total',
    'Faults in the candles of exchanges: duplicate, invalid, misaligned, no-volume, gap or filled-gap',
    'exchange',
    'anomaly',
  )
  const use = config.stocksYahooShared ? undefined : new PersonalUse(accounts, monotonicMs)
  return new ExchangeRegistry({
    ...config,
    yahooRefusal: use && (() => use.refusal()),
    onAnomaly: (anomaly, exchange) => anomalies.add({ exchange, anomaly }),
    symbolCache: createSymbolCache(keyValues, (exchange, error) =>
      log.warn({ exchange, err: error }, 'the list of symbols could not be stored'),
    ),
    onFault: error => log.error({ err: error }, 'the thread of the exchanges failed'),
    own: new OwnSource(archive),
    start,
  })
}

/** Share of `RESULTS_BYTES` for the checkpoints of long histories. */
export const checkpointShare = 1 / 8

/** Archives the journals of ended processes. */
export function recover(archive: Archive, { log }: Context): void {
  try {
    archive.recover()
  } catch (error) {
    log.error({ err: error }, 'candles could not be archived')
  }
}

export function createArchive({ config, log, metrics, clock, ages }: Context, store: Store): Archive {
  const corrupt = metrics.counter('candela_archive_corrupt_total', 'Chunks of candles that could not be read')
  const failures = metrics.counter(
    'candela_archive_retries_total',
    'Attempts to archive candles of a series that failed; each is repeated',
  )
  const logFault = createFaultLog(log)
  const onFailure = (error: unknown, series?: string) => {
    failures.add()
    // Rate-limited: on a full disk, all series fail repeatedly.
    logFault(error, 'candles could not be archived', { series })
  }
  return new Archive(store.keyValues, {
    depth: config.historyDepth,
    correctionsDays: config.correctionsDays,
    ages,
    journal: store.journal,
    clock,
    onFailure,
    onCorrupt: (series, reason) => {
      corrupt.add()
      log.warn({ series, reason }, 'the archive was damaged')
    },
  })
}

export function createHistory(
  { config, log, metrics, tracing, clock }: Context,
  store: Store,
  archive: Archive,
): History {
  const fetchSeconds = metrics.durations(
    'candela_fetch_seconds',
    'Time that requests to exchanges for candles took, with their repetitions, in seconds, by outcome: ok, unknown-symbol, no-series or unavailable',
    'exchange',
    'outcome',
  )
  const logFault = createFaultLog(log)
  return new History({
    depth: config.historyDepth,
    bytes: config.historyBytes,
    refreshSeconds: config.refreshSeconds,
    clock,
    scheduler: scheduler,
    archive,
    locationOf: key => locationOf(key, store, config),
    counters: {
      fetchSeconds: tracing?.watch(fetchSeconds, 'fetch candles', 'client') ?? fetchSeconds,
      stale: metrics.counter(
        'candela_stale_total',
        'Readings of candles that could not be brought up to date',
        'exchange',
      ),
      writes: metrics.counter('candela_archive_writes_total', 'Additions to the archive'),
      failures: metrics.counter(
        'candela_archive_failures_total',
        'Reads and writes of the archive that failed',
      ),
    },
    onFailure: error =>
      logFault(error, 'candles could not be fetched, or read from or written to the archive'),
    onFetchFailed: failedFetches(log, metrics),
    onRescaled: (series, note) => log.warn({ series, note }, 'an exchange shows a series in another scale'),
  })
}

/** Location at which a thread finds the archived candles of a prepared series. */
const locationOf = (key: string, { keyValues }: Store, { store, dataDirectory }: Config): OlderLocation =>
  store === 'embedded'
    ? { kind: 'stored', directory: dataDirectory, key }
    : { kind: 'copied', entries: entriesOf(keyValues, headKey(key)), key }

/** Limits the size of the archive, once started. */
export function createArchiveLimit(
  { config, log }: Context,
  archive: Archive,
  { store, history }: Pick<Parts, 'store' | 'history'>,
): ArchiveLimit {
  return new ArchiveLimit({
    ...store.cluster,
    archive,
    maxBytes: config.archiveBytes,
    isInMemory: key => history.has(key),
    onDropped: series => log.info({ series }, 'series were dropped from the archive, which was full'),
    onExceeded: bytes =>
      log.warn(
        { bytes },
        'backfilled and imported series take more of the archive than ARCHIVE_BYTES allows',
      ),
    onFailure: error => log.error({ err: error }, 'the size of the archive could not be checked'),
  })
}

export function createFeeds({ config, tuning, log, clock }: Context, history: History): Feeds {
  const logFault = createFaultLog(log)
  return new FeedRegistry({
    history,
    formingPerSecond: tuning.formingPerSecond,
    lingerSeconds: tuning.lingerSeconds,
    pollSeconds: config.refreshSeconds,
    clock,
    onFault: (error, market) =>
      logFault(error, 'a feed failed and is being repaired', { market }, market.exchange),
  })
}

export function createExecutor(
  { config, tuning, log, metrics, tracing }: Context,
  parts: Pick<Parts, 'calculator' | 'bodyParser' | 'expressions' | 'resultCache'>,
): Executor {
  const waits = metrics.durations(
    'candela_thread_wait_seconds',
    'Time that tasks have waited for a thread, in seconds',
  )
  return new Executor({
    ...parts,
    ...tuning,
    threads: config.poolThreads ?? availableParallelism(),
    // The built file, even if this file runs from source.
    worker: new URL('../../dist/operate/compute-thread.js', import.meta.url),
    checkpointBytes: config.resultsBytes * checkpointShare,
    onBegin: seconds => waits.add(seconds),
    onEnd: tracing && (seconds => tracing.record('thread task', 'internal', seconds)),
    onFailure: error => log.error({ err: error }, 'a computation failed'),
  })
}

/** Creates the parts that read many markets at once. */
export function createScreens(store: Store, options: Omit<ScreenerOptions, 'lists'>) {
  const lists = new NamedLists(store.lists)
  return { lists, screener: new Screener({ ...options, lists }), breadths: new Breadths(options) }
}

export function createSessions(
  { config, tuning, log, monotonicMs }: Context,
  parts: Pick<
    Parts,
    | 'store'
    | 'feeds'
    | 'exchanges'
    | 'access'
    | 'expressions'
    | 'resultCache'
    | 'screener'
    | 'breadths'
    | 'executor'
  >,
): SessionRegistry {
  const { feeds, exchanges, resultCache, screener, breadths, executor } = parts
  const logFault = createFaultLog(log)
  const registry: SessionRegistry = new SessionRegistry({
    hub: new Hub({
      feeds,
      // A separate instance, because a calculator keeps the columns of the last series.
      calculator: new Calculator(),
      resultCache,
      threads: executor,
      exchanges,
      onGone: (topics, refusal) => registry.endSubscriptions(topics, refusal),
      onBug: error => log.error({ err: error }, 'a live computation failed'),
    }),
    screens: new LiveScreens(screener, breadths, error => logFault(error, 'a live screen failed')),
    access: parts.access,
    expressions: parts.expressions,
    bounds: parts.store.subscriptions,
    maxConnections: config.streamMaxConnections,
    maxConnectionsPerKey: config.maxConnectionsPerKey,
    maxUnauthenticated: config.streamMaxUnauthenticated,
    maxUnauthenticatedPerAddress: tuning.maxUnauthenticatedPerAddress,
    messagesPerSecond: config.streamMessagesPerSecond,
    clock: monotonicMs,
    onBug: error => log.error({ err: error }, 'a streaming session failed'),
  })
  return registry
}

/** Logs a fault; `subject` has few values, such as the names of exchanges. */
export type LogFault = (error: unknown, message: string, context?: object, subject?: string) => void

/**
 * Logs faults that are retried and so may repeat every second. Writes one line a minute per message, subject and error
 * class. The next line has the number of omitted ones. The message of a store failure explains the remedy, so its line
 * has no stack.
 */
export function createFaultLog(log: Log): LogFault {
  const warning = new RareWarning(log)
  return (error, message, context = {}, subject = '') => {
    const isOfStore = error instanceof StoreFailure || error instanceof NotShared
    const reason = isOfStore ? { reason: error.message } : { err: error }
    const kind = error instanceof Error ? error.name : ''
    warning.warn({ ...reason, ...context }, message, [message, subject, kind].join('\n'))
  }
}

/** Maximum number of log lines per minute about failed fetches from one exchange. */
const maxLines = 10
/** Maximum number of logged characters of an exchange's error, which may be a page of HTML. */
const maxDetailLength = 300

const unknown = { reason: 'other', status: 0, code: '' } as const

export function failedFetches(log: Log, metrics: Metrics) {
  const failures = metrics.counter(
    'candela_fetch_failures_total',
    'Requests to exchanges for candles that were not answered, by reason, such as timed-out or rate-limited',
    'exchange',
    'reason',
  )
  const warning = new RareWarning(log, undefined, maxLines)
  return ({ market: { exchange, symbol, timeframe }, failure, seconds }: FailedFetch): void => {
    const { reason, status, code } = failure.fault ?? unknown
    failures.add({ exchange, reason })
    const { message = '' } = (failure.cause ?? {}) as Partial<Error>
    const context = {
      ...{ exchange, symbol, timeframe, reason },
      ...(status !== 0 && { status }),
      ...(code !== '' && { code }),
      // A query string may contain a key of the operator.
      ...(message !== '' && { detail: message.replaceAll(/\?[^\s"]*/g, '').slice(0, maxDetailLength) }),
      seconds: Math.round(seconds * 1000) / 1000,
      request: failure.id,
    }
    warning.warn(context, `candles could not be fetched: ${failure.message}`, exchange)
  }
}

interface GaugedParts {
  readonly history: History
  readonly feeds: Feeds
  readonly sessions: SessionRegistry
  readonly resultCache: ResultCache
  readonly admission: Admission
}

/** Adds gauges and counters that are read from the service's parts on each request. */
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

/** Creates the usage counter and the dependencies of key management over HTTP. Each change of a key is logged. */
export function createKeyParts(
  { clock, ages, log }: Context,
  { accounts, usage: store }: Store,
  sessions: SessionRegistry,
): AdminDependencies & { readonly usage: UsageCounter } {
  const logFault = createFaultLog(log)
  const usage = new UsageCounter({
    store,
    clock,
    ages,
    onFault: error => logFault(error, 'the usage of keys could not be stored, and is tried again'),
  })
  sessions.watchSubscriptions(id => usage.count(id, 'subscriptions'))
  return {
    accounts,
    usage,
    clock,
    onKeyChange: (change, key, by) => log.info({ key, by }, `a key was ${change}`),
  }
}

/** Creates the alerts of all keys. They run once started. */
export function createAlerts(
  { config, tuning, log, metrics, tracing, clock, ages }: Context,
  parts: Pick<Parts, 'store' | 'feeds' | 'exchanges' | 'executor' | 'sessions'>,
): Alerts {
  const { store, feeds, exchanges, executor, sessions } = parts
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
    executor,
    exchanges,
    clock,
    ages,
    maxAlerts: config.alertsMax,
    maxPerAccount: config.alertsPerKey,
    privateTargets: config.alertsPrivateTargets,
    backoffMs: tuning.webhookBackoffMs,
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

/** Time for which the number of keys is cached, in milliseconds. */
const countMs = 2000

/** Checks whether one person uses the service: at most one key is not revoked. */
export class PersonalUse {
  #keys = 0
  #countedAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly accounts: Pick<Accounts, 'list'>,
    /** Monotonic clock in milliseconds, with an arbitrary start. */
    private readonly monotonicMs: () => number,
  ) {
    void this.count()
  }

  /** Counts the keys. If the store cannot be read, the last number stays. */
  async count(): Promise<void> {
    this.#countedAt = this.monotonicMs()
    const list = await this.accounts.list().catch(() => undefined)
    if (list) this.#keys = list.accounts.filter(({ revoked }) => revoked === undefined).length
  }

  /** Reason why data for personal use must not be served, or undefined. May be some seconds old. */
  refusal(): string | undefined {
    if (this.monotonicMs() - this.#countedAt > countMs) void this.count()
    return this.#keys > 1
      ? "Yahoo's terms allow personal use only, and this service has more than one key; see STOCKS_SOURCES and STOCKS_YAHOO_SHARED"
      : undefined
  }
}
