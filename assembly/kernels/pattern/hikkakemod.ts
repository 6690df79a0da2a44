import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { hikkakeSignals } from '../../parts/candles/hikkake'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Modified Hikkake Pattern: 100 where a candle breaks down out of the inner one of two nested candles of which the
 * outer closed near its low; −100 where it breaks up and the outer closed near its high; 200 or −200 where one of the
 * next three closes on the other side of the inner candle and so confirms the signal. A new breakout overrides a
 * confirmation; the trend before the pattern is ignored.
 * Source: Chesler, Trading False Moves with the Hikkake Pattern (Active Trader, 2004); TA-Lib 0.6 CDLHIKKAKEMOD.
 */
export function hikkakemod(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  hikkakeSignals(Candles.of(frame), out, warmup(out, from, to, 10), to, true)
}
