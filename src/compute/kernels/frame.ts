import type { Entry, Values } from '../../catalogue/index.js'

/** Offsets inside a frame, in bytes: see assembly/frame.ts. */
export const frameAt = { inputs: 0, outputs: 32, scratch: 96, state: 128, params: 136, size: 328 } as const

/** Numbers that a scratch column of a kernel needs for the candles before `to`. */
export const scratchLengthOf = (to: number, lookback: number): number => to + 2 * (lookback + 1) + 16

/** Bytes of a line of the cache. Stores that cross its end take twice as long. */
export const cacheLineBytes = 64

/**
 * Numbers between the beginnings of columns that hold `numbers` each. A processor compares the lower 12 bits of an address to
 * find out whether a load must wait for a store before it, and takes the place in its nearest cache from them. So
 * columns that are read and written side by side begin five lines of the cache apart in these bits
 * (docs/adr/0043-kernels-without-branches-on-prices.md).
 */
export const columnLength = (numbers: number): number => ((numbers + 511) & ~511) + 40

/** The number by which a kernel knows the value of a parameter. */
export function encode(indicator: Entry, name: string, params: Values): number {
  const param = indicator.params[name]
  const value = params[name]
  if (typeof value === 'string' && param && 'of' in param)
    return (param.of as readonly string[]).indexOf(value)
  return Number(value)
}
