import type { Candle } from '../candle.js'

/** The prices of a bar. */
export type BarPrices = Pick<Candle, 'open' | 'high' | 'low' | 'close'>

/** Bars that one candle completes, one after another. */
export interface BarRun {
  readonly count: number
  /** The prices of bar `j`, from 0 on. */
  bar(j: number): BarPrices
}

/** Makes bars of closed candles, which come one after another. What it has made does not change. */
export interface BarMaker {
  /** What it knows of the candles before, in plain values: with a copy of them another maker of the same chart goes on. */
  readonly state: object
  /** Takes the next closed candle. The bars that it completes, in their order. */
  close(candle: Candle): readonly BarRun[]
}

/** A candle completes no bar. */
export const noBars: readonly BarRun[] = []

export const singleBar = (prices: BarPrices): readonly BarRun[] => [{ count: 1, bar: () => prices }]

/** A bar without wicks. */
export const bodyOf = (open: number, close: number): BarPrices => ({
  open,
  high: Math.max(open, close),
  low: Math.min(open, close),
  close,
})

/** Powers of ten, each of them exact. */
const powers = Array.from({ length: 23 }, (_, k) => Number(`1e${k}`))
const digits = 14

/**
 * The number of 14 significant digits that is nearest: prices are decimals, and 3 · 0.1 is meant to be 0.3. Numbers that are
 * too large or too small for it stay as they are.
 */
export function tidy(price: number): number {
  const power = powers[digits - Math.ceil(Math.log10(Math.abs(price)))]
  return power === undefined ? price : Math.round(price * power) / power
}

/** No level is farther away: beyond, two that follow one another may be the same number. */
const maxLevel = 2 ** 50

/**
 * The greatest whole number k for which `at(k)`, which ascends, is at most `price`. `guess` is k, or a part of one away from it. It is
 * bounded.
 */
export function lastUpTo(price: number, guess: number, at: (k: number) => number): number {
  const k = Math.max(-maxLevel, Math.min(maxLevel, Math.floor(guess)))
  if (at(k + 1) <= price) return k + 1
  return at(k) > price ? k - 1 : k
}
