import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** The key under which a database has the id of its data directory. It comes after all others. */
export const installationKey = '~installation'

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
 * this throws an Error that names it. Where no part has an id, the directory is new, or of an earlier version. Parts in
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
  let lacking = parts.filter((part, at) => ids[at] !== id && !isWrong(part, at))
  const write = (some: readonly IdentifiedPart[]) => {
    try {
      for (const part of some) part.writeId(id)
    } catch (error) {
      // A directory of an earlier version on a full disk can be used; it gets the rest at a later start.
      if (anew.length > 0) throw error
      lacking = []
    }
  }
  const first = lacking.filter(part => part === parts[0])
  write(first)
  return () => write(lacking.filter(part => !first.includes(part)))
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
