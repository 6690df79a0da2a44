import { columnNames, type Inputs, timeframeOf } from '../../candles/columns.js'
import type { Timeframe } from '../../candles/timeframe.js'
import { columnCount, type PlacedOutput } from '../../catalogue/define.js'
import { catalogue } from '../../catalogue/index.js'
import { type OutputValue, outputValue } from '../../catalogue/output-values.js'
import { nearIndicators } from '../../contract/near-indicators.js'
import { readIndicatorSpec } from '../../contract/query.js'
import { unknownIndicator } from '../../contract/refusals.js'
import { type CompiledExpression, compileExpression } from '../expressions/compile.js'
import { planOf } from '../kernels/block-calculator.js'
import { type Calculation, shapeOf } from '../kernels/shape.js'
import { planInputs } from '../plans/timeline-candles.js'
import { joinSupplied } from '../supplied.js'
import { type Engine, type Program, withEngine } from './engine.js'
import { joinable, orThrow, readOwn } from './own-candles.js'
import type { ExpressionColumn, IndicatorName, Library, OwnCandles } from './types.js'

/** Maximum number of known programs. */
const maxPrograms = 500

const programFor = (key: string, calculate: () => Calculation): Program =>
  withEngine(({ programs }) => {
    const known = programs.get(key)
    if (known) return known
    const calculation = calculate()
    const plan = planOf([calculation])
    const read = new Set(plan.nodes.flatMap(node => (node.kind === 'column' ? [node.column] : [])))
    const columns = plan.timelines.length > 1 ? columnNames : columnNames.filter(name => read.has(name))
    const program = { calculation, plan, columns }
    if (programs.size >= maxPrograms) programs.clear()
    programs.set(key, program)
    return program
  })

/** The program of an indicator with parameters, which are checked as in a request. */
export function programOf(name: string, params: object = {}): Program {
  let key = name
  const fields = new Map<string, unknown>()
  for (const [field, value] of Object.entries(params)) {
    if (value === undefined) continue
    key += `,${field}=${typeof value === 'number' ? value : JSON.stringify(value)}`
    fields.set(field, value)
  }
  return programFor(key, () => {
    const indicator = catalogue.get(name)
    return orThrow(
      indicator ? readIndicatorSpec(indicator, fields, 'json') : unknownIndicator(name, nearIndicators(name)),
    )
  })
}

/** Timeframe with which an expression is compiled first. Every other timeframe is at least as long. */
const shortest: Timeframe = '1m'

/** The program of an expression. The timeframe of the candles is found only if it matters. */
export function expressionProgram(text: string, timeframe: () => Timeframe | undefined): Program {
  const over = (known: Timeframe | undefined) =>
    programFor(
      `${known} ${text}`,
      () => orThrow<CompiledExpression>(compileExpression(text, { timeframe: known })).spec,
    )
  const first = over(shortest)
  return first.plan.timelines.length === 1 ? first : over(timeframe())
}

/** Computes a program over candles: a column per output. */
const run = (program: Program, inputs: Inputs): Columns =>
  withEngine(engine => {
    const read = runKernel(engine, program, inputs) ?? runPlan(engine, program, inputs)
    return program.calculation.indicator.outputs.map(output => columnOf(output, inputs[0].count, read))
  })

/** Reads the numbers of a kernel's column. */
type ReadColumn = (column: number) => Float64Array

/** Runs one kernel over all candles; undefined for an expression, and if inputs lack values. */
function runKernel({ kernels }: Engine, { calculation }: Program, inputs: Inputs): ReadColumn | undefined {
  const shape = shapeOf(calculation)
  if (shape.plan) return undefined
  const [{ count }] = inputs
  kernels.resume(shape, inputs, 0, noState)
  if (!kernels.isWhole(shape.inputs.length, count)) return undefined
  kernels.run(0, count)
  return column => kernels.column(column, count)
}

const noState = new Float64Array()

function runPlan({ plans }: Engine, { plan }: Program, inputs: Inputs): ReadColumn {
  const [{ count }] = inputs
  plans.resume(plan, 0, undefined, count)
  plans.run(planInputs(inputs), 0, count)
  return column => plans.column(column, count)
}

/** Copies the values of an output. */
function columnOf(output: PlacedOutput, count: number, read: ReadColumn): Columns[number] {
  const { kind, column } = output
  const numbers = read(column)
  if (kind === 'number' || kind === 'signal') return numbers.slice()
  const masks = Array.from({ length: columnCount(output) }, (_, k) => read(column + k))
  const values = new Array<OutputValue>(count)
  let [number, value]: [number, OutputValue] = [Number.NaN, null]
  for (let i = 0; i < count; i++) {
    const next = numbers[i] as number
    // Texts are often repeated. The names of a list depend on several columns.
    if (next !== number || kind === 'names') {
      number = next
      value = outputValue(output, k => masks[k - column]?.[i] as number)
    }
    values[i] = value
  }
  return values
}

type Columns = readonly (Float64Array | readonly OutputValue[])[]

const named = <Value>({ calculation }: Program, values: readonly Value[]): Readonly<Record<string, Value>> =>
  Object.fromEntries(calculation.indicator.outputs.map(({ name }, k) => [name, values[k] as Value]))

export const compute: Library['compute'] = (name, candles, params) => {
  const program = programOf(name, params)
  return named(program, run(program, [readOwn(candles, program.columns)])) as never
}

/** The function of an indicator: it returns the column of a single output, and several by their names. */
const functionOf =
  (name: IndicatorName) =>
  (candles: OwnCandles, params?: object): unknown => {
    const columns = compute(name, candles, params as never)
    const [first, ...others] = Object.values(columns)
    return others.length === 0 ? first : columns
  }

/** The functions of all indicators, by the names of their kernels. */
export const indicators = Object.fromEntries(
  [...catalogue.values()].map(({ name, kernel }) => [kernel, functionOf(name as IndicatorName)]),
)

export const expression: Library['expression'] = (text, candles, others = {}) => {
  const program = expressionProgram(text, () => timeframeOf(readOwn(candles, columnNames)))
  const own = readOwn(candles, program.columns)
  if (program.plan.markets.length === 0) return run(program, [own])[0] as ExpressionColumn
  const read = (given: OwnCandles) => joinable(readOwn(given, columnNames))
  const joined = joinSupplied(program.calculation, joinable(own), Object.entries(others), read)
  return run(program, orThrow(joined))[0] as ExpressionColumn
}
