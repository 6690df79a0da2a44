import { z } from 'zod'
import { once } from '../runtime/once.js'
import { readShape, refusedBy } from './fields.js'
import type { JsonObject } from './json-value.js'
import { maxNameLength } from './limits.js'
import { canonicalSymbol } from './market.js'
import { isRefusal, type Refusal } from './refusals.js'
import { liveScreenShape, refuseSymbols, symbolsOf } from './requests.js'
import { badListName, symbolsAndQuote, topWithoutQuote } from './screen-refusals.js'

/** Prefix of a list name among symbols, in canonical spelling. */
const prefix = 'LIST:'
/** Form of every list name. Other texts are not looked up. */
export const listNameForm = /^[a-zA-Z0-9_]{1,50}$/

/** A symbol. An exchange before a colon restricts the symbol to this exchange. */
const listed = /^(?:([^\s:,]+):)?([^\s:,]+)$/

/** Canonical spelling of a list entry. */
export function canonicalListed(text: string): string {
  const [, exchange, symbol = ''] = listed.exec(text) ?? []
  return `${exchange === undefined ? '' : `${exchange.toLowerCase()}:`}${canonicalSymbol(symbol)}`
}

/** List name in an entry of `symbols` in canonical spelling; undefined if the entry is a symbol. */
export const listNameOf = (symbol: string): string | undefined =>
  symbol.startsWith(prefix) ? symbol.slice(prefix.length).toLowerCase() : undefined

/** The body of `POST /lists`. */
export const listShape = once(() => ({
  name: refusedBy(
    z
      .string()
      .regex(listNameForm)
      .describe(
        'Case does not matter. In fields for symbols, `list:<name>` stands for all symbols of the list.',
      )
      .transform(name => name.toLowerCase()),
    badListName,
  ),
  symbols: refusedBy(
    symbolsOf(
      z
        .string()
        .max(maxNameLength)
        .regex(listed)
        .describe('A symbol of any exchange, or of one: `binance:BTCUSDT`.')
        .transform(canonicalListed),
    ).meta({ description: 'In their order.' }),
    refuseSymbols,
  ),
}))

const topPattern = /^TOP:(\d{1,4})$/

/**
 * Number of most traded symbols that an entry of `symbols` selects, such as 10 for `TOP:10`. Undefined if the entry is a
 * symbol.
 */
export function topOf(symbol: string): number | undefined {
  const count = Number(topPattern.exec(symbol)?.[1] ?? 0)
  return count > 0 ? count : undefined
}

export interface AskedSymbols {
  /** Symbols in upper case, without separators and duplicates. Undefined for all symbols of the exchange. */
  readonly symbols?: readonly string[] | undefined
  /** Quote currency with which the selected symbols end. With `top:<n>` it applies to the most traded symbols only. */
  readonly quote?: string | undefined
}

/**
 * Reads the fields `symbols` and `quote`. Refuses both together, unless `symbols` includes `top:<n>`, which needs
 * `quote`.
 */
export function readSymbols(given: JsonObject): AskedSymbols | Refusal {
  const asked = readShape(liveScreenShape(), given, ['symbols', 'quote'])
  if (isRefusal(asked) || !asked.symbols) return asked
  const hasTop = asked.symbols.some(symbol => topOf(symbol) !== undefined)
  if (hasTop) return asked.quote === undefined ? topWithoutQuote() : asked
  return asked.quote === undefined ? asked : symbolsAndQuote()
}
