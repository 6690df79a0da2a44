import type { Command } from 'commander'
import { configure } from '../config/config.js'
import { openStore } from '../store/open.js'
import type { Store } from '../store/store.js'
import { type CommonOptions, runCommand } from './failure.js'
import { formatCount } from './summary.js'

/** `candela store`: what becomes of the store as a whole. */
export const addStore = (program: Command): void => {
  program
    .command('store')
    .description('the data directory, or the store that several nodes share')
    .command('confirm')
    .description(
      'take the store as it is now, where it is refused because its data are missing or are those of another one',
    )
    .option('--json', 'print a JSON object')
    .action((options: CommonOptions) =>
      runCommand(
        () => withStore(store => report(store, options), { exclusive: true, confirm: true }),
        options,
      ),
    )
}

async function report({ accounts, alerts }: Store, { json }: CommonOptions): Promise<void> {
  const found = { accounts: (await accounts.entries()).length, alerts: (await alerts.list()).length }
  const texts = [formatCount(found.accounts, 'account'), formatCount(found.alerts, 'alert')]
  console.log(
    json
      ? JSON.stringify(found, null, 2)
      : `The store is taken as it is, with ${texts.join(' and ')}.${found.accounts === 0 ? ' The next start of the service creates a first key.' : ''}`,
  )
}

/** Runs a command on the store that the settings name, and closes it. */
export async function withStore(
  command: (store: Store) => void | Promise<void>,
  options: Parameters<typeof openStore>[1] = {},
): Promise<void> {
  const store = openStore(configure(), options)
  try {
    await store.ready()
    await command(store)
  } finally {
    await store.close()
  }
}
