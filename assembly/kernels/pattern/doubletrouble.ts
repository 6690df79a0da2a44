import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { exponentialState } from '../../parts/averages/exponential-average'
import { CandlePairs, hundreds } from '../../parts/numbers/simd'
import { areLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Double Trouble: 100 where two white candles follow each other, the second with a higher close, a larger body and a range
 * of more than `multiplier` average true ranges (`period`) of the candle before; −100 where two black ones do so downwards.
 * The average true range is Wilder's, seeded as in `atr`.
 * Source: Kaabar, Mastering Financial Pattern Recognition (2022).
 */
export function doubletrouble(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const multiplier = f64x2.splat(frame.number(1))
  // Indexed from 1, to leave room for the average of the candle before `from`, which is in the state.
  const averages = frame.scratch(0).from(1)
  if (from > 0) averages[from - 1] = state[exponentialState]
  averageTrueRange(frame.input(1), frame.input(2), frame.input(3), averages, from, to, period, state)
  if (to > from) state[exponentialState] = averages[to - 1]
  const start = warmup(out, from, to, period + 1)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const least = f64x2.mul(multiplier, averages.pair(i - 1))
    const isLarge = areLonger(f64x2.sub(candles.high(i), candles.low(i)), least)
    const grows = v128.and(isLarge, areLonger(candles.body(i), candles.body(i - 1)))
    const isUp = v128.and(
      v128.and(candles.rises(i - 1), candles.rises(i)),
      f64x2.gt(candles.close(i), candles.close(i - 1)),
    )
    const isDown = v128.and(candles.areBlack(i, 2), f64x2.lt(candles.close(i), candles.close(i - 1)))
    out.setPair(i, v128.and(grows, hundreds(isUp, isDown)))
  }
  out[to] = after
}
