import { dependencesOf, settledAfter } from '../catalogue/fading.js'
import type { Entry, Values } from '../catalogue/index.js'

interface Spec {
  readonly indicator: Entry
  readonly params: Values
  /** What is made of the candles first. */
  readonly chart?: { readonly text: string } | undefined
}

/** Why values never settle. */
export const neverReasons = {
  whole: 'every candle since the first one counts',
  chart: 'its bars depend on where the history begins',
  market: 'the market decides how fast older candles lose their weight',
  slow: 'older candles lose their weight too slowly',
} as const
export type NeverReason = keyof typeof neverReasons

/** Which part of an indicator never settles, and why. */
export function whyNever({ indicator, params }: Spec): [name: string, reason: NeverReason] {
  const { memory } = indicator
  const part = typeof memory === 'object' && 'because' in memory ? memory.because : indicator
  if (part.memory === 'whole') return [part.name, 'whole']
  return [part.name, dependencesOf(indicator, params) ? 'slow' : 'market']
}

/** The digits of a double. */
const allDigits = 15

/**
 * The candles before the first value of which all digits have settled, as a text: a history that is computed in chunks that overlap
 * by so many has the values of one computation, up to rounding. `never; <why>` where there is no such number.
 */
export function settledCandles({ indicator, params, chart }: Spec): string {
  if (chart) return `never; ${chart.text}: ${neverReasons.chart}`
  const candles = settledAfter(indicator, params, allDigits)
  if (candles !== undefined) return String(candles)
  const [name, reason] = whyNever({ indicator, params })
  return `never; ${name}: ${neverReasons[reason]}`
}
