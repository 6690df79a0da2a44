import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Price Distance: twice the range plus the gap of a candle minus its body: the shortest path that the price can have
 * taken.
 * Source: pandas-ta-classic pdist.
 */
export function pricedistance(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 1); i < to; i++)
    out[i] = 2 * (high[i] - low[i]) + abs(open[i] - close[i - 1]) - abs(close[i] - open[i])
}
