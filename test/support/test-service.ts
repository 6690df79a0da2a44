import { createRateLimits } from '../../src/api/rate-limits.js'
import { Routes } from '../../src/api/routes.js'
import { BulkDispatcher } from '../../src/compute/bulk-dispatch.js'
import { Calculator } from '../../src/compute/calculator.js'
import { BodyParser } from '../../src/compute/json/body-parser.js'
import { inactiveKey, missingKey, type Refusal } from '../../src/contract/refusals.js'
import { createDemoSource } from '../../src/exchanges/demo/demo-source.js'
import type { ExchangeRegistry } from '../../src/exchanges/registry.js'
import { History } from '../../src/history/history.js'
import { createLiveMarkets } from '../../src/live/follower.js'
import { serve } from '../../src/server/uws.js'
import type { Account } from '../../src/store/store.js'
import { Hub } from '../../src/stream/hub.js'
import { SessionRegistry } from '../../src/stream/sessions.js'

/** Midnight of a Wednesday, in Unix seconds: where the clock of a house starts. */
export const midnight = 1_700_006_400

interface Wanted {
  readonly depth?: number
  readonly maxConnections?: number
  readonly maxUnauthenticated?: number
  readonly messagesPerSecond?: number
  readonly maxBackpressure?: number
  readonly idleSeconds?: number
}

const account = (id: string, subscriptions: number): Account => ({
  id,
  name: id,
  plan: 'enterprise',
  created: 0,
  requests: 1_000_000,
  constructs: 20,
  subscriptions,
})

/**
 * The service put together as in `main`, over real sockets, with the `demo` exchange and a clock that stands still until
 * a test moves it. The keys are `one`, `few` and `many`, after the subscriptions they may have.
 */
export async function openHouse(wanted: Wanted = {}) {
  let seconds = midnight
  let ahead = 0
  const clock = () => seconds
  const milliseconds = () => Math.floor(performance.now()) + ahead
  const bugs: unknown[] = []
  const onBug = (error: unknown) => bugs.push(error)

  const accounts = new Map<string, Account | Refusal>([
    ['Bearer one', account('one', 1)],
    ['Bearer few', account('few', 3)],
    ['Bearer many', account('many', 10_000)],
  ])
  const access = { authenticate: (header: string) => accounts.get(header) ?? missingKey() }
  const demo = { id: 'demo', source: createDemoSource(clock) }
  const exchanges = {
    ids: () => ['demo'],
    find: (name: string) => (name === 'demo' ? demo : undefined),
    close: () => demo.source.close(),
  } as unknown as ExchangeRegistry
  const history = new History({
    depth: wanted.depth ?? 1000,
    bytes: 2 ** 28,
    refreshSeconds: 5,
    clock,
  } as ConstructorParameters<typeof History>[0])
  const live = createLiveMarkets({ history, formingPerSecond: 50, lingerSeconds: 0, pollSeconds: 5, clock })
  const streaming = new SessionRegistry({
    hub: new Hub({ live, calculator: new Calculator(), exchanges, onBug }),
    access,
    maxConnections: wanted.maxConnections ?? 1000,
    maxUnauthenticated: wanted.maxUnauthenticated ?? 1000,
    messagesPerSecond: wanted.messagesPerSecond ?? 1000,
    clock: milliseconds,
    onBug,
  })
  const calculator = new Calculator()
  const bodyParser = new BodyParser()
  const dispatch = new BulkDispatcher({
    calculator,
    bodyParser,
    threads: 1,
    queue: 1,
    inlineBudgetUs: 1e9,
    inlineBodyBytes: 1e6,
    onFailure: onBug,
  })
  const routes = new Routes({
    access,
    limits: createRateLimits(milliseconds),
    calculator,
    dispatch,
    bodyParser,
    exchanges,
    history,
    bulkWaitSeconds: 5,
    streaming: () => ({
      connections: streaming.connections,
      subscriptions: streaming.subscriptions,
      feeds: live.feeds,
      uptime: 0,
    }),
    isReady: () => true,
  } as ConstructorParameters<typeof Routes>[0])
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    handle: head => routes.handle(head),
    streaming,
    maxBackpressure: wanted.maxBackpressure ?? 2 ** 20,
    idleSeconds: wanted.idleSeconds ?? 60,
    log: { error: (context: { err: unknown }) => onBug(context.err) } as never,
  })
  const url = `http://127.0.0.1:${server.port}`

  return {
    url,
    streaming,
    /** What ended with a bug; a test that closes its house finds it empty. */
    bugs,
    /** Lets the time of the markets pass. */
    pass(more: number) {
      seconds += more
    },
    /** Lets the time of the connections pass, in milliseconds. */
    hurry(ms: number) {
      ahead += ms
    },
    revoke(key: string) {
      accounts.set(`Bearer ${key}`, inactiveKey())
    },
    async get(path: string) {
      const response = await fetch(url + path, { headers: { authorization: 'Bearer many' } })
      return response.json()
    },
    async close() {
      streaming.close()
      await server.close(1)
      await live.close()
      await dispatch.close()
      if (bugs.length > 0) throw bugs[0]
    },
  }
}
export type House = Awaited<ReturnType<typeof openHouse>>
