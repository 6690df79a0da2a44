import { upgradeRequired } from '../../contract/refusals.js'
import { ok, type Reply, refused } from '../reply.js'

/** The figures of `GET /streaming/health`, in its order. */
export interface StreamingHealth {
  readonly connections: number
  readonly subscriptions: number
  /** Markets that are watched or polled. */
  readonly feeds: number
  /** Seconds since the service started. */
  readonly uptime: number
}

/** `GET /streaming` without an upgrade to a WebSocket; the server answers those with one. */
export const getStreaming = (): Reply => refused(upgradeRequired())

/** `GET /streaming/health`: the number of streaming connections, subscriptions and feeds. */
export const getStreamingHealth = ({ streaming }: { readonly streaming: () => StreamingHealth }): Reply =>
  ok(JSON.stringify({ status: 'ok', ...streaming() }))
