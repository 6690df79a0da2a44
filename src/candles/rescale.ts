import type { Candle } from './candle.js'
import { closedAt, type Snapshot } from './columns.js'

/** Prices that moved by less than this share were corrected, not rescaled. */
const least = 0.005
/** How far the four prices of a candle may differ in their factor: providers round what they rescale. */
const tolerance = 0.002

/**
 * Whether the candles that arrived show closed ones with all four prices multiplied by one factor: after a split, or
 * when a coin was redenominated. Then everything older is out of scale too and has to be fetched again.
 */
export function isRescaled(known: Snapshot, arrived: readonly Candle[]): boolean {
  return arrived.some(candle => {
    const before = closedAt(known, candle.timestamp)
    if (!before) return false
    const { open, high, low, close } = before
    const factor = candle.close / close
    if (!(factor > 0) || Math.abs(factor - 1) < least) return false
    return [candle.open / open, candle.high / high, candle.low / low].every(
      other => Math.abs(other / factor - 1) < tolerance,
    )
  })
}
