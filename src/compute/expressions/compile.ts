import type { Timeframe } from '../../candles/timeframe.js'
import {
  type Composed,
  type Dependence,
  dependencesOf,
  inRow,
  settledByDigits,
  slowestOf,
} from '../../catalogue/fading.js'
import type { Entry, Output } from '../../catalogue/index.js'
import {
  type ExpressionRefusal,
  expressionEmpty,
  expressionTooCostly,
  expressionTooLong,
  inExpression,
  withNearest,
} from '../../contract/expression-refusals.js'
import { maxExpressionLength } from '../../contract/limits.js'
import { type Market, type Markets, readSeries } from '../../contract/market.js'
import type { IndicatorSpec } from '../../contract/query.js'
import type { NeverReason } from '../../contract/settled-candles.js'
import { once } from '../../runtime/once.js'
import { Fault, maxState, parse } from './parser.js'
import type { OtherMarket, Plan, PlanNode, Timeline, ValueType } from './plan.js'
import { PlanBuilder } from './plan-builder.js'
import { ExpressionReader, type Value } from './reader.js'
import { repairExpression } from './repair.js'

/** Name with which requests choose an expression instead of an indicator. */
export const expressionName = 'expression'

/** A compiled expression in the form of a catalogue entry, so that all code for indicators can compute it. */
export interface ExpressionEntry extends Entry {
  readonly plan: Plan
  /**
   * Number of candles that a history needs for the first value of the first output. That output decides whether a
   * history is long enough: see `CompiledExpression`.
   */
  readonly depth: number
  /** Approximate bytes of the plan and of the data made to run it. */
  readonly bytes: number
  /** Dependence on the past, per output. */
  memories(): readonly Composed[]
}

export interface ExpressionOutput {
  readonly name: string
  readonly type: ValueType
}

/**
 * One or several checked expressions, with the plan that computes them. Depends only on the texts and the timeframe, so
 * one object serves all symbols and may be cached.
 */
export interface CompiledExpression {
  /** One output named `value`, or the named outputs of `compileExpressions` in their order. */
  readonly outputs: readonly ExpressionOutput[]
  /** The type of the first output. */
  readonly type: ValueType
  /**
   * Number of candles that a history needs for the first value of all outputs, including the candle of that value. With
   * longer timeframes this holds only if no candle is missing in the history.
   */
  readonly depth: number
  /** Longer timeframes chosen with `@`. */
  readonly timeframes: readonly Timeframe[]
  /**
   * The expression as a calculation, for use wherever an indicator can be used: `ResultCache`, `answer`,
   * `LiveCalculation`, bulk requests. Always the same object.
   */
  readonly spec: IndicatorSpec & { readonly indicator: ExpressionEntry }
}

export interface CompileOptions {
  /** Timeframe of the candles. If undefined, expressions that choose another timeframe are refused. */
  readonly timeframe?: Timeframe | undefined
  /** Whether a refusal has the nearest valid form of the text. Default: true. */
  readonly isRepaired?: boolean
}

/** Compiles an expression, or refuses it with the place of the first fault. */
export function compileExpression(
  text: string,
  { timeframe, isRepaired = true }: CompileOptions = {},
): CompiledExpression | ExpressionRefusal {
  const refuse = (_: string, refusal: ExpressionRefusal) =>
    isRepaired ? withNearestForm(refusal, text, timeframe) : refusal
  return compile({ value: text }, timeframe, { expression: text }, refuse)
}

/**
 * Compiles several expressions over the same candles into one plan, which computes common parts once. The refusal of a
 * fault names the expression.
 */
export function compileExpressions(
  texts: Readonly<Record<string, string>>,
  { timeframe }: CompileOptions = {},
): CompiledExpression | ExpressionRefusal {
  return compile(texts, timeframe, texts, (name, refusal) =>
    inExpression(name, withNearestForm(refusal, texts[name] as string, timeframe)),
  )
}

/** Adds the valid expression that a faulty text may mean to its refusal. */
function withNearestForm(
  refusal: ExpressionRefusal,
  text: string,
  timeframe: Timeframe | undefined,
): ExpressionRefusal {
  if (text.length > maxExpressionLength) return refusal
  const near = repairExpression(text, each => {
    const value = readText(new ExpressionReader(new PlanBuilder(timeframe), timeframe), each)
    return 'status' in value ? value : undefined
  })
  return near === undefined ? refusal : withNearest(refusal, near)
}

/** The first reliable value of an output, or the reason why there is none. */
export interface Reliance {
  /** Index of the first candle whose value has the required digits; 0 if no value ever has them. */
  readonly first: number
  /** The reason why no value ever has the required digits, and the indicator that causes it. */
  readonly unsettling: { readonly name: string; readonly reason: NeverReason } | undefined
}

/** Finds the first value of an output with `digits` settled digits; 0 digits for no requirement. */
export function relianceOf(
  { spec: { indicator } }: CompiledExpression,
  output: number,
  digits: number,
): Reliance {
  const memory = indicator.memories()[output]
  if (digits === 0 || memory === undefined) return { first: 0, unsettling: undefined }
  if ('because' in memory) {
    const { name, memory: part } = memory.because
    return { first: 0, unsettling: { name, reason: part === 'whole' ? 'whole' : 'market' } }
  }
  const first = settledByDigits(memory, digits)[digits - 1]
  return first === undefined
    ? { first: 0, unsettling: { name: indicator.name, reason: 'slow' } }
    : { first, unsettling: undefined }
}

/** Whether another market of an expression is a series of the expression's own market. */
const isOfOwn = ({ symbol }: OtherMarket): boolean => readSeries(symbol)?.symbol === ''

/** The markets whose candles a query over a market reads. Other markets include series of the market itself. */
export const marketsOf = (indicator: Entry, market: Market): Markets =>
  isExpression(indicator)
    ? [
        market,
        ...indicator.plan.markets.map(other => ({
          exchange: other.exchange ?? market.exchange,
          symbol: isOfOwn(other) ? market.symbol + other.symbol : other.symbol,
          timeframe: market.timeframe,
        })),
      ]
    : [market]

/** The other markets of a query that do not depend on the market of the query. */
export const commonMarketsOf = (indicator: Entry, market: Omit<Market, 'symbol'>): readonly Market[] =>
  marketsOf(indicator, { ...market, symbol: '' })
    .slice(1)
    .filter(other => !isOfOwn(other))

/** The series of its own market that a query reads, such as funding rates. */
export const ownSeriesOf = (indicator: Entry, market: Market): readonly Market[] =>
  isExpression(indicator)
    ? marketsOf(indicator, market).filter(
        (_, k) => k > 0 && isOfOwn(indicator.plan.markets[k - 1] as OtherMarket),
      )
    : []

/** Whether an indicator is an expression over several markets. */
export const hasOtherMarkets = (indicator: Entry): boolean =>
  isExpression(indicator) && indicator.plan.markets.length > 0

export const isExpression = (entry: Entry): entry is ExpressionEntry =>
  // No indicator of the catalogue has this name. A check for a missing property would be slower.
  entry.name === expressionName

/** Approximate bytes of the plan of an expression; 0 for other indicators. */
export const planBytesOf = (entry: Entry): number => (isExpression(entry) ? entry.bytes : 0)

// Measured as heap and buffers of hundreds of computed plans of each kind.
const bytesPerPlan = 2_500
const bytesPerNode = 450
/**
 * Approximate bytes per longer timeline: mostly one number per candle of a block, in each thread that computes the
 * plan.
 */
const bytesPerLongerTimeline = 8_500

function compile(
  texts: Readonly<Record<string, string>>,
  timeframe: Timeframe | undefined,
  params: Readonly<Record<string, string>>,
  refuse: (name: string, refusal: ExpressionRefusal) => ExpressionRefusal,
): CompiledExpression | ExpressionRefusal {
  const builder = new PlanBuilder(timeframe)
  const reader = new ExpressionReader(builder, timeframe)
  const outputs: ExpressionOutput[] = []
  const roots: number[] = []
  for (const [name, text] of Object.entries(texts)) {
    const value = readText(reader, text)
    if ('status' in value) return refuse(name, value)
    outputs.push({ name, type: value.type })
    roots.push(value.node)
  }
  const plan = builder.build(roots)
  if (plan.state.length > maxState)
    return expressionTooCostly(1, maxState, 'values of earlier candles that are remembered')
  const indicator = entryOf(plan, outputs)
  return {
    outputs,
    type: outputs[0]?.type ?? 'number',
    depth: Math.max(...roots.map(root => (plan.nodes[root] as PlanNode).reach)) + 1,
    timeframes: [
      ...new Set(plan.timelines.filter(({ isMade }) => isMade).map(each => each.timeframe as Timeframe)),
    ],
    spec: { indicator, params },
  }
}

function readText(reader: ExpressionReader, text: string): Value | ExpressionRefusal {
  if (text.length > maxExpressionLength) return expressionTooLong(maxExpressionLength)
  if (text.trim() === '') return expressionEmpty()
  try {
    return reader.read(parse(text))
  } catch (error) {
    if (error instanceof Fault) return error.refusal
    throw error
  }
}

function entryOf(plan: Plan, outputs: readonly ExpressionOutput[]): ExpressionEntry {
  const roots = plan.roots.map(root => plan.nodes[root] as PlanNode)
  const warmup = Math.min(...roots.map(root => root.warmup))
  const memories = once(() => {
    const all = memoriesOf(plan.nodes, plan.timelines)
    return plan.roots.map(root => all[root] as Composed)
  })
  return {
    name: expressionName,
    title: 'Expression',
    description: '',
    related: [],
    tier: 1,
    otherNames: [],
    namesElsewhere: {},
    category: 'Math',
    kernel: expressionName,
    inputs: [],
    sources: 0,
    params: {},
    relations: [],
    outputs: outputs.map(({ name, type }, column) => ({ ...outputOf(name, type), column })),
    columns: outputs.length,
    lookback: () => warmup,
    warmup: () => warmup,
    state: () => plan.state.length,
    results: () => 1,
    scratch: 0,
    work: () => 0,
    get memory() {
      return memoryOfAll(memories())
    },
    memories,
    overlay: false,
    averageType: false,
    scale: undefined,
    drawing: undefined,
    depth: (roots[0]?.reach ?? 0) + 1,
    bytes:
      bytesPerPlan + bytesPerNode * plan.nodes.length + bytesPerLongerTimeline * (plan.timelines.length - 1),
    plan,
  }
}

/** Dependence of all outputs together on the past. */
const memoryOfAll = (memories: readonly Composed[]): Composed =>
  memories.find(memory => 'because' in memory) ??
  slowestOf((memories as readonly (readonly Dependence[])[]).flat())

const outputOf = (name: string, type: ValueType): Output => ({
  name,
  kind: type === 'boolean' ? 'flag' : 'number',
  sparse: true,
})

/** Dependence on the value's own candle only. */
const here: readonly Dependence[] = [{ window: 0, keeps: [] }]

/**
 * Computes the dependence on the past of each node of a plan. An indicator over other nodes depends on each of them as
 * on candles. An operation on several nodes has settled when all of them have.
 */
export function memoriesOf(nodes: readonly PlanNode[], timelines: readonly Timeline[]): readonly Composed[] {
  const memories: Composed[] = []
  for (const node of nodes) memories.push(memoryOf(node, nodes, memories, timelines))
  return memories
}

function memoryOf(
  node: PlanNode,
  nodes: readonly PlanNode[],
  memories: readonly Composed[],
  timelines: readonly Timeline[],
): Composed {
  const memoryAt = (at: number) => memories[at] as Composed
  switch (node.kind) {
    case 'column':
    case 'constant':
      return here
    case 'history': {
      const memory = then(memoryAt(node.input), [{ window: node.candles, keeps: [] }])
      return node.by === undefined ? memory : together([memory, memoryAt(node.by)])
    }
    case 'held':
      return { because: { name: node.name, memory: 'whole' } }
    case 'output':
      return memoryAt(node.calculation)
    case 'pointwise':
      return together(node.inputs.map(memoryAt))
    case 'calculation': {
      const own = dependencesOf(node.indicator, node.params)
      return own ? then(together(node.inputs.map(memoryAt)), own) : { because: node.indicator }
    }
    case 'closed': {
      const { timeline } = nodes[node.input] as PlanNode
      const { isMade, length } = timelines[timeline] as Timeline
      const ratio = length / (timelines[0] as Timeline).length
      const memory = memoryAt(node.input)
      // Another market is assumed to have one candle per candle of the own market.
      return 'because' in memory || !isMade ? memory : memory.map(each => ofShorterCandles(each, ratio))
    }
  }
}

const then = (before: Composed, next: readonly Dependence[]): Composed =>
  'because' in before ? before : slowestOf(inRow(before, next))

function together(memories: readonly Composed[]): Composed {
  const all: Dependence[] = []
  for (const memory of memories) {
    if ('because' in memory) return memory
    all.push(...memory)
  }
  return memories.length === 0 ? here : slowestOf(all)
}

/**
 * Converts a dependence on longer candles, each built from `ratio` shorter ones, to one on shorter candles. The first
 * longer candle may lack its beginning and the newest one its end. A smoothing forgets at most one longer candle later
 * than its share of each shorter one.
 */
const ofShorterCandles = ({ window, keeps }: Dependence, ratio: number): Dependence => ({
  window: Math.ceil((window + 2 + keeps.length) * ratio),
  keeps: keeps.map(keep => keep ** (1 / ratio)),
})

/**
 * Whether a condition becomes true: it holds at a candle and was false at the previous one. Undefined is not false.
 * Both values are 1, 0 or NaN.
 */
export const becomesTrue = (value: number, before: number): boolean => value === 1 && before === 0
