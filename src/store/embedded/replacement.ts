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
/** Prefix of the folder of a complete replacement. The rest of its name is the name of the folder for the replaced files. */
const completePrefix = 'replacing-'
/** File with the paths of the files that a complete replacement replaces, as JSON. */
const listName = 'replaced.json'
const mode = 0o700

/**
 * Creates the empty draft folder of a data directory. The caller writes the new files into it: folders of databases and the file
 * of the id. The data stay unchanged until `replaceBy`.
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
 * Moves the files of the draft into the directory. A folder in the draft replaces all files of the folder with the same name. A
 * single file replaces the file with the same name. Replaced files are moved into the folder `aside` of the directory. Returns the
 * path of that folder, or undefined if nothing was replaced.
 *
 * One rename decides. If the process is killed before the rename, the directory is unchanged. If the process is killed after the
 * rename, the next process that opens the directory finishes the replacement.
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

/** Whether a process was killed after the rename that decides its replacement. */
export const isReplacing = (directory: string): boolean => replacementsIn(directory).length > 0

/** Finishes a decided replacement. Only one process at a time may call this for the same directory. */
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
  // A file that is already aside must not be moved again: the file of that name in the directory may be the new one.
  for (const path of replaced)
    if (!existsSync(join(aside, path))) renameSync(join(directory, path), join(aside, path))
  // The id comes last, because a version without this procedure refuses a directory with an id and without a database.
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

/** Paths of the files in a folder of a directory. */
function filesOf(directory: string, folder = ''): readonly string[] {
  const path = join(directory, folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }) => join(folder, name))
}

/** Paths of all files and folders in a directory, files before their folders. */
const pathsOf = (directory: string): readonly string[] => [
  ...foldersOf(directory).flatMap(folder => [...filesOf(directory, folder), folder]),
  ...filesOf(directory),
]

/** Flushes a file or a directory to disk. */
export function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
