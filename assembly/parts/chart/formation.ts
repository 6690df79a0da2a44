import { Column, Frame } from '../../frame'
import { averageTrueRange } from '../averages/average-true-range'
import { exponentialState } from '../averages/exponential-average'
import { isAbove } from '../numbers/tie'
import { candleEdges, Pivots } from '../swings/pivots'

/**
 * A formation of turning points with the line whose break confirms it, either waiting or confirmed. A view of the
 * kernel's state.
 */
@unmanaged
export class Formation {
  /** 1 while the formation is watched. */
  private exists: f64
  /** Candle of the line's price; then that price, and the rise per candle. */
  anchor: f64
  price: f64
  slope: f64
  /** From the line to the extreme of the formation. */
  height: f64
  /** A close beyond this price ends the formation, waiting or confirmed. */
  limit: f64
  /** The last candle at which the formation is watched. */
  until: f64
  /** The target price of a confirmed formation. */
  target: f64

  /** Size of a formation in the state, in numbers. */
  static readonly size: i32 = 8

  @inline
  static of(state: Column): Formation {
    return changetype<Formation>(state)
  }

  reset(): void {
    memory.fill(changetype<usize>(this), 0, (<usize>Formation.size) << 3)
  }

  @inline
  get isThere(): bool {
    return this.exists !== 0
  }

  @inline
  end(): void {
    this.exists = 0
  }

  /** Starts to watch a formation. */
  begin(anchor: f64, price: f64, slope: f64, height: f64, limit: f64, until: f64): void {
    this.exists = 1
    this.anchor = anchor
    this.price = price
    this.slope = slope
    this.height = height
    this.limit = limit
    this.until = until
    this.target = 0
  }

  /** The line at candle `i`. */
  @inline
  line(i: i32): f64 {
    return this.price + this.slope * (<f64>i - this.anchor)
  }

  /**
   * Takes over a formation that candle `i` confirms upwards (`side` 1) or downwards (−1), for at most `candles` more
   * candles.
   */
  confirm(waiting: Formation, i: i32, side: f64, limit: f64, candles: f64): void {
    const line = waiting.line(i)
    const height = waiting.height
    this.begin(waiting.anchor, waiting.price, waiting.slope, height, limit, <f64>i + candles)
    this.target = line + side * height
    waiting.end()
  }

  /**
   * Whether the close of candle `i` breaks the line upwards (`side` 1) or downwards (−1) by more than `distance`. Ends
   * the formation if its time is over or if the close lies beyond the limit.
   */
  isBroken(i: i32, side: f64, close: f64, distance: f64): bool {
    if (!this.isThere) return false
    if (<f64>i > this.until || isAbove(this.limit * side, close * side)) {
      this.end()
      return false
    }
    return isAbove(close * side, this.line(i) * side + distance)
  }

  /**
   * Ends a confirmed formation at candle `i` if its time is over, if the close has reached the target or if it has
   * gone back beyond the limit.
   */
  follow(i: i32, side: f64, close: f64): void {
    const isReached = !isAbove(this.target * side, close * side)
    const isBack = isAbove(this.limit * side, close * side)
    if (<f64>i > this.until || isReached || isBack) this.exists = 0
  }

  /** Writes line and target of candle `i`, NaN where there is no formation. */
  @inline
  write(neckline: Column, target: Column, i: i32): void {
    const isThere = this.isThere
    neckline[i] = isThere ? this.line(i) : NaN
    target[i] = isThere ? this.target : NaN
  }
}

/**
 * The waiting formation, the one that was confirmed last, and their turning points. A view of the kernel's state,
 * followed by the state of `prepareSwings`.
 */
@unmanaged
export class Formations {
  /** The candle of the turning point that was judged last. */
  private judged: f64

  @inline
  static of(state: Column): Formations {
    return changetype<Formations>(state)
  }

  /**
   * Size of the state in numbers for at most `capacity` turning points; must equal the size in
   * src/catalogue/chart/reversal-patterns.ts.
   */
  @inline
  static size(capacity: i32): i32 {
    return 1 + 2 * Formation.size + Pivots.size(capacity)
  }

  @inline
  get waiting(): Formation {
    return Formation.of(changetype<Column>(this).from(1))
  }

  @inline
  get confirmed(): Formation {
    return Formation.of(changetype<Column>(this).from(1 + Formation.size))
  }

  @inline
  get pivots(): Pivots {
    return Pivots.of(changetype<Column>(this).from(1 + 2 * Formation.size))
  }

  reset(capacity: i32): void {
    this.judged = -1
    this.waiting.reset()
    this.confirmed.reset()
    this.pivots.reset(capacity)
  }

  /**
   * Index of the newest turning point of a side if it was not judged yet, else −1. A new turning point ends the waiting
   * formation.
   */
  judge(side: f64): i32 {
    const pivots = this.pivots
    const newest = pivots.get(0).side === side ? 0 : 1
    if (pivots.count <= newest || pivots.get(newest).at === this.judged) return -1
    this.judged = pivots.get(newest).at
    this.waiting.end()
    return newest
  }

  /** Writes the outputs of candle `i`: the signal, NaN before candle `first`, and the confirmed formation. */
  @inline
  write(frame: Frame, i: i32, first: i32, signal: f64): void {
    frame.output(0)[i] = i < first ? NaN : signal
    this.confirmed.write(frame.output(1), frame.output(2), i)
  }
}

/** Candles before the first turning point and the first average true range. */
export function swingWarmup(frame: Frame, half: i32): i32 {
  return max(frame.integer(5), 2 * half)
}

/**
 * Writes the average true ranges of the candles [from, to) to scratch column 2, and their tops and bottoms, preceded by
 * those of the 2·half candles before, to the columns 0 and 1. Inputs: open, high, low, close; parameters: depth,
 * deviation, its type, source, heikinashi, period of the average true range.
 * State: exponentialState + edgeState(2·half) numbers.
 */
export function prepareSwings(frame: Frame, from: i32, to: i32, half: i32, state: Column): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const tail = 2 * half
  const tops = frame.scratch(0).from(tail - from)
  const bottoms = frame.scratch(1).from(tail - from)
  averageTrueRange(high, low, close, frame.scratch(2).from(-from), from, to, frame.integer(5), state)
  const isBody = frame.integer(3) === 1
  const isHeikinAshi = frame.integer(4) === 1
  candleEdges(
    open,
    high,
    low,
    close,
    tops,
    bottoms,
    from,
    to,
    tail,
    isBody,
    isHeikinAshi,
    state.from(exponentialState),
  )
}

/** Minimum distance of the next turning point from the newest one: in average true ranges, or in percent of its price. */
export function swingDistance(deviation: f64, isPercent: bool, pivots: Pivots, range: f64): f64 {
  if (!isPercent) return deviation * range
  return pivots.count > 0 ? (deviation / 100) * abs(pivots.get(0).price) : 0
}
