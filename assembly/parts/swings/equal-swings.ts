import { Column, Frame } from '../../frame'
import { averageTrueRange } from '../averages/average-true-range'
import { exponentialState } from '../averages/exponential-average'
import { isAbove, isMove } from '../numbers/tie'
import { isPivot } from './pivots'

/** Number of levels kept per side; must equal the value in src/catalogue/structure/swings.ts. */
const capacity: i32 = 8
/** Size of a level in the state, in numbers. */
const levelSize: i32 = 3

/** One or several swings at about the same price. A view of memory. */
@unmanaged
export class Level {
  /** The mean of their prices. */
  price: f64
  /** The price beyond which the level counts as traded through. */
  edge: f64
  /** Number of swings. */
  touches: f64
}

/**
 * The levels of swing highs (`side` 1) or swing lows (`side` −1) that were not traded through, the oldest first. A view
 * of the state: three numbers about all, then `capacity` levels.
 */
@unmanaged
export class Levels {
  private known: f64
  /** The innermost price of the levels that have at least two swings, times the side; Infinity where there is none. */
  private innermost: f64
  /** The edge that the price reaches first, times the side. */
  private nearestEdge: f64

  /** The levels of swing highs: in the state, after the average true range. */
  @inline
  static tops(frame: Frame): Levels {
    return changetype<Levels>(frame.state.from(exponentialState))
  }

  /** The levels of swing lows. */
  @inline
  static bottoms(frame: Frame): Levels {
    return changetype<Levels>(frame.state.from(exponentialState + Levels.size))
  }

  /** Numbers in the state. */
  @inline
  static get size(): i32 {
    return 3 + levelSize * capacity
  }

  /** Removes all levels; writes all numbers. */
  reset(): void {
    memory.fill(changetype<usize>(this), 0, (<usize>Levels.size) << 3)
    this.innermost = Infinity
    this.nearestEdge = Infinity
  }

  @inline
  get(k: i32): Level {
    return changetype<Level>(changetype<usize>(this) + 24 + ((<usize>(k * levelSize)) << 3))
  }

  /**
   * Removes the levels that candle `i` trades through, whose prices on this side are in `x`, and adds the swing that the
   * candle confirms. Returns the number of the level that the swing joined, or −1.
   */
  @inline
  advance(frame: Frame, x: Column, i: i32, side: f64): i32 {
    if (x[i] * side > this.nearestEdge) this.remove(x[i], side)
    const tolerance = frame.number(2) * frame.scratch(0)[i]
    return this.confirm(x, i, frame.integer(0), frame.integer(1), tolerance, side)
  }

  private remove(price: f64, side: f64): void {
    const count = <i32>this.known
    let staying = 0
    for (let k = 0; k < count; k++) {
      const level = this.get(k)
      if (isAbove(price * side, level.edge * side)) continue
      if (staying < k)
        memory.copy(changetype<usize>(this.get(staying)), changetype<usize>(level), levelSize << 3)
      staying++
    }
    this.known = <f64>staying
    this.review(side)
  }

  /** Updates the innermost level and the nearest edge after a level has changed. */
  private review(side: f64): void {
    let innermost = Infinity
    let nearest = Infinity
    const count = <i32>this.known
    for (let k = 0; k < count; k++) {
      const level = this.get(k)
      const price = level.price * side
      const edge = level.edge * side
      if (level.touches >= 2 && price < innermost) innermost = price
      if (edge < nearest) nearest = edge
    }
    this.innermost = innermost
    this.nearestEdge = nearest
  }

  /**
   * Adds the swing that candle `i` confirms: it joins the newest level within `tolerance` or becomes a new level, which
   * removes the oldest if there are more than the capacity. Returns the number of the level that it joined, or −1.
   */
  private confirm(x: Column, i: i32, left: i32, right: i32, tolerance: f64, side: f64): i32 {
    const j = i - right
    if (!isPivot(x, j, left, right, side)) return -1
    const price = x[j]
    const count = <i32>this.known
    for (let k = count - 1; k >= 0; k--) {
      const level = this.get(k)
      if (isMove(abs(price - level.price) - tolerance, price)) continue
      level.price = (level.price * level.touches + price) / (level.touches + 1)
      level.edge = level.price + side * tolerance
      level.touches += 1
      this.review(side)
      return k
    }
    const staying = min(count, capacity - 1)
    if (staying < count) {
      memory.copy(
        changetype<usize>(this.get(0)),
        changetype<usize>(this.get(1)),
        (<usize>(staying * levelSize)) << 3,
      )
    }
    const level = this.get(staying)
    level.price = price
    level.edge = price + side * tolerance
    level.touches = 1
    this.known = <f64>(staying + 1)
    this.review(side)
    return -1
  }

  /** The level of at least two swings that lies nearest to `price` on this side of it; NaN where there is none. */
  nearestPool(price: f64, side: f64): f64 {
    const from = price * side
    if (this.innermost === Infinity) return NaN
    if (isAbove(this.innermost, from)) return this.innermost * side
    let nearest = Infinity
    const count = <i32>this.known
    for (let k = 0; k < count; k++) {
      const level = this.get(k)
      const other = level.price * side
      if (level.touches >= 2 && isAbove(other, from) && other < nearest) nearest = other
    }
    return nearest === Infinity ? NaN : nearest * side
  }
}

/**
 * Begins without levels at the first candle, writes the average true ranges of the candles [from, to) to scratch column 0
 * and returns how many candles come before the first one with values. Inputs: high, low, close. Parameters: swingLeft,
 * swingRight, toleranceATR, atrPeriod.
 */
export function prepareLevels(frame: Frame, from: i32, to: i32): i32 {
  if (from === 0) {
    Levels.tops(frame).reset()
    Levels.bottoms(frame).reset()
  }
  const period = frame.integer(3)
  averageTrueRange(
    frame.input(0),
    frame.input(1),
    frame.input(2),
    frame.scratch(0),
    from,
    to,
    period,
    frame.state,
  )
  return max(frame.integer(0) + frame.integer(1), period)
}
