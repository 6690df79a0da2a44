import { configure } from './config.js'
import { greetingOf } from './greeting.js'
import { createLog } from './log.js'
import { createService } from './service.js'
import { shutDownOnSignals } from './shutdown.js'
import { StoreFailure } from './store/store.js'

const config = configure()
const log = createLog(config.logLevel)
const service = create()
const { url, firstKey } = await service.start().catch(fail)

shutDownOnSignals({ close: () => service.close(), seconds: config.shutdownSeconds, log })
// A rejection that a library does not catch must not end the service; the request that waits for it ends by its timeout.
process.on('unhandledRejection', error =>
  log.error({ err: error }, 'a promise was rejected without a handler'),
)
console.log(greetingOf(url, firstKey))
log.info({ url, node: process.version }, 'ready')

function create() {
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
