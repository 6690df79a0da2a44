import { LRUCache } from 'lru-cache'
import { type Chart, hasCandleTimes } from '../../candles/charts/chart.js'
import {
  Columns,
  type Inputs,
  type OlderCandles,
  type OtherCandles,
  type Snapshot,
  timestampAt,
} from '../../candles/columns.js'
import { formatTime } from '../../candles/format-time.js'
import { candlesBetween, openOf, timeframes } from '../../candles/timeframe.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import { tooManyBars } from '../../contract/expression-refusals.js'
import { maxRangeCandles, maxRangeCandlesOfBulk } from '../../contract/limits.js'
import { type Query, specKey } from '../../contract/query.js'
import { computationFailed, isRefusal, type Refusal, rangeTooLong, refusal } from '../../contract/refusals.js'
import type { TimeRange } from '../../contract/time-range.js'
import { BodyFragments } from '../../runtime/buffer-pool.js'
import type { Settling } from '../answer.js'
import { type BulkComputation, type BulkLayout, type FinishedResult, withFinished } from '../bulk-layout.js'
import type { Checkpoint } from '../kernels/block-calculator.js'
import { shapeOf } from '../kernels/shape.js'
import { type Answered, type Caller, type RangeTask, toSentInputs, toSentQuery } from '../task.js'

/** A snapshot with older candles, which are not in memory. */
export type DeepSnapshot = Snapshot & { readonly older: OlderCandles }
export type DeepInputs = readonly [own: DeepSnapshot, ...others: OtherCandles[]]

/** Whether inputs have older candles, which a thread must read. */
export const isDeep = (inputs: Inputs): inputs is DeepInputs => inputs[0].older !== undefined

/** A request for a time range: for the values of a query, or for the candles if there is no query. */
export interface RangeQuestion {
  readonly query?: Query | undefined
  /** Chart whose bars are requested, if there is no query. */
  readonly chart?: Chart | undefined
  readonly range: TimeRange
  readonly inputs: DeepInputs
  /** Maximum number of candles in the range. */
  readonly most?: number
  /** Whether only the newest value of the range is requested. */
  readonly isNewest?: boolean
}

export interface RangeColumns {
  readonly columns: Float64Array
  /** Number of candles of the history before the first value; 0 if values depend only on their own candle. */
  readonly before: number
  readonly settling: Settling | undefined
}

/** The query for the prices and volumes of candles. */
const candleQuery = ({ range, chart }: RangeQuestion): Query => ({
  ...{ indicator: catalogue.get('candle') as Entry, params: {}, range, chart },
  ...{ results: Number.POSITIVE_INFINITY, backtrack: 0 },
})

/** The candles or bars found by a question without a query. */
export function candlesOf({ columns: { buffer } }: RangeColumns): Snapshot {
  const columns = Columns.over(buffer)
  const { capacity: count } = columns
  return { columns, closed: count, forming: undefined, count }
}

/** The values or candles of a time range. */
interface RangeAnswer {
  readonly body: BodyFragments
  /** Number of candles of the history before the first value; 0 if values depend only on their own candle. */
  readonly before: number
  /** Convergence of the values. */
  readonly settling: Settling | undefined
}

/** Maximum concurrent computations of one bulk request. */
const parallelInBulk = 4

interface Options {
  /** Queues a task under the account and runs it. */
  readonly run: (task: RangeTask, caller: Caller) => Promise<Answered | Refusal>
  /** Called with the error of a computation of a bulk request that threw. */
  readonly onBug: (error: unknown) => void
  /** Maximum bytes of memory for checkpoints. */
  readonly maxBytes?: number | undefined
  /** Number of candles per task. */
  readonly pieceLength?: number | undefined
}

/** Number of candles per task. */
const defaultPieceLength = 131_072

const rangeKey = (
  [
    {
      older: { id },
    },
  ]: DeepInputs,
  query: Query,
): string => `${id} ${specKey(query)}`

const barsKey = (
  [
    {
      older: { id },
    },
  ]: DeepInputs,
  chart: Chart,
): string => `${id} ${chart.text}`

const noValues = new Float64Array()

/** The part of a checkpoint that continues the bars of a chart, without the state of the calculation. */
const withoutValues = ({ chart, ...checkpoint }: Checkpoint): Checkpoint => ({
  ...checkpoint,
  state: noValues,
  ...(chart && { chart: { flow: chart.flow, bars: noValues.buffer } }),
})

/**
 * Answers for time ranges of histories that are longer than the candles in memory. The values are those of one
 * calculation over all candles, cut to the range. Threads compute them piece by piece, each from the last checkpoint of
 * the previous piece.
 */
export class RangeAnswers {
  readonly #run: Options['run']
  readonly #onBug: Options['onBug']
  readonly #pieceLength: number
  readonly #checkpoints: Checkpoints

  constructor({ run, onBug, maxBytes, pieceLength = defaultPieceLength }: Options) {
    this.#run = run
    this.#onBug = onBug
    this.#checkpoints = new Checkpoints(checkpointDistance(pieceLength), maxBytes)
    this.#pieceLength = pieceLength
  }

  /** Bytes of memory used by checkpoints. */
  get bytes(): number {
    return this.#checkpoints.bytes
  }

  /** Answers a question, or refuses it. Rejects if a computation throws. */
  async answer(question: RangeQuestion, caller: Caller): Promise<RangeAnswer | Refusal> {
    const isBars = question.query === undefined && question.chart !== undefined
    const asked = isBars ? { query: candleQuery(question), ...question } : question
    const found = await this.#find(isBars ? 'candles' : 'values', asked, caller)
    if (isRefusal(found)) return found
    const { answer, settling, before = 0 } = found
    return { body: new BodyFragments(answer), settling, before }
  }

  /** Answers a question with columns as laid out by `packColumns`; without a query, with columns of candles. */
  async columns(question: RangeQuestion, caller: Caller): Promise<RangeColumns | Refusal> {
    const found = await this.#find('columns', { query: candleQuery(question), ...question }, caller)
    if (isRefusal(found)) return found
    const [{ buffer, byteOffset, byteLength }] = found.answer as readonly [Uint8Array]
    const columns = new Float64Array(buffer, byteOffset, byteLength / 8)
    return { columns, before: found.before ?? 0, settling: found.settling }
  }

  async #find(form: RangeTask['form'], question: RangeQuestion, caller: Caller): Promise<Answered | Refusal> {
    const { query, range, inputs, most = maxRangeCandles, isNewest = false } = question
    const tooLong = this.#refuse(question, most)
    if (tooLong) return tooLong
    const { first } = inputs[0].older
    const locations = inputs.map(({ older }) => older?.location)
    const task = {
      ...{ kind: 'range' as const, query: query && toSentQuery(query), memory: toSentInputs(inputs) },
      ...{ range, locations, first, isNewest, form, mostBars: most },
    }
    let pieceLength = this.#pieceLength
    let start = this.#startOf(question, isNewest ? Math.floor(range.to) + 1 : range.from)
    for (;;) {
      const result = await this.#run({ ...task, pieceLength, start }, caller)
      if (isRefusal(result)) return result
      this.#keep(question, result)
      const { isEmpty, refusal, answer, checkpoints } = result
      if (isEmpty && start) {
        // No candle follows the start, so continue from an earlier checkpoint: the newest value was passed on the way
        // there.
        start = this.#startOf(question, start.last)
        pieceLength = Number.POSITIVE_INFINITY
      } else if (refusal || answer.length > 0) return refusal ?? result
      else start = checkpoints?.at(-1)
    }
  }

  /** Refuses a question that is known to be too long or to have too many bars. */
  #refuse({ query, range, inputs, isNewest }: RangeQuestion, most: number): Refusal | undefined {
    const chart = query?.chart
    if (chart === undefined || hasCandleTimes(chart))
      return isNewest ? undefined : refuseLong(range, inputs[0], most)
    const within = this.#checkpoints
      .of(barsKey(inputs, chart))
      .filter(({ last }) => last >= range.from && last <= range.to)
    const bars = (within.at(-1)?.index ?? 0) - (within[0]?.index ?? 0)
    return bars > most && !isNewest ? tooManyBars(most) : undefined
  }

  /** Best checkpoint for a calculation that must reach a time (Unix seconds). */
  #startOf({ query, inputs }: RangeQuestion, time: number): Checkpoint | undefined {
    const known = query && this.#checkpoints.before(rangeKey(inputs, query), time)
    if (!query?.chart || !shapeOf(query).isStateless) return known
    // Without a state, values depend only on the preceding bars, so checkpoints of other calculations over the same
    // bars can be used.
    const before = this.#checkpoints.of(barsKey(inputs, query.chart)).filter(({ last }) => last < time)
    const nearest = before.at(-1)?.index ?? 0
    const { lookback } = shapeOf(query)
    const bars = before.findLast(({ index }) => index + lookback <= nearest)
    return bars && (!known || known.index < bars.index) ? { ...bars, index: bars.index + lookback } : known
  }

  #keep({ query, inputs }: RangeQuestion, { checkpoints = [] }: Answered): void {
    if (!query) return
    this.#checkpoints.keep(rangeKey(inputs, query), checkpoints)
    if (query.chart) this.#checkpoints.keep(barsKey(inputs, query.chart), checkpoints.map(withoutValues))
  }

  /** Computes the results for time ranges in a bulk answer, and returns the layout with these results finished. */
  async finish(layout: BulkLayout, caller: Caller): Promise<BulkLayout> {
    const finished = await this.all(
      questionsOf(layout.computations),
      async (question): Promise<FinishedResult | Refusal> => {
        const found = await this.answer(question, caller)
        if (isRefusal(found)) return found
        return { text: found.body.takeText(), settling: found.settling ?? noSettling }
      },
    )
    return withFinished(layout, finished)
  }

  /** Answers the questions of a bulk request by item, a few concurrently. An answer that throws is a refusal. */
  async all<Item, Result>(
    asked: readonly (readonly [Item, RangeQuestion])[],
    answer: (question: RangeQuestion) => Promise<Result | Refusal>,
  ): Promise<ReadonlyMap<Item, Result | Refusal>> {
    const questions = [...asked]
    const answers = new Map<Item, Result | Refusal>()
    const most = Math.min(maxRangeCandles, Math.ceil(maxRangeCandlesOfBulk / questions.length))
    const work = async () => {
      for (let next = questions.shift(); next; next = questions.shift()) {
        const [item, question] = next
        try {
          answers.set(item, await answer({ ...question, most }))
        } catch (error) {
          this.#onBug(error)
          answers.set(item, refusal(500, computationFailed()))
        }
      }
    }
    await Promise.all(Array.from({ length: parallelInBulk }, work))
    return answers
  }
}

/** Unknown convergence, used for values over the bars of a chart. */
const noSettling: Settling = { digits: 0, from: null }

/** Questions for the computations that have a time range and older candles. */
const questionsOf = <Item extends Pick<BulkComputation, 'query' | 'inputs'>>(
  computations: readonly Item[],
): (readonly [Item, RangeQuestion])[] =>
  computations.flatMap(each => {
    const { query, inputs } = each
    const { range } = query
    return range && isDeep(inputs) ? [[each, { query, range, inputs }] as const] : []
  })

/** Refuses a range with more candles than an answer may have. */
function refuseLong(range: TimeRange, snapshot: DeepSnapshot, most: number): Refusal | undefined {
  const { timeframe, first } = snapshot.older
  const from = Math.max(range.from, first)
  const to = Math.min(range.to, timestampAt(snapshot, snapshot.count - 1))
  const candles = Math.floor(candlesBetween(timeframe, from, to)) + 1
  if (candles <= most) return undefined
  const end = openOf(timeframe, from + (most - 1) * timeframes[timeframe])
  return rangeTooLong(candles, most, formatTime(from), formatTime(end))
}

/** Distance between two checkpoints of a task, in candles plus bars of a chart. */
export const checkpointDistance = (pieceLength: number): number => Math.min(16_384, pieceLength)

/** Approximate bytes of a checkpoint without its state, and of a calculation without its checkpoints. */
const objectBytes = 200

const defaultBytes = 8 * 1024 * 1024

/** Maximum share of the memory for the checkpoints of one calculation. */
const mostShare = 1 / 8

const bytesOf = (checkpoints: readonly Checkpoint[]): number =>
  checkpoints.reduce(
    (sum, { state, chart }) => sum + objectBytes + state.byteLength + (chart?.bars.byteLength ?? 0),
    objectBytes,
  )

/**
 * Checkpoints of calculations over long histories, at distances and after the last candle before those in memory. A
 * later question for any range starts at one of them. Beyond `maxBytes` the least recently used calculations are
 * dropped.
 */
class Checkpoints {
  /** Checkpoints per calculation, in the order of time. */
  readonly #known: LRUCache<string, readonly Checkpoint[]>

  /** Minimum distance between two kept checkpoints, in candles plus bars of a chart. */
  readonly #distance: number
  readonly #maxBytes: number

  constructor(distance: number, maxBytes = defaultBytes) {
    this.#distance = distance
    this.#maxBytes = maxBytes
    this.#known = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (checkpoints, key) => bytesOf(checkpoints) + key.length,
    })
  }

  /** Approximate bytes of memory used. */
  get bytes(): number {
    return this.#known.calculatedSize
  }

  /** The checkpoints of a calculation, in the order of time. */
  of(key: string): readonly Checkpoint[] {
    return this.#known.get(key) ?? []
  }

  /** The last checkpoint of a calculation whose candles all open before `time` (Unix seconds). */
  before(key: string, time: number): Checkpoint | undefined {
    return this.of(key).findLast(({ last }) => last < time)
  }

  /** Adds the checkpoints that are later than the known ones. */
  keep(key: string, checkpoints: readonly Checkpoint[]): void {
    let known = this.of(key)
    const end = known.at(-1)?.passed ?? Number.NEGATIVE_INFINITY
    for (const checkpoint of checkpoints)
      if (checkpoint.passed > end) known = [...this.#staying(known), checkpoint]
    // With half as many, a later question has twice as many candles to compute.
    while (known.length > 1 && bytesOf(known) > this.#maxBytes * mostShare)
      known = known.filter((_, k) => (known.length - k) % 2 === 1)
    if (known.length > 0) this.#known.set(key, known)
  }

  /**
   * Checkpoints kept when a new one is added. Drops the last checkpoint if it is closer to its predecessor than the
   * minimum distance.
   */
  #staying(known: readonly Checkpoint[]): readonly Checkpoint[] {
    const [before = 0, last] = [known.at(-2)?.passed, known.at(-1)]
    return last && last.passed - before < this.#distance ? known.slice(0, -1) : known
  }
}
