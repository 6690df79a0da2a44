import { readdirSync, readFileSync } from 'node:fs'
import type { Log } from '../../runtime/log.js'

/** What the connections leave of the limit: for exchanges, databases and threads. */
const reservedFiles = 256
/** Where the limit is so low that this is more than a quarter of it, a quarter is left. */
const reservedShare = 1 / 4
const noLimit = 1_000_000
/** A possible number of connections that is below this share of the promised one is worth a line of the log. */
const notableShare = 0.9

/**
 * How many connections may be open with so many files that the process may have, of which some are open already. When
 * a process has no file left, it can neither accept nor refuse a connection, and loses all its time trying.
 */
export const connectionsFor = (limit: number, openFiles: number): number =>
  Math.max(1, limit - openFiles - Math.min(reservedFiles, Math.floor(limit * reservedShare)))

/** How many connections the operating system allows this process, where it has a limit. */
function allowedConnections(): number {
  const limit = openFilesLimit()
  return limit === undefined ? noLimit : connectionsFor(limit, openFiles())
}

/** Node.js raises the soft limit to the hard one when it starts. */
function openFilesLimit(): number | undefined {
  try {
    const text = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return text === undefined ? undefined : Number(text)
  } catch {
    // Other systems than Linux: the report takes longer, and is empty on Windows.
    if (process.report) Object.assign(process.report, { excludeNetwork: true })
    const report = process.report?.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
    const soft = report?.userLimits?.open_files?.soft
    return typeof soft === 'number' ? soft : undefined
  }
}

/** Files that this process has open; some dozens where the system does not say it. */
function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 64
  }
}

/** The connections that may be open at a time. Logs where the settings promise more than the system allows. */
export function maxConnectionsOf(
  {
    maxConnections,
    streamMaxConnections,
  }: { readonly maxConnections: number | undefined; readonly streamMaxConnections: number },
  log: Log,
): number {
  const allowed = allowedConnections()
  const max = maxConnections ?? allowed
  if (max > allowed) log.warn({ max, allowed }, 'MAX_CONNECTIONS is more than the limit of open files allows')
  else if (max < notableShare * streamMaxConnections) {
    log.info(
      { max, streamMaxConnections },
      'fewer connections are possible than STREAM_MAX_CONNECTIONS allows, because of MAX_CONNECTIONS or the limit of open files',
    )
  }
  return max
}
