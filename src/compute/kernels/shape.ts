import { columnNames } from '../../candles/columns.js'
import type { Input } from '../../catalogue/define.js'
import type { Entry, SourceName, Values } from '../../catalogue/index.js'
import type { ExpressionEntry } from '../expressions/compile.js'
import type { Plan } from '../expressions/plan.js'
import { formatsOf, type OutputFormat } from '../json/text-column.js'
import { encode } from '../wasm/module.js'

/** An indicator with checked parameters, and the columns chosen instead of its first two inputs. */
export interface Calculation {
  readonly indicator: Entry
  readonly params: Values
  readonly source?: SourceName | undefined
  readonly source2?: SourceName | undefined
}

/** Facts of a calculation that do not depend on candles. */
export interface Shape {
  readonly calculation: Calculation
  /** Plan of an expression; undefined for an indicator. */
  readonly plan: Plan | undefined
  readonly lookback: number
  /** Number of candles before the first one that may have a value. */
  readonly warmup: number
  readonly stateLength: number
  /** Whether each value depends only on the candles within the lookback: see test/laws. */
  readonly isStateless: boolean
  /** Column of candles, or chosen source, per input. */
  readonly inputs: readonly (Input | SourceName)[]
  /** Index in `inputColumns` per input. */
  readonly places: readonly number[]
  /** Parameters as numbers for the kernel. */
  readonly params: readonly number[]
  readonly formats: readonly OutputFormat[]
  /** Indicators whose kernels run, each with the cost that its parameters cause, in nanoseconds per candle. */
  readonly kernels: readonly { readonly name: string; readonly workNs: number }[]
  /** Cost of everything but the kernels, in nanoseconds per candle. */
  readonly operationsNs: number
  /** Approximate maximum cost of one candle, in nanoseconds. */
  readonly mostNsPerCandle: number
}

/** Columns that kernels read: those of candles, then means of them. */
export const inputColumns = [...columnNames, 'hl2', 'hlc3', 'ohlc4'] as const

/** Approximate maximum cost of a kernel that declares no other, in nanoseconds per candle. */
const mostKernelNs = 400
/** Costs of an operation of an expression, of a power or remainder, and of an earlier value, in nanoseconds per candle. */
const operationNs = 1
const powerNs = 40
const historyNs = 15
/** Cost of building the candles of a longer timeframe, in nanoseconds per candle. */
const timelineNs = 300

/** Hidden property of parameters that holds the shape of their calculation. */
const known = Symbol('shape')

/** Returns the shape of a calculation. It is made once, because copies of a specification share their parameters. */
export function shapeOf({ indicator, params, source, source2 }: Calculation): Shape {
  const owner: Values & { [known]?: Shape } = params
  const shape = owner[known]
  const own = shape?.calculation
  if (
    own?.params === params &&
    own.indicator === indicator &&
    own.source === source &&
    own.source2 === source2
  )
    return shape as Shape
  const made = makeShape({ indicator, params, source, source2 })
  Object.defineProperty(owner, known, { value: made, writable: true })
  return made
}

function makeShape(calculation: Calculation): Shape {
  const { indicator, params, source, source2 } = calculation
  const { plan } = indicator as Partial<Pick<ExpressionEntry, 'plan'>>
  const stateLength = indicator.state(params)
  const kernels = plan ? kernelsOf(plan) : [{ name: indicator.name, workNs: indicator.work(params) }]
  const operationsNs = plan ? operationsNsOf(plan) : 0
  let mostNsPerCandle = operationsNs
  for (const { workNs } of kernels) mostNsPerCandle += Math.max(mostKernelNs, workNs)
  const inputs: (Input | SourceName)[] = [...indicator.inputs]
  if (source !== undefined) inputs[0] = source
  if (source2 !== undefined) inputs[1] = source2
  const places: number[] = []
  for (const name of inputs) places.push(inputColumns.indexOf(name))
  const numbers: number[] = []
  for (const name in indicator.params) numbers.push(encode(indicator, name, params))
  return {
    calculation,
    plan,
    lookback: indicator.lookback(params),
    warmup: indicator.warmup(params),
    stateLength,
    isStateless: !plan && stateLength === 0,
    inputs,
    places,
    params: numbers,
    formats: formatsOf(indicator),
    kernels,
    operationsNs,
    mostNsPerCandle,
  }
}

const kernelsOf = ({ nodes }: Plan): Shape['kernels'] =>
  nodes.flatMap(node =>
    node.kind === 'calculation'
      ? [{ name: node.indicator.name, workNs: node.indicator.work(node.params) }]
      : [],
  )

function operationsNsOf({ nodes, timelines }: Plan): number {
  let ns = (timelines.length - 1) * timelineNs
  for (const node of nodes) {
    if (node.kind === 'history' || node.kind === 'held') ns += historyNs
    else if (node.kind === 'pointwise' && (node.operation === 'power' || node.operation === 'remainder'))
      ns += powerNs
    else if (node.kind !== 'calculation') ns += operationNs
  }
  return ns
}
