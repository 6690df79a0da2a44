import { App, us_socket_local_port } from 'uWebSockets.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Candle } from '#dist/candles/candle.js'
import { Series } from '#dist/candles/series.js'
import type { Timeframe } from '#dist/candles/timeframe.js'
import { Calculator } from '#dist/compute/calculator.js'
import { createDemoSource } from '#dist/exchanges/demo/demo-source.js'
import { History } from '#dist/history/history.js'
import { createLiveMarkets, type Follower, type LiveMarkets } from '#dist/live/follower.js'
import { serve } from '#dist/server/uws.js'
import { Hub } from '#dist/stream/hub.js'
import { SessionRegistry } from '#dist/stream/sessions.js'

// The server of the streaming bench, started with an IPC channel: the hub over a market that moves when it is told, the hub
// over a live demo market, or a bare uWebSockets.js that publishes the same bytes.

export type Cue =
  /** Move the market `rounds` times, `gapMs` apart. */
  | { readonly do: 'move'; readonly rounds: number; readonly gapMs: number }
  /** The bare server publishes these texts in each round, each under its index. */
  | { readonly do: 'learn'; readonly texts: readonly string[] }
  /** What was published in the last round. */
  | { readonly do: 'recite' }
  | { readonly do: 'figures' }
export interface Moved {
  /** Processor time of all rounds, in microseconds. */
  readonly cpu: number
  /** When each round began, in nanoseconds of the system's monotonic clock. */
  readonly began: readonly string[]
}
export interface Figures {
  readonly rss: number
  readonly cpu: number
  readonly published: number
  readonly closed: number
}

const [kind = 'hub', speed = '12'] = process.argv.slice(2)
const maxBackpressure = 2 ** 20
const idleSeconds = 120

interface Stage {
  readonly port: number
  round(): void
  recite(): readonly string[]
  learn(texts: readonly string[]): void
  published: number
  closed: number
}

/** A market in memory whose forming candle moves a little in each round. */
class Puppet implements LiveMarkets {
  readonly feeds = 1
  readonly series = new Series('1m', 1000)
  readonly #followers = new Set<Follower>()
  #rounds = 0
  #forming: Candle

  constructor() {
    const candles = Array.from({ length: 1000 }, (_, i) => this.#candle(i, i))
    this.#forming = candles.at(-1) as Candle
    this.series.merge(candles, this.#forming.timestamp)
  }

  #candle(i: number, n: number): Candle {
    const close = 100 + 10 * Math.sin(n * 0.7) + 3 * Math.cos(n * 1.9)
    return { timestamp: i * 60, open: 100, high: 120, low: 80, close, volume: 1 + (n % 10) }
  }

  round(): void {
    const { timestamp } = this.#forming
    this.#forming = this.#candle(timestamp / 60, ++this.#rounds)
    this.series.amend(this.#forming)
    for (const follower of this.#followers) follower.onChange(this.series.snapshot())
  }

  async follow(_market: unknown, _source: unknown, follower: Follower) {
    this.#followers.add(follower)
    return { snapshot: () => this.series.snapshot(), release: () => this.#followers.delete(follower) }
  }

  async close() {}
}

/** The hub with everything around it as in the service. */
async function stageHub(live: LiveMarkets, source: object, round: () => void): Promise<Stage> {
  const onBug = (error: unknown) => {
    throw error
  }
  const account = { id: 'a', name: 'a', plan: 'enterprise', created: 0, requests: 1, constructs: 1 } as const
  const hub = new Hub({
    live,
    calculator: new Calculator(),
    exchanges: { find: () => ({ id: 'demo', source: source as never }) },
    onBug,
  })
  let last: string[] = []
  const stage = {
    port: 0,
    published: 0,
    closed: 0,
    round() {
      last = []
      round()
    },
    recite: () => last,
    learn() {},
  }
  const isReciting = kind === 'hub'
  const publishTo = hub.publishTo.bind(hub)
  hub.publishTo = publish =>
    publishTo((topic, text) => {
      // Not in the measured rounds: those only count.
      if (topic.endsWith('c')) stage.closed++
      else stage.published++
      if (isReciting && stage.published <= 2_000) last.push(text)
      publish(topic, text)
    })
  const streaming = new SessionRegistry({
    hub,
    access: { authenticate: () => ({ ...account, subscriptions: 1_000_000 }) },
    maxConnections: 100_000,
    maxUnauthenticated: 100_000,
    messagesPerSecond: 1_000_000,
    clock: () => Math.floor(performance.now()),
    onBug,
  })
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    handle: () => ({ status: 404, body: '{}' }),
    streaming,
    maxBackpressure,
    idleSeconds,
    log: { error: (context: { err: unknown }) => onBug(context.err) } as never,
  })
  return Object.assign(stage, { port: server.port })
}

/** Clients say under which topic they want to hear; every other message is answered by one as long. */
function stageBare(): Promise<Stage> {
  const app = App()
  let texts: readonly string[] = []
  const stage = {
    port: 0,
    published: 0,
    closed: 0,
    round() {
      for (let i = 0; i < texts.length; i++) app.publish(`${i}`, texts[i] as string)
      stage.published += texts.length
    },
    recite: () => texts,
    learn(learned: readonly string[]) {
      texts = learned
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
      resolve(Object.assign(stage, { port: us_socket_local_port(socket) }))
    }),
  )
}

async function open(): Promise<Stage> {
  if (kind === 'bare') return stageBare()
  if (kind === 'hub') {
    const puppet = new Puppet()
    return stageHub(puppet, {}, () => puppet.round())
  }
  // The market's clock runs faster, so that candles close while one looks on.
  const start = Date.now() / 1000
  const clock = () => start + (Date.now() / 1000 - start) * Number(speed)
  const demo = createDemoSource(clock)
  const source = {
    isComputed: true,
    symbols: () => demo.symbols(),
    candles: demo.candles.bind(demo),
    // More often than anybody is told.
    async *watch(symbol: string, timeframe: Timeframe, signal: AbortSignal) {
      for (; !signal.aborted; await sleep(80)) yield demo.candles(symbol, timeframe, 2)
    },
  }
  const history = new History({
    depth: 1000,
    bytes: 2 ** 28,
    refreshSeconds: 5,
    clock,
  } as ConstructorParameters<typeof History>[0])
  return stageHub(
    createLiveMarkets({ history, formingPerSecond: 4, lingerSeconds: 1, pollSeconds: 5, clock }),
    source,
    () => {},
  )
}

const stage = await open()

const spent = () => {
  const { user, system } = process.cpuUsage()
  return user + system
}

async function move(rounds: number, gapMs: number): Promise<Moved> {
  const began: string[] = []
  const before = spent()
  for (let round = 0; round < rounds; round++) {
    began.push(String(process.hrtime.bigint()))
    stage.round()
    await sleep(gapMs)
  }
  return { cpu: spent() - before, began }
}

process.on('message', async (cue: Cue) => {
  if (cue.do === 'move') process.send?.(await move(cue.rounds, cue.gapMs))
  if (cue.do === 'recite') process.send?.(stage.recite())
  if (cue.do === 'learn') {
    stage.learn(cue.texts)
    process.send?.({})
  }
  if (cue.do === 'figures') {
    globalThis.gc?.()
    const { published, closed } = stage
    process.send?.({ rss: process.memoryUsage().rss, cpu: spent(), published, closed })
  }
})
process.send?.({ port: stage.port })
