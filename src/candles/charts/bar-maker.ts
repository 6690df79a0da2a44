import type { Candle } from '../candle.js'

export type BarPrices = Pick<Candle, 'open' | 'high' | 'low' | 'close'>

/** Consecutive bars that one candle completes. */
export interface BarRun {
  readonly count: number
  /** Prices of bar `j`, counted from 0. */
  bar(j: number): BarPrices
}

/** Makes bars from closed candles, one candle at a time. Completed bars never change. */
export interface BarMaker {
  /** State after the processed candles, in plain values. Another maker of the same chart can continue from a copy. */
  readonly state: object
  /** Adds the next closed candle. Returns the bars that it completes, in order. */
  close(candle: Candle): readonly BarRun[]
}

/** Result for a candle that completes no bar. */
export const noBars: readonly BarRun[] = []

export const singleBar = (prices: BarPrices): readonly BarRun[] => [{ count: 1, bar: () => prices }]

/** A bar without wicks. */
export const bodyOf = (open: number, close: number): BarPrices => ({
  open,
  high: Math.max(open, close),
  low: Math.min(open, close),
  close,
})

/** Powers of ten that are exact as numbers. */
const powers = Array.from({ length: 23 }, (_, k) => Number(`1e${k}`))
const digits = 14

/**
 * Rounds to 14 significant digits, because prices are decimals and 3 · 0.1 should be 0.3. Very large and very small numbers stay
 * unchanged.
 */
export function tidy(price: number): number {
  const power = powers[digits - Math.ceil(Math.log10(Math.abs(price)))]
  return power === undefined ? price : Math.round(price * power) / power
}

/** Maximum index of a level. Beyond it, neighbouring levels may be the same number. */
const maxLevel = 2 ** 50

/**
 * Greatest whole number k for which `at(k)` is at most `price`. `at` is ascending. `guess` is less than 1 away from k. The result
 * is bounded by `maxLevel`.
 */
export function lastUpTo(price: number, guess: number, at: (k: number) => number): number {
  const k = Math.max(-maxLevel, Math.min(maxLevel, Math.floor(guess)))
  if (at(k + 1) <= price) return k + 1
  return at(k) > price ? k - 1 : k
}
