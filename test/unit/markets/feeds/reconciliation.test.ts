import { beforeEach, describe, expect, it } from 'vitest'
import { Series } from '../../../../src/candles/series.js'
import { Reconciliation } from '../../../../src/markets/feeds/reconciliation.js'
import { candleAt, closedOf } from '../../../support/scripted-source.js'

const noon = 1_750_248_000
let series: Series
let reconciliation: Reconciliation
const isClosedAt = (timestamp: number) => closedOf(series.snapshot()).at(-1)?.timestamp === timestamp

beforeEach(() => {
  series = new Series('1m', 100)
  reconciliation = new Reconciliation({
    series: {
      isCurrent: false,
      depth: 1000,
      async beginAnew() {},
      snapshot: () => series.snapshot(),
      age: () => undefined,
      merge: (candles, now) => {
        series.merge(candles, now)
        return series.snapshot()
      },
      release() {},
    },
    market: { exchange: 'x', symbol: 'X', timeframe: '1m' },
    grace: 3,
  })
  series.merge([candleAt(noon - 60), candleAt(noon, 1)], noon)
})

/** Lets the reconciliation have the first event and the history after it. */
function catchUp(): void {
  expect(reconciliation.addEvent([candleAt(noon, 2)])).toBe('needs history')
  reconciliation.addHistory([candleAt(noon - 60), candleAt(noon, 2)], noon + 30)
}

describe('an event', () => {
  it('waits for the history when it is the first one, and the latest state of a candle counts', () => {
    expect(reconciliation.addEvent([candleAt(noon, 2)])).toBe('needs history')
    expect(reconciliation.addEvent([candleAt(noon, 3)])).toBe('unchanged')
    expect([reconciliation.needsHistory, reconciliation.newestPending]).toEqual([true, noon])
    expect(series.snapshot().forming).toEqual(candleAt(noon, 1))
    expect(reconciliation.addHistory([candleAt(noon - 60), candleAt(noon, 2)], noon + 30)).toBe(true)
    expect(reconciliation.needsHistory).toBe(false)
    expect(series.snapshot().forming).toEqual(candleAt(noon, 3))
  })

  it('closes the forming candle when it is the next one, and waits where it leaves a hole', () => {
    catchUp()
    expect(reconciliation.addEvent([candleAt(noon), candleAt(noon + 60, 1)])).toBe('merged')
    expect(isClosedAt(noon)).toBe(true)
    expect(reconciliation.addEvent([candleAt(noon + 180, 1)])).toBe('needs history')
    const history = [candleAt(noon + 60), candleAt(noon + 120), candleAt(noon + 180, 1)]
    reconciliation.addHistory(history, noon + 185)
    expect(isClosedAt(noon + 120)).toBe(true)
  })

  it('waits for the history before it closes a candle of which an older state was emitted', () => {
    catchUp()
    expect(reconciliation.addEvent([candleAt(noon, 1)])).toBe('unchanged')
    expect(reconciliation.addEvent([candleAt(noon + 60, 1)])).toBe('needs history')
    reconciliation.addHistory([candleAt(noon), candleAt(noon + 60, 1)], noon + 62)
    expect(closedOf(series.snapshot()).at(-1)).toEqual(candleAt(noon))
  })

  it('waits for the history before it closes a candle of which a newer state was fetched than was emitted', () => {
    catchUp()
    const next = candleAt(noon + 60, 1)
    // A fetch shows a candle of which the stream emits nothing.
    reconciliation.addHistory([candleAt(noon), next], noon + 65)
    expect(reconciliation.addEvent([candleAt(noon + 120, 1)])).toBe('needs history')
    reconciliation.addHistory([candleAt(noon + 60), candleAt(noon + 120, 1)], noon + 122)
    expect(closedOf(series.snapshot()).at(-1)).toEqual(candleAt(noon + 60))
    // A fetch shows a newer state than the stream, which emits it later.
    reconciliation.addHistory([candleAt(noon + 60), candleAt(noon + 120, 2)], noon + 150)
    expect(reconciliation.addEvent([candleAt(noon + 120), candleAt(noon + 180, 1)])).toBe('merged')
    expect(closedOf(series.snapshot()).at(-1)).toEqual(candleAt(noon + 120))
  })

  it('never changes a closed candle, which has to be verified instead', () => {
    catchUp()
    expect(reconciliation.addEvent([{ ...candleAt(noon - 60), volume: 99 }])).toBe('unchanged')
    expect(reconciliation.hasUnverified).toBe(true)
    expect(reconciliation.takeUnverified()).toBe(noon - 60)
    expect(reconciliation.hasUnverified).toBe(false)
    expect(closedOf(series.snapshot()).at(-1)).toEqual(candleAt(noon - 60))
  })

  it('needs the history again after the stream was lost', () => {
    catchUp()
    reconciliation.reset()
    expect(reconciliation.addEvent([candleAt(noon, 3)])).toBe('needs history')
  })
})

describe('the history', () => {
  it('closes its last candle only a while after the end of that candle', () => {
    reconciliation.addHistory([candleAt(noon - 60), candleAt(noon)], noon + 61)
    expect(isClosedAt(noon - 60)).toBe(true)
    reconciliation.addHistory([candleAt(noon - 60), candleAt(noon)], noon + 63)
    expect(isClosedAt(noon)).toBe(true)
  })

  it('that is behind the stream changes nothing but closed candles', () => {
    catchUp()
    reconciliation.addEvent([candleAt(noon, 3)])
    const corrected = { ...candleAt(noon - 60), volume: 99 }
    expect(reconciliation.addHistory([corrected, candleAt(noon, 2)], noon + 40)).toBe(false)
    expect(closedOf(series.snapshot()).at(-1)).toEqual(corrected)
    expect(series.snapshot().forming).toEqual(candleAt(noon, 3))
  })
})
