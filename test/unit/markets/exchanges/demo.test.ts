import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import {
  candlesBetween,
  divides,
  endOf,
  openOf,
  type Timeframe,
  timeframes,
} from '../../../../src/candles/timeframe.js'
import { createDemoSource } from '../../../../src/markets/exchanges/demo/demo-source.js'
import { SourceFailure } from '../../../../src/markets/exchanges/source.js'

/** A Thursday afternoon in 2026, in the middle of a candle of every timeframe. */
const noon = 1_785_422_477.25
const finest = Object.keys(timeframes) as Timeframe[]
/** Each timeframe with the next shorter one that divides it. */
const pairs = finest.slice(1).map(coarse => {
  const fine = finest.findLast(name => name !== coarse && divides(name, coarse))
  return [fine as Timeframe, coarse] as const
})

/** The timeframes that the market is generated in. All others are resampled from them. */
const levels = ['1m', '5m', '15m', '1h', '4h', '1d', '1w'] as const

const demoAt = (seconds: number) => createDemoSource(() => seconds)
const symbols = demoAt(noon).symbols()

/** Consecutive candles joined to one. */
const joined = (candles: readonly Candle[]): Candle => ({
  timestamp: (candles[0] as Candle).timestamp,
  open: (candles[0] as Candle).open,
  high: Math.max(...candles.map(candle => candle.high)),
  low: Math.min(...candles.map(candle => candle.low)),
  close: (candles.at(-1) as Candle).close,
  volume: candles.reduce((sum, candle) => sum + candle.volume, 0),
})

/** Candles of a coarser timeframe, gathered from a finer one. Leaves out the first one if its start is missing. */
function gathered(candles: readonly Candle[], timeframe: Timeframe): Candle[] {
  const groups = new Map<number, Candle[]>()
  for (const candle of candles) {
    const open = openOf(timeframe, candle.timestamp)
    const group = groups.get(open)
    if (group) group.push(candle)
    else groups.set(open, [candle])
  }
  return [...groups].filter(([open, [first]]) => first?.timestamp === open).map(([, group]) => joined(group))
}

/** The candles that are wrong in themselves. */
const insane = (candles: readonly Candle[]) =>
  candles.filter(
    ({ open, high, low, close, volume }) =>
      !(low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close)) ||
      !(volume >= 0) ||
      !Number.isFinite(high + volume) ||
      (volume === 0 && high !== low),
  )

/** The candles that do not open when the candle before them ends. */
const outOfStep = (candles: readonly Candle[], timeframe: Timeframe) =>
  candles.filter(
    (candle, at) => at > 0 && candle.timestamp !== endOf(timeframe, (candles[at - 1] as Candle).timestamp),
  )

describe('candles before a time', () => {
  test.each(finest)('of %s are those of the whole that open before it', timeframe => {
    const demo = demoAt(noon)
    const all = demo.candles('ETHUSDT', timeframe, 50)
    for (const at of [10, 20, 49]) {
      const { timestamp } = all[at] as Candle
      const before = all.slice(at - 10, at)
      expect(demo.candles('ETHUSDT', timeframe, 10, { until: timestamp })).toEqual(before)
    }
    expect(demo.candles('ETHUSDT', timeframe, 5, { until: noon + 1e9 }), 'the forming one too').toEqual(
      all.slice(-5),
    )
    expect(demo.candles('ETHUSDT', timeframe, 5, { until: 1 })).toEqual([])
  })
})

describe('the list', () => {
  test('holds about twenty symbols, sorted, without slash and without duplicates', () => {
    expect(symbols.length).toBeGreaterThanOrEqual(20)
    expect(symbols).toEqual([...new Set(symbols)].sort())
    expect(symbols.filter(symbol => !/^[A-Z0-9]+$/.test(symbol))).toEqual([])
    expect(symbols).toContain('BTCUSDT')
  })

  test('every symbol has as many candles as requested, in every timeframe', () => {
    const demo = demoAt(noon)
    for (const symbol of symbols) {
      for (const timeframe of finest) {
        const candles = demo.candles(symbol, timeframe, 300)
        // The history has 138 months.
        expect(candles).toHaveLength(timeframe === '1M' ? 138 : 300)
        expect(candles.at(-1)?.timestamp).toBe(openOf(timeframe, noon))
        expect(outOfStep(candles, timeframe)).toEqual([])
        expect(insane(candles), `${symbol} ${timeframe}`).toEqual([])
      }
    }
  })

  test.each(['NOPEUSDT', 'btcusdt', 'BTC/USDT', '', 'constructor'])('%j is an unknown symbol', symbol => {
    const ask = () => demoAt(noon).candles(symbol, '1h', 1)
    expect(ask).toThrow(SourceFailure)
    expect(ask).toThrow(
      expect.objectContaining({ kind: 'unknown-symbol', message: expect.stringContaining(`"${symbol}"`) }),
    )
  })

  test('the real clock is the default', () => {
    const before = Date.now() / 1000
    const [candle] = createDemoSource().candles('BTCUSDT', '1m', 1)
    expect(candle?.timestamp).toBeGreaterThanOrEqual(openOf('1m', before))
    expect(candle?.timestamp).toBeLessThanOrEqual(Date.now() / 1000)
  })
})

describe('timeframes', () => {
  for (const symbol of ['BTCUSDT', 'DCRUSDT', 'ETHBTC', 'NEARUSDT', 'PEPEUSDT', 'USDCUSDT']) {
    test.each(pairs)(`${symbol}: %s makes %s exactly, the forming candle too`, (fine, coarse) => {
      const demo = demoAt(noon)
      const count = Math.ceil((110 * timeframes[coarse]) / timeframes[fine])
      const made = gathered(demo.candles(symbol, fine, count), coarse)
      expect(made.length).toBeGreaterThan(100)
      expect(made).toEqual(demo.candles(symbol, coarse, made.length))
    })
  }

  test('the minutes of a whole week make the week, from Monday 00:00 UTC', () => {
    const demo = demoAt(openOf('1w', noon))
    const made = gathered(demo.candles('ETHUSDT', '1m', 7 * 1440 + 1), '1w')
    expect(made).toEqual(demo.candles('ETHUSDT', '1w', 2))
    expect(new Date((made[0]?.timestamp ?? 0) * 1000).toUTCString()).toMatch(/^Mon.* 00:00:00 GMT$/)
  })

  test('a candle opens where the one before it closed', () => {
    for (const timeframe of finest) {
      const candles = demoAt(noon).candles('SOLUSDT', timeframe, 500)
      expect(candles.filter((candle, at) => at > 0 && candle.open !== candles[at - 1]?.close)).toEqual([])
    }
  })
})

describe('history', () => {
  test('two instances agree, whatever each was called with before', () => {
    const [one, other] = [demoAt(noon), demoAt(noon)]
    other.candles('XRPUSDT', '1d', 7)
    other.candles('XRPUSDT', '1m', 3)
    for (const timeframe of finest) {
      expect(one.candles('XRPUSDT', timeframe, 400)).toEqual(other.candles('XRPUSDT', timeframe, 400))
    }
  })

  test('a shorter answer is the end of a longer one', () => {
    const demo = demoAt(noon)
    const long = demo.candles('LTCUSDT', '5m', 1_000)
    for (const count of [1, 2, 3, 7, 100])
      expect(demo.candles('LTCUSDT', '5m', count)).toEqual(long.slice(-count))
    expect(demo.candles('LTCUSDT', '5m', 0)).toEqual([])
  })

  test('starts on Monday, 5 January 2015: fewer candles where more are requested', () => {
    const start = Date.UTC(2015, 0, 5) / 1000
    const weeks = demoAt(noon).candles('BTCUSDT', '1w', 1_000)
    expect(weeks).toHaveLength((openOf('1w', noon) - start) / timeframes['1w'] + 1)
    expect(weeks[0]?.timestamp).toBe(start)
    for (const timeframe of finest) {
      expect(demoAt(start).candles('BTCUSDT', timeframe, 10)).toHaveLength(timeframe === '1M' ? 0 : 1)
      expect(demoAt(start - 1).candles('BTCUSDT', timeframe, 10)).toEqual([])
    }
  })

  test('does not end, and prices stay within bounds for centuries', () => {
    const later = Date.UTC(2400, 0, 1) / 1000
    const demo = demoAt(later)
    for (const symbol of symbols) {
      const weeks = demo.candles(symbol, '1w', 30_000)
      expect(weeks).toHaveLength((openOf('1w', later) - Date.UTC(2015, 0, 5) / 1000) / timeframes['1w'] + 1)
      expect(insane(weeks)).toEqual([])
      const { high, low } = joined(weeks.map(week => ({ ...week, volume: 0 })))
      expect(high / low, symbol).toBeLessThanOrEqual(1_601)
      expect(demo.candles(symbol, '1m', 100)).toHaveLength(100)
    }
  })

  test('is the same on every machine', () => {
    const demo = demoAt(noon)
    const hash = createHash('sha256')
    for (const symbol of symbols)
      for (const timeframe of levels) hash.update(JSON.stringify(demo.candles(symbol, timeframe, 100)))
    expect(
      hash.digest('hex').slice(0, 16),
      'the invented numbers changed: intended after a change of the market, alarming otherwise',
    ).toBe('ebe1a4a50e15b6d0')
  })

  test('prices have few digits, and volumes are multiples of a power of two', () => {
    for (const symbol of symbols) {
      const candles = demoAt(noon).candles(symbol, '15m', 200)
      const prices = candles.flatMap(({ open, high, low, close }) => [open, high, low, close])
      expect(prices.filter(price => price !== Number(price.toPrecision(8)))).toEqual([])
      expect(candles.filter(({ volume }) => !Number.isSafeInteger(volume * 128))).toEqual([])
    }
  })
})

describe('the forming candle', () => {
  const hour = openOf('1h', noon)

  test.each(finest)('%s begins flat, only grows, and ends as the closed one', timeframe => {
    for (const symbol of ['ETHUSDT', 'DCRUSDT']) {
      let now = openOf(timeframe, noon)
      const open = now
      const length = timeframes[timeframe]
      const demo = createDemoSource(() => now)
      const newest = () => demo.candles(symbol, timeframe, 1)[0] as Candle
      let before = newest()
      const { open: price } = before
      expect(before).toEqual({
        timestamp: open,
        open: price,
        high: price,
        low: price,
        close: price,
        volume: 0,
      })
      const wrong: Candle[] = []
      for (let step = 1; step <= 240; step++) {
        now = step < 240 ? open + (step * length) / 240 : open + length - 0.001
        const candle = newest()
        const { high, low, volume } = candle
        const grows = high >= before.high && low <= before.low && volume >= before.volume
        if (candle.timestamp !== open || candle.open !== price || !grows) wrong.push(candle)
        wrong.push(...insane([candle]))
        before = candle
      }
      expect(wrong).toEqual([])
      now = open + length
      expect(demo.candles(symbol, timeframe, 2)[0], 'the closed candle').toEqual(before)
    }
  })

  test('moves within its minute, and not between two trades', () => {
    const seen = new Set<string>()
    for (let second = 0; second < 60; second++) {
      const text = (seconds: number) => JSON.stringify(demoAt(seconds).candles('BTCUSDT', '1m', 1))
      seen.add(text(hour + second))
      expect(text(hour + second + 0.9)).toBe(text(hour + second))
    }
    expect(seen.size).toBeGreaterThan(10)
  })

  test('a later clock leaves closed candles as they are', () => {
    for (const timeframe of finest) {
      const length = timeframes[timeframe]
      const closed = demoAt(noon).candles('ADAUSDT', timeframe, 51).slice(0, -1)
      for (const later of [1, length, 20 * length]) {
        const count = 51 + candlesBetween(timeframe, openOf(timeframe, noon), openOf(timeframe, noon + later))
        expect(
          demoAt(noon + later)
            .candles('ADAUSDT', timeframe, count)
            .slice(0, 50),
        ).toEqual(closed)
      }
    }
  })

  test('any call at any time returns valid candles that agree with the minutes', () => {
    const start = Date.UTC(2015, 0, 5) / 1000
    const second = Date.UTC(2015, 1, 1) / 1000
    fc.assert(
      fc.property(
        fc.constantFrom(...symbols),
        fc.constantFrom(...finest),
        fc.double({ min: second, max: Date.UTC(2045, 0, 1) / 1000, noNaN: true }),
        fc.integer({ min: 1, max: 60 }),
        (symbol, timeframe, now, count) => {
          const demo = demoAt(now)
          const candles = demo.candles(symbol, timeframe, count)
          const newest = openOf(timeframe, now)
          expect(candles).toHaveLength(
            Math.min(count, candlesBetween(timeframe, timeframe === '1M' ? second : start, newest) + 1),
          )
          expect(candles.at(-1)?.timestamp).toBe(newest)
          expect(outOfStep(candles, timeframe)).toEqual([])
          expect(insane(candles)).toEqual([])
          const minutes = demo.candles(symbol, '1m', (openOf('1m', now) - newest) / 60 + 1)
          expect(joined(minutes), 'the minutes of the forming candle').toEqual(candles.at(-1))
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('market profiles', () => {
  const demo = demoAt(noon)
  /** The mean range of a day as a share of its price. */
  const range = (symbol: string) => {
    const days = demo.candles(symbol, '1d', 1_000)
    return days.reduce((sum, day) => sum + (day.high - day.low) / day.close, 0) / days.length
  }
  /** Correlation of the changes of two consecutive candles, from −1 to 1. */
  const persistence = (symbol: string, timeframe: Timeframe) => {
    const candles = demo.candles(symbol, timeframe, 3_000)
    const changes = candles.map(candle => candle.close / candle.open - 1)
    const squares = changes.reduce((sum, change) => sum + change * change, 0)
    return changes.reduce((sum, change, at) => sum + change * (changes[at - 1] ?? 0), 0) / squares
  }
  const idle = (symbol: string) =>
    demo.candles(symbol, '1m', 10_000).filter(candle => candle.volume === 0).length / 10_000

  test('a stablecoin pair is nearly flat, a meme coin very volatile', () => {
    expect(range('USDCUSDT')).toBeLessThan(0.002)
    expect(range('EURUSDT')).toBeGreaterThan(range('USDCUSDT') * 3)
    expect(range('BTCUSDT')).toBeGreaterThan(range('EURUSDT') * 3)
    expect(range('PEPEUSDT')).toBeGreaterThan(range('BTCUSDT') * 3)
  })

  test('a trend persists and a mean reversion reverses, on every timeframe', () => {
    for (const timeframe of levels) {
      expect(persistence('NEARUSDT', timeframe), timeframe).toBeGreaterThan(0.03)
      expect(persistence('ETHBTC', timeframe), timeframe).toBeLessThan(-0.05)
    }
  })

  test('an illiquid market has many minutes without a trade, a liquid one hardly any', () => {
    expect(idle('DCRUSDT')).toBeGreaterThan(0.4)
    expect(idle('DCRUSDT')).toBeLessThan(0.98)
    expect(idle('ETHUSDT')).toBeLessThan(0.02)
  })

  test('a tiny price is still a price of several digits', () => {
    const [candle] = demo.candles('SHIBUSDT', '1d', 1)
    expect(candle?.close).toBeLessThan(0.0001)
    expect(candle?.close).toBeGreaterThan(0.000001)
  })
})

describe('derivatives of invented markets', () => {
  const demo = demoAt(noon)
  const times = (symbol: string, timeframe: Timeframe, count: number) =>
    demo.candles(symbol, timeframe, count).map(({ timestamp }) => timestamp)

  test('have funding in the candle within which it is settled, the same in every timeframe', () => {
    const eights = demo.candles('BTCUSDT.FUNDING', '8h', 90)
    expect(eights).toHaveLength(90)
    for (const { timestamp, open, high, low, close } of eights) {
      expect(timestamp % 28_800).toBe(0)
      expect([open, high, low], 'there is one settlement').toEqual([close, close, close])
      expect(Math.abs(close)).toBeLessThan(0.001)
    }
    expect(demo.candles('BTCUSDT.FUNDING', '1m', 90)).toEqual(eights)
    const days = gathered(eights, '1d')
    expect(demo.candles('BTCUSDT.FUNDING', '1d', 28)).toEqual(days.slice(-28))
    expect(new Set(eights.map(({ close }) => close)).size).toBeGreaterThan(80)
  })

  test('have open interest every five minutes, and prices beside each candle', () => {
    expect(times('ETHUSDT.OPENINTEREST', '1m', 3)).toEqual(
      [600, 300, 0].map(ago => Math.floor(noon / 300) * 300 - ago),
    )
    const hours = demo.candles('ETHUSDT.OPENINTEREST', '1h', 48)
    expect(
      hours.map(({ close }) => close),
      'of the last five minutes',
    ).toEqual(
      demo
        .candles('ETHUSDT.OPENINTEREST', '5m', 48 * 12)
        .filter(({ timestamp }) => (timestamp + 300) % 3600 === 0 || timestamp + 300 > noon)
        .slice(-48)
        .map(({ close }) => close),
    )
    for (const timeframe of ['5m', '1d', '1w'] as const) {
      const trades = demo.candles('ETHUSDT', timeframe, 20)
      const [mark, index] = (['MARKPRICE', 'INDEXPRICE'] as const).map(kind =>
        demo.candles(`ETHUSDT.${kind}`, timeframe, 20),
      ) as [Candle[], Candle[]]
      for (const [k, { timestamp, close }] of trades.entries()) {
        expect([mark[k]?.timestamp, index[k]?.timestamp]).toEqual([timestamp, timestamp])
        expect(Math.abs((mark[k] as Candle).close / (index[k] as Candle).close - 1)).toBeLessThan(0.0015)
        expect((mark[k] as Candle).close / close).toBeCloseTo(1, 3)
      }
    }
  })

  test('are those of perpetuals against USDT', () => {
    expect(() => demo.candles('ETHBTC.FUNDING', '1h', 1)).toThrow(
      'No funding: ETHBTC on demo is not a perpetual',
    )
    expect(() => demo.candles('NOSUCH.FUNDING', '1h', 1)).toThrow('"NOSUCH" is not a symbol')
  })
})
