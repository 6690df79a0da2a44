import { Column, Frame } from '../../frame'
import { isAbove } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { isPivot } from '../../parts/swings/pivots'

/**
 * Automatic Trendlines: the line through the last two swing highs where the newer one is lower (`upper`), and through
 * the last two swing lows where the newer one is higher (`lower`), extended to the candle.
 * A swing high is a high above those of the `swingRight` candles after it and not below those of the `swingLeft`
 * candles before it, known with the last of them; a swing low is the mirror image. Each new swing high ends the upper
 * line, and starts another one if it is lower than the one before; the lower line likewise.
 * `breakValue` is 100 at the first close above the upper line, −100 at the first close below the lower one; if a close
 * is beyond both, 100. A line has a value at the candle that breaks it and none after it; the candle that confirms the
 * newer swing may be the one that breaks it.
 * Source: the trendlines of Edwards and Magee, Technical Analysis of Stock Trends (1948), on fractal swings.
 */
export function trendlines(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const upper = frame.output(0)
  const lower = frame.output(1)
  const left = frame.integer(0)
  const right = frame.integer(1)
  const up = Line.of(frame.state)
  const down = Line.of(frame.state.from(Line.size))
  if (from === 0) {
    up.reset()
    down.reset()
  }
  let first = from
  for (let k = 0; k < 3; k++) first = warmup(frame.output(k), from, to, left + right)
  for (let i = first; i < to; i++) {
    const j = i - right
    if (isPivot(high, j, left, right, 1)) up.turn(<f64>j, high[j], 1)
    if (isPivot(low, j, left, right, -1)) down.turn(<f64>j, low[j], -1)
    upper[i] = up.at(<f64>i)
    lower[i] = down.at(<f64>i)
    const breaksUpper = isAbove(close[i], upper[i])
    const breaksLower = isAbove(lower[i], close[i])
    if (breaksUpper) up.end()
    if (breaksLower) down.end()
    frame.output(2)[i] = breaksUpper ? 100 : breaksLower ? -100 : 0
  }
}

/** The line through the last two turning points of a side. A view of the kernel's state. */
@unmanaged
class Line {
  /** The newest turning point; NaN while there is none. */
  private time: f64
  private price: f64
  /** The change of the line per candle; NaN while there is no line. */
  private slope: f64

  /** Numbers of state per line. */
  static readonly size: i32 = 3

  @inline
  static of(state: Column): Line {
    return changetype<Line>(state)
  }

  reset(): void {
    this.time = NaN
    this.price = NaN
    this.slope = NaN
  }

  /** Adds a turning point. A line through highs (`side` 1) must fall, one through lows (−1) must rise. */
  turn(time: f64, price: f64, side: f64): void {
    const slope = (price - this.price) / (time - this.time)
    this.slope = slope * side < 0 ? slope : NaN
    this.time = time
    this.price = price
  }

  @inline
  at(time: f64): f64 {
    return this.price + this.slope * (time - this.time)
  }

  end(): void {
    this.slope = NaN
  }
}
