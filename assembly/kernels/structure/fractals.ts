import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { isStrictPivot } from '../../parts/swings/pivots'

/**
 * Williams Fractals: `up` is a high above the `left` highs before it and above the `right` highs after it, `down` a low
 * below those around it. Equal prices within the spans prevent a fractal.
 * Candle i confirms the fractal at i − right: its price is given at candle i and nowhere else. Skender and others write
 * it to candle i − right, where it could not be known.
 * Source: Williams, Trading Chaos (1995); Skender.Stock.Indicators Fractal.
 */
export function fractals(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const up = frame.output(0)
  const down = frame.output(1)
  const left = frame.integer(0)
  const right = frame.integer(1)
  warmup(down, from, to, left + right)
  for (let i = warmup(up, from, to, left + right); i < to; i++) {
    const j = i - right
    up[i] = isStrictPivot(high, j, left, right, 1) ? high[j] : NaN
    down[i] = isStrictPivot(low, j, left, right, -1) ? low[j] : NaN
  }
}
