import { ForkedProcess } from './forked-process.js'
import type { LoadMessage, LoadReport } from './load-process.js'
import type { ServiceProcess } from './service-process.js'

/** One request to a service. */
export interface LoadRequest {
  readonly method: string
  readonly path: string
  readonly body?: string
  /** The key of this request, where it is not that of the service. */
  readonly key?: string
}

interface Options {
  readonly connections?: number
  /** Each connection waits a random time of at most so many milliseconds before its next request. */
  readonly maxPauseMs?: number
  /** Requests per second of all connections together, as far as replies come in time. */
  readonly perSecond?: number
}

/**
 * The HTTP client of all benches, in a process of its own. It is not autocannon: that takes 13 µs of processor time for
 * a request where this one takes 5 and a bare uWebSockets.js server 4. On two cores autocannon would be what limits the
 * rate, and every server would look as fast as the bare one.
 */
export class LoadClient {
  readonly #process = ForkedProcess.start<LoadMessage>('load-process')

  /** Sends the requests in turn, over and over. */
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

  /** What was measured since the last report. */
  report(): Promise<LoadReport> {
    return this.#process.request({ command: 'report' })
  }

  /** Ends the client; answers its last report. */
  async stop(): Promise<LoadReport> {
    const report = await this.report()
    await this.#process.close()
    return report
  }
}
