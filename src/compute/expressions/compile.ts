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
} from '../../contract/expression-refusals.js'
import { maxExpressionLength } from '../../contract/limits.js'
import { type Market, readSeries } from '../../contract/market.js'
import type { IndicatorSpec } from '../../contract/query.js'
import type { NeverReason } from '../../contract/settled-candles.js'
import { once } from '../../runtime/once.js'
import { Fault, maxState, parse } from './parser.js'
import type { OtherMarket, Plan, PlanNode, Timeline, ValueType } from './plan.js'
import { PlanBuilder } from './plan-builder.js'
import { ExpressionReader, type Value } from './reader.js'

/** The name by which requests ask for an expression in the place of an indicator. */
export const expressionName = 'expression'

/** A compiled expression in the form of a catalogue entry, so that all that computes indicators computes it. */
export interface ExpressionEntry extends Entry {
  readonly plan: Plan
  /**
   * Candles that a history needs for the first value of the first output, which decides whether it is long enough. See
   * `CompiledExpression`.
   */
  readonly depth: number
  /** Bytes of memory that the plan takes with what is made of it to compute it, about. */
  readonly bytes: number
  /** In which ways each output depends on the past. */
  memories(): readonly Composed[]
}

/** What a compiled expression gives by name. */
export interface ExpressionOutput {
  readonly name: string
  readonly type: ValueType
}

/**
 * One or several expressions that were checked, with the plan that computes them. It depends on the texts and on the
 * timeframe alone, so one object serves all symbols and may be kept.
 */
export interface CompiledExpression {
  /** One output named `value`, or those that `compileExpressions` was given, in their order. */
  readonly outputs: readonly ExpressionOutput[]
  /** The type of the first output. */
  readonly type: ValueType
  /**
   * Candles that a history needs for the first value of all outputs, the candle of that value included. Where longer
   * timeframes are chosen: as long as no candle is missing in the history.
   */
  readonly depth: number
  /** The longer timeframes that are chosen by `@`. */
  readonly timeframes: readonly Timeframe[]
  /**
   * The expression as a calculation, to be used wherever that of an indicator is: `ResultCache`, `answer`,
   * `LiveCalculation`, bulk requests. Always the same object.
   */
  readonly spec: IndicatorSpec & { readonly indicator: ExpressionEntry }
}

export interface CompileOptions {
  /** The timeframe of the candles. Without one, expressions that choose another one are refused. */
  readonly timeframe?: Timeframe | undefined
}

/** Compiles an expression, or refuses it with the place of the first fault. */
export function compileExpression(
  text: string,
  { timeframe }: CompileOptions = {},
): CompiledExpression | ExpressionRefusal {
  return compile({ value: text }, timeframe, { expression: text }, (_, refusal) => refusal)
}

/**
 * Compiles several expressions over the same candles into one plan that computes what they have in common once. The
 * refusal of a fault names the expression.
 */
export function compileExpressions(
  texts: Readonly<Record<string, string>>,
  { timeframe }: CompileOptions = {},
): CompiledExpression | ExpressionRefusal {
  return compile(texts, timeframe, texts, inExpression)
}

/** From when on the values of an output may be relied on. */
export interface Reliance {
  /** The first candle whose value has the digits that are required; 0 where no value ever has them. */
  readonly first: number
  /** Why no value ever has them, and the indicator because of which. */
  readonly unsettling: { readonly name: string; readonly reason: NeverReason } | undefined
}

/** From when on the values of an output may be relied on, where so many digits must have settled; 0 for none. */
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

const noMarkets: readonly Market[] = []

/** Whether another market of an expression is a series of the market that the expression is about. */
const isOfOwn = ({ symbol }: OtherMarket): boolean => readSeries(symbol)?.symbol === ''

/** The other markets whose candles a query over a market is computed over, series of the market itself among them. */
export const otherMarketsOf = (
  indicator: Entry,
  { exchange, symbol, timeframe }: Market,
): readonly Market[] =>
  isExpression(indicator)
    ? indicator.plan.markets.map(other => ({
        exchange: other.exchange ?? exchange,
        symbol: isOfOwn(other) ? symbol + other.symbol : other.symbol,
        timeframe,
      }))
    : noMarkets

/** The other markets that are the same for each market that a query is computed over. */
export const commonMarketsOf = (indicator: Entry, market: Omit<Market, 'symbol'>): readonly Market[] =>
  isExpression(indicator)
    ? otherMarketsOf(indicator, { ...market, symbol: '' }).filter(other => !isOfOwn(other))
    : noMarkets

/** Whether an indicator is an expression over several markets. */
export const hasOtherMarkets = (indicator: Entry): boolean =>
  isExpression(indicator) && indicator.plan.markets.length > 0

export const isExpression = (entry: Entry): entry is ExpressionEntry =>
  // No indicator of the catalogue has this name. Looking for a property that an object does not have takes longer.
  entry.name === expressionName

/** Bytes of memory that the indicator of a query takes, about: those of its plan where it is an expression, else 0. */
export const planBytesOf = (entry: Entry): number => (isExpression(entry) ? entry.bytes : 0)

// Measured as the heap and buffers that hundreds of computed plans of each kind took.
const bytesPerPlan = 2_500
const bytesPerNode = 450
/** Most of it is a number for each candle of a block, which each thread that computes it has. */
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

/** How the outputs together depend on the past. */
const memoryOfAll = (memories: readonly Composed[]): Composed =>
  memories.find(memory => 'because' in memory) ??
  slowestOf((memories as readonly (readonly Dependence[])[]).flat())

const outputOf = (name: string, type: ValueType): Output => ({
  name,
  kind: type === 'boolean' ? 'flag' : 'number',
  sparse: true,
})

/** On its own candle alone. */
const here: readonly Dependence[] = [{ window: 0, keeps: [] }]

/**
 * In which ways each node of a plan depends on the past. An indicator over other nodes uses each of them as it uses candles, an
 * operation on several nodes has settled when they all have.
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
    case 'history':
      return then(memoryAt(node.input), [{ window: node.candles, keeps: [] }])
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
      // Another market counts as having a candle beside each.
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
 * A dependence on longer candles, of which each is made of `ratio` shorter ones, as one on these. The first longer candle may lack
 * its beginning and the newest one its end. A smoothing forgets at most one longer candle later than its share of each shorter one.
 */
const ofShorterCandles = ({ window, keeps }: Dependence, ratio: number): Dependence => ({
  window: Math.ceil((window + 2 + keeps.length) * ratio),
  keeps: keeps.map(keep => keep ** (1 / ratio)),
})

/**
 * Whether a condition becomes true: it holds at a candle, and did not at the one before. What was undefined there was not
 * false. Both values are 1, 0 or NaN.
 */
export const becomesTrue = (value: number, before: number): boolean => value === 1 && before === 0
