import type { Candle } from './candle.js'
import type { Snapshot } from './columns.js'

/** Prices that moved by less than this share were corrected, not rescaled. */
const least = 0.005
/** How far the four prices of a candle may differ in their factor: providers round what they rescale. */
const tolerance = 0.002

/** The index of the closed candle that opens at `timestamp`, or −1. */
function find({ columns, closed }: Snapshot, timestamp: number): number {
  let low = 0
  let high = closed - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = columns.timestamp[middle] as number
    if (found === timestamp) return middle
    if (found < timestamp) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/**
 * Whether the candles that arrived show closed ones with all four prices multiplied by one factor: after a split, or
 * when a coin was redenominated. Then everything older is out of scale too and has to be fetched again.
 */
export function isRescaled(known: Snapshot, arrived: readonly Candle[]): boolean {
  return arrived.some(candle => {
    const at = find(known, candle.timestamp)
    if (at < 0) return false
    const { open, high, low, close } = known.columns.read(at)
    const factor = candle.close / close
    if (!(factor > 0) || Math.abs(factor - 1) < least) return false
    return [candle.open / open, candle.high / high, candle.low / low].every(
      other => Math.abs(other / factor - 1) < tolerance,
    )
  })
}
