import type { Candle } from '../../candles/candle.js'
import { type CandleBlock, Columns, countBefore, type Snapshot } from '../../candles/columns.js'
import { formatTime } from '../../candles/format-time.js'
import { endOf, type Timeframe } from '../../candles/timeframe.js'
import { correctionsNotStored, notKnownAsOf, type Refusal } from '../../contract/refusals.js'
import type { Archive } from '../archive/archive.js'

/** Number of candles of a block that had ended by a time (Unix seconds). */
function endedBy({ columns, from, to }: CandleBlock, timeframe: Timeframe, time: number): number {
  let end = Math.max(from, countBefore(columns, to, time))
  while (end > from && endOf(timeframe, columns.timestamp[end - 1] as number) > time) end--
  return end - from
}

/** Writes the candles of a block that had ended by a time, as they were known then. Returns their number. */
function writeKnown(
  block: CandleBlock,
  timeframe: Timeframe,
  time: number,
  others: ReadonlyMap<number, Candle | undefined>,
  target: Columns,
): number {
  const { columns, from } = block
  const end = from + endedBy(block, timeframe, time)
  let count = 0
  for (let at = from; at < end; at++) {
    const open = columns.timestamp[at] as number
    const candle = others.has(open) ? others.get(open) : columns.read(at)
    if (candle) target.write(count++, candle)
  }
  return count
}

/** Refusal of a time for which corrections are unknown; `since` is the result of `Archive.asOf`. */
const refuseUnknown = (time: number, since: number): Refusal =>
  since === Number.POSITIVE_INFINITY
    ? correctionsNotStored()
    : notKnownAsOf(formatTime(time), formatTime(since))

/**
 * Closed candles of a series as they were known at a time (Unix seconds), from the present start of the series on.
 * Only candles that had ended by then, without later corrections. Computed candles have no corrections. Refused if
 * corrections are not stored since then.
 */
export function snapshotAsOf(
  { columns, closed: to, isFull = false }: Snapshot,
  timeframe: Timeframe,
  time: number,
  corrections: ReturnType<Archive['asOf']>,
): Snapshot | Refusal {
  if (typeof corrections === 'number') return refuseUnknown(time, corrections)
  // New columns, because cached results belong to the columns of the present series.
  const known = new Columns(Math.max(1, to))
  const closed = writeKnown({ columns, from: 0, to }, timeframe, time, corrections, known)
  return { columns: known, closed, count: closed, forming: undefined, isFull }
}

/** Same as `snapshotAsOf` for stored candles, block by block. */
export function blocksAsOf(
  blocks: Iterable<CandleBlock>,
  timeframe: Timeframe,
  time: number,
  corrections: ReturnType<Archive['asOf']>,
): Iterable<CandleBlock> | Refusal {
  if (typeof corrections === 'number') return refuseUnknown(time, corrections)
  return (function* () {
    for (const block of blocks) {
      const columns = Columns.unshared(block.to - block.from)
      const to = writeKnown(block, timeframe, time, corrections, columns)
      if (to > 0) yield { columns, from: 0, to }
    }
  })()
}
