import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingLine } from '../../parts/windows/regression'

/**
 * Zero-Lag Least Squares Moving Average: 2·a − b, where a is the end of the line of least squares through the last
 * `period` values, and b the end of the line through the last `period` values of a.
 * Source: veryfid, ZLSMA (TradingView); deepentropy/lightweight-charts-indicators zlsma.
 */
export function zlsma(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, 2 * (period - 1))
  if (first >= to) return
  const oldest = first - period + 1
  const single = frame.scratch(0).from(-oldest)
  const suffixes = frame.scratch(1)
  movingLine(frame.input(0), 0, single, oldest, to, period, 0, suffixes)
  movingLine(single, period - 1, out, first, to, period, 0, suffixes)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const end = single.pair(i)
    out.setPair(i, f64x2.sub(f64x2.add(end, end), out.pair(i)))
  }
  out[to] = after
}
