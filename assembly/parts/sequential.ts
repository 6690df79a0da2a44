import { Column } from '../frame'

/**
 * One side of DeMark's sequential, told for the buy side. Given the prices with their sign turned, high and low
 * exchanged, it is the sell side. A view of the kernel's state.
 */
@unmanaged
export class Sequential {
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

  /** The numbers that a side takes in the state. */
  static readonly size: i32 = 8

  @inline
  static of(state: Column): Sequential {
    return changetype<Sequential>(state)
  }

  /** Forgets everything. */
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

  /** Puts the completed setup in force; a countdown that runs goes on. `low6` is the low of candle six, and so on. */
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
  perfect(low: f64): void {
    if (low <= this.target) this.isPerfect = 1
  }

  /** Counts down a candle that closed at or below the low two candles before. */
  countDown(low: f64, close: f64, lowBefore: f64): void {
    if (close > lowBefore) return
    if (this.countdown === 12 && low > this.eighth) return
    this.countdown += 1
    if (this.countdown === 8) this.eighth = close
  }
}
