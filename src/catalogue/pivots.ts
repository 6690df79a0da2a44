import { period } from './define.js'

/** Numbers that a list of so many turning points takes in a kernel's state: see assembly/parts/swings/pivots.ts. */
export const pivotsState = (capacity: number): number => 1 + 3 * capacity

/** Numbers that the tops and bottoms of candles take in a kernel's state, with a tail of so many candles. */
export const edgesState = (tail: number): number => 1 + 2 * tail

/** The candles on either side of a swing, which both together come before the first value. */
export const swingSpans = { swingLeft: period(5, 1, 200), swingRight: period(5, 1, 200) }
export const swingLookback = (p: { readonly swingLeft: number; readonly swingRight: number }): number =>
  p.swingLeft + p.swingRight
