import leven from 'leven'

/** Maximum length of compared names. Longer names are rarely typed by hand, and the time grows with the length. */
const maxComparedLength = 40
const maxSuggestions = 3

/** Names of fields in other services and other parts of this one, in lower case, with the names used here. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  ex: ['exchange'],
  sym: ['symbol'],
  pair: ['symbol'],
  ticker: ['symbol'],
  market: ['symbol'],
  tf: ['timeframe', 'interval'],
  interval: ['timeframe'],
  timeframe: ['interval'],
  resolution: ['timeframe', 'interval'],
  limit: ['results'],
  count: ['results'],
  offset: ['backtrack'],
  length: ['period'],
  construct: ['constructs'],
  parameters: ['params'],
}

/** A name without case and separators, which callers often write differently. */
const bare = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const sorted = (text: string) => [...text].sort().join('')

/** Number of letters to insert, remove or replace. Two exchanged letters count as one. */
function distanceOf(one: string, other: string): number {
  const distance = leven(one, other)
  return distance === 2 && one.length === other.length && sorted(one) === sorted(other) ? 1 : distance
}

/** Names that another name may mean, nearest first. Only for refusals, because the time grows with the number of names. */
export function nearNames(name: string, names: Iterable<string>): readonly string[] {
  if (name.length > maxComparedLength) return []
  const wanted = bare(name)
  if (wanted === '') return []
  const maxDistance = wanted.length < 6 ? 1 : 2
  const found: { readonly each: string; readonly distance: number }[] = []
  for (const each of names) {
    if (Math.abs(each.length - name.length) > maxDistance + 2) continue
    const other = bare(each)
    if (Math.abs(other.length - wanted.length) > maxDistance) continue
    const distance = distanceOf(other, wanted)
    if (distance <= maxDistance && distance < wanted.length) found.push({ each, distance })
  }
  const nearest = Math.min(...found.map(({ distance }) => distance))
  // A name that differs only in case or separators is the only suggestion.
  return found
    .filter(({ distance }) => nearest > 0 || distance === 0)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, maxSuggestions)
    .map(({ each }) => each)
}

/** Exchange that lists the perpetual contracts, per spot exchange. */
const contractExchanges: Readonly<Record<string, string>> = {
  binance: 'binanceusdm',
  kraken: 'krakenfutures',
  kucoin: 'kucoinfutures',
}

/** Suffix of a perpetual contract in other programs: `BTCUSDT:USDT`, `BTCUSDT_PERP`, `BTCUSDT.P`, `BTCUSDTSWAP`. */
const contractForm = /(:[A-Z]{3,5}|[_.]?(PERP|SWAP)|\.P)$/

/**
 * Listed symbols that a spelling of another program may mean. Other programs add an exchange or a kind of contract,
 * write XBT, or omit the quote.
 */
function otherSpellings(symbol: string): readonly string[] {
  const plain = symbol
    .replace(contractForm, '')
    .replace(/^[A-Z0-9_]+:/, '')
    .replace(/^XBT/, 'BTC')
  return [
    plain,
    ...['USDT', 'USD', 'USDC', 'EUR'].flatMap(quote => [plain + quote, plain.replace(/USD$/, quote)]),
  ]
}

/**
 * Listed symbols of an exchange that an unknown symbol may mean. A contract on another exchange comes first. The list
 * may contain the unknown symbol itself, which is never returned.
 */
export function nearSymbols(symbol: string, listed: Iterable<string>, exchange = ''): readonly string[] {
  const all = new Set(listed)
  const spelled = [...new Set(otherSpellings(symbol))].filter(each => each !== symbol && all.has(each))
  const [first] = spelled
  if (first === undefined) return nearNames(symbol, all).filter(near => near !== symbol)
  const contracts = contractForm.test(symbol) ? contractExchanges[exchange] : undefined
  return [...(contracts === undefined ? [] : [`${first} on ${contracts}`]), ...spelled].slice(
    0,
    maxSuggestions,
  )
}

/** Fields in `accepted` that an unknown field may mean. */
export function nearFields(name: string, accepted: readonly string[]): readonly string[] {
  const synonyms = Object.hasOwn(otherNames, name.toLowerCase())
    ? (otherNames[name.toLowerCase()] as readonly string[])
    : []
  const known = synonyms.filter(each => accepted.includes(each))
  if (known.length > 0) return known
  const near = nearNames(name, accepted)
  const isBeginning = (each: string) => name.length > 2 && each.startsWith(name.toLowerCase())
  return near.length > 0 ? near : accepted.filter(isBeginning).slice(0, maxSuggestions)
}

/** End of an error text with the likely names; empty if no name is near. */
export function didYouMean(near: readonly string[]): string {
  if (near.length === 0) return ''
  const [last, ...others] = near.toReversed() as [string, ...string[]]
  return `. Did you mean ${others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`}?`
}

/** End of an error text about a key outside the header. */
export const keyInHeader = 'Send the key in the header, as Authorization: Bearer <API_KEY>'

/** End of an error text about a malformed header or token. */
export const keyForm = 'Send exactly "Bearer <API_KEY>", with a capital B and one space'

/** Names of fields in which other services expect the key. */
const keyFields = /^(secret|key|token|api_?key|access_token)$/i

export const isKeyField = (name: string): boolean => keyFields.test(name)

/** Whether a query string has a field in which other services expect the key. */
export const hasKeyField = (queryString: string): boolean =>
  queryString.split('&', 20).some(pair => isKeyField(pair.split('=', 1)[0] as string))
