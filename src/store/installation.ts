import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Key of the id of the data directory in each database. It sorts after all other keys. */
export const installationKey = '~installation'

/** Number of the format of all stored data, on disk and in Redis. Each change of the format needs a new number. */
const storeFormat = '3'

/** Error text for data in another format, with the remedy. */
export const otherFormat = (format: string | undefined, wayOut: string): string =>
  `its data have the format ${format ?? 'of an earlier version'}, and this version reads format ${storeFormat}: use the version that wrote them, or ${wayOut}`

/** Stored text of the id of an installation and the format of its data. */
export const stampOf = (id: string): string => `${id} ${storeFormat}`

export function readStamp(stamp: string | undefined): { readonly id?: string; readonly format?: string } {
  const [id, format] = stamp?.split(' ') ?? []
  return { ...(id && { id }), ...(format && { format }) }
}

export const isCurrent = (format: string | undefined): boolean => format === storeFormat

/** Part of a data directory that contains the id of the directory. */
export interface IdentifiedPart {
  readonly name: string
  /** The stored id, or undefined if the part has none. */
  readId(): string | undefined
  writeId(id: string): void
}

/** Whether all parts have an id, and all have the same one. */
export function isIdentified(parts: readonly IdentifiedPart[]): boolean {
  const [id, ...others] = parts.map(part => part.readId())
  return id !== undefined && others.every(other => other === id)
}

/**
 * Writes the same id to all parts of a data directory, in their order. If no part has an id, the directory is new. Throws an Error
 * that names the part if a part is missing or belongs to another directory. The accepted parts (the last parameter) receive the id
 * whatever id they have. If there are any, the other parts are not checked.
 *
 * Writes the id to the first part immediately, within the transaction of the caller. The returned function writes the id to the
 * other parts and must be called after the commit. So no part has an id while an earlier part has none, even if the process is
 * killed between the two steps.
 */
export function identify(parts: readonly IdentifiedPart[], anew: readonly string[] = []): () => void {
  const ids = parts.map(part => part.readId())
  // The parts after the last part with an id have no id yet, because a process ended before it wrote their ids.
  const last = ids.findLastIndex(id => id !== undefined)
  const id = ids[last] ?? randomUUID()
  const isWrong = ({ name }: IdentifiedPart, at: number) =>
    at < last && ids[at] !== id && !anew.includes(name)
  const reasons = parts.flatMap((part, at) => {
    const reason = ids[at] === undefined ? 'is missing or empty' : 'belongs to another data directory'
    return isWrong(part, at) ? [`the database "${part.name}" ${reason}`] : []
  })
  if (reasons.length > 0 && anew.length === 0)
    throw new Error(
      `${reasons.join(', ')}: restore a backup, or run "candela store confirm" where it is meant to be as it is`,
    )
  const lacking = parts.filter((part, at) => ids[at] !== id && !isWrong(part, at))
  const first = lacking.filter(part => part === parts[0])
  for (const part of first) part.writeId(id)
  return () => {
    for (const part of lacking) if (!first.includes(part)) part.writeId(id)
  }
}

/** A file next to the databases, as an identified part of the directory. */
export const identifiedFile = (path: string): IdentifiedPart => ({
  name: path,
  readId: () => readId(path),
  writeId: id => writeId(path, id),
})

/** Reads the id in a file; undefined if the file is missing or empty. */
export function readId(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes an id to a file atomically, so that a crash never leaves a part of it. */
export function writeId(path: string, id: string): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${id}\n`, { mode: 0o600 })
  renameSync(draft, path)
}
