import { columnNames, type Inputs, timeframeOf } from '../../candles/columns.js'
import type { Timeframe } from '../../candles/timeframe.js'
import { columnCount, type PlacedOutput } from '../../catalogue/define.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import { type OutputValue, outputValue } from '../../catalogue/output-values.js'
import { nearIndicators } from '../../contract/near-indicators.js'
import { readIndicatorSpec } from '../../contract/query.js'
import { paramsNotObject, unknownIndicator } from '../../contract/refusals.js'
import { type CompiledExpression, compileExpression } from '../expressions/compile.js'
import { planOf } from '../kernels/block-calculator.js'
import { type Calculation, shapeOf } from '../kernels/shape.js'
import { planInputs } from '../plans/timeline-candles.js'
import { joinSupplied } from '../supplied.js'
import { currentEngine, type Engine, type Program, withEngine } from './engine.js'
import { joinable, orThrow, readOwn } from './own-candles.js'
import type { ExpressionColumn, Library, OwnCandles } from './types.js'

/** Maximum number of known programs. */
const maxPrograms = 500

function programFor(key: string, calculate: () => Calculation): Program {
  const { programs } = currentEngine()
  const known = programs.get(key)
  if (known) return known
  const calculation = calculate()
  const plan = planOf([calculation])
  const read = new Set(plan.nodes.flatMap(node => (node.kind === 'column' ? [node.column] : [])))
  const columns = plan.timelines.length > 1 ? columnNames : columnNames.filter(name => read.has(name))
  const program = { shape: shapeOf(calculation), plan, columns }
  if (programs.size >= maxPrograms) programs.clear()
  programs.set(key, program)
  return program
}

/** The program of an indicator with parameters, which are checked as in a request. */
export function programOf(name: string, params: object = {}): Program {
  // Without types, a number would otherwise count as no parameters.
  if (typeof params !== 'object' || params === null) orThrow(paramsNotObject(params))
  const given = params as Readonly<Record<string, unknown>>
  let key = name
  for (const field in given) {
    const value = given[field]
    if (value !== undefined) key += `,${field}=${typeof value === 'number' ? value : JSON.stringify(value)}`
  }
  return programFor(key, () => {
    const indicator = catalogue.get(name)
    const fields = new Map(Object.entries(given).filter(([, value]) => value !== undefined))
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
    return program.shape.calculation.indicator.outputs.map(output => columnOf(output, inputs[0].count, read))
  })

/** Reads the numbers of a kernel's column. */
type ReadColumn = (column: number) => Float64Array

/** Runs one kernel over all candles; undefined for an expression, and if inputs lack values. */
function runKernel({ kernels }: Engine, { shape }: Program, inputs: Inputs): ReadColumn | undefined {
  if (shape.plan) return undefined
  const [{ count }] = inputs
  kernels.resume(shape, inputs, 0, noState)
  if (!kernels.isWhole(shape, 0, count)) return undefined
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
  // Faster than `slice`.
  if (kind === 'number' || kind === 'signal') return new Float64Array(numbers)
  const masks = Array.from({ length: columnCount(output) }, (_, k) => read(column + k))
  const values = new Array<OutputValue>(count)
  let [number, value]: [number, OutputValue] = [Number.NaN, null]
  for (let i = 0; i < count; i++) {
    const next = numbers[i] as number
    // Texts are often repeated. The names of a list depend on several columns.
    if (next !== number || kind === 'names') {
      number = next
      // A function that reads `i` would make a variable on the heap for each candle.
      const at = i
      value = outputValue(output, k => masks[k - column]?.[at] as number)
    }
    values[i] = value
  }
  return values
}

type Columns = readonly (Float64Array | readonly OutputValue[])[]

const named = (outputs: Entry['outputs'], columns: Columns): Readonly<Record<string, Columns[number]>> => {
  const found: Record<string, Columns[number]> = {}
  for (let k = 0; k < outputs.length; k++)
    found[(outputs[k] as PlacedOutput).name] = columns[k] as Columns[number]
  return found
}

const computeColumns = (name: string, candles: OwnCandles, params?: object): Columns => {
  const program = programOf(name, params)
  return run(program, [readOwn(candles, program.columns)])
}

export const compute: Library['compute'] = (name, candles, params) => {
  const columns = computeColumns(name, candles, params)
  return named((catalogue.get(name) as Entry).outputs, columns) as never
}

/** The function of an indicator: it returns the column of a single output, and several by their names. */
const functionOf =
  ({ name, outputs }: Entry) =>
  (candles: OwnCandles, params?: object): unknown => {
    const columns = computeColumns(name, candles, params)
    return outputs.length === 1 ? columns[0] : named(outputs, columns)
  }

/** The functions of all indicators, by the names of their kernels. */
export const indicators = Object.fromEntries(
  [...catalogue.values()].map(entry => [entry.kernel, functionOf(entry)]),
)

export const expression: Library['expression'] = (text, candles, others = {}) => {
  const program = expressionProgram(text, () => timeframeOf(readOwn(candles, columnNames)))
  const own = readOwn(candles, program.columns)
  if (program.plan.markets.length === 0) return run(program, [own])[0] as ExpressionColumn
  const read = (given: OwnCandles) => joinable(readOwn(given, columnNames))
  const joined = joinSupplied(program.shape.calculation, joinable(own), Object.entries(others), read)
  return run(program, orThrow(joined))[0] as ExpressionColumn
}
