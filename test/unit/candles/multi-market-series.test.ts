import { expect, it } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import { Columns, type Inputs, type Snapshot } from '../../../src/candles/columns.js'
import { joinCandles } from '../../../src/candles/multi-market-series.js'

const minute = 60
const candleOf = (k: number, close = k): Candle => ({
  ...{ timestamp: k * minute, open: close, high: close, low: close, close, volume: 1 },
})

/** A market whose candles are added one by one. */
function createMarket() {
  const columns = new Columns(32)
  let closed = 0
  return {
    close: (candle: Candle) => columns.write(closed++, candle),
    at: (forming?: Candle): Snapshot => ({ columns, closed, forming, count: closed + (forming ? 1 : 0) }),
  }
}

/** Candle 0 of both has closed, and behind it the other market is silent in its candle 1. */
function createPair() {
  const [own, other] = [createMarket(), createMarket()]
  for (const market of [own, other]) market.close(candleOf(0))
  const silent = candleOf(1)
  const join = (forming: Candle | undefined, otherForming: Candle | undefined) =>
    joinCandles('1m', 'other', [own.at(forming), other.at(otherForming)])
  const ended = ([, known]: Inputs) => (known?.hasEnded ? known.forming : undefined)
  return { own, other, silent, join, ended }
}

it('counts a candle as closed that its market has not closed, once the wait for it is over', () => {
  const { own, other, silent, join, ended } = createPair()
  own.close(candleOf(1))
  const held = join(candleOf(2), silent)
  expect(held[0].closed, 'candle 1 waits').toBe(1)
  expect(ended(held)).toBeUndefined()
  own.close(candleOf(2))
  const over = join(candleOf(3), silent)
  expect(over[0].closed).toBe(3)
  expect(ended(over)).toBe(silent)
  expect(over[0].forming).toEqual(candleOf(3))
  expect(over[0].columns, 'nothing that was computed is computed again').toBe(held[0].columns)

  other.close(silent)
  const closed = join(candleOf(3), candleOf(3))
  expect(closed[0].columns, 'closed with the same prices').toBe(over[0].columns)
  expect(ended(closed)).toBeUndefined()
  expect(closed[1]?.closed).toBe(2)
})

it('begins other columns where such a candle closes with other prices, changes, or is followed by one that came late', () => {
  for (const change of ['closes', 'changes', 'is another one', 'is followed']) {
    const { own, other, silent, join } = createPair()
    for (const k of [1, 2]) own.close(candleOf(k))
    const over = join(candleOf(3), silent)
    let forming = candleOf(3)
    if (change === 'closes') other.close(candleOf(1, 9))
    if (change === 'changes') forming = candleOf(1, 9)
    if (change === 'is another one') other.close({ ...silent, timestamp: 30 })
    if (change === 'is followed') for (const candle of [silent, candleOf(2)]) other.close(candle)
    expect(join(candleOf(3), forming)[0].columns, change).not.toBe(over[0].columns)
  }
})

it('keeps such a candle where older candles are joined once more', () => {
  const { own, silent, join, ended } = createPair()
  own.close(candleOf(1))
  const before = own.at(candleOf(2))
  own.close(candleOf(2))
  const over = join(candleOf(3), silent)
  const other = createMarket()
  other.close(candleOf(0))
  const late = { ...other.at(silent), columns: over[1]?.columns as Columns }
  const older = joinCandles('1m', 'other', [before, late])
  expect(older[0].columns).toBe(over[0].columns)
  expect(ended(older)).toBe(silent)
})
