import { setPriority } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { barsOf } from '../../candles/charts/bars.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import { type BulkRequest, type MarketConstruct, readBulk } from '../../contract/bulk.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import type { TableFormat } from '../../contract/table-format.js'
import { BufferPool } from '../../runtime/buffer-pool.js'
import { finish } from '../../runtime/scheduler.js'
import {
  answer,
  type Computation,
  CostEstimates,
  computeResult,
  fitQuery,
  warningsOf,
  writeValues,
} from '../answer.js'
import {
  type BulkComputation,
  type BulkLayout,
  type ComputeContext,
  writeComputations,
  writeFailed,
} from '../bulk-layout.js'
import { Expressions } from '../expressions/expressions.js'
import { BodyParser } from '../json/body-parser.js'
import { BufferSink, type JsonSink } from '../json/sink.js'
import { Calculator } from '../kernels/calculator.js'
import { type ReadOlder, runRange } from '../ranges/range-thread.js'
import { type PackedResults, ResultSeries } from '../results/result-series.js'
import { readSupplied, readSuppliedBulk, readSuppliedExpression, type SuppliedQuery } from '../supplied.js'
import { packColumns, singleTable, type TableLayout, tableOfResult } from '../tables/table.js'
import {
  type BodyTask,
  packBulk,
  type RangeTask,
  type SentTask,
  Stopped,
  type TableTask,
  type TaskResult,
  unpackTask,
  type WorkerTask,
} from '../task.js'
import { transferred } from './pool.js'

/** Maximum bytes of shared memory per thread for answers that clients are reading: a million rows of four columns. */
const maxPooledBytes = 32 * 1024 * 1024

/**
 * Nice value of bulk work, from 1 to 19, relative to the event loop. At 5 bulk work gets a third of its share of a busy
 * processor. At 19 it would get a seventieth, and bulk requests would be three times slower.
 */
const niceness = 5

// On Linux each thread has its own priority, so bulk work can yield to the event loop with its short requests.
const isLinux = process.platform === 'linux'
if (isLinux) setPriority(niceness)

// A worker sleeps between tasks with its event loop stopped, so nothing here may wait for a timer or a promise.
const calculator = new Calculator()
const costs = new CostEstimates()
const expressions = new Expressions()
const bodyParser = new BodyParser()
const pool = new BufferPool(maxPooledBytes)
const sink = new BufferSink(calculator.writer, pool)
const encoder = new TextEncoder()

/** Milliseconds that a thread computes before it sleeps. */
const maxRunMs = 0.5
const neverNotified = new Int32Array(new SharedArrayBuffer(4))
/** Start of the current stretch of computing, in milliseconds. Time between tasks is not counted. */
let runStart = performance.now()
let taskEnd = runStart

/** Stop flag of the current task. */
let stop = neverNotified

/**
 * Throws `Stopped` if the client has left. Sleeps for the shortest possible time (about 50 µs) after `maxRunMs` of
 * computing. A thread keeps its processor until the next kernel tick, up to 4 ms, whatever its priority; the sleep
 * yields it to the event loop.
 */
function pause(): void {
  if (Atomics.load(stop, 0) === 1) throw new Stopped()
  if (!isLinux || performance.now() - runStart < maxRunMs) return
  Atomics.wait(neverNotified, 0, 0, 0.001)
  runStart = performance.now()
}

/** Bytes of bodies read by `JSON.parse` as a whole after which garbage is collected. */
const collectionBytes = 8 * 1024 * 1024
// V8 counts the texts of such bodies as old from the start. Little else in a worker gets old, so V8 rarely collects old
// objects. The texts would pile up to hundreds of megabytes. Node provides `gc` to contexts created after the flag was
// set.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
let nextCollection = collectionBytes

/** Makes the function that runs one task of the pool, with older candles read by the function that `load` loads. */
export const workWith =
  (load: () => Promise<ReadOlder>) =>
  (task: SentTask): TaskResult | Promise<TaskResult> =>
    'range' in task ? load().then(readOlder => work(task, readOlder)) : work(task)

export default workWith(async () => {
  throw new Error('this thread reads no older candles')
})

function work(task: SentTask, readOlder?: ReadOlder): TaskResult | Promise<TaskResult> {
  runStart += performance.now() - taskEnd
  stop = task.stop
  const bugs: string[] = []
  const context: ComputeContext = {
    calculator,
    costs,
    write: writeValues,
    pause,
    onBug: error => bugs.push(String((error as Error)?.stack ?? error)),
  }
  try {
    if ('range' in task) return transferred(runRangeTask(task, readOlder as ReadOlder))
    if ('body' in task) return runBody(task, context, bugs)
    if ('queries' in task) return transferred(runComputations(task, context, bugs))
    if (task.kind !== 'columns') return runTable(task)
    return transferred({ ...runColumns(task, context), costs: costsOf(task.work), bugs })
  } finally {
    taskEnd = performance.now()
  }
}

function runRangeTask(task: RangeTask, readOlder: ReadOlder): TaskResult {
  try {
    const context = {
      readOlder,
      expressions,
      sink,
      writer: calculator.writer,
      pause,
    }
    const { columns, ...found } = runRange(task, context)
    const answer = columns ? [new Uint8Array(columns.buffer)] : sink.take()
    return { answer, ...found }
  } catch (error) {
    sink.discard()
    throw error
  }
}

function runComputations(task: WorkerTask, context: ComputeContext, bugs: readonly string[]): TaskResult {
  const computations = unpackTask(task, expressions)
  const values = new Map(computations.map((each, at) => [each, task.valuesToKeep[at] as number]))
  const kept = new Map<BulkComputation, PackedResults | undefined>()
  const write: ComputeContext['write'] = (computing, computation, sink) => {
    const count = values.get(computation) as number
    if (count === 0) writeValues(computing, computation, sink)
    else kept.set(computation, writeAndKeep(computation, count, sink))
  }
  const answer = writeAll({ ...context, write }, { computations, verbose: task.verbose, end: '' })
  return {
    answer,
    kept: computations.map(each => kept.get(each)),
    costs: costsOf(task),
    bugs,
  }
}

const costsOf = ({ queries }: WorkerTask): ReadonlyMap<string, number> =>
  new Map(queries.map(({ indicator }) => [indicator, costs.measured(indicator)]))

function runColumns(
  { work }: TableTask & { readonly kind: 'columns' },
  { pause }: ComputeContext,
): Pick<TaskResult, 'answer'> {
  const answer = unpackTask(work, expressions).map(({ query, inputs }) => {
    pause?.()
    return new Uint8Array(packColumns(calculator, computeResult(calculator, query, inputs, costs)).buffer)
  })
  return { answer }
}

// Modules that read and write tables are loaded on first use.

async function runTable(task: TableTask & { readonly kind: 'table' | 'answer' }): Promise<TaskResult> {
  const { writeTable } = await import('../tables/write-table.js')
  const layout =
    task.kind === 'table' ? task.layout : layoutOf(unpackTask(task.work, expressions)[0] as BulkComputation)
  const answer = writeTable(layout, task.format, calculator.writer, pool)
  return transferred({ answer })
}

/** Table of a computation, valid until the calculator is used again. */
const layoutOf = ({ query, inputs }: Computation): TableLayout =>
  singleTable(tableOfResult(calculator, computeResult(calculator, query, inputs, costs)))

/** Writes the values of a computation and returns its results with the `values` newest values. */
function writeAndKeep({ query, inputs }: Computation, values: number, sink: JsonSink) {
  const results = new ResultSeries(query)
  const start = performance.now()
  results.build(calculator, inputs, values)
  const window = results.window(calculator, query, inputs)
  costs.record(query.indicator.name, inputs[0].count, (performance.now() - start) * 1e6)
  results.values.write(sink, window, window.snapshot.closed)
  calculator.timestamps.write(sink, window.snapshot, window.from)
  return results.pack()
}

async function runBody(
  task: BodyTask,
  context: ComputeContext,
  bugs: readonly string[],
): Promise<TaskResult> {
  if (bodyParser.fallbackBytes >= nextCollection) {
    collect()
    nextCollection = bodyParser.fallbackBytes + collectionBytes
  }
  if (task.kind === 'bulk') {
    const bulk = readBulkBody(task.body)
    return isRefusal(bulk) ? { answer: bulk } : { answer: [], bulk: packBulk(bulk) }
  }
  if (task.kind === 'bulk-candles') return { answer: answerBulk(task, context), bugs }
  const answered: BodyAnswer = await (task.kind === 'candles' ? readTable(task) : answerSupplied(task))
  return transferred({ ...answered, bugs })
}

function answerBulk(
  { body, allowed, isFailed }: Extract<BodyTask, { readonly kind: 'bulk-candles' }>,
  context: ComputeContext,
): readonly Uint8Array[] | Refusal {
  const steps = readSuppliedBulk(bodyParser, expressions, body, allowed)
  if (isRefusal(steps)) return steps
  const layout = finish(steps, pause)
  return isFailed ? [encoder.encode(writeFailed(layout) + layout.end)] : writeAll(context, layout)
}

type BodyAnswer = Pick<TaskResult, 'answer' | 'warnings' | 'markets'>

function answerSupplied(
  task: Extract<BodyTask, { readonly kind: 'indicator' | 'expression' }>,
): BodyAnswer | Promise<BodyAnswer> {
  const read =
    task.kind === 'indicator'
      ? readSupplied(bodyParser, catalogue.get(task.indicator) as Entry, task.body)
      : readSuppliedExpression(bodyParser, expressions, task.body)
  if (isRefusal(read)) return { answer: read }
  const { query, inputs } = read
  if (task.format !== undefined) return writeAnswer(read, task.format)
  const bars = barsOf(query.chart, inputs)
  const text = answer(calculator, query, bars)
  if (isRefusal(text)) return { answer: text }
  return { answer: [encoder.encode(text)], warnings: warningsOf(query, bars[0]) }
}

async function writeAnswer(
  { query: asked, inputs: candles }: SuppliedQuery,
  format: TableFormat,
): Promise<BodyAnswer> {
  const { writeTable } = await import('../tables/write-table.js')
  const inputs = barsOf(asked.chart, candles)
  const query = fitQuery(asked, inputs)
  if (isRefusal(query)) return { answer: query }
  const answer = writeTable(layoutOf({ query, inputs }), format, calculator.writer, pool)
  return { answer, warnings: warningsOf(query, inputs[0]) }
}

async function readTable(task: BodyTask & { readonly kind: 'candles' }): Promise<BodyAnswer> {
  const { readCandlesTable } = await import('../tables/read-candles.js')
  const candles = finish(readCandlesTable(task), pause)
  if (isRefusal(candles)) return { answer: candles }
  return {
    answer: [...candles.values()].map(({ buffer }) => new Uint8Array(buffer)),
    markets: [...candles.keys()],
  }
}

function readBulkBody(body: Uint8Array): BulkRequest<MarketConstruct> | Refusal {
  const fields = bodyParser.fields(body, () => [])
  return isRefusal(fields) ? fields : readBulk(fields, expressions)
}

function writeAll(context: ComputeContext, layout: BulkLayout): readonly Uint8Array[] {
  try {
    writeComputations(context, layout, sink)
    sink.add(layout.end)
  } catch (error) {
    sink.discard()
    throw error
  }
  return sink.take()
}
