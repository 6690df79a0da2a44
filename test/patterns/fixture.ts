import type { Given, PlainColumns } from '../support/kernel.js'

/** Value of an output at one candle. */
export type Reading = number | string | boolean | null

/** A market that contains a pattern by construction. */
export interface Fixture {
  readonly id: string
  /** Parameters other than the defaults. */
  readonly params?: Given
  readonly market: PlainColumns
  /** The index of the candle that confirms the pattern. */
  readonly at: number
  /** Outputs at that candle. */
  readonly expected: Readonly<Record<string, Reading>>
  /** Earlier candles at which the market shows another event to the indicator, in ascending order. */
  readonly earlier?: readonly number[]
  /** Outputs that are prices: they are mirrored and scaled with the market. */
  readonly prices: readonly string[]
  /** The indicator that finds the pattern in the mirrored market, and its value there. */
  readonly mirror?: { readonly id: string; readonly value: number }
  /** Prices may be moved by so much without hiding the pattern. */
  readonly noise?: number
}
