import { z } from 'zod'
import { once } from '../runtime/once.js'
import { listOf, readShape, refusedBy } from './fields.js'
import type { JsonObject } from './json-value.js'
import { maxMarkets, maxNameLength } from './limits.js'
import { canonicalSymbol } from './market.js'
import { isRefusal, type Refusal } from './refusals.js'
import { liveScreenShape } from './requests.js'
import {
  badListName,
  symbolNotName,
  symbolsAndQuote,
  symbolsNotList,
  topWithoutQuote,
} from './screen-refusals.js'

/** What a name of a list begins with where symbols are given, in the spelling of symbols. */
const prefix = 'LIST:'
/** The form of the name of every list. No other text is looked up. */
export const listNameForm = /^[a-zA-Z0-9_]{1,50}$/

/** A symbol, with its exchange before a colon where it is meant of this one alone. */
const listed = /^(?:([^\s:,]+):)?([^\s:,]+)$/

/** The canonical spelling of what stands in a list. */
export function canonicalListed(text: string): string {
  const [, exchange, symbol = ''] = listed.exec(text) ?? []
  return `${exchange === undefined ? '' : `${exchange.toLowerCase()}:`}${canonicalSymbol(symbol)}`
}

/** The name of the list that is meant in the place of a symbol in canonical spelling; undefined where a symbol is. */
export const listNameOf = (symbol: string): string | undefined =>
  symbol.startsWith(prefix) ? symbol.slice(prefix.length).toLowerCase() : undefined

/** The body of `POST /lists`. */
export const listShape = once(() => ({
  name: refusedBy(
    z
      .string()
      .regex(listNameForm)
      .describe('In any case. Where symbols are asked for, `list:<name>` stands for all of the list.')
      .transform(name => name.toLowerCase()),
    badListName,
  ),
  symbols: refusedBy(
    listOf(
      z
        .string()
        .max(maxNameLength)
        .regex(listed)
        .describe('A symbol of any exchange, or of one: `binance:BTCUSDT`.')
        .transform(canonicalListed),
      1,
      maxMarkets,
    )
      .transform((symbols): readonly string[] => [...new Set(symbols)])
      .meta({ description: 'In their order.' }),
    (value, _, [at]) =>
      typeof at === 'number'
        ? symbolNotName(at, (value as readonly unknown[])[at])
        : symbolsNotList(Array.isArray(value) ? `${value.length} symbols` : value),
  ),
}))

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
