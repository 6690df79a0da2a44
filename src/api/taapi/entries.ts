import type { Snapshot } from '../../candles/columns.js'
import { answer } from '../../compute/answer.js'
import type { BulkDispatcher } from '../../compute/bulk-dispatch.js'
import type { Calculator } from '../../compute/calculator.js'
import { mostNsOf, numbersOf } from '../../compute/costs.js'
import { maxInlineNs, TurnBudget } from '../../compute/turn-budget.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import type { BulkConstruct, BulkEntry } from './bulk.js'
import { type Calculation, queryOver, resultOf } from './calculation.js'
import { deriveSnapshot, type Series } from './series.js'

interface Parts {
  readonly calculator: Calculator
  readonly dispatch: Pick<BulkDispatcher, 'textOfLong'>
}

/** What folding a candle, filling gaps or making another kind of candle of it takes, in nanoseconds, about. */
const derivedNs = 400

/** What it takes to read a number of an answer and to write it in the form of version 1, in nanoseconds, about. */
const rewrittenNs = 200

/** The JSON text of the result of one calculation: what takes long is computed by a thread. */
export function computeOne(
  { calculator, dispatch }: Parts,
  calculation: Calculation,
  snapshot: Snapshot,
  accountId: string,
  from?: number,
): string | Refusal | Promise<string | Refusal> {
  const query = queryOver(calculation, snapshot, from)
  const rewrite = (text: string | Refusal) =>
    isRefusal(text) ? text : JSON.stringify(resultOf(calculation, text, from))
  const long = dispatch.textOfLong(query, snapshot, accountId, { isKept: false })
  return long ? long.then(rewrite) : rewrite(answer(calculator, query, snapshot))
}

/** Computes the entries of all constructs: at once where that takes little, else in turns of the event loop. */
export function computeEntries(
  parts: Parts,
  constructs: readonly BulkConstruct[],
  snapshots: readonly (Snapshot | Refusal)[],
  accountId: string,
): readonly BulkEntry[] | Promise<readonly BulkEntry[]> {
  const steps = stepsOf(parts, constructs, snapshots, accountId)
  let total = 0
  for (const [at, construct] of constructs.entries())
    total += nsOfConstruct(construct, snapshots[at] as Snapshot | Refusal)
  if (total > maxInlineNs) return finishInTurns(steps)
  const entries: BulkEntry[] = []
  // None of them is computed by a thread: what takes so long is more than a turn has time for.
  for (const { entry } of steps) if (entry) entries.push(entry as BulkEntry)
  return entries
}

/** What comes of a step: an entry, whose result may have to be waited for, or what the next one takes. */
interface Step {
  readonly ns: number
  readonly entry?: Omit<BulkEntry, 'result'> & { readonly result: ReturnType<typeof computeOne> }
}

function* stepsOf(
  parts: Parts,
  constructs: readonly BulkConstruct[],
  snapshots: readonly (Snapshot | Refusal)[],
  accountId: string,
): Generator<Step, void> {
  for (const [at, { id, series, items }] of constructs.entries()) {
    const snapshot = snapshots[at] as Snapshot | Refusal
    if (isRefusal(series) || isRefusal(snapshot)) {
      yield { ns: 0, entry: { id, result: isRefusal(series) ? series : (snapshot as Refusal) } }
      continue
    }
    yield { ns: nsToDerive(series, snapshot) }
    const derived = deriveSnapshot(series, snapshot)
    for (const { id: itemId, indicator, calculation } of items) {
      yield { ns: isRefusal(calculation) ? 0 : nsOfOne(calculation, derived, series) }
      const result = isRefusal(calculation)
        ? calculation
        : computeOne(parts, calculation, derived, accountId, series.from)
      yield { ns: 0, entry: { id: itemId, indicator, result } }
    }
  }
}

/** Takes the steps; before one with which a turn would take too long the event loop does what else is due. */
async function finishInTurns(steps: Generator<Step, void>): Promise<readonly BulkEntry[]> {
  const entries: BulkEntry[] = []
  const budget = new TurnBudget()
  for (const { ns, entry } of steps) {
    if (entry) entries.push({ ...entry, result: await entry.result })
    // A thread has computed what takes longer.
    await budget.wait(Math.min(ns, maxInlineNs))
  }
  return entries
}

function nsOfConstruct({ series, items }: BulkConstruct, snapshot: Snapshot | Refusal): number {
  if (isRefusal(series) || isRefusal(snapshot)) return 0
  // How many candles there will be is not known yet.
  if (series.fillsGaps) return Number.POSITIVE_INFINITY
  let ns = nsToDerive(series, snapshot)
  for (const { calculation } of items)
    if (!isRefusal(calculation)) ns += nsOfOne(calculation, snapshot, series)
  return ns
}

function nsOfOne(calculation: Calculation, snapshot: Snapshot, { from }: Series): number {
  const query = queryOver(calculation, snapshot, from)
  return mostNsOf(query, snapshot) + numbersOf(query, snapshot) * rewrittenNs
}

/** The candles of an exchange as they are cost nothing more. */
const nsToDerive = (series: Series, { count }: Snapshot): number =>
  isDerived(series) ? count * derivedNs : 0

const isDerived = ({ foldedSeconds, fillsGaps, chart }: Series): boolean =>
  foldedSeconds !== undefined || fillsGaps || chart === 'heikinashi'
