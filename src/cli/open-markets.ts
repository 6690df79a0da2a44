import { type Command, Option } from 'commander'
import { readConnection, readServiceUrl } from '../config/config.js'
import type { CommonOptions } from './failure.js'
import type { Markets } from './markets.js'

/** The options of commands that can ask a running service. */
export interface ServiceOptions extends CommonOptions {
  readonly url?: string
  readonly key?: string
}

/** Adds the options that name a running service. */
export function addServiceOptions(command: Command): void {
  const url = 'ask the service that runs there (also CANDELA_URL), instead of the exchange'
  const key = 'the API key for that service (better in CANDELA_KEY, which other users cannot see)'
  command.addOption(new Option('--url <address>', url)).addOption(new Option('--key <key>', key))
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
