import type { Entry, Values } from '../catalogue/index.js'

/** Offsets inside a frame, in bytes: see assembly/frame.ts. */
export const frameAt = { inputs: 0, outputs: 32, scratch: 96, state: 128, params: 136, size: 328 } as const

/** Numbers that a scratch column of a kernel needs for the candles before `to`. */
export const scratchLengthOf = (to: number, lookback: number): number => to + 2 * (lookback + 1) + 16

/** The number by which a kernel knows the value of a parameter. */
export function encode(indicator: Entry, name: string, params: Values): number {
  const param = indicator.params[name]
  const value = params[name]
  if (typeof value === 'string' && param && 'of' in param)
    return (param.of as readonly string[]).indexOf(value)
  return Number(value)
}
