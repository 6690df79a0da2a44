import { existsSync } from 'node:fs'
import type { Store } from '../contract/storage/stores.js'
import { Archive } from '../markets/archive/archive.js'
import { configure } from '../operate/settings/config.js'
import { openStore } from '../store/open.js'
import { CommandFailure, type CommonOptions, printNote } from './failure.js'

/** Runs a command on a store, and closes the store. The store is that of the settings, unless `place` names another one. */
export async function withStore(
  command: (store: Store) => void | Promise<void>,
  options: Parameters<typeof openStore>[1] = {},
  place: Parameters<typeof openStore>[0] = placeOfSettings(),
): Promise<void> {
  const store = openStore(place, options)
  try {
    await store.ready()
    await command(store)
  } finally {
    await store.close()
  }
}

/** Store of the settings. Throws CommandFailure if its directory is missing, because commands do not create it implicitly. */
function placeOfSettings() {
  const settings = configure()
  const { store, dataDirectory } = settings
  if (store === 'embedded' && !existsSync(dataDirectory))
    throw new CommandFailure(
      `There is no data directory "${dataDirectory}": the first start of the service makes it, and DATA_DIR names another one`,
    )
  return settings
}

/** Runs a command on the archive. Damaged parts of the archive are reported on standard error. */
export const withArchive = (
  command: (archive: Archive) => void | Promise<void>,
  options: CommonOptions = {},
): Promise<void> =>
  withStore(async ({ keyValues }) => {
    const onCorrupt = (key: string, reason: string) => printNote(`${key}: ${reason}`, options)
    const { historyDepth: depth, correctionsDays } = configure()
    await command(new Archive(keyValues, { depth, correctionsDays, onCorrupt }))
    await keyValues.flush?.()
  })
