import { Column } from '../../frame'
import { isMove, isShorter, rounding } from '../numbers/tie'

/** A turning point of the price. A view of memory. */
@unmanaged
export class Pivot {
  /** The index of its candle. */
  at: f64
  price: f64
  /** 1 for a high, −1 for a low. */
  side: f64
}

/** Size of a turning point in the state, in numbers. */
const pivotSize = 3

/**
 * The newest turning points of a series, the newest first. A view of the kernel's state:
 *
 *   ├─ count ─┼─ at │ price │ side ─┼─ at │ price │ side ─┼ …   as many as the capacity
 */
@unmanaged
export class Pivots {
  private known: f64

  @inline
  static of(state: Column): Pivots {
    return changetype<Pivots>(state)
  }

  /** Size of `capacity` turning points in the state, in numbers; must equal the size in src/catalogue/pivots.ts. */
  @inline
  static size(capacity: i32): i32 {
    return 1 + pivotSize * capacity
  }

  /** Number of turning points. */
  @inline
  get count(): i32 {
    return <i32>this.known
  }

  /** Removes all turning points; writes the whole list. */
  reset(capacity: i32): void {
    memory.fill(changetype<usize>(this), 0, (<usize>Pivots.size(capacity)) << 3)
  }

  /** The turning point `k` positions before the newest one, which is 0. It must exist. */
  @inline
  get(k: i32): Pivot {
    return changetype<Pivot>(changetype<usize>(this) + 8 + ((<usize>(k * pivotSize)) << 3))
  }

  /** Adds a turning point as the newest; drops the oldest if there are more than `capacity`. */
  push(capacity: i32, at: f64, price: f64, side: f64): void {
    const staying = min(this.count, capacity - 1)
    const newest = changetype<usize>(this.get(0))
    memory.copy(newest + (pivotSize << 3), newest, (<usize>(staying * pivotSize)) << 3)
    this.known = <f64>(staying + 1)
    this.set(at, price, side)
  }

  /**
   * Adds a turning point to a list in which highs and lows alternate. One on the side of the newest replaces it if it
   * lies farther out; one on the other side is added if it is at least `distance` away from the newest. NaN as distance
   * adds nothing. Returns whether anything changed.
   */
  alternate(capacity: i32, at: f64, price: f64, side: f64, distance: f64): bool {
    if (this.count === 0) {
      this.push(capacity, at, price, side)
      return true
    }
    const newest = this.get(0)
    const beyond = (price - newest.price) * side
    if (newest.side === side) {
      if (!isMove(beyond, price)) return false
      this.set(at, price, side)
      return true
    }
    if (isNaN(distance) || isShorter(beyond, distance)) return false
    this.push(capacity, at, price, side)
    return true
  }

  @inline
  private set(at: f64, price: f64, side: f64): void {
    const newest = this.get(0)
    newest.at = at
    newest.price = price
    newest.side = side
  }
}

/** Methods, because only they may be inlined where `side` and `isStrict` are known. */
class PivotRule {
  @inline
  static holds(x: Column, j: i32, left: i32, right: i32, side: f64, equality: f64, isStrict: bool): bool {
    const value = x[j] * side
    // Older values must lie below the first bound, or not above it; newer ones below the second.
    const older = isStrict ? value - equality : value + equality
    const newer = value - equality
    let checked = 0
    if (left >= 2 && right >= 2) {
      // It is unpredictable which of the neighbours lies beyond the value, so four comparisons share one branch.
      const last = x[j - 1] * side
      const second = x[j - 2] * side
      const isBelow =
        (x[j + 1] * side < newer) &
        (x[j + 2] * side < newer) &
        (isStrict ? last < older : last <= older) &
        (isStrict ? second < older : second <= older)
      if (!isBelow) return false
      checked = 2
    }
    for (let k = checked + 1; k <= right; k++) {
      if (!(x[j + k] * side < newer)) return false
    }
    for (let k = checked + 1; k <= left; k++) {
      const other = x[j - k] * side
      if (isStrict ? !(other < older) : !(other <= older)) return false
    }
    return true
  }
}

/**
 * Whether `x[j]` is a turning point: a high (`side` 1) above the `right` values after it and not below any of the `left`
 * values before it, or a low (`side` −1) the other way round. Of equal values within the spans the newest one counts;
 * values are equal if they differ by at most `equality`. It is known at candle `j + right`, and reads from `x[j − left]` on.
 * Source: ta.pivothigh and ta.pivotlow of Pine.
 */
export function isPivot(x: Column, j: i32, left: i32, right: i32, side: f64, equality: f64 = 0): bool {
  return PivotRule.holds(x, j, left, right, side, equality, false)
}

/**
 * The side of the turning point `x[j]`: 1 for a high, −1 for a low, 0 where it is none, as `isPivot` has it. There is at
 * least one value after it in the span, so that it cannot be both.
 */
export function pivotSide(x: Column, j: i32, left: i32, right: i32, equality: f64): f64 {
  const value = x[j]
  const more = value + equality
  const less = value - equality
  // As in `PivotRule.holds`: one branch for the nearest neighbours on both sides.
  const second = right >= 2 ? x[j + 2] : x[j + 1]
  const secondLast = left >= 2 ? x[j - 2] : x[j - 1]
  const isHigh = (x[j + 1] < less) & (second < less) & (x[j - 1] <= more) & (secondLast <= more)
  const isLow = (x[j + 1] > more) & (second > more) & (x[j - 1] >= less) & (secondLast >= less)
  if (!(isHigh | isLow)) return 0
  const side: f64 = isHigh ? 1 : -1
  return PivotRule.holds(x, j, left, right, side, equality, false) ? side : 0
}

/** The same as `isPivot`, except that equal values within the spans exclude each other. */
export function isStrictPivot(x: Column, j: i32, left: i32, right: i32, side: f64): bool {
  return PivotRule.holds(x, j, left, right, side, 0, true)
}

/**
 * Adds the turning points that candle `i` confirms, at `i − right`: of the tops and of the bottoms, alternating, at least
 * `distance` apart. If one candle is both, the side that is due comes first. Returns whether anything changed.
 */
export function confirmPivots(
  pivots: Pivots,
  capacity: i32,
  tops: Column,
  bottoms: Column,
  i: i32,
  left: i32,
  right: i32,
  distance: f64,
): bool {
  const j = i - right
  if (j < left) return false
  const isTop = PivotRule.holds(tops, j, left, right, 1, rounding * abs(tops[j]), false)
  const isBottom = PivotRule.holds(bottoms, j, left, right, -1, rounding * abs(bottoms[j]), false)
  if (!isTop && !isBottom) return false
  const at = <f64>j
  const isTopDue = pivots.count === 0 || pivots.get(0).side < 0
  let isChanged = false
  if (isTop && isTopDue) isChanged = pivots.alternate(capacity, at, tops[j], 1, distance)
  if (isBottom) isChanged = pivots.alternate(capacity, at, bottoms[j], -1, distance) || isChanged
  if (isTop && !isTopDue) isChanged = pivots.alternate(capacity, at, tops[j], 1, distance) || isChanged
  return isChanged
}

/** Size of the state of `candleEdges` for a tail of `tail` candles, in numbers. */
export function edgeState(tail: i32): i32 {
  return 1 + 2 * tail
}

/**
 * Writes the tops and the bottoms of the candles [from, to): highs and lows, or the ends of the bodies if `isBody`; of
 * Heikin-Ashi candles if `isHeikinAshi` (close: the mean of the four prices; open: the mean of the open and the close of the
 * Heikin-Ashi candle before, first the mean of the candle's own; high and low include both). Also restores the `tail` values
 * before `from` from the previous calls; before the first candle they are zeros. State: edgeState(tail) numbers, the next
 * Heikin-Ashi open and the two tails. Source: Valcu, Using the Heikin-Ashi Technique (Technical Analysis of Stocks &
 * Commodities, 2004).
 */
export function candleEdges(
  open: Column,
  high: Column,
  low: Column,
  close: Column,
  tops: Column,
  bottoms: Column,
  from: i32,
  to: i32,
  tail: i32,
  isBody: bool,
  isHeikinAshi: bool,
  state: Column,
): void {
  const topTail = state.from(1)
  const bottomTail = state.from(1 + tail)
  for (let k = 0; k < tail; k++) {
    tops[from - tail + k] = from === 0 ? 0 : topTail[k]
    bottoms[from - tail + k] = from === 0 ? 0 : bottomTail[k]
  }
  let smoothOpen = from === 0 ? (open[0] + close[0]) / 2 : state[0]
  for (let i = from; i < to; i++) {
    const first = isHeikinAshi ? smoothOpen : open[i]
    const last = isHeikinAshi ? (open[i] + high[i] + low[i] + close[i]) / 4 : close[i]
    smoothOpen = (first + last) / 2
    const top = max(first, last)
    const bottom = min(first, last)
    tops[i] = isBody ? top : max(high[i], top)
    bottoms[i] = isBody ? bottom : min(low[i], bottom)
  }
  state[0] = smoothOpen
  for (let k = 0; k < tail; k++) {
    topTail[k] = tops[to - tail + k]
    bottomTail[k] = bottoms[to - tail + k]
  }
}
