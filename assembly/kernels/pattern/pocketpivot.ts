import { Frame } from '../../frame'
import { hundred } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'
import { movingMax } from '../../parts/windows/extremes'

/**
 * Pocket Pivot: 100 where the close rises and the volume is larger than that of each of the `period` candles before on
 * which the close fell.
 * Where none of them fell, any volume above 0 is enough. No moving average is required.
 * Source: Morales and Kacher, In the Trading Cockpit with the O’Neil Disciples (2012).
 */
export function pocketpivot(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period + 1)
  if (first >= to) return
  const oldest = first - period
  const falls = frame.scratch(0).from(-oldest)
  const largest = frame.scratch(1).from(-first)
  for (let i = oldest; i < to; i += 2) {
    falls.setPair(i, v128.and(volume.pair(i), f64x2.lt(close.pair(i), close.pair(i - 1))))
  }
  movingMax(falls, 0, largest.from(1), first - 1, to - 1, period, frame.scratch(2))
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const rises = f64x2.gt(close.pair(i), close.pair(i - 1))
    out.setPair(i, hundred(v128.and(rises, f64x2.gt(volume.pair(i), largest.pair(i)))))
  }
  out[to] = after
}
