import { Frame } from '../../frame'
import { isAbove } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * SSL Channel: the means of highs and lows over `period` candles; `up` is the mean of the highs, and `down` that of the
 * lows, while the last close outside the two was above them; they swap when it was below. `trend` is 1 or −1.
 * Starts up. A close that equals a mean, but for rounding, is not outside.
 * Source: ErwinBeckers, SSL Channel (TradingView); deepentropy/lightweight-charts-indicators ssl-channel.
 */
export function sslchannel(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const up = frame.output(0)
  const down = frame.output(1)
  const trend = frame.output(2)
  const period = frame.integer(0)
  const first = warmup(up, from, to, period - 1)
  warmup(down, from, to, period - 1)
  warmup(trend, from, to, period - 1)
  movingMean(frame.input(0), 0, up, first, to, period, frame.scratch(0))
  movingMean(frame.input(1), 0, down, first, to, period, frame.scratch(0))
  let side: f64 = from === 0 ? 1 : frame.state[0]
  for (let i = first; i < to; i++) {
    const top = up[i]
    const bottom = down[i]
    side = isAbove(close[i], top) ? 1 : isAbove(bottom, close[i]) ? -1 : side
    up[i] = side > 0 ? top : bottom
    down[i] = side > 0 ? bottom : top
    trend[i] = side
  }
  frame.state[0] = side
}
