import { Frame } from '../../frame'
import { moneyFlows } from '../../parts/money-flow'
import { movingSum } from '../../parts/sums'
import { warmup } from '../../parts/warmup'

/**
 * Chaikin Money Flow: the money flow of the last `period` candles divided by their volume, from −1 to 1.
 * A candle without a range has no flow; 0 where nothing was traded (others have no value there).
 * Source: Chaikin; Tulip Indicators 0.9 cmf.
 */
export function cmf(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const flows = frame.scratch(0).from(-oldest)
  const volumes = frame.scratch(1).from(-first)
  const suffixes = frame.scratch(2)
  for (let i = oldest; i < to; i += 2) flows.setPair(i, moneyFlows(high, low, close, volume, i))
  movingSum(flows, 0, out, first, to, period, suffixes)
  movingSum(volume, 0, volumes, first, to, period, suffixes)
  const zero = f64x2.splat(0)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const traded = volumes.pair(i)
    out.setPair(i, v128.and(f64x2.div(out.pair(i), traded), f64x2.ne(traded, zero)))
  }
  out[to] = after
}
