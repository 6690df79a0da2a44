import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { StreamingClient } from '../../../../src/markets/exchanges/ccxt/candle-streams.js'
import { CandleStreams } from '../../../../src/markets/exchanges/ccxt/candle-streams.js'

class BadSymbol extends Error {
  override readonly name = 'BadSymbol'
}

let streams: CandleStreams
afterEach(() => {
  vi.restoreAllMocks()
  return streams.close()
})

/** The streams of an exchange that refuses every subscription. */
function refusing(): CandleStreams {
  const client: StreamingClient = {
    has: {},
    clients: {},
    ohlcvs: {},
    watchOHLCV: async symbol => {
      throw new BadSymbol(symbol)
    },
    unWatchOHLCV: async () => {},
    close: async () => {},
  }
  return new CandleStreams({ id: 'x', create: async () => client, read: () => undefined })
}

describe('a stream that the exchange refused', () => {
  const isRefused = async (symbol: string) => {
    const stream = await streams.watch(symbol, '1m', new AbortController().signal)
    if (stream === undefined) return true
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow(`the stream of ${symbol} on x`)
    return false
  }

  test('is not requested again', async () => {
    streams = refusing()
    expect(await isRefused('A/B')).toBe(false)
    expect(await isRefused('A/B')).toBe(true)
    expect(await isRefused('C/D')).toBe(false)
  })

  test('is requested again after an hour', async () => {
    streams = refusing()
    expect(await isRefused('A/B')).toBe(false)
    // The cache reads the clock at most once in a millisecond.
    await pause(5)
    const hourAndOne = performance.now() + 3_600_001
    vi.spyOn(performance, 'now').mockReturnValue(hourAndOne)
    expect(await isRefused('A/B')).toBe(false)
  })

  test('is remembered among a bounded number of others', async () => {
    streams = refusing()
    for (let k = 0; k <= 2000; k++) await isRefused(`${k}/USD`)
    expect(await isRefused('2000/USD'), 'the latest one').toBe(true)
    expect(await isRefused('0/USD'), 'the first one is forgotten').toBe(false)
  })
})
