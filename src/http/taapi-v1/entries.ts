import type { Snapshot } from '../../candles/columns.js'
import type { Executor } from '../../compute/executor.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import type { RefusedMarket } from '../../markets/history/market-data.js'
import type { Reading } from '../../markets/history/reading.js'
import { scheduler } from '../../runtime/scheduler.js'
import type { BulkConstruct, BulkEntry } from './bulk.js'
import { type Calculation, queryOver, resultOf } from './calculation.js'
import type { DerivedCandles, Series } from './series.js'

interface Parts {
  readonly executor: Pick<Executor, 'answerText'>
}

/** The JSON text of the result of one calculation: what takes long is computed by a thread. */
export async function computeOne(
  { executor }: Parts,
  calculation: Calculation,
  snapshot: Snapshot,
  accountId: string,
  from?: number,
): Promise<string | Refusal> {
  const query = queryOver(calculation, snapshot, from)
  const text = await executor.answerText({ query, snapshot, isCharted: true, isKept: false }, { accountId })
  return isRefusal(text) ? text : JSON.stringify(resultOf(calculation, text, from))
}

/** Computes the entries of all constructs, in as many turns of the event loop as they take. */
export async function computeEntries(
  parts: Parts & { readonly derived: DerivedCandles },
  constructs: readonly BulkConstruct[],
  readings: ReadonlyMap<Series, Reading | RefusedMarket>,
  accountId: string,
): Promise<readonly BulkEntry[]> {
  const entries: BulkEntry[] = []
  for (const { id, series, items } of constructs) {
    const reading = isRefusal(series)
      ? { refusal: series }
      : (readings.get(series) as Reading | RefusedMarket)
    if (isRefusal(series) || 'refusal' in reading) {
      entries.push({ id, result: (reading as RefusedMarket).refusal })
      continue
    }
    await scheduler.slice('requests')
    const derived = await parts.derived.of(series, reading.snapshot)
    for (const { id: itemId, indicator, calculation } of items) {
      await scheduler.slice('requests')
      const result = isRefusal(calculation)
        ? calculation
        : await computeOne(parts, calculation, derived, accountId, series.from)
      entries.push({ id: itemId, indicator, result })
    }
  }
  return entries
}
