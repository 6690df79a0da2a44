import type { Candle } from '../candles/candle.js'
import type { Timeframe } from '../candles/timeframe.js'

/** Why market data could not be had. `unknown-symbol` is the caller's fault, `unavailable` the exchange's. */
export class SourceFailure extends Error {
  constructor(
    readonly kind: 'unknown-symbol' | 'unavailable',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'SourceFailure'
  }
}

/** Which candles are wanted beside the newest, and how urgently. */
export interface Wanted {
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
  /** All symbols in the no-slash form, sorted, without doubles. */
  symbols(): readonly string[] | Promise<readonly string[]>
  /**
   * The newest candles of a market: ascending, without doubles, at most `count`, fewer where the history is
   * shorter. The last one is the forming candle as far as the exchange shows it.
   */
  candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    wanted?: Wanted,
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
