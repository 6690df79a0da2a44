import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Service } from './service.js'

/** One request to a service. */
export interface Ask {
  readonly method: string
  readonly path: string
  readonly body?: string
}

/** What a client process is told to do. */
interface Orders {
  readonly port: number
  readonly requests: readonly string[]
  readonly connections: number
  /** The most milliseconds to wait before the next request; none without. */
  readonly restMs: number
}

/** What a client process has seen. */
interface Seen {
  readonly answered: number
  readonly statuses: Readonly<Record<string, number>>
  /** Milliseconds from the request to the last byte of its answer, ascending. */
  readonly took: readonly number[]
}

/**
 * A client in a process of its own, so that neither what it costs nor how long it is busy falls on what is measured.
 * It reads sockets into one buffer and looks at nothing of an answer but its status and its length.
 */
export class Client {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /** Sends the requests in turn, over and over, on so many connections. */
  static async start(
    { port, key }: Service,
    asks: readonly Ask[],
    { connections = 1, restMs = 0 } = {},
  ): Promise<Client> {
    const requests = asks.map(
      ({ method, path, body }) =>
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${
          body === undefined
            ? ''
            : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
        }\r\n${body ?? ''}`,
    )
    const child = fork(fileURLToPath(import.meta.url))
    const orders: Orders = { port, requests, connections, restMs }
    child.send(orders)
    await once(child, 'message')
    return new Client(child)
  }

  /** What was seen since the last time. */
  async seen(): Promise<Seen> {
    this.#child.send('seen')
    const [seen] = (await once(this.#child, 'message')) as [Seen]
    return seen
  }

  async stop(): Promise<Seen> {
    const seen = await this.seen()
    const ended = once(this.#child, 'exit')
    this.#child.kill()
    await ended
    return seen
  }
}

function obey({ port, requests, connections, restMs }: Orders): void {
  const texts = requests.map(request => Buffer.from(request))
  const buffer = Buffer.alloc(256 * 1024)
  let next = 0
  let took: number[] = []
  let statuses: Record<string, number> = {}
  for (let i = 0; i < connections; i++) {
    let began = 0
    let head = ''
    /** Bytes of the body that are still to come; undefined while the head is read. */
    let rest: number | undefined
    const send = () => {
      began = performance.now()
      socket.write(texts[next++ % texts.length] as Buffer)
    }
    const read = (size: number): boolean => {
      if (rest !== undefined) rest -= size
      else {
        head += buffer.toString('latin1', 0, size)
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return true
        const status = head.slice(9, 12)
        statuses[status] = (statuses[status] ?? 0) + 1
        rest = Number(/content-length: *(\d+)/i.exec(head)?.[1]) - (head.length - end - 4)
        head = ''
      }
      if (rest > 0) return true
      rest = undefined
      took.push(performance.now() - began)
      if (restMs > 0) setTimeout(send, restMs * Math.random())
      else send()
      return true
    }
    const socket = connect(
      { port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback: read } },
      send,
    )
  }
  process.on('message', () => {
    const seen: Seen = { answered: took.length, statuses, took: took.sort((a, b) => a - b) }
    took = []
    statuses = {}
    process.send?.(seen)
  })
  process.send?.('ready')
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url))
  process.once('message', orders => obey(orders as Orders))
