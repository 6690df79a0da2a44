import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { hikkakeSignals } from '../../parts/candles/hikkake'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Hikkake Pattern: 100 where a candle breaks down out of a candle that lies inside the one before, −100 where it breaks
 * up; 200 or −200 where one of the next three closes on the other side of the inside candle and so confirms the signal.
 * A new breakout overrides a confirmation; the trend before the pattern is ignored.
 * Source: Chesler, Trading False Moves with the Hikkake Pattern (Active Trader, 2004); TA-Lib 0.6 CDLHIKKAKE.
 */
export function hikkake(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  hikkakeSignals(Candles.of(frame), out, warmup(out, from, to, 5), to, false)
}
