import { z } from 'zod'
import type { Candle } from '../../../candles/candle.js'
import { timeframes } from '../../../candles/timeframe.js'
import type { Adjustment } from '../../../contract/market.js'
import type { Fault } from '../retry.js'
import { type ChartPage, rowOf } from './chart.js'
import type { HttpFailure } from './failure.js'
import { earlyCloseOn, sessionAt } from './trading-hours.js'

/** Prices and volume of a bar, with the names of Alpaca and Massive. */
export const barShape = { o: z.number(), h: z.number(), l: z.number(), c: z.number(), v: z.number() }
type Bar = z.output<z.ZodObject<typeof barShape>>

/** Converts a bar that opens at `timestamp` (Unix seconds) into a candle. Undefined if a price is invalid. */
export const candleOfBar = (timestamp: number, { o, h, l, c, v }: Bar): Candle | undefined =>
  rowOf(timestamp, [o, h, l, c], v)

/**
 * Makes a page from bars of a provider that knows neither sessions nor first trades. The bars may include hours
 * outside of sessions.
 */
export function pageOfBars(candles: readonly (Candle | undefined)[], interval: Interval): ChartPage {
  const rows = candles.filter(candle => candle !== undefined)
  const closes = new Map<number, number>()
  for (const { timestamp } of rows) {
    const session = sessionAt(timestamp)
    const close = earlyCloseOn(session)
    if (close !== undefined) closes.set(session.date, close)
  }
  const newest = rows.reduce((latest, { timestamp }) => Math.max(latest, timestamp), Number.NEGATIVE_INFINITY)
  // Bars of a day do not have the time of the last trade.
  const lastTrade = interval === '1d' || rows.length === 0 ? undefined : newest + timeframes[interval]
  return { rows, splits: [], closes, firstTrade: undefined, lastTrade }
}

export type StreamEvent =
  /** The server has accepted the connection: the key may be sent. */
  | { readonly kind: 'greeted' }
  /** The key is accepted: symbols may be subscribed to. */
  | { readonly kind: 'ready' }
  /**
   * A closed minute, a correction of a minute, or the day so far. The `timestamp` of a day is 00:00 UTC of its
   * date.
   */
  | { readonly kind: 'bar'; readonly symbol: string; readonly interval: '1m' | '1d'; readonly candle: Candle }
  /** The stream has no bars, for a reason that only a person can change. */
  | { readonly kind: 'refused'; readonly words: string }

/** WebSocket protocol of a provider's bar stream. */
export interface StreamProtocol {
  readonly url: string
  /** Lengths of the bars. */
  readonly intervals: readonly ('1m' | '1d')[]
  login(): string
  /** Message that adds symbols to the stream. */
  subscribe(symbols: readonly string[]): string
  unsubscribe(symbols: readonly string[]): string
  /** Reads the events of a server message. Throws if the message cannot be read. */
  read(text: string): readonly StreamEvent[]
}

/** Lengths of the candles requested from providers. All other timeframes are made from them. */
export type Interval = '1m' | '5m' | '15m' | '30m' | '1h' | '1d'

/** Range of a provider's history. */
export interface HistoryBounds {
  /**
   * Days before the present, minus one for the difference between the clocks. Infinity for everything since
   * `genesis`.
   */
  readonly historyDays: number
  readonly pageDays: number
}

/** Reaches of a provider with all candles since `genesis`. A page of minutes has 60 days. */
export const wholeHistory: Readonly<Partial<Record<Interval, HistoryBounds>>> = {
  ...Object.fromEntries(
    (['1m', '5m', '15m', '30m'] as const).map(interval => [
      interval,
      { historyDays: Number.POSITIVE_INFINITY, pageDays: 60 },
    ]),
  ),
  '1d': { historyDays: Number.POSITIVE_INFINITY, pageDays: Number.POSITIVE_INFINITY },
}

/** Range of a page: candles that open from `start` to before `end` (Unix seconds). */
export interface PageRequest {
  /** The security as the provider spells it. */
  readonly spelling: string
  readonly interval: Interval
  readonly start: number
  readonly end: number
  readonly adjustment: Adjustment
  /** Whether requests of clients are sent first. */
  readonly isBackground: boolean
}

/** Sends a request and reads its response in full. Rejects with an HttpFailure for any status but 2xx. */
export type Fetch = (url: string, headers?: RequestInit['headers']) => Promise<Response>

/** Runs work that sends one request, in its turn. Retries it while its failure is transient. */
export type Ask = <Answer>(work: (fetch: Fetch) => Promise<Answer>) => Promise<Answer>

export interface Provider {
  readonly requestsPerSecond: number
  readonly genesis: number
  readonly bounds: Readonly<Partial<Record<Interval, HistoryBounds>>>
  /** The provider's spelling of a symbol of the US exchanges. Undefined for an invalid symbol. */
  spell(symbol: string): string | undefined
  /** Fetches the candles of a range. An unknown symbol may have an empty page, or fail with a WrongMarket. */
  page(request: PageRequest, ask: Ask): Promise<ChartPage>
  /** Explains a response whose status alone is not clear. */
  explain?(failure: HttpFailure): Partial<Fault> | undefined
  isUnknown(failure: HttpFailure): boolean
  /** Whether a response reports that a range has no candles or is outside of the history. */
  isOutOfRange(failure: HttpFailure): boolean
  readonly stream?: StreamProtocol
}

/** Texts of failures by a wrong key, and by a plan that lacks the requested data. */
export const wrongKey = (names: string, status: number) => `the provider refuses ${names} (HTTP ${status})`
export const notInPlan = (name: string, what: string) => `the plan of ${name} does not include ${what}`
