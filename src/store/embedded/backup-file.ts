import { create, extract } from 'tar'
import { StoreFailure } from '../../contract/storage/stores.js'

/** Whether a backup of this name is one file. */
export const isBackupFile = (path: string): boolean => /\.(tar\.gz|tgz)$/i.test(path)

/** Writes files of a directory into one file, piece by piece. The fastest compression: most of it is packed already. */
export const pack = (directory: string, names: readonly string[], file: string): Promise<void> =>
  create({ cwd: directory, file, gzip: { level: 1 }, portable: true, mode: 0o600 }, [...names])

/**
 * Unpacks the files of these names into a directory, and nothing else that a file may contain. Rejects with StoreFailure where it
 * is cut short or damaged.
 */
export async function unpack(file: string, directory: string, names: readonly string[]): Promise<void> {
  try {
    await extract({
      ...{ file, cwd: directory, strict: true, preserveOwner: false },
      filter: (path, entry) => names.includes(path) && 'type' in entry && entry.type === 'File',
    })
  } catch (cause) {
    throw new StoreFailure(`"${file}" cannot be read as a backup: ${(cause as Error).message}`, { cause })
  }
}
