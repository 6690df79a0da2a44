import { constants, setPriority } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readBulkCandles } from '../../contract/bulk.js'
import { isRefusal } from '../../contract/refusals.js'
import { type ComputeContext, layoutBulk, type Segment, writeSegments } from '../bulk-layout.js'
import { Calculator } from '../calculator.js'
import { CostEstimates } from '../costs.js'
import { BodyParser, constructsOf, readCandlesField } from '../json/body-parser.js'
import { BufferSink } from '../json/sink.js'
import { BufferPool } from './buffer-pool.js'
import { transferred } from './pool.js'
import { type SuppliedBodyTask, type TaskResult, unpackTask, type WorkerTask } from './worker-task.js'

// On Linux a thread has a priority of its own: bulk work stands back behind the event loop, which owes short answers.
const isLinux = process.platform === 'linux'
if (isLinux) setPriority(constants.priority.PRIORITY_LOW)

// A worker sleeps between tasks with its event loop stopped, so nothing here may wait for a timer or a promise.
const calculator = new Calculator()
const costs = new CostEstimates()
const bodyParser = new BodyParser()
const sink = new BufferSink(calculator.writer, new BufferPool())
const none = new Float64Array()
/** Milliseconds that a thread computes at a stretch. */
const stintMs = 0.5
const never = new Int32Array(new SharedArrayBuffer(4))
let rested = performance.now()
let ended = rested

/**
 * Sleeps for the shortest time there is (some 50 µs) when a stint is over. Whatever its priority, a thread that has
 * got a processor keeps it until the next tick of the kernel, up to 4 ms: an event loop that needs it gets it here.
 */
function pause(): void {
  if (performance.now() - rested < stintMs) return
  Atomics.wait(never, 0, 0, 0.001)
  rested = performance.now()
}

/** Bytes of bodies left to `JSON.parse` after which their texts are collected. */
const parsedBetween = 8 * 1024 * 1024
// V8 counts such texts as old from the start, and a thread makes too little else that is old for it to look there:
// without this they pile up to hundreds of megabytes. Node gives `gc` to contexts made after the flag was set.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
let collectAt = parsedBetween

/** Does one task of the pool. */
export default function work(task: WorkerTask | SuppliedBodyTask): TaskResult {
  // The time between two tasks was no work.
  rested += performance.now() - ended
  const bugs: string[] = []
  const context: ComputeContext = {
    calculator,
    costs,
    pause: isLinux ? pause : undefined,
    onBug: error => bugs.push(String((error as Error)?.stack ?? error)),
  }
  try {
    return transferred('body' in task ? workSupplied(task, context, bugs) : workPart(task, context, bugs))
  } finally {
    ended = performance.now()
  }
}

function workPart(part: WorkerTask, context: ComputeContext, bugs: readonly string[]): TaskResult {
  const result = writeParts(context, unpackTask(part), part.verbose)
  return {
    result,
    costs: Float64Array.from(part.queries, ({ indicator }) => costs.nsPerCandle(indicator)),
    bugs,
  }
}

function workSupplied(
  { body, allowed }: SuppliedBodyTask,
  context: ComputeContext,
  bugs: readonly string[],
): TaskResult {
  if (bodyParser.fallbackBytes >= collectAt) {
    collect()
    collectAt = bodyParser.fallbackBytes + parsedBetween
  }
  const fields = bodyParser.fields(body, constructsOf)
  const bulk = isRefusal(fields) ? fields : readBulkCandles(fields, allowed, readCandlesField)
  if (isRefusal(bulk)) return { result: bulk, costs: none, bugs }
  const sections = bulk.constructs.map(({ id, items, snapshot }) => ({ id, items, candles: snapshot }))
  return { result: writeParts(context, layoutBulk(sections, bulk.verbose), bulk.verbose), costs: none, bugs }
}

function writeParts(
  context: ComputeContext,
  segments: readonly Segment[],
  verbose: boolean,
): readonly Uint8Array[] {
  try {
    writeSegments(context, segments, verbose, sink)
  } catch (error) {
    sink.discard()
    throw error
  }
  return sink.take()
}
