import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Columns, rewind, type Snapshot } from '../../../src/candles/columns.js'
import { Series } from '../../../src/candles/series.js'
import { catalogue, type Entry, sources } from '../../../src/catalogue/index.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import type { Calculation } from '../../../src/compute/kernels/shape.js'

const candle = (i: number, salt: number) => {
  const open = 100 + Math.sin(i * 0.7 + salt) * 9
  const close = 100 + Math.sin(i * 1.3 + salt) * 9
  return {
    timestamp: i * 60,
    open,
    high: Math.max(open, close) + 1,
    low: Math.min(open, close) - 1,
    close,
    volume: 50 + ((i * 7 + salt) % 13),
  }
}

const entries = [...catalogue.values()]
const defaults = (entry: Entry) =>
  Object.fromEntries(Object.entries(entry.params).map(([name, param]) => [name, param.default]))

/** The outputs of a calculation, as plain lists. */
const outputs = (calculator: Calculator, calculation: Calculation, snapshot: Snapshot) =>
  calculator.calculate(calculation, [snapshot]).columns.map(column => [...column])

describe('a calculator', () => {
  it('computes the same whatever it computed before', () => {
    const used = new Calculator()
    const step = fc.record({
      entry: fc.constantFrom(...entries),
      source: fc.option(fc.constantFrom(...sources), { nil: undefined }),
      source2: fc.option(fc.constantFrom(...sources), { nil: undefined }),
      series: fc.nat(2),
      grow: fc.nat(3),
      amend: fc.boolean(),
      back: fc.nat(40),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), steps => {
        const all = [0, 1, 2].map(salt => {
          const series = new Series('1m', 5000)
          for (let i = 0; i < 150 + salt * 20; i++) series.append(candle(i, salt))
          return { series, next: 150 + salt * 20, salt }
        })
        for (const { entry, source, source2, series: which, grow, amend, back } of steps) {
          const market = all[which] as (typeof all)[number]
          for (let k = 0; k < grow; k++) market.series.append(candle(market.next++, market.salt))
          if (amend) market.series.amend(candle(market.next, market.salt + back))
          const snapshot = rewind([market.series.snapshot()], back)
          const calculation = {
            indicator: entry,
            params: defaults(entry),
            source: entry.sources > 0 ? source : undefined,
            source2: entry.sources > 1 ? source2 : undefined,
          }
          if (snapshot[0].count <= entry.lookback(calculation.params)) continue
          expect(outputs(used, calculation, snapshot[0])).toEqual(
            outputs(new Calculator(), calculation, snapshot[0]),
          )
        }
      }),
      { numRuns: 40 },
    )
  })

  it('grows with the length of the history', () => {
    const calculator = new Calculator()
    const entry = catalogue.get('bbands') as Entry
    for (const count of [100, 5_000, 60_000, 100]) {
      const columns = new Columns(count)
      for (let i = 0; i < count; i++) columns.write(i, candle(i, 0))
      const [upper] = outputs(
        calculator,
        { indicator: entry, params: defaults(entry) },
        { columns, closed: count, forming: undefined, count },
      )
      expect(upper).toHaveLength(count)
      expect(upper?.at(-1)).toBeGreaterThan(0)
    }
  })

  it('has a free number behind the last output, wherever its memory ends', () => {
    const abs = catalogue.get('abs') as Entry
    const columns = new Columns(32_768)
    const calculator = new Calculator()
    // Memory grows by pages of 8,192 numbers: one of these lengths ends exactly at the end of a page.
    const lengths = Array.from({ length: 8193 }, (_, k) => 20_000 + k)
    const calculateAll = () => {
      for (const count of lengths)
        calculator.calculate({ indicator: abs, params: {} }, [
          { columns, closed: count, forming: undefined, count },
        ])
    }
    expect(calculateAll).not.toThrow()
  })

  it('computes the mean of prices for sources such as hlc3', () => {
    const calculator = new Calculator()
    const entry = catalogue.get('max') as Entry
    const columns = new Columns(40)
    for (let i = 0; i < 40; i++) columns.write(i, candle(i, 0))
    const snapshot = { columns, closed: 40, forming: undefined, count: 40 }
    const last = (source: (typeof sources)[number]) =>
      outputs(calculator, { indicator: entry, params: { period: 2 }, source }, snapshot)[0]?.at(-1)
    const mean = (of: (c: ReturnType<typeof candle>) => number) =>
      Math.max(of(candle(38, 0)), of(candle(39, 0)))
    expect(last('open')).toBe(mean(c => c.open))
    expect(last('volume')).toBe(mean(c => c.volume))
    expect(last('hl2')).toBe(mean(c => (c.high + c.low) / 2))
    expect(last('hlc3')).toBe(mean(c => (c.high + c.low + c.close) / 3))
    expect(last('ohlc4')).toBe(mean(c => (c.open + c.high + c.low + c.close) / 4))
  })
})
