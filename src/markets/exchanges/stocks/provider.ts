import { z } from 'zod'
import type { Candle } from '../../../candles/candle.js'
import { timeframes } from '../../../candles/timeframe.js'
import type { Adjustment } from '../../../contract/market.js'
import type { Fault } from '../retry.js'
import { type ChartPage, rowOf } from './chart.js'
import type { HttpFailure } from './failure.js'
import { earlyCloseOn, sessionAt } from './trading-hours.js'

/** The prices and the volume of a bar, as Alpaca and Massive name them. */
export const barShape = { o: z.number(), h: z.number(), l: z.number(), c: z.number(), v: z.number() }
type Bar = z.output<z.ZodObject<typeof barShape>>

/** A bar that opens at a time (Unix seconds) as a candle; undefined where a price is none. */
export const candleOfBar = (timestamp: number, { o, h, l, c, v }: Bar): Candle | undefined =>
  rowOf(timestamp, [o, h, l, c], v)

/** The page of bars of a provider that knows neither sessions nor first trades; hours before and after sessions may be among them. */
export function pageOfBars(candles: readonly (Candle | undefined)[], interval: Interval): ChartPage {
  const rows = candles.filter(candle => candle !== undefined)
  const closes = new Map<number, number>()
  for (const { timestamp } of rows) {
    const session = sessionAt(timestamp)
    const close = earlyCloseOn(session)
    if (close !== undefined) closes.set(session.date, close)
  }
  const newest = rows.reduce((latest, { timestamp }) => Math.max(latest, timestamp), Number.NEGATIVE_INFINITY)
  // A day has no time of its last trade.
  const lastTrade = interval === '1d' || rows.length === 0 ? undefined : newest + timeframes[interval]
  return { rows, splits: [], closes, firstTrade: undefined, lastTrade }
}

/** What a message of a stream says. */
export type StreamEvent =
  /** The server has accepted the connection: the key may be sent. */
  | { readonly kind: 'greeted' }
  /** The key is accepted: symbols may be subscribed to. */
  | { readonly kind: 'ready' }
  /** A minute that has ended, a correction of one, or the day until now, whose `timestamp` is 00:00 UTC of its date. */
  | { readonly kind: 'bar'; readonly symbol: string; readonly interval: '1m' | '1d'; readonly candle: Candle }
  /** Trading in a security was halted, or goes on. */
  | { readonly kind: 'halt'; readonly symbol: string; readonly isHalted: boolean }
  /** There will be no bars, for a reason that only a person can change. */
  | { readonly kind: 'refused'; readonly words: string }

/** How a provider streams the bars of securities over a WebSocket. */
export interface StreamProtocol {
  readonly url: string
  /** The lengths of its bars. */
  readonly intervals: readonly ('1m' | '1d')[]
  /** The message with the key. */
  login(): string
  /** The message that adds symbols to those that are streamed. */
  subscribe(symbols: readonly string[]): string
  unsubscribe(symbols: readonly string[]): string
  /** What a text of the server says. Throws where it cannot be read. */
  read(text: string): readonly StreamEvent[]
}

/** The lengths of the candles that providers are asked for. All other timeframes are made of these. */
export type Interval = '1m' | '5m' | '15m' | '30m' | '1h' | '1d'

/** How far a provider looks back. */
export interface Reach {
  /** Days before the present, less one for the difference between the clocks; Infinity for all since `genesis`. */
  readonly historyDays: number
  /** Maximum days of one page. */
  readonly pageDays: number
}

/** The reaches of a provider that has all candles since `genesis`, minutes of 60 days in a page. */
export const wholeHistory: Readonly<Partial<Record<Interval, Reach>>> = {
  ...Object.fromEntries(
    (['1m', '5m', '15m', '30m'] as const).map(interval => [
      interval,
      { historyDays: Number.POSITIVE_INFINITY, pageDays: 60 },
    ]),
  ),
  '1d': { historyDays: Number.POSITIVE_INFINITY, pageDays: Number.POSITIVE_INFINITY },
}

/** Which candles a page has: those that open from `start` to before `end` (Unix seconds). */
export interface PageRequest {
  /** The security as the provider spells it. */
  readonly spelling: string
  readonly interval: Interval
  readonly start: number
  readonly end: number
  readonly adjustment: Adjustment
  /** Requests of clients are sent before it. */
  readonly isBackground: boolean
}

/** Sends a request and reads its response in full; it rejects with an HttpFailure for any status but 2xx. */
export type Fetch = (url: string, headers?: RequestInit['headers']) => Promise<Response>

/** Does something that sends one request, in its turn, and repeats it while its failure is transient. */
export type Ask = <Answer>(work: (fetch: Fetch) => Promise<Answer>) => Promise<Answer>

/** A company that has the candles of US shares, as its interface is documented. */
export interface Provider {
  /** Requests per second where the settings say nothing else. */
  readonly requestsPerSecond: number
  /** Nothing is older (Unix seconds). */
  readonly genesis: number
  /** The intervals that it has. */
  readonly reaches: Readonly<Partial<Record<Interval, Reach>>>
  /** Its spelling of a symbol of the US exchanges; undefined for what is none. */
  spell(symbol: string): string | undefined
  /** The candles of a time. An unknown symbol may have an empty page, or fail with a WrongMarket. */
  page(request: PageRequest, ask: Ask): Promise<ChartPage>
  /** What a response means where its status alone does not say it. */
  explain?(failure: HttpFailure): Partial<Fault> | undefined
  /** Whether a response says that there is no such symbol. */
  isUnknown(failure: HttpFailure): boolean
  /** Whether a response says that a range of time has no candles, or lies outside of what there is. */
  isOutOfRange(failure: HttpFailure): boolean
  /** Its stream of bars, where it has one. */
  readonly stream?: StreamProtocol
}

/** The words of a failure by a wrong key, and by a plan that lacks what was requested. */
export const wrongKey = (names: string, status: number) => `the provider refuses ${names} (HTTP ${status})`
export const notInPlan = (name: string, what: string) => `the plan of ${name} does not include ${what}`
