import { Frame } from '../../frame'
import { trueRanges } from '../../parts/candles/true-range'
import { warmup } from '../../parts/numbers/warmup'

/**
 * True Range: the distance between the higher of high and previous close and the lower of low and previous close.
 * The first candle has none.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.6 TRANGE.
 */
export function trange(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const first = warmup(out, from, to, 1)
  trueRanges(frame.input(0), frame.input(1), frame.input(2), out, first, to)
}
