import { readdirSync, readFileSync } from 'node:fs'
import type { Config } from '../config.js'
import type { Log } from '../log.js'

/** What the connections leave of the limit: for exchanges, databases and threads. */
const reservedFiles = 256
/** Where the limit is so low that this is more than a quarter of it, a quarter is left. */
const reservedShare = 1 / 4
/** Where the system does not say its limit. */
const unknownLimit = 10_000

/**
 * How many connections may be open with so many files that the process may have, of which some are open already. When
 * a process has no file left, it can neither accept nor refuse a connection, and loses all its time trying.
 */
export const connectionsFor = (limit: number, openFiles: number): number =>
  Math.max(1, limit - openFiles - Math.min(reservedFiles, Math.floor(limit * reservedShare)))

/** How many connections the operating system allows this process. */
function allowedConnections(): number {
  try {
    // Node.js raises the soft limit to the hard one when it starts.
    const limit = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    if (limit === undefined) return unknownLimit
    if (limit === 'unlimited') return 1_000_000
    return connectionsFor(Number(limit), readdirSync('/proc/self/fd').length)
  } catch {
    return unknownLimit
  }
}

/** The connections that may be open at a time. Logs where the settings promise more than the system allows. */
export function maxConnectionsOf(
  { maxConnections, streamMaxConnections }: Pick<Config, 'maxConnections' | 'streamMaxConnections'>,
  log: Log,
): number {
  const allowed = allowedConnections()
  const max = maxConnections ?? allowed
  if (max > allowed) log.warn({ max, allowed }, 'MAX_CONNECTIONS is more than the limit of open files allows')
  else if (streamMaxConnections > max) {
    log.info(
      { max, streamMaxConnections },
      'fewer connections are possible than STREAM_MAX_CONNECTIONS allows, because of MAX_CONNECTIONS or the limit of open files',
    )
  }
  return max
}
