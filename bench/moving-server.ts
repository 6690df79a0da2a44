import { loadServe } from '#dist/http/drivers/uws.js'
import { createMovingRoutes } from './moving-market.js'

// A server of the benches of results and of growth: the routes of the service over markets whose forming candles move before
// every request. Its arguments are the numbers of candles and of markets.
const routes = createMovingRoutes(Number(process.argv[2]), Number(process.argv[3] ?? 1))
const serve = await loadServe()
const server = await serve({
  host: '127.0.0.1',
  port: 0,
  handle: request => routes.handle(request),
  streaming: { publishTo() {}, refuse() {}, open() {}, ended: 0 } as never,
  trustedProxies: 0,
  maxConnections: 20_000,
  maxConnectionsPerAddress: 20_000,
  maxUnsentBytes: 2 ** 28,
  maxBodies: { total: 2 ** 27, ofKey: 2 ** 26 },
  maxBackpressure: 2 ** 20,
  idleSeconds: 60,
  log: { info() {}, warn() {}, error: console.error },
})
console.log(server.port)
