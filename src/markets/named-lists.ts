import type { Account } from '../contract/account.js'
import { marketsPerConstruct, maxMarkets } from '../contract/limits.js'
import { type AskedSymbols, listNameForm, listNameOf, topOf } from '../contract/lists.js'
import type { Market } from '../contract/market.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import {
  listHasNone,
  listNotFound,
  listsUnavailable,
  listTooLong,
  noSymbolsOfQuote,
  noVolumes,
  tooManyLists,
} from '../contract/screen-refusals.js'
import { type ListStore, StoreFailure } from '../contract/storage/stores.js'
import type { Exchange } from './exchanges/registry.js'
import { listedSymbols } from './exchanges/source.js'
import { sourceRefusal } from './history/candle-fetcher.js'
import { symbolsOfQuote } from './history/market-data.js'

/** Maximum number of lists of an account, per construct that its plan allows in a bulk request. */
const listsPerConstruct = 10
/** Seconds after which a client may retry while the store fails. */
const retrySeconds = 5

/** A list of symbols with a name. A symbol after an exchange and a colon counts for this exchange alone. */
export interface NamedList {
  readonly name: string
  readonly symbols: readonly string[]
}

export class NamedLists {
  constructor(private readonly store: ListStore) {}

  /** Stores a list, instead of an earlier one with its name. */
  put({ name, symbols }: NamedList, { id: account, constructs }: Account): Promise<NamedList | Refusal> {
    const allowed = Math.min(maxMarkets, constructs * marketsPerConstruct)
    if (symbols.length > allowed) return Promise.resolve(listTooLong(symbols.length, allowed))
    const most = constructs * listsPerConstruct
    return whileStored(async () => {
      const isStored = await this.store.put({ account, name, text: JSON.stringify(symbols) }, most)
      return isStored ? { name, symbols } : tooManyLists(most)
    })
  }

  find(account: string, name: string): Promise<NamedList | Refusal> {
    return whileStored(async () => {
      if (!listNameForm.test(name)) return listNotFound(name)
      const text = await this.store.find(account, name.toLowerCase())
      return text === undefined ? listNotFound(name) : { name: name.toLowerCase(), symbols: JSON.parse(text) }
    })
  }

  async remove(account: string, name: string): Promise<NamedList | Refusal> {
    const found = await this.find(account, name)
    if (isRefusal(found)) return found
    return whileStored(async () =>
      (await this.store.remove(account, found.name)) ? found : listNotFound(name),
    )
  }

  /** Lists of an account, in the order of their names. */
  all(account: string): Promise<readonly NamedList[] | Refusal> {
    return whileStored(async () =>
      (await this.store.list(account)).map(({ name, text }) => ({ name, symbols: JSON.parse(text) })),
    )
  }

  /** Replaces the names of lists by their symbols: those of any exchange, and of this one. Each symbol once. */
  async expand(
    symbols: readonly string[],
    exchange: string,
    account: string,
  ): Promise<readonly string[] | Refusal> {
    if (symbols.every(symbol => listNameOf(symbol) === undefined)) return symbols
    const all = new Set<string>()
    for (const symbol of symbols) {
      const name = listNameOf(symbol)
      if (name === undefined) {
        all.add(symbol)
        continue
      }
      const list = await this.find(account, name)
      if (isRefusal(list)) return list
      const own = list.symbols.flatMap(each => symbolAt(each, exchange) ?? [])
      if (own.length === 0) return listHasNone(name, exchange)
      for (const each of own) all.add(each)
    }
    return [...all]
  }
}

/** Symbol of a list entry at an exchange; undefined if the entry belongs to another exchange. */
function symbolAt(listed: string, exchange: string): string | undefined {
  const colon = listed.indexOf(':')
  if (colon < 0) return listed
  return listed.slice(0, colon) === exchange ? listed.slice(colon + 1) : undefined
}

async function whileStored<Result>(work: () => Promise<Result>): Promise<Result | Refusal> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error
    return listsUnavailable(retrySeconds)
  }
}

/**
 * Markets of an exchange that a request names, in the exchange's spelling: single symbols, those of its lists and the
 * most traded ones, or all with a quote. Refused if there are none.
 */
export async function marketsAsked(
  exchange: Exchange,
  { symbols, quote = '', timeframe }: AskedSymbols & Pick<Market, 'timeframe'>,
  lists: Pick<NamedLists, 'expand'> | undefined,
  accountId: string,
): Promise<readonly [Market, ...Market[]] | Refusal> {
  const { id, source } = exchange
  const expanded = symbols && lists ? await lists.expand(symbols, id, accountId) : symbols
  if (isRefusal(expanded)) return expanded
  const hasTop = expanded?.some(symbol => topOf(symbol) !== undefined)
  const named = hasTop ? await withMostTraded(exchange, expanded as readonly string[], quote) : expanded
  const found = named ?? (await symbolsOfQuote(exchange, quote))
  if (isRefusal(found)) return found
  const [first, ...others] = listedSymbols(source, found).map(symbol => ({ exchange: id, symbol, timeframe }))
  return first ? [first, ...others] : noSymbolsOfQuote(id, quote)
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
