import { LRUCache } from 'lru-cache'
import { type Chart, hasCandleTimes } from '../../candles/charts/chart.js'
import { Columns, type OlderCandles, type Snapshot, timestampAt } from '../../candles/columns.js'
import { formatTime } from '../../candles/format-time.js'
import { candlesBetween, openOf, timeframes } from '../../candles/timeframe.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import { tooManyBars } from '../../contract/expression-refusals.js'
import { maxRangeCandles, maxRangeCandlesOfBulk } from '../../contract/limits.js'
import { type Query, specKey } from '../../contract/query.js'
import { computationFailed, isRefusal, type Refusal, rangeTooLong, refusal } from '../../contract/refusals.js'
import type { TimeRange } from '../../contract/time-range.js'
import { BodyFragments } from '../../runtime/buffer-pool.js'
import { recentEntries } from '../../runtime/caches.js'
import type { Settling } from '../answer.js'
import { type BulkLayout, type Computation, type FinishedResult, withFinished } from '../bulk-layout.js'
import type { Checkpoint } from '../kernels/block-calculator.js'
import { isStateless } from '../kernels/calculator.js'
import { type Answered, type Caller, type RangeTask, toSentQuery, toSentSeries } from '../task.js'

/** A snapshot with candles before it. */
export type DeepSnapshot = Snapshot & { readonly older: OlderCandles }

/** Whether there are candles before those of a snapshot, which a thread reads. */
export const isDeep = (snapshot: Snapshot): snapshot is DeepSnapshot => snapshot.older !== undefined

/** What is wanted of a time: the values of a query, or without one the candles. */
export interface RangeQuestion {
  readonly query?: Query | undefined
  /** What is made of the candles, without a query. */
  readonly chart?: Chart | undefined
  readonly range: TimeRange
  readonly snapshot: DeepSnapshot
  /** The most candles of the time. */
  readonly most?: number
  /** Whether only the newest value of the time is wanted. */
  readonly isNewest?: boolean
}

/** The values of a time as columns. */
export interface RangeColumns {
  readonly columns: Float64Array
  /** The number of candles of the history before them; 0 where values depend on their own candle alone. */
  readonly before: number
  readonly settling: Settling | undefined
}

/** The prices and volumes of candles. */
const candleQuery = ({ range, chart }: RangeQuestion): Query => ({
  ...{ indicator: catalogue.get('candle') as Entry, params: {}, range, chart },
  ...{ results: Number.POSITIVE_INFINITY, backtrack: 0 },
})

/** The candles, or bars, that a question without a query has found. */
export function candlesOf({ columns: { buffer } }: RangeColumns): Snapshot {
  const columns = Columns.over(buffer)
  const { capacity: count } = columns
  return { columns, closed: count, forming: undefined, count }
}

/** The values, or candles, of a time. */
interface RangeAnswer {
  readonly body: BodyFragments
  /** The number of candles of the history before the first one that has a value; 0 where values depend on their own candle alone. */
  readonly before: number
  /** How far the values have settled. */
  readonly settling: Settling | undefined
}

/** Computations of one bulk request that are under way at a time. */
const parallelInBulk = 4

interface Options {
  /** Runs a task when it is the turn of the account. */
  readonly run: (task: RangeTask, caller: Caller) => Promise<Answered | Refusal>
  /** Called with the error of a computation of a bulk request that threw. */
  readonly onBug: (error: unknown) => void
  /** Memory for checkpoints. */
  readonly maxBytes?: number | undefined
  /** Candles of one task. */
  readonly pieceLength?: number | undefined
}

/** Candles of one task. */
const defaultPieceLength = 131_072

/** Charts that are known to have too many bars. */
const mostFull = 1_000

/** The calculation of a query, as checkpoints are found by it. */
const rangeKey = ({ older: { id } }: DeepSnapshot, query: Query): string => `${id} ${specKey(query)}`

/** The bars of a chart, likewise. */
const barsKey = ({ older: { id } }: DeepSnapshot, chart: Chart): string => `${id} ${chart.text}`

const noValues = new Float64Array()

/** What makes bars behind a checkpoint of a calculation over them. */
const withoutValues = ({ chart, ...checkpoint }: Checkpoint): Checkpoint => ({
  ...checkpoint,
  state: noValues,
  ...(chart && { chart: { flow: chart.flow, bars: noValues.buffer } }),
})

/**
 * Answers for times of histories that are longer than what is in memory: the values of one calculation over all candles,
 * cut. Threads compute them in pieces, each from the checkpoint to which the one before has come.
 */
export class RangeAnswers {
  readonly #run: Options['run']
  readonly #onBug: Options['onBug']
  readonly #pieceLength: number
  readonly #checkpoints: Checkpoints
  /** By bars of a chart: when there are more than are made on the way to any time, in Unix seconds. */
  readonly #fullAt = recentEntries<number>(mostFull)

  constructor({ run, onBug, maxBytes, pieceLength = defaultPieceLength }: Options) {
    this.#run = run
    this.#onBug = onBug
    this.#checkpoints = new Checkpoints(checkpointDistance(pieceLength), maxBytes)
    this.#pieceLength = pieceLength
  }

  /** Bytes of memory that checkpoints take. */
  get bytes(): number {
    return this.#checkpoints.bytes
  }

  /** The answer, or why there is none. Rejects where a computation throws. */
  async answer(question: RangeQuestion, caller: Caller): Promise<RangeAnswer | Refusal> {
    const isBars = question.query === undefined && question.chart !== undefined
    const asked = isBars ? { query: candleQuery(question), ...question } : question
    const found = await this.#find(isBars ? 'candles' : 'values', asked, caller)
    if (isRefusal(found)) return found
    const { answer, settling, before = 0 } = found
    return { body: new BodyFragments(answer), settling, before }
  }

  /** The same values as `packColumns` lays them out; without a query those of the candles, which are columns of candles. */
  async columns(question: RangeQuestion, caller: Caller): Promise<RangeColumns | Refusal> {
    const found = await this.#find('columns', { query: candleQuery(question), ...question }, caller)
    if (isRefusal(found)) return found
    const [{ buffer, byteOffset, byteLength }] = found.answer as readonly [Uint8Array]
    const columns = new Float64Array(buffer, byteOffset, byteLength / 8)
    return { columns, before: found.before ?? 0, settling: found.settling }
  }

  async #find(form: RangeTask['form'], question: RangeQuestion, caller: Caller): Promise<Answered | Refusal> {
    const { query, range, snapshot, most = maxRangeCandles, isNewest = false } = question
    const tooLong = this.#refuse(question, most)
    if (tooLong) return tooLong
    const { first, place, others } = snapshot.older
    const task = {
      ...{ kind: 'range' as const, query: query && toSentQuery(query), memory: toSentSeries(snapshot) },
      ...{ range, place, others, first, isNewest, form, mostBars: most },
    }
    let pieceLength = this.#pieceLength
    let start = this.#startOf(question, isNewest ? Math.floor(range.to) + 1 : range.from)
    for (;;) {
      const result = await this.#run({ ...task, pieceLength, start }, caller)
      if (isRefusal(result)) return result
      this.#keep(question, result)
      const { isEmpty, refusal, answer, checkpoints } = result
      if (isEmpty && start) {
        // The newest value is one that was passed on the way there.
        start = this.#startOf(question, start.last)
        pieceLength = Number.POSITIVE_INFINITY
      } else if (refusal || answer.length > 0) return refusal ?? result
      else start = checkpoints?.at(-1)
    }
  }

  /** The refusal of what is known to be too long, or to have too many bars. */
  #refuse({ query, range, snapshot, isNewest }: RangeQuestion, most: number): Refusal | undefined {
    const chart = query?.chart
    if (chart === undefined || hasCandleTimes(chart))
      return isNewest ? undefined : refuseLong(range, snapshot, most)
    const key = barsKey(snapshot, chart)
    const fullAt = this.#fullAt.get(key)
    const isFull = fullAt !== undefined && fullAt <= range.to
    const within = this.#checkpoints.of(key).filter(({ last }) => last >= range.from && last <= range.to)
    const bars = (within.at(-1)?.index ?? 0) - (within[0]?.index ?? 0)
    return isFull || (bars > most && !isNewest) ? tooManyBars(most) : undefined
  }

  /** Where a calculation begins that is to reach a time (Unix seconds). */
  #startOf({ query, snapshot }: RangeQuestion, time: number): Checkpoint | undefined {
    const known = query && this.#checkpoints.before(rangeKey(snapshot, query), time)
    if (!query?.chart || !isStateless(query)) return known
    // Its values are those of the bars before them, whatever other calculation has passed these.
    const before = this.#checkpoints.of(barsKey(snapshot, query.chart)).filter(({ last }) => last < time)
    const nearest = before.at(-1)?.index ?? 0
    const lookback = query.indicator.lookback(query.params)
    const bars = before.findLast(({ index }) => index + lookback <= nearest)
    return bars && (!known || known.index < bars.index) ? { ...bars, index: bars.index + lookback } : known
  }

  /** Keeps what a task has passed for later questions. */
  #keep({ query, snapshot }: RangeQuestion, { checkpoints = [], fullAt }: Answered): void {
    if (!query) return
    this.#checkpoints.keep(rangeKey(snapshot, query), checkpoints)
    if (!query.chart) return
    const key = barsKey(snapshot, query.chart)
    this.#checkpoints.keep(key, checkpoints.map(withoutValues))
    if (fullAt !== undefined) this.#fullAt.set(key, fullAt)
  }

  /** A bulk answer in which the results for times are finished. */
  async finish(layout: BulkLayout, caller: Caller): Promise<BulkLayout> {
    const finished = new Map<Computation, FinishedResult | Refusal>()
    await this.all(
      questionsOf(layout.computations),
      async (computation, question) => {
        const found = await this.answer(question, caller)
        const result = isRefusal(found)
          ? found
          : { text: found.body.takeText(), settling: found.settling ?? noSettling }
        finished.set(computation, result)
      },
      (computation, refusal) => finished.set(computation, refusal),
    )
    return withFinished(layout, finished)
  }

  /** Answers the questions of a bulk request, some at a time, by `answer`. Where that throws, `fail` is called instead. */
  async all<Item>(
    asked: readonly (readonly [Item, RangeQuestion])[],
    answer: (item: Item, question: RangeQuestion) => Promise<void>,
    fail: (item: Item, refusal: Refusal) => void,
  ): Promise<void> {
    const questions = [...asked]
    const most = Math.min(maxRangeCandles, Math.ceil(maxRangeCandlesOfBulk / questions.length))
    const work = async () => {
      for (let next = questions.shift(); next; next = questions.shift()) {
        const [item, question] = next
        try {
          await answer(item, { ...question, most })
        } catch (error) {
          this.#onBug(error)
          fail(item, refusal(500, computationFailed()))
        }
      }
    }
    await Promise.all(Array.from({ length: parallelInBulk }, work))
  }
}

/** Over the bars of a chart nothing is known of it. */
const noSettling: Settling = { digits: 0, from: null }

/** What is wanted of each computation that is about a time and has candles before those in memory. */
const questionsOf = <Item extends Pick<Computation, 'query' | 'snapshot'>>(
  computations: readonly Item[],
): (readonly [Item, RangeQuestion])[] =>
  computations.flatMap(each => {
    const { query, snapshot } = each
    const { range } = query
    return range && isDeep(snapshot) ? [[each, { query, range, snapshot }] as const] : []
  })

/** The refusal of a time that has more candles than an answer may have. */
function refuseLong(range: TimeRange, snapshot: DeepSnapshot, most: number): Refusal | undefined {
  const { timeframe, first } = snapshot.older
  const from = Math.max(range.from, first)
  const to = Math.min(range.to, timestampAt(snapshot, snapshot.count - 1))
  const candles = Math.floor(candlesBetween(timeframe, from, to)) + 1
  if (candles <= most) return undefined
  const end = openOf(timeframe, from + (most - 1) * timeframes[timeframe])
  return rangeTooLong(candles, most, formatTime(from), formatTime(end))
}

/** Candles, and bars of a chart, between two checkpoints of tasks of a length. */
export const checkpointDistance = (pieceLength: number): number => Math.min(16_384, pieceLength)

/** Bytes of memory that a checkpoint takes without its state, and a calculation without its checkpoints, about. */
const objectBytes = 200

/** Memory where nothing else is set. */
const defaultBytes = 8 * 1024 * 1024

/** The checkpoints of one calculation take at most this part of the memory for all. */
const mostShare = 1 / 8

const bytesOf = (checkpoints: readonly Checkpoint[]): number =>
  checkpoints.reduce(
    (sum, { state, chart }) => sum + objectBytes + state.byteLength + (chart?.bars.byteLength ?? 0),
    objectBytes,
  )

/**
 * What calculations over long histories have come to, at distances and behind the candle before those in memory, so
 * that a later question for any time begins there. The least recently used calculations are dropped beyond `maxBytes`.
 */
class Checkpoints {
  /** By calculation, in the order of time. */
  readonly #known: LRUCache<string, readonly Checkpoint[]>

  /** Checkpoints that stay have at least so many candles, and bars of a chart, between them. */
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

  /** Bytes of memory that they take, about. */
  get bytes(): number {
    return this.#known.calculatedSize
  }

  /** The checkpoints of a calculation, in the order of time. */
  of(key: string): readonly Checkpoint[] {
    return this.#known.get(key) ?? []
  }

  /** The last checkpoint of a calculation that has only candles which open before `time` (Unix seconds). */
  before(key: string, time: number): Checkpoint | undefined {
    return this.of(key).findLast(({ last }) => last < time)
  }

  /** Keeps the checkpoints that are behind those it has. */
  keep(key: string, checkpoints: readonly Checkpoint[]): void {
    let known = this.of(key)
    const end = known.at(-1)?.passed ?? Number.NEGATIVE_INFINITY
    for (const checkpoint of checkpoints)
      if (checkpoint.passed > end) known = [...this.#staying(known), checkpoint]
    // With half as many, a later question has twice as far to go.
    while (known.length > 1 && bytesOf(known) > this.#maxBytes * mostShare)
      known = known.filter((_, k) => (known.length - k) % 2 === 1)
    if (known.length > 0) this.#known.set(key, known)
  }

  /** Those that stay when another one comes: a last one that is nearer to the one before it than the distance does not. */
  #staying(known: readonly Checkpoint[]): readonly Checkpoint[] {
    const [before = 0, last] = [known.at(-2)?.passed, known.at(-1)]
    return last && last.passed - before < this.#distance ? known.slice(0, -1) : known
  }
}
