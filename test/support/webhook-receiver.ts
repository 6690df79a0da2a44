import { createServer, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.js'

/** A message sent to a receiver. */
export interface ReceivedMessage {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The status of its reply; 0 if the connection was cut. */
  readonly status: number
}

/** A server on loopback that keeps received messages. */
export interface WebhookReceiver {
  readonly url: string
  /** Every attempt, in order of arrival. */
  readonly attempts: readonly ReceivedMessage[]
  /** The idempotency keys of the attempts with a reply of 200, in order. */
  readonly delivered: readonly string[]
  /** The status of the next replies; 0 cuts the connection after reading the message. */
  status: number
  /** Resolves after `count` delivered messages. */
  whenDelivered(count: number, seconds?: number): Promise<void>
  close(): Promise<void>
}

/** Starts a receiver on a free port, or on the one of an earlier receiver. */
export async function startReceiver(givenPort?: number): Promise<WebhookReceiver> {
  const port = givenPort ?? (await freePort())
  const attempts: ReceivedMessage[] = []
  const delivered: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const { status } = receiver
      attempts.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), status })
      if (status === 0) return request.socket.destroy()
      if (status === 200) delivered.push(String(request.headers['idempotency-key']))
      response
        .writeHead(status, status >= 300 && status < 400 ? { Location: '/elsewhere' } : {})
        .end('thanks')
    })
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    attempts,
    delivered,
    status: 200,
    async whenDelivered(count, seconds = 10) {
      for (let waited = 0; delivered.length < count; waited += 20) {
        if (waited > seconds * 1000)
          throw new Error(`${delivered.length} of ${count} messages were delivered`)
        await sleep(20)
      }
    },
    close() {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
  return receiver
}
