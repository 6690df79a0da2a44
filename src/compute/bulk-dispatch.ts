import { busy, isRefusal, type Refusal } from '../contract/refusals.js'
import { type ComputeContext, type Segment, writeFailedSegments, writeSegments } from './bulk-layout.js'
import type { Calculator } from './calculator.js'
import { CostEstimates } from './costs.js'
import type { BodyParser } from './json/body-parser.js'
import { StringSink } from './json/sink.js'
import { readSuppliedBulk } from './supplied-bulk.js'
import { BodyFragments } from './workers/buffer-pool.js'
import { Displaced } from './workers/displaced.js'
import type { WorkerPool } from './workers/pool.js'
import { type BodyTask, packTask, type WorkerTask } from './workers/worker-task.js'

/** JSON text: as a string, or in UTF-8 as fragments that must be released. */
export type ResponseBody = string | BodyFragments

/** The connection that waits for an answer. */
export interface Caller {
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal
}

interface Options {
  readonly calculator: Calculator
  readonly bodyParser: BodyParser
  readonly threads: number
  /** The maximum of tasks that may wait for a thread. */
  readonly maxQueuedTasks: number
  /** Answers of at most so many estimated microseconds are computed on the event loop. */
  readonly inlineBudgetUs: number
  /** Larger bodies are read by a worker. */
  readonly inlineBodyBytes: number
  /** Called with bugs in computations and deaths of workers; the answers are completed without them. */
  readonly onFailure: (error: unknown) => void
  /** The module that workers run. */
  readonly worker?: URL
}

/** Less work is not worth a task of its own: several times what passing it to a thread and back costs. */
const minTaskNs = 200_000

/** Seconds after which a client may repeat a request that was refused because too many tasks wait. */
const busyRetrySeconds = 1

const encoder = new TextEncoder()

/** Decides whether a bulk answer is computed on the event loop or by worker threads, and returns it. */
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
   * The text of an answer: computed at once where that takes little, else by the pool, in tasks of equal weight. A
   * refusal when too many tasks wait.
   */
  run(
    segments: readonly Segment[],
    verbose: boolean,
    caller: Caller,
    accountId: string,
  ): ResponseBody | Promise<ResponseBody | Refusal> {
    const weights = segments.map(segment =>
      typeof segment === 'string' ? 0 : this.#costs.estimate(segment.query, segment.snapshot),
    )
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    if (total <= this.#options.inlineBudgetUs * 1000) return this.#runInline(segments, verbose)
    const tasks = Math.min(this.#options.threads, Math.max(1, Math.floor(total / minTaskNs)))
    return this.#runOnPool(cutIntoRuns(segments, weights, tasks), verbose, caller, accountId)
  }

  /** Whether a body is so long that it must be read by a worker. */
  isLong(body: Uint8Array): boolean {
    return body.byteLength > this.#options.inlineBodyBytes
  }

  /**
   * The answer to a body of `POST /bulk-candles`, for a plan that allows so many constructs. The body must not
   * change until the answer is there.
   */
  runSupplied(
    body: Uint8Array,
    allowed: number,
    caller: Caller,
    accountId: string,
  ): ResponseBody | Refusal | Promise<ResponseBody | Refusal> {
    if (this.isLong(body)) return this.#runSuppliedOnPool(body, allowed, caller, accountId)
    const bulk = readSuppliedBulk(this.#options.bodyParser, body, allowed)
    return isRefusal(bulk) ? bulk : this.run(bulk.segments, bulk.verbose, caller, accountId)
  }

  /**
   * The answer of a worker to a body, which must not change until then; a refusal when too many tasks wait. Rejects
   * when the worker died.
   */
  async runBody(task: BodyTask, caller: Caller, accountId: string): Promise<BodyFragments | Refusal> {
    const answer = await this.#tryBody(task, caller, accountId)
    // A client that has disconnected does not read its reply.
    if (!answer && caller.signal.aborted) return busy(busyRetrySeconds)
    if (!answer) throw new Error(`a body of ${task.body.byteLength} bytes could not be read`)
    return answer
  }

  async close(): Promise<void> {
    await (await this.#pool)?.close()
  }

  #runInline(segments: readonly Segment[], verbose: boolean): string {
    const sink = new StringSink(this.#options.calculator.writer)
    writeSegments(this.#context, segments, verbose, sink)
    return sink.text
  }

  async #runOnPool(
    runs: readonly Run[],
    verbose: boolean,
    caller: Caller,
    accountId: string,
  ): Promise<ResponseBody | Refusal> {
    const pool = await this.#open()
    if (!pool.makeRoom(accountId, runs.length)) return busy(busyRetrySeconds)
    const texts: (readonly Uint8Array[])[] = []
    let refusal: Refusal | undefined
    const heaviestFirst = runs.map((_, at) => at).sort((a, b) => weightOf(runs, b) - weightOf(runs, a))
    await Promise.all(
      heaviestFirst.map(async at => {
        const { segments } = runs[at] as Run
        const result = await this.#runTask(pool, packTask(segments, verbose), caller, accountId)
        if (isRefusal(result)) refusal = result
        else texts[at] = result ?? [encoder.encode(writeFailedSegments(segments, verbose))]
      }),
    )
    const body = new BodyFragments(texts.flat())
    if (!refusal) return body
    body.release()
    return refusal
  }

  async #runSuppliedOnPool(
    body: Uint8Array,
    allowed: number,
    caller: Caller,
    accountId: string,
  ): Promise<ResponseBody | Refusal> {
    const task = { kind: 'bulk-candles', body, allowed } as const
    const answer = await this.#tryBody({ ...task, isFailed: false }, caller, accountId)
    // The worker died. Another one reads the ids of the answer from the body; without computations that is safe.
    return answer ?? this.runBody({ ...task, isFailed: true }, caller, accountId)
  }

  /** The answer of a worker to a body; undefined when the worker died or the client has disconnected. */
  async #tryBody(
    task: BodyTask,
    caller: Caller,
    accountId: string,
  ): Promise<BodyFragments | Refusal | undefined> {
    const pool = await this.#open()
    if (!pool.makeRoom(accountId, 1)) return busy(busyRetrySeconds)
    const answer = await this.#runTask(pool, task, caller, accountId)
    return !answer || isRefusal(answer) ? answer : new BodyFragments(answer)
  }

  /**
   * Runs a task on the pool; undefined when its worker died or the client has disconnected, a refusal also when the task
   * was displaced.
   */
  async #runTask(
    pool: WorkerPool,
    task: WorkerTask | BodyTask,
    caller: Caller,
    accountId: string,
  ): Promise<readonly Uint8Array[] | Refusal | undefined> {
    try {
      const { answer, costs, bugs } = await pool.run(task, accountId, caller.signal)
      if ('queries' in task) {
        for (const [at, { indicator }] of task.queries.entries())
          this.#costs.record(indicator, 1, costs[at] as number)
      }
      for (const bug of bugs) this.#options.onFailure(new Error(bug))
      return answer
    } catch (error) {
      if (error instanceof Displaced) return busy(busyRetrySeconds)
      if (!caller.signal.aborted) this.#options.onFailure(error)
      return undefined
    }
  }

  /** The pool, started on first use: threads cost memory, and Piscina time to load. */
  #open(): Promise<WorkerPool> {
    this.#pool ??= import('./workers/pool.js').then(({ WorkerPool }) => {
      const {
        threads,
        maxQueuedTasks,
        onFailure,
        worker = new URL('./workers/worker.js', import.meta.url),
      } = this.#options
      return new WorkerPool({ threads, maxQueuedTasks, worker, onFailure })
    })
    return this.#pool
  }
}

/** Segments that follow one another, with their weight in nanoseconds. */
interface Run {
  readonly segments: readonly Segment[]
  readonly weight: number
}

const weightOf = (runs: readonly Run[], at: number) => (runs[at] as Run).weight

/**
 * Cuts segments into at most `count` runs of about equal weight. Runs keep the order of the request, so that their
 * texts only have to be joined, and most series are used by one thread only.
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
    // A run ends after a computation; the last one takes all remaining segments.
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
