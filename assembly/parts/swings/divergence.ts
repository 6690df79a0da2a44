import { Column, Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../numbers/overlap'
import { rounding } from '../numbers/tie'
import { warmup } from '../numbers/warmup'
import { pivotSide } from './pivots'

/**
 * Two values of an oscillator are equal if they differ by at most this share of the larger one. Without that, rounding
 * would decide higher and lower where the price follows a straight line.
 */
const roundingOfValues: f64 = 1e-9
/**
 * Scale of rounding of the oscillator, which may be much larger than its values: prices, volumes, or 100. Values that
 * differ by no more than rounding of this scale are equal as well.
 */
export enum Size {
  prices,
  volumes,
  hundred,
}

/** The newest pivot of the oscillator on one side. A view of the kernel's state. */
@unmanaged
class OscillatorPivot {
  /** Index of its candle. −Infinity without a pivot, so that no span is short enough. */
  at: f64
  /** The oscillator there. */
  value: f64
  /** The high, low or close of its candle. */
  price: f64

  @inline
  static of(state: Column): OscillatorPivot {
    return changetype<OscillatorPivot>(state)
  }

  set(at: f64, value: f64, price: f64): void {
    this.at = at
    this.value = value
    this.price = price
  }
}

/** Size of a pivot in the state, in numbers. */
const pivotSize = 3

/**
 * The column for the oscillator's values of the candles [from, to): the first scratch column, with the pivotLeft +
 * pivotRight values before `from` that earlier calls saved. `k` and `state` as for `findDivergences`.
 */
export function oscillatorColumn(frame: Frame, k: i32, from: i32, state: Column): Column {
  const tail = frame.integer(k) + frame.integer(k + 1)
  const oscillator = frame.scratch(0).from(tail - from)
  restoreOverlap(oscillator, from, tail, state.from(2 * pivotSize), from === 0)
  return oscillator
}

/**
 * Divergences between the price and an oscillator, found at the pivots of the oscillator.
 *
 * Candle j is a pivot high of the oscillator if its value is above those of the pivotRight candles after it and not
 * below those of the pivotLeft candles before it; a pivot low is the reverse. So of equal values the newest counts,
 * and no candle is both. It is known at candle j + pivotRight, and everything is given there.
 *
 * Each pivot is compared with the one before it on the same side, if the two are minSpan to maxSpan candles apart;
 * a pivot that is too near or too far is not replaced by an older one. `source` chooses the price of a pivot's
 * candle: `wick` its high at pivot highs and its low at pivot lows, `close` its close.
 *
 *   regular   100 (bullish): price lower low, oscillator higher low
 *            −100 (bearish): price higher high, oscillator lower high
 *   hidden    100 (bullish): price higher low, oscillator lower low
 *            −100 (bearish): price lower high, oscillator higher high
 *
 * Equal prices or equal oscillator values are no divergence. Values are equal, here and among the candles of a pivot, if
 * they differ by at most a billionth of the greater one and a trillionth of what `size` names: the close, the volume of
 * the pivot's candle, or 100. As a candle confirms at most one pivot, and a pivot is at most one of the four, signals
 * never compete. `span` is the number of candles between the two pivots, NaN where there is no signal.
 *
 * The inputs begin with high, low and close; the oscillator has values from candle `start` on. The parameters
 * pivotLeft, pivotRight, minSpan, maxSpan and source stand in the frame from place `k` on. Outputs: regular,
 * hidden, span; NaN before candle start + pivotLeft + pivotRight. State: 6 numbers and pivotLeft + pivotRight of
 * the oscillator's values.
 *
 * Source: TradingView's RSI Divergence Indicator, which counts a span as one less than the distance of the pivots.
 */
export function findDivergences(
  frame: Frame,
  k: i32,
  oscillator: Column,
  start: i32,
  from: i32,
  to: i32,
  state: Column,
  size: Size,
): void {
  const left = frame.integer(k)
  const right = frame.integer(k + 1)
  const isClose = frame.integer(k + 4) === 1
  const sizes = frame.input(size === Size.volumes ? 3 : 2)
  const tops = frame.input(isClose ? 2 : 0)
  const bottoms = frame.input(isClose ? 2 : 1)
  const high = OscillatorPivot.of(state)
  const low = OscillatorPivot.of(state.from(pivotSize))
  if (from === 0) {
    high.set(-Infinity, 0, 0)
    low.set(-Infinity, 0, 0)
  }
  const lookback = start + left + right
  const regular = frame.output(0)
  const hidden = frame.output(1)
  const span = frame.output(2)
  warmup(hidden, from, to, lookback)
  warmup(span, from, to, lookback)
  for (let i = warmup(regular, from, to, lookback); i < to; i++) {
    regular[i] = 0
    hidden[i] = 0
    span[i] = NaN
    const j = i - right
    const noise = rounding * (size === Size.hundred ? 100 : abs(sizes[j]))
    const equality = abs(oscillator[j]) * roundingOfValues + noise
    const side = pivotSide(oscillator, j, left, right, equality)
    if (side === 0) continue
    const price = side > 0 ? tops[j] : bottoms[j]
    compare(frame, k, side > 0 ? high : low, i, j, oscillator[j], price, side, noise)
  }
  saveOverlap(oscillator, to, left + right, state.from(2 * pivotSize))
}

/**
 * Compares the pivot at candle `j`, which candle `i` confirms, with the previous one, and replaces it. `side` is 1 for highs
 * and −1 for lows; `noise` is added to the rounding of values.
 */
function compare(
  frame: Frame,
  k: i32,
  before: OscillatorPivot,
  i: i32,
  j: i32,
  value: f64,
  price: f64,
  side: f64,
  noise: f64,
): void {
  const distance = <f64>j - before.at
  if (distance >= frame.number(k + 2) && distance <= frame.number(k + 3)) {
    const priceStep = (price - before.price) * side
    const valueStep = (value - before.value) * side
    const rounding = max(abs(value), abs(before.value)) * roundingOfValues + noise
    const isRegular = priceStep > 0 && valueStep < -rounding
    const isHidden = priceStep < 0 && valueStep > rounding
    if (isRegular) frame.output(0)[i] = -100 * side
    if (isHidden) frame.output(1)[i] = -100 * side
    if (isRegular || isHidden) frame.output(2)[i] = distance
  }
  before.set(<f64>j, value, price)
}
