import { areBarsAtHand, barSteps, barsOf } from '../candles/charts/bars.js'
import type { Chart } from '../candles/charts/chart.js'
import { closedCandles, type Inputs } from '../candles/columns.js'
import type { IndicatorSpec, Query } from '../contract/query.js'
import { busy, isRefusal, type Refusal } from '../contract/refusals.js'
import type { TableFormat } from '../contract/table-format.js'
import { BodyFragments, BufferPool } from '../runtime/buffer-pool.js'
import { finishInSlices, scheduler, sliceNs } from '../runtime/scheduler.js'
import {
  type AnswerWarnings,
  type Computation,
  type Cost,
  CostEstimates,
  computeResult,
  fitQuery,
  warningsOf,
  writeValues,
} from './answer.js'
import {
  type BulkComputation,
  type BulkLayout,
  type ComputeContext,
  writeComputations,
  writeFailed,
} from './bulk-layout.js'
import { Expressions } from './expressions/expressions.js'
import type { BodyParser } from './json/body-parser.js'
import { BufferSink, StringSink, sinkBufferBytes } from './json/sink.js'
import type { Calculator } from './kernels/calculator.js'
import { isDeep, RangeAnswers, type RangeQuestion } from './ranges/range-answers.js'
import type { KnownResults, ResultCache } from './results/result-cache.js'
import type { PackedResults } from './results/result-series.js'
import { readSuppliedBulk } from './supplied.js'
import {
  cellsOf,
  memoryOf,
  packColumns,
  singleTable,
  type TableLayout,
  tableOfColumns,
  tableOfResult,
} from './tables/table.js'
import { type Answered, type Caller, Displaced, type PoolTask, packTask, type SingleTask } from './task.js'
import type { WorkerPool } from './workers/pool.js'

export type { Caller }

interface Options {
  readonly calculator: Calculator
  readonly bodyParser: BodyParser
  readonly expressions?: Expressions
  /** Cache of results of calculations over series in memory. If undefined, no results are kept. */
  readonly resultCache?: ResultCache
  readonly threads: number
  /** Maximum number of tasks that wait for a thread. */
  readonly maxQueuedTasks: number
  /** Maximum estimated cost of a bulk answer that is computed on the event loop, in microseconds. */
  readonly inlineBudgetUs: number
  /** Maximum length of a body that the event loop reads, in bytes. Longer bodies are read by a thread. */
  readonly inlineBodyBytes: number
  /** Called with the seconds that a task has waited for a thread. */
  readonly onBegin?: (waitedSeconds: number) => void
  /** Called with the seconds that a task ran on a thread. */
  readonly onEnd?: ((seconds: number) => void) | undefined
  /** Called with bugs in computations and crashes of workers; the answers are completed without them. */
  readonly onFailure: (error: unknown) => void
  /** The module that workers run. */
  readonly worker?: URL
  /** Bytes of memory for checkpoints of calculations over histories that are longer than the candles in memory. */
  readonly checkpointBytes?: number | undefined
}

/** A query over candles. */
export interface Question {
  readonly query: Query
  readonly inputs: Inputs
  /** Whether the inputs are the bars of the query's chart instead of candles. */
  readonly isCharted?: boolean
  /** Whether the results are read from the cache and kept there. True by default. */
  readonly isKept?: boolean
  /** Results that an earlier answer to the question has found. */
  readonly known?: KnownResults
}

/** JSON text: as a string, or in UTF-8 as fragments that must be released. */
export type ResponseBody = string | BodyFragments

export interface Answer<Body = ResponseBody> {
  readonly body: Body
  readonly warnings: AnswerWarnings | undefined
  /** Number of candles of the history before the first value; only of answers over older candles. */
  readonly before?: number
}

/** Minimum work of a task, in estimated nanoseconds: several times the cost of sending a task to a thread and back. */
const minTaskNs = 200_000
/** The same minimum for tasks whose columns are copied back. */
const minColumnsTaskNs = 1_000_000
/** Maximum number of candles for which a kernel runs immediately, even if the current slice is used up. */
const fewCandles = 20
/** Seconds after which a client may retry a request that was refused because the queue is full. */
const busyRetrySeconds = 1
/** Maximum estimated length of an answer that is joined as a string, in bytes. Longer answers use recycled buffers. */
const maxStringBytes = 65_536
/** Maximum bytes of recycled buffers in use while clients read answers. */
const maxPooledBytes = 16 * 1024 * 1024
/**
 * Minimum size of a buffer, in bytes. The length of an answer is estimated, and a second buffer costs more than some
 * free bytes.
 */
const minBufferBytes = 16_384
/** Maximum share of a slice for bulk answers, in estimated nanoseconds. A short request waits at most this long. */
const maxBulkNs = 500_000
/** Approximate length of one number's text, in bytes. */
const numberBytes = 18
/** The cost of writing a cell of a table, in nanoseconds. */
const cellNs: Readonly<Record<TableFormat, number>> = { csv: 250, ndjson: 300, arrow: 2 }

const encoder = new TextEncoder()

/** Costs of a bulk answer's computations, and where they run. */
interface BulkPlan {
  readonly costs: readonly Cost[]
  /**
   * Nanoseconds of a slice that each computation uses. Measurements may be wrong, so the maximum costs of a slice are
   * limited, too.
   */
  readonly shares: readonly number[]
  /** Number of values that are copied from kept results. */
  readonly keptNumbers: number
  /** Whether cold computations run on the event loop, too. */
  readonly isInline: boolean
}

/**
 * Computes answers. The estimated cost decides whether an answer is computed immediately, in a later slice of the event
 * loop, or by worker threads.
 */
export class Executor {
  readonly #options: Options
  readonly costs = new CostEstimates()
  readonly #expressions: Expressions
  readonly #context: ComputeContext
  readonly #buffers = new BufferPool(maxPooledBytes, { isShared: false })
  /** Buffers of tables written on the event loop. These tables are short, so nothing is recycled. */
  readonly #tableBuffers = new BufferPool(0)
  /** Answers for time ranges of histories that are longer than the candles in memory. */
  readonly ranges: RangeAnswers
  #pool: Promise<WorkerPool> | undefined

  constructor(options: Options) {
    this.#options = options
    this.#expressions = options.expressions ?? new Expressions()
    const { calculator, resultCache, checkpointBytes: maxBytes, onFailure: onBug } = options
    this.#context = { calculator, costs: this.costs, cache: resultCache, onBug, write: writeValues }
    this.ranges = new RangeAnswers({ run: (task, caller) => this.run(task, caller), onBug, maxBytes })
  }

  /**
   * Answers one question as JSON: immediately if the cost is low and the current slice has time, else in a later slice
   * or by a thread. Rejects if the computation throws. A single result of a time range is its newest value.
   */
  execute(question: Question, caller: Caller): Answer | Refusal | Promise<Answer | Refusal> {
    const { query: asked, inputs, isCharted = false, isKept = true, known } = question
    const { range, chart } = asked
    if (range && isDeep(inputs)) return this.#answerRange({ query: asked, range, inputs }, caller)
    if (chart !== undefined && !isCharted) {
      const over = (bars: Inputs) => this.execute({ ...question, inputs: bars, isCharted: true }, caller)
      const bars = barsInSlices(chart, inputs)
      return 'then' in bars ? bars.then(over) : over(bars)
    }
    const query = fitQuery(asked, inputs)
    if (isRefusal(query)) return query
    const cache = isKept ? this.#options.resultCache : undefined
    const kept = cache?.find(query, inputs[0], known)
    const computation = { before: '', query, inputs, kept }
    const cost = this.costs.of(query, inputs, kept?.results)
    if (cost.mostNs > sliceNs) return this.#answerByThread(computation, cost, caller, cache)
    if (cost.candles > fewCandles && !scheduler.hasTime('requests'))
      return scheduler.next('requests').then(() => this.#answerHere(computation))
    return this.#answerHere(computation)
  }

  async answerText(question: Question, caller: Caller): Promise<string | Refusal> {
    const answer = await this.execute(question, caller)
    if (isRefusal(answer)) return answer
    return typeof answer.body === 'string' ? answer.body : answer.body.takeText()
  }

  /**
   * Computes a bulk answer. The event loop writes kept results and runs cheap computations. Worker threads run the other
   * computations, in tasks of about equal cost. With `isKept` false the candles belong to this request alone, so their
   * results are not cached.
   */
  async executeAll(layout: BulkLayout, caller: Caller, isKept = true): Promise<ResponseBody | Refusal> {
    const left = layout.isRanged ? await this.ranges.finish(layout, caller) : layout
    const cache = isKept ? this.#options.resultCache : undefined
    const plan = this.#planOf(left.computations, this.#options.inlineBudgetUs * 1000, cache)
    // A client that has disconnected does not read its reply.
    if (plan.isInline) return (await this.#writeInSlices(left, plan, caller)) ?? busy(busyRetrySeconds)
    const cold = await this.#writeWarm(left, plan, caller)
    if (!cold) return busy(busyRetrySeconds)
    const costs = plan.costs.filter(({ isWarm }) => !isWarm)
    return this.#runOnThreads(cold, costs, caller, cache)
  }

  /** Answers a body of `POST /bulk-candles`, which must not change until the promise settles. */
  async executeSupplied(body: Uint8Array, allowed: number, caller: Caller): Promise<ResponseBody | Refusal> {
    if (!this.isLong(body)) {
      const steps = readSuppliedBulk(this.#options.bodyParser, this.#expressions, body, allowed)
      if (isRefusal(steps)) return steps
      return this.executeAll(await finishInSlices('requests', steps), caller, false)
    }
    const task = { kind: 'bulk-candles', body, allowed } as const
    const result =
      (await this.#tryRun({ ...task, isFailed: false }, caller)) ??
      // The worker died. A second worker only reads the ids of the answer, which is safe without computations.
      (await this.run({ ...task, isFailed: true }, caller))
    return isRefusal(result) ? result : new BodyFragments(result.answer)
  }

  /**
   * Computes the columns of each question, as laid out by `packColumns`, or its refusal. Returns a single refusal if
   * the queue is full. Rejects if a computation throws.
   */
  async executeColumns(
    questions: readonly Question[],
    caller: Caller,
  ): Promise<readonly (Float64Array | Refusal)[] | Refusal> {
    const found: (Float64Array | Refusal)[] = []
    const ranged: (readonly [number, RangeQuestion])[] = []
    const computations: (BulkComputation & { readonly at: number })[] = []
    for (const [at, { query: asked, inputs }] of questions.entries()) {
      const { range } = asked
      if (range && isDeep(inputs)) {
        ranged.push([at, { query: asked, range, inputs }])
        continue
      }
      const query = fitQuery(asked, inputs)
      if (isRefusal(query)) found[at] = query
      else computations.push({ at, before: '', query, inputs })
    }
    const answers = await this.ranges.all(ranged, question => this.ranges.columns(question, caller))
    for (const [at, answer] of answers) found[at] = isRefusal(answer) ? answer : answer.columns
    const columns = await this.#computeColumns(computations, caller)
    if (isRefusal(columns)) return columns
    for (const [k, { at }] of computations.entries()) found[at] = columns[k] as Float64Array
    return found
  }

  /** Answers one question as a table. */
  async executeTable(
    { query: asked, inputs: candles }: Question,
    format: TableFormat,
    caller: Caller,
  ): Promise<Answer<BodyFragments> | Refusal> {
    const { range } = asked
    if (range && isDeep(candles)) {
      const found = await this.ranges.columns({ query: asked, range, inputs: candles }, caller)
      if (isRefusal(found)) return found
      const layout = singleTable(tableOfColumns(asked.indicator, found.columns))
      const body = await this.writeTable(layout, format, caller)
      const warnings = { settledDigits: asked.settled && found.settling?.digits }
      return isRefusal(body) ? body : { body, warnings }
    }
    const inputs = await barsInSlices(asked.chart, candles)
    const query = fitQuery(asked, inputs)
    if (isRefusal(query)) return query
    const body = await this.#writeTableOf(query, inputs, format, caller)
    if (isRefusal(body)) return body
    return { body, warnings: warningsOf(query, inputs[0]) }
  }

  /** Writes a table, whose memory may be moved to a thread. Returns a refusal if the queue is full. */
  writeTable(layout: TableLayout, format: TableFormat, caller: Caller): Promise<BodyFragments | Refusal> {
    const task = () => ({ kind: 'table', layout, format, transfer: memoryOf(layout) }) as const
    return this.#writeBytes(cellsOf(layout) * cellNs[format], () => layout, task, format, caller)
  }

  /**
   * Builds the results of a calculation over the closed candles of inputs on a thread, with `values` newest values.
   * Returns a refusal if the queue is full. Rejects if the computation throws, or if the caller has gone.
   */
  async build(
    spec: IndicatorSpec,
    candles: Inputs,
    values: number,
    caller: Caller,
  ): Promise<PackedResults | Refusal> {
    const query = { ...spec, results: 1, backtrack: 0 }
    const inputs = closedCandles(candles)
    const result = await this.#tryRun(
      packTask([{ before: '', query, inputs }], false, () => values),
      caller,
    )
    if (isRefusal(result)) return result
    caller.signal?.throwIfAborted()
    if (result) new BodyFragments(result.answer).release()
    const [packed] = result?.kept ?? []
    if (!packed) throw new Error('an indicator could not be computed')
    return packed
  }

  /** Whether a body exceeds the size that the event loop may read. */
  isLong(body: Uint8Array): boolean {
    return body.byteLength > this.#options.inlineBodyBytes
  }

  /**
   * Runs a task on a thread. The memory of the task must not change until the promise settles. Returns a refusal if the
   * queue is full. Rejects if the worker died.
   */
  async run(task: SingleTask, caller: Caller): Promise<Answered | Refusal> {
    const result = await this.#tryRun(task, caller)
    // A client that has disconnected does not read its reply.
    if (!result && caller.signal?.aborted) return busy(busyRetrySeconds)
    if (!result) throw new Error(`a task of the kind ${task.kind} could not be run`)
    return result
  }

  async close(): Promise<void> {
    await (await this.#pool)?.close()
  }

  async #answerRange(
    question: RangeQuestion & { readonly query: Query },
    caller: Caller,
  ): Promise<Answer | Refusal> {
    const { results, settled } = question.query
    const found = await this.ranges.answer({ ...question, isNewest: results === 1 }, caller)
    if (isRefusal(found)) return found
    const { body, settling, before } = found
    return { body, warnings: { settledDigits: settled && settling?.digits }, before }
  }

  #answerHere(computation: Computation): Answer {
    const sink = new StringSink(this.#context.calculator.writer)
    writeValues(this.#context, computation, sink)
    return { body: sink.text, warnings: warningsOf(computation.query, computation.inputs[0]) }
  }

  async #answerByThread(
    computation: BulkComputation,
    cost: Cost,
    caller: Caller,
    cache: ResultCache | undefined,
  ): Promise<Answer | Refusal> {
    const layout = { computations: [computation], end: '', verbose: false }
    const body = await this.#runOnThreads(layout, [cost], caller, cache)
    if (isRefusal(body)) return body
    // A computation that threw has been reported. Its body is `null`.
    if (body.byteLength > failed.length)
      return { body, warnings: warningsOf(computation.query, computation.inputs[0]) }
    body.release()
    throw new Error('an indicator could not be computed')
  }

  /**
   * Finds kept results and estimates computations. They run inline if the cold ones cost at most `inlineNs` nanoseconds
   * together.
   */
  #planOf(computations: readonly BulkComputation[], inlineNs: number, cache?: ResultCache): BulkPlan {
    const costs: Cost[] = []
    const shares: number[] = []
    let coldNs = 0
    let keptNumbers = 0
    let isEachShort = true
    for (const computation of computations) {
      const { query, inputs } = computation
      computation.kept = cache?.find(query, inputs[0])
      const cost = this.costs.of(query, inputs, computation.kept?.results)
      costs.push(cost)
      shares.push(Math.max(cost.ns, (cost.mostNs * maxBulkNs) / sliceNs))
      if (cost.isWarm) keptNumbers += cost.numbers
      else {
        coldNs += cost.ns
        isEachShort &&= cost.mostNs <= sliceNs
      }
    }
    return { costs, shares, keptNumbers, isInline: coldNs <= inlineNs && isEachShort }
  }

  /**
   * Writes a bulk answer on the event loop, a long one in several slices. Returns undefined if the caller leaves before
   * the last slice.
   */
  async #writeInSlices(
    layout: BulkLayout,
    { shares, keptNumbers }: BulkPlan,
    caller: Caller,
  ): Promise<ResponseBody | undefined> {
    const { writer } = this.#context.calculator
    let { to, ns } = endOfSlice(shares, 0)
    const isAtOnce = to === shares.length
    const bytes = numberBytes * keptNumbers
    if (isAtOnce && bytes <= maxStringBytes) {
      const sink = new StringSink(writer)
      writeComputations(this.#context, layout, sink)
      return sink.text + layout.end
    }
    const firstBytes = Math.min(Math.max(minBufferBytes, bytes), sinkBufferBytes)
    const sink = new BufferSink(writer, this.#buffers, firstBytes)
    let isWritten = false
    try {
      for (let from = 0; from < shares.length; { to, ns } = endOfSlice(shares, from)) {
        if (!isAtOnce) await scheduler.slice('bulk answers', ns, maxBulkNs)
        if (caller.signal?.aborted) return undefined
        writeComputations(this.#context, layout, sink, from, to)
        from = to
      }
      sink.add(layout.end)
      isWritten = true
    } finally {
      if (!isWritten) sink.discard()
    }
    return new BodyFragments(sink.take())
  }

  /**
   * Writes the warm computations as text before the cold ones, and returns the layout of the cold ones. Undefined if
   * the caller leaves before the last slice.
   */
  async #writeWarm(
    layout: BulkLayout,
    { costs, shares }: BulkPlan,
    caller: Caller,
  ): Promise<BulkLayout | undefined> {
    const cold: BulkComputation[] = []
    let sink = new StringSink(this.#context.calculator.writer)
    for (const [at, computation] of layout.computations.entries()) {
      if (costs[at]?.isWarm) {
        await scheduler.slice('bulk answers', shares[at], maxBulkNs)
        if (caller.signal?.aborted) return undefined
        writeComputations(this.#context, layout, sink, at, at + 1)
        continue
      }
      cold.push(sink.text === '' ? computation : { ...computation, before: sink.text + computation.before })
      sink = new StringSink(this.#context.calculator.writer)
    }
    return { ...layout, computations: cold, end: sink.text + layout.end }
  }

  /** Computes a bulk answer on threads. Results that are requested again are kept in `cache`. */
  async #runOnThreads(
    layout: BulkLayout,
    costs: readonly Cost[],
    caller: Caller,
    cache: ResultCache | undefined,
  ): Promise<BodyFragments | Refusal> {
    const { computations } = layout
    let bytesToKeep = 0
    for (const { kept, query, inputs } of computations)
      if (cache && kept) {
        cache.misses++
        bytesToKeep += cache.bytesToKeep(kept, query, inputs[0])
      }
    const keeping = cache && bytesToKeep <= cache.maxBytesOfRequest ? cache : undefined
    const runs = this.#cut(computations, costs, minTaskNs)
    const pool = await this.#open()
    if (!pool.makeRoom(caller.accountId, runs.length)) return busy(busyRetrySeconds)
    const parts: (readonly Uint8Array[])[] = []
    let refusal: Refusal | undefined
    const heaviestFirst = [...runs.keys()].sort((a, b) => (runs[b] as Run).weight - (runs[a] as Run).weight)
    await Promise.all(
      heaviestFirst.map(async at => {
        const part = await this.#runOnThread(
          pool,
          (runs[at] as Run).computations,
          layout.verbose,
          caller,
          keeping,
        )
        if (isRefusal(part)) refusal = part
        else parts[at] = part
      }),
    )
    const body = new BodyFragments([...parts.flat(), encoder.encode(layout.end)])
    if (!refusal) return body
    body.release()
    return refusal
  }

  async #runOnThread(
    pool: WorkerPool,
    computations: readonly BulkComputation[],
    verbose: boolean,
    caller: Caller,
    cache: ResultCache | undefined,
  ): Promise<readonly Uint8Array[] | Refusal> {
    const [first, ...others] = computations as [BulkComputation, ...BulkComputation[]]
    // The text before the first computation may be long. It is not sent, because it would only come back unchanged.
    const sent = [{ ...first, before: '' }, ...others]
    const task = packTask(sent, verbose, ({ query, inputs, kept }) =>
      cache && kept ? cache.valuesToKeep(kept, query, inputs[0]) : 0,
    )
    const result = await this.#runTask(pool, task, caller)
    if (!result) return [encoder.encode(writeFailed({ computations, verbose }))]
    if (isRefusal(result)) return result
    for (const [at, { kept, inputs }] of computations.entries()) {
      const packed = result.kept?.[at]
      if (kept && packed) cache?.adopt(kept, inputs[0], packed)
    }
    return [encoder.encode(first.before), ...result.answer]
  }

  async #computeColumns(
    computations: readonly BulkComputation[],
    caller: Caller,
  ): Promise<readonly Float64Array[] | Refusal> {
    const { calculator } = this.#options
    const { costs, isInline } = this.#planOf(computations, sliceNs)
    if (isInline) {
      await scheduler.slice('requests')
      return computations.map(({ query, inputs }) =>
        packColumns(calculator, computeResult(calculator, query, inputs, this.costs)),
      )
    }
    const parts = await Promise.all(
      this.#cut(computations, costs, minColumnsTaskNs).map(async run => {
        const result = await this.run({ kind: 'columns', work: packTask(run.computations, false) }, caller)
        if (isRefusal(result)) return result
        return result.answer.map(
          ({ buffer, byteOffset, byteLength }) => new Float64Array(buffer, byteOffset, byteLength / 8),
        )
      }),
    )
    return parts.find(isRefusal) ?? parts.flatMap(part => (isRefusal(part) ? [] : part))
  }

  /** Writes the table of a computation on the thread that runs its kernel, without copying columns. */
  #writeTableOf(
    query: Query,
    inputs: Inputs,
    format: TableFormat,
    caller: Caller,
  ): Promise<BodyFragments | Refusal> {
    const { calculator } = this.#options
    const computation = { query, inputs, before: '' }
    const { mostNs, numbers } = this.costs.of(query, inputs)
    const layout = () =>
      singleTable(tableOfResult(calculator, computeResult(calculator, query, inputs, this.costs)))
    const task = () => ({ kind: 'answer', work: packTask([computation], false), format }) as const
    return this.#writeBytes(mostNs + numbers * cellNs[format], layout, task, format, caller)
  }

  async #writeBytes(
    ns: number,
    layout: () => TableLayout,
    task: () => SingleTask,
    format: TableFormat,
    caller: Caller,
  ): Promise<BodyFragments | Refusal> {
    if (ns > sliceNs) {
      const written = await this.run(task(), caller)
      return isRefusal(written) ? written : new BodyFragments(written.answer)
    }
    const { writeTable } = await import('./tables/write-table.js')
    await scheduler.slice('answers', ns)
    return new BodyFragments(
      writeTable(layout(), format, this.#options.calculator.writer, this.#tableBuffers),
    )
  }

  /** Cuts computations into runs of equal weight: one per thread, or fewer if there is little work. */
  #cut(computations: readonly BulkComputation[], costs: readonly Cost[], minNs: number): readonly Run[] {
    const weights = costs.map(({ ns }) => ns)
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const count = Math.min(this.#options.threads, Math.max(1, Math.floor(total / minNs)))
    return cutIntoRuns(computations, weights, count)
  }

  /** Queues and runs a task. Undefined if the worker died or the client has disconnected. */
  async #tryRun(task: PoolTask, caller: Caller): Promise<Answered | Refusal | undefined> {
    const pool = await this.#open()
    return pool.makeRoom(caller.accountId, 1) ? this.#runTask(pool, task, caller) : busy(busyRetrySeconds)
  }

  /** Runs a task for which the pool has room. Returns a refusal if the task was displaced or its input is refused. */
  async #runTask(pool: WorkerPool, task: PoolTask, caller: Caller): Promise<Answered | Refusal | undefined> {
    const { accountId, signal } = caller
    try {
      const result = await pool.run(task, accountId, signal)
      const { answer, costs, bugs = [] } = result
      if (costs) this.costs.recordAll(costs)
      for (const bug of bugs) this.#options.onFailure(new Error(bug))
      return isRefusal(answer) ? answer : { ...result, answer }
    } catch (error) {
      if (error instanceof Displaced) return busy(busyRetrySeconds)
      if (!signal?.aborted) this.#options.onFailure(error)
      return undefined
    }
  }

  /** The pool, started on first use, because threads cost memory and Piscina is slow to load. */
  #open(): Promise<WorkerPool> {
    this.#pool ??= import('./workers/pool.js').then(({ WorkerPool }) => {
      const { worker = new URL('./workers/worker.js', import.meta.url) } = this.#options
      return new WorkerPool({ ...this.#options, worker })
    })
    return this.#pool
  }
}

/** Bars of a chart: returned immediately if few candles are new, else computed over several time slices. */
export const barsInSlices = (chart: Chart | undefined, inputs: Inputs): Inputs | Promise<Inputs> =>
  areBarsAtHand(chart, inputs) ? barsOf(chart, inputs) : finishInSlices('charts', barSteps(chart, inputs))

/** JSON text instead of values that could not be computed. */
const failed = 'null'

/** The end of the computations that fit into a slice that begins at `from`, at least one, and their share of it. */
function endOfSlice(shares: readonly number[], from: number): { readonly to: number; readonly ns: number } {
  let [to, ns] = [from, 0]
  for (; to < shares.length; to++) {
    const share = shares[to] as number
    if (to > from && ns + share > maxBulkNs) break
    ns += share
  }
  return { to, ns }
}

/** Computations of one thread, with their weight in nanoseconds. */
interface Run {
  readonly computations: readonly BulkComputation[]
  readonly weight: number
}

/**
 * Cuts computations into at most `count` runs of about equal weight. Runs keep the order of the request, so that their
 * texts only have to be joined, and most series are used by one thread only.
 */
function cutIntoRuns(
  computations: readonly BulkComputation[],
  weights: readonly number[],
  count: number,
): readonly Run[] {
  const runs: Run[] = []
  let rest = weights.reduce((sum, weight) => sum + weight, 0)
  let begin = 0
  let weight = 0
  for (const [at, own] of weights.entries()) {
    weight += own
    const isLast = at === weights.length - 1
    const isFull = weight + (weights[at + 1] ?? 0) / 2 >= rest / (count - runs.length)
    if (!isLast && (!isFull || runs.length === count - 1)) continue
    runs.push({ computations: computations.slice(begin, at + 1), weight })
    begin = at + 1
    rest -= weight
    weight = 0
  }
  return runs
}
