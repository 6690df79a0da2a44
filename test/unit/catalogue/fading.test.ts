import { describe, expect, it } from 'vitest'
import { defaultsOf } from '../../../src/catalogue/description.js'
import { candlesToForget, settledAfter } from '../../../src/catalogue/fading.js'
import { catalogue, type Entry } from '../../../src/catalogue/index.js'

const entryOf = (name: string) => catalogue.get(name) as Entry

/** The first n at which `weight(n)` is below a hundredth of the last digit. */
function firstBelow(digits: number, weight: (n: number) => number): number {
  let n = 0
  while (weight(n) >= 10 ** -(digits + 2)) n++
  return n
}

describe('smoothings in a row', () => {
  it('one forgets as the power of what it keeps', () => {
    expect(candlesToForget([0.9], 4)).toBe(firstBelow(4, n => 0.9 ** n))
    expect(candlesToForget([0.9], 4)).toBe(Math.ceil((6 * Math.LN10) / -Math.log(0.9)))
  })

  it('two equal ones forget as the tail of a negative binomial distribution', () => {
    // More than n candles pass before the second success, whose chance is 1 − k with each candle.
    const tail = (k: number) => (n: number) => k ** n * (1 + n * (1 - k))
    // The weight after n candles is the weight of the values from n + 1 candles ago in all averages but the first.
    const found = candlesToForget([0.8, 0.8], 8) as number
    expect(Math.abs(found - firstBelow(8, tail(0.8)))).toBeLessThanOrEqual(1)
  })

  it('none has nothing to forget, and one that keeps everything never forgets', () => {
    expect(candlesToForget([], 8)).toBe(0)
    expect(candlesToForget([0.5, 1], 4)).toBeUndefined()
    expect(candlesToForget([1.01], 4)).toBeUndefined()
  })
})

describe('a value has settled', () => {
  it('after the lookback where it depends on its window', () => {
    expect(settledAfter(entryOf('sma'), { period: 50 }, 8)).toBe(49)
  })

  it("after as many candles more as Wilder's average needs", () => {
    // (13/14)^n < 10^−6 and 10^−10, after the 14 candles of the first value
    const more = (digits: number) => Math.ceil(((digits + 2) * Math.LN10) / Math.log(14 / 13))
    expect(settledAfter(entryOf('rsi'), { period: 14 }, 4)).toBe(14 + more(4))
    expect(settledAfter(entryOf('rsi'), { period: 14 }, 8)).toBe(14 + more(8))
  })

  it('never where every candle matters, where the market decides, and where a filter is not stable', () => {
    expect(settledAfter(entryOf('obv'), {}, 4)).toBeUndefined()
    const vidya = entryOf('vidya')
    expect(settledAfter(vidya, defaultsOf(vidya), 4)).toBeUndefined()
    expect(settledAfter(entryOf('hwma'), { na: 0.12, nb: 0.41, nc: 0.55 }, 4)).toBeUndefined()
  })

  it('follows the chosen kind of average', () => {
    const bands = (maType: number | string) =>
      settledAfter(entryOf('bbands'), { period: 20, stddev: 2, maType }, 4)
    expect(bands(0)).toBe(19)
    expect(bands(1)).toBe(settledAfter(entryOf('ema'), { period: 20 }, 4))
    expect(bands('naturalma'), 'it stays where a value is not positive').toBeUndefined()
  })
})
