import { Column, Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * TD Sequential. A bearish flip (a close above the one four candles before, then one below it) begins a buy setup,
 * which counts closes below the one four candles before and is complete at nine in a row. From then on candles that
 * close at or below the low two candles before are counted down to thirteen. The sell side mirrors it.
 * A completed setup is in force, as its flag says, until an opposite setup is complete, a candle lies wholly beyond its
 * TDST line (the true extreme of its nine candles) or thirteen are counted. A count that ended at nine needs a new flip;
 * a second setup of the same side moves the line and leaves the countdown running. A setup is perfect once the low of
 * candle eight, nine or a later one is at or below those of six and seven. Candle thirteen has to trade at or below the
 * close of candle eight. The countdown holds its number between two counted candles; 0 is none.
 * Source: DeMark, The New Science of Technical Analysis (1994); Perl, DeMark Indicators (2008), chapter 1.
 */
export function tdsequential(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const buy = Sequential.of(frame.state)
  const sell = Sequential.of(frame.state.from(Sequential.size))
  if (from === 0) {
    buy.reset()
    sell.reset()
  }
  let first = from
  for (let k = 0; k < 12; k++) first = warmup(frame.output(k), from, to, 5)
  for (let i = first; i < to; i++) {
    const now = close[i]
    const before = close[i - 1]
    const isBelow = now < close[i - 4]
    const isAbove = now > close[i - 4]
    const bearishFlip = isBelow && before > close[i - 5]
    const bullishFlip = isAbove && before < close[i - 5]
    const top = high[i]
    const bottom = low[i]
    // Vector extremes need no branch.
    const trueHigh = f64x2.extract_lane(f64x2.pmax(f64x2.splat(top), f64x2.splat(before)), 0)
    const trueLow = f64x2.extract_lane(f64x2.pmin(f64x2.splat(bottom), f64x2.splat(before)), 0)
    // A setup ends with candle thirteen of its countdown.
    if (buy.countdown === 13) buy.cancel()
    if (sell.countdown === 13) sell.cancel()
    buy.count(isBelow, bearishFlip, trueHigh)
    sell.count(isAbove, bullishFlip, -trueLow)
    if (buy.setup === 9) {
      buy.complete(low[i - 3], low[i - 2], low[i - 1])
      sell.cancel()
    }
    if (sell.setup === 9) {
      sell.complete(-high[i - 3], -high[i - 2], -high[i - 1])
      buy.cancel()
    }
    buy.follow(trueLow, bottom, now, low[i - 2])
    sell.follow(-trueHigh, -top, -now, -high[i - 2])
    frame.output(0)[i] = buy.setup
    frame.output(1)[i] = sell.setup
    frame.output(2)[i] = buy.countdown
    frame.output(3)[i] = sell.countdown
    frame.output(4)[i] = buy.isActive
    frame.output(5)[i] = sell.isActive
    frame.output(6)[i] = buy.isPerfect
    frame.output(7)[i] = sell.isPerfect
    frame.output(8)[i] = bullishFlip ? 1 : 0
    frame.output(9)[i] = bearishFlip ? 1 : 0
    frame.output(10)[i] = buy.line
    frame.output(11)[i] = -sell.line
  }
}

/**
 * One side of DeMark's sequential, written for the buy side: given prices with the opposite sign and with high and low
 * swapped, it is the sell side. A view of the kernel's state.
 */
@unmanaged
class Sequential {
  /** Candles counted in the running setup, 0 without one. */
  setup: f64
  /** The highest true high of the running setup. */
  private top: f64
  /** 1 while a completed setup is in force. */
  isActive: f64
  /** 1 once the setup in force is perfected. */
  isPerfect: f64
  /** Candles counted down, 0 without a countdown. */
  countdown: f64
  /** The highest true high of the setup completed last, NaN before the first. */
  line: f64
  /** The lower of the lows of candles six and seven of the setup in force. */
  private target: f64
  /** The close of the eighth candle counted down. */
  private eighth: f64

  /** Numbers of state per side. */
  static readonly size: i32 = 8

  @inline
  static of(state: Column): Sequential {
    return changetype<Sequential>(state)
  }

  /** Sets the initial state. */
  reset(): void {
    memory.fill(changetype<usize>(this), 0, (<usize>Sequential.size) << 3)
    this.line = NaN
  }

  /** Counts a candle whose close lies below the one four candles before; a flip begins a setup. */
  count(isBelow: bool, isFlip: bool, trueHigh: f64): void {
    const isRunning = isBelow && this.setup > 0 && this.setup < 9
    if (!isFlip && !isRunning) {
      this.setup = 0
      return
    }
    if (isFlip || trueHigh > this.top) this.top = trueHigh
    this.setup = isFlip ? 1 : this.setup + 1
  }

  /** Puts the completed setup in force; a running countdown continues. `low6` is the low of candle six, and so on. */
  complete(low6: f64, low7: f64, low8: f64): void {
    this.isActive = 1
    this.isPerfect = 0
    this.line = this.top
    this.target = low6 < low7 ? low6 : low7
    this.perfect(low8)
  }

  /** Ends the setup in force and its countdown. */
  cancel(): void {
    this.isActive = 0
    this.isPerfect = 0
    this.countdown = 0
  }

  /** Perfects the setup in force with a low at or below those of candles six and seven. */
  private perfect(low: f64): void {
    if (low <= this.target) this.isPerfect = 1
  }

  /** Counts down a candle that closed at or below the low two candles before. */
  private countDown(low: f64, close: f64, lowBefore: f64): void {
    if (close > lowBefore) return
    if (this.countdown === 12 && low > this.eighth) return
    this.countdown += 1
    if (this.countdown === 8) this.eighth = close
  }

  /** Ends the setup in force where a candle lies wholly beyond its line, else perfects it and counts the candle down. */
  follow(trueLow: f64, low: f64, close: f64, lowBefore: f64): void {
    if (this.isActive === 0) return
    if (trueLow > this.line) {
      this.cancel()
      return
    }
    this.perfect(low)
    this.countDown(low, close, lowBefore)
  }
}
