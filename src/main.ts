import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { StoreFailure } from './contract/storage/stores.js'
import { greetingOf } from './operate/greeting.js'
import { processesOf, Supervisor, settingsOfEach } from './operate/processes/supervisor.js'
import { WorkerProcess } from './operate/processes/worker-process.js'
import { Service, type Started } from './operate/service.js'
import { configure, readProcessPlace } from './operate/settings/config.js'
import { shutDownOnSignals } from './operate/shutdown.js'
import { createLog } from './runtime/log.js'

const [entry = '', ...commands] = process.argv.slice(1)
if (commands.length > 0 && isThisFile(entry)) {
  const command = `node dist/cli/candela.js ${commands.join(' ')}`
  fail(new Error(`dist/main.js runs the service and takes no commands. For commands: ${command}`))
}

const place = readProcessPlace()
const settings = configure()
const processes = processesOf(settings)
const isAlone = processes === 1
const config = isAlone ? settings : settingsOfEach(settings, processes)
const log = createLog(config.logLevel, isAlone ? undefined : (place?.number ?? 0))
const service = create()
// Without a file to be opened again, the signal ends the process as usual.
if (config.accessLog !== undefined) process.on('SIGHUP', () => service.reopenLogs())
if (place) service.start().then(({ url }) => ready(url), fail)
else service.start().then(serve, fail)

function serve({ url, firstKey }: Started): void {
  shutDownOnSignals(service, config, log)
  console.log(greetingOf(url, firstKey))
  ready(url)
}

function ready(url: string): void {
  // A rejection that a library does not catch must not end the service; the request that waits for it ends by its timeout.
  process.on('unhandledRejection', error =>
    log.error({ err: error }, 'a promise was rejected without a handler'),
  )
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
    const local = place
      ? new WorkerProcess(place)
      : isAlone
        ? undefined
        : new Supervisor({ config, log, processes, program: new URL(import.meta.url) })
    return new Service(config, { log, local })
  } catch (error) {
    if (error instanceof StoreFailure) return fail(error)
    throw error
  }
}

function fail(error: Error): never {
  console.error(`candela: ${error.message}`)
  process.exit(1)
}
