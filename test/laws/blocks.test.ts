import { describe, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { Columns, type Snapshot } from '../../src/candles/columns.js'
import { catalogue, type Entry } from '../../src/catalogue/index.js'
import { compileExpression } from '../../src/compute/expressions/compile.js'
import { BlockCalculator } from '../../src/compute/kernels/block-calculator.js'
import { Calculator } from '../../src/compute/kernels/calculator.js'
import type { Calculation } from '../../src/compute/kernels/shape.js'
import { instantiate } from '../../src/compute/wasm/kernels-file.js'
import { longFor, settings } from '../support/laws/settings.js'
import { realShaped } from '../support/real-shaped-market.js'

// If candles are computed in blocks, the columns of a kernel begin at the address that candle 0 would have. With enough
// candles, this address is outside of the memory. A kernel that reads an older candle than allowed then traps, or has other
// values.

const count = 60_000
const blockSize = 1024
/**
 * Number of calculations that share a calculator. With more of them, columns lie farther back and begin outside of the
 * memory later.
 */
const groupSize = 8
/** Nanoseconds per candle; costlier parameters are left out for the sake of the running time. */
const maxWork = 500

const market = realShaped(count, 7)
const candles: readonly Candle[] = market.timestamp.map((timestamp, i) => ({
  timestamp,
  open: market.open[i] as number,
  high: market.high[i] as number,
  low: market.low[i] as number,
  close: market.close[i] as number,
  volume: market.volume[i] as number,
}))
const columns = new Columns(count)
for (const [i, candle] of candles.entries()) columns.write(i, candle)
const snapshot: Snapshot = { columns, closed: count, forming: undefined, count }
const whole = new Calculator()

const titleOf = ({ indicator, params }: Calculation) => `${indicator.name} ${JSON.stringify(params)}`

const bytes = (values: Float64Array) => Buffer.from(values.buffer, values.byteOffset, values.byteLength)

/** The default parameters, and the tried parameters with the longest lookback. */
function calculationsOf(indicator: Entry): readonly Calculation[] {
  const [standard, ...others] = settings(indicator)
  const [longest] = others
    .filter(({ values, lookback }) => lookback < 1000 && indicator.work(values) <= maxWork)
    .sort((a, b) => b.lookback - a.lookback)
  return [standard, longest].flatMap(setting => (setting ? [{ indicator, params: setting.values }] : []))
}

/** Columns over all candles per calculation, computed in blocks. */
function inBlocks(calculations: readonly Calculation[]): readonly (readonly Float64Array[])[] {
  const calculator = new BlockCalculator(calculations, instantiate(), blockSize)
  const found = calculations.map(({ indicator }) =>
    Array.from({ length: indicator.columns }, () => new Float64Array(count)),
  )
  const compute = () => {
    const block = calculator.compute()
    for (const [c, outputs] of block.columns.entries())
      for (const [k, output] of outputs.entries()) found[c]?.[k]?.set(output, block.from)
  }
  for (const candle of candles) {
    calculator.add(candle)
    if (calculator.size === blockSize) compute()
  }
  compute()
  return found
}

/** The indicators of which `npm test` runs long tests, or the others. */
const entriesOf = (isOther: boolean) =>
  [...catalogue.values()].filter(entry => (longFor(entry).tags !== undefined) === isOther)

/** Groups of the calculations of indicators. */
function groupsOf(isOther: boolean): readonly (readonly Calculation[])[] {
  const calculations = entriesOf(isOther).flatMap(calculationsOf)
  return Array.from({ length: Math.ceil(calculations.length / groupSize) }, (_, g) =>
    calculations.slice(g * groupSize, (g + 1) * groupSize),
  )
}

/** Expects the bits of one calculation over all candles. */
function expectSameBits(group: readonly Calculation[]): void {
  for (const [c, found] of inBlocks(group).entries()) {
    const calculation = group[c] as Calculation
    const expected = whole.calculate(calculation, [snapshot]).columns
    const differing = expected.findIndex(
      (column, k) => !bytes(column).equals(bytes(found[k] as Float64Array)),
    )
    expect(differing, `column of ${titleOf(calculation)}`).toBe(-1)
  }
}

const titled = (groups: readonly (readonly Calculation[])[]) =>
  groups.map(group => [group.map(titleOf).join(', '), group] as const)

/** Expects the values of an expression with the name of each indicator. Returns the number of compared indicators. */
function compareExpressions(entries: readonly Entry[]): number {
  const asExpressions = new Calculator()
  let compared = 0
  for (const indicator of entries) {
    const [output] = indicator.outputs
    const text =
      indicator.outputs.length === 1 ? `${indicator.name}()` : `${indicator.name}().${output?.name}`
    const compiled = compileExpression(text, { timeframe: '1h' })
    if ('error' in compiled || output?.kind !== 'number') continue
    const calculation = calculationsOf(indicator)[0] as Calculation
    const expected = whole.calculate(calculation, [snapshot]).columns[output.column] as Float64Array
    const [found] = asExpressions.calculate(compiled.spec, [snapshot]).columns
    const differing = expected.findIndex((value, i) => !Object.is(found?.[i], value))
    expect(differing, `candle of ${text}`).toBe(-1)
    compared++
  }
  return compared
}

describe(`${count} candles in blocks`, () => {
  it.each(titled(groupsOf(false)))('have the bits of one calculation over all of them: %s', (_, group) =>
    expectSameBits(group),
  )
  describe('of other indicators', { tags: ['kernels'] }, () => {
    it.each(titled(groupsOf(true)))('have the bits of one calculation over all of them: %s', (_, group) =>
      expectSameBits(group),
    )
    it('have the same values as an expression', () => {
      expect(compareExpressions(entriesOf(true))).toBeGreaterThan(300)
    })
  })

  it('have the same values as an expression', () => {
    expect(compareExpressions(entriesOf(false))).toBeGreaterThan(10)
  })
})
