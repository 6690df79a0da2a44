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

/** The first value of an update of a live expression. */
function liveValue(update: string): LiveValue {
  const { timestamp, ...outputs } = JSON.parse(update)
  const [value] = Object.values(outputs)
  return { timestamp, value: value === null ? Number.NaN : Number(value) }
}

/** An expression over a growing series, whose updates are numbers. */
export function liveValues(calculator: Calculator, { spec }: CompiledExpression) {
  const live = new LiveCalculation(calculator, spec)
  const shown = (update: string | undefined) => (update === undefined ? undefined : liveValue(update))
  return {
    advance: (inputs: Inputs) => ({ closed: live.advance(inputs).closed.map(liveValue) }),
    preview: (inputs: Inputs) => shown(live.preview(inputs)),
    get closed() {
      return shown(live.closed)
    },
  }
}
