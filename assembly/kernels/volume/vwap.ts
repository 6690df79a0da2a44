import { Frame } from '../../frame'
import { Span, spanEnd, spanStart } from '../../parts/candles/calendar'

/**
 * Volume Weighted Average Price: Σ typical price·volume / Σ volume since the anchor, the typical price being (high + low +
 * close) / 3; `anchorPeriod` week restarts on Monday, session on every day, month on its first day, all at 00:00 UTC. Charts
 * restart each session by default, some weeks on Sunday. A candle belongs to the anchor in which it opens; no value while
 * nothing was traded since the anchor.
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
  const anchor = frame.integer(0)
  const span = anchor === 0 ? Span.week : anchor === 1 ? Span.day : Span.month
  let end = from === 0 ? -Infinity : state[0]
  let paid = from === 0 ? 0 : state[1]
  let traded = from === 0 ? 0 : state[2]
  for (let i = from; i < to; i++) {
    const opened = timestamp[i]
    if (opened >= end) {
      end = spanEnd(span, spanStart(span, opened))
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
