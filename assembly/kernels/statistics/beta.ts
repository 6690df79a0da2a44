import { Column, Frame } from '../../frame'
import { rounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { comoments } from '../../parts/windows/comoments'

/**
 * Beta: the slope of the line of least squares through the last `period` returns of the second column over those of
 * the first.
 * The columns are high and low by default. A return from 0 is 0; beta is 0 where all returns of the first are equal.
 * Source: TA-Lib 0.6 BETA.
 */
export function beta(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  let i = warmup(out, from, to, period)
  if (i >= to) return
  const oldest = i - period + 1
  const x = returns(frame.input(0), frame.scratch(0).from(-oldest), oldest, to)
  const y = returns(frame.input(1), frame.scratch(1).from(-oldest), oldest, to)
  const xx = frame.scratch(2)
  const yy = frame.scratch(3)
  comoments(x, y, 1, xx, yy, out, i, to, period, frame.scratch(4), frame.scratch(5), frame.scratch(6))
  const size = <f64>period
  const least = f64x2.splat(size * size * rounding * rounding)
  const after = out[to]
  for (; i < to; i += 2) out.setPair(i, slope(xx.pair(i), out.pair(i), least))
  out[to] = after
}

function slope(xx: v128, xy: v128, least: v128): v128 {
  return v128.andnot(f64x2.div(xy, xx), f64x2.le(xx, least))
}

/** Writes the relative change of each value; returns the column `out`. */
function returns(x: Column, out: Column, from: i32, to: i32): Column {
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const before = x.pair(i - 1)
    const change = f64x2.div(f64x2.sub(x.pair(i), before), before)
    out.setPair(i, v128.and(change, f64x2.ne(before, f64x2.splat(0))))
  }
  out[to] = after
  return out
}
