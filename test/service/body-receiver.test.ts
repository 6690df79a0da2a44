import { afterEach, expect, it } from 'vitest'
import type { NeedsBody, Reply } from '../../src/api/reply.js'
import { type Server, serve } from '../../src/server/uws.js'

let server: Server
afterEach(() => server.close(1))

/** A server whose bodies are all read by `read`. */
async function start(read: NeedsBody['read']): Promise<string> {
  server = await serve({
    host: '127.0.0.1',
    port: 0,
    handle: () => ({ maxBytes: body.length, read }),
    streaming: { publishTo() {}, refuse: unused, open: unused, ended: unused },
    maxBackpressure: 1024,
    trustedProxies: 0,
    idleSeconds: 60,
    log: { info() {}, warn() {}, error() {} },
  })
  return `http://127.0.0.1:${server.port}`
}
const unused = () => {
  throw new Error('there are no streaming connections')
}

/** Large enough for a pooled buffer. */
const body = 'x'.repeat(20_000)
const bug = () => {
  throw new Error('a bug')
}
const ways: readonly (readonly [string, number, () => Reply | Promise<Reply>])[] = [
  ['replies', 200, () => ({ status: 200, body: '' })],
  ['replies later', 200, async () => ({ status: 200, body: '' })],
  ['throws', 500, bug],
  ['rejects', 500, async () => bug()],
]

it.each(ways)('the buffer of a body is reused after its reader %s', async (_, status, answer) => {
  const buffers: ArrayBufferLike[] = []
  const url = await start(({ buffer }) => {
    buffers.push(buffer)
    return answer()
  })
  for (let i = 0; i < 2; i++) {
    const response = await fetch(url, { method: 'POST', body })
    expect(response.status).toBe(status)
    await response.text()
  }
  expect(buffers[0]).toBeInstanceOf(SharedArrayBuffer)
  expect(buffers[1]).toBe(buffers[0])
})
