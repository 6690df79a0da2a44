import { Frame } from '../../frame'
import { Filter, rootOfHalf, setSecondHighPass } from '../../parts/averages/recursive-filter'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Decycler: the value minus its high-pass filter of two poles, which removes cycles shorter than `hpPeriod` candles.
 * Source: Ehlers, Decyclers, Stocks & Commodities (September 2015); VectorTA decycler.
 */
export function decycler(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const filter = Filter.at(frame.state)
  if (from === 0) setSecondHighPass(filter, period, rootOfHalf)
  filter.run(x, out, from, to, 2, false)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.sub(x.pair(i), out.pair(i)))
  out[to] = after
  warmup(out, from, to, period - 1)
}
