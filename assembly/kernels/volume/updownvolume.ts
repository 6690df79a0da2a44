import { Frame } from '../../frame'
import { quotients } from '../../parts/numbers/quotient'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Up/Down Volume Ratio: over `period` candles, the volume of candles that closed higher than the previous one, divided
 * by the volume of candles that closed lower.
 * No value where nothing was traded on falls.
 * Source: ooples CalculateUpsideDownsideVolume, without its minus sign.
 */
export function updownvolume(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const rises = frame.scratch(0).from(-oldest)
  const falls = frame.scratch(1).from(-oldest)
  const sums = frame.scratch(2).from(-oldest)
  for (let i = oldest; i < to; i += 2) {
    const now = close.pair(i)
    const before = close.pair(i - 1)
    rises.setPair(i, v128.and(volume.pair(i), f64x2.gt(now, before)))
    falls.setPair(i, v128.and(volume.pair(i), f64x2.lt(now, before)))
  }
  movingSum(rises, 1, out, first, to, period, frame.scratch(3))
  movingSum(falls, 1, sums, first, to, period, frame.scratch(3))
  const after = out[to]
  for (let i = first; i < to; i += 2) out.setPair(i, quotients(out.pair(i), sums.pair(i)))
  out[to] = after
}
