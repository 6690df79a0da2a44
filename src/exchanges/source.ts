import type { Candle } from '../candles/candle.js'
import type { Timeframe } from '../candles/timeframe.js'

/** Why market data could not be had. `unknown-symbol` is the caller's fault, `unavailable` the exchange's. */
export class SourceFailure extends Error {
  /** Seconds after which asking again may succeed, where the exchange said so or it can be foreseen. */
  readonly retryAfter: number | undefined

  constructor(
    readonly kind: 'unknown-symbol' | 'unavailable',
    message: string,
    options: ErrorOptions & { readonly retryAfter?: number | undefined } = {},
  ) {
    super(message, options)
    this.name = 'SourceFailure'
    this.retryAfter = options.retryAfter
  }
}

/**
 * What an exchange may show that is not as it should be: two candles of one moment, a candle that cannot be (it is
 * left out), one that opens where none of its timeframe does (left out), a candle without a volume (0 is taken), a gap
 * that was there when asked again (nothing was traded), and one that was filled by asking again.
 */
export type Anomaly = 'duplicate' | 'invalid' | 'misaligned' | 'no-volume' | 'gap' | 'filled-gap'

/** Hears of every anomaly of an exchange. */
export type OnAnomaly = (anomaly: Anomaly, exchange: string) => void

/** Which candles are wanted beside the newest, and how urgently. */
export interface FetchOptions {
  /** Only candles that open before this moment (Unix seconds). */
  readonly until?: number
  /** Nobody waits for the answer: requests of clients go first. */
  readonly isBackground?: boolean
}

/**
 * Market data of one exchange. A member that has its data at hand answers at once, one that must ask the world
 * answers with a promise; failures are always a SourceFailure, thrown or as a rejection.
 */
export interface Source {
  /** Seconds for which a forming candle stays good; the service's own setting where absent. */
  readonly freshSeconds?: number
  /** Candles are computed, the same ones every time: they are not archived. */
  readonly isComputed?: boolean
  /** All symbols in the no-slash form without doubles: those of spot markets first, then the others, each sorted. */
  symbols(): readonly string[] | Promise<readonly string[]>
  /**
   * The newest candles of a market: ascending, without doubles, at most `count`, fewer where the history is
   * shorter. The last one is the forming candle as far as the exchange shows it.
   */
  candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    wanted?: FetchOptions,
  ): readonly Candle[] | Promise<readonly Candle[]>
  /**
   * Follows a market until `signal` aborts: each item holds the candles that changed, ascending, the last one forming
   * as far as the exchange shows it. A lost connection ends the iteration with a SourceFailure; what was missed
   * meanwhile is not repeated. Undefined where the exchange has no such stream: then it is polled. A `signal` whose
   * reason is a SourceFailure says that the stream went silent: its connection is not to be used again.
   */
  watch?(
    symbol: string,
    timeframe: Timeframe,
    signal: AbortSignal,
  ): AsyncIterable<readonly Candle[]> | undefined | Promise<AsyncIterable<readonly Candle[]> | undefined>
  /** Gives back what the source holds open. */
  close?(): Promise<void>
}

/** A source that has some timeframes only, and says which. */
export interface NativeSource extends Source {
  /** The timeframes it has, others than those of the interface among them. */
  timeframes(): Promise<readonly string[]>
}

/** The failure of an exchange without a timeframe. */
export const timeframeNotOffered = (exchange: string, timeframe: Timeframe): SourceFailure =>
  new SourceFailure('unavailable', `Timeframe ${timeframe} is not offered by ${exchange}`)
