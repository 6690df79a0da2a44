import { constants, setPriority } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readBulkCandles } from '../../contract/bulk.js'
import { isRefusal } from '../../contract/refusals.js'
import { Calculator } from '../calculator.js'
import { compose, type Desk, type Piece, write } from '../bulk-layout.js'
import { Costs } from '../costs.js'
import { constructsOf, Intake, suppliedCandles } from '../json/body-parser.js'
import { Pages } from './buffer-pool.js'
import { type Outcome, type Part, type Supplied, unpack } from './worker-task.js'
import { moved } from './pool.js'
import { PageSheet } from '../json/sink.js'

// On Linux a thread has a priority of its own: bulk work stands back behind the event loop, which owes short answers.
const isLinux = process.platform === 'linux'
if (isLinux) setPriority(constants.priority.PRIORITY_LOW)

// A worker sleeps between tasks with its event loop stopped, so nothing here may wait for a timer or a promise.
const calculator = new Calculator()
const costs = new Costs()
const intake = new Intake()
const sheet = new PageSheet(calculator.writer, new Pages())
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
export default function work(task: Part | Supplied): Outcome {
  // The time between two tasks was no work.
  rested += performance.now() - ended
  const bugs: string[] = []
  const desk: Desk = {
    calculator,
    costs,
    pause: isLinux ? pause : undefined,
    onBug: error => bugs.push(String((error as Error)?.stack ?? error)),
  }
  try {
    return moved('body' in task ? workSupplied(task, desk, bugs) : workPart(task, desk, bugs))
  } finally {
    ended = performance.now()
  }
}

function workPart(part: Part, desk: Desk, bugs: readonly string[]): Outcome {
  const result = writeParts(desk, unpack(part), part.verbose)
  return { result, costs: Float64Array.from(part.questions, ({ indicator }) => costs.of(indicator)), bugs }
}

function workSupplied({ body, allowed }: Supplied, desk: Desk, bugs: readonly string[]): Outcome {
  if (intake.parsed >= collectAt) {
    collect()
    collectAt = intake.parsed + parsedBetween
  }
  const fields = intake.fields(body, constructsOf)
  const bulk = isRefusal(fields) ? fields : readBulkCandles(fields, allowed, suppliedCandles)
  if (isRefusal(bulk)) return { result: bulk, costs: none, bugs }
  const sections = bulk.constructs.map(({ id, items, snapshot }) => ({ id, items, outcome: snapshot }))
  return { result: writeParts(desk, compose(sections, bulk.verbose), bulk.verbose), costs: none, bugs }
}

function writeParts(desk: Desk, pieces: readonly Piece[], verbose: boolean): readonly Uint8Array[] {
  try {
    write(desk, pieces, verbose, sheet)
  } catch (error) {
    sheet.discard()
    throw error
  }
  return sheet.parts()
}
