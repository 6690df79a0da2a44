import { Column, Frame } from '../../frame'
import { warmup } from '../numbers/warmup'
import { isPivot } from './pivots'
import { Zones } from './zones'

/** The kinds of zones that a broken swing leaves. */
export const orderBlock = 0
export const breakerBlock = 1
export const mitigationBlock = 2

/**
 * The newest swing high (`side` 1) or swing low (`side` −1), and the candle from which a move that breaks it would come.
 * A view of the kernel's state.
 */
@unmanaged
class Swing {
  /** The price that a close has to break; NaN while there is no such swing, or once it is broken. */
  private level: f64
  /** The price of the newest swing of this side, broken or not; NaN if none. */
  price: f64
  /** The newest swing of the other side that was known when this one was confirmed; NaN if none. */
  private opposite: f64
  /** The farthest price against the side since the swing: the low after a high, the high after a low. */
  private extreme: f64
  /** The last candle since the swing that closed against the side; NaN if none. */
  private top: f64
  private bottom: f64
  private volume: f64
  /** The last such candle at or before the one with the extreme; NaN if none. */
  private blockTop: f64
  private blockBottom: f64
  private blockVolume: f64

  /** Size of a swing in the state, in numbers. */
  static readonly size: i32 = 10

  @inline
  static of(state: Column): Swing {
    return changetype<Swing>(state)
  }

  reset(): void {
    this.begin(NaN, NaN, 1)
  }

  /** A new swing at `level` replaces the one before. */
  begin(level: f64, opposite: f64, side: f64): void {
    this.level = level
    this.price = level
    this.opposite = opposite
    this.extreme = side * Infinity
    this.top = NaN
    this.bottom = NaN
    this.volume = NaN
    this.blockTop = NaN
    this.blockBottom = NaN
    this.blockVolume = NaN
  }

  /** Adds a candle after the swing, or the candle of the swing itself. */
  @inline
  take(open: f64, high: f64, low: f64, close: f64, volume: f64, side: f64): void {
    if ((close - open) * side < 0) {
      this.top = high
      this.bottom = low
      this.volume = volume
    }
    const against = side > 0 ? low : high
    if ((this.extreme - against) * side > 0) {
      this.extreme = against
      this.blockTop = this.top
      this.blockBottom = this.bottom
      this.blockVolume = this.volume
    }
  }

  /**
   * Adds the block of a swing that `close` breaks. Returns the side, 0 if the swing is not broken or has no block. With
   * `isFailure`, the extreme must not lie beyond the opposite swing.
   */
  @inline
  breakBy(close: f64, side: f64, isFailure: bool, blocks: Zones): f64 {
    return (close - this.level) * side > 0 ? this.end(side, isFailure, blocks) : 0
  }

  private end(side: f64, isFailure: bool, blocks: Zones): f64 {
    this.level = NaN
    if (!(this.blockTop >= this.blockBottom)) return 0
    if (isFailure && !((this.extreme - this.opposite) * side >= 0)) return 0
    blocks.push(side, this.blockTop, this.blockBottom, this.blockVolume)
    return side
  }
}

/**
 * The order blocks, breaker blocks or mitigation blocks of the candles [from, to), as their kernels have them.
 * State: the two swings, the valid blocks, and the breaker blocks if those are wanted.
 */
export function orderBlocks(frame: Frame, from: i32, to: i32, kind: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const volume = frame.input(4)
  const value = frame.output(0)
  const left = frame.integer(0)
  const right = frame.integer(1)
  const up = Swing.of(frame.state)
  const down = Swing.of(frame.state.from(Swing.size))
  const blocks = Zones.of(frame.state.from(2 * Swing.size))
  const breakers = Zones.of(frame.state.from(2 * Swing.size + Zones.size))
  const isBreaker = kind === breakerBlock
  if (from === 0) {
    up.reset()
    down.reset()
    blocks.reset()
    if (isBreaker) breakers.reset()
  }
  const isFailure = kind === mitigationBlock
  const shown = isBreaker ? breakers : blocks
  const outputs = kind === orderBlock ? 4 : 3
  let first = from
  for (let k = 0; k < outputs; k++) first = warmup(frame.output(k), from, to, left + right)
  for (let i = first; i < to; i++) {
    const j = i - right
    const isTop = isPivot(high, j, left, right, 1)
    const isBottom = isPivot(low, j, left, right, -1)
    const highBefore = up.price
    const lowBefore = down.price
    if (isTop) {
      up.begin(high[j], lowBefore, 1)
      for (let k = j; k < i; k++) up.take(open[k], high[k], low[k], close[k], volume[k], 1)
    }
    if (isBottom) {
      down.begin(low[j], highBefore, -1)
      for (let k = j; k < i; k++) down.take(open[k], high[k], low[k], close[k], volume[k], -1)
    }
    let turned: f64 = 0
    if (isBreaker) {
      breakers.remove(close[i], close[i])
      turned = blocks.remove(close[i], close[i], breakers)
    } else {
      blocks.remove(low[i], high[i])
    }
    const broken = up.breakBy(close[i], 1, isFailure, blocks) + down.breakBy(close[i], -1, isFailure, blocks)
    value[i] = isBreaker ? 0 - 100 * turned : 100 * broken
    shown.writeBounds(frame.output(1), frame.output(2), i)
    if (kind === orderBlock) frame.output(3)[i] = blocks.newestVolume
    up.take(open[i], high[i], low[i], close[i], volume[i], 1)
    down.take(open[i], high[i], low[i], close[i], volume[i], -1)
  }
}
