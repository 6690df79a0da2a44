import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candleAt, rewind, type Snapshot } from '../../../src/candles/columns.js'
import { settledAfter } from '../../../src/catalogue/fading.js'
import { catalogue } from '../../../src/catalogue/index.js'
import { answer, settledDigits, settlingOf } from '../../../src/compute/answer.js'
import { Expressions } from '../../../src/compute/expressions/expressions.js'
import { LiveCalculation } from '../../../src/compute/results/live-calculation.js'
import { ResultCache } from '../../../src/compute/results/result-cache.js'
import { type Query, readQuery } from '../../../src/contract/query.js'
import { isRefusal, type Refusal } from '../../../src/contract/refusals.js'
import { createDemoSource } from '../../../src/markets/exchanges/demo/demo-source.js'
import { calculator, entryOf, plainColumns, snapshotOf } from '../../support/kernel.js'

const hour = 3600
const newest = 1_763_683_200
const candles = createDemoSource(() => newest + 60).candles('BTCUSDT', '1h', 400)
const closed = snapshotOf(plainColumns(name => candles.map(candle => candle[name])))
/** The newest candle forms. */
const snapshot: Snapshot = { ...closed, closed: 399, forming: candleAt(closed, 399) }

type Given = Readonly<Record<string, string>>
type Values = Readonly<Record<string, readonly unknown[]>>

const read = (name: string, given: Given) => readQuery(entryOf(name), new Map(Object.entries(given)), 'text')

function queryOf(name: string, given: Given): Query {
  const query = read(name, given)
  if (isRefusal(query)) throw new Error(query.error)
  return query
}

const answerTo = (query: Query, cache?: ResultCache): Values | Refusal => {
  const text = answer(calculator, query, [snapshot], cache)
  return isRefusal(text) ? text : JSON.parse(text)
}

const settling = [...catalogue.values()].filter(({ memory }) => memory !== 'whole').map(({ name }) => name)

describe('an answer with settled digits', () => {
  it('is the answer without, but for values before the first settled candle, which are null', () => {
    const cache = new ResultCache(10_000_000)
    let partly = 0
    const window = fc.record({
      results: fc.oneof(fc.integer({ min: 1, max: 450 }).map(String), fc.constant('max')),
      backtrack: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 })).map(String),
    })
    const digits = fc.integer({ min: 1, max: 8 })
    fc.assert(
      fc.property(fc.constantFrom(...settling), window, digits, (name, given, count) => {
        const plain = queryOf(name, given)
        const query = read(name, { ...given, settled: String(count) })
        if (isRefusal(query)) {
          expect(query.error).toContain('never settles')
          return
        }
        const { indicator, params, backtrack } = plain
        // Where each value depends on its window alone, it has all digits.
        const first = indicator.memory === 'finite' ? 0 : (settledAfter(indicator, params, count) as number)
        const all = answerTo(plain)
        // From the second time on results are kept.
        for (const kept of [undefined, cache, cache]) {
          const found = answerTo(query, kept)
          if (isRefusal(all) || snapshot.count - backtrack <= first) {
            expect(found).toMatchObject({ status: 400, error: expect.stringContaining('Not enough candles') })
            continue
          }
          const begin = snapshot.count - backtrack - (all.timestamp as readonly number[]).length
          const withheld = Math.max(0, first - begin)
          if (withheld > 0) partly++
          for (const [field, values] of Object.entries(all))
            expect((found as Values)[field], `${name} ${field}`).toEqual(
              field === 'timestamp' ? values : values.map((value, k) => (k < withheld ? null : value)),
            )
        }
      }),
      { numRuns: 300 },
    )
    expect(partly, 'answers with values that are withheld').toBeGreaterThan(20)
  })

  it('withholds texts and conditions as well', () => {
    const given = { fastLength: '5', slowLength: '10', results: '400' }
    const first = settledAfter(entryOf('stc'), queryOf('stc', given).params, 4) as number
    const { trend } = answerTo(queryOf('stc', { ...given, settled: '4' })) as Values
    const { trend: all } = answerTo(queryOf('stc', given)) as Values
    const begin = 400 - (all as readonly unknown[]).length
    expect(trend?.slice(0, first - begin)).toEqual(Array(first - begin).fill(null))
    expect(trend?.slice(first - begin)).toEqual(all?.slice(first - begin))
    expect(all?.slice(0, first - begin)).toContain('bullish')
  })

  it('is refused where no value has them, with the number of candles that are needed', () => {
    const needed = 1 + (settledAfter(entryOf('ema'), { period: 200 }, 4) as number)
    const query = queryOf('ema', { period: '200', settled: '4' })
    expect(needed).toBeGreaterThan(400)
    expect(answerTo(query)).toMatchObject({
      error: `Not enough candles: ema needs ${needed} for 4 settled digits, 400 available`,
    })
    expect(answer(calculator, query, [{ ...snapshot, isFull: true }])).toMatchObject({
      error: expect.stringContaining('HISTORY_DEPTH'),
    })
  })

  it('is refused where an indicator never settles, and says why', () => {
    const ofExpression = (expression: string) =>
      new Expressions().readQuery(new Map(Object.entries({ expression, settled: '4' })), 'text', [], '1h')
    expect(read('obv', { settled: '1' })).toMatchObject({
      status: 400,
      error: 'obv never settles: every candle since the first one counts. Leave out settled',
    })
    expect(read('vidya', { settled: '1' })).toMatchObject({ error: expect.stringContaining('the market') })
    expect(ofExpression('close > 1 and ema(obv, 3) > 1')).toMatchObject({
      error: 'obv never settles: every candle since the first one counts. Leave out settled',
    })
    expect(ofExpression('rsi(14) < 30')).toMatchObject({ settled: { digits: 4 } })
    for (const settled of ['0', '9', '1.5', 'x'])
      expect(read('ema', { settled })).toMatchObject({
        error: `Invalid settled: ${settled}. Expected integer, 1 to 8`,
      })
  })
})

describe('the digits of the newest value', () => {
  it('are as many as have settled after the candles that there are', () => {
    for (const backtrack of [0, 150, 250, 380]) {
      const query = queryOf('ema', { period: '30', backtrack: String(backtrack) })
      const digits = settledDigits(query, snapshot)
      const at = 399 - backtrack
      const after = (count: number) => settledAfter(entryOf('ema'), query.params, count) as number
      if (digits > 0) expect(after(digits)).toBeLessThanOrEqual(at)
      if (digits < 8) expect(after(digits + 1)).toBeGreaterThan(at)
    }
    expect(settledDigits(queryOf('sma', {}), snapshot)).toBe(8)
    expect(settledDigits(queryOf('obv', {}), snapshot)).toBe(0)
  })

  it('are given with the time of the first settled value', () => {
    const first = settledAfter(entryOf('rsi'), { period: 14 }, 4) as number
    expect(settlingOf(queryOf('rsi', {}), snapshot)).toEqual({
      digits: 8,
      from: newest - (399 - first) * hour,
    })
    expect(settlingOf(queryOf('obv', {}), snapshot)).toEqual({ digits: 0, from: null })
  })
})

describe('a live calculation with settled digits', () => {
  it('has no update of a candle before, and all of those after', () => {
    const query = queryOf('ema', { period: '30', settled: '4' })
    const { first } = query.settled as { readonly first: number }
    const live = new LiveCalculation(calculator, query)
    const timeOf = (update: string): number => JSON.parse(update).timestamp
    const emitted: number[] = []
    const forming: (string | undefined)[] = []
    for (let count = 1; count < 400; count++) {
      const inputs = rewind([snapshot], 400 - count)
      const { closed: updates } = live.advance(inputs)
      emitted.push(...updates.map(timeOf))
      const forming1 = { forming: candleAt(closed, count), count: count + 1 }
      const preview = live.preview([{ ...inputs[0], ...forming1 }])
      forming.push(preview)
    }
    expect(emitted[0]).toBe(closed.columns.timestamp[first])
    expect(emitted).toHaveLength(399 - first)
    expect(forming.findIndex(each => each !== undefined)).toBe(first - 1)
  })
})
