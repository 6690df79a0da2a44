import type { Snapshot } from '../candles/columns.js'
import type { IndicatorSpec, Query } from '../contract/query.js'
import { busy, isRefusal, type Refusal } from '../contract/refusals.js'
import { BodyFragments } from '../runtime/buffer-pool.js'
import { computeResult, refuseShort, tryWriteKept, writeResult } from './answer.js'
import { type Caller, InlineAnswers, type ResponseBody } from './bulk/bulk-inline.js'
import { type ComputeContext, type Segment, writeFailedSegments } from './bulk/bulk-layout.js'
import { type BulkPlan, planBulk, writeWarm } from './bulk/bulk-plan.js'
import { cutIntoRuns, type Run, withoutLongTexts } from './bulk/bulk-runs.js'
import { readSuppliedBulk } from './bulk/supplied-bulk.js'
import { CostEstimates, candlesToRun, mostNsKept, mostNsOf, type Place, placeOf } from './costs.js'
import type { BodyParser } from './json/body-parser.js'
import type { Calculator } from './kernels/calculator.js'
import type { KeptResults, ResultCache } from './results/result-cache.js'
import type { PackedResults } from './results/result-series.js'
import { Displaced } from './workers/displaced.js'
import type { WorkerPool } from './workers/pool.js'
import { type BodyTask, packTask, type TaskResult, type WorkerTask } from './workers/worker-task.js'

export type { Caller, ResponseBody }

interface Options {
  readonly calculator: Calculator
  readonly bodyParser: BodyParser
  /** Where the results of calculations over series in memory are kept; without it none are. */
  readonly resultCache?: ResultCache
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

/** Who asks for one answer reads it soon, so the client is not watched. Each has a signal, because each is listened to. */
const unwatched = (): Caller => ({ signal: new AbortController().signal })

/** Decides whether a bulk answer is computed on the event loop or by worker threads, and returns it. */
export class ComputeDispatcher {
  readonly #options: Options
  readonly #costs = new CostEstimates()
  readonly #context: ComputeContext
  readonly #inline: InlineAnswers
  #pool: Promise<WorkerPool> | undefined

  constructor(options: Options) {
    this.#options = options
    const { calculator, resultCache: cache } = options
    this.#context = {
      calculator,
      onBug: options.onFailure,
      writeValues: ({ query, snapshot, kept }, sink) => {
        if (cache && kept && tryWriteKept(calculator, cache, kept, query, snapshot, sink)) return
        if (!kept) cache?.count(false)
        writeResult(calculator, computeResult(calculator, query, snapshot, this.#costs), sink)
      },
    }
    this.#inline = new InlineAnswers(this.#context)
  }

  /**
   * The text of an answer. What takes little is computed at once, and so is what kept results answer; the rest by the
   * pool, in tasks of equal weight. A refusal when too many tasks wait.
   */
  run(
    segments: readonly Segment[],
    verbose: boolean,
    caller: Caller,
    accountId: string,
  ): ResponseBody | Promise<ResponseBody | Refusal> {
    return this.#run(segments, verbose, caller, accountId, this.#options.resultCache)
  }

  /**
   * The answer to one query that may hold the event loop for too long, by a thread. Undefined where it is to be computed at
   * once, or read from kept results. Rejects where the computation throws.
   */
  runLong(
    query: Query,
    snapshot: Snapshot,
    accountId: string,
  ): ResponseBody | Promise<ResponseBody | Refusal> | undefined {
    return this.#runLong(query, snapshot, accountId, this.#options.resultCache)
  }

  #runLong(
    query: Query,
    snapshot: Snapshot,
    accountId: string,
    cache: ResultCache | undefined,
  ): ResponseBody | Promise<ResponseBody | Refusal> | undefined {
    if (placeOfQuery(query, snapshot, cache) === 'here' || refuseShort(query, snapshot)) return undefined
    const body = this.#run(['', { query, snapshot }], false, unwatched(), accountId, cache)
    return body instanceof Promise ? body.then(orThrow) : orThrow(body)
  }

  /** As `runLong`, with the answer as a text. Where results are not kept, none are looked for either. */
  textOfLong(
    query: Query,
    snapshot: Snapshot,
    accountId: string,
    { isKept = true }: { readonly isKept?: boolean } = {},
  ): Promise<string | Refusal> | undefined {
    const body = this.#runLong(query, snapshot, accountId, isKept ? this.#options.resultCache : undefined)
    return body === undefined ? undefined : Promise.resolve(body).then(toText)
  }

  /**
   * The results of a calculation over the closed candles of a snapshot, with so many of the newest values, by a thread. A
   * refusal where too many tasks wait. Rejects where the computation throws and where the caller is gone.
   */
  async build(
    spec: IndicatorSpec,
    { columns, closed }: Snapshot,
    values: number,
    caller: Caller,
    accountId: string,
  ): Promise<PackedResults | Refusal> {
    const query = { ...spec, results: 1, backtrack: 0 }
    const snapshot = { columns, closed, forming: undefined, count: closed }
    const pool = await this.#open()
    if (!pool.makeRoom(accountId, 1)) return busy(busyRetrySeconds)
    const task = packTask(['', { query, snapshot }], false, () => values)
    const result = await this.#runTask(pool, task, caller, accountId)
    if (isRefusal(result)) return result
    caller.signal.throwIfAborted()
    if (result && !isRefusal(result.answer)) new BodyFragments(result.answer).release()
    const [packed] = result?.kept ?? []
    if (!packed) throw new Error('an indicator could not be computed')
    return packed
  }

  /** Whether the answer to a query whose results are not kept is computed at once. */
  isShort(query: Query, snapshot: Snapshot): boolean {
    return placeOfQuery(query, snapshot, undefined) === 'here'
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
    return isRefusal(bulk) ? bulk : this.#run(bulk.segments, bulk.verbose, caller, accountId, undefined)
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

  /** `cache` is undefined for supplied candles, which nobody asks for again. */
  #run(
    segments: readonly Segment[],
    verbose: boolean,
    caller: Caller,
    accountId: string,
    cache: ResultCache | undefined,
  ): ResponseBody | Promise<ResponseBody | Refusal> {
    const { threads, inlineBudgetUs } = this.#options
    const plan = planBulk(segments, this.#costs, cache)
    const isWarmShort = placeOf(plan.warmMostNs) === 'here'
    const isColdShort = plan.coldNs <= inlineBudgetUs * 1000 && placeOf(plan.longestNs) === 'here'
    if (isWarmShort && isColdShort) return this.#runInline(segments, verbose, plan, caller)
    const cold = isWarmShort ? writeWarm(this.#context, segments, plan, verbose) : segments
    const weights = cold.map(each =>
      typeof each === 'string' ? 0 : this.#costs.estimate(each.query, each.snapshot),
    )
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const tasks = Math.min(threads, Math.max(1, Math.floor(total / minTaskNs)))
    cache?.count(false, weights.filter(weight => weight > 0).length)
    const keep = cache !== undefined && plan.coldBytes <= cache.maxBytesOfRequest ? cache : undefined
    return this.#runOnPool(cutIntoRuns(cold, weights, tasks), verbose, caller, accountId, keep)
  }

  #runInline(
    segments: readonly Segment[],
    verbose: boolean,
    plan: BulkPlan,
    caller: Caller,
  ): ResponseBody | Promise<ResponseBody | Refusal> {
    const body = this.#inline.write(segments, verbose, plan, caller)
    // A client that has disconnected does not read its reply.
    return body instanceof Promise ? body.then(written => written ?? busy(busyRetrySeconds)) : body
  }

  async #runOnPool(
    runs: readonly Run[],
    verbose: boolean,
    caller: Caller,
    accountId: string,
    cache: ResultCache | undefined,
  ): Promise<ResponseBody | Refusal> {
    const pool = await this.#open()
    if (!pool.makeRoom(accountId, runs.length)) return busy(busyRetrySeconds)
    const texts: (readonly Uint8Array[])[] = []
    let refusal: Refusal | undefined
    const heaviestFirst = [...runs.keys()].sort((a, b) => (runs[b] as Run).weight - (runs[a] as Run).weight)
    await Promise.all(
      heaviestFirst.map(async at => {
        const { before, segments, after } = withoutLongTexts(runs[at] as Run)
        const result = await this.#runSegments(pool, segments, verbose, caller, accountId, cache)
        if (isRefusal(result)) refusal = result
        else texts[at] = [...before, ...result, ...after]
      }),
    )
    const body = new BodyFragments(texts.flat())
    if (!refusal) return body
    body.release()
    return refusal
  }

  /** The answer of a thread to segments. Results that are asked for again are kept in `cache`. */
  async #runSegments(
    pool: WorkerPool,
    segments: readonly Segment[],
    verbose: boolean,
    caller: Caller,
    accountId: string,
    cache: ResultCache | undefined,
  ): Promise<readonly Uint8Array[] | Refusal> {
    const task = packTask(segments, verbose, ({ query, snapshot, kept }) =>
      cache && kept && !isUpToDate(cache, kept, query, snapshot)
        ? cache.valuesToKeep(kept, query, snapshot)
        : 0,
    )
    const result = await this.#runTask(pool, task, caller, accountId)
    if (!result) return [encoder.encode(writeFailedSegments(segments, verbose))]
    if (isRefusal(result)) return result
    if (isRefusal(result.answer)) return result.answer
    const computations = segments.filter(segment => typeof segment !== 'string')
    for (const [at, { kept, snapshot }] of computations.entries()) {
      const packed = result.kept[at]
      if (kept && packed) cache?.adopt(kept, snapshot, packed)
    }
    return result.answer
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
    const result = await this.#runTask(pool, task, caller, accountId)
    if (!result || isRefusal(result)) return result
    return isRefusal(result.answer) ? result.answer : new BodyFragments(result.answer)
  }

  /**
   * Runs a task on the pool; undefined when its worker died or the client has disconnected, a refusal when the task was
   * displaced.
   */
  async #runTask(
    pool: WorkerPool,
    task: WorkerTask | BodyTask,
    caller: Caller,
    accountId: string,
  ): Promise<TaskResult | Refusal | undefined> {
    try {
      const result = await pool.run(task, accountId, caller.signal)
      if ('queries' in task) {
        for (const [at, { indicator }] of task.queries.entries()) {
          const ns = result.costs[at] as number
          if (!Number.isNaN(ns)) this.#costs.record(indicator, 1, ns)
        }
      }
      for (const bug of result.bugs) this.#options.onFailure(new Error(bug))
      return result
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

/** Where the answer to a query is computed, whose results are kept in `cache`, if there is one. */
function placeOfQuery(query: Query, snapshot: Snapshot, cache: ResultCache | undefined): Place {
  // What is kept is computed over all closed candles, whichever of them are asked for.
  const place = placeOf(mostNsOf(query, snapshot, cache ? snapshot.count : candlesToRun(query, snapshot)))
  if (!cache || place === 'here') return place
  const candles = cache.candlesToRun(query, snapshot)
  return candles < snapshot.count ? placeOf(mostNsKept(query, snapshot, candles)) : place
}

/** Whether kept results answer a query without a step. */
const isUpToDate = (cache: ResultCache, kept: KeptResults, query: Query, snapshot: Snapshot): boolean =>
  cache.isWarm(kept, query, snapshot) && kept.results.included >= snapshot.closed

/** What is in the place of values that could not be computed. */
const failed = 'null'

/** The text of an answer, whose buffers are released. */
function toText(body: ResponseBody | Refusal): string | Refusal {
  if (!(body instanceof BodyFragments)) return body
  const text = Buffer.concat(body.buffers).toString()
  body.release()
  return text
}

/** A single answer; in the place of one whose computation threw, which was reported, is `null`. */
function orThrow<Answer extends ResponseBody | Refusal>(answer: Answer): Answer {
  const isFragments = answer instanceof BodyFragments
  const isFailed = isFragments ? answer.byteLength <= failed.length : answer === failed
  if (!isFailed) return answer
  if (isFragments) answer.release()
  throw new Error('an indicator could not be computed')
}
