import type { Adjustment } from '../../../contract/market.js'
import type { Fault } from '../retry.js'
import type { ChartPage } from './chart.js'
import type { HttpFailure } from './failure.js'
import type { StreamProtocol } from './stream-protocol.js'

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
