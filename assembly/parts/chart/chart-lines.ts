import { Column, Frame } from '../../frame'
import { averageTrueRange } from '../averages/average-true-range'
import { exponentialState } from '../averages/exponential-average'
import { isAbove, isLonger, isMove, isShorter } from '../numbers/tie'
import { warmup } from '../numbers/warmup'
import { candleEdges, confirmPivots, edgeState, Pivots } from '../swings/pivots'

/**
 * Patterns of two lines, for a breakout upwards: `front` is the upper line, `back` the lower one. With side −1 the
 * market is upside down: `front` is the lower line and must fall where this table has "rise".
 */
export enum Shape {
  /** Front flat, back rising, narrowing: ascending triangle. */
  flatTriangle,
  /** Front falling, back rising: symmetrical triangle. */
  symmetricalTriangle,
  /** Both falling, converging: falling wedge. */
  wedge,
  /** Both flat. The breakout may go either way. */
  rectangle,
  /** Both rising, parallel. The breakout may go either way. */
  channel,
  /** Both falling, parallel, behind a rise: bull flag. */
  flag,
  /** Converging, behind a rise: bull pennant. */
  pennant,
}

/** Largest distance of a touch from its line, and largest rise or fall of a flat line, in average true ranges. */
const touchTolerance: f64 = 0.75
/** Lines are parallel if neither width is below this share of the other one, and converge if the last width is. */
const parallelShare: f64 = 0.75
/** Number of closes in a row beyond the wrong line that end a pattern, if the entry has no parameter for it. */
const wrongCloses: i32 = 2

/** The two lines of a pattern; prices are times the side. A view of memory. */
@unmanaged
class Lines {
  frontAt: f64
  frontPrice: f64
  frontRise: f64
  frontSlope: f64
  backAt: f64
  backPrice: f64
  backRise: f64
  backSlope: f64
  /** Price at the start of the pole, and height of the pole. −Infinity and 0 without a pole. */
  poleStart: f64
  poleHeight: f64

  /** The front line at candle `i`. */
  @inline
  front(i: f64): f64 {
    return this.frontPrice + this.frontSlope * (i - this.frontAt)
  }

  /** The back line at candle `i`. */
  @inline
  back(i: f64): f64 {
    return this.backPrice + this.backSlope * (i - this.backAt)
  }

  /** The distance of the lines at candle `i`; 0 where the front line is not above the back line by more than rounding. */
  width(i: f64): f64 {
    const front = this.front(i)
    const back = this.back(i)
    return isAbove(front, back) ? front - back : 0
  }

  /** Draws the lines through the newest `count` turning points, whose sides alternate. */
  draw(pivots: Pivots, count: i32, side: f64): void {
    const isFrontFirst = pivots.get(count - 1).side === side
    const firstFront = pivots.get(isFrontFirst ? count - 1 : count - 2)
    const lastFront = pivots.get(isFrontFirst ? 1 : 0)
    const firstBack = pivots.get(isFrontFirst ? count - 2 : count - 1)
    const lastBack = pivots.get(isFrontFirst ? 0 : 1)
    this.frontAt = lastFront.at
    this.frontPrice = lastFront.price * side
    this.frontRise = rise(firstFront.price, lastFront.price) * side
    this.frontSlope = this.frontRise / (lastFront.at - firstFront.at)
    this.backAt = lastBack.at
    this.backPrice = lastBack.price * side
    this.backRise = rise(firstBack.price, lastBack.price) * side
    this.backSlope = this.backRise / (lastBack.at - firstBack.at)
  }
}

/** Rise from one price to another; 0 if they are equal but for rounding. */
function rise(from: f64, to: f64): f64 {
  const step = to - from
  return isMove(abs(step), to) ? step : 0
}

/** State of the detector: the pattern that is open or was broken out of. A view of the kernel's state. */
@unmanaged
class Pattern extends Lines {
  isOpen: f64
  /** Closes in a row beyond the back line. */
  wrong: f64
  /** Candle of the newest turning point at the last breakout. Turning points up to this candle are not used again. */
  usedUntil: f64
  /** Target of the pole after the breakout, and the back line at the breakout; NaN without a target. */
  target: f64
  stop: f64
}

/** Sizes of `Lines` and `Pattern` in numbers. */
const linesSize = 10
const patternSize = 15

/**
 * The detector of all patterns of two lines (src/catalogue/chart/line-patterns.ts has the same order of parameters and
 * the same size of state).
 *
 * Turning points. Tops and bottoms are highs and lows (`source` wick) or ends of bodies (body), of Heikin-Ashi candles
 * if `heikinashi`. A turning point is above (below) the `lookforward` candles after it and not below (above) any of the
 * `lookback` candles before it; it is known at the last of the former. Highs and lows alternate: a second one on the
 * same side replaces the first if it lies farther out, one on the other side counts if it is at least `deviationATR`
 * away, in average true ranges (Wilder, `atrPeriod`) or in per cent of the price of the newest turning point
 * (`deviationType`). Turning points that are known before the first value are ignored. Breakouts, poles and average
 * true ranges are always those of the real candles.
 *
 * Lines. Whenever a candle adds or replaces a turning point, the newest `touches` highs and `touches` lows are
 * examined. The upper line runs through the first and the last of the highs, the lower one through the first and the
 * last of the lows, and those in between lie within 0.75 ATR of their line. Rise of a line: from its first to its last
 * touch. Width: the distance of the lines, at the first and at the last of all these turning points; both are positive.
 * The row of the shape states the required rises and widths (`hasShape`). ATRs are those of this candle. The pattern is
 * complete here, and replaces the lines of one that is still open.
 *
 * Poles (flags and pennants). The first of the turning points is the end of the pole: a high for the bullish pattern.
 * The pole starts at the lowest low of the `poleLength` candles before it, and is at least `poleATR` ATRs high. No
 * touch goes back to its start.
 *
 * Breakout. `upper` and `lower` are the lines at each candle from the completing one on. The first close beyond the
 * line of the breakout gives `value` 100 upwards or −100 downwards and ends the pattern; this can be the completing
 * candle itself. Closes before it are ignored. Without a value the pattern and its lines end where `invalidationCloses`
 * (2) closes in a row lie beyond the other line, or where the lines have met. None of the turning points known at a
 * breakout is used for the next pattern.
 *
 * Target: the line at the breakout plus the height of the pole, from the breakout until a candle reaches it or a close
 * goes back beyond where the other line was at the breakout.
 */
export function chartLines(frame: Frame, from: i32, to: i32, shape: Shape, side: f64): void {
  const left = frame.integer(0)
  const right = frame.integer(1)
  const atrPeriod = frame.integer(6)
  const capacity = 2 * frame.integer(7)
  const isPoled = hasPole(shape)
  const tail = left + right
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const tops = frame.scratch(0).from(tail)
  const bottoms = frame.scratch(1).from(tail)
  const atr = frame.scratch(2)
  const value = frame.output(0)

  const edges = frame.state.from(exponentialState)
  const pattern = changetype<Pattern>(edges.from(edgeState(tail)))
  const pivots = Pivots.of(edges.from(edgeState(tail) + patternSize))
  const poles = edges.from(edgeState(tail) + patternSize + Pivots.size(capacity))
  if (from === 0) reset(pattern, pivots, poles, capacity, isPoled)
  averageTrueRange(high, low, close, atr, from, to, atrPeriod, frame.state)
  const isBody = frame.integer(4) === 1
  const isSmooth = frame.integer(5) === 1
  candleEdges(frame.input(0), high, low, close, tops, bottoms, from, to, tail, isBody, isSmooth, edges)

  const poleLength = isPoled ? frame.integer(9) : 0
  const first = warmup(value, from, to, max(max(tail, right + poleLength), atrPeriod))
  for (let k = 1; k <= (isPoled ? 3 : 2); k++) warmup(frame.output(k), from, to, first)
  for (let i = first; i < to; i++) {
    const newestSide = pivots.count > 0 ? pivots.get(0).side : 0
    const distance = minDistance(frame, pivots, atr[i])
    if (confirmPivots(pivots, capacity, tops, bottoms, i, left, right, distance)) {
      if (isPoled) {
        const start = poleStart(side > 0 ? low : high, i - right, poleLength, side)
        rememberPole(poles, pivots, capacity, newestSide, <f64>(i - right), start)
      }
      complete(frame, shape, side, pattern, pivots, poles, atr[i])
    }
    value[i] = pattern.isOpen !== 0 ? followLines(frame, shape, side, pattern, pivots, i) : 0
    if (pattern.isOpen === 0 && value[i] === 0) {
      frame.output(1)[i] = NaN
      frame.output(2)[i] = NaN
    }
    if (isPoled)
      frame.output(3)[i] = followTarget(pattern, side > 0 ? high : low, close[i], i, side, value[i])
  }
}

function hasPole(shape: Shape): bool {
  return shape === Shape.flag || shape === Shape.pennant
}

function reset(pattern: Pattern, pivots: Pivots, poles: Column, capacity: i32, isPoled: bool): void {
  memory.fill(changetype<usize>(pattern), 0, (<usize>patternSize) << 3)
  pattern.usedUntil = -1
  pattern.target = NaN
  pattern.stop = NaN
  pivots.reset(capacity)
  if (isPoled) memory.fill(changetype<usize>(poles), 0, (<usize>capacity) << 3)
}

/** Minimum distance of a turning point from its predecessor. */
function minDistance(frame: Frame, pivots: Pivots, atr: f64): f64 {
  const deviation = frame.number(2)
  if (frame.integer(3) === 0) return deviation * atr
  return pivots.count > 0 ? (deviation / 100) * abs(pivots.get(0).price) : 0
}

/** The lowest of the `length` prices before candle `j`, all times `side`. */
function poleStart(edge: Column, j: i32, length: i32, side: f64): f64 {
  let lowest = edge[j - 1] * side
  for (let k = 2; k <= length; k++) lowest = min(lowest, edge[j - k] * side)
  return lowest
}

/**
 * Notes the start of the pole that ends at candle `at` for the turning points there, so that `poles` has one number for
 * each of `pivots` in the same order. `newestSide` is the side of the newest turning point before. Because sides
 * alternate, it tells whether the new ones were added or the first of them replaced that one.
 */
function rememberPole(
  poles: Column,
  pivots: Pivots,
  capacity: i32,
  newestSide: f64,
  at: f64,
  start: f64,
): void {
  const here = pivots.count > 1 && pivots.get(1).at === at ? 2 : 1
  const added = pivots.get(0).side === newestSide ? 2 * (here - 1) : 1
  const staying = (<usize>(capacity - added)) << 3
  memory.copy(changetype<usize>(poles.from(added)), changetype<usize>(poles), staying)
  for (let k = 0; k < here; k++) poles[k] = start
}

/** Opens the pattern if the newest turning points form it. */
function complete(
  frame: Frame,
  shape: Shape,
  side: f64,
  pattern: Pattern,
  pivots: Pivots,
  poles: Column,
  atr: f64,
): void {
  const count = 2 * frame.integer(7)
  if (pivots.count < count) return
  const oldest = pivots.get(count - 1)
  if (!(oldest.at > pattern.usedUntil)) return
  const lines = changetype<Lines>(frame.scratch(3))
  lines.draw(pivots, count, side)
  lines.poleStart = -Infinity
  lines.poleHeight = 0
  if (hasPole(shape)) {
    lines.poleStart = poles[count - 1]
    lines.poleHeight = oldest.price * side - lines.poleStart
    if (
      oldest.side !== side ||
      !isMove(lines.poleHeight, oldest.price) ||
      isShorter(lines.poleHeight, frame.number(8) * atr)
    )
      return
  }
  if (!hasSlopes(frame, shape, side, lines, atr)) return
  if (!hasWidths(shape, lines.width(oldest.at), lines.width(max(lines.frontAt, lines.backAt)))) return
  const frontTolerance = (shape === Shape.flatTriangle ? frame.number(8) : touchTolerance) * atr
  for (let k = 0; k < count; k++) {
    const pivot = pivots.get(k)
    const price = pivot.price * side
    const isFront = pivot.side === side
    const isBetween = k > 1 && k < count - 2
    const offset = abs(price - (isFront ? lines.front(pivot.at) : lines.back(pivot.at)))
    if (isBetween && isLonger(offset, isFront ? frontTolerance : touchTolerance * atr)) return
    if (!isMove(price - lines.poleStart, price)) return
  }
  memory.copy(changetype<usize>(pattern), changetype<usize>(lines), (<usize>linesSize) << 3)
  pattern.isOpen = 1
  pattern.wrong = 0
}

/** Whether the rises of the lines fit the shape. */
function hasSlopes(frame: Frame, shape: Shape, side: f64, lines: Lines, atr: f64): bool {
  const front = lines.frontRise
  const back = lines.backRise
  switch (shape) {
    case Shape.flatTriangle:
      return (
        !isLonger(abs(front), frame.number(8) * atr) && back > 0 && !isShorter(back, frame.number(9) * atr)
      )
    case Shape.symmetricalTriangle: {
      const minFall = frame.number(side > 0 ? 8 : 9) * atr
      const minRise = frame.number(side > 0 ? 9 : 8) * atr
      return front < 0 && !isShorter(-front, minFall) && back > 0 && !isShorter(back, minRise)
    }
    case Shape.rectangle:
      return !isLonger(abs(front), touchTolerance * atr) && !isLonger(abs(back), touchTolerance * atr)
    case Shape.channel:
      return front > 0 && back > 0
    case Shape.wedge:
    case Shape.flag:
      return front < 0 && back < 0
    default:
      return true
  }
}

/** Whether the change of the distance of the lines fits the shape. */
function hasWidths(shape: Shape, first: f64, last: f64): bool {
  if (!(first > 0 && last > 0)) return false
  switch (shape) {
    case Shape.flatTriangle:
    case Shape.symmetricalTriangle:
      return isShorter(last, first)
    case Shape.wedge:
    case Shape.pennant:
      return isShorter(last, parallelShare * first)
    case Shape.channel:
    case Shape.flag:
      return !isShorter(last, parallelShare * first) && !isShorter(first, parallelShare * last)
    default:
      return true
  }
}

/**
 * Writes the lines of the open pattern at candle `i`, ends the pattern if a condition for its end holds, and returns
 * the signal.
 */
function followLines(frame: Frame, shape: Shape, side: f64, pattern: Pattern, pivots: Pivots, i: i32): f64 {
  const front = pattern.front(i)
  const back = pattern.back(i)
  const close = frame.input(3)[i] * side
  frame.output(side > 0 ? 1 : 2)[i] = front * side
  frame.output(side > 0 ? 2 : 1)[i] = back * side
  if (!isAbove(front, back)) {
    pattern.isOpen = 0
    return 0
  }
  const isBothWays = shape === Shape.rectangle || shape === Shape.channel
  const isForward = isAbove(close, front)
  const isBack = isAbove(back, close)
  if (isForward || (isBothWays && isBack)) {
    pattern.isOpen = 0
    pattern.usedUntil = pivots.get(0).at
    pattern.target = front + pattern.poleHeight
    pattern.stop = back
    return isForward ? 100 * side : -100 * side
  }
  pattern.wrong = isBack ? pattern.wrong + 1 : 0
  const maxWrong = shape === Shape.flatTriangle ? frame.integer(10) : wrongCloses
  if (pattern.wrong >= maxWrong) pattern.isOpen = 0
  return 0
}

/** The target at candle `i`, given its close and its edge in the direction of the breakout; NaN without a target. */
function followTarget(pattern: Pattern, edge: Column, close: f64, i: i32, side: f64, signal: f64): f64 {
  const isOver = !isAbove(pattern.target, edge[i] * side) || isAbove(pattern.stop, close * side)
  if (signal === 0 && isOver) pattern.target = NaN
  return pattern.target * side
}
