import { Frame } from '../../frame'
import { CandlePairs, hundred } from '../../parts/numbers/simd'
import { areShorter } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { distancesBefore } from '../../parts/windows/sum-before'

/**
 * Four Price Doji: 100 where the body and both shadows are each shorter than `limit` times the mean range of the `period`
 * candles before.
 * Source: Tulip candles, four_price_doji.
 */
export function fourpricedoji(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const period = frame.integer(0)
  const size = f64x2.splat(<f64>period)
  const limit = f64x2.splat(frame.number(1))
  const first = warmup(out, from, to, period)
  const sums = frame.scratch(0).from(-first)
  const low = frame.input(2)
  distancesBefore(low, frame.input(1), sums, first, to, period, frame.scratch(1), frame.scratch(2))
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const most = f64x2.mul(limit, f64x2.div(sums.pair(i), size))
    const longest = f64x2.pmax(candles.body(i), candles.longerShadow(i))
    out.setPair(i, hundred(areShorter(longest, most)))
  }
  out[to] = after
}
