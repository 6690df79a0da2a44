import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import type { Alerts } from '../alerts/alerts.js'
import { Expressions } from '../compute/expressions/expressions.js'
import { BodyParser } from '../compute/json/body-parser.js'
import { Calculator } from '../compute/kernels/calculator.js'
import { ResultCache } from '../compute/results/result-cache.js'
import { ensureFirstKey } from '../contract/accounts.js'
import { maxBodyBytes, tableCandleBytes } from '../contract/limits.js'
import type { Store } from '../contract/storage/stores.js'
import { type Access, Admission, createAccess } from '../http/admission.js'
import { certificateOf, watchCertificate } from '../http/drivers/certificate.js'
import { maxConnectionsOf } from '../http/drivers/open-files.js'
import { type BodyBounds, drain, type Server } from '../http/drivers/server.js'
import { chooseTransport } from '../http/drivers/transport.js'
import { readParts, type StreamingHealth } from '../http/endpoints/health.js'
import { StaticFiles } from '../http/files/static-files.js'
import type { Handle } from '../http/reply.js'
import { Routes } from '../http/routes.js'
import type { SessionRegistry } from '../live/session-registry.js'
import type { Archive } from '../markets/archive/archive.js'
import { shareInCluster } from '../markets/exchanges/cluster/cluster-source.js'
import type { ExchangeLookup } from '../markets/exchanges/registry.js'
import type { Feeds } from '../markets/feeds/feed-registry.js'
import { MarketData } from '../markets/history/market-data.js'
import { AgeClock } from '../runtime/age-clock.js'
import type { Log } from '../runtime/log.js'
import { machineMs } from '../store/process/process-store.js'
import { localHostOf } from './greeting.js'
import { Metrics, type MetricsServer, type OpenMetrics } from './metrics/metrics.js'
import { Tracing } from './metrics/tracing.js'
import {
  addGauges,
  type Context,
  checkpointShare,
  createAlerts,
  createArchive,
  createArchiveLimit,
  createExchanges,
  createExecutor,
  createFeeds,
  createHistory,
  createKeyParts,
  createScreens,
  createSessions,
  openServiceStore,
  recover,
  type Tuning,
  usualTuning,
} from './parts.js'
import type { Counts } from './processes/messages.js'
import { Supervisor } from './processes/supervisor.js'
import { WorkerProcess } from './processes/worker-process.js'
import { openAccessLog, watchReplies } from './replies.js'
import type { AccessLog } from './settings/access-log.js'
import { type Config, isTraced } from './settings/config.js'

/** Parts of the service that tests and benches replace. */
export interface ServiceParts {
  readonly log: Log
  /** Wall clock, in Unix seconds. */
  readonly clock?: () => number
  /** Monotonic clock in whole milliseconds, with an arbitrary start. */
  readonly monotonicMs?: () => number
  readonly access?: Access
  readonly exchanges?: ExchangeLookup
  readonly feeds?: Feeds
  readonly pageDirectory?: string
  readonly tuning?: Partial<Tuning> | undefined
  /** Role of this process in a service with several processes. */
  readonly local?: Supervisor | WorkerProcess | undefined
}

export interface Started {
  readonly url: string
  readonly port: number
  /** Key that the first start on an empty data directory has created. */
  readonly firstKey: string | undefined
}

export class Service {
  readonly sessions: SessionRegistry
  readonly #context: Context
  readonly #store: Store
  readonly #owner: Supervisor | undefined
  readonly #worker: WorkerProcess | undefined
  readonly #archive: Archive
  readonly #alerts: Alerts
  readonly #feeds: Feeds
  readonly #routes: Routes
  /** Parts that are closed after the last request, in this order. */
  readonly #parts: readonly { close(): Promise<void> | void }[]
  /** Access log, if configured and if this process serves. */
  readonly #accessLog: AccessLog | undefined
  #unwatchCertificate: (() => void) | undefined
  #server: Server | undefined
  #metricsServer: MetricsServer | undefined
  #openedMetrics: Promise<OpenMetrics> | undefined
  #isStopping = false

  /**
   * Builds the service. Throws StoreFailure if the data directory cannot be used, such as while another service uses
   * it.
   */
  constructor(config: Config, parts: ServiceParts) {
    const { local, clock = () => Date.now() / 1000 } = parts
    const monotonicMs = parts.monotonicMs ?? (local ? machineMs : () => Math.floor(performance.now()))
    const context = createContext(config, parts, clock, monotonicMs)
    const owner = local instanceof Supervisor ? local : undefined
    const worker = local instanceof WorkerProcess ? local : undefined
    this.#accessLog = owner ? undefined : openAccessLog(context)
    const store = openServiceStore(context, local)
    const archive = createArchive(context, store)
    const own = parts.exchanges ?? createExchanges(context, store, archive, worker?.askOwner)
    const exchanges =
      owner?.serveExchanges(own, clock) ?? shareInCluster(own, { ...config, ...context.tuning, store, clock })
    const history = createHistory(context, store, archive)
    const archiveLimit = createArchiveLimit(context, archive, { store, history })
    if (!worker) {
      recover(archive, context)
      archiveLimit.start()
    }
    if (owner) owner.onEnd = () => recover(archive, context)
    const feeds = parts.feeds ?? createFeeds(context, history)
    const access = parts.access ?? createAccess(store.accounts, monotonicMs, clock)
    const resultCache = new ResultCache(config.resultsBytes * (1 - checkpointShare))
    const calculator = new Calculator()
    const marketData = new MarketData(exchanges, history, config.rangeDepth)
    const bodyParser = new BodyParser()
    const expressions = new Expressions()
    const executor = createExecutor(context, { calculator, bodyParser, expressions, resultCache })
    const screens = createScreens(store, { marketData, exchanges, executor, clock })
    const shared = { store, feeds, exchanges, access, expressions, resultCache, executor, ...screens }
    const sessions = createSessions(context, shared)
    const alerts = createAlerts(context, { ...shared, sessions })
    const keys = createKeyParts(context, store, sessions)
    const admission = new Admission(access, store, config.maxConnectionsPerKey, keys.usage)
    addGauges(context.metrics, { history, feeds, sessions, resultCache, admission })
    this.#routes = new Routes({
      ...{ calculator, executor, bodyParser, expressions, exchanges, alerts, marketData, ...screens },
      admission,
      corsOrigins: config.corsOrigins,
      taapiAtRoot: config.taapiAtRoot,
      ...{ hasUdf: config.udfDatafeed, hasOpenbb: config.openbbWidgets },
      ...keys,
      privateTargets: config.alertsPrivateTargets,
      historyDepth: config.historyDepth,
      bulkWaitSeconds: config.bulkWaitSeconds,
      tableCandles: config.tableCandles,
      files: readFiles(parts.pageDirectory),
      streaming: () => this.#streamingHealth(),
      health: () => ({ isStopping: this.#isStopping, parts: readParts(store, history, alerts) }),
    })
    this.#context = context
    this.#owner = owner
    this.#worker = worker
    this.#feeds = feeds
    this.#store = store
    this.#archive = archive
    this.#alerts = alerts
    this.sessions = sessions
    this.#parts = [keys.usage, alerts, feeds, exchanges, executor, archiveLimit, archive, store]
  }

  /** Starts to listen. If a port cannot be opened, closes everything and rejects. */
  async start(): Promise<Started> {
    const { config, clock } = this.#context
    try {
      const { tracing, log } = this.#context
      await tracing?.open(reason => log.warn({ reason }, 'traces could not be sent'))
      await this.#store.ready()
      await this.#alerts.start()
      const port = await this.#listen()
      const first = this.#worker ? undefined : await ensureFirstKey(this.#store.accounts, Math.floor(clock()))
      return { url: urlOf(config, port), port, firstKey: first?.key }
    } catch (error) {
      await this.close()
      throw error
    }
  }

  /** Archives candles from memory and from the journal. Throws on failure. */
  save(): void {
    this.#archive.flush()
    // A shared store flushes in the background. `close` of the store reports failures.
    this.#store.keyValues.flush?.().catch(() => {})
  }

  /** Reopens the log files after the open ones were renamed. */
  reopenLogs(): void {
    this.#accessLog?.reopen()
    this.#owner?.reopenLogs()
  }

  /**
   * Shuts down gracefully. For `drainSeconds`, or until no HTTP connection is open, requests on open and new
   * connections are answered. Then no connection is accepted, and for up to a second open ones are answered with
   * `Connection: close`. Then requests in flight finish, and everything else is closed. Never rejects.
   */
  async close(drainSeconds = 0): Promise<void> {
    const { config, log } = this.#context
    const server = this.#server
    this.#isStopping = true
    this.sessions.close()
    this.#unwatchCertificate?.()
    const onLast = () => {
      this.#routes.endsConnections = true
    }
    const steps: readonly (() => unknown)[] = [
      () => this.#owner?.stop(drainSeconds),
      () => server && drain(server, drainSeconds, onLast),
      () => server?.close(config.shutdownSeconds),
      () => this.#metricsServer?.close(),
      () => this.#accessLog?.close(),
      () => this.#context.tracing?.close(),
      ...this.#parts.map(part => () => part.close()),
    ]
    for (const step of steps) {
      try {
        await step()
      } catch (error) {
        // The next steps still run.
        log.error({ err: error }, 'a part of the service could not be closed')
      }
    }
  }

  /** Starts to listen, or starts the serving processes. Resolves with the port of the service. */
  async #listen(): Promise<number> {
    const { config, log } = this.#context
    const port = await (this.#owner?.start() ?? this.#serve())
    if (config.metricsPort !== undefined) await (this.#worker ? this.#openMetrics() : this.#serveMetrics())
    this.#worker?.serve({
      counts: () => this.#counts(),
      readMetrics: async () => (await this.#openMetrics()).read(),
      save: () => this.save(),
      stop: drainSeconds => {
        this.save()
        log.info({}, 'stopping')
        void this.close(drainSeconds).then(() => process.exit(0))
      },
    })
    return port
  }

  async #serve(): Promise<number> {
    const { config, log } = this.#context
    const serve = await chooseTransport(config.transport, log)
    const maxConnections = maxConnectionsOf(config, log)
    const server = await serve({
      host: config.host,
      port: this.#worker?.port ?? config.port,
      sharesPort: this.#worker !== undefined,
      certificate: certificateOf(config, log),
      handle: this.#handler(),
      ...watchReplies(this.#context, this.#accessLog),
      headersOf: this.#routes.headersOf,
      streaming: this.sessions,
      trustedProxies: config.trustedProxies,
      maxConnections,
      maxConnectionsPerAddress: config.maxConnectionsPerAddress,
      maxUnsentBytes: config.httpMaxBackpressure,
      maxBodies: bodyBoundsOf(config),
      maxBackpressure: config.streamMaxBackpressure,
      idleSeconds: config.streamIdleSeconds,
      log,
    })
    this.#server = server
    this.#unwatchCertificate = watchCertificate(config, log, certificate => server.renew(certificate))
    return server.port
  }

  /** Handler of requests. With tracing, it also opens a span. */
  #handler(): Handle {
    const { tracing } = this.#context
    const { handle } = this.#routes
    return tracing ? request => tracing.answer(request, () => handle(request)) : handle
  }

  async #serveMetrics(): Promise<void> {
    const { config, metrics, log } = this.#context
    const address = { host: config.metricsHost, port: config.metricsPort as number }
    this.#metricsServer = await metrics.serve(address, async () => this.#owner?.readMetrics() ?? [])
    log.info({ ...address, port: this.#metricsServer.port }, 'metrics are shown')
  }

  #openMetrics(): Promise<OpenMetrics> {
    this.#openedMetrics ??= this.#context.metrics.open()
    return this.#openedMetrics
  }

  #counts(): Counts {
    const { connections, subscriptions } = this.sessions
    return { connections, subscriptions, feeds: this.#feeds.size }
  }

  #streamingHealth(): StreamingHealth {
    const own = this.#counts()
    return this.#worker?.total(own) ?? { ...own, uptime: Math.floor(process.uptime()) }
  }
}

const createContext = (
  config: Config,
  { log, tuning }: ServiceParts,
  clock: () => number,
  monotonicMs: () => number,
): Context => ({
  ...{ config, tuning: { ...usualTuning, ...tuning }, log, metrics: new Metrics(), clock, monotonicMs },
  ages: new AgeClock(clock, monotonicMs),
  tracing: isTraced(config) ? new Tracing() : undefined,
})

/** Built files: the page at `/`, the reference at `/docs`, the documents at `/help` and the clients at `/packages`. */
const readFiles = (pageDirectory = built('dist/page')): StaticFiles =>
  new StaticFiles([
    { directory: pageDirectory, path: '/' },
    { directory: built('build/reference'), path: '/docs' },
    { directory: built('dist/help'), path: '/help' },
    { directory: built('dist/packages'), path: '/packages' },
  ])

const built = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Memory bound of request bodies: room for at least two of the longest, and half of it per key. */
const bodyBoundsOf = ({ httpMaxBodies, tableCandles }: Config): BodyBounds => {
  const total = Math.max(httpMaxBodies, 2 * Math.max(maxBodyBytes, tableCandles * tableCandleBytes))
  return { total, ofKey: total / 2 }
}

const urlOf = ({ host, tlsCert }: Config, port: number) =>
  `${tlsCert === undefined ? 'http' : 'https'}://${localHostOf(host)}:${port}`
