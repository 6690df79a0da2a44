import leven from 'leven'

/** Longer names are not compared: they are hardly ever typed by hand, and the time grows with the length. */
const maxComparedLength = 40
/** So many names are suggested at most. */
const maxSuggestions = 3

/** What other services and other parts of this one call a field, in lower case, with its names here. */
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

/** A name without what callers add to it or leave out: case and separators. */
const bare = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const sorted = (text: string) => [...text].sort().join('')

/** The number of letters to insert, remove or replace; two letters that are exchanged count as one. */
function distanceOf(one: string, other: string): number {
  const distance = leven(one, other)
  return distance === 2 && one.length === other.length && sorted(one) === sorted(other) ? 1 : distance
}

/**
 * The names, the nearest one first, that another name may stand for. Only for refusals: the time grows with the number of
 * names.
 */
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
  // Beside a name that differs in case or separators only, no other is meant.
  return found
    .filter(({ distance }) => nearest > 0 || distance === 0)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, maxSuggestions)
    .map(({ each }) => each)
}

/** The exchanges that list the perpetual contracts of another one. */
const contractExchanges: Readonly<Record<string, string>> = {
  binance: 'binanceusdm',
  kraken: 'krakenfutures',
  kucoin: 'kucoinfutures',
}

/** A perpetual contract as other programs name it: `BTCUSDT:USDT`, `BTCUSDT_PERP`, `BTCUSDT.P`, `BTCUSDTSWAP`. */
const contractForm = /(:[A-Z]{3,5}|[_.]?(PERP|SWAP)|\.P)$/

/** The spellings under which other programs know a listed symbol: with an exchange or a kind of contract, as XBT, without its quote. */
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
 * The listed symbols of an exchange that an unknown one may stand for, after its contract on another exchange. A list may
 * still have the unknown one itself.
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

/** The fields among `accepted` that a field of another name may stand for. */
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

/** What may be meant, as the end of an error; empty where nothing is near. */
export function didYouMean(near: readonly string[]): string {
  if (near.length === 0) return ''
  const [last, ...others] = near.toReversed() as [string, ...string[]]
  return `. Did you mean ${others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`}?`
}

/** The end of an error about a key that does not stand in the header. */
export const keyInHeader = 'Send the key in the header, as Authorization: Bearer <API_KEY>'

/** The end of an error about a header or a token of another form. */
export const keyForm = 'Send exactly "Bearer <API_KEY>", with a capital B and one space'

/** Fields in which other services expect the key. */
const keyFields = /^(secret|key|token|api_?key|access_token)$/i

export const isKeyField = (name: string): boolean => keyFields.test(name)

/** Whether a query string has a field in which other services expect the key. */
export const hasKeyField = (queryString: string): boolean =>
  queryString.split('&', 20).some(pair => isKeyField(pair.split('=', 1)[0] as string))
