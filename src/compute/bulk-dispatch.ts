import { readBulkCandles } from '../contract/bulk.js'
import { busy, isRefusal, type Refusal } from '../contract/refusals.js'
import {
  type ComputeContext,
  layoutBulk,
  type Segment,
  writeFailedSegments,
  writeSegments,
} from './bulk-layout.js'
import type { Calculator } from './calculator.js'
import { CostEstimates } from './costs.js'
import { type BodyParser, constructsOf, readCandlesField } from './json/body-parser.js'
import { StringSink } from './json/sink.js'
import { BodyFragments } from './workers/buffer-pool.js'
import type { WorkerPool } from './workers/pool.js'
import { packTask, type SuppliedBodyTask, type WorkerTask } from './workers/worker-task.js'

/** JSON text: whole, or in UTF-8 as fragments that are to be released. */
export type ResponseBody = string | BodyFragments

/** Who waits for an answer. */
export interface Caller {
  /** Aborted when nobody waits any longer. */
  readonly signal: AbortSignal
}

interface Options {
  readonly calculator: Calculator
  readonly bodyParser: BodyParser
  readonly threads: number
  /** The most parts that may wait for a thread. */
  readonly queue: number
  /** What the event loop computes itself, in microseconds by estimate. */
  readonly inlineBudgetUs: number
  /** Bodies with candles that are larger are read by a worker. */
  readonly inlineBodyBytes: number
  /** Told of bugs in computations and of workers that died; the answers carry on without them. */
  readonly onFailure: (error: unknown) => void
  readonly worker?: URL
}

/** The least work that is worth another thread: several times what the hop there and back costs. */
const minTaskNs = 200_000

/** Seconds after which a caller who was turned away may find room. */
const retrySeconds = 1

const encoder = new TextEncoder()

/** Decides where a bulk answer is computed, and has it done. */
export class BulkDispatcher {
  readonly #options: Options
  readonly #costs = new CostEstimates()
  readonly #context: ComputeContext
  #pool: Promise<WorkerPool> | undefined

  constructor(options: Options) {
    this.#options = options
    this.#context = { calculator: options.calculator, costs: this.#costs, onBug: options.onFailure }
  }

  /**
   * The text that the segments of an answer make together: at once where that takes little, else from the pool, cut
   * into runs of equal weight. Refuses when too much waits already.
   */
  run(
    segments: readonly Segment[],
    verbose: boolean,
    caller: Caller,
  ): ResponseBody | Promise<ResponseBody | Refusal> {
    const weights = segments.map(segment =>
      typeof segment === 'string' ? 0 : this.#costs.estimate(segment.query, segment.snapshot),
    )
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    if (total <= this.#options.inlineBudgetUs * 1000) return this.#runHere(segments, verbose)
    const worthwhile = Math.max(1, Math.floor(total / minTaskNs))
    return this.#runOnPool(
      cutIntoRuns(segments, weights, Math.min(this.#options.threads, worthwhile)),
      verbose,
      caller,
    )
  }

  /**
   * The answer to a body of `POST /bulk-candles`, for a plan that allows so many constructs. The body is read until
   * then, but no longer.
   */
  runSupplied(
    body: Uint8Array,
    allowed: number,
    caller: Caller,
  ): ResponseBody | Refusal | Promise<ResponseBody | Refusal> {
    if (body.byteLength > this.#options.inlineBodyBytes) return this.#runBodyOnPool(body, allowed, caller)
    const read = readSuppliedSegments(this.#options.bodyParser, body, allowed)
    return isRefusal(read) ? read : this.run(read.segments, read.verbose, caller)
  }

  async close(): Promise<void> {
    await (await this.#pool)?.close()
  }

  #runHere(segments: readonly Segment[], verbose: boolean): string {
    const sink = new StringSink(this.#options.calculator.writer)
    writeSegments(this.#context, segments, verbose, sink)
    return sink.text
  }

  async #runOnPool(parts: readonly Run[], verbose: boolean, caller: Caller): Promise<ResponseBody | Refusal> {
    const pool = await this.#open()
    if (this.#isFull(pool, parts.length)) return busy(retrySeconds)
    const texts: (readonly Uint8Array[])[] = []
    const heaviestFirst = parts.map((_, at) => at).sort((a, b) => weightOf(parts, b) - weightOf(parts, a))
    await Promise.all(
      heaviestFirst.map(async at => {
        const { segments } = parts[at] as Run
        const done = await this.#do(pool, packTask(segments, verbose), caller)
        texts[at] = done && !isRefusal(done) ? done : [encoder.encode(writeFailedSegments(segments, verbose))]
      }),
    )
    return new BodyFragments(texts.flat())
  }

  async #runBodyOnPool(body: Uint8Array, allowed: number, caller: Caller): Promise<ResponseBody | Refusal> {
    const pool = await this.#open()
    if (this.#isFull(pool, 1)) return busy(retrySeconds)
    const done = await this.#do(pool, { body, allowed }, caller)
    if (done) return isRefusal(done) ? done : new BodyFragments(done)
    // The worker died over it: the envelope is still owed, and reading a body harms nobody.
    const read = readSuppliedSegments(this.#options.bodyParser, body, allowed)
    return isRefusal(read) ? read : writeFailedSegments(read.segments, read.verbose)
  }

  /** Has a task done; undefined when its worker died or nobody waits for it. */
  async #do(
    pool: WorkerPool,
    task: WorkerTask | SuppliedBodyTask,
    caller: Caller,
  ): Promise<readonly Uint8Array[] | Refusal | undefined> {
    try {
      const { result, costs, bugs } = await pool.run(task, caller.signal)
      if ('queries' in task) {
        for (const [at, { indicator }] of task.queries.entries())
          this.#costs.record(indicator, 1, costs[at] as number)
      }
      for (const bug of bugs) this.#options.onFailure(new Error(bug))
      return result
    } catch (error) {
      if (!caller.signal.aborted) this.#options.onFailure(error)
      return undefined
    }
  }

  #isFull(pool: WorkerPool, parts: number): boolean {
    return pool.queued + parts > this.#options.queue + pool.idle
  }

  /** The pool, which nothing starts before it is needed: threads cost memory and Piscina time to load. */
  #open(): Promise<WorkerPool> {
    this.#pool ??= import('./workers/pool.js').then(({ WorkerPool }) => {
      const { threads, onFailure, worker = new URL('./workers/worker.js', import.meta.url) } = this.#options
      return new WorkerPool({ threads, worker, onFailure })
    })
    return this.#pool
  }
}

/** Pieces that follow one another, with their weight in nanoseconds. */
interface Run {
  readonly segments: readonly Segment[]
  readonly weight: number
}

const weightOf = (runs: readonly Run[], at: number) => (runs[at] as Run).weight

/**
 * Cuts segments into at most `count` runs of about equal weight. Runs keep the order of the request, so that their
 * texts only have to follow one another, and most series are seen by one thread alone.
 */
function cutIntoRuns(
  segments: readonly Segment[],
  weights: readonly number[],
  count: number,
): readonly Run[] {
  const runs: Run[] = []
  let rest = weights.reduce((sum, weight) => sum + weight, 0)
  let begin = 0
  let weight = 0
  for (const [at, own] of weights.entries()) {
    weight += own
    // A run ends behind a computation; the last one takes all that is left.
    const isEnd = own > 0 && runs.length < count - 1
    if (isEnd && weight + (nextWeight(weights, at) ?? 0) / 2 >= rest / (count - runs.length)) {
      runs.push({ segments: segments.slice(begin, at + 1), weight })
      begin = at + 1
      rest -= weight
      weight = 0
    }
  }
  if (begin < segments.length) runs.push({ segments: segments.slice(begin), weight })
  return runs
}

/** The weight of the computation after the segment at `at`. */
const nextWeight = (weights: readonly number[], at: number) => weights[at + 2]

function readSuppliedSegments(
  bodyParser: BodyParser,
  body: Uint8Array,
  allowed: number,
): { readonly segments: readonly Segment[]; readonly verbose: boolean } | Refusal {
  const fields = bodyParser.fields(body, constructsOf)
  const bulk = isRefusal(fields) ? fields : readBulkCandles(fields, allowed, readCandlesField)
  if (isRefusal(bulk)) return bulk
  const sections = bulk.constructs.map(({ id, items, snapshot }) => ({ id, items, candles: snapshot }))
  return { segments: layoutBulk(sections, bulk.verbose), verbose: bulk.verbose }
}
