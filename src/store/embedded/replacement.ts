import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const draftName = 'preparing'
/** The name of a complete replacement begins so; the rest is the name of the folder that gets what is replaced. */
const completePrefix = 'replacing-'
/** The paths of the files that a complete replacement replaces, as JSON. */
const listName = 'replaced.json'
const mode = 0o700

/**
 * The folder of a data directory in which the files are written that are to replace others: folders of databases, and the file of
 * the id. It is empty at first. Until `replaceBy` the directory is unchanged.
 */
export function createDraft(directory: string): string {
  removeDraft(directory)
  const draft = join(directory, draftName)
  mkdirSync(draft, { recursive: true, mode })
  return draft
}

export const removeDraft = (directory: string): void =>
  rmSync(join(directory, draftName), { recursive: true, force: true })

/**
 * Puts the files of the draft of a directory in the place of those of the same folders, and of the same name beside these. The
 * latter are moved into a folder of the directory, `aside`. Returns its path, or undefined if there was nothing to move.
 *
 * One rename decides: a process that is killed before it leaves the directory unchanged, and one that is killed after it leaves the
 * rest to the next process that opens the directory.
 */
export function replaceBy(directory: string, aside: string): string | undefined {
  const draft = join(directory, draftName)
  const replaced = foldersOf(draft).flatMap(folder => filesOf(directory, folder))
  const others = filesOf(draft).filter(name => existsSync(join(directory, name)))
  writeFileSync(join(draft, listName), JSON.stringify([...replaced, ...others]))
  for (const path of [...pathsOf(draft), '']) sync(join(draft, path))
  renameSync(draft, join(directory, completePrefix + aside))
  sync(directory)
  finishReplacement(directory)
  return existsSync(join(directory, aside)) ? join(directory, aside) : undefined
}

/** Whether a process was killed after its replacement was decided. */
export const isReplacing = (directory: string): boolean => replacementsIn(directory).length > 0

/** Does what is left of a decided replacement. Only one process may call this for the same directory at a time. */
export function finishReplacement(directory: string): void {
  for (const name of replacementsIn(directory)) {
    const source = join(directory, name)
    // The list is removed last.
    if (existsSync(join(source, listName)))
      moveFiles(source, directory, join(directory, name.slice(completePrefix.length)))
    rmSync(source, { recursive: true, force: true })
    sync(directory)
  }
}

function moveFiles(source: string, directory: string, aside: string): void {
  const replaced: readonly string[] = JSON.parse(readFileSync(join(source, listName), 'utf8'))
  const folders = foldersOf(source)
  for (const folder of folders) mkdirSync(join(directory, folder), { recursive: true, mode })
  if (replaced.length > 0)
    for (const folder of [...folders, '']) mkdirSync(join(aside, folder), { recursive: true, mode })
  // A file that is aside was moved before: what has its name in the directory has taken its place.
  for (const path of replaced)
    if (!existsSync(join(aside, path))) renameSync(join(directory, path), join(aside, path))
  // The id comes last, because a version that does not know of this refuses a directory with an id and without a database.
  const files = [...folders.flatMap(folder => filesOf(source, folder)), ...filesOf(source)]
  for (const path of files) if (path !== listName) renameSync(join(source, path), join(directory, path))
  for (const folder of [...folders, '']) {
    sync(join(directory, folder))
    if (replaced.length > 0) sync(join(aside, folder))
  }
}

const replacementsIn = (directory: string): readonly string[] =>
  existsSync(directory) ? readdirSync(directory).filter(name => name.startsWith(completePrefix)) : []

const foldersOf = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)

/** The paths of the files in a folder of a directory. */
function filesOf(directory: string, folder = ''): readonly string[] {
  const path = join(directory, folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }) => join(folder, name))
}

/** The paths of everything in a directory, files before their folders. */
const pathsOf = (directory: string): readonly string[] => [
  ...foldersOf(directory).flatMap(folder => [...filesOf(directory, folder), folder]),
  ...filesOf(directory),
]

/** Has the system write a file or a directory to the disk. */
export function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
