import type { ScreenRequest } from './screen-types.js'

/** Measures over many markets: see docs/breadth.md. */
export interface BreadthRequest extends Pick<ScreenRequest, 'exchange' | 'timeframe' | 'symbols' | 'quote'> {
  /** Expressions by name, such as `breadth(close > sma(200))`. */
  readonly measures: Readonly<Record<string, string>>
  /** How many values, the newest ones; 1 by default. */
  readonly results?: number | 'max'
  /** The values of a time instead: Unix seconds or ISO 8601. */
  readonly from?: number | string
  readonly to?: number | string
  /** Markets whose newest candle ended more seconds ago are among those that failed. */
  readonly maxAge?: number
}

/** A breadth that goes on: first the newest `results` values, then those that have come or changed. */
export interface LiveBreadthRequest extends Omit<BreadthRequest, 'from' | 'to'> {
  readonly from?: never
  readonly to?: never
}

/** The values of measures by time. */
export interface BreadthResult<Request extends BreadthRequest = BreadthRequest> {
  /** Unix seconds of candle opens, oldest first. */
  readonly timestamp: readonly number[]
  /** Aligned with `timestamp`. */
  readonly measures: {
    readonly [Name in keyof Request['measures']]: {
      /** How many markets take part. */
      readonly markets: readonly number[]
      readonly value: readonly (number | null)[]
    }
  }
  /** Whether the last candle may change. */
  readonly forming: boolean
  readonly screened: number
  readonly failed: readonly { readonly symbol: string; readonly error: string }[]
  /** Markets with old candles, whose newest one ended `age` seconds ago; undefined where there are none. */
  readonly stale?: readonly { readonly symbol: string; readonly age: number }[]
}

/** A list of symbols with a name, for `list:<name>` among the symbols of a request. */
export interface NamedList {
  /** Lower case, once it is stored. */
  readonly name: string
  /** Those with an exchange before a colon are meant of this one alone. */
  readonly symbols: readonly string[]
}
