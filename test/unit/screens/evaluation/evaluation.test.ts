import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/random.js'
import { Columns, type Snapshot } from '../../../../src/candles/columns.js'
import { Calculator } from '../../../../src/compute/kernels/calculator.js'
import { isRefusal } from '../../../../src/contract/refusals.js'
import { finish } from '../../../../src/runtime/scheduler.js'
import {
  candlesWithin,
  evaluate,
  maximumDrawdown,
  runTrades,
} from '../../../../src/screens/evaluation/evaluation.js'
import { compileConditions, type EvaluationRequest } from '../../../../src/screens/evaluation/request.js'
import {
  deviationOf,
  meanInterval,
  meanOf,
  medianOf,
  returnsAfter,
  shareInterval,
  signalsOf,
  statisticsOf,
  studentDeviate,
} from '../../../../src/screens/evaluation/signal-returns.js'

describe('statistics', () => {
  it('of a small sample are those computed by hand', () => {
    const sample = Float64Array.of(0.02, -0.01, 0.04, 0.01)
    expect(meanOf(sample)).toBeCloseTo(0.015, 15)
    // Squares of the distances: 0.000025, 0.000625, 0.000625, 0.000025; their sum is 0.0013.
    expect(deviationOf(sample)).toBeCloseTo(Math.sqrt(0.0013 / 3), 15)
    expect(medianOf(sample)).toBeCloseTo(0.015, 15)
    expect(medianOf(Float64Array.of(3, 1, 2))).toBe(2)
    expect(statisticsOf(sample).hitRate).toBe(0.75)
  })

  // The table of Student's distribution, two-sided 5 %: NIST/SEMATECH e-Handbook, 1.3.6.7.2.
  it.each([
    [1, 12.706],
    [2, 4.303],
    [3, 3.182],
    [4, 2.776],
    [5, 2.571],
    [9, 2.262],
    [10, 2.228],
    [20, 2.086],
    [29, 2.045],
    [30, 2.042],
    [31, 2.04],
    [40, 2.021],
    [60, 2.0],
    [100, 1.984],
  ])('with %d degrees of freedom reach to %d', (freedom, deviate) => {
    expect(studentDeviate(freedom)).toBeCloseTo(deviate, 3)
  })

  it('go over from the exact deviate to the expansion without a step', () => {
    const [before, at, after] = [29, 30, 31].map(studentDeviate) as [number, number, number]
    expect(at - after).toBeLessThan(before - at)
    expect(at - after).toBeGreaterThan((before - at) * 0.9)
  })

  it('of a share are between the roots of the equation of Wilson', () => {
    for (const [hits, count] of [
      [8, 10],
      [0, 7],
      [7, 7],
      [1, 300],
    ] as const) {
      const [low, high] = shareInterval(hits / count, count) as [number, number]
      const z = 1.959963984540054
      // A bound p is where the observed share lies z standard errors of p away from it.
      for (const bound of [low, high]) {
        const error = (hits / count - bound) ** 2 - (z ** 2 * bound * (1 - bound)) / count
        expect(Math.abs(error)).toBeLessThan(1e-12)
      }
      expect(low).toBeLessThanOrEqual(hits / count)
      expect(high).toBeGreaterThanOrEqual(hits / count)
    }
    expect(shareInterval(0.8, 10)?.map(bound => Number(bound.toFixed(3)))).toEqual([0.49, 0.943])
  })

  it('of a mean contain the true one in about 95 of 100 samples', () => {
    const random = createRandom(3)
    let inside = 0
    const samples = 4000
    for (let k = 0; k < samples; k++) {
      // Sums of twelve uniform numbers are nearly normal, with mean 6.
      const sample = Float64Array.from({ length: 6 }, () => {
        let sum = 0
        for (let i = 0; i < 12; i++) sum += random()
        return sum
      })
      const mean = meanOf(sample)
      const [low, high] = meanInterval(mean, deviationOf(sample), 6) as [number, number]
      if (low < 6 && high > 6) inside++
    }
    // Five standard errors of the share.
    expect(Math.abs(inside / samples - 0.95)).toBeLessThan(5 * Math.sqrt((0.95 * 0.05) / samples))
  })

  it('are null where there are too few', () => {
    const none = statisticsOf(new Float64Array(0))
    expect([none.count, none.mean, none.hitRateInterval]).toEqual([0, null, null])
    const one = statisticsOf(Float64Array.of(0.1))
    expect([one.mean, one.standardDeviation, one.meanInterval]).toEqual([0.1, null, null])
    expect(one.hitRateInterval?.[1]).toBe(1)
  })
})

const columnsOf = (rows: readonly (readonly [open: number, close: number])[]): Columns => {
  const columns = Columns.unshared(rows.length)
  for (const [i, [open, close]] of rows.entries())
    columns.write(i, {
      timestamp: i * 3600,
      open,
      high: Math.max(open, close),
      low: Math.min(open, close),
      close,
      volume: 1,
    })
  return columns
}

describe('returns after a signal', () => {
  it('begin at the next open and end at a close', () => {
    const columns = columnsOf([
      [10, 11],
      [20, 22],
      [30, 33],
      [40, 36],
    ])
    expect([...returnsAfter(columns, 4, Int32Array.of(0, 1), 1, 1)]).toEqual([22 / 20 - 1, 33 / 30 - 1])
    expect([...returnsAfter(columns, 4, Int32Array.of(0, 2), 2, 1)]).toEqual([33 / 20 - 1])
    expect([...returnsAfter(columns, 4, Int32Array.of(2), 1, -1)]).toEqual([-(36 / 40 - 1)])
    expect([...returnsAfter(columns, 4, Int32Array.of(3), 1, 1)]).toEqual([])
  })

  it('are those of the candles at which a condition holds that was false before', () => {
    const { NaN: none } = Number
    expect([...signalsOf(Float64Array.of(none, 1, 1, 0, 1, none, 1, 1))]).toEqual([4])
    expect([...signalsOf(Float64Array.of(1, 0, 1))]).toEqual([2])
  })
})

/** The same by going from candle to candle with a position and money, as a broker would. */
function tradeByCandle(
  columns: Columns,
  entry: readonly number[],
  exit: readonly number[],
  fee: number,
): { readonly equity: number[]; readonly returns: number[] } {
  let cash = 1
  let pieces = 0
  let before = 1
  let order: 'buy' | 'sell' | undefined
  const equity: number[] = []
  const returns: number[] = []
  for (let i = 0; i < entry.length; i++) {
    const open = columns.open[i] as number
    if (order === 'buy') {
      before = cash
      pieces = cash / (open * (1 + fee))
      cash = 0
    } else if (order === 'sell') {
      cash = pieces * open * (1 - fee)
      pieces = 0
      returns.push(cash / before - 1)
    }
    order = undefined
    const becomesTrue = entry[i] === 1 && entry[i - 1] === 0
    if (pieces > 0 && exit[i] === 1) order = 'sell'
    else if (pieces === 0 && becomesTrue) order = 'buy'
    equity.push(cash + pieces * (columns.close[i] as number))
  }
  return { equity, returns }
}

describe('trades', () => {
  it('are those of a broker who goes from candle to candle', () => {
    const random = createRandom(11)
    let ended = 0
    for (let round = 0; round < 300; round++) {
      let price = 100
      const count = 2 + Math.floor(random() * 60)
      const columns = columnsOf(
        Array.from({ length: count }, () => {
          const open = price * (0.97 + random() * 0.06)
          price = open * (0.95 + random() * 0.1)
          return [open, price] as const
        }),
      )
      const condition = (share: number) =>
        Array.from({ length: count }, (_, i) => (i < 3 ? Number.NaN : random() < share ? 1 : 0))
      const [entry, exit] = [condition(0.4), condition(0.2)]
      const fee = round % 3 === 0 ? 0 : 0.002
      const expected = tradeByCandle(columns, entry, exit, fee)
      const signals = signalsOf(Float64Array.from(entry))
      const run = runTrades(columns, count, { signals, exit: Float64Array.from(exit) }, 1, fee)
      expect(run.trades).toHaveLength(expected.returns.length)
      for (const [k, trade] of run.trades.entries())
        expect(trade.return).toBeCloseTo(expected.returns[k] as number, 12)
      for (const [i, value] of expected.equity.entries()) expect(run.equity[i]).toBeCloseTo(value, 12)
      ended += run.trades.length
    }
    expect(ended).toBeGreaterThan(500)
  })

  it('pay at both sides, and a short one gains what the price loses', () => {
    const columns = columnsOf([
      [100, 100],
      [100, 90],
      [80, 80],
    ])
    const conditions = { signals: Int32Array.of(0), exit: Float64Array.of(0, 1, 0) }
    const [long] = runTrades(columns, 3, conditions, 1, 0.01).trades
    expect(long?.return).toBeCloseTo((0.8 * 0.99) / 1.01 - 1, 15)
    const [short] = runTrades(columns, 3, conditions, -1, 0.01).trades
    // Sold for 99, bought back for 80.8: 18.2 of 100.
    expect(short?.return).toBeCloseTo(0.182, 12)
    expect([short?.entryTimestamp, short?.exitTimestamp, short?.candles]).toEqual([3600, 7200, 1])
  })

  it('that are short lose all at most', () => {
    const columns = columnsOf([
      [10, 10],
      [10, 50],
      [50, 10],
      [10, 10],
    ])
    const run = runTrades(columns, 4, { signals: Int32Array.of(0), exit: Float64Array.of(0, 1, 0, 0) }, -1, 0)
    expect(run.trades[0]?.return).toBe(-1)
    expect([...run.equity]).toEqual([1, 0, 0, 0])
  })

  it('have the largest fall that any pair of values has', () => {
    const random = createRandom(5)
    for (let round = 0; round < 200; round++) {
      const equity = Float64Array.from({ length: 1 + Math.floor(random() * 30) }, () => 0.5 + random())
      let largest = 0
      for (let i = 0; i < equity.length; i++)
        for (let k = i; k < equity.length; k++)
          largest = Math.max(largest, 1 - (equity[k] as number) / (equity[i] as number))
      const { share, from, to } = maximumDrawdown(equity)
      expect(share).toBe(largest)
      expect(1 - (equity[to] as number) / (equity[from] as number)).toBe(share)
    }
  })
})

describe('an evaluation', () => {
  const run = (request: Partial<EvaluationRequest>, snapshot: Snapshot) => {
    const whole: EvaluationRequest = {
      entry: '',
      exit: undefined,
      direction: 1,
      fee: 0,
      horizons: [1],
      range: everything,
      settled: undefined,
      ...request,
    }
    const compiled = compileConditions(whole, '1h')
    if (isRefusal(compiled)) throw new Error(compiled.error)
    const candles = candlesWithin(whole.range, [snapshot])
    if (isRefusal(candles)) return expect.fail(candles.error)
    const { columns } = new Calculator().calculate(compiled.spec, candles.inputs)
    const conditions = columns.map(column => column.slice())
    const result = finish(evaluate(compiled, whole, candles, conditions))
    return isRefusal(result) ? result.error : result
  }
  const everything = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
  const rows = Array.from({ length: 100 }, (_, i): [number, number] => [100 + (i % 10), 101 + (i % 10)])
  const columns = columnsOf(rows)

  it('leaves the forming candle out, and does not change when later candles are other ones', () => {
    const forming = { timestamp: 360_000, open: 1, high: 900, low: 1, close: 900, volume: 1 }
    const snapshot = { columns, closed: 100, forming: undefined, count: 100 }
    const request = { entry: 'close > 108', exit: 'close < 103' }
    const whole = run(request, snapshot)
    expect(run(request, { columns, closed: 100, forming, count: 101 })).toEqual(whole)
    const changed = columnsOf([...rows.slice(0, 60), ...rows.slice(60).map((): [number, number] => [7, 8])])
    const earlier = { closed: 60, forming: undefined, count: 60 }
    expect(run(request, { columns: changed, ...earlier })).toEqual(run(request, { columns, ...earlier }))
  })

  it('counts how often the entry becomes true, and says where that is rare', () => {
    const result = run(
      { entry: 'close > 108', exit: 'close < 103', horizons: [1, 5, 20] },
      { columns, closed: 100, forming: undefined, count: 100 },
    )
    if (typeof result === 'string') throw new Error(result)
    // Closes of 109 and 110, once in ten candles; the first signal is at candle 8.
    expect([result.candles, result.fired, result.trades?.count]).toEqual([100, 10, 9])
    expect(
      result.returns.map(({ after, signals, baseline }) => [after, signals.count, baseline.count]),
    ).toEqual([
      [1, 10, 99],
      [5, 9, 95],
      [20, 8, 80],
    ])
    // Bought at the open of 109, the close after five candles is that of the fourth row of the next ten: 104.
    expect(result.returns[1]?.signals.mean).toBeCloseTo(104 / 109 - 1, 15)
    expect(result.trades?.open).not.toBeNull()
    expect(result.warnings).toEqual([
      'The entry became true 10 times: fewer than 30 say little about the next ones.',
      '9 of 10 signals came within 20 candles of the previous one: such returns are not independent, so the intervals are too narrow.',
      'Only 9 trades ended: fewer than 30 say little about the next ones.',
    ])
    expect(result.equity?.timestamp).toHaveLength(100)
    expect(result.equity?.value[0]).toBe(1)
  })

  it('does not count a condition that is true at its first value, and compares with all closed candles', () => {
    // Closes from 101 to 110 and again; the mean of three is defined from the third on, where the close is above it.
    const result = run({ entry: 'close > sma(3)' }, { columns, closed: 100, forming: undefined, count: 100 })
    if (typeof result === 'string') throw new Error(result)
    // Once in ten candles the close falls: 101 and 102 are below means of 106.7 and 104.3, and 103 is above one of 102.
    expect([result.candles, result.fired]).toEqual([98, 9])
    const [{ signals, baseline } = expect.fail()] = result.returns
    expect([signals.count, baseline.count]).toEqual([9, 99])
    const all = rows.slice(1).map(([open, close]) => close / open - 1)
    expect(baseline.mean).toBeCloseTo(all.reduce((sum, each) => sum + each) / 99, 14)
  })

  it('of a time counts its signals, with what came before as warm-up, and sees nothing after it', () => {
    const random = createRandom(31)
    const length = 400
    const closes = [100]
    while (closes.length < length) closes.push((closes.at(-1) as number) * (1 + 0.04 * (random() - 0.5)))
    const walk = columnsOf(closes.map((close, i): [number, number] => [closes[i - 1] ?? close, close]))
    // The condition by hand: the close is above the mean of the last ten.
    const isAbove = closes.map((close, i) => {
      if (i < 9) return undefined
      return close > closes.slice(i - 9, i + 1).reduce((sum, each) => sum + each) / 10
    })
    for (let round = 0; round < 60; round++) {
      const [a, b] = [Math.floor(random() * length), Math.floor(random() * length)]
      const [first, last] = [Math.min(a, b), Math.max(a, b)]
      const range = {
        from: first * 3600 - Math.floor(random() * 3600),
        to: last * 3600 + Math.floor(random() * 3600),
      }
      const snapshot = { columns: walk, closed: length - 1, forming: walk.read(length - 1), count: length }
      const request = { entry: 'close > sma(10)', exit: 'close < sma(10)', horizons: [3], range }
      const result = run(request, snapshot)
      const end = Math.min(last, length - 2)
      const inRange = isAbove.slice(0, end + 1).flatMap((_, i) => (i >= first ? [i] : []))
      if (inRange.length === 0 || end < 9) {
        expect(result).toEqual(expect.any(String))
        continue
      }
      if (typeof result === 'string') throw new Error(result)
      const signals = inRange.filter(i => isAbove[i] === true && isAbove[i - 1] === false)
      const returnsOf = (candles: readonly number[]) =>
        candles.filter(i => i + 3 <= end).map(i => (closes[i + 3] as number) / (closes[i] as number) - 1)
      const [{ signals: found, baseline } = expect.fail()] = result.returns
      expect(result.fired).toBe(signals.length)
      expect(result.candles).toBe(inRange.filter(i => i >= 9).length)
      expect([found.count, baseline.count]).toEqual([returnsOf(signals).length, returnsOf(inRange).length])
      const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length
      if (found.count > 0) expect(found.mean).toBeCloseTo(mean(returnsOf(signals)), 12)
      expect(baseline.mean ?? 0).toBeCloseTo(baseline.count > 0 ? mean(returnsOf(inRange)) : 0, 12)
      expect(result.to).toBe(end * 3600)
      for (const { entryTimestamp, exitTimestamp } of result.trades?.list ?? []) {
        expect(entryTimestamp).toBeGreaterThan(first * 3600)
        expect(exitTimestamp).toBeLessThanOrEqual(end * 3600)
      }
      // Other candles after it change nothing.
      const later = { columns: walk, closed: end + 1, forming: undefined, count: end + 1 }
      expect(run(request, later)).toEqual(result)
    }
  })

  it('counts signals from the first settled candle on, unless that is turned off', () => {
    const random = createRandom(32)
    const long = columnsOf(Array.from({ length: 300 }, (): [number, number] => [100, 99 + 2 * random()]))
    const snapshot = { columns: long, closed: 300, forming: undefined, count: 300 }
    const settled = run({ entry: 'rsi(14) > 50' }, snapshot)
    const all = run({ entry: 'rsi(14) > 50', settled: 0 }, snapshot)
    if (typeof settled === 'string' || typeof all === 'string') throw new Error('refused')
    // (13/14)^187 is the first power below 10^−6: 4 digits and 2 for safety. The first value is that of candle 14.
    expect(settled.from).toBe((14 + 187) * 3600)
    expect(all.from).toBe(14 * 3600)
    expect(settled.candles).toBe(300 - 14 - 187)
    expect(settled.fired).toBeLessThan(all.fired)
    const short = { ...snapshot, closed: 150, count: 150 }
    expect(run({ entry: 'rsi(14) > 50', settled: 4 }, short)).toBe(
      'Not enough candles: expression needs 202 for 4 settled digits, 150 available',
    )
    expect(run({ entry: 'rsi(14) > 50' }, short), 'by default it is evaluated, with a warning').toMatchObject(
      {
        from: 14 * 3600,
        warnings: expect.arrayContaining([
          '4 digits have settled after 202 candles, and the history has 150: signals may depend on the start of the history.',
        ]),
      },
    )
  })

  it('counts a condition that never settles from its first value on, and says so', () => {
    const result = run({ entry: 'obv > 0' }, { columns, closed: 100, forming: undefined, count: 100 })
    expect(result).toMatchObject({
      candles: 100,
      warnings: expect.arrayContaining([
        'The entry never settles, because of obv: its signals depend on the start of the history.',
      ]),
    })
  })

  it('has no trades without an exit, and says where the entry never became true', () => {
    const result = run({ entry: 'close > 1000' }, { columns, closed: 100, forming: undefined, count: 100 })
    expect(result).toMatchObject({ fired: 0, warnings: ['The entry never became true.'] })
    expect(result).not.toHaveProperty('trades')
  })

  it('is refused where the history is too short', () => {
    expect(run({ entry: 'close > sma(200)' }, { columns, closed: 100, forming: undefined, count: 100 })).toBe(
      'Not enough candles: expression needs 200, 100 available',
    )
  })

  it('gives a long curve with fewer points, the last one included', () => {
    const long = columnsOf(
      Array.from({ length: 2500 }, (_, i): [number, number] => [100 + (i % 7), 100 + (i % 5)]),
    )
    const result = run(
      { entry: 'close > 103', exit: 'close < 101' },
      { columns: long, closed: 2500, forming: undefined, count: 2500 },
    )
    if (typeof result === 'string') throw new Error(result)
    expect(result.equity?.value.length).toBeLessThanOrEqual(1000)
    expect(result.equity?.timestamp.at(-1)).toBe(2499 * 3600)
    expect(result.equity?.value.at(-1)).toBeCloseTo(1 + (result.trades?.totalReturn ?? 0), 12)
  })
})
