import { Frame } from '../../frame'
import { spanEnd, spanStart } from '../../parts/candles/calendar'
import { quotients } from '../../parts/numbers/quotient'
import { thirds } from '../../parts/numbers/thirds'
import { bandsAround } from '../../parts/shared/bands'

/**
 * VWAP Bands: the volume weighted average of the typical price (high + low + close) / 3 since the anchor, and `stddev`
 * volume-weighted standard deviations above and below it. Anchors are those of `vwap`. No value while nothing was
 * traded since the anchor.
 * Source: TradingView, ta.vwap; QuanTAlib Vwapbands. The recursion is West's (1979), which loses no digits.
 */
export function vwapbands(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const timestamp = frame.input(4)
  const value = frame.output(0)
  const upper = frame.output(1)
  const lower = frame.output(2)
  const state = frame.state
  const span = frame.integer(1)
  const afterValue = value[to]
  const afterUpper = upper[to]
  for (let i = from; i < to; i += 2) {
    const sum = f64x2.add(f64x2.add(high.pair(i), low.pair(i)), close.pair(i))
    value.setPair(i, thirds(sum))
  }
  value[to] = afterValue
  let end = from === 0 ? -Infinity : state[0]
  let traded = from === 0 ? 0 : state[1]
  let mean = from === 0 ? 0 : state[2]
  let squares = from === 0 ? 0 : state[3]
  for (let i = from; i < to; i++) {
    const opened = timestamp[i]
    if (opened >= end) {
      end = spanEnd(span, spanStart(span, opened))
      traded = 0
      mean = 0
      squares = 0
    }
    const size = volume[i]
    traded += size
    const distance = value[i] - mean
    const step = traded !== 0 ? distance * (size / traded) : 0
    mean += step
    squares += size * distance * (distance - step)
    value[i] = traded !== 0 ? mean : NaN
    upper[i] = squares
    lower[i] = traded
  }
  state[0] = end
  state[1] = traded
  state[2] = mean
  state[3] = squares
  for (let i = from; i < to; i += 2) upper.setPair(i, f64x2.sqrt(quotients(upper.pair(i), lower.pair(i))))
  upper[to] = afterUpper
  bandsAround(value, upper, lower, from, to, frame.number(0))
}
