import type { Candle } from './candle.js'
import { countBefore, type Snapshot } from './columns.js'

/** A candle whose prices differ by less than this share was corrected, not rescaled. */
const minChange = 0.005
/** How far the factors of a candle's four prices may differ: providers round rescaled prices. */
const maxSpread = 0.002

/**
 * Whether the candles that arrived show known closed ones with all four prices multiplied by one factor: after a split,
 * or when a coin was redenominated. Then all older candles are in another scale too and have to be fetched again.
 */
export function isRescaled(known: Snapshot, arrived: readonly Candle[]): boolean {
  const { columns, closed } = known
  return arrived.some(candle => {
    const at = countBefore(columns, closed, candle.timestamp)
    if (at === closed || columns.timestamp[at] !== candle.timestamp) return false
    const factor = candle.close / (columns.close[at] as number)
    if (!(factor > 0) || Math.abs(factor - 1) < minChange) return false
    const { open, high, low } = columns.read(at)
    return [candle.open / open, candle.high / high, candle.low / low].every(
      other => Math.abs(other / factor - 1) < maxSpread,
    )
  })
}
