import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configure } from './config/config.js'
import { createLog } from './config/log.js'
import { greetingOf } from './service/greeting.js'
import { Service, type Started } from './service/service.js'
import { shutDownOnSignals } from './service/shutdown.js'
import { StoreFailure } from './store/store.js'

const [entry = '', ...commands] = process.argv.slice(1)
if (commands.length > 0 && isThisFile(entry)) {
  const command = `node dist/cli/candela.js ${commands.join(' ')}`
  fail(new Error(`dist/main.js runs the service and takes no commands. For commands: ${command}`))
}

const config = configure()
const log = createLog(config.logLevel)
const service = create()
service.start().then(serve, fail)

function serve({ url, firstKey }: Started): void {
  shutDownOnSignals(service, config, log)
  // A rejection that a library does not catch must not end the service; the request that waits for it ends by its timeout.
  process.on('unhandledRejection', error =>
    log.error({ err: error }, 'a promise was rejected without a handler'),
  )
  console.log(greetingOf(url, firstKey))
  log.info({ url, node: process.version }, 'ready')
}

/** Whether a path is that of this module. A program that imports it has arguments of its own. */
function isThisFile(path: string): boolean {
  try {
    return realpathSync(path) === fileURLToPath(import.meta.url)
  } catch {
    return false
  }
}

function create() {
  try {
    return new Service(config, { log })
  } catch (error) {
    if (error instanceof StoreFailure) return fail(error)
    throw error
  }
}

function fail(error: Error): never {
  console.error(`candela: ${error.message}`)
  process.exit(1)
}
