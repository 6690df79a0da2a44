import { Column, Frame } from '../../frame'
import { averageTrueRange } from '../averages/average-true-range'
import { exponentialState } from '../averages/exponential-average'
import { isAbove, isLonger, isShorter } from '../numbers/tie'
import { warmup } from '../numbers/warmup'
import { candleEdges, confirmPivots, edgeState, Pivots } from '../swings/pivots'

/** The harmonic patterns: rows of `ratios`. */
export enum Harmonic {
  abcd,
  gartley,
  bat,
  altbat,
  butterfly,
  crab,
  deepcrab,
  shark,
  cypher,
  threedrives,
  wolfewave,
}

/**
 * The number of turning points of a pattern, and the minimum and maximum of each ratio; 0 and 0 allow any ratio. W is
 * the turning point before X; XA is the leg from X to A.
 *
 *   points │ XA of WX │ AB of XA │ BC of AB │ CD of BC │ AD of XA │ CD of AB │ XC of XA │ CD of XC
 */
// biome-ignore-start lint/suspicious/noApproximativeNumericConstant: ratios as the publications round them
// biome-ignore format: a line is a row
const ratios = memory.data<f64>([
  4, 0, 0, 0, 0, 0.382, 0.886, 1.13, 2.618, 0, 0, 1, 1, 0, 0, 0, 0,
  5, 0, 0, 0.618, 0.618, 0.382, 0.886, 1.13, 1.618, 0.786, 0.786, 0, 0, 0, 0, 0, 0,
  5, 0, 0, 0.382, 0.5, 0.382, 0.886, 1.618, 2.618, 0.886, 0.886, 0, 0, 0, 0, 0, 0,
  5, 0, 0, 0.382, 0.382, 0.382, 0.886, 2, 3.618, 1.13, 1.13, 0, 0, 0, 0, 0, 0,
  5, 0, 0, 0.786, 0.786, 0.382, 0.886, 1.618, 2.24, 1.27, 1.41, 0, 0, 0, 0, 0, 0,
  5, 0, 0, 0.382, 0.618, 0.382, 0.886, 2.618, 3.618, 1.618, 1.618, 0, 0, 0, 0, 0, 0,
  5, 0, 0, 0.886, 0.886, 0.382, 0.886, 2, 3.618, 1.618, 1.618, 0, 0, 0, 0, 0, 0,
  5, 0, 0, 0, 0, 1.13, 1.618, 1.618, 2.24, 0.886, 1.13, 0, 0, 0, 0, 0, 0,
  5, 0, 0, 0.382, 0.618, 0, 0, 0, 0, 0, 0, 0, 0, 1.272, 1.414, 0.786, 0.786,
  6, 0.618, 0.786, 1.27, 1.618, 0.618, 0.786, 1.27, 1.618, 0, 0, 0, 0, 0, 0, 0, 0,
  5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
])
// biome-ignore-end lint/suspicious/noApproximativeNumericConstant: the end
/** Length of a row of `ratios`. */
const rowLength = 17
/** Indexes in a row of `ratios`. */
const ofDrives = 1
const ofXA = 3
const ofAB = 5
const ofBC = 7
const depthOfD = 9
const equality = 11
const reachOfC = 13
const retracementOfXC = 15

/** Number of turning points of the longest pattern. */
const capacity = 6
/** Maximum number of candles after the confirming one for which levels are written. */
const maxLevelCandles: f64 = 100
/** Position of the target, as a share of the way back from D. */
const targetShare = 0.618
/** Minimum ratio of CD to AB at the stop of AB=CD. */
const stopOfEqualLegs = 1.27

/** The levels of the newest pattern. A view of the state. */
@unmanaged
class Levels {
  /** 1 while a bullish pattern is valid, −1 while a bearish one is, 0 where there is none. */
  direction: f64
  /** Candles since the confirming one. */
  age: f64
  entry: f64
  stop: f64
  target: f64
  /** The change of the target from candle to candle. */
  slope: f64

  @inline
  static of(state: Column): Levels {
    return changetype<Levels>(state)
  }

  reset(): void {
    this.set(0, 0, 0, 0, 0)
  }

  set(direction: f64, entry: f64, stop: f64, target: f64, slope: f64): void {
    this.direction = direction
    this.age = 0
    this.entry = entry
    this.stop = stop
    this.target = target
    this.slope = slope
  }

  /** Advances by one candle. The pattern ends if its close meets the stop or the target, or if the pattern is too old. */
  @inline
  next(close: f64): void {
    const direction = this.direction
    if (direction === 0) return
    this.age += 1
    this.target += this.slope
    const isOpen =
      isAbove(close * direction, this.stop * direction) && isAbove(this.target * direction, close * direction)
    if (!isOpen || this.age > maxLevelCandles) this.direction = 0
  }
}

/**
 * A harmonic pattern. Inputs: open, high, low, close. Parameters: depth, deviationATR, deviationType, source,
 * heikinashi, atrPeriod, tolerance. Outputs: value, entry, stop, target.
 *
 * Turning points are the extremes of depth + 1 candles, floor(depth / 2) to either side, of highs and lows or of bodies
 * (`source`), of Heikin-Ashi candles if `heikinashi`; of equal ones the newest counts. Highs and lows alternate: a
 * farther one replaces the newest on its side, and one on the other side counts from a distance of `deviationATR`
 * average true ranges (Wilder's, over `atrPeriod`, at the confirming candle; before the first one only a single turning
 * point is added) or per cent of the newest price. Whenever a turning point is confirmed, floor(depth / 2) candles
 * after its own, it is D, and X, A, B and C are those before it. The value is 100 there if D is a low, −100 if it is a
 * high, and each ratio of the row lies between its limits, widened by `tolerance` of themselves. If a farther D
 * replaces the last one and fits
 * too, that is another signal.
 *
 * Entry, stop and target are given at the confirming candle, and after it until the close meets the stop or the target
 * (excluding that candle), a new pattern is confirmed, or `maxLevelCandles` have passed. The entry is the price of D.
 * The stop is X, or the farthest D that the ratio to XA (cypher: XC) allows where that lies beyond X; for AB=CD the
 * price at which CD is 1.27 AB (or the farthest D allowed); for three drives the farthest D that the ratio to BC
 * allows; for the Wolfe wave `tolerance` of CD beyond D. The target is 0.618 of the way from D back to A (three drives:
 * to W, where the first drive begins); for the Wolfe wave the line through its points 1 and 4, which moves. State: ATR,
 * edges of candles, turning points, levels; src/catalogue/chart/harmonic-patterns.ts has its size.
 */
export function harmonicSignals(frame: Frame, from: i32, to: i32, pattern: Harmonic): void {
  const close = frame.input(3)
  const span = frame.integer(0) / 2
  const tail = 2 * span
  const deviation = frame.number(1)
  const isPercent = frame.number(2) !== 0
  const atrPeriod = frame.integer(5)
  const tolerance = frame.number(6)
  const tops = frame.scratch(0).from(tail)
  const bottoms = frame.scratch(1).from(tail)
  const ranges = frame.scratch(2)
  const state = frame.state
  const edges = state.from(exponentialState)
  const pivots = Pivots.of(edges.from(edgeState(tail)))
  const levels = Levels.of(edges.from(edgeState(tail) + Pivots.size(capacity)))
  if (from === 0) {
    pivots.reset(capacity)
    levels.reset()
  }
  averageTrueRange(frame.input(1), frame.input(2), close, ranges, from, to, atrPeriod, state)
  edgesOf(frame, tops, bottoms, from, to, tail, edges)

  const lookback = isPercent ? tail : max(tail, atrPeriod)
  const start = warmup(frame.output(0), from, to, lookback)
  for (let k = 1; k < 4; k++) warmup(frame.output(k), from, to, lookback)
  for (let i = from; i < to; i++) {
    levels.next(close[i])
    const newest = pivots.count > 0 ? pivots.get(0).price : 0
    const distance = deviation * (isPercent ? abs(newest) / 100 : ranges[i])
    const isConfirmed =
      confirmPivots(pivots, capacity, tops, bottoms, i, span, span, distance) &&
      isPattern(pivots, pattern, tolerance)
    if (isConfirmed) setLevels(levels, pivots, pattern, tolerance, <f64>i)
    if (i >= start) writeCandle(frame, i, isConfirmed, levels)
  }
}

/** The edges of the candles that the parameters `source` and `heikinashi` choose. */
function edgesOf(
  frame: Frame,
  tops: Column,
  bottoms: Column,
  from: i32,
  to: i32,
  tail: i32,
  state: Column,
): void {
  candleEdges(
    frame.input(0),
    frame.input(1),
    frame.input(2),
    frame.input(3),
    tops,
    bottoms,
    from,
    to,
    tail,
    frame.number(3) !== 0,
    frame.number(4) !== 0,
    state,
  )
}

function writeCandle(frame: Frame, i: i32, isConfirmed: bool, levels: Levels): void {
  const isValid = levels.direction !== 0
  frame.output(0)[i] = isConfirmed ? 100 * levels.direction : 0
  frame.output(1)[i] = isValid ? levels.entry : NaN
  frame.output(2)[i] = isValid ? levels.stop : NaN
  frame.output(3)[i] = isValid ? levels.target : NaN
}

/** Whether the newest turning points make the pattern. */
function isPattern(pivots: Pivots, pattern: Harmonic, tolerance: f64): bool {
  const row = rowOf(pattern)
  const points = <i32>row[0]
  if (pivots.count < points) return false
  if (pattern === Harmonic.wolfewave) return isWolfeWave(pivots, tolerance)
  const cd = leg(pivots, 0)
  const bc = leg(pivots, 1)
  const ab = leg(pivots, 2)
  if (!fits(row, ofBC, cd, bc, tolerance)) return false
  if (!fits(row, ofAB, bc, ab, tolerance)) return false
  if (!fits(row, equality, cd, ab, tolerance)) return false
  if (points < 5) return true
  const xa = leg(pivots, 3)
  if (!fits(row, ofXA, ab, xa, tolerance)) return false
  if (!fits(row, depthOfD, between(pivots, 0, 3), xa, tolerance)) return false
  const xc = between(pivots, 1, 4)
  if (!fits(row, reachOfC, xc, xa, tolerance) || !fits(row, retracementOfXC, cd, xc, tolerance)) return false
  return points < 6 || fits(row, ofDrives, xa, leg(pivots, 4), tolerance)
}

/** The row of a pattern in `ratios`. */
function rowOf(pattern: i32): Column {
  return changetype<Column>(ratios + ((<usize>(pattern * rowLength)) << 3))
}

/** Whether `part` is a share of `whole` that the row allows. */
function fits(row: Column, k: i32, part: f64, whole: f64, tolerance: f64): bool {
  const greatest = row[k + 1]
  if (greatest === 0) return true
  return (
    !isShorter(part, row[k] * (1 - tolerance) * whole) && !isLonger(part, greatest * (1 + tolerance) * whole)
  )
}

/** The length in price of the leg that ends `k` turning points before the newest. */
function leg(pivots: Pivots, k: i32): f64 {
  return between(pivots, k, k + 1)
}

/** The distance in price of the turning points `j` and `k` before the newest. */
function between(pivots: Pivots, j: i32, k: i32): f64 {
  return abs(pivots.get(j).price - pivots.get(k).price)
}

/**
 * Whether the points 1 to 5, the last five turning points, make a Wolfe wave (prices for a bullish one): 3 lies below
 * 1, 4 between 1 and 2, the lines through 1 and 3 and through 2 and 4 come closer, and 5 lies below 3 and below the line
 * through 1 and 3, or above that line by at most `tolerance` of the leg from 2 to 3.
 */
function isWolfeWave(pivots: Pivots, tolerance: f64): bool {
  const first = pivots.get(4)
  const second = pivots.get(3)
  const third = pivots.get(2)
  const fourth = pivots.get(1)
  const fifth = pivots.get(0)
  const up = -fifth.side
  if (!isAbove(first.price * up, third.price * up) || !isAbove(third.price * up, fifth.price * up))
    return false
  if (!isAbove(fourth.price * up, first.price * up) || !isAbove(second.price * up, fourth.price * up))
    return false
  const lower = (third.price - first.price) / (third.at - first.at)
  const upper = (fourth.price - second.price) / (fourth.at - second.at)
  if (!isLonger(lower * up, upper * up)) return false
  const line = first.price + lower * (fifth.at - first.at)
  return !isAbove(fifth.price * up, line * up + tolerance * abs(second.price - third.price))
}

/** Takes over entry, stop and target of the pattern that candle `i` confirms. */
function setLevels(levels: Levels, pivots: Pivots, pattern: Harmonic, tolerance: f64, i: f64): void {
  const row = rowOf(pattern)
  const d = pivots.get(0)
  const c = pivots.get(1)
  const a = pivots.get(3)
  const up = -d.side
  const entry = d.price
  const wider = 1 + tolerance
  if (pattern === Harmonic.wolfewave) {
    const first = pivots.get(4)
    const slope = (c.price - first.price) / (c.at - first.at)
    const stop = entry - up * tolerance * leg(pivots, 0)
    levels.set(up, entry, stop, first.price + slope * (i - first.at), slope)
    return
  }
  let start = a.price
  let stop: f64
  if (pattern === Harmonic.abcd) stop = c.price - up * max(stopOfEqualLegs, wider) * leg(pivots, 2)
  else if (pattern === Harmonic.threedrives) {
    start = pivots.get(5).price
    stop = c.price - up * row[ofBC + 1] * wider * leg(pivots, 1)
  } else if (row[retracementOfXC + 1] > 0) {
    stop = c.price - up * max<f64>(1, row[retracementOfXC + 1] * wider) * between(pivots, 1, 4)
  } else stop = start - up * max<f64>(1, row[depthOfD + 1] * wider) * leg(pivots, 3)
  levels.set(up, entry, stop, entry + targetShare * (start - entry), 0)
}
