import type { Candle } from '../candles/candle.js'
import type { Chart } from '../candles/charts/chart.js'
import { Columns, type Snapshot } from '../candles/columns.js'
import { MultiMarketColumns } from '../candles/multi-market-columns.js'
import type { Timeframe } from '../candles/timeframe.js'
import { catalogue, type Entry, type SourceName, type Values } from '../catalogue/index.js'
import type { BulkRequest, MarketConstruct } from '../contract/bulk.js'
import type { Query, Settled } from '../contract/query.js'
import type { Refusal } from '../contract/refusals.js'
import type { TableFormat } from '../contract/table-format.js'
import type { TimeRange } from '../contract/time-range.js'
import type { AnswerWarnings, Settling } from './answer.js'
import type { Computation } from './bulk-layout.js'
import { type CompiledExpression, expressionName, isExpression } from './expressions/compile.js'
import type { Expressions } from './expressions/expressions.js'
import type { Checkpoint } from './kernels/block-calculator.js'
import type { PackedResults } from './results/result-series.js'
import type { TableLayout } from './tables/table.js'

/** The client that waits for a computation. */
export interface Caller {
  /** The account whose turn among the waiting tasks is used. */
  readonly accountId: string
  /** Aborted when nobody waits any more. */
  readonly signal?: AbortSignal | undefined
}

/** A series as it crosses threads: its columns by handle, its forming candle by value. */
export interface SentSeries {
  readonly buffer: ArrayBufferLike
  readonly closed: number
  readonly forming: Candle | undefined
  readonly count: number
  readonly isFull: boolean | undefined
  /** The candles of other markets beside them. */
  readonly others?: readonly (Pick<SentSeries, 'buffer' | 'closed'> & {
    readonly ended: Candle | undefined
  })[]
}

/** A query as it crosses threads: its indicator by name. */
export interface SentQuery {
  readonly indicator: string
  readonly params: Values
  readonly source: SourceName | undefined
  readonly source2: SourceName | undefined
  readonly results: number
  readonly backtrack: number
  readonly range: TimeRange | undefined
  readonly settled: Settled | undefined
  readonly chart: Chart | undefined
  /** The timeframe of the candles, where the indicator is an expression. */
  readonly timeframe: Timeframe | undefined
}

/** Computations of a bulk answer that follow one another, packed for another thread. */
export interface WorkerTask {
  /** The text before each computation. */
  readonly texts: readonly string[]
  /** For each computation the indices of its series and of its query. */
  readonly indices: Uint16Array
  readonly series: readonly SentSeries[]
  readonly queries: readonly SentQuery[]
  /** For each computation the number of newest values whose results are sent back; 0 for none, Infinity for all. */
  readonly valuesToKeep: Float64Array
  readonly verbose: boolean
}

/** A body as it was received, with its endpoint. */
export type BodyTask =
  /** `POST /bulk`: it is read and checked. */
  | { readonly kind: 'bulk'; readonly body: Uint8Array }
  /** `POST /bulk-candles` for a plan that allows so many constructs; with `isFailed` no computation is run. */
  | {
      readonly kind: 'bulk-candles'
      readonly body: Uint8Array
      readonly allowed: number
      readonly isFailed: boolean
    }
  /** `POST /indicator/<indicator>`; the answer is a table where a format is given. */
  | {
      readonly kind: 'indicator'
      readonly body: Uint8Array
      readonly indicator: string
      readonly format?: TableFormat
    }
  /** `POST /expression`, likewise. */
  | { readonly kind: 'expression'; readonly body: Uint8Array; readonly format?: TableFormat }
  /** The candles of a body that is a table, at most `maxCandles`: the answer is the memory of the columns of each market. */
  | {
      readonly kind: 'candles'
      readonly body: Uint8Array
      readonly format: TableFormat
      readonly maxCandles: number
    }

/** A task about tables. What it sends is moved to the thread. */
export type TableTask =
  /** The columns of computations, as `packColumns` lays them out. */
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
/** A task that is not cut into others. */
export type SingleTask = BodyTask | TableTask | RangeTask
export type PoolTask = WorkerTask | SingleTask
/** A task as a thread gets it. `stop` is 1 when nobody waits for its result. */
export type SentTask = PoolTask & { readonly stop: Int32Array<SharedArrayBuffer> }

/** The result of a task. */
export interface TaskResult {
  /** JSON text in UTF-8, or what else the task is for, whose buffers must be released; or a refusal of the request. */
  readonly answer: readonly Uint8Array[] | Refusal
  /** The request in a body of `POST /bulk`. */
  readonly bulk?: SentBulk | undefined
  /** The warnings of the answer to a body. */
  readonly warnings?: AnswerWarnings | undefined
  /** The names of the markets of a body that is a table, in the order of the answer. */
  readonly markets?: readonly string[] | undefined
  /** Nanoseconds per candle of each query, NaN where they are not known; empty where a task has none. */
  readonly costs: Float64Array
  /** The results of the computations of a `WorkerTask` that are to be kept. */
  readonly kept: readonly (PackedResults | undefined)[]
  /** The stack traces of computations that threw. */
  readonly bugs: readonly string[]
  /** How far a `RangeTask` has come, and where it has passed. */
  readonly checkpoints?: readonly Checkpoint[] | undefined
  /** When a `RangeTask` has found more bars than are made up to any time, in Unix seconds. */
  readonly fullAt?: number | undefined
  /** Why a `RangeTask` that has passed checkpoints has no answer. */
  readonly refusal?: Refusal | undefined
  /** A `RangeTask` has passed no value, of which the newest one is wanted. */
  readonly isEmpty?: boolean | undefined
  /** How far the values have settled that a `RangeTask` has written. */
  readonly settling?: Settling | undefined
  /** The number of candles before the first one whose value a `RangeTask` answers with. */
  readonly before?: number | undefined
}

/** The result of a task that is not refused. */
export interface Answered extends TaskResult {
  readonly answer: readonly Uint8Array[]
}

/** The values of a query, or candles, of a time that begins before the candles in memory: a part of the way to them. */
export interface RangeTask {
  readonly kind: 'range'
  /** Undefined for the candles themselves. */
  readonly query: SentQuery | undefined
  readonly range: TimeRange
  /** How the candles before those in memory are read. */
  readonly place: unknown
  /** The same of other markets beside them. */
  readonly others?: readonly unknown[] | undefined
  /** When the first of them opens, in Unix seconds. */
  readonly first: number
  readonly memory: SentSeries
  /** Where the calculation continues; undefined where it begins. */
  readonly start: Checkpoint | undefined
  /**
   * Candles that are computed on the way to the time that is wanted. Then others have their turn, and the calculation goes on in
   * another task with the state that it has come to.
   */
  readonly pieceLength: number
  /** What the answer is: JSON of the values, JSON of one object per candle, or the memory of the columns as `packColumns` lays them out. */
  readonly form: 'values' | 'candles' | 'columns'
  /** The most bars of a chart that are given. */
  readonly mostBars: number
  /** Whether only the newest value is wanted. */
  readonly isNewest: boolean
}

export function toSentQuery({ indicator, ...rest }: Query): SentQuery {
  const { params, source, source2, results, backtrack, range, settled, chart } = rest
  const timeframe = isExpression(indicator) ? indicator.plan.timelines[0]?.timeframe : undefined
  const sent = { params, source, source2, results, backtrack, range, settled, chart, timeframe }
  return { indicator: indicator.name, ...sent }
}

/** A snapshot as it is sent to another thread. */
export const toSentSeries = ({ columns, closed, forming, count, isFull }: Snapshot): SentSeries => ({
  buffer: columns.buffer,
  closed,
  forming,
  count,
  isFull,
  ...(columns instanceof MultiMarketColumns && {
    others: columns.others.map(({ columns, closed, ended }) => ({ buffer: columns.buffer, closed, ended })),
  }),
})

/** The snapshot that was sent. */
export const unpackSeries = ({ buffer, isFull = false, others, ...candles }: SentSeries): Snapshot => ({
  columns: others
    ? new MultiMarketColumns(
        Columns.over(buffer),
        others.map(({ buffer, closed, ended }) => ({ columns: Columns.over(buffer), closed, ended })),
      )
    : Columns.over(buffer),
  ...candles,
  isFull,
})

/** The index of `key`, which is added at the end when it is new. */
function indexOfKey<Key>(indices: Map<Key, number>, key: Key): number {
  let index = indices.get(key)
  if (index === undefined) {
    index = indices.size
    indices.set(key, index)
  }
  return index
}

/** A request of `POST /bulk` as it crosses threads: the query of an item is an index. */
export interface SentBulk extends Omit<BulkRequest<MarketConstruct>, 'constructs'> {
  readonly constructs: readonly (Omit<MarketConstruct, 'items'> & {
    readonly items: readonly { readonly id: string; readonly query: number }[]
  })[]
  readonly queries: readonly SentQuery[]
}

/** Packs a request that was read and checked. */
export function packBulk({ constructs, verbose }: BulkRequest<MarketConstruct>): SentBulk {
  const queries = new Map<Query, number>()
  const packed = constructs.map(({ id, market, items }) => ({
    id,
    market,
    items: items.map(item => ({ id: item.id, query: indexOfKey(queries, item.query) })),
  }))
  return { constructs: packed, queries: [...queries.keys()].map(toSentQuery), verbose }
}

/** The request that was packed. */
export function unpackBulk(
  { constructs, queries, verbose }: SentBulk,
  expressions: Expressions,
): BulkRequest<MarketConstruct> {
  const unpacked = queries.map(query => unpackQuery(query, expressions))
  return {
    constructs: constructs.map(({ id, market, items }) => ({
      id,
      market,
      items: items.map(item => ({ id: item.id, query: unpacked[item.query] as Query })),
    })),
    verbose,
  }
}

/** The query that was packed. */
export const unpackQuery = (query: SentQuery, expressions: Expressions): Query => ({
  ...query,
  indicator: entryOf(query, expressions),
})

/** Packs computations. `valuesToKeep` returns how many values of one are kept. */
export function packTask(
  computations: readonly Computation[],
  verbose: boolean,
  valuesToKeep: (computation: Computation) => number = () => 0,
): WorkerTask {
  const series = new Map<Computation['snapshot'], number>()
  const queries = new Map<Query, number>()
  const indices = new Uint16Array(2 * computations.length)
  for (const [at, { snapshot, query }] of computations.entries()) {
    indices[2 * at] = indexOfKey(series, snapshot)
    indices[2 * at + 1] = indexOfKey(queries, query)
  }
  return {
    texts: computations.map(({ before }) => before),
    indices,
    series: [...series.keys()].map(toSentSeries),
    queries: [...queries.keys()].map(toSentQuery),
    valuesToKeep: Float64Array.from(computations, valuesToKeep),
    verbose,
  }
}

/** The indicator of a query, or its expression, which was compiled before it was sent. */
function entryOf({ indicator, params, timeframe }: SentQuery, expressions: Expressions): Entry {
  if (indicator !== expressionName) return catalogue.get(indicator) as Entry
  const compiled = expressions.compileAll(params as Readonly<Record<string, string>>, timeframe)
  return (compiled as CompiledExpression).spec.indicator
}

/** The computations of a task. */
export function unpackTask(
  { texts, indices, series, queries }: WorkerTask,
  expressions: Expressions,
): readonly Computation[] {
  const snapshots = series.map(unpackSeries)
  const unpackedQueries = queries.map(query => unpackQuery(query, expressions))
  return texts.map((before, at) => ({
    before,
    snapshot: snapshots[indices[2 * at] as number] as Computation['snapshot'],
    query: unpackedQueries[indices[2 * at + 1] as number] as Query,
  }))
}

/** A task was ended before its result, because nobody waits for it. */
export class Stopped extends Error {
  constructor() {
    super('nobody waits for the result of this task')
    this.name = 'Stopped'
  }
}

/** A task lost its place in the full queue to a client of which less waits. */
export class Displaced extends Error {
  constructor() {
    super('the task was displaced from the queue by another client')
    this.name = 'Displaced'
  }
}
