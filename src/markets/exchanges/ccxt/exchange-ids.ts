import { readFileSync } from 'node:fs'

const synonyms: Readonly<Record<string, string>> = { binancefutures: 'binanceusdm' }

/** The identifiers of all exchanges that candles can be fetched from, in ccxt's spelling, sorted. ccxt is not loaded. */
export const exchangeIds: readonly string[] = Object.freeze(
  JSON.parse(readFileSync(new URL('../../../../build/exchanges.json', import.meta.url), 'utf8')),
)

/** The identifier that `exchangeIds` lists for a name in any case, or for a synonym; undefined where there is none. */
export function resolveExchangeId(name: string): string | undefined {
  const lower = name.toLowerCase()
  const id = Object.hasOwn(synonyms, lower) ? synonyms[lower] : lower
  return exchangeIds.find(known => known === id)
}
