import { describe, expect, it } from 'vitest'
import { Columns, columnNames } from '../../src/candles/columns.js'
import type { Entry } from '../../src/catalogue/index.js'
import { Calculator } from '../../src/compute/kernels/calculator.js'
import { randomWalk } from '../support/fixture-market.js'
import { type Given, type PlainColumns, valuesOf } from '../support/kernel.js'
import { longFor } from '../support/laws/settings.js'
import { realShaped } from '../support/real-shaped-market.js'
import { detectors } from './detectors.js'
import { readFixtures } from './read-fixtures.js'

const history = 1200
const markets: Readonly<Record<string, PlainColumns>> = {
  'a random walk': randomWalk(history, 11),
  'a history shaped as a real one': realShaped(history, 12),
}
const fixtures = await readFixtures()

/** The outputs for the first `count` candles, valid until the next call. */
type Replay = (count: number) => readonly Float64Array[]

const calculator = new Calculator()

function replayOf(indicator: Entry, market: PlainColumns, given: Given = {}): Replay {
  const columns = new Columns(market.close.length)
  for (const name of columnNames) columns[name].set(market[name])
  const calculation = { indicator, ...valuesOf(indicator, given) }
  return count =>
    calculator.calculate(calculation, [{ columns, closed: count, forming: undefined, count }]).columns
}

const bytesOf = (column: Float64Array) => Buffer.from(column.buffer, column.byteOffset, column.byteLength)

/** The first reading of a prefix that the whole history rewrites. The sign of NaN, which means nothing, may differ. */
function rewritten(replay: Replay, length: number): string | undefined {
  const whole = replay(length).map(column => column.slice())
  for (let count = 1; count < length; count++) {
    for (const [k, column] of replay(count).entries()) {
      const final = (whole[k] as Float64Array).subarray(0, count)
      if (bytesOf(column).equals(bytesOf(final))) continue
      const at = column.findIndex((value, i) => !Object.is(value, final[i]))
      if (at >= 0)
        return `column ${k} at candle ${at} is ${column[at]} after ${count} candles and ${final[at]} in the end`
    }
  }
  return undefined
}

describe('no prefix of a history is rewritten', () => {
  for (const entry of detectors) {
    it(`by ${entry.name}`, longFor(entry), () => {
      for (const [name, market] of Object.entries(markets))
        expect(rewritten(replayOf(entry, market), history), name).toBeUndefined()
      for (const { id, market, params } of fixtures.filter(({ id }) => id === entry.name))
        expect(rewritten(replayOf(entry, market, params), market.close.length), id).toBeUndefined()
    })
  }

  it('except by a detector that marks a swing at its own candle', () => {
    const { high } = randomWalk(50, 3)
    const right = 2
    const marks = (count: number, delay: number) => {
      const value = new Float64Array(count)
      for (let i = right; i + right < count; i++) {
        const around = high.slice(i - right, i + right + 1)
        if (Math.max(...around) === high[i]) value[i + delay] = 100
      }
      return [value]
    }
    expect(rewritten(count => marks(count, right), high.length)).toBeUndefined()
    expect(rewritten(count => marks(count, 0), high.length)).toMatch(
      /is 0 after \d+ candles and 100 in the end/,
    )
  })
})
