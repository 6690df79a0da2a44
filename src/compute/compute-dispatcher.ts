import type { Snapshot } from '../candles/columns.js'
import type { BulkRequest, MarketConstruct } from '../contract/bulk.js'
import type { IndicatorSpec, Query } from '../contract/query.js'
import { busy, isRefusal, type Refusal } from '../contract/refusals.js'
import { BodyFragments } from '../runtime/buffer-pool.js'
import { finishInSlices } from '../runtime/resumable.js'
import { scheduler } from '../runtime/scheduler.js'
import { answer, computeResult, refuseShort, tryWriteKept, writeResult } from './answer.js'
import { type Caller, InlineAnswers, type ResponseBody } from './bulk/bulk-inline.js'
import { type BulkLayout, type Computation, type ComputeContext, writeFailed } from './bulk/bulk-layout.js'
import { type BulkPlan, cutIntoRuns, planBulk, type Run } from './bulk/bulk-plan.js'
import { CostEstimates, isShort } from './costs.js'
import { Expressions } from './expressions/expressions.js'
import type { BodyParser } from './json/body-parser.js'
import type { Calculator } from './kernels/calculator.js'
import { withinRange } from './range.js'
import { RangeAnswers } from './ranges/range-answers.js'
import type { ResultCache } from './results/result-cache.js'
import type { PackedResults } from './results/result-series.js'
import { readSuppliedBulk } from './supplied.js'
import type { WorkerPool } from './workers/pool.js'
import {
  type Answered,
  type BodyTask,
  Displaced,
  type PoolTask,
  packTask,
  type SingleTask,
  type TableTask,
  type TaskResult,
  unpackBulk,
} from './workers/worker-task.js'

export type { Caller, ResponseBody }

interface Options {
  readonly calculator: Calculator
  readonly bodyParser: BodyParser
  readonly expressions?: Expressions
  /** Where the results of calculations over series in memory are kept; without it none are. */
  readonly resultCache?: ResultCache
  readonly threads: number
  /** The maximum of tasks that may wait for a thread. */
  readonly maxQueuedTasks: number
  /** Answers of at most so many estimated microseconds are computed on the event loop. */
  readonly inlineBudgetUs: number
  /** Larger bodies are read by a worker. */
  readonly inlineBodyBytes: number
  /** Called with the seconds that a task has waited for a thread. */
  readonly onBegin?: (waitedSeconds: number) => void
  /** Called with the seconds that a thread has had a task. */
  readonly onEnd?: ((seconds: number) => void) | undefined
  /** Called with bugs in computations and deaths of workers; the answers are completed without them. */
  readonly onFailure: (error: unknown) => void
  /** The module that workers run. */
  readonly worker?: URL
  /** Memory for what is kept of calculations over histories that are longer than what is in memory. */
  readonly checkpointBytes?: number | undefined
}

/** Less work is not worth a task of its own: several times what passing it to a thread and back costs. */
const minTaskNs = 200_000

/** The kernel runs over so few candles at once, however much this turn of the event loop has done. */
const fewCandles = 20

/** Seconds after which a client may repeat a request that was refused because too many tasks wait. */
const busyRetrySeconds = 1

const encoder = new TextEncoder()

/** The caller of a short answer, whose connection is not watched: its client reads it soon. */
export const unwatched = (): Caller => ({ signal: new AbortController().signal })

/** Decides whether a bulk answer is computed on the event loop or by worker threads, and returns it. */
export class ComputeDispatcher {
  readonly #options: Options
  readonly costs = new CostEstimates()
  readonly #expressions: Expressions
  readonly #context: ComputeContext
  readonly #inline: InlineAnswers
  /** Answers for times of histories that are longer than what is in memory. */
  readonly ranges: RangeAnswers
  #pool: Promise<WorkerPool> | undefined

  constructor(options: Options) {
    this.#options = options
    this.#expressions = options.expressions ?? new Expressions()
    const { calculator, resultCache: cache } = options
    this.#context = {
      calculator,
      onBug: options.onFailure,
      writeValues: ({ query, snapshot, kept }, sink) => {
        if (cache && kept && tryWriteKept(calculator, cache, kept, query, snapshot, sink)) return
        if (!kept) cache?.count(false)
        writeResult(calculator, computeResult(calculator, query, snapshot, this.costs), sink)
      },
    }
    this.#inline = new InlineAnswers(this.#context)
    const { checkpointBytes: maxBytes, onFailure: onBug } = options
    this.ranges = new RangeAnswers({ run: (...task) => this.#runAlone(...task), onBug, maxBytes })
  }

  /**
   * The text of an answer. What takes little is computed on the event loop, and so is what kept results answer; the rest by
   * the pool, in tasks of equal weight. A refusal when too many tasks wait.
   */
  run(layout: BulkLayout, caller: Caller, accountId: string): Promise<ResponseBody | Refusal> {
    return this.#run(layout, caller, accountId, this.#options.resultCache)
  }

  /**
   * The answer to one query over candles, or the bars of its chart: at hand where it takes little and this turn of the event loop has time for it, else in a later turn
   * or by a thread. Results over candles that come with a request are not kept. Rejects where the computation throws in a thread.
   */
  answer(
    asked: Query,
    snapshot: Snapshot,
    accountId: string,
    keeping: { readonly isKept?: boolean } = {},
  ): string | Refusal | Promise<ResponseBody | Refusal> {
    const query = withinRange(asked, snapshot)
    const long = this.runLong(query, snapshot, accountId, keeping)
    if (long) return long
    const cache = keeping.isKept === false ? undefined : this.#options.resultCache
    const compute = () => answer(this.#options.calculator, query, snapshot, cache)
    const isLater =
      cache && !scheduler.hasTime('requests') && cache.candlesToRun(query, snapshot) > fewCandles
    return isLater ? scheduler.next('requests').then(compute) : compute()
  }

  /**
   * The answer to one query that may hold the event loop for too long, by a thread. Undefined where it is to be computed at
   * once, or read from kept results; where results are not kept, none are looked for. Rejects where the computation throws.
   */
  runLong(
    query: Query,
    snapshot: Snapshot,
    accountId: string,
    { isKept = true }: { readonly isKept?: boolean } = {},
  ): Promise<ResponseBody | Refusal> | undefined {
    const cache = isKept ? this.#options.resultCache : undefined
    if (isShort(query, snapshot, cache) || refuseShort(query, snapshot)) return undefined
    return this.#runOne(query, snapshot, accountId, cache)
  }

  /** As `runLong`, with the answer as a text. */
  textOfLong(...asked: Parameters<ComputeDispatcher['runLong']>): Promise<string | Refusal> | undefined {
    return this.runLong(...asked)?.then(toText)
  }

  async #runOne(
    query: Query,
    snapshot: Snapshot,
    accountId: string,
    cache: ResultCache | undefined,
  ): Promise<ResponseBody | Refusal> {
    const layout = { computations: [{ before: '', query, snapshot }], end: '', verbose: false }
    const answer = await this.#run(layout, unwatched(), accountId, cache)
    // In the place of a result whose computation threw, which was reported, is `null`.
    const isFailed = answer instanceof BodyFragments ? answer.byteLength <= failed.length : answer === failed
    if (!isFailed) return answer
    if (answer instanceof BodyFragments) answer.release()
    throw new Error('an indicator could not be computed')
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
    const task = packTask([{ before: '', query, snapshot }], false, () => values)
    const result = await this.#runTask(pool, task, caller, accountId)
    if (isRefusal(result)) return result
    caller.signal.throwIfAborted()
    if (result) new BodyFragments(result.answer).release()
    const [packed] = result?.kept ?? []
    if (!packed) throw new Error('an indicator could not be computed')
    return packed
  }

  get threads(): number {
    return this.#options.threads
  }

  /** Whether a body is so long that it must be read by a worker. */
  isLong(body: Uint8Array): boolean {
    return body.byteLength > this.#options.inlineBodyBytes
  }

  /**
   * The answer to a body of `POST /bulk-candles`, for a plan that allows so many constructs. The body must not
   * change until the answer is there.
   */
  async runSupplied(
    body: Uint8Array,
    allowed: number,
    caller: Caller,
    accountId: string,
  ): Promise<ResponseBody | Refusal> {
    if (this.isLong(body)) return this.#runSuppliedOnPool(body, allowed, caller, accountId)
    const steps = readSuppliedBulk(this.#options.bodyParser, this.#expressions, body, allowed)
    if (isRefusal(steps)) return steps
    return this.#run(await finishInSlices('requests', steps), caller, accountId, undefined)
  }

  /**
   * The answer of a worker to a body, which must not change until then; a refusal when too many tasks wait. Rejects
   * when the worker died.
   */
  async runBody(
    task: BodyTask,
    caller: Caller,
    accountId: string,
  ): Promise<({ readonly body: BodyFragments } & Pick<TaskResult, 'facts' | 'markets'>) | Refusal> {
    const result = await this.#runAlone(task, caller, accountId)
    if (isRefusal(result)) return result
    const { answer, facts, markets } = result
    return { body: new BodyFragments(answer), facts, markets }
  }

  /** What a thread makes of a task about tables. Refuses and rejects as `runBody` does. */
  runTable(task: TableTask, caller: Caller, accountId: string): Promise<Answered | Refusal> {
    return this.#runAlone(task, caller, accountId)
  }

  /** The request in a body of `POST /bulk`, which a worker reads and checks. Refuses and rejects as `runBody` does. */
  async readBulk(
    body: Uint8Array,
    caller: Caller,
    accountId: string,
  ): Promise<BulkRequest<MarketConstruct> | Refusal> {
    const result = await this.#runAlone({ kind: 'bulk', body }, caller, accountId)
    return isRefusal(result)
      ? result
      : unpackBulk(result.bulk as NonNullable<TaskResult['bulk']>, this.#expressions)
  }

  async #runAlone(task: SingleTask, caller: Caller, accountId: string): Promise<Answered | Refusal> {
    const result = await this.#tryAlone(task, caller, accountId)
    // A client that has disconnected does not read its reply.
    if (!result && caller.signal.aborted) return busy(busyRetrySeconds)
    if (!result) throw new Error(`a task of the kind ${task.kind} could not be run`)
    return result
  }

  async close(): Promise<void> {
    await (await this.#pool)?.close()
  }

  /** `cache` is undefined for supplied candles, which are not requested again. */
  async #run(
    layout: BulkLayout,
    caller: Caller,
    accountId: string,
    cache: ResultCache | undefined,
  ): Promise<ResponseBody | Refusal> {
    const plan = planBulk(layout.computations, this.costs, cache, this.#options.inlineBudgetUs * 1000)
    // A client that has disconnected does not read its reply.
    if (plan.isColdInline) return (await this.#inline.write(layout, plan, caller)) ?? busy(busyRetrySeconds)
    const keep = cache !== undefined && plan.coldBytes <= cache.maxBytesOfRequest ? cache : undefined
    cache?.count(false, plan.costs.filter(({ isWarm }) => !isWarm).length)
    return this.#runOnPool(layout, plan, caller, accountId, keep)
  }

  async #runOnPool(
    layout: BulkLayout,
    plan: BulkPlan,
    caller: Caller,
    accountId: string,
    cache: ResultCache | undefined,
  ): Promise<ResponseBody | Refusal> {
    const cold = await this.#inline.withoutWarm(layout, plan, caller)
    if (!cold) return busy(busyRetrySeconds)
    const weights = plan.costs.filter(({ isWarm }) => !isWarm).map(({ ns }) => ns)
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const tasks = Math.min(this.#options.threads, Math.max(1, Math.floor(total / minTaskNs)))
    const runs = cutIntoRuns(cold.computations, weights, tasks)
    const pool = await this.#open()
    if (!pool.makeRoom(accountId, runs.length)) return busy(busyRetrySeconds)
    const parts: (readonly Uint8Array[])[] = []
    let refusal: Refusal | undefined
    const heaviestFirst = [...runs.keys()].sort((a, b) => (runs[b] as Run).weight - (runs[a] as Run).weight)
    await Promise.all(
      heaviestFirst.map(async at => {
        const { computations } = runs[at] as Run
        const part = await this.#runOnThread(pool, computations, layout.verbose, caller, accountId, cache)
        if (isRefusal(part)) refusal = part
        else parts[at] = part
      }),
    )
    const body = new BodyFragments([...parts.flat(), encoder.encode(cold.end)])
    if (!refusal) return body
    body.release()
    return refusal
  }

  /** The answer of a thread to computations. Results that are requested again are kept in `cache`. */
  async #runOnThread(
    pool: WorkerPool,
    computations: readonly Computation[],
    verbose: boolean,
    caller: Caller,
    accountId: string,
    cache: ResultCache | undefined,
  ): Promise<readonly Uint8Array[] | Refusal> {
    const [first, ...others] = computations as [Computation, ...Computation[]]
    // Its text may be long, and is not sent there only to be at the beginning of what comes back.
    const sent = [{ ...first, before: '' }, ...others]
    const task = packTask(sent, verbose, ({ query, snapshot, kept }) =>
      cache && kept ? cache.valuesToKeep(kept, query, snapshot) : 0,
    )
    const result = await this.#runTask(pool, task, caller, accountId)
    if (!result) return [encoder.encode(writeFailed(computations, verbose))]
    if (isRefusal(result)) return result
    for (const [at, { kept, snapshot }] of computations.entries()) {
      const packed = result.kept[at]
      if (kept && packed) cache?.adopt(kept, snapshot, packed)
    }
    return [encoder.encode(first.before), ...result.answer]
  }

  async #runSuppliedOnPool(
    body: Uint8Array,
    allowed: number,
    caller: Caller,
    accountId: string,
  ): Promise<ResponseBody | Refusal> {
    const task = { kind: 'bulk-candles', body, allowed } as const
    const result =
      (await this.#tryAlone({ ...task, isFailed: false }, caller, accountId)) ??
      // The worker died. Another one reads the ids of the answer from the body; without computations that is safe.
      (await this.#runAlone({ ...task, isFailed: true }, caller, accountId))
    return isRefusal(result) ? result : new BodyFragments(result.answer)
  }

  /** What a worker makes of a task; undefined when the worker died or the client has disconnected. */
  async #tryAlone(
    task: PoolTask,
    caller: Caller,
    accountId: string,
  ): Promise<Answered | Refusal | undefined> {
    const pool = await this.#open()
    if (!pool.makeRoom(accountId, 1)) return busy(busyRetrySeconds)
    return this.#runTask(pool, task, caller, accountId)
  }

  /**
   * Runs a task on the pool; undefined when its worker died or the client has disconnected, a refusal when the task was
   * displaced, or when what it reads is refused.
   */
  async #runTask(
    pool: WorkerPool,
    task: PoolTask,
    caller: Caller,
    accountId: string,
  ): Promise<Answered | Refusal | undefined> {
    try {
      const result = await pool.run(task, accountId, caller.signal)
      if ('queries' in task) this.costs.recordAll(task.queries, result.costs)
      for (const bug of result.bugs) this.#options.onFailure(new Error(bug))
      const { answer } = result
      return isRefusal(answer) ? answer : { ...result, answer }
    } catch (error) {
      if (error instanceof Displaced) return busy(busyRetrySeconds)
      if (!caller.signal.aborted) this.#options.onFailure(error)
      return undefined
    }
  }

  /** The pool, started on first use: threads cost memory, and Piscina time to load. */
  #open(): Promise<WorkerPool> {
    this.#pool ??= import('./workers/pool.js').then(({ WorkerPool }) => {
      const { worker = new URL('./workers/worker.js', import.meta.url) } = this.#options
      return new WorkerPool({ ...this.#options, worker })
    })
    return this.#pool
  }
}

/** The text of an answer, whose buffers are released. */
export const toText = (body: ResponseBody | Refusal): string | Refusal =>
  body instanceof BodyFragments ? body.takeText() : body

/** What is in the place of values that could not be computed. */
const failed = 'null'
