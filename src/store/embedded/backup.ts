import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { create, extract } from 'tar'
import { StoreFailure } from '../../contract/storage/stores.js'
import {
  checkDatabase,
  claimDirectory,
  type DatabaseName,
  databases,
  dataFile,
  installationFile,
  mapSizes,
  openDatabase,
  settleReplacement,
} from './embedded.js'
import { journalEnding } from './journal.js'
import type { Lock } from './lock.js'
import { createDraft, removeDraft, replaceBy, sync } from './replacement.js'

export const isBackupFile = (path: string): boolean => /\.(tar\.gz|tgz)$/i.test(path)

/** Streams files of a directory into one archive. Uses the fastest compression, because most of the data is compressed already. */
export const pack = (directory: string, names: readonly string[], file: string): Promise<void> =>
  create({ cwd: directory, file, gzip: { level: 1 }, portable: true, mode: 0o600 }, [...names])

/**
 * Unpacks the files of these names into a directory. Ignores all other entries of the archive. Rejects with StoreFailure if the
 * archive is truncated or damaged.
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

/** Databases in the order of copying: alerts before their accounts, because accounts are never deleted. */
const copied: readonly DatabaseName[] = ['alerts', 'accounts', 'candles']

const backupFiles: readonly string[] = [...databases.map(name => join(name, dataFile)), installationFile]

/**
 * Copies the databases of a data directory into `target`, even while a service writes to them. Each copy shows the state after
 * one transaction. `target` becomes a directory, or a single file if its name is that of an archive.
 *
 * `finish` adds to the copy the records that the journal had at that time. If the backup or the process ends early, `target` does
 * not exist. Only a directory next to it remains, whose name ends with `.partial`. Rejects with StoreFailure.
 */
export async function backUp(
  directory: string,
  target: string,
  finish: (copy: string) => Promise<void>,
): Promise<void> {
  settleReplacement(directory)
  if (!isBackup(directory)) throw new StoreFailure(`There is no data directory "${directory}"`)
  if (existsSync(target)) throw new StoreFailure(`"${target}" exists already`)
  const draft = `${target}.partial`
  rmSync(draft, { recursive: true, force: true })
  for (const name of copied) mkdirSync(join(draft, name), { recursive: true, mode: 0o700 })
  // A record is in the database before it leaves the journal, so the journal is copied first.
  copyJournals(join(directory, 'candles'), join(draft, 'candles'))
  for (const name of copied) await copyDatabase(directory, draft, name)
  copyFileSync(join(directory, installationFile), join(draft, installationFile))
  await finish(draft)
  sync(join(draft, installationFile))
  for (const name of copied) for (const file of [dataFile, '']) sync(join(draft, name, file))
  sync(draft)
  if (isBackupFile(target)) await packDraft(draft, target)
  else renameSync(draft, target)
  sync(dirname(target))
}

async function packDraft(draft: string, target: string): Promise<void> {
  const file = join(draft, 'packed')
  await pack(draft, backupFiles, file)
  sync(file)
  renameSync(file, target)
  rmSync(draft, { recursive: true, force: true })
}

/**
 * Replaces the contents of a data directory with a backup. No service may use the directory. With `replaces`, existing data are
 * moved into a new folder of the directory, whose path is returned. Rejects with StoreFailure.
 *
 * If this ends early, the directory is unchanged, or the next process that opens it finds the backup.
 */
export async function restore(
  backup: string,
  directory: string,
  replaces: boolean,
): Promise<string | undefined> {
  const isFile = statSync(backup, { throwIfNoEntry: false })?.isFile() === true
  if (!isFile && !isBackup(backup))
    throw new StoreFailure(`"${backup}" is no backup: it lacks databases or their id`)
  const isNew = !existsSync(directory)
  const lock = claim(directory)
  try {
    const isUsed = [...databases, installationFile].some(name => existsSync(join(directory, name)))
    if (isUsed && !replaces)
      throw new StoreFailure(`"${directory}" has data already; --force moves them aside`)
    await prepare(directory, backup, isFile)
  } catch (cause) {
    if (isNew) rmSync(directory, { recursive: true, force: true })
    else removeDraft(directory)
    lock.release()
    if (cause instanceof StoreFailure) throw cause
    throw new StoreFailure(`Cannot restore "${backup}": ${(cause as Error).message}`, { cause })
  }
  try {
    return replaceBy(directory, asideName('replaced'))
  } finally {
    lock.release()
  }
}

/** Fills the draft of a directory with a backup. */
async function prepare(directory: string, backup: string, isFile: boolean): Promise<void> {
  const draft = createDraft(directory)
  for (const name of databases) mkdirSync(join(draft, name), { recursive: true, mode: 0o700 })
  await (isFile ? unpackInto(draft, backup) : copyInto(draft, backup))
  for (const name of databases) checkDatabase(join(draft, name))
}

/** Name of a new folder for the data that are replaced now. It contains the time, so it is unique. */
export const asideName = (what: string): string => `${what}-${new Date().toISOString().replace(/[:.]/g, '-')}`

function copyInto(draft: string, backup: string): void {
  for (const name of backupFiles) copyFileSync(join(backup, name), join(draft, name))
}

async function unpackInto(draft: string, backup: string): Promise<void> {
  await unpack(backup, draft, backupFiles)
  if (!isBackup(draft)) throw new StoreFailure(`"${backup}" is no backup: it lacks databases or their id`)
}

function claim(directory: string): Lock {
  try {
    return claimDirectory(directory)
  } catch (cause) {
    throw new StoreFailure(`Cannot restore into "${directory}": ${(cause as Error).message}`, { cause })
  }
}

/** Whether a directory has all files of a data directory. A backup has the same files. */
const isBackup = (directory: string): boolean => backupFiles.every(path => existsSync(join(directory, path)))

async function copyDatabase(directory: string, target: string, name: DatabaseName): Promise<void> {
  const path = join(directory, name)
  checkDatabase(path)
  const database = openDatabase({ path, mapSize: mapSizes[name], readOnly: true })
  try {
    await database.backup(join(target, name), false)
  } catch (cause) {
    throw new StoreFailure(`Cannot copy "${path}": ${(cause as Error).message}`, { cause })
  } finally {
    await database.close()
  }
}

/** Copies the journals of all processes. The copies have names of no process, so that they can be recovered. */
export function copyJournals(from: string, to: string): void {
  for (const [at, name] of readdirSync(from)
    .filter(each => each.endsWith(journalEnding))
    .entries())
    try {
      // copyFile is not safe here: in libuv it never ends if the file becomes shorter during the copy. A stored journal does.
      writeFileSync(join(to, `0-copy-${at}${journalEnding}`), readFileSync(join(from, name)))
    } catch (error) {
      // A service that started during the copy has recovered the journal.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
}
