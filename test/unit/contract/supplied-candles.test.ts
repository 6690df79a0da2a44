import { describe, expect, it } from 'vitest'
import { columnNames, type Snapshot } from '../../../src/candles/columns.js'
import { BodyParser, readCandlesField } from '../../../src/compute/json/body-parser.js'
import { maxSuppliedCandles } from '../../../src/contract/limits.js'
import { isRefusal } from '../../../src/contract/refusals.js'
import { maxSeconds, readSuppliedCandles } from '../../../src/contract/supplied-candles.js'

const candle = { o: 1, h: 2, l: 0.5, c: 1.5, v: 10 }

it('supplied candles lie in unshared memory, which V8 counts when it decides to collect', () => {
  const parsed = new BodyParser().read(Buffer.from(JSON.stringify({ candles: [candle] })), body => [body])
  for (const snapshot of [
    readSuppliedCandles([candle]),
    readCandlesField((parsed as { candles: unknown }).candles),
  ]) {
    expect((snapshot as Snapshot).columns.buffer).toBeInstanceOf(ArrayBuffer)
  }
})

it('a candle that is nested too deeply to be quoted is refused with a sign in its place', () => {
  const depth = 100_000
  const nested: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth))
  for (const deep of [nested, [1, nested], [nested, 1]])
    expect(readSuppliedCandles([deep])).toEqual({
      status: 400,
      error: 'candles[0] must be an object with open, high, low, close and volume, got […]',
    })
  expect(readSuppliedCandles([{ ...candle, o: nested }])).toEqual({
    status: 400,
    error: 'candles[0].o must be a number, got […]',
  })
})

const long = { open: 1, high: 2, low: 0.5, close: 1.5, volume: 10 }
const timed = (timestamp: unknown) => ({ ...candle, t: timestamp })
const valuesOf = (candles: unknown) => {
  const snapshot = readSuppliedCandles(candles)
  if (isRefusal(snapshot)) throw new Error(snapshot.error)
  const { columns, count, closed, forming } = snapshot
  const rows = Array.from({ length: count }, (_, i) => columnNames.map(name => columns[name][i]))
  return { rows, count, closed, forming }
}
const whole = 'a whole number of Unix seconds'

describe('supplied candles', () => {
  it('are read in both spellings, also mixed in one candle, with unknown fields ignored', () => {
    const [first, second, third] = [
      { ...long, extra: 'x' },
      candle,
      { open: 1, h: 2, low: 0.5, c: 1.5, v: 10 },
    ]
    const row = (time: number) => [time, 1, 2, 0.5, 1.5, 10]
    expect(valuesOf([first, second, third])).toEqual({
      rows: [row(0), row(1), row(2)],
      count: 3,
      closed: 3,
      forming: undefined,
    })
  })

  it('have the times that they are given, in either spelling, from 0 to the year 5138', () => {
    const times = (candles: unknown) => valuesOf(candles).rows.map(([time]) => time)
    expect(times([timed(0), { ...long, timestamp: 60 }, timed(maxSeconds)])).toEqual([0, 60, maxSeconds])
    expect(times([timed(60), timed(61)])).toEqual([60, 61])
  })

  it('may have high equal to low, no volume and negative prices', () => {
    expect(valuesOf([{ o: -1, h: -1, l: -1, c: -1, v: 0 }]).rows).toEqual([[0, -1, -1, -1, -1, 0]])
  })

  it('may have any prices, also four of 0, as the interface has numbers without a bound', () => {
    const candles = [
      { o: 0, h: 0, l: 0, c: 0, v: 0 },
      { o: 0, h: 3, l: 1, c: 2, v: 0 },
      { o: 2, h: 3, l: -1, c: 0, v: 0 },
    ]
    const rows = [
      [0, 0, 0, 0, 0, 0],
      [1, 0, 3, 1, 2, 0],
      [2, 2, 3, -1, 0, 0],
    ]
    expect(valuesOf(candles).rows).toEqual(rows)
    const parsed = new BodyParser().read(Buffer.from(JSON.stringify({ candles })), body => [body])
    const { columns, count } = readCandlesField((parsed as { candles: unknown }).candles) as Snapshot
    expect(Array.from({ length: count }, (_, i) => columnNames.map(name => columns[name][i]))).toEqual(rows)
  })

  it('are taken up to their maximum', () => {
    expect(valuesOf(Array(maxSuppliedCandles).fill(candle)).count).toBe(maxSuppliedCandles)
  })

  it.each<[string, unknown, string]>([
    ['no array', { 0: candle, length: 1 }, 'candles must be an array of candles'],
    ['none', [], 'candles must hold at least 1 candle'],
    ['too many', Array(501).fill(candle), 'candles must hold at most 500 candles, got 501'],
    ...[null, 5, 'x', [1, 2, 3, 4, 5]].map((value): [string, unknown, string] => [
      `a candle that is ${JSON.stringify(value)}`,
      [candle, value],
      `candles[1] must be an object with open, high, low, close and volume, got ${JSON.stringify(value)}`,
    ]),
    [
      'a missing price',
      [candle, { ...candle, c: undefined, close: undefined }],
      'candles[1].close must be a number, got null',
    ],
    ['an absent price', [{ o: 1, h: 2, l: 1, v: 1 }], 'candles[0].close is missing'],
    ['a price that is null', [{ ...candle, o: null }], 'candles[0].o must be a number, got null'],
    ['a long price that is null', [{ ...long, high: null }], 'candles[0].high must be a number, got null'],
    ['a price as text', [{ ...candle, l: '1' }], 'candles[0].l must be a number, got "1"'],
    ['a long price as text', [{ ...long, low: '1' }], 'candles[0].low must be a number, got "1"'],
    [
      'a price that overflows',
      [{ ...candle, h: Number.POSITIVE_INFINITY }],
      'candles[0].h must be a number, got null',
    ],
    ['a price in both spellings', [candle, { ...candle, volume: 1 }], 'candles[1] has both volume and v'],
    ['a high below the low', [candle, { ...candle, h: 0.4 }], 'candles[1].high is below candles[1].low'],
    ['a negative volume', [{ ...candle, v: -1 }], 'candles[0].volume is negative'],
    ['a time in both spellings', [{ ...timed(1), timestamp: 1 }], 'candles[0] has both timestamp and t'],
    [
      'a time that is missing later',
      [timed(1), candle],
      'candles[1].timestamp is missing: give it on every candle or on none',
    ],
    [
      'a time that is given later',
      [candle, timed(1)],
      'candles[1].timestamp is given, but not on the candles before it: give it on every candle or on none',
    ],
    ['a time as text', [timed('1')], `candles[0].timestamp must be ${whole}, got "1"`],
    ['a time with a fraction', [timed(1.5)], `candles[0].timestamp must be ${whole}, got 1.5`],
    ['a time before 1970', [timed(-1)], `candles[0].timestamp must be ${whole}, got -1`],
    [
      'a time in milliseconds',
      [timed(maxSeconds + 1)],
      'candles[0].timestamp is 100000000001: Unix seconds are expected, this looks like milliseconds',
    ],
    ['the same time twice', [timed(1), timed(1)], 'candles[1].timestamp is not after candles[0].timestamp'],
    [
      'a time that goes back',
      [timed(1), timed(5), timed(4)],
      'candles[2].timestamp is not after candles[1].timestamp',
    ],
  ])('are refused: %s', (_, candles, error) => {
    expect(readSuppliedCandles(candles)).toEqual({ status: 400, error })
  })
})
