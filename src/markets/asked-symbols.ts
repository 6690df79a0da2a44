import { type AskedSymbols, topOf } from '../contract/lists.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import { noVolumes } from '../contract/screen-refusals.js'
import type { Exchange } from './exchanges/registry.js'
import { sourceRefusal } from './history/candle-fetcher.js'
import { symbolsOfQuote } from './history/market-data.js'
import type { NamedLists } from './named-lists.js'

/**
 * Symbols of an exchange that a request names: single ones, those of its lists and the most traded ones, or all
 * with a quote.
 */
export async function symbolsAsked(
  exchange: Exchange,
  { symbols, quote = '' }: AskedSymbols,
  lists: Pick<NamedLists, 'expand'> | undefined,
  accountId: string,
): Promise<readonly string[] | Refusal> {
  if (!symbols) return symbolsOfQuote(exchange, quote)
  const named = lists ? await lists.expand(symbols, exchange.id, accountId) : symbols
  return isRefusal(named) || named.every(symbol => topOf(symbol) === undefined)
    ? named
    : withMostTraded(exchange, named, quote)
}

/** Replaces `top:<n>` by the most traded symbols of a quote. Each symbol once. */
async function withMostTraded(
  { id, source }: Exchange,
  symbols: readonly string[],
  quote: string,
): Promise<readonly string[] | Refusal> {
  if (!source.ranking) return noVolumes(id)
  try {
    const ranked = (await source.ranking()).filter(symbol => symbol.endsWith(quote))
    const expand = (symbol: string) => {
      const count = topOf(symbol)
      return count === undefined ? symbol : ranked.slice(0, count)
    }
    return [...new Set(symbols.flatMap(expand))]
  } catch (error) {
    return sourceRefusal(error, id, '')
  }
}
