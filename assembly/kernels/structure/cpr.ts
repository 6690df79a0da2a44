import { Frame } from '../../frame'
import { AnchoredPeriods } from '../../parts/shared/pivotlevels'

/**
 * Central Pivot Range: pivot P = (H + L + C) / 3 of the previous span; the middle (H + L) / 2 and its mirror 2P − (H +
 * L) / 2 are the ends of the range, top the higher and bottom the lower one; width is top − bottom in percent of the
 * pivot. Others call the middle the bottom and its mirror the top even if the mirror is lower, or return the width as a
 * price. `anchor` is the span: the UTC day, the week from Monday, or the month before; with auto the day for candles of
 * up to 15 minutes, the week for the other intraday ones, the month for daily ones and the year for weekly ones, the
 * timeframe being the smallest distance of two candles so far. The levels hold for the whole running span. Spans
 * without candles are skipped; no value before a whole span was seen, the first one only if it has a candle at its
 * first second.
 * Source: Ochoa, Secrets of a Pivot Boss (2010).
 */
export function cpr(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const highs = frame.input(1)
  const lows = frame.input(2)
  const closes = frame.input(3)
  const time = frame.input(4)
  const periods = AnchoredPeriods.of(frame.state)
  const anchor = frame.integer(0)
  if (from === 0) periods.reset()
  for (let i = from; i < to; i++) {
    const period = periods.take(anchor, time, open, highs, lows, closes, i)
    const middle = (period.highBefore + period.lowBefore) / 2
    const pivot = (period.highBefore + period.lowBefore + period.closeBefore) / 3
    const mirror = 2 * pivot - middle
    const width = abs(mirror - middle)
    frame.output(0)[i] = pivot
    frame.output(1)[i] = max(middle, mirror)
    frame.output(2)[i] = min(middle, mirror)
    frame.output(3)[i] = pivot !== 0 ? (width / pivot) * 100 : NaN
  }
}
