import { ForkedProcess } from './forked-process.js'
import type { LoadMessage, LoadReport } from './load-process.js'
import type { ServiceProcess } from './service-process.js'

/** One request to a service. */
export interface LoadRequest {
  readonly method: string
  readonly path: string
  readonly body?: string
  /** The key of this request, if it differs from that of the service. */
  readonly key?: string
}

interface Options {
  readonly connections?: number
  /** Longest random pause of a connection before its next request, in milliseconds. */
  readonly maxPauseMs?: number
  /** Requests per second of all connections together, if replies arrive in time. */
  readonly perSecond?: number
}

/**
 * The HTTP client of all benches, in a process of its own. It is not autocannon, which needs 13 µs of processor time per
 * request; this client needs 5 and a bare uWebSockets.js server 4. On two cores autocannon would limit the rate, and every
 * server would look as fast as the bare one.
 */
export class LoadClient {
  readonly #process = ForkedProcess.start<LoadMessage>('load-process')

  /** Starts a client that sends the requests in order, over and over. */
  static async start(
    { port, key }: Pick<ServiceProcess, 'port' | 'key'>,
    requests: readonly LoadRequest[],
    { connections = 1, maxPauseMs = 0, perSecond = 0 }: Options = {},
  ): Promise<LoadClient> {
    const texts = requests.map(({ method, path, body, key: own = key }) => {
      const fields =
        body === undefined
          ? ''
          : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
      return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${own}\r\n${fields}\r\n${body ?? ''}`
    })
    const client = new LoadClient()
    await client.#process.request({
      command: 'start',
      port,
      requests: texts,
      connections,
      maxPauseMs,
      perSecond,
    })
    return client
  }

  /** Measurements since the last report. */
  report(): Promise<LoadReport> {
    return this.#process.request({ command: 'report' })
  }

  /** Stops the client; returns its last report. */
  async stop(): Promise<LoadReport> {
    const report = await this.report()
    await this.#process.close()
    return report
  }
}
