import { type Command, Option } from 'commander'
import { readConnection, readServiceUrl } from '../operate/settings/config.js'
import type { CommonOptions } from './failure.js'
import type { Markets } from './markets.js'
import { showStatus } from './progress.js'

/** The options of commands that can send their requests to a running service. */
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

/**
 * Runs `work` on markets, and closes them: those of a running service where one is named, else those of the exchanges, which
 * this process fetches. A terminal shows `status` until `work` ends or calls `hideStatus`.
 */
export async function withMarkets<Result>(
  options: ServiceOptions,
  status: string | undefined,
  work: (markets: Markets, hideStatus: () => void) => Promise<Result>,
): Promise<Result> {
  const hideStatus = status === undefined ? () => {} : showStatus(status, options)
  let markets: Markets | undefined
  try {
    markets = await openMarkets(options)
    return await work(markets, hideStatus)
  } finally {
    hideStatus()
    await markets?.close()
  }
}

async function openMarkets({ url, key }: ServiceOptions): Promise<Markets> {
  const address = url ?? readServiceUrl()
  if (address !== undefined) {
    const { createServiceMarkets } = await import('./markets-of-service.js')
    return createServiceMarkets({ url: address, key: key ?? readConnection().key })
  }
  const { EmbeddedMarkets } = await import('./markets-embedded.js')
  return new EmbeddedMarkets()
}
