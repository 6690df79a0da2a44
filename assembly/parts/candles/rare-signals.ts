import { Column } from '../../frame'

/** The signal of a pattern at a candle, all of its conditions checked one after another. */
type SignalAt<Candles> = (candles: Candles, i: i32) => f64

/** Signals of patterns with a condition that is rarely met. A method, because only it may be inlined in their loops. */
export class RareSignals {
  /**
   * Writes the signals of candle `i` and the next one: 0 if neither of them is `possible`, otherwise the result of
   * `signalAt`. The condition that makes a signal possible is evaluated for both candles together, without a branch on a
   * price; the branch on its outcome is nearly always the same.
   */
  @inline
  static write<Candles>(
    candles: Candles,
    out: Column,
    i: i32,
    to: i32,
    possible: v128,
    signalAt: SignalAt<Candles>,
  ): void {
    if (v128.any_true(possible)) {
      out[i] = signalAt(candles, i)
      if (i + 1 < to) out[i + 1] = signalAt(candles, i + 1)
    } else out.setPair(i, f64x2.splat(0))
  }
}
