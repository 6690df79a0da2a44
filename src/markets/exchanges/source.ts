import type { TradingHours } from '../../candles/age.js'
import type { Candle } from '../../candles/candle.js'
import type { Timeframe } from '../../candles/timeframe.js'
import { hasTimes, noSeriesOfExchange, readSeries } from '../../contract/market.js'

/**
 * Reasons of failed requests, as logs and metrics show them, with their texts for the caller, which follow the name of
 * the exchange. `other` includes everything else, such as a timeframe that the exchange does not offer.
 */
export const failureTexts = {
  'rate-limited': ' limits the rate of requests',
  'keys-needed': ' wants valid API keys for this',
  'not-permitted': ' does not permit this request',
  'place-refused': ' refuses requests from this country or network',
  'request-refused': ' refused the request',
  down: ' is not available',
  'too-long': ' sent a reply that is too long',
  unreadable: ' sent a reply that cannot be read',
  'timed-out': ' did not answer within',
  'name-not-resolved': ': name not resolved',
  'connection-refused': ': connection refused',
  'connection-broken': ': connection broken',
  unreachable: ' cannot be reached',
  other: ' could not answer the request',
} as const
export type FailureReason = keyof typeof failureTexts

export interface FetchFault {
  readonly reason: FailureReason
  /** Status of the response, or 0 if there was none. */
  readonly status: number
  /** The exchange's own error code, such as -1003. Empty if the response has none. */
  readonly code: string
}

/**
 * Failure to fetch candles or symbols. `unknown-symbol` and `no-series` are the caller's fault, `unavailable` is
 * the exchange's. `no-series`: the exchange lacks such a series of a derivative, or has no volumes.
 */
export class SourceFailure extends Error {
  #id: string | undefined
  readonly fault: FetchFault | undefined
  /** Seconds after which a new request may succeed, if the exchange reports them or the source can compute them. */
  readonly retryAfter: number | undefined
  /** Similar symbols that the caller may have meant. */
  readonly near: readonly string[]
  /** Whether the exchange once traded the unknown symbol. */
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

  /** Id of the failure in the log. Replies have the same id if their request has no id of its own. */
  get id(): string {
    this.#id ??= crypto.randomUUID()
    return this.#id
  }
}

/**
 * Anomalies of the candles of an exchange:
 * - `duplicate`: two candles have the same open time. One of them is used.
 * - `invalid`: a row cannot be a candle. The row is left out.
 * - `misaligned`: a candle does not open at a multiple of its timeframe. The candle is left out.
 * - `no-volume`: a candle has no volume. The volume 0 is used.
 * - `gap`: candles are still missing after a second fetch, because nothing was traded.
 * - `filled-gap`: a second fetch returned a missing candle.
 */
export type Anomaly = 'duplicate' | 'invalid' | 'misaligned' | 'no-volume' | 'gap' | 'filled-gap'

export type OnAnomaly = (anomaly: Anomaly, exchange: string) => void
/** Called after a fetch of the symbols, with their listed spellings by the spelling without a separator. */
export type OnSpellings = (spellings: ReadonlyMap<string, string>) => void

/** Range and priority of a fetch. Default: the newest candles, for a client. */
export interface FetchOptions {
  /** Only candles that open before this time (Unix seconds). */
  readonly until?: number
  /**
   * Whether the fetch runs in the background: no client waits for the candles, and requests of clients are sent
   * first.
   */
  readonly isBackground?: boolean
  /**
   * Only candles that have ended by the time in the exchange's responses, because this machine's clock may be
   * ahead. Has no effect if no response had a time, or if candles are made from shorter ones.
   */
  readonly isEnded?: boolean
  /**
   * Earliest acceptable request time (Unix seconds) of candles that another node fetched. Default: now. Sources
   * without sharing ignore it.
   */
  readonly since?: number
}

/** Changed candles of a market, event by event. */
export type CandleStream = AsyncIterable<readonly Candle[]>

/** Candles. If another node fetched them earlier, with the time of its request (Unix seconds). */
export interface FetchedCandles extends ReadonlyArray<Candle> {
  readonly requestedAt?: number
}

/** Traits of a source. A source that wraps another one has the same traits. */
export interface SourceTraits {
  /** TTL of a cached forming candle, in seconds. Default: the service's setting. */
  readonly freshSeconds?: number | undefined
  /**
   * Seconds between two events of a stream with closed bars only. Undefined for a stream with every change of the
   * forming candle.
   */
  readonly barSeconds?: number | undefined
  /**
   * Whether all closed candles change together repeatedly: with each dividend, if prices are adjusted for
   * dividends.
   */
  readonly isRestated?: boolean | undefined
  /** Trading hours of the markets. Undefined if they are always open. */
  readonly hours?: TradingHours | undefined
  /** Returns the failure for callers while the source must not be used. Undefined if it may be used. */
  readonly refusal?: (() => SourceFailure | undefined) | undefined
}

/**
 * Market data of one exchange. A method returns a promise if it needs the network, and a value otherwise. It fails
 * only with a SourceFailure, thrown or as a rejection.
 */
export interface Source {
  readonly traits?: SourceTraits | undefined
  /** Whether candles are computed. They are the same every time, so they are not archived. */
  readonly isComputed?: boolean
  /** Earliest start of a query for a time, in Unix seconds, by timeframe. Exists only if candles are computed. */
  readonly beginning?: (timeframe: Timeframe) => number
  /**
   * All symbols, without a slash and without duplicates: those of spot markets first, then the others, each group
   * sorted.
   */
  symbols(): readonly string[] | Promise<readonly string[]>
  /**
   * Listed spellings by the spelling without a separator, if the list is in memory. Sources without this method have
   * one spelling per symbol.
   */
  spellings?(): ReadonlyMap<string, string> | undefined
  /**
   * Symbols by their 24-hour quote volume, the largest first. Omits symbols without a volume. Missing if the
   * exchange returns no volumes.
   */
  ranking?(): readonly string[] | Promise<readonly string[]>
  /**
   * Newest candles of a market: ascending, without duplicates, at most `count`. A shorter history has fewer
   * candles. The last one is the forming candle if the exchange returns it.
   */
  candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    options?: FetchOptions,
  ): FetchedCandles | Promise<FetchedCandles>
  /**
   * Streams a market until `signal` aborts. Each item has the changed candles, ascending; the last one is forming
   * if the exchange returns it. A lost connection ends the iteration with a SourceFailure. Candles missed during
   * the interruption are not repeated. Undefined if the exchange has no such stream: the market then has to be
   * polled. If the reason of `signal` is a SourceFailure, the stream is silent, and its connection is not used
   * again.
   */
  watch?(
    symbol: string,
    timeframe: Timeframe,
    signal: AbortSignal,
  ): CandleStream | undefined | Promise<CandleStream | undefined>
  close?(): Promise<void>
}

/** A source with only the native timeframes of its exchange. */
export interface NativeSource extends Source {
  /** Names of these timeframes. This service does not know all of them. */
  timeframes(): Promise<readonly string[]>
}

/** TTL of funding rates and open interest, in seconds. They change at most every few minutes. */
const freshSecondsOfTimes = 60

/** TTL of the forming candle of a market, in seconds. Undefined if the service's setting applies. */
export const freshSecondsOf = ({ traits }: Source, symbol: string): number | undefined =>
  hasTimes(symbol) ? freshSecondsOfTimes : traits?.freshSeconds

/** Failure of a source without derivative series, if a symbol names such a series. */
export function noSeriesFailure(exchange: string, symbol: string): SourceFailure | undefined {
  const series = readSeries(symbol)
  return series && new SourceFailure('no-series', noSeriesOfExchange(series.kind, exchange).error)
}

/** A symbol in the spelling of its exchange; unchanged if the list is not in memory or lacks the symbol. */
export const listedSymbol = (source: Source, symbol: string): string =>
  source.spellings?.()?.get(symbol) ?? symbol

/** Symbols in the spelling of their exchange, without duplicates. */
export const listedSymbols = (source: Source, symbols: readonly string[]): readonly string[] => [
  ...new Set(symbols.map(symbol => listedSymbol(source, symbol))),
]

/** A source that passes all questions on to another one. A subclass changes some of the answers. */
export class WrappedSource<Wrapped extends Source = Source> implements Source {
  readonly traits: Source['traits']
  readonly spellings?: NonNullable<Source['spellings']>

  constructor(protected readonly source: Wrapped) {
    this.traits = source.traits
    if (source.spellings) this.spellings = () => source.spellings?.()
  }

  async symbols(): Promise<readonly string[]> {
    return this.source.symbols()
  }

  async ranking(): Promise<readonly string[]> {
    return this.source.ranking?.() ?? []
  }

  async candles(...question: Parameters<Source['candles']>): Promise<FetchedCandles> {
    return this.source.candles(...question)
  }

  async watch(...question: Parameters<NonNullable<Source['watch']>>): Promise<CandleStream | undefined> {
    return this.source.watch?.(...question)
  }

  async close(): Promise<void> {
    await this.source.close?.()
  }
}

/** Failure of an exchange that has neither candles of a timeframe nor finer ones. */
export const timeframeNotOffered = (exchange: string, timeframe: Timeframe): SourceFailure =>
  new SourceFailure('unavailable', `Timeframe ${timeframe} is not offered by ${exchange}`)
