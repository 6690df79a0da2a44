import { period } from './define.js'

/** Size of a list of turning points in a kernel's state, in numbers: see assembly/parts/swings/pivots.ts. */
export const pivotsState = (capacity: number): number => 1 + 3 * capacity

/** Size of the tops and bottoms of candles in a kernel's state, in numbers, with a tail of `tail` candles. */
export const edgesState = (tail: number): number => 1 + 2 * tail

/** The candles on either side of a swing, which both come before the first value. */
export const swingSpans = { swingLeft: period(5, 1, 200), swingRight: period(5, 1, 200) }
export const swingLookback = (p: { readonly swingLeft: number; readonly swingRight: number }): number =>
  p.swingLeft + p.swingRight
