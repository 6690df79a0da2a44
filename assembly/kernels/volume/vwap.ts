import { Frame } from '../../frame'

/** Seconds of a day, of a week, and Unix seconds of a Monday 00:00 UTC. */
const day: f64 = 86_400
const week: f64 = 604_800
const monday: f64 = 345_600

/**
 * Volume Weighted Average Price: Σ typical price·volume / Σ volume since the anchor, the typical price being (high + low
 * + close) / 3; `anchorPeriod` week begins anew on Monday 00:00 UTC, session on every day 00:00 UTC.
 * A candle belongs to the anchor in which it opens; no value while nothing was traded since the anchor.
 * Source: the definition; Skender.Stock.Indicators Vwap and TradingView's anchored VWAP (Tulip has none).
 */
export function vwap(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const timestamp = frame.input(4)
  const out = frame.output(0)
  const state = frame.state
  const isWeek = frame.integer(0) === 0
  const length = isWeek ? week : day
  const origin: f64 = isWeek ? monday : 0
  let end = from === 0 ? -Infinity : state[0]
  let paid = from === 0 ? 0 : state[1]
  let traded = from === 0 ? 0 : state[2]
  for (let i = from; i < to; i++) {
    const opened = timestamp[i]
    if (opened >= end) {
      end = (Math.floor((opened - origin) / length) + 1) * length + origin
      paid = 0
      traded = 0
    }
    paid += (high[i] + low[i] + close[i]) * volume[i]
    traded += volume[i] * 3
    out[i] = traded !== 0 ? paid / traded : NaN
  }
  state[0] = end
  state[1] = paid
  state[2] = traded
}
