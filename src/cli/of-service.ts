import { type Command, Option } from 'commander'
import { Candela } from '../client/index.js'
import { readConnection } from '../operate/settings/config.js'
import type { ServiceOptions } from './open-markets.js'
import { printResult } from './output.js'

/** Adds a command that needs a running service. */
export const addOfService = (group: Command, name: string, description: string): Command =>
  group
    .command(name)
    .description(description)
    .addOption(new Option('--url <address>', 'where the service runs (also CANDELA_URL)'))
    .addOption(new Option('--key <key>', 'the API key (better in CANDELA_KEY, which other users cannot see)'))
    .option('--json', 'print JSON')

/** The client of the service that a command names. */
export function serviceOf({ url, key }: ServiceOptions): Candela {
  const connection = readConnection()
  return new Candela({ url: url ?? connection.url, key: key ?? connection.key })
}

/** Prints a table, or on standard error that there is nothing to list. */
export function printList<Item>(
  items: readonly Item[],
  options: ServiceOptions,
  none: string,
  format: (items: readonly Item[]) => string,
): void {
  if (items.length === 0 && !options.json) console.error(none)
  else printResult(items, options, () => format(items))
}
