import { resolve } from 'node:path'
import type { Command } from 'commander'
import { formatCount } from '../candles/format-count.js'
import type { Store } from '../contract/storage/stores.js'
import { Archive } from '../markets/archive/archive.js'
import { configure } from '../operate/settings/config.js'
import { backUp, restore } from '../store/embedded/backup.js'
import { openEmbedded } from '../store/embedded/embedded.js'
import { action, CommandFailure, type CommonOptions } from './failure.js'
import { withStore } from './open-store.js'
import { printResult } from './output.js'

export const addBackup = (program: Command): void => {
  program
    .command('backup')
    .description(
      'copy accounts, alerts and candles into a new directory or file, also while the service runs',
    )
    .argument(
      '<target>',
      'where the copy is to be; it must not exist. One file where its name ends with .tar.gz',
    )
    .option('--json', 'print a JSON object')
    .action(action(runBackup))
}

export const addRestore = (program: Command): void => {
  program
    .command('restore')
    .description('replace the data directory by a backup; no service may use it')
    .argument('<backup>', 'the directory or the file that "candela backup" has written')
    .option('--force', 'move the existing files into a directory next to it')
    .option('--json', 'print a JSON object')
    .action(action(runRestore))
}

/** Data directory of the settings. Throws CommandFailure if a shared store is used instead. */
function embeddedDirectory(): { readonly dataDirectory: string; readonly depth: number } {
  const { store, dataDirectory, historyDepth: depth } = configure()
  if (store !== 'embedded')
    throw new CommandFailure('STORE is a shared store: use its own backup, or copy it by "candela migrate"')
  return { dataDirectory, depth }
}

async function runBackup(target: string, options: CommonOptions): Promise<void> {
  const { dataDirectory, depth } = embeddedDirectory()
  const path = resolve(target)
  await backUp(dataDirectory, path, copy => finishCopy(copy, depth))
  printResult({ dataDirectory, backup: path }, options, () => `"${dataDirectory}" is copied to "${path}".`)
}

/** Stores the records of the journals of a copy in its database. This also shows that the copy can be opened. */
export async function finishCopy(copy: string, depth: number): Promise<void> {
  const store = openEmbedded(copy, { exclusive: true })
  try {
    new Archive(store.keyValues, { depth, journal: store.journal }).recover()
  } finally {
    await store.close()
  }
}

async function runRestore(backup: string, options: CommonOptions & { readonly force?: true }): Promise<void> {
  const { dataDirectory } = embeddedDirectory()
  const aside = await restore(resolve(backup), dataDirectory, options.force === true)
  const moved = aside === undefined ? '' : ` What was there is in "${aside}".`
  printResult(
    { dataDirectory, ...(aside && { replaced: aside }) },
    options,
    () => `"${dataDirectory}" is what the backup has.${moved}`,
  )
}

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
  printResult(found, options, () => `The store is accepted, with ${texts.join(' and ')}.${hint}`)
}
