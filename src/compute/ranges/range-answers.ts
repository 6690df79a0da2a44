import { type OlderCandles, type Snapshot, timestampAt } from '../../candles/columns.js'
import { formatTime } from '../../candles/format-time.js'
import { candlesBetween, openOf, timeframes } from '../../candles/timeframe.js'
import { maxRangeCandles, maxRangeCandlesOfBulk } from '../../contract/limits.js'
import { type Query, specKey } from '../../contract/query.js'
import { refusal } from '../../contract/refusal.js'
import { computationFailed, isRefusal, type Refusal, rangeTooLong } from '../../contract/refusals.js'
import type { TimeRange } from '../../contract/time-range.js'
import { BodyFragments } from '../../runtime/buffer-pool.js'
import type { Settling } from '../answer.js'
import type { Caller } from '../bulk/bulk-inline.js'
import { type BulkLayout, type Computation, type FinishedResult, withFinished } from '../bulk/bulk-layout.js'
import { type Answered, type RangeTask, toSentQuery, toSentSeries } from '../workers/worker-task.js'
import { Checkpoints } from './checkpoints.js'

/** A snapshot with candles before it. */
export type DeepSnapshot = Snapshot & { readonly older: OlderCandles }

/** Whether there are candles before those of a snapshot, which a thread reads. */
export const isDeep = (snapshot: Snapshot): snapshot is DeepSnapshot => snapshot.older !== undefined

/** What is wanted of a time: the values of a query, or without one the candles. */
export interface RangeQuestion {
  readonly query?: Query | undefined
  readonly range: TimeRange
  readonly snapshot: DeepSnapshot
  /** The most candles of the time. */
  readonly most?: number
}

/** The values, or candles, of a time. */
interface RangeAnswer {
  readonly body: BodyFragments
  /** How far the values have settled. */
  readonly settling: Settling | undefined
}

/** Computations of one bulk request that are under way at a time. */
const parallelInBulk = 4

interface Options {
  /** Runs a task when it is the turn of the account. */
  readonly run: (task: RangeTask, caller: Caller, accountId: string) => Promise<Answered | Refusal>
  /** Called with the error of a computation of a bulk request that threw. */
  readonly onBug: (error: unknown) => void
  /** Memory for checkpoints. */
  readonly maxBytes?: number | undefined
  /** Candles of one task. */
  readonly pieceLength?: number | undefined
}

/** Candles of one task. */
const defaultPieceLength = 131_072

/**
 * Answers for times of histories that are longer than what is in memory: the values of one calculation over all candles,
 * cut. Threads compute them in pieces, each from the checkpoint to which the one before has come.
 */
export class RangeAnswers {
  readonly #run: Options['run']
  readonly #onBug: Options['onBug']
  readonly #pieceLength: number
  readonly #checkpoints: Checkpoints

  constructor({ run, onBug, maxBytes, pieceLength = defaultPieceLength }: Options) {
    this.#run = run
    this.#onBug = onBug
    this.#checkpoints = new Checkpoints(pieceLength, maxBytes)
    this.#pieceLength = pieceLength
  }

  /** Bytes of memory that checkpoints take. */
  get bytes(): number {
    return this.#checkpoints.bytes
  }

  /** The answer, or why there is none. Rejects where a computation throws. */
  async answer(
    { query, range, snapshot, most = maxRangeCandles }: RangeQuestion,
    { signal = new AbortController().signal }: Partial<Caller>,
    accountId: string,
  ): Promise<RangeAnswer | Refusal> {
    const tooLong = refuseLong(range, snapshot, most)
    if (tooLong) return tooLong
    const { id, first, place } = snapshot.older
    const key = query && `${id} ${specKey(query)}`
    const task = {
      kind: 'range' as const,
      query: query && toSentQuery(query),
      memory: toSentSeries(snapshot),
      ...{ range, place, first, pieceLength: this.#pieceLength },
    }
    for (let start = key && this.#checkpoints.before(key, range.from); ; ) {
      const result = await this.#run({ ...task, start: start || undefined }, { signal }, accountId)
      if (isRefusal(result)) return result
      const { answer, checkpoint, settling } = result
      if (checkpoint && key) this.#checkpoints.keep(key, checkpoint)
      if (answer.length > 0) return { body: new BodyFragments(answer), settling }
      start = checkpoint
    }
  }

  /** A bulk answer in which the results for times are finished. */
  async finish(layout: BulkLayout, caller: Caller, accountId: string): Promise<BulkLayout> {
    const questions = [...questionsOf(layout)]
    const most = Math.min(maxRangeCandles, Math.ceil(maxRangeCandlesOfBulk / questions.length))
    const finished = new Map<Computation, FinishedResult | Refusal>()
    const work = async () => {
      for (let next = questions.shift(); next; next = questions.shift()) {
        const [computation, question] = next
        try {
          const found = await this.answer({ ...question, most }, caller, accountId)
          const result = isRefusal(found)
            ? found
            : { text: found.body.takeText(), settling: found.settling as Settling }
          finished.set(computation, result)
        } catch (error) {
          this.#onBug(error)
          finished.set(computation, refusal(500, computationFailed()))
        }
      }
    }
    await Promise.all(Array.from({ length: parallelInBulk }, work))
    return withFinished(layout, finished)
  }
}

/** What is wanted of each computation that is about a time and has candles before those in memory. */
function* questionsOf({ computations }: BulkLayout): Generator<readonly [Computation, RangeQuestion]> {
  for (const computation of computations) {
    const { query, snapshot } = computation
    if (query.range && isDeep(snapshot)) yield [computation, { query, range: query.range, snapshot }]
  }
}

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
