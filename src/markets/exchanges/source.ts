import type { TradingHours } from '../../candles/age.js'
import type { Candle } from '../../candles/candle.js'
import type { Timeframe } from '../../candles/timeframe.js'
import { hasTimes, noSeriesOfExchange, readSeries } from '../../contract/market.js'

/**
 * Why an exchange has not answered a request, in few words, which logs and metrics show. `other` has everything else, such as a
 * timeframe that the exchange does not offer.
 */
export const failureReasons = [
  'rate-limited',
  'keys-needed',
  'not-permitted',
  'place-refused',
  'request-refused',
  'down',
  'too-long',
  'unreadable',
  'timed-out',
  'name-not-resolved',
  'connection-refused',
  'connection-broken',
  'unreachable',
  'other',
] as const
export type FailureReason = (typeof failureReasons)[number]

/** What an exchange has answered, or that it has not. */
export interface FetchFault {
  readonly reason: FailureReason
  /** The status of the response; 0 where there was none. */
  readonly status: number
  /** The exchange's own code of the error, such as -1003; empty where the response has none. */
  readonly code: string
}

/**
 * Why candles or symbols could not be fetched. `unknown-symbol` and `no-series` (an exchange has no such series of a derivative, or no volumes) are
 * the caller's fault, `unavailable` the exchange's.
 */
export class SourceFailure extends Error {
  #id: string | undefined
  readonly fault: FetchFault | undefined
  /** Seconds after which a new request may succeed, where the exchange says so or the source can compute it. */
  readonly retryAfter: number | undefined
  /** Symbols that may stand behind an unknown one. */
  readonly near: readonly string[]
  /** Whether the exchange has traded an unknown symbol before. */
  readonly isDelisted: boolean

  constructor(
    readonly kind: 'unknown-symbol' | 'no-series' | 'unavailable',
    message: string,
    options: ErrorOptions & {
      readonly retryAfter?: number | undefined
      readonly near?: readonly string[]
      readonly isDelisted?: boolean | undefined
      readonly fault?: FetchFault | undefined
    } = {},
  ) {
    super(message, options)
    this.name = 'SourceFailure'
    this.retryAfter = options.retryAfter
    this.near = options.near ?? []
    this.isDelisted = options.isDelisted ?? false
    this.fault = options.fault
  }

  /** Names the failure in the log, and in the replies to requests that fail by it and have no id of their own. */
  get id(): string {
    this.#id ??= crypto.randomUUID()
    return this.#id
  }
}

/**
 * What can be wrong with the candles of an exchange:
 * - `duplicate`: two candles have the same open time; one is used.
 * - `invalid`: a row cannot be a candle; it is left out.
 * - `misaligned`: a candle does not open at a multiple of its timeframe; it is left out.
 * - `no-volume`: a candle has no volume; 0 is used.
 * - `gap`: candles were missing, also after a second fetch: nothing was traded.
 * - `filled-gap`: a candle was missing, and a second fetch returned it.
 */
export type Anomaly = 'duplicate' | 'invalid' | 'misaligned' | 'no-volume' | 'gap' | 'filled-gap'

/** Called with every anomaly of an exchange. */
export type OnAnomaly = (anomaly: Anomaly, exchange: string) => void
/** Called with the listed spellings of symbols, by those without a separator, when they were fetched. */
export type OnSpellings = (spellings: ReadonlyMap<string, string>) => void

/** Which candles are fetched, and with which priority. Default: the newest ones, for a client. */
export interface FetchOptions {
  /** Only candles that open before this time (Unix seconds). */
  readonly until?: number
  /** No client waits for the candles: requests of clients are sent first. */
  readonly isBackground?: boolean
  /**
   * Only candles that have ended by the time of the exchange's own responses, because this machine's clock may be ahead.
   * Without effect where no response had a time, and where candles are made of shorter ones.
   */
  readonly isEnded?: boolean
  /**
   * Candles that another node has requested at this time (Unix seconds) or later are accepted, too; default: now. A source
   * that shares nothing ignores it.
   */
  readonly since?: number
}

/** Candles, and when they were requested from the exchange (Unix seconds) where another node did that earlier. */
export interface FetchedCandles extends ReadonlyArray<Candle> {
  readonly requestedAt?: number
}

/** What a source says of itself. It holds for a source that wraps it, too. */
export interface SourceTraits {
  /** Seconds for which a forming candle is served from the cache. Where absent, the service's own setting holds. */
  readonly freshSeconds?: number | undefined
  /**
   * Seconds between two events of a stream that has bars which have ended; where absent, a stream has each change of the forming
   * candle.
   */
  readonly barSeconds?: number | undefined
  /** Closed candles change again and again, all of them at once: with each dividend where prices are adjusted for dividends. */
  readonly isRestated?: boolean | undefined
  /** When its markets are open, where they are not always. */
  readonly hours?: TradingHours | undefined
  /** Why nothing of it may be given to callers at present; undefined where it may. */
  readonly refusal?: (() => SourceFailure | undefined) | undefined
}

export const traitsOf = ({ freshSeconds, barSeconds, isRestated, hours, refusal }: Source): SourceTraits => ({
  ...{ freshSeconds, barSeconds, isRestated, hours, refusal },
})

/**
 * Market data of one exchange. A method returns a value where it needs no network and a promise where it does. It
 * fails with a SourceFailure only, thrown or as a rejection.
 */
export interface Source extends SourceTraits {
  /** Candles are computed and the same every time, so they are not archived. */
  readonly isComputed?: boolean
  /** Where candles are computed: when a query for a time begins in a timeframe at the earliest, in Unix seconds. */
  readonly beginning?: (timeframe: Timeframe) => number
  /** All symbols without a slash and without duplicates: those of spot markets first, then the others, each sorted. */
  symbols(): readonly string[] | Promise<readonly string[]>
  /**
   * The listed spelling of a symbol that callers may write in another one, where the list is in memory. Where this is
   * absent, every symbol has one spelling.
   */
  listedSymbol?(symbol: string): string | undefined
  /** The listed spellings of symbols, by those without a separator, where the list is in memory. */
  spellings?(): ReadonlyMap<string, string> | undefined
  /** Fetches the list that `listedSymbol` needs, unless it is in memory. Never rejects: without a list none is known. */
  loadSymbols?(): Promise<void>
  /**
   * Symbols by their volume of the last 24 hours in the quote currency, the largest first. Symbols whose volume the exchange does not
   * give are left out. Absent where it gives no volumes at all.
   */
  ranking?(): readonly string[] | Promise<readonly string[]>
  /**
   * The newest candles of a market: ascending, without duplicates, at most `count`, and fewer where the history is
   * shorter. The last one is the forming candle where the exchange shows it.
   */
  candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    options?: FetchOptions,
  ): FetchedCandles | Promise<FetchedCandles>
  /**
   * Streams a market until `signal` aborts. Each item holds the candles that changed, ascending, the last one forming
   * where the exchange shows it. A lost connection ends the iteration with a SourceFailure; candles missed meanwhile
   * are not repeated. Undefined where the exchange has no such stream, so that the market has to be polled. A `signal`
   * whose reason is a SourceFailure says that the stream is silent: its connection is not used again.
   */
  watch?(
    symbol: string,
    timeframe: Timeframe,
    signal: AbortSignal,
  ): AsyncIterable<readonly Candle[]> | undefined | Promise<AsyncIterable<readonly Candle[]> | undefined>
  /** Closes connections and ends what is under way. */
  close?(): Promise<void>
}

/** A source that has only the timeframes of its exchange. */
export interface NativeSource extends Source {
  /** The names of these timeframes; some are unknown to this service. */
  timeframes(): Promise<readonly string[]>
}

/** Seconds for which funding rates and open interest are fresh: they change every few minutes at most. */
const freshSecondsOfTimes = 60

/** Seconds for which the forming candle of a market is fresh; undefined where the service's own setting holds. */
export const freshSecondsOf = ({ freshSeconds }: Source, symbol: string): number | undefined =>
  hasTimes(symbol) ? freshSecondsOfTimes : freshSeconds

/** The failure of a source that has no series of derivatives, where a symbol names one. */
export function noSeriesFailure(exchange: string, symbol: string): SourceFailure | undefined {
  const series = readSeries(symbol)
  return series && new SourceFailure('no-series', noSeriesOfExchange(series.kind, exchange).error)
}

/** Symbols in the spelling of their exchange, each once. A symbol that the exchange does not list is not changed. */
export const listedSymbols = (source: Source, symbols: readonly string[]): readonly string[] => [
  ...new Set(symbols.map(symbol => source.listedSymbol?.(symbol) ?? symbol)),
]

/** The failure of an exchange that has no candles of a timeframe and none to make them of. */
export const timeframeNotOffered = (exchange: string, timeframe: Timeframe): SourceFailure =>
  new SourceFailure('unavailable', `Timeframe ${timeframe} is not offered by ${exchange}`)
