import { constants } from 'node:os'
import { configure } from './config.js'
import { createLog } from './log.js'
import { createService } from './service.js'
import { StoreFailure } from './store/store.js'

/** What is closed after the last request may take so long, in milliseconds. */
const closeGraceMs = 1000

const config = configure()
const log = createLog(config.logLevel)
const service = tryCreate()
const { url, firstKey } = await service.start().catch(fail)

let isStopping = false
process.on('SIGTERM', stop).on('SIGINT', stop)
// A promise that a library forgot must not end the service; the request that waited for it ends by its timeout.
process.on('unhandledRejection', error =>
  log.error({ err: error }, 'a promise was rejected without a handler'),
)

console.log(`Candela listens on ${url}`)
if (firstKey) {
  const query = 'exchange=demo&symbol=BTCUSDT&timeframe=1h'
  console.log(`\nFirst key, shown this once: ${firstKey}\n`)
  console.log(`curl -H "Authorization: Bearer ${firstKey}" "${url}/indicator/rsi?${query}"`)
}
log.info({ url, node: process.version }, 'ready')

/** Ends the service in order; a second signal ends it at once. */
function stop(signal: NodeJS.Signals): void {
  if (isStopping) process.exit(128 + constants.signals[signal])
  isStopping = true
  log.info({ signal }, 'stopping')
  setTimeout(
    () => {
      log.error({ signal }, 'the service could not be stopped in order')
      process.exit(1)
    },
    config.shutdownSeconds * 1000 + closeGraceMs,
  ).unref()
  void service.close().then(() => process.exit(0))
}

function tryCreate() {
  try {
    return createService(config, { log })
  } catch (error) {
    if (error instanceof StoreFailure) return fail(error)
    throw error
  }
}

function fail(error: Error): never {
  console.error(`candela: ${error.message}`)
  process.exit(1)
}
