import { readFileSync } from 'node:fs'

const synonyms: Readonly<Record<string, string>> = { binancefutures: 'binanceusdm' }

/** Identifiers of all supported exchanges, in ccxt's spelling, sorted. Does not load ccxt. */
export const exchangeIds: readonly string[] = Object.freeze(
  JSON.parse(readFileSync(new URL('../../../../build/exchanges.json', import.meta.url), 'utf8')),
)

/** The identifier in `exchangeIds` of a name in any case or of a synonym, or undefined if there is none. */
export function resolveExchangeId(name: string): string | undefined {
  const lower = name.toLowerCase()
  const id = Object.hasOwn(synonyms, lower) ? synonyms[lower] : lower
  return exchangeIds.find(known => known === id)
}
