import { readFileSync } from 'node:fs'
import type { Timeframe } from '../../../candles/timeframe.js'
import type { DerivativeKind } from '../../../contract/market.js'
import { timeframeOrigins } from '../resample.js'

/** Candle support of an exchange, according to ccxt. The build asks ccxt, so that the service need not load all of it. */
interface ListedExchange {
  readonly id: string
  readonly name: string
  /** Native timeframes. This service does not know all of them. */
  readonly timeframes: readonly string[]
  /** Transport of live candles: a WebSocket (`watch`) or polling. */
  readonly live: 'watch' | 'poll'
  /** Maximum candles per request, of spot markets if the exchange has them. Null if ccxt does not know it. */
  readonly pageSize: number | null
  /** Minimum milliseconds between two requests. */
  readonly intervalMs: number
  /** Derivative series that the exchange provides in addition to candles. */
  readonly derivatives: readonly DerivativeKind[]
  readonly isContractsOnly: boolean
  /** Required settings, a few words each. */
  readonly requirements: readonly string[]
}

const list: readonly ListedExchange[] = JSON.parse(
  readFileSync(new URL('../../../../build/exchanges.json', import.meta.url), 'utf8'),
)

const synonyms: Readonly<Record<string, string>> = { binancefutures: 'binanceusdm' }

/** Identifiers of all supported exchanges, in ccxt's spelling, sorted. */
export const exchangeIds: readonly string[] = Object.freeze(list.map(({ id }) => id))

/** The identifier in `exchangeIds` of a name in any case or of a synonym, or undefined if there is none. */
export function resolveExchangeId(name: string): string | undefined {
  const lower = name.toLowerCase()
  const id = Object.hasOwn(synonyms, lower) ? synonyms[lower] : lower
  return exchangeIds.find(known => known === id)
}

/** Candle support of an exchange in this service. */
export interface Coverage extends Omit<ListedExchange, 'timeframes' | 'isContractsOnly' | 'requirements'> {
  /** Origin of each timeframe: the exchange (`native`) or a finer timeframe. Null if neither is possible. */
  readonly timeframes: Readonly<Record<Timeframe, 'native' | Timeframe | null>>
  /** Restrictions and required settings, a few words each. */
  readonly notes: readonly string[]
}

/** Candle support of all exchanges of ccxt. */
export const readCoverage = (): readonly Coverage[] =>
  list.map(({ timeframes, isContractsOnly, requirements, ...exchange }) => {
    const origins = Object.entries(timeframeOrigins(timeframes))
    const missing = origins.flatMap(([timeframe, origin]) => (origin ? [] : [timeframe]))
    return {
      ...exchange,
      timeframes: Object.fromEntries(
        origins.map(([timeframe, origin]) => [timeframe, origin ?? null]),
      ) as Coverage['timeframes'],
      notes: [
        ...(isContractsOnly ? ['contracts only'] : []),
        ...(missing.length > 0 ? [`no ${missing.join(', ')}`] : []),
        ...requirements,
      ],
    }
  })
