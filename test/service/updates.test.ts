import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue, type Entry } from '../../src/catalogue/index.js'
import { longFor } from '../support/laws/settings.js'
import { StreamingClient } from '../support/streaming-client.js'
import { startTestService, type TestService } from '../support/test-service.js'

// biome-ignore lint/suspicious/noExplicitAny: values of any indicator, as the service printed them
type Data = Record<string, any>

let service: TestService

/**
 * The values of an indicator as REST answers them, one object per candle, spelled as in updates. The replies are not held to
 * the document of the interface, as test/service/indicator.test.ts does it for each indicator.
 */
async function rest(name: string, symbol: string, window: string): Promise<Data[]> {
  const path = `/indicator/${name}?exchange=demo&symbol=${symbol}&timeframe=1m&${window}`
  const reply = await fetch(service.url + path, { headers: { authorization: 'Bearer many' } })
  const arrays = (await reply.json()) as Data
  const outputs = Object.keys(arrays).filter(key => key !== 'timestamp')
  const spelled = (output: string) => (outputs.length === 1 ? name : output)
  return (arrays.timestamp as number[]).map((timestamp, i) => ({
    ...Object.fromEntries(outputs.map(output => [spelled(output), arrays[output]?.[i]])),
    timestamp,
  }))
}

/** Indicators over one market, with a connection for each. */
class Subscribers {
  readonly received = new Map<string, Data[]>()
  readonly #clients = new Map<string, StreamingClient>()

  private constructor(readonly symbol: string) {}

  static async subscribe(
    entries: readonly Entry[],
    symbol: string,
    candleClose: boolean,
  ): Promise<Subscribers> {
    const subscribers = new Subscribers(symbol)
    for (const { name } of entries) {
      const client = await StreamingClient.connect(service.url, 'many')
      const request = { id: name, exchange: 'demo', symbol, interval: '1m', indicator: name, candleClose }
      client.send({ type: 'subscribe', ...request })
      const { subscription, data } = await client.next()
      expect(subscription).toBe(`demo:${symbol.toLowerCase()}:1m`)
      subscribers.#clients.set(name, client)
      subscribers.received.set(name, [data])
    }
    return subscribers
  }

  /** The open time of the newest candle that all clients received. */
  get newest(): number {
    const [received] = this.received.values()
    return received?.at(-1)?.timestamp
  }

  /** Lets `candles` candles close and waits until all clients have received the last one. */
  async pass(candles: number): Promise<void> {
    const closes = this.newest + 60 * candles
    service.pass(60 * candles)
    for (const [name, client] of this.#clients) {
      const own = this.received.get(name) as Data[]
      while (own.at(-1)?.timestamp < closes) own.push((await client.next()).data)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map(client => client.close()))
  }
}

const all = [...catalogue.values()]
describe.each([
  { title: 'an indicator of each kind', entries: all.filter(entry => !longFor(entry).tags), options: {} },
  { title: 'every indicator of the catalogue', entries: all, options: { tags: ['kernels'] } },
])('$title', ({ entries, options }) => {
  // A service of their own, because the history of a market begins with its first subscription.
  beforeAll(async () => {
    // The longest warm-up needs 725 candles, and 240 values are requested.
    service = await startTestService({ historyDepth: 1100 })
  })
  afterAll(() => service.close())

  it('begins with the value that REST has at that time', options, async () => {
    service.pass(25)
    const subscribers = await Subscribers.subscribe(entries, 'SOLUSDT', false)
    for (const [name, received] of subscribers.received)
      expect(received, name).toEqual(await rest(name, 'SOLUSDT', 'results=1'))
    await subscribers.close()
  })

  it(
    'sends each closed candle once and in order, as results=max has them, gaps included',
    options,
    async () => {
      const subscribers = await Subscribers.subscribe(entries, 'LTCUSDT', true)
      for (const candles of [1, 1, 30, 1, 1, 5, 1]) await subscribers.pass(candles)
      for (const [name, received] of subscribers.received) {
        const times = received.map(({ timestamp }) => timestamp)
        expect(times, name).toEqual(Array.from({ length: 41 }, (_, i) => (times[0] as number) + i * 60))
        const all = await rest(name, 'LTCUSDT', 'results=max&backtrack=1')
        // An indicator that has no value on the last candles has none in results=max, and null in its updates.
        const withValue =
          all.length === 0 ? [] : received.filter(({ timestamp }) => timestamp >= all[0]?.timestamp)
        expect(withValue, name).toEqual(all.slice(-withValue.length || all.length))
        for (const { timestamp: _, ...values } of received.slice(0, received.length - withValue.length))
          expect(new Set(Object.values(values)), `${name} before its first value`).toEqual(new Set([null]))
      }
      await subscribers.close()
    },
  )

  // It asks for every indicator five times: a slow machine takes half a minute.
  it('agrees with REST while the oldest candles are dropped', { timeout: 60_000, ...options }, async () => {
    const subscribers = await Subscribers.subscribe(entries, 'XRPUSDT', true)
    for (const candles of [1, 240, 1, 231, 1]) {
      await subscribers.pass(candles)
      for (const [name, received] of subscribers.received) {
        const expected = await rest(name, 'XRPUSDT', `results=${candles}&backtrack=1`)
        expect(received.slice(-candles), name).toEqual(expected)
      }
    }
    for (const [name, received] of subscribers.received) expect(received, name).toHaveLength(475)
    await subscribers.close()
  })
})
