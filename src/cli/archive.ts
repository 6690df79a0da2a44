import { Archive } from '../archive/archive.js'
import { configure } from '../config/config.js'
import { type CommonOptions, printNote } from './failure.js'
import { withStore } from './store.js'

/** Opens the archive for a command. Damaged parts of it are reported on standard error. */
export const withArchive = (
  command: (archive: Archive) => void | Promise<void>,
  options: CommonOptions = {},
): Promise<void> =>
  withStore(async ({ keyValues }) => {
    const onCorrupt = (key: string, reason: string) => printNote(`${key}: ${reason}`, options)
    await command(new Archive(keyValues, { depth: configure().historyDepth, onCorrupt }))
    await keyValues.flush?.()
  })
