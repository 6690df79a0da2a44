import { endOf, openOf, type Timeframe, timeframes } from '../../candles/timeframe.js'

/** Time of an exchange: the later of this machine's clock and the time in the exchange's responses. */
export class ExchangeClock {
  /** Seconds by which the time of the latest response was ahead of the monotonic clock. */
  #offset = Number.NEGATIVE_INFINITY

  /**
   * @param clock Unix seconds
   * @param monotonicMs monotonic clock in milliseconds, with any origin
   */
  constructor(
    private readonly clock = () => Date.now() / 1000,
    private readonly monotonicMs = () => performance.now(),
  ) {}

  /** Reads the `Date` header of a response. Ignores an invalid date. */
  observe(date: unknown): void {
    const milliseconds = typeof date === 'string' ? Date.parse(date) : Number.NaN
    if (!Number.isNaN(milliseconds)) this.#offset = (milliseconds - this.monotonicMs()) / 1000
  }

  now(): number {
    return Math.max(this.clock(), this.#offset + this.monotonicMs() / 1000)
  }

  /**
   * Candles that open before this time (Unix seconds) have ended, according to the responses. Does not use this
   * machine's clock. Infinity if no response had a time.
   */
  endedBefore(timeframe: Timeframe): number {
    if (this.#offset === Number.NEGATIVE_INFINITY) return Number.POSITIVE_INFINITY
    const now = Math.floor(this.#offset + this.monotonicMs() / 1000)
    return timeframe === '1M' ? openOf(timeframe, now) : now - timeframes[timeframe] + 1
  }

  /**
   * The latest time (Unix seconds) at which a candle may open: that of the next candle. A response may be older
   * than the candles that arrive after it.
   */
  latestOpen(timeframe: Timeframe): number {
    return endOf(timeframe, openOf(timeframe, this.now()))
  }
}
