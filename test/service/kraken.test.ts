import ccxt from 'ccxt'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import type { Timeframe } from '../../src/candles/timeframe.js'
import { CcxtSource } from '../../src/markets/exchanges/ccxt/ccxt-source.js'
import { ResampledSource, resample } from '../../src/markets/exchanges/resample.js'
import { SourceFailure } from '../../src/markets/exchanges/source.js'
import { type Kraken, krakenOptions, startKraken } from '../support/kraken.js'

/** A Wednesday, 26 seconds into its minute, in Unix milliseconds. */
const noon = Date.UTC(2025, 5, 18, 12, 34, 26)
let kraken: Kraken
const clients: { close(): Promise<unknown> }[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await kraken.close()
})

/** ccxt's streaming client of Kraken, connected to the loopback server. */
async function setUp() {
  const time = { now: noon }
  kraken = await startKraken({ clock: () => time.now })
  const client = new ccxt.pro.kraken({ ...krakenOptions(kraken.url), rateLimit: 1, newUpdates: false })
  clients.push(client)
  // ccxt wants this for addresses without TLS.
  await client.loadHttpProxyAgent()
  const watch = async (timeframe = '1m'): Promise<Candle[]> =>
    (await client.watchOHLCV('BTC/USD', timeframe)).map(row => {
      const [time, open, high, low, close, volume] = row as number[]
      return { timestamp: (time as number) / 1000, open, high, low, close, volume } as Candle
    })
  return { time, watch }
}

describe('the loopback Kraken', () => {
  test('streams candles as ccxt reads them: a snapshot, then the forming one as it moves and ends', async () => {
    const { time, watch } = await setUp()
    expect(await watch()).toEqual(kraken.truth('XXBTZUSD', 1, 3))
    const seen: Candle[][] = []
    for (const step of [9_000, 20_000, 30_000, 30_000]) {
      time.now += step
      const next = watch()
      kraken.tick()
      seen.push(await next)
    }
    // The last message of a tick is read after the promise of the one before it.
    const last = seen.at(-1) as Candle[]
    const truth = kraken.truth('XXBTZUSD', 1, 10)
    for (const candle of last.slice(0, -1)) expect(truth).toContainEqual(candle)
    time.now += 1000
    const seesForming = async () => {
      const next = watch()
      kraken.tick()
      expect((await next).at(-1)).toEqual(kraken.truth('XXBTZUSD', 1, 1)[0])
    }
    // Messages of the ticks before may still be on their way.
    await vi.waitFor(seesForming, { timeout: 5000 })
  })

  test('breaks its streams off on request', async () => {
    const { watch } = await setUp()
    await watch()
    expect(kraken.streams).toBe(1)
    const next = watch()
    kraken.cut()
    await expect(next).rejects.toThrow(/closed|connection/i)
  })
})

describe('the stream of a source', () => {
  const follow = async (timeframe: Timeframe) => {
    const time = { now: noon }
    kraken = await startKraken({ clock: () => time.now })
    const options = { ...krakenOptions(kraken.url), rateLimit: 1 }
    const source = new ResampledSource(new CcxtSource('kraken', { options, backoffMs: 1 }), 'kraken')
    clients.push({ close: async () => source.close?.() })
    // Candles are fetched before they are watched, as a feed does; so it is known how Kraken counts.
    await source.candles('BTCUSD', timeframe, 5)
    const stream = await source.watch?.('BTCUSD', timeframe, new AbortController().signal)
    const items = (stream as AsyncIterable<readonly Candle[]>)[Symbol.asyncIterator]()
    /** Reads items until the newest candle was emitted in its current state. */
    const emitted = async (newest: () => Candle) => {
      for (;;) {
        const { value } = await items.next()
        const last = (value as Candle[]).at(-1) as Candle
        if (JSON.stringify(last) === JSON.stringify(newest())) return value as Candle[]
      }
    }
    return { time, items, emitted }
  }

  test('emits what Kraken sends, and ends with a failure when it breaks off', async () => {
    const { time, items, emitted } = await follow('1m')
    const newest = () => kraken.truth('XXBTZUSD', 1, 1)[0] as Candle
    await emitted(newest)
    for (const step of [10_000, 30_000, 60_000]) {
      time.now += step
      kraken.tick()
      await emitted(newest)
    }
    const broken = items.next()
    kraken.cut()
    await expect(broken).rejects.toBeInstanceOf(SourceFailure)
  })

  test('emits weeks that open on Mondays, made of days', async () => {
    const { time, emitted } = await follow('1w')
    const newest = () => resample(kraken.truth('XXBTZUSD', 1440, 14), '1w').at(-1) as Candle
    await emitted(newest)
    time.now += 3_600_000
    kraken.tick()
    await emitted(newest)
  })
})
