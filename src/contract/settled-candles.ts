import { dependencesOf, settledAfter } from '../catalogue/fading.js'
import type { Entry, Values } from '../catalogue/index.js'

interface Spec {
  readonly indicator: Entry
  readonly params: Values
  /** Chart built from the candles first. */
  readonly chart?: { readonly text: string } | undefined
}

/** Reasons why values never settle. */
export const neverReasons = {
  whole: 'every candle since the first one counts',
  chart: 'its bars depend on where the history begins',
  market: 'the market decides how fast older candles lose their weight',
  slow: 'older candles lose their weight too slowly',
} as const
export type NeverReason = keyof typeof neverReasons

/** Returns the part of an indicator that never settles, and the reason. */
export function whyNever({ indicator, params }: Spec): [name: string, reason: NeverReason] {
  const { memory } = indicator
  const part = typeof memory === 'object' && 'because' in memory ? memory.because : indicator
  if (part.memory === 'whole') return [part.name, 'whole']
  return [part.name, dependencesOf(indicator, params) ? 'slow' : 'market']
}

/** Number of decimal digits of a double. */
const allDigits = 15

/**
 * Number of candles before the first value whose digits have all settled, as a text. A history computed in chunks with
 * this overlap has the values of one computation, up to rounding. `never; <why>` if the values never settle.
 */
export function settledCandles({ indicator, params, chart }: Spec): string {
  if (chart) return `never; ${chart.text}: ${neverReasons.chart}`
  const candles = settledAfter(indicator, params, allDigits)
  if (candles !== undefined) return String(candles)
  const [name, reason] = whyNever({ indicator, params })
  return `never; ${name}: ${neverReasons[reason]}`
}
