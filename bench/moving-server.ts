import { serve } from '#dist/server/uws.js'
import { createMovingRoutes } from './moving-market.js'

// A server of the bench of results: the routes of the service over one market with so many candles, whose forming candle
// moves before every request.
const routes = createMovingRoutes(Number(process.argv[2]))
const server = await serve({
  host: '127.0.0.1',
  port: 0,
  handle: head => routes.handle(head),
  streaming: { publishTo() {}, refuse() {}, open() {}, ended: 0 } as never,
  trustedProxies: 0,
  maxConnections: 1_000,
  maxConnectionsPerAddress: 1_000,
  maxUnsentBytes: 2 ** 28,
  maxBackpressure: 2 ** 20,
  idleSeconds: 60,
  log: { info() {}, warn() {}, error: console.error },
})
console.log(server.port)
