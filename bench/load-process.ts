import { connect, type Socket } from 'node:net'
import { percentile } from './statistics.js'

// The process of a LoadClient, started with an IPC channel. All sockets read into one buffer. Only the status and the length
// of a reply are read.

export type LoadMessage =
  | {
      readonly command: 'start'
      readonly port: number
      /** Whole requests, as they are written to a socket. */
      readonly requests: readonly string[]
      readonly connections: number
      readonly maxPauseMs: number
      /** Requests per second of all connections together; 0 sends the next request after each reply. */
      readonly perSecond: number
    }
  | { readonly command: 'report' }

/** Measurements since the last report. */
export interface LoadReport {
  readonly replies: number
  readonly repliesPerSecond: number
  /** Replies by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Milliseconds from a request to the last byte of its reply. */
  readonly latencyMs: {
    readonly p50: number
    readonly p90: number
    readonly p99: number
    readonly p999: number
    readonly max: number
  }
}

/** Number of connections opened at once, before a pause. */
const connectedAtOnce = 200
const connectPauseMs = 20

const buffer = Buffer.alloc(256 * 1024)
let since = performance.now()
let latencies: number[] = []
let statuses: Record<string, number> = {}

function start({
  port,
  requests,
  connections,
  maxPauseMs,
  perSecond,
}: Extract<LoadMessage, { command: 'start' }>) {
  const texts = requests.map(request => Buffer.from(request))
  const intervalMs = perSecond === 0 ? 0 : (1000 * connections) / perSecond
  let next = 0
  for (let i = 0; i < connections; i++) {
    let began = 0
    /** Due time of the next request. Requests that could not be sent in time are skipped. */
    let due = performance.now() + intervalMs * (i / connections)
    /** The head of a reply, as far as it has arrived. */
    let head = ''
    /** Bytes of the body that have not arrived; undefined while the head is read. */
    let missing: number | undefined
    let socket: Socket
    const send = () => {
      began = performance.now()
      socket.write(texts[next++ % texts.length] as Buffer)
    }
    const read = (size: number): boolean => {
      if (missing !== undefined) missing -= size
      else {
        head += buffer.toString('latin1', 0, size)
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return true
        const status = head.slice(9, 12)
        statuses[status] = (statuses[status] ?? 0) + 1
        missing = Number(/content-length: *(\d+)/i.exec(head)?.[1]) - (head.length - end - 4)
        head = ''
      }
      if (missing > 0) return true
      missing = undefined
      latencies.push(performance.now() - began)
      const now = performance.now()
      due = Math.max(due + intervalMs, now)
      const pauseMs = maxPauseMs > 0 ? maxPauseMs * Math.random() : due - now
      if (pauseMs >= 1) setTimeout(send, pauseMs)
      else send()
      return true
    }
    const onread = { buffer, callback: read }
    const open = () => {
      socket = connect({ port, host: '127.0.0.1', noDelay: true, onread }, send)
    }
    // A server resets connections beyond its backlog.
    const wait = Math.floor(i / connectedAtOnce) * connectPauseMs
    if (wait === 0) open()
    else setTimeout(open, wait)
  }
}

function report(): LoadReport {
  const now = performance.now()
  const replies = latencies.length
  const ascending = Float64Array.from(latencies).sort()
  const at = (share: number) => percentile(ascending, share)
  const made: LoadReport = {
    replies,
    repliesPerSecond: (replies / (now - since)) * 1000,
    statuses,
    latencyMs: { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: at(1) },
  }
  since = now
  latencies = []
  statuses = {}
  return made
}

process.on('message', (message: LoadMessage) => {
  if (message.command === 'start') start(message)
  process.send?.(message.command === 'report' ? report() : {})
})
