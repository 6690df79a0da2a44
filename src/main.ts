import { constants } from 'node:os'
import { createAccess } from './api/access.js'
import { createLimits } from './api/limits.js'
import { Routes } from './api/routes.js'
import { Calculator } from './compute/calculator.js'
import { Dispatch } from './compute/dispatch.js'
import { Intake } from './compute/intake.js'
import { configure } from './config.js'
import { createLog } from './log.js'
import { Exchanges } from './market/exchanges.js'
import { History } from './market/history.js'
import { createLive } from './market/live.js'
import { serve } from './server/uws.js'
import { openEmbedded } from './store/embedded.js'
import { ensureFirstKey } from './store/key.js'
import { type Store, StoreFailure } from './store/store.js'
import { Hub } from './stream/hub.js'
import { Streaming } from './stream/streaming.js'

const config = configure()
const log = createLog(config.logLevel)
const seconds = () => Date.now() / 1000
/** What is closed after the last request is given so long, in seconds. */
const lastSeconds = 1
/** Whole milliseconds that never go back, unlike the time of day. */
const milliseconds = () => Math.floor(performance.now())

const store = open(config.dataDirectory)
const exchanges = new Exchanges({
  exchanges: config.exchanges,
  stocks: config.stocks,
  fetchTimeoutMs: config.fetchTimeoutMs,
})
const history = new History({
  depth: config.historyDepth,
  bytes: config.historyBytes,
  refreshSeconds: config.refreshSeconds,
  clock: seconds,
})
const live = createLive({
  history,
  formingPerSecond: config.formingPerSecond,
  lingerSeconds: config.lingerSeconds,
  pollSeconds: config.refreshSeconds,
  clock: seconds,
  onFault: (error, market) => log.warn({ err: error, market }, 'a feed failed and is being repaired'),
})
const calculator = new Calculator()
const intake = new Intake()
const dispatch = new Dispatch({
  calculator,
  intake,
  threads: config.poolThreads,
  queue: config.poolQueue,
  inlineBudgetUs: config.inlineBudgetUs,
  inlineBodyBytes: config.inlineBodyBytes,
  onFailure: error => log.error({ err: error }, 'a computation failed'),
})
const access = createAccess(store.accounts, milliseconds)
const streaming = new Streaming({
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
let stopping = false
const routes = new Routes({
  access,
  limits: createLimits(milliseconds),
  calculator,
  dispatch,
  intake,
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

const server = await serve({
  host: config.host,
  port: config.port,
  handle: head => routes.handle(head),
  streaming,
  maxBackpressure: config.streamMaxBackpressure,
  idleSeconds: config.streamIdleSeconds,
  log,
}).catch(async (error: Error) => {
  await store.close()
  return giveUp(error)
})

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
  await live.close()
  await exchanges.close()
  await dispatch.close()
  await store.close()
  process.exit(0)
}
