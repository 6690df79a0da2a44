import type { Inputs } from '../../../src/candles/columns.js'
import type { CompiledExpression } from '../../../src/compute/expressions/compile.js'
import type { Calculator } from '../../../src/compute/kernels/calculator.js'
import { LiveCalculation } from '../../../src/compute/results/live-calculation.js'

/** The values of an expression at the newest `count` candles, by output. Conditions are 1 and 0. */
export function newestValues(
  calculator: Calculator,
  { spec }: CompiledExpression,
  inputs: Inputs,
  count: number,
): readonly Float64Array[] {
  const { columns } = calculator.calculate(spec, inputs)
  return columns.map(column => column.slice(Math.max(0, inputs[0].count - count)))
}

/** The first value of an expression at one candle. */
export interface LiveValue {
  readonly timestamp: number
  readonly value: number
}

const numberOf = (text: string | undefined): number =>
  text === 'true' ? 1 : text === 'false' ? 0 : text === 'null' ? Number.NaN : Number(text)

/** An expression over a growing series, whose updates are numbers. */
export const liveValues = (
  calculator: Calculator,
  { spec }: CompiledExpression,
): LiveCalculation<LiveValue> =>
  new LiveCalculation(calculator, spec, ([text], timestamp) => ({ timestamp, value: numberOf(text) }))
