import { Frame } from '../../frame'
import { Span, spanStart } from '../../parts/candles/calendar'

const hour: f64 = 3600

/**
 * Session Range: the highest high and the lowest low of a trading session, of the candles so far while it runs, of the
 * whole session afterwards until the next one starts. The sessions are fixed hours of UTC, without daylight saving
 * time: Asia from 00:00 to 09:00, London from 07:00 to 16:00, New York from 12:00 to 21:00 (`session`), every day of
 * the week.
 * A candle belongs to the session in which it opens; `active` is true for those candles. `high` and `low` are null
 * until a session was seen from its beginning: the first counts if its first candle opened in its first second, or if
 * there were candles before it.
 * Source: the usual hours of the three centres; smartmoneyconcepts has similar ones.
 */
export function sessions(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const time = frame.input(2)
  const session = frame.integer(0)
  const state = frame.state
  const opening = (session === 0 ? 0 : session === 1 ? 7 : 12) * hour
  const length = 9 * hour
  let running = from === 0 ? NaN : state[0]
  let highest = from === 0 ? NaN : state[1]
  let lowest = from === 0 ? NaN : state[2]
  for (let i = from; i < to; i++) {
    const start = spanStart(Span.day, time[i]) + opening
    const isActive = time[i] >= start && time[i] < start + length
    if (isActive && start !== running) {
      running = start
      const isWhole = i > 0 || time[i] === start
      highest = isWhole ? high[i] : NaN
      lowest = isWhole ? low[i] : NaN
    } else if (isActive) {
      if (high[i] > highest) highest = high[i]
      if (low[i] < lowest) lowest = low[i]
    }
    frame.output(0)[i] = isActive ? 1 : 0
    frame.output(1)[i] = highest
    frame.output(2)[i] = lowest
  }
  state[0] = running
  state[1] = highest
  state[2] = lowest
}
