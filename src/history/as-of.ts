import type { Archive } from '../archive/archive.js'
import { Columns, countBefore, type Snapshot } from '../candles/columns.js'
import { formatTime } from '../candles/format-time.js'
import { endOf, type Timeframe } from '../candles/timeframe.js'
import { correctionsNotStored, notKnownAsOf } from '../contract/as-of-refusals.js'
import type { Refusal } from '../contract/refusals.js'

/** How many of the closed candles had ended by a time (Unix seconds). */
function endedBy({ columns, closed }: Snapshot, timeframe: Timeframe, time: number): number {
  let count = countBefore(columns, closed, time)
  while (count > 0 && endOf(timeframe, columns.timestamp[count - 1] as number) > time) count--
  return count
}

/**
 * The closed candles of a series as they were known at a time (Unix seconds), from where the series begins now: those that had ended
 * by then, without the corrections that arrived later. Candles that are computed have none. Refused where corrections are not
 * stored since then.
 */
export function snapshotAsOf(
  snapshot: Snapshot,
  timeframe: Timeframe,
  time: number,
  corrections: ReturnType<Archive['asOf']>,
): Snapshot | Refusal {
  if (typeof corrections === 'number')
    return corrections === Number.POSITIVE_INFINITY
      ? correctionsNotStored()
      : notKnownAsOf(formatTime(time), formatTime(corrections))
  const { columns, isFull = false } = snapshot
  const ended = endedBy(snapshot, timeframe, time)
  // Of its own: results of the series as it is now are kept with its columns.
  const known = new Columns(Math.max(1, ended))
  let closed = 0
  for (let at = 0; at < ended; at++) {
    const open = columns.timestamp[at] as number
    const candle = corrections.has(open) ? corrections.get(open) : columns.read(at)
    if (candle) known.write(closed++, candle)
  }
  return { columns: known, closed, count: closed, forming: undefined, isFull }
}
