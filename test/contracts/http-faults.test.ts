import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Server } from '../../src/http/drivers/server.js'
import type { HttpRequest, Reply } from '../../src/http/reply.js'
import type { Session } from '../../src/live/session.js'
import { drivers } from '../support/drivers.js'
import { RawClient } from '../support/raw-client.js'

// Behaviour for requests with errors, and for requests that the network splits or joins. A difference between the drivers is a
// fault of the HTTP parser of uWebSockets.js that cannot be fixed above the parser.

/** More than the buffers of the system take. */
const longBody = 'x'.repeat(12 * 2 ** 20)

describe.each(drivers)('the driver $name', ({ name, serve }) => {
  const isNode = name === 'node'
  let server: Server
  let client: RawClient
  let paths: string[]
  let messages: string[]
  let resolveLater: (reply: Reply) => void

  beforeEach(async () => {
    paths = []
    messages = []
    const later = new Promise<Reply>(resolve => {
      resolveLater = resolve
    })
    const handle = (request: HttpRequest): Reply | Promise<Reply> => {
      const { method, path } = request
      paths.push(path)
      if (path === '/later') return later
      if (path === '/long') return { status: 200, body: longBody }
      const body = `answer to ${path};`
      return method === 'post'
        ? request
            .body(1000)
            .then(bytes => ({ status: 200, body: `${body} ${Buffer.from(bytes as Uint8Array)};` }))
        : { status: 200, body }
    }
    server = await serve({
      host: '127.0.0.1',
      port: 0,
      handle,
      streaming: {
        publishTo() {},
        refuse: () => undefined,
        open: () => ({ received: (text: string) => messages.push(text) }) as unknown as Session,
        ended() {},
      },
      trustedProxies: 0,
      maxConnections: 100,
      maxUnsentBytes: 2 ** 28,
      maxBodies: { total: 2 ** 28, ofKey: 2 ** 28 },
      maxBackpressure: 2 ** 20,
      idleSeconds: 60,
      log: { info() {}, warn() {}, error() {} },
    })
    client = await RawClient.open(server.port)
  })
  afterEach(async () => {
    await client.close()
    await server.close(0)
  })

  /** Resolves when the server has read all bytes written so far. */
  const settle = async () => {
    const other = await RawClient.open(server.port)
    await other.write('GET /settled HTTP/1.1\r\nHost: x\r\n\r\n')
    await other.until(text => text.includes('answer to /settled;'))
    await other.close()
    paths = paths.filter(path => path !== '/settled')
  }
  const hidden = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n'
  const post = (fields: string, body: string) => `POST /post HTTP/1.1\r\nHost: x\r\n${fields}\r\n${body}`
  const upgrade = (fields: string) =>
    `GET /streaming HTTP/1.1\r\nHost: x\r\n${fields}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`
  const get = (fields: string, body: string) => `GET /get HTTP/1.1\r\nHost: x\r\n${fields}\r\n${body}`

  it.each([
    ['two lengths', post('Content-Length: 1\r\nContent-Length: 36\r\n', `a${hidden}`)],
    ['two equal lengths', post('Content-Length: 1\r\nContent-Length: 1\r\n', `a${hidden}`)],
    ['a length without a value', post('Content-Length:\r\n', hidden)],
    ['a length of white space', post('Content-Length: \r\n', hidden)],
    ['an empty length before another one', post('Content-Length:\r\nContent-Length: 36\r\n', hidden)],
    ['an empty transfer encoding', post('Transfer-Encoding:\r\n', hidden)],
    [
      'an empty length and no body to expect',
      `DELETE /post HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n${hidden}`,
    ],
    ['two hosts', post('Host: y\r\nContent-Length: 1\r\n', `a${hidden}`)],
    ['a length that is no number', post('Content-Length: 1a\r\n', `a${hidden}`)],
    ['an unknown transfer encoding', post('Transfer-Encoding: xchunked\r\n', `1\r\na\r\n0\r\n\r\n${hidden}`)],
    ['two transfer encodings', post('Transfer-Encoding: gzip, chunked\r\n', `1\r\na\r\n0\r\n\r\n${hidden}`)],
    [
      'a length and chunks',
      post('Content-Length: 1\r\nTransfer-Encoding: chunked\r\n', `1\r\na\r\n0\r\n\r\n${hidden}`),
    ],
  ])('refuses a request with %s, and reads nothing behind it', async (_, bytes) => {
    await client.write(bytes)
    const text = await client.closed
    expect(text).toMatch(/^(HTTP\/1\.1 400 Bad Request\r\n|$)/)
    expect(text).not.toContain('answer')
    expect(paths).toEqual([])
    if (isNode) expect(text).toMatch(/\r\n\r\n\{"error":"Malformed HTTP request"\}$/)
  })

  it.each([
    ['two lengths', get('Content-Length: 1\r\nContent-Length: 38\r\n', `a${hidden}`), ['/get', '/hidden']],
    ['an empty length', get('Content-Length:\r\n', hidden), ['/get', '/hidden']],
    ['two hosts', get('Host: y\r\n', ''), ['/get']],
  ])('refuses a GET with %s where it can see it, as its documentation says', async (_, bytes, unrefused) => {
    await client.write(bytes)
    await settle()
    expect(paths).toEqual(isNode ? [] : unrefused)
    if (isNode) expect(await client.closed).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('answers a GET with a body, and what is behind it', async () => {
    await client.write(get('Content-Length: 1\r\n', `a${hidden}`))
    const text = await client.until(all => all.includes('answer to /hidden;'))
    expect(text).toContain('answer to /get;')
    expect(paths).toEqual(['/get', '/hidden'])
  })

  it.each([
    ['longer than they say', '1\r\naXX0\r\n\r\n'],
    ['without a line end', '1\r\na0\r\n\r\n'],
  ])('reads nothing behind chunks that are %s', async (_, chunks) => {
    await client.write(post('Transfer-Encoding: chunked\r\n', chunks + hidden))
    await settle()
    await client.write(hidden)
    await settle()
    expect(paths).not.toContain('/hidden')
    expect(client.text).not.toContain('/hidden')
  })

  it('closes after chunks without errors only where it could not see them', async () => {
    await client.write(post('Transfer-Encoding: chunked\r\n', '1\r\na\r\n0\r\n\r\n'))
    await client.until(text => text.endsWith('answer to /post; a;'))
    if (isNode) {
      await client.write('GET /next HTTP/1.1\r\nHost: x\r\n\r\n')
      await client.until(text => text.endsWith('answer to /next;'))
    } else expect(await client.closed).toContain('answer to /post; a;')
  })

  it('answers a request behind chunks in one packet only where it could see their end', async () => {
    await client.write(post('Transfer-Encoding: chunked\r\n', `1\r\na\r\n0\r\n\r\n${hidden}`))
    const text = await client.until(all => all.includes('answer to /hidden;'))
    if (isNode) expect(text).toContain('answer to /post; a;')
    // The answer to the request before the chunks is lost as well.
    else expect(text).toBe('')
  })

  it('refuses a WebSocket for two hosts', async () => {
    await client.write(upgrade('Host: y\r\n'))
    expect(await client.until(all => all.includes('}'))).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('closes a WebSocket whose frames are not masked only where it can see it', async () => {
    await client.write(upgrade(''))
    await client.until(all => all.includes('\r\n\r\n'))
    await client.write('\x81\x05hello')
    // A close frame with the code 1002.
    if (isNode) expect((await client.closed).slice(-4)).toBe('\x88\x02\x03\xea')
    else await settle()
    expect(messages).toEqual([])
    expect(client.isClosed).toBe(isNode)
  })

  it.each([
    ['after the method', ['GET ', '/a HTTP/1.1\r\nHost: x\r\n\r\n'], true],
    ['within the path', ['GET /', 'a HTTP/1.1\r\nHost: x\r\n\r\n'], false],
    ['within the version', ['GET /a HTTP/1', '.1\r\nHost: x\r\n\r\n'], true],
    ['within a field', ['GET /a HTTP/1.1\r\nHo', 'st: x\r\n\r\n'], false],
  ])('reads a request that is split %s', async (_, [first, second], isFault) => {
    client.socket.setNoDelay()
    await client.write(first as string)
    await settle()
    if (!client.isClosed) await client.write(second as string)
    const text = await client.until(all => all.includes('answer to /a;'))
    if (isNode || !isFault) expect(text).toMatch(/^HTTP\/1\.1 200 OK/)
    else expect(text).toMatch(/^HTTP\/1\.1 505 /)
  })

  it('sends an answer that takes its time before that to a request behind it', async () => {
    await client.write('GET /later HTTP/1.1\r\nHost: x\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n')
    await settle()
    resolveLater({ status: 200, body: 'answer to /later;' })
    const text = await client.until(all => all.includes('answer to /next;'))
    const answers = [...text.matchAll(/answer to [^;]+/g)].map(String)
    // uWebSockets.js closes the connection instead.
    expect(answers).toEqual(isNode ? ['answer to /later', 'answer to /next'] : [])
  })

  it('sends the rest of an answer to a client that has closed its side', async () => {
    client.pause()
    await client.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n')
    await settle()
    client.socket.end()
    await settle()
    client.socket.resume()
    // uWebSockets.js takes the end of one side for the end of both.
    expect((await client.closed).endsWith(longBody)).toBe(isNode)
  })

  it('takes a client that has closed its side, and waits for an answer, for one that is gone', async () => {
    await client.write('GET /later HTTP/1.1\r\nHost: x\r\n\r\n')
    client.socket.end()
    expect(await client.closed).toBe('')
    resolveLater({ status: 200, body: 'answer to /later;' })
  })

  it.each([
    ['no request', 'x y z\r\n\r\n', 400],
    ['a request without a path', 'GET\r\n\r\n', 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['more than 16 KiB of fields', `GET /a HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
  ])('does not answer %s as a request', async (_, bytes, status) => {
    await client.write(bytes)
    if (isNode) {
      const text = await client.closed
      expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*\\r\\n\\r\\n\\{"error":"[^"]+"\\}$`))
    }
    await settle()
    expect(paths).toEqual([])
  })

  it('answers what came before an error first', async () => {
    await client.write('GET /later HTTP/1.1\r\nHost: x\r\n\r\nx y z\r\n\r\n')
    await settle()
    resolveLater({ status: 200, body: 'answer to /later;' })
    if (isNode) expect(await client.closed).toMatch(/answer to \/later;HTTP\/1\.1 400 /)
    else expect(await client.closed).not.toContain('/later')
  })

  it.runIf(isNode)('answers HTTP/1.0', async () => {
    await client.write('GET /a HTTP/1.0\r\n\r\n')
    expect(await client.closed).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*answer to \/a;$/)
  })
})
