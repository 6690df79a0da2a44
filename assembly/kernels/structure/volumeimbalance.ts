import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { Zones } from '../../parts/swings/zones'

/**
 * Volume Imbalance: prices between the bodies of two neighbouring candles that only wicks traded. Bullish if the body
 * of the second lies above that of the first and its low is not above the high of the first (`value` 100); bearish if
 * it lies below and its high is not below the low of the first (−100), at the second candle. If the wicks do not
 * overlap, it is a gap and does not count.
 * The zone reaches from one body to the other and is valid until a later candle trades beyond its far side: a low below
 * the bottom of a bullish zone, a high above the top of a bearish one. `top` and `bottom` are those of the newest valid
 * zone; the newest 16 are watched.
 * Some charts also want both candles to point the same way.
 * Source: the concepts of the Inner Circle Trader (Huddleston), as charting platforms have them (Imbalance Detector by
 * LuxAlgo).
 */
export function volumeimbalance(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const zones = Zones.of(frame.state)
  if (from === 0) zones.reset()
  let first = from
  for (let k = 0; k < 3; k++) first = warmup(frame.output(k), from, to, 1)
  for (let i = first; i < to; i++) {
    zones.remove(low[i], high[i])
    const top = max(open[i], close[i])
    const bottom = min(open[i], close[i])
    const topBefore = max(open[i - 1], close[i - 1])
    const bottomBefore = min(open[i - 1], close[i - 1])
    let side: f64 = 0
    if (bottom > topBefore && low[i] <= high[i - 1]) {
      side = 1
      zones.push(1, bottom, topBefore, 0)
    } else if (top < bottomBefore && high[i] >= low[i - 1]) {
      side = -1
      zones.push(-1, bottomBefore, top, 0)
    }
    frame.output(0)[i] = 100 * side
    zones.writeBounds(frame.output(1), frame.output(2), i)
  }
}
