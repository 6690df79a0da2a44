import { allBefore, allUntil, type Snapshot, timestampAt } from '../candles/columns.js'
import { formatTime } from '../candles/format-time.js'
import type { QueryWindow } from '../contract/query.js'
import { nothingInRange, type Refusal, rangeBeforeHistory } from '../contract/refusals.js'
import { type TimeRange, textOfRange } from '../contract/time-range.js'

/** A query for a time as one for the number of values that this time has in a series of candles. */
export function withinRange<Window extends QueryWindow>(query: Window, snapshot: Snapshot): Window {
  const { range } = query
  if (range === undefined) return query
  const end = allUntil(snapshot, range.to)
  return {
    ...query,
    results: end - Math.min(end, allBefore(snapshot, range.from)),
    backtrack: snapshot.count - end,
  }
}

/** The refusal of a time in which a series has no candles, or that begins before all that are known of it. */
export function refuseRange(range: TimeRange, results: number, snapshot: Snapshot): Refusal | undefined {
  const { count, isFull = false } = snapshot
  if (count === 0) return undefined
  const first = timestampAt(snapshot, 0)
  if (isFull && range.from < first && range.from !== Number.NEGATIVE_INFINITY)
    return rangeBeforeHistory(formatTime(first), count)
  if (results > 0) return undefined
  return nothingInRange(textOfRange(range), formatTime(first), formatTime(timestampAt(snapshot, count - 1)))
}
