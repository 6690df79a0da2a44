import { isAbsent, type JsonObject } from './json-value.js'
import { maxNameLength } from './limits.js'
import { canonicalSymbol, refuseBadNames } from './market.js'
import type { Refusal } from './refusals.js'
import { symbolNotName, symbolsAndQuote, symbolsNotList } from './screen-refusals.js'

/** Markets of a screen, whatever the plan. */
export const maxMarkets = 2_000

/** The symbols of an exchange that a request is about. */
export interface AskedSymbols {
  /** Upper case, without separators and duplicates; undefined for those of the exchange. */
  readonly symbols: readonly string[] | undefined
  /** What symbols end with, where not all of the exchange are meant. */
  readonly quote: string | undefined
}

/** Reads the fields `symbols` and `quote`. */
export function readSymbols({ symbols, quote }: JsonObject): AskedSymbols | Refusal {
  const [hasSymbols, hasQuote] = [!isAbsent(symbols), !isAbsent(quote)]
  if (hasSymbols && hasQuote) return symbolsAndQuote()
  if (hasQuote) {
    const fault = refuseBadNames({ quote }, ['quote'], 'json')
    return fault ?? { symbols: undefined, quote: canonicalSymbol(quote as string) }
  }
  if (!hasSymbols) return { symbols: undefined, quote: undefined }
  if (!Array.isArray(symbols) || symbols.length === 0 || symbols.length > maxMarkets)
    return symbolsNotList(Array.isArray(symbols) ? `${symbols.length} symbols` : symbols)
  const read = new Set<string>()
  for (const [at, symbol] of symbols.entries()) {
    const name = typeof symbol === 'string' && symbol.length <= maxNameLength ? canonicalSymbol(symbol) : ''
    if (name === '') return symbolNotName(at, symbol)
    read.add(name)
  }
  return { symbols: [...read], quote: undefined }
}
