import type { Snapshot } from '../../candles/columns.js'
import { answer } from '../../compute/answer.js'
import type { ComputeDispatcher } from '../../compute/compute-dispatcher.js'
import type { Calculator } from '../../compute/kernels/calculator.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { turnClock } from '../../runtime/turn-clock.js'
import type { BulkConstruct, BulkEntry } from './bulk.js'
import { type Calculation, queryOver, resultOf } from './calculation.js'
import { deriveSnapshot } from './series.js'

interface Parts {
  readonly calculator: Calculator
  readonly dispatch: Pick<ComputeDispatcher, 'textOfLong'>
}

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

/** Computes the entries of all constructs: at once where this turn of the event loop has time for it, else in several. */
export const computeEntries = (
  parts: Parts,
  constructs: readonly BulkConstruct[],
  snapshots: readonly (Snapshot | Refusal)[],
  accountId: string,
): readonly BulkEntry[] | Promise<readonly BulkEntry[]> =>
  takeSteps(stepsOf(parts, constructs, snapshots, accountId), [])

/** An entry whose result may be computed by a thread. */
type Step = Omit<BulkEntry, 'result'> & { readonly result: ReturnType<typeof computeOne> }

/** Takes the steps that are left, and adds what comes of them to the entries. */
function takeSteps(
  steps: Iterator<Step | undefined, void>,
  entries: BulkEntry[],
): readonly BulkEntry[] | Promise<readonly BulkEntry[]> {
  for (;;) {
    const { done, value: step } = steps.next()
    if (done) return entries
    if (step) {
      const { result } = step
      if (result instanceof Promise)
        return result.then(settled => {
          entries.push({ ...step, result: settled })
          return takeSteps(steps, entries)
        })
      entries.push({ ...step, result })
    }
    if (turnClock.isOver()) return turnClock.next().then(() => takeSteps(steps, entries))
  }
}

/** The steps are taken as they are asked for. One without an entry has made the candles of a construct. */
function* stepsOf(
  parts: Parts,
  constructs: readonly BulkConstruct[],
  snapshots: readonly (Snapshot | Refusal)[],
  accountId: string,
): Generator<Step | undefined, void> {
  for (const [at, { id, series, items }] of constructs.entries()) {
    const snapshot = snapshots[at] as Snapshot | Refusal
    if (isRefusal(series) || isRefusal(snapshot)) {
      yield { id, result: isRefusal(series) ? series : (snapshot as Refusal) }
      continue
    }
    const derived = deriveSnapshot(series, snapshot)
    yield undefined
    for (const { id: itemId, indicator, calculation } of items) {
      const result = isRefusal(calculation)
        ? calculation
        : computeOne(parts, calculation, derived, accountId, series.from)
      yield { id: itemId, indicator, result }
    }
  }
}
