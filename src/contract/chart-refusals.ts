import { didYouMean } from './hints.js'
import { invalid, quote, type Refusal, refusal } from './refusal.js'
import { expected } from './refusals.js'

/** `forms` are the charts that there are, `near` are those that may be meant. */
export const invalidChart = (value: unknown, forms: readonly string[], near: readonly string[]): Refusal =>
  refusal(400, `Invalid chart: ${quote(value)}. Expected ${expected.oneOf(forms)}${didYouMean(near)}`)

/** The bars themselves depend on where the history begins. */
export const chartBesideSettled = (chart: string): Refusal =>
  invalid`settled cannot be used beside chart ${chart}: its bars depend on where the history begins`

/** Bars that close by prices are no parts of longer candles. */
export const chartWithTimeframes = (chart: string): Refusal =>
  invalid`chart ${chart} cannot be used with an expression that chooses other timeframes by @`

/** A chart over a time has more bars than an answer may have, or a computation on the way to it. */
export const tooManyBars = (most: number): Refusal =>
  invalid`The chart has too many bars for one answer, which has at most ${most}. Ask for a shorter range, or for larger bars`
