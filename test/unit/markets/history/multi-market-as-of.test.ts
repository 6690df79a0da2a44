import { expect, it } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import type { Inputs, Snapshot } from '../../../../src/candles/columns.js'
import { joinCandles } from '../../../../src/candles/multi-market-series.js'
import { type CompiledExpression, compileExpression } from '../../../../src/compute/expressions/compile.js'
import { snapshotAsOf } from '../../../../src/markets/history/as-of.js'
import { knownAsOf } from '../../../../src/markets/history/multi-market-reading.js'
import { snapshotOf } from '../../../support/expressions/random-candles.js'
import { newestValues } from '../../../support/expressions/values.js'
import { flatCandle } from '../../../support/flat-candle.js'
import { calculator } from '../../../support/kernel.js'

const market = { exchange: 'x', symbol: 'ETHUSDT', timeframe: '1m' } as const
const other = { ...market, symbol: 'BTCUSDT' }
const candlesOf = (closes: readonly number[]) => closes.map((close, k) => flatCandle(k, close))

/** Original values of corrected closed candles, per symbol; undefined if they are unknown. */
type Before = Readonly<Record<string, ReadonlyMap<number, Candle> | undefined>>

const asOf = (before: Before) => ({
  asOf: ({ symbol }: { readonly symbol: string }, snapshot: Snapshot, time: number) =>
    snapshotAsOf(snapshot, '1m', time, before[symbol] ?? Number.POSITIVE_INFINITY),
})

const valuesOf = (inputs: Inputs) => {
  const compiled = compileExpression('close / close{BTCUSDT}', { timeframe: '1m' }) as CompiledExpression
  return [...(newestValues(calculator, compiled, inputs, inputs[0].count)[0] as Float64Array)]
}

it('candles of several markets are as each of them was known', () => {
  const own = snapshotOf(candlesOf([10, 20, 30, 40]))
  const now = joinCandles('1m', 'others', [own, snapshotOf(candlesOf([2, 4, 5, 8]))])
  expect(valuesOf(now)).toEqual([5, 5, 6, 5])
  const before = { ETHUSDT: new Map([[60, flatCandle(1, 24)]]), BTCUSDT: new Map([[120, flatCandle(2, 10)]]) }
  const known = knownAsOf(asOf(before), [market, other], now, 3 * 60) as Inputs
  expect(valuesOf(known)).toEqual([5, 6, 3])
  const unknown = knownAsOf(asOf({ ...before, BTCUSDT: undefined }), [market, other], now, 3 * 60)
  expect(unknown).toMatchObject({ status: 400, error: expect.stringContaining('CORRECTIONS_DAYS') })
})

it('have the last candle of a silent market from its end on', () => {
  const now = joinCandles('1m', 'others', [
    snapshotOf(candlesOf([10, 20, 30])),
    snapshotOf(candlesOf([2, 4]), true),
  ])
  expect(valuesOf(now)).toEqual([5, 5, 7.5])
  const none = { ETHUSDT: new Map(), BTCUSDT: new Map() }
  const knownAt = (minute: number) =>
    valuesOf(knownAsOf(asOf(none), [market, other], now, minute * 60) as Inputs)
  expect([knownAt(3), knownAt(1)]).toEqual([[5, 5, 7.5], [5]])
})
