import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Timeframe } from '#dist/candles/timeframe.js'
import { createDemoSource } from '#dist/markets/exchanges/demo/demo-source.js'
import type { Source } from '#dist/markets/exchanges/source.js'
import { Service, type ServiceParts } from '#dist/operate/service.js'
import { readConfig } from '#dist/operate/settings/config.js'
import { ScriptedMarket } from './scripted-market.js'

// The server of the streaming benches, started with an IPC channel: the service over a market that moves on request
// (`scripted` on uWebSockets.js, `scripted-node` on node:http and ws), the service over the demo market (`demo`, with the
// speed of its clock), or a bare uWebSockets.js server that publishes the same texts (`bare`).

export type ServerMessage =
  /** Move the market `rounds` times, `gapMs` apart. */
  | { readonly command: 'move'; readonly rounds: number; readonly gapMs: number }
  /** Texts published in the last round. */
  | { readonly command: 'get-texts' }
  /** Texts that the bare server publishes in each round: each to the topic of its index. */
  | { readonly command: 'set-texts'; readonly texts: readonly string[] }
  | { readonly command: 'usage' }
export interface Moved {
  /** Processor time of all rounds, in microseconds. */
  readonly cpu: number
  /** Start of each round, in nanoseconds of the system's monotonic clock. */
  readonly began: readonly string[]
}
export interface Usage {
  /** Bytes. */
  readonly rss: number
  /** Processor time since the start, in microseconds. */
  readonly cpu: number
  /** Updates published so far: all of them, and those of closed candles. */
  readonly published: number
  readonly closed: number
}
export type ServerKind = 'scripted' | 'scripted-node' | 'demo' | 'bare'

interface StreamingServer {
  readonly port: number
  readonly counts: { published: number; closed: number }
  /** Texts published in one round. */
  texts: readonly string[]
  move(): void
}

const maxBackpressure = 2 ** 20
const idleSeconds = 120
/** Maximum number of updates up to which texts of the last round are recorded; it is reached before the measured rounds. */
const recordedUpdates = 2_000

/** The service with limits that no bench reaches. */
async function startService(
  parts: Pick<ServiceParts, 'clock' | 'feeds'> & { readonly source: Source },
  move: () => void,
  transport: 'auto' | 'node' = 'auto',
): Promise<StreamingServer> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'candela-bench-'))
  process.on('exit', () => rmSync(dataDirectory, { recursive: true, force: true }))
  const { source, ...others } = parts
  const account = { id: 'a', name: 'a', plan: 'enterprise', created: 0, requests: 1, constructs: 1 } as const
  const service = new Service(
    {
      ...readConfig({}),
      dataDirectory,
      port: 0,
      transport,
      poolThreads: 1,
      maxConnections: 15_000,
      maxConnectionsPerAddress: 20_000,
      maxConnectionsPerKey: 100_000,
      streamMaxConnections: 100_000,
      streamMaxUnauthenticated: 100_000,
      streamMessagesPerSecond: 1_000_000,
      streamMaxBackpressure: maxBackpressure,
      streamIdleSeconds: idleSeconds,
    },
    {
      ...others,
      log: {
        info() {},
        warn() {},
        error(context, message) {
          throw new Error(message, { cause: context })
        },
      },
      access: { recall: () => undefined, authenticate: () => ({ ...account, subscriptions: 1_000_000 }) },
      exchanges: { ids: () => ['demo'], find: () => ({ id: 'demo', source }), async close() {} },
      tuning: { lingerSeconds: 1, maxUnauthenticatedPerAddress: 100_000 },
    },
  )
  const texts: string[] = []
  const counts = { published: 0, closed: 0 }
  const { sessions } = service
  const publishTo = sessions.publishTo.bind(sessions)
  sessions.publishTo = publish =>
    publishTo((topic, text) => {
      if (topic.endsWith('c')) counts.closed++
      else counts.published++
      if (counts.published <= recordedUpdates) texts.push(text)
      publish(topic, text)
    })
  const { port } = await service.start()
  return {
    port,
    counts,
    texts,
    move() {
      texts.length = 0
      move()
    },
  }
}

function startScripted(transport: 'auto' | 'node'): Promise<StreamingServer> {
  const market = new ScriptedMarket()
  const source = createDemoSource(() => Date.now() / 1000)
  return startService({ feeds: market, source }, () => market.move(), transport)
}

/** The clock of the market runs `speed` times as fast as the real one, so that candles close during the bench. */
function startDemo(speed: number): Promise<StreamingServer> {
  const start = Date.now() / 1000
  const clock = () => start + (Date.now() / 1000 - start) * speed
  const demo = createDemoSource(clock)
  const source: Source = {
    isComputed: true,
    symbols: () => demo.symbols(),
    candles: (...query) => demo.candles(...query),
    // More often than updates are published.
    async *watch(symbol: string, timeframe: Timeframe, signal: AbortSignal) {
      for (; !signal.aborted; await sleep(80)) yield demo.candles(symbol, timeframe, 2)
    },
  }
  return startService({ source, clock }, () => {})
}

/** Its clients send the topic they subscribe to; every message is echoed. */
async function startBare(): Promise<StreamingServer> {
  const { App, us_socket_local_port } = await import('uWebSockets.js')
  const app = App()
  const server = {
    counts: { published: 0, closed: 0 },
    texts: [] as readonly string[],
    move() {
      for (const [i, text] of server.texts.entries()) app.publish(`${i}`, text)
      server.counts.published += server.texts.length
    },
  }
  app.ws('/streaming', {
    maxBackpressure,
    idleTimeout: idleSeconds,
    sendPingsAutomatically: true,
    message(socket, message) {
      const text = Buffer.from(message).toString()
      if (/^\d+$/.test(text)) socket.subscribe(text)
      socket.send(text)
    },
  })
  return new Promise(resolve =>
    app.listen('127.0.0.1', 0, socket => {
      if (!socket) throw new Error('cannot listen on loopback')
      resolve(Object.assign(server, { port: us_socket_local_port(socket) }))
    }),
  )
}

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

async function move(server: StreamingServer, rounds: number, gapMs: number): Promise<Moved> {
  const began: string[] = []
  const before = cpuMicroseconds()
  for (let round = 0; round < rounds; round++) {
    began.push(String(process.hrtime.bigint()))
    server.move()
    await sleep(gapMs)
  }
  return { cpu: cpuMicroseconds() - before, began }
}

async function execute(server: StreamingServer, message: ServerMessage): Promise<object> {
  switch (message.command) {
    case 'move':
      return move(server, message.rounds, message.gapMs)
    case 'get-texts':
      return server.texts
    case 'set-texts':
      server.texts = message.texts
      return {}
    case 'usage':
      globalThis.gc?.()
      return { rss: process.memoryUsage().rss, cpu: cpuMicroseconds(), ...server.counts } satisfies Usage
  }
}

// The bench ends this process by a signal; only an ordinary exit removes the data directory.
process.on('SIGTERM', () => process.exit()).on('disconnect', () => process.exit())
const [kind, speed] = process.argv.slice(2)
const start = {
  scripted: () => startScripted('auto'),
  'scripted-node': () => startScripted('node'),
  demo: () => startDemo(Number(speed)),
  bare: startBare,
}
const server = await start[kind as ServerKind]()
process.on('message', async (message: ServerMessage) => process.send?.(await execute(server, message)))
process.send?.({ port: server.port })
