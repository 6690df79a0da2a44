import { type Command, Option } from 'commander'
import type { Candle } from '../candles/candle.js'
import type { OutputValue } from '../client/types.js'
import { readConnection, readServiceUrl } from '../config.js'
import type { Market } from '../contract/market.js'
import type { IndicatorSpec } from '../contract/query.js'
import type { CommonOptions } from './failure.js'

/** The values of an indicator by output, oldest first, with the open times of their candles. */
export interface IndicatorValues {
  readonly timestamp: readonly number[]
  readonly [output: string]: readonly OutputValue[]
}

/** One state of an indicator: the values at its newest candle by output, single ones by the name of the indicator. */
export interface MarketUpdate {
  readonly closed: boolean
  readonly data: { readonly timestamp: number } & Readonly<Record<string, OutputValue>>
}

export interface FollowOptions {
  readonly closedOnly: boolean
  /** Ends the following. */
  readonly signal: AbortSignal
  readonly onUpdate: (update: MarketUpdate) => void
  /** Called with what went wrong and is being repaired. */
  readonly onNote: (text: string) => void
}

/** Where a command has candles and indicators of exchanges from. Methods throw CommandFailure, or what the service answers. */
export interface Markets {
  /** The newest candles, at most `count`, oldest first. */
  candles(market: Market, count: number): Promise<readonly Candle[]>
  /** The newest values, at most `count`. */
  values(market: Market, spec: IndicatorSpec, count: number): Promise<IndicatorValues>
  /** Calls `onUpdate` with the present values and with every change, until `signal` is aborted. */
  follow(market: Market, spec: IndicatorSpec, options: FollowOptions): Promise<void>
  close(): Promise<void>
}

/** The options of commands that can ask a running service. */
export interface ServiceOptions extends CommonOptions {
  readonly url?: string
  readonly key?: string
}

export const serviceOptions = (): readonly Option[] => [
  new Option(
    '--url <address>',
    'ask the service that runs there (also CANDELA_URL), instead of the exchange',
  ),
  new Option(
    '--key <key>',
    'the API key for that service (better in CANDELA_KEY, which other users cannot see)',
  ),
]

export function addServiceOptions(command: Command): void {
  for (const option of serviceOptions()) command.addOption(option)
}

/** The markets of a running service where one is named; those of the exchanges, asked by this process, where none is. */
export async function openMarkets({ url, key }: ServiceOptions): Promise<Markets> {
  const address = url ?? readServiceUrl()
  if (address !== undefined) {
    const { createServiceMarkets } = await import('./markets-of-service.js')
    return createServiceMarkets({ url: address, key: key ?? readConnection().key })
  }
  const { createEmbeddedMarkets } = await import('./markets-embedded.js')
  return createEmbeddedMarkets()
}
