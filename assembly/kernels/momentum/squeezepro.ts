import { Frame } from '../../frame'
import { trueRanges } from '../../parts/candles/true-range'
import { areMoves } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'
import { movingRange } from '../../parts/windows/extremes'
import { movingLine } from '../../parts/windows/regression'
import { movingMean } from '../../parts/windows/sums'

/**
 * Squeeze Pro: the end of the line of least squares through the last `period` distances of the close from the mean of
 * its average and the middle of its range; `squeeze` is the narrowest of three channels around the average (`high`,
 * `mid` and `low`, of multHigh, multMid and multLow mean true ranges) that holds the Bollinger Bands, or `none`.
 * The momentum is LazyBear's, as in `squeeze` (pandas-ta uses another one).
 * Source: Beardy_Fred, Squeeze PRO (TradingView); ta4j SqueezeProIndicator.
 */
export function squeezepro(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const value = frame.output(0)
  const level = frame.output(1)
  const period = frame.integer(0)
  const suffixes = frame.scratch(4)
  const first = warmup(value, from, to, 2 * period - 2)
  warmup(level, from, to, 2 * period - 2)
  if (first >= to) return
  const oldest = first - period + 1
  const distances = frame.scratch(0).from(-oldest)
  const highs = frame.scratch(1).from(-oldest)
  const lows = frame.scratch(2).from(-oldest)
  const spreads = frame.scratch(3).from(-oldest)
  movingRange(high, low, 0, highs, lows, oldest, to, period, suffixes)
  deviation(close, 0, distances, spreads, oldest, to, period, suffixes)
  for (let i = oldest; i < to; i++) distances[i] = close[i] - ((highs[i] + lows[i]) / 2 + distances[i]) / 2
  movingLine(distances, period - 1, value, first, to, period, 0, suffixes)
  trueRanges(high, low, close, highs, oldest, to)
  movingMean(highs, 1, level, first, to, period, suffixes)
  const bands = f64x2.splat(frame.number(1))
  const after = level[to]
  for (let i = first; i < to; i += 2) {
    const width = f64x2.mul(bands, spreads.pair(i))
    const range = level.pair(i)
    const price = close.pair(i)
    const outer = held(width, range, frame.number(2), price, 1)
    const middle = held(width, range, frame.number(3), price, 2)
    level.setPair(i, f64x2.pmax(held(width, range, frame.number(4), price, 3), f64x2.pmax(middle, outer)))
  }
  level[to] = after
}

/** `rank` where a channel of `factor` ranges is wider than the bands by more than rounding of the price, else 0. */
function held(width: v128, range: v128, factor: f64, price: v128, rank: f64): v128 {
  const inside = f64x2.sub(f64x2.mul(f64x2.splat(factor), range), width)
  return v128.and(areMoves(inside, price), f64x2.splat(rank))
}
