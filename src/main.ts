import { createAccess } from './api/access.js'
import { createLimits } from './api/limits.js'
import { Routes } from './api/routes.js'
import { Calculator } from './compute/calculator.js'
import { readConfig } from './config.js'
import { createLog } from './log.js'
import { Exchanges } from './market/exchanges.js'
import { History } from './market/history.js'
import { serve } from './server/uws.js'
import { openStore } from './store/embedded.js'
import { ensureFirstKey } from './store/keys.js'

const config = readConfig()
const log = createLog(config.logLevel)
const seconds = () => Date.now() / 1000

const store = openStore(config.dataDir)
const exchanges = new Exchanges({ exchanges: config.exchanges, fetchTimeoutMs: config.fetchTimeoutMs })
const history = new History({
  depth: config.historyDepth,
  bytes: config.historyBytes,
  refreshSeconds: config.refreshSeconds,
  clock: seconds,
})
let stopping = false
const routes = new Routes({
  access: createAccess(store.accounts, seconds),
  limits: createLimits(seconds),
  calculator: new Calculator(),
  exchanges,
  history,
  isReady: () => !stopping,
})

const server = await serve({ host: config.host, port: config.port, handle: head => routes.handle(head), log }).catch(
  async (error: Error) => {
    console.error(`candela: ${error.message}`)
    await store.close()
    process.exit(1)
  },
)

const shownHost = config.host.includes(':') ? `[${config.host}]` : config.host
const url = `http://${shownHost}:${server.port}`
console.log(`Candela listens on ${url}`)
const firstKey = await ensureFirstKey(store.accounts)
if (firstKey !== undefined) {
  console.log(`\nFirst key, shown this once: ${firstKey}\n`)
  console.log(
    `curl -H "Authorization: Bearer ${firstKey}" "${url}/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h"`,
  )
}
log.info({ url, node: process.version }, 'ready')

async function stop(signal: string): Promise<void> {
  if (stopping) return
  stopping = true
  log.info({ signal }, 'stopping')
  await server.close(config.shutdownSeconds)
  await exchanges.close()
  await store.close()
  process.exit(0)
}
process.on('SIGTERM', signal => void stop(signal))
process.on('SIGINT', signal => void stop(signal))
