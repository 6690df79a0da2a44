import { Frame } from '../../frame'
import { warmup } from '../numbers/warmup'
import { Candles } from './candle-shape'

/** Evening and morning stars. Methods, because only they may be inlined where the constants are known. */
export class Stars {
  /**
   * Evening stars (`isEvening`, −100) and morning stars (100): a long candle of the first colour, then one whose body lies
   * beyond its body, short or a doji (`isDoji`), then a candle of the other colour, longer than short, that closes deeper
   * than `penetration` (parameter 0) bodies inside the first.
   */
  @inline
  static stars(frame: Frame, from: i32, to: i32, isEvening: bool, isDoji: bool): void {
    const candles = Candles.of(frame)
    const out = frame.output(0)
    const penetration = frame.number(0)
    for (let i = warmup(out, from, to, 12); i < to; i++) {
      const first = i - 2
      const star = i - 1
      const third = i
      const depth = candles.body(first) * penetration
      const turns = isEvening
        ? candles.isWhite(first) &&
          candles.isBlack(third) &&
          candles.bodyGapsUp(first, star) &&
          candles.close(third) < candles.close(first) - depth
        : candles.isBlack(first) &&
          candles.isWhite(third) &&
          candles.bodyGapsDown(first, star) &&
          candles.close(third) > candles.close(first) + depth
      const fires =
        turns &&
        candles.isLong(first) &&
        (isDoji ? candles.isDoji(star) : candles.isShort(star)) &&
        candles.isLong(third)
      out[i] = fires ? (isEvening ? -100 : 100) : 0
    }
  }
}
