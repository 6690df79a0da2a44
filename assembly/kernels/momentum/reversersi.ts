import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Reverse RSI: the close at which the relative strength index of `period` candles would be `level` on the next candle.
 * With Wilder's averages U and D of rises and falls, its distance from the close is x = (period − 1)·(D·level / (100 −
 * level) − U), or x·(100 − level) / level if x is negative. Averages are seeded with means, as in the index (VectorTA
 * uses 2·period − 1 candles).
 * Source: Siligardos, Reverse Engineering RSI, Stocks & Commodities (June 2003); VectorTA reverse_rsi.
 */
export function reversersi(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const level = frame.number(1)
  const rises = frame.scratch(0).from(1 - from)
  const falls = frame.scratch(1).from(1 - from)
  const zero = f64x2.splat(0)
  for (let i = max(from, 1); i < to; i += 2) {
    const change = f64x2.sub(x.pair(i), x.pair(i - 1))
    rises.setPair(i, f64x2.pmax(change, zero))
    falls.setPair(i, f64x2.pmax(f64x2.neg(change), zero))
  }
  const share = 1 / <f64>period
  exponentialAverage(rises, 1, out, from, to, period, share, state)
  exponentialAverage(falls, 1, rises, from, to, period, share, state.from(exponentialState))
  const steps = f64x2.splat(<f64>(period - 1))
  const up = f64x2.splat(level / (100 - level))
  const down = f64x2.splat((100 - level) / level)
  const after = out[to]
  for (let i = warmup(out, from, to, period); i < to; i += 2) {
    const way = f64x2.mul(steps, f64x2.sub(f64x2.mul(rises.pair(i), up), out.pair(i)))
    const distance = v128.bitselect(way, f64x2.mul(way, down), f64x2.ge(way, zero))
    out.setPair(i, f64x2.add(x.pair(i), distance))
  }
  out[to] = after
}
