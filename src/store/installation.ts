import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** The key under which a database has the id of its data directory. It comes after all others. */
export const installationKey = '~installation'

/** The number of the format of everything that is stored, on the disk and in Redis. Each change of it gets another one. */
const storeFormat = '2'

/** Why data are refused that another version has stored, and what to do. */
export const otherFormat = (format: string | undefined, wayOut: string): string =>
  `its data have the format ${format ?? 'of an earlier version'}, and this version reads format ${storeFormat}: use the version that wrote them, or ${wayOut}`

/** The id of an installation as it is stored with the format of the data. */
export const stampOf = (id: string): string => `${id} ${storeFormat}`

/** The id in a stored stamp, and the format behind it, which builds before the number have written as a word. */
export function readStamp(stamp: string | undefined): { readonly id?: string; readonly format?: string } {
  const [id, format] = stamp?.split(' ') ?? []
  return { ...(id && { id }), ...(format && { format: format === 'packed' ? storeFormat : format }) }
}

export const isCurrent = (format: string | undefined): boolean => format === storeFormat

/** Something that has the id of the data directory to which it belongs. */
export interface IdentifiedPart {
  readonly name: string
  /** The id that it has now. */
  readId(): string | undefined
  writeId(id: string): void
}

/** Whether all parts have the same id. */
export function isIdentified(parts: readonly IdentifiedPart[]): boolean {
  const [id, ...others] = parts.map(part => part.readId())
  return id !== undefined && others.every(other => other === id)
}

/**
 * Gives all parts of a data directory one id, in their order, unless a part is missing or belongs to another directory: then
 * this throws an Error that names it. Where no part has an id, the directory is new. Parts in
 * `anew` are given the id whatever they have; the others are not checked then.
 *
 * The first part gets it here, within the transaction of a caller, and the others by the function returned, once that is committed:
 * a process that is killed in between leaves no part with an id behind one without.
 */
export function identify(parts: readonly IdentifiedPart[], anew: readonly string[] = []): () => void {
  const ids = parts.map(part => part.readId())
  // What comes after the last part with an id has none yet: a process has ended before it wrote that.
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

/** A file beside the databases as a part of their directory. */
export const identifiedFile = (path: string): IdentifiedPart => ({
  name: path,
  readId: () => readId(path),
  writeId: id => writeId(path, id),
})

/** The id in a file; undefined where there is none. */
export function readId(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes an id to a file in one step, so that a crash never leaves half of it. */
export function writeId(path: string, id: string): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${id}\n`, { mode: 0o600 })
  renameSync(draft, path)
}
