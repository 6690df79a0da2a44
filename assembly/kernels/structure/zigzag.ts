import { Column, Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { exponentialState } from '../../parts/averages/exponential-average'
import { isAbove } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * ZigZag: a leg up ends at its highest price as soon as the price has fallen from it by the deviation; a leg down ends
 * the other way round. The candle of the reversal confirms the end: `value` is 100 there for a high and −100 for a low,
 * `level` its price at that candle only, and `legDirection` from then on the direction of the new leg, −100 after a
 * high and 100 after a low, 0 before the first turning point. Values never change afterwards. `deviation` is in percent
 * of the extreme, or in ATRs of the confirming candle with `deviationType` atr (`atrPeriod` is used there only, and the
 * calculation begins at the first ATR). `source` chooses highs and lows, or closes.
 * A candle that moves the extreme of the running leg confirms nothing, because the order of its prices is unknown.
 * Before the first turning point both the highest and the lowest price are candidates; the first one from which the
 * price reverses is the turning point, neither if one candle confirms both. A new leg begins with the prices of the
 * confirming candle. Libraries that write the point to the candle of the extreme (Skender, Pine's drawing) look ahead.
 * Source: Merrill, Filtered Waves (1977); ATR by Wilder.
 */
export function zigzag(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const value = frame.output(0)
  const level = frame.output(1)
  const direction = frame.output(2)
  const range = frame.scratch(0)
  const state = frame.state
  const deviation = frame.number(0)
  const isByRange = frame.integer(1) === 1
  const period = frame.integer(2)
  const isClose = frame.integer(3) === 1
  const leg = Leg.of(state.from(exponentialState))
  if (from === 0) {
    for (let k = 0; k < exponentialState; k++) state[k] = 0
    leg.reset()
  }
  if (isByRange) averageTrueRange(high, low, close, range, from, to, period, state)
  const lookback = isByRange ? period : 0
  const share = isByRange ? 0 : deviation / 100
  warmup(level, from, to, lookback)
  warmup(direction, from, to, lookback)
  for (let i = warmup(value, from, to, lookback); i < to; i++) {
    const distance = isByRange ? deviation * range[i] : 0
    const price = leg.advance(isClose ? close[i] : high[i], isClose ? close[i] : low[i], share, distance)
    value[i] = isNaN(price) ? 0 : -100 * leg.direction
    level[i] = price
    direction[i] = 100 * leg.direction
  }
}

/**
 * The running leg of a zigzag, and the extremes that may become its ends. A view of the state.
 * src/catalogue/structure/swings.ts has the same size.
 */
@unmanaged
class Leg {
  /** 1 up, −1 down, 0 before the first turning point. */
  direction: f64
  /** The highest price since the leg began; only while it may become a turning point. */
  private top: f64
  private bottom: f64

  @inline
  static of(state: Column): Leg {
    return changetype<Leg>(state)
  }

  reset(): void {
    this.direction = 0
    this.top = -Infinity
    this.bottom = Infinity
  }

  /**
   * Processes the top and the bottom of a candle. A reversal is at least `share` of the extreme plus `distance`.
   * Returns the price of the turning point that the candle confirms, or NaN; `direction` is that of the new leg then.
   */
  advance(top: f64, bottom: f64, share: f64, distance: f64): f64 {
    let isHigh = false
    let isLow = false
    if (this.direction >= 0) {
      if (top > this.top) this.top = top
      else isHigh = !isAbove(bottom, this.top - abs(this.top) * share - distance)
    }
    if (this.direction <= 0) {
      if (bottom < this.bottom) this.bottom = bottom
      else isLow = !isAbove(this.bottom + abs(this.bottom) * share + distance, top)
    }
    if (isHigh === isLow) return NaN
    const price = isHigh ? this.top : this.bottom
    this.direction = isHigh ? -1 : 1
    this.top = top
    this.bottom = bottom
    return price
  }
}
