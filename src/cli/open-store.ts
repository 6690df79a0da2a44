import { Archive } from '../archive/archive.js'
import { configure } from '../config/config.js'
import { openStore } from '../store/open.js'
import type { Store } from '../store/store.js'
import { type CommonOptions, printNote } from './failure.js'

/** Runs a command on a store, that of the settings unless `place` names another one, and closes it. */
export async function withStore(
  command: (store: Store) => void | Promise<void>,
  options: Parameters<typeof openStore>[1] = {},
  place: Parameters<typeof openStore>[0] = configure(),
): Promise<void> {
  const store = openStore(place, options)
  try {
    await store.ready()
    await command(store)
  } finally {
    await store.close()
  }
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
