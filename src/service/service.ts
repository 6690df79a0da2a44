import { fileURLToPath } from 'node:url'
import { type Access, createAccess } from '../api/access.js'
import { Admission } from '../api/admission.js'
import { commonHeaders } from '../api/common-headers.js'
import { readParts } from '../api/endpoints/health.js'
import { StaticFiles } from '../api/files/static-files.js'
import { Routes } from '../api/routes.js'
import type { Archive } from '../archive/archive.js'
import { ComputeDispatcher } from '../compute/compute-dispatcher.js'
import { BodyParser } from '../compute/json/body-parser.js'
import { Calculator } from '../compute/kernels/calculator.js'
import { ResultCache } from '../compute/results/result-cache.js'
import type { Config } from '../config/config.js'
import type { Log } from '../config/log.js'
import { shareExchanges } from '../exchanges/cluster/shared-source.js'
import { type ExchangeLookup, ExchangeRegistry } from '../exchanges/registry.js'
import { createSymbolCache } from '../exchanges/symbol-cache.js'
import { Expressions } from '../expression/expressions.js'
import { watchClock } from '../feeds/clock-watch.js'
import { FeedRegistry, type Feeds } from '../feeds/feed-registry.js'
import { History } from '../history/history.js'
import { MarketData } from '../history/market-data.js'
import { Metrics, type MetricsServer } from '../metrics/metrics.js'
import { eventLoop } from '../runtime/event-loop.js'
import { LiveScreens } from '../screen/live-screens.js'
import { Screener } from '../screen/screener.js'
import { certificateOf, watchCertificate } from '../server/certificate.js'
import { maxConnectionsOf } from '../server/open-files.js'
import { drain, type Server } from '../server/server.js'
import { chooseTransport } from '../server/transport.js'
import { Hub } from '../sessions/hub.js'
import { SessionRegistry } from '../sessions/session-registry.js'
import { ensureFirstKey } from '../store/key.js'
import type { Store } from '../store/store.js'
import { createAlerts } from './alerts.js'
import { createArchive, createArchiveLimit } from './archive.js'
import { addGauges } from './gauges.js'
import { openServiceStore } from './store.js'

/** Parts of the service that a test or a bench replaces by its own. */
export interface ServiceParts {
  readonly log: Log
  /** The time of day, in Unix seconds. */
  readonly clock?: () => number
  /** Whole milliseconds from any moment that never go back. */
  readonly monotonicMs?: () => number
  readonly access?: Access
  readonly exchanges?: ExchangeLookup
  readonly feeds?: Feeds
  /** Where the built page is. */
  readonly pageDirectory?: string
}

/** What became of a start. */
export interface Started {
  /** Where the service listens. */
  readonly url: string
  readonly port: number
  /** The key that the first start on an empty data directory creates. */
  readonly firstKey: string | undefined
}

/** The whole service in this process. */
export interface Service {
  readonly sessions: SessionRegistry
  /** Begins to listen. Rejects when a port cannot be had; then everything is closed again. */
  start(): Promise<Started>
  /** Archives candles that are in memory and in the journal. Throws where that fails. */
  save(): void
  /**
   * Ends in order. For `drainSeconds`, or until no HTTP connection is open, requests are answered on open and new connections.
   * Then no connection is accepted, and for up to a second open ones are answered with `Connection: close`. Then the requests under
   * way end, then everything else. Never rejects.
   */
  close(drainSeconds?: number): Promise<void>
}

/**
 * Puts the service together. Throws StoreFailure when the data directory cannot be used, as by a second service while
 * the first one runs.
 */
export function createService(config: Config, parts: ServiceParts): Service {
  const { log, clock = () => Date.now() / 1000 } = parts
  const monotonicMs = parts.monotonicMs ?? (() => Math.floor(performance.now()))
  const metrics = new Metrics()
  const store = openServiceStore(config, monotonicMs, metrics, log)
  const own = parts.exchanges ?? createExchanges(config, store, metrics, log)
  const exchanges = shareExchanges(own, { ...config, store, clock })
  const archive = createArchive(config, store, clock, metrics, log)
  const history = createHistory(config, archive, clock, metrics, log)
  const archiveLimit = createArchiveLimit(config, store, archive, history, log)
  const feeds = parts.feeds ?? createFeeds(config, history, clock, log)
  const access = parts.access ?? createAccess(store.accounts, monotonicMs)
  const resultCache = new ResultCache(config.resultsBytes)
  const calculator = new Calculator()
  const marketData = new MarketData(exchanges, history)
  const bodyParser = new BodyParser()
  const expressions = new Expressions()
  const dispatch = createDispatcher(config, { calculator, bodyParser, expressions, resultCache }, log)
  const screener = new Screener({ marketData, exchanges, calculator, resultCache, dispatch, clock })
  const sessionParts = { feeds, exchanges, access, expressions, resultCache, screener, dispatch }
  const sessions = createSessions(config, store, sessionParts, monotonicMs, log)
  const alertParts = { store, feeds, resultCache, dispatch, exchanges, sessions, clock, metrics, log }
  const alerts = createAlerts(config, alertParts)
  addGauges(metrics, { history, feeds, sessions, resultCache })
  const listening: Listening = { isStopping: false, endsConnections: false }
  const routes = new Routes({
    admission: new Admission(access, store, config.maxConnectionsPerKey),
    corsOrigins: config.corsOrigins,
    taapiAtRoot: config.taapiAtRoot,
    calculator,
    dispatch,
    bodyParser,
    expressions,
    exchanges,
    alerts,
    privateTargets: config.alertsPrivateTargets,
    marketData,
    screener,
    bulkWaitSeconds: config.bulkWaitSeconds,
    files: readFiles(parts.pageDirectory),
    streaming: () => streamingHealth(sessions, feeds),
    health: () => ({ isStopping: listening.isStopping, parts: readParts(store, history, alerts) }),
  })
  const unwatchClock = watchClock({ clock, monotonicMs, onJump: seconds => warnOfJump(log, seconds) })
  const close = async (drainSeconds = 0) => {
    listening.isStopping = true
    unwatchClock()
    sessions.close()
    listening.unwatchCertificate?.()
    const lastParts = [alerts, feeds, exchanges, dispatch, archiveLimit, archive]
    const first = stepsOf(listening, drainSeconds, config.shutdownSeconds)
    await runAll(log, [...first, ...closersOf([...lastParts, store])])
  }
  const open = () => startListening(listening, config, routes, sessions, metrics, log)
  const begin = () => start(config, () => alerts.start().then(open), store, clock, close)
  return { sessions, start: begin, save: () => save(archive, store), close }
}

function save(archive: Archive, { keyValues }: Store): void {
  archive.flush()
  // A shared store stores meanwhile what it has been given; it says so when it is closed.
  keyValues.flush?.().catch(() => {})
}

const closersOf = (parts: readonly { close(): Promise<void> | void }[]) =>
  parts.map(part => () => part.close())

const warnOfJump = (log: Log, seconds: number): void =>
  log.warn({ seconds: Math.round(seconds) }, 'the clock was set; live markets begin anew')

const streamingHealth = (sessions: SessionRegistry, feeds: Feeds) => ({
  connections: sessions.connections,
  subscriptions: sessions.subscriptions,
  feeds: feeds.size,
  uptime: Math.floor(process.uptime()),
})

/** What listens on a port, from the start of the service on. */
interface Listening {
  server?: Server
  metricsServer?: MetricsServer | undefined
  unwatchCertificate?: () => void
  isStopping: boolean
  /** Replies have `Connection: close`. */
  endsConnections: boolean
}

/** Ends what listens, the open requests first. */
const stepsOf = (listening: Listening, drainSeconds: number, seconds: number): readonly (() => unknown)[] => [
  () =>
    listening.server &&
    drain(listening.server, drainSeconds, () => {
      listening.endsConnections = true
    }),
  () => listening.server?.close(seconds),
  () => listening.metricsServer?.close(),
]

async function start(
  config: Config,
  listen: () => Promise<number>,
  store: Store,
  clock: () => number,
  close: () => Promise<void>,
): Promise<Started> {
  try {
    await store.ready()
    const port = await listen()
    const first = await ensureFirstKey(store.accounts, Math.floor(clock()))
    return { url: urlOf(config, port), port, firstKey: first?.key }
  } catch (error) {
    await close()
    throw error
  }
}

/** Runs steps in their order. A step that fails is logged and does not keep the ones after it from running. */
async function runAll(log: Log, steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      log.error({ err: error }, 'a part of the service could not be closed')
    }
  }
}

function createFeeds(config: Config, history: History, clock: () => number, log: Log): Feeds {
  return new FeedRegistry({
    history,
    formingPerSecond: config.formingPerSecond,
    lingerSeconds: config.lingerSeconds,
    pollSeconds: config.refreshSeconds,
    clock,
    onFault: (error, market) => log.warn({ err: error, market }, 'a feed failed and is being repaired'),
  })
}

function createDispatcher(
  config: Config,
  parts: {
    readonly calculator: Calculator
    readonly bodyParser: BodyParser
    readonly expressions: Expressions
    readonly resultCache: ResultCache
  },
  log: Log,
): ComputeDispatcher {
  return new ComputeDispatcher({
    ...parts,
    threads: config.poolThreads,
    maxQueuedTasks: config.poolQueue,
    inlineBudgetUs: config.inlineBudgetUs,
    inlineBodyBytes: config.inlineBodyBytes,
    onFailure: error => log.error({ err: error }, 'a computation failed'),
  })
}

function createExchanges(config: Config, store: Store, metrics: Metrics, log: Log): ExchangeLookup {
  const anomalies = metrics.counter(
    'candela_anomalies_total',
    'What exchanges showed that was not as it should be: duplicate, invalid, misaligned, no-volume, gap or filled-gap',
    'exchange',
    'anomaly',
  )
  return new ExchangeRegistry({
    exchanges: config.exchanges,
    stocks: config.stocks,
    fetchTimeoutMs: config.fetchTimeoutMs,
    onAnomaly: (anomaly, exchange) => anomalies.add({ exchange, anomaly }),
    symbolCache: createSymbolCache(store.keyValues, (exchange, error) =>
      log.warn({ exchange, err: error }, 'the list of symbols could not be stored'),
    ),
    onFault: error => log.error({ err: error }, 'the thread of the exchanges failed'),
  })
}

function createHistory(
  config: Config,
  archive: Archive,
  clock: () => number,
  metrics: Metrics,
  log: Log,
): History {
  return new History({
    depth: config.historyDepth,
    bytes: config.historyBytes,
    refreshSeconds: config.refreshSeconds,
    clock,
    loop: eventLoop,
    archive,
    counters: {
      fetches: metrics.counter(
        'candela_fetches_total',
        'Requests to exchanges for candles: ok, unknown-symbol or unavailable',
        'exchange',
        'outcome',
      ),
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
      log.error({ err: error }, 'candles could not be fetched, or read from or written to the archive'),
    onRescaled: (series, note) => log.warn({ series, note }, 'an exchange shows a series in another scale'),
  })
}

/** The sessions of all clients. */
function createSessions(
  config: Config,
  { subscriptions: bounds }: Store,
  parts: {
    readonly feeds: Feeds
    readonly exchanges: ExchangeLookup
    readonly access: Access
    readonly expressions: Expressions
    readonly resultCache: ResultCache
    readonly screener: Screener
    readonly dispatch: ComputeDispatcher
  },
  clock: () => number,
  log: Log,
): SessionRegistry {
  const { feeds, exchanges, access, expressions, resultCache, screener, dispatch } = parts
  return new SessionRegistry({
    hub: new Hub({
      feeds,
      // One of its own, because a calculator keeps the columns of the series that it saw last.
      calculator: new Calculator(),
      resultCache,
      threads: dispatch,
      exchanges,
      onBug: error => log.error({ err: error }, 'a live computation failed'),
    }),
    screens: new LiveScreens(screener, error => log.error({ err: error }, 'a live screen failed')),
    access,
    expressions,
    bounds,
    maxConnections: config.streamMaxConnections,
    maxConnectionsPerKey: config.maxConnectionsPerKey,
    maxUnauthenticated: config.streamMaxUnauthenticated,
    maxUnauthenticatedPerAddress: config.streamMaxUnauthenticatedPerAddress,
    messagesPerSecond: config.streamMessagesPerSecond,
    clock,
    onBug: error => log.error({ err: error }, 'a streaming session failed'),
  })
}

/** The page at `/` and the reference at `/docs`, as the build has left them. */
const readFiles = (pageDirectory = built('dist/page')): StaticFiles =>
  new StaticFiles([
    { directory: pageDirectory, path: '/' },
    { directory: built('build/reference'), path: '/docs' },
  ])

const built = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Begins to listen; resolves with the port of the service. */
async function startListening(
  listening: Listening,
  config: Config,
  routes: Routes,
  sessions: SessionRegistry,
  metrics: Metrics,
  log: Log,
): Promise<number> {
  const requests = metrics.counter('candela_requests_total', 'Replies by route and status', 'route', 'status')
  const serve = await chooseTransport(config.transport, log)
  const maxConnections = maxConnectionsOf(config, log)
  const server = await serve({
    host: config.host,
    port: config.port,
    certificate: certificateOf(config, log),
    handle: request => routes.handle(request),
    ...(config.metricsPort !== undefined && {
      onReply: ({ route = 'other' }, status) => requests.add({ route, status: String(status) }),
    }),
    headersOf: head => commonHeaders(head, config.corsOrigins, listening.endsConnections),
    streaming: sessions,
    trustedProxies: config.trustedProxies,
    maxConnections,
    maxConnectionsPerAddress: config.maxConnectionsPerAddress ?? Math.ceil(maxConnections / 2),
    maxUnsentBytes: config.httpMaxBackpressure,
    maxBackpressure: config.streamMaxBackpressure,
    idleSeconds: config.streamIdleSeconds,
    log,
  })
  listening.server = server
  listening.unwatchCertificate = watchCertificate(config, log, certificate => server.renew(certificate))
  listening.metricsServer = await serveMetrics(config, metrics, log)
  return server.port
}

async function serveMetrics(config: Config, metrics: Metrics, log: Log): Promise<MetricsServer | undefined> {
  if (config.metricsPort === undefined) return undefined
  const opened = await metrics.serve({ host: config.metricsHost, port: config.metricsPort })
  log.info({ host: config.metricsHost, port: opened.port }, 'metrics are shown')
  return opened
}

const urlOf = ({ host, tlsCert }: Config, port: number) =>
  `${tlsCert === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`
