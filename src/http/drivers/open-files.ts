import { readdirSync, readFileSync } from 'node:fs'
import type { Log } from '../../runtime/log.js'

/** Open files reserved for exchanges, databases and threads. */
const reservedFiles = 256
/** Maximum share of the limit that is reserved. Low limits reserve this share. */
const reservedShare = 1 / 4
const noLimit = 1_000_000
/** Share of the configured number of connections below which the possible number is logged. */
const notableShare = 0.9

/**
 * Number of connections that may be open if the process may open `limit` files and has `openFiles` open. A process
 * without a free file can neither accept nor refuse connections, and wastes all its time trying.
 */
export const connectionsFor = (limit: number, openFiles: number): number =>
  Math.max(1, limit - openFiles - Math.min(reservedFiles, Math.floor(limit * reservedShare)))

/** Number of connections that the operating system allows this process. */
function allowedConnections(): number {
  const limit = openFilesLimit()
  return limit === undefined ? noLimit : connectionsFor(limit, openFiles())
}

/** Limit of open files of this process; undefined if unknown. Node.js raises the soft limit to the hard one at its start. */
function openFilesLimit(): number | undefined {
  try {
    const text = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return text === undefined ? undefined : Number(text)
  } catch {
    // Other systems than Linux use the report, which is slower, and empty on Windows.
    if (process.report) Object.assign(process.report, { excludeNetwork: true })
    const report = process.report?.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
    const soft = report?.userLimits?.open_files?.soft
    return typeof soft === 'number' ? soft : undefined
  }
}

/** Number of files that this process has open. An estimate if the system does not report it. */
function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 64
  }
}

/** Maximum number of open connections. Logs a warning if the settings promise more than the system allows. */
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
