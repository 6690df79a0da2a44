import { Frame } from '../../frame'
import { isLonger, isShorter } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { isPivot } from '../../parts/swings/pivots'
import { Zones } from '../../parts/swings/zones'

/**
 * Rejection Blocks: the long wick at a turning point, where prices were refused.
 * A swing high is a high above those of the `swingRight` candles after it and not below those of the `swingLeft`
 * candles before it. If its upper wick (high − the higher of open and close) is at least `wickRatio` of its range and
 * longer than 0, the wick is a bearish block: top at the high, bottom at the body, `value` −100 at the candle that
 * confirms the swing. A swing low with such a lower wick is a bullish block, from the low to the body, with 100. Of a
 * candle that is both, the longer wick counts, the lower one if they are equal.
 * A block is valid until a later close beyond the end of the wick. `top` and `bottom` are those of the newest valid
 * block; the newest 16 are watched.
 * Source: the concepts of the Inner Circle Trader (Huddleston), as the library PyIndicators has them.
 */
export function rejectionblocks(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const left = frame.integer(0)
  const right = frame.integer(1)
  const wickRatio = frame.number(2)
  const blocks = Zones.of(frame.state)
  if (from === 0) blocks.reset()
  let first = from
  for (let k = 0; k < 3; k++) first = warmup(frame.output(k), from, to, left + right)
  for (let i = first; i < to; i++) {
    const j = i - right
    blocks.remove(close[i], close[i])
    const least = wickRatio * (high[j] - low[j])
    const bodyTop = max(open[j], close[j])
    const bodyBottom = min(open[j], close[j])
    const upper = isPivot(high, j, left, right, 1) ? high[j] - bodyTop : 0
    const lower = isPivot(low, j, left, right, -1) ? bodyBottom - low[j] : 0
    let side: f64 = 0
    if (lower > 0 && !isShorter(lower, least) && !isLonger(upper, lower)) {
      side = 1
      blocks.push(1, bodyBottom, low[j], 0)
    } else if (upper > 0 && !isShorter(upper, least)) {
      side = -1
      blocks.push(-1, high[j], bodyTop, 0)
    }
    frame.output(0)[i] = 100 * side
    blocks.writeBounds(frame.output(1), frame.output(2), i)
  }
}
