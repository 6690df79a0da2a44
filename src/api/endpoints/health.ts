import { ok, type Reply } from '../reply.js'

/** What one part of the service can do at present: all, not all, or nothing; `reason` says why it is not all. */
export interface PartHealth {
  readonly status: 'ok' | 'degraded' | 'down'
  readonly reason?: string
}

/** The parts of the service, as `GET /health/ready` shows them. */
export interface Health {
  /** True from the beginning of a shutdown. */
  readonly isStopping: boolean
  readonly parts: {
    /** Without the accounts no key can be checked. */
    readonly accounts: PartHealth
    /** Without the archive, candles are kept in memory. */
    readonly archive: PartHealth
    /** What is degraded is tried again, and nothing is lost within the time that is caught up on. */
    readonly alerts: PartHealth
    /** The engine that several nodes share, where there is one. Without it each node counts for itself. */
    readonly store?: PartHealth
    /** The exchanges whose last answer was a failure. Their last candles are answered as stale. */
    readonly exchanges: PartHealth & { readonly down: readonly string[] }
  }
}

/** `GET /health/live`: the process answers. */
export const getLive = (): Reply => ok('{"status":"ok"}')

/** `GET /health/ready`: the state of each part; 503 only where requests cannot be served. */
export function getReady({ health }: { readonly health: () => Health }): Reply {
  const { isStopping, parts } = health()
  const isDown = parts.accounts.status === 'down'
  const isDegraded = Object.values(parts).some(part => part.status !== 'ok')
  const status = isStopping ? 'stopping' : isDown ? 'unavailable' : isDegraded ? 'degraded' : 'ready'
  const body = JSON.stringify({ status, parts })
  return isStopping || isDown ? { status: 503, body } : ok(body)
}
