import { Columns, type Inputs, type OtherCandles, type Snapshot } from '../candles/columns.js'
import type { Timeframe } from '../candles/timeframe.js'
import { catalogue, type Entry } from '../catalogue/index.js'
import type { BulkRequest, MarketConstruct } from '../contract/bulk.js'
import type { Query } from '../contract/query.js'
import type { Refusal } from '../contract/refusals.js'
import type { TableFormat } from '../contract/table-format.js'
import type { TimeRange } from '../contract/time-range.js'
import type { AnswerWarnings, Settling } from './answer.js'
import type { BulkComputation } from './bulk-layout.js'
import { type CompiledExpression, expressionName, isExpression } from './expressions/compile.js'
import type { Expressions } from './expressions/expressions.js'
import type { Checkpoint } from './kernels/block-calculator.js'
import type { PackedResults } from './results/result-series.js'
import type { TableLayout } from './tables/table.js'

/** The client that waits for a task. */
export interface Caller {
  /** The account under which the task is queued. */
  readonly accountId: string
  /** Aborted when the client no longer needs the result. */
  readonly signal?: AbortSignal | undefined
}

/** Inputs as they cross threads: their columns by handle, their forming candles by value. */
export type SentInputs = readonly [own: Sent<Snapshot>, ...others: Sent<OtherCandles>[]]

type Sent<Candles extends OtherCandles | Snapshot> = Omit<Candles, 'columns' | 'older'> & {
  readonly buffer: ArrayBufferLike
}

/** A query as it crosses threads: its indicator by name. */
export interface SentQuery extends Omit<Query, 'indicator'> {
  readonly indicator: string
  /** Timeframe of the candles, if the indicator is an expression. */
  readonly timeframe: Timeframe | undefined
}

/**
 * Consecutive computations of a bulk answer, packed for another thread. Inputs and queries of several computations are
 * one object, which is sent once.
 */
export interface WorkerTask {
  /** The text before each computation. */
  readonly texts: readonly string[]
  readonly inputs: readonly SentInputs[]
  readonly queries: readonly SentQuery[]
  /** Number of newest values to send back, per computation; 0 for none, Infinity for all. */
  readonly valuesToKeep: Float64Array
  readonly verbose: boolean
}

/** A received body, with its endpoint. */
export type BodyTask =
  /** `POST /bulk`: the thread reads and checks the body. */
  | { readonly kind: 'bulk'; readonly body: Uint8Array }
  /** `POST /bulk-candles` with at most `allowed` constructs. With `isFailed` no computation is run. */
  | {
      readonly kind: 'bulk-candles'
      readonly body: Uint8Array
      readonly allowed: number
      readonly isFailed: boolean
    }
  /** `POST /indicator/<indicator>`. With `format` the answer is a table. */
  | {
      readonly kind: 'indicator'
      readonly body: Uint8Array
      readonly indicator: string
      readonly format?: TableFormat
    }
  /** `POST /expression`. With `format` the answer is a table. */
  | { readonly kind: 'expression'; readonly body: Uint8Array; readonly format?: TableFormat }
  /** A table of candles, at most `maxCandles`. The answer is the memory of the columns of each market. */
  | {
      readonly kind: 'candles'
      readonly body: Uint8Array
      readonly format: TableFormat
      readonly maxCandles: number
      readonly closesSuffice: boolean
    }

/** A task about tables. The buffers in `transfer` are moved to the thread. */
export type TableTask =
  /** Columns of computations, as laid out by `packColumns`. */
  | { readonly kind: 'columns'; readonly work: WorkerTask; readonly transfer?: undefined }
  /** The bytes of the table of one computation. */
  | {
      readonly kind: 'answer'
      readonly work: WorkerTask
      readonly format: TableFormat
      readonly transfer?: undefined
    }
  /** The bytes of a table. */
  | {
      readonly kind: 'table'
      readonly layout: TableLayout
      readonly format: TableFormat
      readonly transfer: readonly ArrayBuffer[]
    }
/** A task that is never split. */
export type SingleTask = BodyTask | TableTask | RangeTask
export type PoolTask = WorkerTask | SingleTask
/** A task as a thread receives it. `stop` is set to 1 when the result is no longer needed. */
export type SentTask = PoolTask & { readonly stop: Int32Array<SharedArrayBuffer> }

export interface TaskResult {
  /** JSON text in UTF-8 or other output of the task, in buffers that must be released. Or a refusal of the request. */
  readonly answer: readonly Uint8Array[] | Refusal
  /** The request that was read from a body of `POST /bulk`. */
  readonly bulk?: SentBulk | undefined
  readonly warnings?: AnswerWarnings | undefined
  /** Names of the markets in a table of candles, in the order of the answer. */
  readonly markets?: readonly string[] | undefined
  /** Nanoseconds per candle of each indicator of a `WorkerTask`; NaN if not measured. */
  readonly costs?: ReadonlyMap<string, number>
  /** Results to keep, per computation of a `WorkerTask`. */
  readonly kept?: readonly (PackedResults | undefined)[]
  /** The stack traces of computations that threw. */
  readonly bugs?: readonly string[]
  /**
   * Checkpoints that a `RangeTask` has passed, in the order of time. A task without an answer stopped at the last one.
   */
  readonly checkpoints?: readonly Checkpoint[] | undefined
  /** Refusal of a `RangeTask` that has passed checkpoints. */
  readonly refusal?: Refusal | undefined
  /** Whether a `RangeTask` for the newest value has found none. */
  readonly isEmpty?: boolean | undefined
  /** Convergence of the values that a `RangeTask` has written. */
  readonly settling?: Settling | undefined
  /** Number of candles before the first value of a `RangeTask`. */
  readonly before?: number | undefined
}

export interface Answered extends TaskResult {
  readonly answer: readonly Uint8Array[]
}

/** A step towards the values of a query, or the candles, in a range that begins before the candles in memory. */
export interface RangeTask {
  readonly kind: 'range'
  /** Undefined if the candles themselves are requested. */
  readonly query: SentQuery | undefined
  readonly range: TimeRange
  /** Location of the candles before those in memory, for `ReadOlder`, per input. */
  readonly locations: readonly unknown[]
  /** Open time of the first candle of the history, in Unix seconds. */
  readonly first: number
  readonly memory: SentInputs
  /** Checkpoint to continue from; undefined for a start at the first candle. */
  readonly start: Checkpoint | undefined
  /**
   * Maximum number of candles that this task computes before the range. Then other tasks run, and the next task
   * continues from the last checkpoint.
   */
  readonly pieceLength: number
  /**
   * Form of the answer: JSON of the values, JSON with one object per candle, or the memory of columns as laid out by
   * `packColumns`.
   */
  readonly form: 'values' | 'candles' | 'columns'
  /** Maximum number of bars of a chart in the answer. */
  readonly mostBars: number
  readonly isNewest: boolean
}

export function toSentQuery({ indicator, ...rest }: Query): SentQuery {
  const { params, source, source2, results, backtrack, range, settled, chart } = rest
  const timeframe = isExpression(indicator) ? indicator.plan.timelines[0]?.timeframe : undefined
  const sent = { params, source, source2, results, backtrack, range, settled, chart, timeframe }
  return { indicator: indicator.name, ...sent }
}

/** Packs inputs for another thread. */
export const toSentInputs = ([own, ...others]: Inputs): SentInputs => [send(own), ...others.map(send)]

const send = <Candles extends OtherCandles | Snapshot>({ columns, older: _, ...rest }: Candles) => ({
  ...rest,
  buffer: columns.buffer,
})

export const unpackInputs = ([own, ...others]: SentInputs): Inputs => [
  unpackCandles(own),
  ...others.map(unpackCandles),
]

const unpackCandles = <Candles extends { readonly buffer: ArrayBufferLike }>({
  buffer,
  ...rest
}: Candles) => ({
  ...rest,
  columns: Columns.over(buffer),
})

/** Returns a function that converts each object once, so that equal objects stay equal. */
function eachOnce<From extends object, To>(convert: (from: From) => To): (from: From) => To {
  const converted = new Map<From, To>()
  return from => {
    let known = converted.get(from)
    if (known === undefined) {
      known = convert(from)
      converted.set(from, known)
    }
    return known
  }
}

/** A request of `POST /bulk` whose items have another form of queries. */
interface BulkOf<Item> extends Omit<BulkRequest<MarketConstruct>, 'constructs'> {
  readonly constructs: readonly (Omit<MarketConstruct, 'items'> & {
    readonly items: readonly { readonly id: string; readonly query: Item }[]
  })[]
}

/** A request of `POST /bulk` as it crosses threads. */
export type SentBulk = BulkOf<SentQuery>

const convertBulk = <From extends object, To>(
  { constructs, verbose }: BulkOf<From>,
  convert: (query: From) => To,
): BulkOf<To> => ({
  constructs: constructs.map(({ items, ...construct }) => ({
    ...construct,
    items: items.map(({ id, query }) => ({ id, query: convert(query) })),
  })),
  verbose,
})

export const packBulk = (bulk: BulkRequest<MarketConstruct>): SentBulk =>
  convertBulk(bulk, eachOnce(toSentQuery))

export const unpackBulk = (bulk: SentBulk, expressions: Expressions): BulkRequest<MarketConstruct> =>
  convertBulk(
    bulk,
    eachOnce(query => unpackQuery(query, expressions)),
  )

export const unpackQuery = (query: SentQuery, expressions: Expressions): Query => ({
  ...query,
  indicator: entryOf(query, expressions),
})

/** Packs computations. `valuesToKeep` returns the number of values to keep of a computation. */
export function packTask(
  computations: readonly BulkComputation[],
  verbose: boolean,
  valuesToKeep: (computation: BulkComputation) => number = () => 0,
): WorkerTask {
  const inputs = eachOnce(toSentInputs)
  const queries = eachOnce(toSentQuery)
  return {
    texts: computations.map(({ before }) => before),
    inputs: computations.map(each => inputs(each.inputs)),
    queries: computations.map(({ query }) => queries(query)),
    valuesToKeep: Float64Array.from(computations, valuesToKeep),
    verbose,
  }
}

/**
 * The indicator of a query. An expression is compiled in this thread, or found in its cache; its text was checked
 * before it was sent.
 */
function entryOf({ indicator, params, timeframe }: SentQuery, expressions: Expressions): Entry {
  if (indicator !== expressionName) return catalogue.get(indicator) as Entry
  const compiled = expressions.compileAll(params as Readonly<Record<string, string>>, timeframe)
  return (compiled as CompiledExpression).spec.indicator
}

export function unpackTask(task: WorkerTask, expressions: Expressions): readonly BulkComputation[] {
  const inputs = eachOnce(unpackInputs)
  const queries = eachOnce((query: SentQuery) => unpackQuery(query, expressions))
  return task.texts.map((before, at) => ({
    before,
    inputs: inputs(task.inputs[at] as SentInputs),
    query: queries(task.queries[at] as SentQuery),
  }))
}

/** A task was stopped because its result is no longer needed. */
export class Stopped extends Error {
  constructor() {
    super('nobody waits for the result of this task')
    this.name = 'Stopped'
  }
}

/** The task was removed from a full queue in favour of a client with fewer waiting tasks. */
export class Displaced extends Error {
  constructor() {
    super('the task was displaced from the queue by another client')
    this.name = 'Displaced'
  }
}
