import type { Timeframe } from '../candles/timeframe.js'
import type { CandleInput, Charted, Market, MaxAge } from './types.js'

/** Which markets are wanted, and which values of each: see docs/screening.md. */
export interface ScreenRequest extends Charted, MaxAge, Pick<Market, 'adjustment'> {
  readonly exchange: string
  readonly timeframe: Timeframe
  /** The markets; without them all of the exchange. */
  readonly symbols?: readonly string[]
  /** Only symbols that end with it. Not beside `symbols`. */
  readonly quote?: string
  /** The condition. */
  readonly where: string
  /** Expressions whose values each match has, by name. */
  readonly select?: Readonly<Record<string, string>>
  /** An expression, or a name of `select`, then `desc` or `asc` or nothing. */
  readonly orderBy?: string
  readonly limit?: number
  readonly backtrack?: number
  /** The screen as it was when the candle closed that opened at this time or before it, in Unix seconds or ISO 8601. Not beside `backtrack`. */
  readonly at?: number | string
  /** How many digits of the condition must have settled, 1 to 8; selected values with fewer are null. */
  readonly settled?: number
}

/** A screen that goes on: all markets at which the condition holds, in no order, at the forming candle. */
export interface LiveScreenRequest extends Omit<ScreenRequest, 'orderBy' | 'limit' | 'backtrack' | 'at'> {
  readonly orderBy?: never
  readonly limit?: never
  readonly backtrack?: never
  readonly at?: never
}

/** The names of `select`; any where they are only known when the program runs. */
type SelectedName<Request extends ScreenRequest> = LiveScreenRequest extends Request
  ? string
  : Request extends { readonly select: infer Select }
    ? keyof Select & string
    : never

/** One market at which the condition holds; `timestamp` is the open of its newest candle in Unix seconds. */
export type ScreenMatch<Name extends string = string> = {
  readonly symbol: string
  readonly timestamp: number
} & { readonly [Selected in Exclude<Name, 'symbol' | 'timestamp'>]: number | boolean | null }

export interface ScreenResult<Request extends ScreenRequest = ScreenRequest> {
  readonly matches: readonly ScreenMatch<SelectedName<Request>>[]
  /** Markets for which the condition was evaluated. */
  readonly screened: number
  readonly failed: readonly { readonly symbol: string; readonly error: string }[]
  /** Markets whose candles are old, with the seconds since the end of the newest one; absent where there are none. */
  readonly stale?: readonly { readonly symbol: string; readonly age: number }[]
}

/**
 * What a live screen finds now, and what differs from the update before; in the first one all matches have entered.
 * `screened` and `failed` are as they were when the connection began, `stale` as it was with the newest update.
 */
export interface ScreenUpdate<Request extends ScreenRequest = ScreenRequest> extends ScreenResult<Request> {
  readonly entered: readonly ScreenMatch<SelectedName<Request>>[]
  /** Matches with other values. */
  readonly changed: readonly ScreenMatch<SelectedName<Request>>[]
  /** Symbols. */
  readonly left: readonly string[]
}

/** How far the candles of a screen are fetched: `done` of `total` markets. */
export interface ScreenProgress {
  readonly done: number
  readonly total: number
}

/** The signals of a condition: see docs/evaluation.md. */
interface Signals extends Charted {
  readonly entry: string
  /** Where it holds, a trade ends; without one there are no trades. */
  readonly exit?: string
  readonly side?: 'long' | 'short'
  /** What each entry and each exit costs, as a share of the amount. */
  readonly fee?: number
  /** After how many candles returns are measured. */
  readonly horizons?: readonly number[]
  /** Signals of candles that open at this time or later, in Unix seconds or ISO 8601; candles before are the warm-up. */
  readonly from?: number | string
  /** What came after this time is not looked at. */
  readonly to?: number | string
  /** How many digits of what the conditions compare must have settled: 0 to 8, 4 by default, 0 for any. */
  readonly settled?: number
}
export type EvaluationRequest = Signals & ((Market & MaxAge) | { readonly candles: readonly CandleInput[] })

type Interval = readonly [low: number, high: number]

/** The statistics of a sample of returns; a return of 0.01 is one per cent. */
export interface ReturnStatistics {
  readonly count: number
  readonly mean: number | null
  readonly median: number | null
  readonly standardDeviation: number | null
  readonly hitRate: number | null
  /** At 95 %, by Student's distribution. */
  readonly meanInterval: Interval | null
  /** At 95 %, by Wilson's score. */
  readonly hitRateInterval: Interval | null
}

/** One trade. Both prices are opens of candles, whose open times (Unix seconds) the timestamps are. */
export interface Trade {
  readonly entryTimestamp: number
  readonly entryPrice: number
  readonly exitTimestamp: number
  readonly exitPrice: number
  /** From entry to exit. */
  readonly candles: number
  /** After costs. */
  readonly return: number
}

/** The result of trading the signals one at a time. The statistics are over the trades that have ended. */
export interface TradeStatistics extends ReturnStatistics {
  /** What the trades gained for each 1 that they lost; null without a loss. */
  readonly profitFactor: number | null
  /** Candles that a trade took on average. */
  readonly candles: number | null
  /** The share of candles with an open trade. */
  readonly exposure: number
  /** Of all trades one after the other, the open one included. */
  readonly totalReturn: number
  /** Of buying (or selling) once and keeping it, without costs. */
  readonly holdReturn: number | null
  /** The largest fall of the equity, as a share of the value before it, with the candles of both. */
  readonly maximumDrawdown: { readonly share: number; readonly from: number; readonly to: number }
  /** The trade that has not ended, at the last close. */
  readonly open: Pick<Trade, 'entryTimestamp' | 'entryPrice' | 'return'> | null
  /** The newest ones, oldest first. */
  readonly list: readonly Trade[]
}

/** The answer to an evaluation. */
export interface Evaluation {
  /** Closed candles at which the entry is defined. */
  readonly candles: number
  /** The open times of the first and of the last of them, in Unix seconds. */
  readonly from: number
  readonly to: number
  /** How often the entry became true. */
  readonly fired: number
  /** Without costs. */
  readonly returns: readonly {
    /** Candles. */
    readonly after: number
    readonly signals: ReturnStatistics
    /** Over all candles, for comparison. */
    readonly baseline: ReturnStatistics
  }[]
  readonly trades?: TradeStatistics
  /** What 1 became, with the open times of the candles at whose close. */
  readonly equity?: { readonly timestamp: readonly number[]; readonly value: readonly number[] }
  readonly warnings: readonly string[]
}
