import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import { divides, endOf, openOf, type Timeframe, timeframes } from '../../../../src/candles/timeframe.js'
import { createDemoSource } from '../../../../src/markets/exchanges/demo/demo-source.js'
import { ResampledSource, resample, timeframeOrigins } from '../../../../src/markets/exchanges/resample.js'
import {
  type Anomaly,
  type FetchOptions,
  type NativeSource,
  SourceFailure,
} from '../../../../src/markets/exchanges/source.js'

const names = Object.keys(timeframes) as Timeframe[]
/** A Wednesday, 26 seconds into its minute, in Unix seconds. */
const noon = Date.UTC(2025, 5, 18, 12, 34, 26) / 1000

describe('the origins of timeframes', () => {
  test('are the exchange’s own, and else the coarsest finer timeframe', () => {
    expect(timeframeOrigins(['1m', '5m', '15m', '30m', '1h', '2h', '6h', '1d'])).toEqual({
      '1m': 'native',
      '3m': '1m',
      '5m': 'native',
      '15m': 'native',
      '30m': 'native',
      '1h': 'native',
      '2h': 'native',
      '4h': '2h',
      '6h': 'native',
      '8h': '2h',
      '12h': '6h',
      '1d': 'native',
      '3d': '1d',
      '1w': '1d',
      '1M': '1d',
    })
    expect(timeframeOrigins(['1m'])).toEqual({
      '1m': 'native',
      ...Object.fromEntries(names.slice(1).map(name => [name, '1m'])),
    })
  })

  test('are undefined for the finest, which cannot be made', () => {
    expect(timeframeOrigins(['4h'])).toEqual({
      ...Object.fromEntries(names.map(name => [name, undefined])),
      '4h': 'native',
      '8h': '4h',
      '12h': '4h',
      '1d': '4h',
      '3d': '4h',
      '1w': '4h',
      '1M': '4h',
    })
    expect(Object.values(timeframeOrigins([]))).toEqual(names.map(() => undefined))
  })

  test('rely on timeframes that divide each other and whose candles open together', () => {
    for (const [finer, coarse] of pairs) {
      const open = openOf(coarse, noon)
      const end = endOf(coarse, open)
      expect([openOf(finer, open), openOf(finer, end)], `${finer} in ${coarse}`).toEqual([open, end])
    }
    const others = names.flatMap((finer, at) =>
      names
        .slice(at + 1)
        .filter(coarse => !divides(finer, coarse))
        .map(coarse => `${finer} in ${coarse}`),
    )
    expect(others).toEqual([
      '3m in 5m',
      '4h in 6h',
      '6h in 8h',
      '8h in 12h',
      '3d in 1w',
      '3d in 1M',
      '1w in 1M',
    ])
  })
})

/** Any finer candles: ascending, with gaps, anywhere in a few weeks, in prices whose sums are exact. */
const finerCandles = (finer: Timeframe) =>
  fc
    .uniqueArray(fc.nat(400), { maxLength: 120 })
    .chain(opens =>
      fc.tuple(
        fc.constant([...opens].sort((a, b) => a - b)),
        fc.array(fc.tuple(...Array.from({ length: 5 }, () => fc.integer({ min: 1, max: 1000 }))), {
          minLength: opens.length,
          maxLength: opens.length,
        }),
      ),
    )
    .map(([opens, values]) =>
      opens.map((open, at): Candle => {
        const [a, b, c, d, volume] = values[at] as [number, number, number, number, number]
        return {
          timestamp: openOf(finer, noon) + open * timeframes[finer],
          open: a,
          high: Math.max(a, b, c, d),
          low: Math.min(a, b, c, d),
          close: b,
          volume,
        }
      }),
    )

const pairs = names.flatMap((finer, at) =>
  names.slice(at + 1).flatMap(coarse => (divides(finer, coarse) ? [[finer, coarse] as const] : [])),
)

/** The definition: first open, highest high, lowest low, last close, sum of volumes of all that open in the span. */
function defined(finer: readonly Candle[], timeframe: Timeframe): Candle[] {
  const opens = [...new Set(finer.map(({ timestamp }) => openOf(timeframe, timestamp)))]
  return opens.map(timestamp => {
    const end = endOf(timeframe, timestamp)
    const parts = finer.filter(candle => candle.timestamp >= timestamp && candle.timestamp < end)
    return {
      timestamp,
      open: (parts[0] as Candle).open,
      high: Math.max(...parts.map(({ high }) => high)),
      low: Math.min(...parts.map(({ low }) => low)),
      close: (parts.at(-1) as Candle).close,
      volume: parts.reduce((sum, { volume }) => sum + volume, 0),
    }
  })
}

describe('resampling', () => {
  test('follows its definition, the forming candle included', () => {
    fc.assert(
      fc.property(
        fc
          .constantFrom(...pairs)
          .chain(([finer, coarse]) => fc.tuple(finerCandles(finer), fc.constant(coarse))),
        ([candles, coarse]) => {
          expect(resample(candles, coarse)).toEqual(defined(candles, coarse))
        },
      ),
    )
  })

  test('in two steps is the same as in one', () => {
    fc.assert(
      fc.property(finerCandles('15m'), candles => {
        expect(resample(resample(candles, '1h'), '1d')).toEqual(resample(candles, '1d'))
      }),
    )
  })
})

/** The invented markets behind an exchange that has some timeframes only. */
class Exchange implements NativeSource {
  now = noon
  calls: { timeframe: string; count: number; wanted: FetchOptions }[] = []
  readonly #demo = createDemoSource(() => this.now)

  constructor(
    readonly has: readonly string[],
    /** Seconds by which the candles of a timeframe open too late. */
    readonly late: Partial<Record<Timeframe, number>> = {},
  ) {}

  symbols() {
    return this.#demo.symbols()
  }

  async timeframes() {
    return this.has
  }

  async candles(symbol: string, timeframe: Timeframe, count: number, wanted: FetchOptions = {}) {
    this.calls.push({ timeframe, count, wanted })
    const late = this.late[timeframe] ?? 0
    return this.#demo
      .candles(symbol, timeframe, count, wanted)
      .map(candle => ({ ...candle, timestamp: candle.timestamp + late }))
  }

  truth(timeframe: Timeframe, count: number, wanted?: FetchOptions) {
    return this.#demo.candles('BTCUSDT', timeframe, count, wanted)
  }
}

describe('an exchange that lacks timeframes', () => {
  // All candles of the invented markets are cut from the same weeks, so that hours make their days exactly.
  test.each([
    ['4h', ['1h', '1d']],
    ['1w', ['1h', '1d']],
    ['1h', ['1m', '5m', '15m']],
    ['1d', ['1m', '1h']],
    ['5m', ['1m']],
    ['1w', ['4h']],
    ['3m', ['1m', '5m']],
    ['8h', ['1h', '6h']],
    ['12h', ['4h', '8h']],
    ['3d', ['1d']],
    ['1M', ['1d', '1w']],
  ] as const)('answers %s from %j, the forming candle too', async (timeframe, has) => {
    const exchange = new Exchange(has)
    const source = new ResampledSource(exchange, 'x')
    expect(await source.candles('BTCUSDT', timeframe, 20)).toEqual(exchange.truth(timeframe, 20))
    exchange.now += 7 * 3600 + 11
    expect(await source.candles('BTCUSDT', timeframe, 3)).toEqual(exchange.truth(timeframe, 3))
  })

  test('is requested for the coarsest, with one more candle for the beginning', async () => {
    const exchange = new Exchange(['1m', '1h', '1d'])
    await new ResampledSource(exchange, 'x').candles('BTCUSDT', '4h', 10, { isBackground: true })
    expect(exchange.calls).toEqual([{ timeframe: '1h', count: 44, wanted: { isBackground: true } }])
  })

  test.each(['4h', '1w', '3d', '1M'] as const)('answers what opens before a time in %s', async timeframe => {
    const exchange = new Exchange(['1h', '1d'])
    const source = new ResampledSource(exchange, 'x')
    const open = openOf(timeframe, noon) - 5 * timeframes[timeframe]
    for (const until of [open, open + 1, open + timeframes[timeframe] - 1]) {
      const candles = await source.candles('BTCUSDT', timeframe, 6, { until })
      expect(candles).toEqual(exchange.truth(timeframe, 6, { until }))
      expect(candles.at(-1)?.timestamp).toBeLessThan(until)
    }
  })

  test('fails for what is finer than all it has', async () => {
    const answer = Promise.resolve(new ResampledSource(new Exchange(['1h']), 'x').candles('BTCUSDT', '1m', 5))
    await expect(answer).rejects.toThrow(new SourceFailure('unavailable', 'Timeframe 1m is not offered by x'))
  })

  const some = (opens: readonly number[]): NativeSource => ({
    symbols: () => [],
    timeframes: async () => ['1h'],
    candles: async (_, __, count) =>
      opens
        .map(hour => ({ timestamp: hour * 3600, open: hour, high: hour, low: hour, close: hour, volume: 1 }))
        .slice(-count),
  })

  test('has no candle that lacks its beginning, and none where nothing was traded', async () => {
    const source = new ResampledSource(some([2, 3, 4, 5, 13, 14]), 'x')
    const opens = (await source.candles('X', '4h', 10)).map(({ timestamp }) => timestamp / 3600)
    expect(opens).toEqual([4, 12])
    expect(await new ResampledSource(some([4, 5]), 'x').candles('X', '4h', 10)).toHaveLength(1)
  })

  test('shows a market that is younger than one candle', async () => {
    expect(await new ResampledSource(some([6, 7]), 'x').candles('X', '4h', 10)).toEqual([
      { timestamp: 4 * 3600, open: 6, high: 7, low: 6, close: 7, volume: 2 },
    ])
  })
})

describe('an exchange whose candles open at other times', () => {
  test('has its weeks made of days when they do not open on Mondays', async () => {
    const exchange = new Exchange(['1h', '1d', '1w'], { '1w': 3 * 86_400 })
    const source = new ResampledSource(exchange, 'x')
    expect(await source.candles('BTCUSDT', '1w', 20)).toEqual(exchange.truth('1w', 20))
    await source.candles('BTCUSDT', '1w', 2)
    expect(
      exchange.calls.map(({ timeframe }) => timeframe),
      'its own weeks are not fetched again',
    ).toEqual(['1w', '1d', '1d'])
  })

  test('has days that open at 16:00 made of hours, and weeks of these', async () => {
    const exchange = new Exchange(['1h', '1d'], { '1d': -8 * 3600 })
    const source = new ResampledSource(exchange, 'x')
    expect(await source.candles('BTCUSDT', '1w', 5)).toEqual(exchange.truth('1w', 5))
    expect(await source.candles('BTCUSDT', '1d', 5)).toEqual(exchange.truth('1d', 5))
  })

  test('does not have the timeframe where there is nothing to make it of', async () => {
    const source = new ResampledSource(new Exchange(['1w'], { '1w': 86_400 }), 'x')
    await expect(source.candles('BTCUSDT', '1w', 5)).rejects.toThrow('Timeframe 1w is not offered by x')
  })

  test('loses single candles that open at other times, and they are counted', async () => {
    const anomalies: Anomaly[] = []
    const exchange = new Exchange(['1h'])
    const whole = exchange.candles.bind(exchange)
    exchange.candles = async (...call) =>
      (await whole(...call)).map((candle, at) =>
        at === 3 ? { ...candle, timestamp: candle.timestamp + 17 } : candle,
      )
    const source = new ResampledSource(exchange, 'x', anomaly => anomalies.push(anomaly))
    expect(await source.candles('BTCUSDT', '1h', 8)).toEqual(exchange.truth('1h', 8).toSpliced(3, 1))
    expect(anomalies).toEqual(['misaligned'])
  })
})

describe('watching', () => {
  /** Streams the newest candle at each of the times. */
  const streaming = (exchange: Exchange, times: readonly number[]) => {
    const watched: string[] = []
    Object.assign(exchange, {
      async *watch(symbol: string, timeframe: Timeframe) {
        watched.push(timeframe)
        for (const time of times) {
          exchange.now = time
          yield await exchange.candles(symbol, timeframe, 2)
        }
      },
    })
    return watched
  }
  const hours = Array.from({ length: 30 }, (_, k) => noon + k * 1800)

  test('a timeframe that is lacking shows it as the finer one moves', async () => {
    const exchange = new Exchange(['1h', '1d'])
    const watched = streaming(exchange, hours)
    const stream = await new ResampledSource(exchange, 'x').watch?.(
      'BTCUSDT',
      '4h',
      new AbortController().signal,
    )
    let seen = 0
    for await (const candles of stream as AsyncIterable<Candle[]>) {
      seen++
      const truth = exchange.truth('4h', candles.length)
      expect(candles).toEqual(truth)
    }
    expect(seen).toBe(hours.length)
    expect(watched).toEqual(['1h'])
  })

  test('a timeframe that it has is passed through', async () => {
    const exchange = new Exchange(['1h'])
    streaming(exchange, hours.slice(0, 3))
    const stream = await new ResampledSource(exchange, 'x').watch?.(
      'BTCUSDT',
      '1h',
      new AbortController().signal,
    )
    for await (const candles of stream as AsyncIterable<Candle[]>)
      expect(candles).toEqual(exchange.truth('1h', 2))
  })

  test('a timeframe that opens at other times ends, and the next stream is made of a finer one', async () => {
    const exchange = new Exchange(['1d', '1w'], { '1w': 3 * 86_400 })
    const watched = streaming(exchange, hours.slice(0, 3))
    const source = new ResampledSource(exchange, 'x')
    const watch = async () => {
      const all: Candle[][] = []
      const stream = await source.watch?.('BTCUSDT', '1w', new AbortController().signal)
      for await (const candles of stream as AsyncIterable<Candle[]>) all.push(candles)
      return all
    }
    await expect(watch()).rejects.toThrow(new SourceFailure('unavailable', 'x counts 1w in another way'))
    expect((await watch()).at(-1)?.at(-1)).toEqual(exchange.truth('1w', 1)[0])
    expect(watched).toEqual(['1w', '1d'])
  })

  test('is undefined where the exchange has no stream', async () => {
    const source = new ResampledSource(new Exchange(['1h']), 'x')
    expect(await source.watch?.('BTCUSDT', '4h', new AbortController().signal)).toBeUndefined()
  })
})
