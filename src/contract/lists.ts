import { z } from 'zod'
import { once } from '../runtime/once.js'
import { listOf, refusedBy } from './fields.js'
import { maxMarkets, maxNameLength } from './limits.js'
import { badListName } from './list-refusals.js'
import { canonicalSymbol } from './market.js'
import { symbolNotName, symbolsNotList } from './screen-refusals.js'

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
