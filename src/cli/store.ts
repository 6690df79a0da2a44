import type { Command } from 'commander'
import { formatCount } from '../candles/format-count.js'
import type { Store } from '../contract/storage/stores.js'
import { action, type CommonOptions } from './failure.js'
import { withStore } from './open-store.js'
import { printResult } from './output.js'

/** `candela store`: operations on the store as a whole. */
export const addStore = (program: Command): void => {
  program
    .command('store')
    .description('the data directory, or the store that several nodes share')
    .command('confirm')
    .description(
      'take the store as it is now, where it is refused because its data are missing or are those of another one',
    )
    .option('--json', 'print a JSON object')
    .action(
      action((options: CommonOptions) =>
        withStore(store => report(store, options), { exclusive: true, confirm: true }),
      ),
    )
}

async function report({ accounts, alerts }: Store, options: CommonOptions): Promise<void> {
  const found = { accounts: (await accounts.entries()).length, alerts: (await alerts.list()).length }
  const texts = [formatCount(found.accounts, 'account'), formatCount(found.alerts, 'alert')]
  const hint = found.accounts === 0 ? ' The next start of the service creates a first key.' : ''
  printResult(found, options, () => `The store is taken as it is, with ${texts.join(' and ')}.${hint}`)
}
