import { constants } from 'node:os'
import { createAccess } from './api/access.js'
import { createRateLimits } from './api/rate-limits.js'
import type { RequestHead } from './api/reply.js'
import { countRequests } from './api/request-metrics.js'
import { Routes } from './api/routes.js'
import { BulkDispatcher } from './compute/bulk-dispatch.js'
import { Calculator } from './compute/calculator.js'
import { BodyParser } from './compute/json/body-parser.js'
import { configure } from './config.js'
import { ExchangeRegistry } from './exchanges/registry.js'
import { createSymbolCache } from './exchanges/symbol-cache.js'
import { Archive } from './history/archive.js'
import { History } from './history/history.js'
import { createLiveMarkets } from './live/follower.js'
import { createLog } from './log.js'
import { Metrics, type MetricsServer } from './metrics/metrics.js'
import { serve } from './server/uws.js'
import { openEmbedded } from './store/embedded.js'
import { ensureFirstKey } from './store/key.js'
import { type Store, StoreFailure } from './store/store.js'
import { Hub } from './stream/hub.js'
import { SessionRegistry } from './stream/sessions.js'

const config = configure()
const log = createLog(config.logLevel)
const seconds = () => Date.now() / 1000
/** What is closed after the last request is given so long, in seconds. */
const lastSeconds = 1
/** Whole milliseconds that never go back, unlike the time of day. */
const milliseconds = () => Math.floor(performance.now())

const metrics = new Metrics()
const corrupt = metrics.counter('candela_archive_corrupt_total', 'Chunks of candles that could not be read')

const store = open(config.dataDirectory)
const anomalies = metrics.counter(
  'candela_anomalies_total',
  'What exchanges showed that was not as it should be: duplicate, impossible, misaligned, no-volume, gap or mended-gap',
  'exchange',
  'anomaly',
)
const exchanges = new ExchangeRegistry({
  exchanges: config.exchanges,
  stocks: config.stocks,
  fetchTimeoutMs: config.fetchTimeoutMs,
  onAnomaly: (anomaly, exchange) => anomalies.add({ exchange, anomaly }),
  symbolCache: createSymbolCache(store.chunks, (exchange, error) =>
    log.warn({ exchange, err: error }, 'the list of symbols could not be kept'),
  ),
})
const archive = new Archive(store.chunks, {
  depth: config.historyDepth,
  journal: store.journal,
  onFailure,
  onCorrupt: (series, reason) => {
    corrupt.add()
    log.warn({ series, reason }, 'the archive was damaged')
  },
})
try {
  archive.recover()
} catch (error) {
  onFailure(error)
}
const history = new History({
  depth: config.historyDepth,
  bytes: config.historyBytes,
  refreshSeconds: config.refreshSeconds,
  clock: seconds,
  archive,
  counters: {
    fetches: metrics.counter(
      'candela_fetches_total',
      'Questions to exchanges for candles: ok, unknown-symbol or unavailable',
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
  onFailure,
})
const live = createLiveMarkets({
  history,
  formingPerSecond: config.formingPerSecond,
  lingerSeconds: config.lingerSeconds,
  pollSeconds: config.refreshSeconds,
  clock: seconds,
  onFault: (error, market) => log.warn({ err: error, market }, 'a feed failed and is being repaired'),
})
metrics.gauge('candela_series', 'Series of candles in memory', () => history.size)
metrics.gauge('candela_series_bytes', 'Memory of the series of candles', () => history.bytes)
metrics.gauge('candela_feeds', 'Markets that are watched or polled for subscribers', () => live.feeds)
const calculator = new Calculator()
const bodyParser = new BodyParser()
const dispatch = new BulkDispatcher({
  calculator,
  bodyParser,
  threads: config.poolThreads,
  queue: config.poolQueue,
  inlineBudgetUs: config.inlineBudgetUs,
  inlineBodyBytes: config.inlineBodyBytes,
  onFailure: error => log.error({ err: error }, 'a computation failed'),
})
const access = createAccess(store.accounts, milliseconds)
const streaming = new SessionRegistry({
  hub: new Hub({
    live,
    // Its columns are those that move; answers keep theirs.
    calculator: new Calculator(),
    exchanges,
    onBug: error => log.error({ err: error }, 'a live computation failed'),
  }),
  access,
  maxConnections: config.streamMaxConnections,
  maxUnauthenticated: config.streamMaxUnauthenticated,
  messagesPerSecond: config.streamMessagesPerSecond,
  clock: milliseconds,
  onBug: error => log.error({ err: error }, 'a streaming session failed'),
})
metrics.gauge('candela_connections', 'Streaming connections', () => streaming.connections)
metrics.gauge(
  'candela_subscriptions',
  'Subscriptions of streaming connections',
  () => streaming.subscriptions,
)
let stopping = false
const routes = new Routes({
  access,
  limits: createRateLimits(milliseconds),
  calculator,
  dispatch,
  bodyParser,
  exchanges,
  history,
  bulkWaitSeconds: config.bulkWaitSeconds,
  streaming: () => ({
    connections: streaming.connections,
    subscriptions: streaming.subscriptions,
    feeds: live.feeds,
    uptime: Math.floor(process.uptime()),
  }),
  isReady: () => !stopping,
})

const handle = (head: RequestHead) => routes.handle(head)
const requests = metrics.counter('candela_requests_total', 'Replies by route and status', 'route', 'status')
const server = await serve({
  host: config.host,
  port: config.port,
  handle:
    config.metricsPort === undefined ? handle : countRequests(handle, path => routes.nameOf(path), requests),
  streaming,
  maxBackpressure: config.streamMaxBackpressure,
  idleSeconds: config.streamIdleSeconds,
  log,
}).catch(giveBack)
const shown = await showMetrics().catch(giveBack)

// A promise that a library forgot must not end the service; whoever waited for it has been answered by a timeout.
process.on('unhandledRejection', error => log.error({ err: error }, 'a promise was rejected unseen'))
process.on('SIGTERM', signal => void stop(signal))
process.on('SIGINT', signal => void stop(signal))

const shownHost = config.host.includes(':') ? `[${config.host}]` : config.host
const url = `http://${shownHost}:${server.port}`
console.log(`Candela listens on ${url}`)
const first = await ensureFirstKey(store.accounts, Math.floor(seconds()))
if (first) {
  console.log(`\nFirst key, shown this once: ${first.key}\n`)
  console.log(
    `curl -H "Authorization: Bearer ${first.key}" "${url}/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h"`,
  )
}
log.info({ url, node: process.version }, 'ready')

async function showMetrics(): Promise<MetricsServer | undefined> {
  if (config.metricsPort === undefined) return undefined
  const opened = await metrics.serve({ host: config.metricsHost, port: config.metricsPort })
  log.info({ host: config.metricsHost, port: opened.port }, 'metrics are shown')
  return opened
}

async function giveBack(error: Error): Promise<never> {
  await store.close()
  return giveUp(error)
}

function onFailure(error: unknown): void {
  log.error({ err: error }, 'candles could not be kept as they should be')
}

function giveUp(error: Error): never {
  console.error(`candela: ${error.message}`)
  process.exit(1)
}

function open(directory: string): Store {
  try {
    return openEmbedded(directory)
  } catch (error) {
    if (error instanceof StoreFailure) return giveUp(error)
    throw error
  }
}

/** Ends the service in order, or at once when it is told so a second time. */
async function stop(signal: NodeJS.Signals): Promise<void> {
  if (stopping) return process.exit(128 + constants.signals[signal])
  stopping = true
  log.info({ signal }, 'stopping')
  const late = () => {
    log.error('the service could not be stopped in order')
    process.exit(1)
  }
  setTimeout(late, config.shutdownSeconds * 1000 + lastSeconds * 1000).unref()
  streaming.close()
  await server.close(config.shutdownSeconds)
  await shown?.close()
  await live.close()
  await exchanges.close()
  await dispatch.close()
  try {
    archive.flush()
  } catch (error) {
    onFailure(error)
  }
  await store.close()
  process.exit(0)
}
