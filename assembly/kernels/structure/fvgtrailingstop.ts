import { Column, Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { isAbove } from '../../parts/numbers/tie'

/**
 * Fair Value Gap Trailing Stop: rising and falling gaps each have a mean of the newest `lookback` prices at which such
 * gaps begin and which the close has not passed, averaged over `smoothing` candles. Without such prices it is the mean
 * of the closes since then, at most `smoothing` of them. A close above the average of the falling gaps starts a long
 * side, one below that of the rising gaps a short side. The stop begins at the average behind the price when the side
 * turns, and only moves with the side. With `resetOnCross` the stop is removed when the close passes it, and set again
 * when the close passes the other average again. `lower` and `lowerStop` on the long side, `upper` and `upperStop` on
 * the short side; no value before the first turn.
 * Source: LuxAlgo's script of this name; VectorTA fvg_trailing_stop.
 */
export function fvgtrailingstop(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const most = frame.integer(0)
  const smoothing = frame.integer(1)
  const isReset = frame.integer(2) === 1
  const isFresh = from === 0
  const trail = Trail.of(frame.state)
  const rising = GapLevels.of(frame.state.from(Trail.size))
  const falling = GapLevels.of(frame.state.from(Trail.size + GapLevels.size + most))
  const saved = frame.state.from(Trail.size + 2 * (GapLevels.size + most))
  const bull = frame.scratch(0).from(smoothing - from)
  const bear = frame.scratch(1).from(smoothing - from)
  restoreOverlap(bull, from, smoothing, saved, isFresh)
  restoreOverlap(bear, from, smoothing, saved.from(smoothing), isFresh)
  if (isFresh) {
    trail.reset()
    rising.reset(most)
    falling.reset(most)
  }
  for (let i = from; i < to; i++) {
    if (i >= 2) addGaps(frame, i, rising, falling, most)
    rising.remove(close[i], 1)
    falling.remove(close[i], -1)
    bull[i] = rising.mean(close, i, smoothing)
    bear[i] = falling.mean(close, i, smoothing)
    const hasMeans = i >= smoothing - 1
    const low = hasMeans ? meanOf(bull, i, smoothing) : NaN
    const high = hasMeans ? meanOf(bear, i, smoothing) : NaN
    trail.follow(close[i], low, high, isReset)
    const stop = isNaN(trail.stop) ? trail.stopBefore : trail.stop
    const isShown = !isNaN(stop)
    const isLong = isShown && trail.side > 0
    const isShort = isShown && trail.side < 0
    frame.output(0)[i] = isShort ? high : NaN
    frame.output(1)[i] = isLong ? low : NaN
    frame.output(2)[i] = isShort ? stop : NaN
    frame.output(3)[i] = isLong ? stop : NaN
  }
  saveOverlap(bull, to, smoothing, saved)
  saveOverlap(bear, to, smoothing, saved.from(smoothing))
}

/** Adds the price at which a gap of the last three candles begins, if the middle candle closed beyond it. */
function addGaps(frame: Frame, i: i32, rising: GapLevels, falling: GapLevels, most: i32): void {
  const top = frame.input(0)[i - 2]
  const bottom = frame.input(1)[i - 2]
  const middle = frame.input(2)[i - 1]
  if (frame.input(1)[i] > top && middle > top) rising.add(top, most)
  if (frame.input(0)[i] < bottom && middle < bottom) falling.add(bottom, most)
}

/** The mean of the last `period` values. */
function meanOf(x: Column, i: i32, period: i32): f64 {
  let sum: f64 = 0
  for (let k = period - 1; k >= 0; k--) sum += x[i - k]
  return sum / <f64>period
}

/** The side of the market and the stop that follows it. A view of the kernel's state. */
@unmanaged
class Trail {
  /** 1 long, −1 short, 0 at first. */
  side: f64
  stop: f64
  /** The stop after the previous candle. */
  stopBefore: f64

  static readonly size: i32 = 3

  @inline
  static of(state: Column): Trail {
    return changetype<Trail>(state)
  }

  reset(): void {
    this.side = 0
    this.stop = NaN
    this.stopBefore = NaN
  }

  /** Processes a close and the averages of the rising and of the falling gaps. */
  follow(close: f64, low: f64, high: f64, isReset: bool): void {
    const before = this.side
    this.stopBefore = this.stop
    if (isAbove(close, high)) this.side = 1
    else if (isAbove(low, close)) this.side = -1
    const side = this.side
    const average = side > 0 ? low : high
    if (before !== 0 && side !== before) this.stop = average
    else if (side > 0) this.stop = Math.max(this.stop, low)
    else if (side < 0) this.stop = Math.min(this.stop, high)
    if (!isReset || side === 0) return
    if (isNaN(this.stop)) {
      if (side > 0 ? isAbove(close, high) : isAbove(low, close)) this.stop = average
    } else if (isAbove(this.stop * side, close * side)) this.stop = NaN
  }
}

/**
 * The newest prices at which fair value gaps begin that the close has not passed. A view of the kernel's state; its
 * size is `GapLevels.size` plus the maximum number of levels.
 *
 *   ├─ how many ─┼─ candles without any ─┼─ the levels, the oldest first ─┤
 */
@unmanaged
class GapLevels {
  private count: f64
  /** Candles since there were levels; −1 before the first. */
  private age: f64

  static readonly size: i32 = 2

  @inline
  static of(state: Column): GapLevels {
    return changetype<GapLevels>(state)
  }

  reset(most: i32): void {
    this.count = 0
    this.age = -1
    for (let k = 0; k < most; k++) this.levels[k] = 0
  }

  /** Adds a level, and drops the oldest if there are more than `most`. */
  add(price: f64, most: i32): void {
    const levels = this.levels
    let count = <i32>this.count
    if (count === most) {
      count--
      for (let k = 0; k < count; k++) levels[k] = levels[k + 1]
    }
    levels[count] = price
    this.count = <f64>(count + 1)
  }

  /** Removes the levels above `close`, or with `sign` −1 those below it. */
  remove(close: f64, sign: f64): void {
    const levels = this.levels
    let kept: i32 = 0
    for (let k = 0; k < <i32>this.count; k++) {
      const level = levels[k]
      if ((level - close) * sign > 0) continue
      levels[kept] = level
      kept++
    }
    this.count = <f64>kept
  }

  /**
   * Mean of the levels. Without levels, the mean of the closes since there were some, at least one and at most `most`.
   */
  mean(close: Column, i: i32, most: i32): f64 {
    const count = <i32>this.count
    let sum: f64 = 0
    if (count > 0) {
      this.age = 0
      for (let k = 0; k < count; k++) sum += this.levels[k]
      return sum / <f64>count
    }
    if (this.age >= 0) this.age += 1
    const size = min(max(<i32>this.age, 1), most)
    for (let k = size - 1; k >= 0; k--) sum += close[i - k]
    return sum / <f64>size
  }

  @inline
  private get levels(): Column {
    return changetype<Column>(this).from(GapLevels.size)
  }
}
