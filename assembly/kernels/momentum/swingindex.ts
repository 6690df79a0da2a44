import { Frame } from '../../frame'
import { swingIndex } from '../../parts/candles/swing-index'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Swing Index: 50·N / R·K / limitMove. N is the change of the close, plus half of the body of the candle, plus a
 * quarter of the body before; K is the larger of the distances of the high and of the low from the close before; R is
 * the largest of these two distances and the range, plus a quarter of the size of the body before; unless the range is
 * the largest, half of the smaller distance is subtracted.
 * 0 where nothing moved. The limit move is in the unit of the prices, so the index grows with them; with `unit` percent
 * it is in per cent of the close before.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.8.3 SI.
 */
export function swingindex(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 1); i < to; i++) out[i] = swingIndex(frame, i)
}
