import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/random.js'
import { defaultsOf } from '../../../src/catalogue/description.js'
import { averageNames, catalogue, type Entry } from '../../../src/catalogue/index.js'
import { entryOf, type PlainColumns, run, valuesOf } from '../../support/kernel.js'

const count = 400
const next = createRandom(51)
const closes = Array.from({ length: count }, (_, i) => 100 + 10 * Math.sin(i / 9) + 4 * next())
const market: PlainColumns = {
  timestamp: closes.map((_, i) => 3600 * i),
  open: closes,
  high: closes.map(close => close + 1 + next()),
  low: closes.map(close => close - 1 - next()),
  close: closes,
  volume: closes.map(() => 1 + 30 * next()),
}

const [talib, named] = [averageNames.slice(0, 9), averageNames.slice(9)]
/** Equal bits, NaN as well. */
const expectSame = (
  values: Float64Array | undefined,
  expected: readonly number[] | Float64Array | undefined,
) => expect([...(values ?? [])]).toEqual([...(expected ?? [])])

/** Whether an indicator makes sense as a kind of average. */
function isAverage({ category, inputs, outputs, params, memory, overlay }: Entry): boolean {
  const period = params.period
  return (
    category === 'Trend' &&
    overlay &&
    memory !== 'whole' &&
    inputs.join() === 'close' &&
    outputs.length === 1 &&
    period?.kind === 'integer' &&
    period.min <= 2 &&
    period.max === 500 &&
    Object.values(params).every(param => param.kind === 'integer' || param.kind === 'number')
  )
}

describe('the kinds of moving averages', () => {
  it('are all indicators with one input and one length, and the line of least squares', () => {
    // One is an average of extremes, the other SMMA by another name. Three of TA-Lib's have other periods.
    const others = ['wilders', 'midpoint']
    const expected = [...catalogue.values()].filter(isAverage).map(({ name }) => name)
    expect(new Set(averageNames)).toEqual(
      new Set([...expected.filter(name => !others.includes(name)), 'tema', 't3', 'mama', 'linearreg']),
    )
  })

  it.each(averageNames.filter(name => name !== 'mama'))('%s is the indicator of that name', name => {
    for (const period of [2, 3, 16, 33]) {
      const ma = run('ma', market, { period, maType: name })[0]
      expectSame(ma, run(name, market, { period })[0])
    }
  })

  it('mama is the one with the usual limits', () => {
    expectSame(run('ma', market, { maType: 'mama' })[0], run('mama', market)[0])
  })

  it.each(named)('%s has the lookback and the state of the indicator of that name', name => {
    const [ma, own] = [entryOf('ma'), entryOf(name)]
    for (const period of [2, 3, 16, 500]) {
      const values = { ...defaultsOf(own), period }
      const { params } = valuesOf(ma, { period, maType: name })
      expect([ma.lookback(params), ma.state(params)]).toEqual([own.lookback(values), own.state(values)])
    }
  })

  it.each(averageNames)('%s has a line that follows it from its first value on', name => {
    for (const period of [2, 5, 8, 13, 34]) {
      const [value, trend] = run('most', market, { period, maType: name })
      const first = value?.findIndex(each => !Number.isNaN(each))
      const { params } = valuesOf(entryOf('ma'), { period, maType: name })
      expect(first, `period ${period}`).toBe(entryOf('ma').lookback(params))
      expect(value?.slice(first).some(Number.isNaN)).toBe(false)
      expect(trend?.slice(first).some(Number.isNaN)).toBe(false)
    }
  })

  it('of TA-Lib mean their numbers', () => {
    talib.forEach((name, maType) => {
      expect(valuesOf(entryOf('bbands'), { maType: name }).params).toEqual(
        valuesOf(entryOf('bbands'), { maType }).params,
      )
    })
  })

  it.each(averageNames)('%s over a line that begins later begins with that line', name => {
    const fastKPeriod = 11
    const k = run('stochf', market, { fastKPeriod, fastDPeriod: 1 })[0] as Float64Array
    const start = fastKPeriod - 1
    const later = Object.fromEntries(
      Object.entries({ ...market, close: [...k] }).map(([column, values]) => [column, values.slice(start)]),
    ) as unknown as PlainColumns
    const d = run('stochf', market, { fastKPeriod, fastDPeriod: 6, fastDMAType: name })[1]
    const expected = run('ma', later, { period: 6, maType: name })[0] as Float64Array
    expectSame(d?.slice(start), expected)
    expect(expected.some(value => !Number.isNaN(value))).toBe(true)
  })

  it.each(named)('%s with a variable period takes the average of the period of each candle', name => {
    const given = { minPeriod: 3, maxPeriod: 20, maType: name }
    const values = run('mavp', market, given)[0] as Float64Array
    const lines = Array.from({ length: 21 }, (_, period) =>
      period < 3 ? undefined : run('ma', market, { period, maType: name })[0],
    )
    const lookback = entryOf('mavp').lookback(valuesOf(entryOf('mavp'), given).params)
    const expected = market.volume.map((volume, i) =>
      i < lookback ? Number.NaN : lines[Math.min(20, Math.max(3, Math.trunc(volume)))]?.[i],
    )
    expectSame(values, expected as number[])
  })
})
