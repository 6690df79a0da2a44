import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { Levels, prepareLevels } from '../../parts/swings/equal-swings'

/**
 * Equal Highs and Lows: a new swing at about the price of earlier ones of its side.
 * Swings are found as in `swings` (`swingLeft`, `swingRight`), from the first ATR on; a candle that is both a high and
 * a low counts on both sides. The tolerance is toleranceATR times the
 * ATR of the confirming candle. Each swing high that is not near a level makes one; a swing high within the tolerance
 * of a level, of several the newest, joins it, and the level becomes the mean of its swings. A level is removed when a
 * high lies above it by more than the tolerance of its last swing; of more than 8 levels, the oldest is removed. Lows
 * are the same upside down. `value` at the candle that confirms a joining swing is 100 for equal lows and −100 for
 * equal highs; `level` is the mean of the swings and `touches` their number, at that candle only. A candle that
 * confirms both sides has no signal.
 * Source: equal highs and lows of smart money concepts; LuxAlgo compares a swing with the one before it only.
 */
export function equalhighslows(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const value = frame.output(0)
  const price = frame.output(1)
  const touches = frame.output(2)
  const tops = Levels.tops(frame)
  const bottoms = Levels.bottoms(frame)
  const lookback = prepareLevels(frame, from, to)
  warmup(price, from, to, lookback)
  warmup(touches, from, to, lookback)
  for (let i = warmup(value, from, to, lookback); i < to; i++) {
    const top = tops.advance(frame, high, i, 1)
    const bottom = bottoms.advance(frame, low, i, -1)
    const isOne = top < 0 !== bottom < 0
    const level = bottom < 0 ? tops.get(max(top, 0)) : bottoms.get(bottom)
    value[i] = isOne ? (bottom < 0 ? -100 : 100) : 0
    price[i] = isOne ? level.price : NaN
    touches[i] = isOne ? level.touches : NaN
  }
}
