import { readShape } from './fields.js'
import type { JsonObject } from './json-value.js'
import { isRefusal, type Refusal } from './refusals.js'
import { liveScreenShape } from './requests.js'
import { symbolsAndQuote, topWithoutQuote } from './screen-refusals.js'

const topPattern = /^TOP:(\d{1,4})$/

/** How many of the most traded symbols are meant in the place of a symbol in canonical spelling; undefined where a symbol is. */
export function topOf(symbol: string): number | undefined {
  const count = Number(topPattern.exec(symbol)?.[1] ?? 0)
  return count > 0 ? count : undefined
}

/** The symbols of an exchange that a request is about. */
export interface AskedSymbols {
  /** Upper case, without separators and duplicates; undefined for those of the exchange. */
  readonly symbols?: readonly string[] | undefined
  /** What symbols end with, where not all of the exchange are meant, and the most traded ones among named ones. */
  readonly quote?: string | undefined
}

/** Reads the fields `symbols` and `quote`, of which a request may have both only where some of the symbols are the most traded ones. */
export function readSymbols(given: JsonObject): AskedSymbols | Refusal {
  const asked = readShape(liveScreenShape(), given, ['symbols', 'quote'])
  if (isRefusal(asked) || !asked.symbols) return asked
  const hasTop = asked.symbols.some(symbol => topOf(symbol) !== undefined)
  if (hasTop) return asked.quote === undefined ? topWithoutQuote() : asked
  return asked.quote === undefined ? asked : symbolsAndQuote()
}
