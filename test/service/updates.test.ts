import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../../src/catalogue/index.js'
import { Listener } from '../support/streaming-client.js'
import { startTestService, type TestService } from '../support/test-service.js'

const entries = [...catalogue.values()]

// biome-ignore lint/suspicious/noExplicitAny: values of any indicator, as the service printed them
type Data = Record<string, any>

let service: TestService
beforeAll(async () => {
  service = await startTestService({ historyDepth: 900 })
})
afterAll(() => service.close())

/** The values of an indicator as REST answers them, one object per candle, spelled as in updates. */
async function rest(name: string, symbol: string, window: string): Promise<Data[]> {
  const arrays: Data = await service.get(
    `/indicator/${name}?exchange=demo&symbol=${symbol}&timeframe=1m&${window}`,
  )
  const outputs = Object.keys(arrays).filter(key => key !== 'timestamp')
  const spelled = (output: string) => (outputs.length === 1 ? name : output)
  return (arrays.timestamp as number[]).map((timestamp, i) => ({
    ...Object.fromEntries(outputs.map(output => [spelled(output), arrays[output]?.[i]])),
    timestamp,
  }))
}

/**
 * All indicators over one market, with a connection for each: an update does not say which of a market's
 * subscriptions it belongs to.
 */
class Audience {
  readonly told = new Map<string, Data[]>()
  readonly #listeners = new Map<string, Listener>()

  private constructor(readonly symbol: string) {}

  static async gather(symbol: string, candleClose: boolean): Promise<Audience> {
    const audience = new Audience(symbol)
    for (const { name } of entries) {
      const listener = await Listener.enter(service.url, 'many')
      const wish = { id: name, exchange: 'demo', symbol, interval: '1m', indicator: name, candleClose }
      listener.say({ type: 'subscribe', ...wish })
      const { subscription, data } = await listener.next()
      expect(subscription).toBe(`demo:${symbol.toLowerCase()}:1m`)
      audience.#listeners.set(name, listener)
      audience.told.set(name, [data])
    }
    return audience
  }

  /** The open time of the newest candle that everybody was told of. */
  get newest(): number {
    return this.told.get('rsi')?.at(-1)?.timestamp
  }

  /** Lets so many candles close and waits until everybody was told of the last one. */
  async pass(candles: number): Promise<void> {
    const closes = this.newest + 60 * candles
    service.pass(60 * candles)
    for (const [name, listener] of this.#listeners) {
      const own = this.told.get(name) as Data[]
      while (own.at(-1)?.timestamp < closes) own.push((await listener.next()).data)
    }
  }

  async leave(): Promise<void> {
    await Promise.all([...this.#listeners.values()].map(listener => listener.close()))
  }
}

describe('every indicator of the catalogue', () => {
  it('begins with the value that REST has at that moment', async () => {
    service.pass(25)
    const audience = await Audience.gather('SOLUSDT', false)
    for (const [name, told] of audience.told)
      expect(told, name).toEqual(await rest(name, 'SOLUSDT', 'results=1'))
    await audience.leave()
  })

  it('tells each closed candle once and in order, as results=max has them, gaps included', async () => {
    const audience = await Audience.gather('LTCUSDT', true)
    for (const candles of [1, 1, 30, 1, 1, 5, 1]) await audience.pass(candles)
    for (const [name, told] of audience.told) {
      const times = told.map(({ timestamp }) => timestamp)
      expect(times, name).toEqual(Array.from({ length: 41 }, (_, i) => (times[0] as number) + i * 60))
      const all = await rest(name, 'LTCUSDT', 'results=max&backtrack=1')
      // An indicator that has no value on the last candles has none in results=max, and null in its updates.
      const withValue = all.length === 0 ? [] : told.filter(({ timestamp }) => timestamp >= all[0]?.timestamp)
      expect(withValue, name).toEqual(all.slice(-withValue.length || all.length))
      for (const { timestamp: _, ...values } of told.slice(0, told.length - withValue.length))
        expect(new Set(Object.values(values)), `${name} before its first value`).toEqual(new Set([null]))
    }
    await audience.leave()
  })

  it('agrees with REST at each moment while the oldest candles are dropped', async () => {
    const audience = await Audience.gather('XRPUSDT', true)
    for (const candles of [1, 200, 1, 40, 1, 230, 1]) {
      await audience.pass(candles)
      for (const [name, told] of audience.told) {
        const expected = await rest(name, 'XRPUSDT', `results=${candles}&backtrack=1`)
        expect(told.slice(-candles), name).toEqual(expected)
      }
    }
    for (const [name, told] of audience.told) expect(told, name).toHaveLength(475)
    await audience.leave()
  })
})
