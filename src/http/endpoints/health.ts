import type * as json from '../../../build/json-types.js'
import type { Immutable } from '../../../build/json-types.js'
import { upgradeRequired } from '../../contract/refusals.js'
import type { ClusterState, Store } from '../../contract/storage/stores.js'
import type { History } from '../../markets/history/history.js'
import { ok, type Reply, refused } from '../reply.js'
import { get, type KeyRoute, type OpenRoute, open } from '../route.js'

type Parts = Immutable<json.Readiness['parts']>
/** State of one part of the service: working, partly working or not working. `reason` explains the last two. */
type PartHealth = Parts['accounts']

/** Parts of the service, as `GET /health/ready` shows them. */
export interface Health {
  /** True from the start of a shutdown. */
  readonly isStopping: boolean
  readonly parts: Parts
}

/** `GET /health/ready`: the state of each part. 503 only if requests cannot be served. */
export function getReady({ health }: { readonly health: () => Health }): Reply {
  const { isStopping, parts } = health()
  const isDown = parts.accounts.status === 'down'
  const isDegraded = Object.values(parts).some(part => part.status !== 'ok')
  const status = isStopping ? 'stopping' : isDown ? 'unavailable' : isDegraded ? 'degraded' : 'ready'
  const body = JSON.stringify({ status, parts })
  return isStopping || isDown ? { status: 503, body } : ok(body)
}

/** Free disk space below which the archive is shown as degraded, before writes fail. */
const minFreeBytes = 64 * 2 ** 20

/** State of each part of the service. The reasons name no path and no address, because they are readable without a key. */
export function readParts(
  store: Pick<Store, 'accounts' | 'writeFailure' | 'freeBytes' | 'clusterState'>,
  history: Pick<History, 'failingExchanges'>,
  alerts: { readonly failure: string | undefined } = { failure: undefined },
): Parts {
  const down = history.failingExchanges
  return {
    accounts: accountsHealth(store),
    archive: archiveHealth(store),
    alerts: alerts.failure === undefined ? { status: 'ok' } : { status: 'degraded', reason: alerts.failure },
    ...(store.clusterState && { store: sharedHealth(store.clusterState) }),
    exchanges: {
      ...(down.length === 0
        ? { status: 'ok' }
        : { status: 'degraded', reason: 'the last requests to some exchanges failed' }),
      down,
    },
  }
}

function accountsHealth({ accounts }: Pick<Store, 'accounts'>): PartHealth {
  try {
    accounts.check()
    return { status: 'ok' }
  } catch {
    return { status: 'down', reason: 'the accounts cannot be read' }
  }
}

function sharedHealth({ isUp, isLost }: ClusterState): PartHealth {
  if (isUp) return { status: 'ok' }
  const fault = isLost ? 'has lost its data' : 'does not answer'
  return {
    status: 'degraded',
    reason: `the shared store ${fault}: requests are counted by each node, and new keys are not known`,
  }
}

function archiveHealth({ writeFailure, freeBytes }: Pick<Store, 'writeFailure' | 'freeBytes'>): PartHealth {
  if (writeFailure() !== undefined) return { status: 'degraded', reason: 'candles cannot be written' }
  try {
    return freeBytes() < minFreeBytes
      ? { status: 'degraded', reason: 'the disk is almost full' }
      : { status: 'ok' }
  } catch {
    return { status: 'degraded', reason: 'the disk cannot be read' }
  }
}

/** Figures of `GET /streaming/health`, in its order. */
export type StreamingHealth = Immutable<Omit<json.StreamingHealth, 'status'>>

export interface Dependencies {
  /** Current state of the parts of the service. */
  readonly health: () => Health
  /** Current figures of the streaming connections. */
  readonly streaming: () => StreamingHealth
}

export const streamingRoute: OpenRoute<unknown> = open({
  path: '/streaming',
  // The server itself answers requests for a WebSocket.
  answer: () => refused(upgradeRequired()),
  describe: () => ({
    id: 'streaming',
    tag: 'Streaming',
    summary: 'Live updates over a WebSocket',
    replies: {
      101: { description: 'The connection is a WebSocket from here on.' },
      426: { description: 'The request is not an upgrade to a WebSocket.' },
      503: { description: 'Too many connections.' },
    },
  }),
})

export const streamingHealthRoute: KeyRoute<Dependencies> = get({
  path: '/streaming/health',
  scope: 'stream',
  hasNoQuery: true,
  answer: ({ streaming }) => ok(JSON.stringify({ status: 'ok', ...streaming() })),
  describe: () => ({
    id: 'streamingHealth',
    tag: 'Streaming',
    summary: 'Load of the streaming connections',
    replies: { 200: { description: 'It works.', schema: 'streamingHealth' } },
  }),
})

/** The probes ignore a query string that a proxy may add. */
export const healthRoutes: readonly OpenRoute<Dependencies>[] = [
  open({
    path: '/health/live',
    answer: () => ok('{"status":"ok"}'),
    describe: () => ({
      id: 'live',
      tag: 'Health',
      summary: 'Whether the process answers',
      replies: { 200: { description: 'It does.', schema: 'status' } },
    }),
  }),
  open({
    path: '/health/ready',
    answer: getReady,
    describe: () => ({
      id: 'ready',
      tag: 'Health',
      summary: 'Whether requests are welcome, and the state of each part',
      replies: {
        200: {
          description: 'They are. With `degraded` a part does not work as it should.',
          schema: 'readiness',
        },
        503: {
          description: 'They are not: the service is stopping, or no key can be checked.',
          schema: 'readiness',
        },
      },
    }),
  }),
]
