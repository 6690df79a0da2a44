import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { standardLevels } from '../../parts/shared/pivotlevels'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Rolling Pivot Points: P = (H + L + C) / 3, R1 = 2P − L, S1 = 2P − H, R2 = P + (H − L), S2 = P − (H − L),
 * R3 = H + 2(P − L), S3 = L − 2(H − P), where H, L and C are the highest high, the lowest low and the last close of
 * `period` candles, the newest of which is `offset` + 1 candles back.
 * Source: Skender.Stock.Indicators RollingPivots.
 */
export function rollingpivots(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const back = frame.integer(1) + 1
  let first = from
  for (let k = 0; k < 7; k++) first = warmup(frame.output(k), from, to, period + back - 1)
  if (first >= to) return
  const high = frame.input(0).from(-back)
  const low = frame.input(1).from(-back)
  const close = frame.input(2).from(-back)
  const highest = frame.scratch(0).from(-first)
  const lowest = frame.scratch(1).from(-first)
  movingRange(high, low, back, highest, lowest, first, to, period, frame.scratch(2))
  for (let i = first; i < to; i++) standardLevels(frame, 3, i, highest[i], lowest[i], close[i])
}
