import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import type { Reply } from '../../src/api/reply.js'
import { certificateOf, readCertificate } from '../../src/server/certificate.js'
import type { Server } from '../../src/server/server.js'
import type { Connection } from '../../src/stream/session.js'
import { drivers } from '../support/drivers.js'

const file = (name: string) => fileURLToPath(new URL(`../support/certificates/${name}`, import.meta.url))
const ca = readFileSync(file('cert.pem'))

const unused = () => {
  throw new Error('not expected here')
}

describe.each(drivers)('the driver $name with a certificate', ({ serve }) => {
  let server: Server | undefined
  afterEach(() => server?.close(0))

  const start = (handle: () => Reply, open: (connection: Connection) => never = unused) =>
    serve({
      host: '127.0.0.1',
      port: 0,
      certificate: readCertificate(file('cert.pem'), file('key.pem')),
      handle,
      streaming: { publishTo() {}, refuse: () => undefined, open, ended() {} },
      trustedProxies: 0,
      maxConnections: 100,
      maxUnsentBytes: 2 ** 28,
      maxBackpressure: 2 ** 20,
      idleSeconds: 60,
      log: { info() {}, warn() {}, error() {} },
    })

  it('answers over HTTPS', async () => {
    const body = 'x'.repeat(2_000_000)
    server = await start(() => ({ status: 200, body }))
    const text = await new Promise<string>((resolve, reject) => {
      get({ host: '127.0.0.1', port: server?.port, ca, agent: false }, async response => {
        let all = ''
        for await (const chunk of response) all += chunk
        resolve(all)
      }).on('error', reject)
    })
    expect(text).toBe(body)
  })

  it('streams over WSS', async () => {
    server = await start(unused, connection => {
      setImmediate(() => connection.send('welcome'))
      return { receive() {}, skipped() {}, drained() {} } as never
    })
    const socket = new WebSocket(`wss://127.0.0.1:${server.port}/streaming`, { ca })
    const message = await new Promise((resolve, reject) => {
      socket.on('message', data => resolve(String(data)))
      socket.on('error', reject)
    })
    expect(message).toBe('welcome')
    socket.terminate()
  })

  it('does not answer plain HTTP', async () => {
    server = await start(unused)
    await expect(fetch(`http://127.0.0.1:${server.port}`)).rejects.toThrow()
  })
})

describe('a certificate', () => {
  it.each([
    ['nowhere.pem', 'key.pem', /^TLS_CERT: ".*nowhere\.pem" cannot be read: ENOENT/],
    ['cert.pem', 'nowhere.pem', /^TLS_KEY: ".*nowhere\.pem" cannot be read: ENOENT/],
    ['key.pem', 'key.pem', /^TLS_CERT: ".*key\.pem" has no certificate in PEM format/],
    ['cert.pem', 'cert.pem', /^TLS_KEY: ".*cert\.pem" has no private key without a password in PEM format/],
    ['cert.pem', 'encrypted-key.pem', /^TLS_KEY: ".*" has no private key without a password in PEM format/],
    [
      'cert.pem',
      'other-key.pem',
      /^TLS_KEY: ".*other-key\.pem" is not the key of the certificate ".*cert\.pem"$/,
    ],
  ])('%s with %s is refused in words', (cert, key, message) => {
    expect(() => readCertificate(file(cert), file(key))).toThrow(message)
  })

  it('that is no longer valid is used, with a warning', () => {
    const warnings: string[] = []
    const log = { info() {}, warn: (_: object, message: string) => warnings.push(message), error() {} }
    const set = { tlsCert: file('cert.pem'), tlsKey: file('key.pem') }
    const read = (now: number) => certificateOf(set, log, now)?.certFile
    expect(read(Date.UTC(2100, 0))).toBe(file('cert.pem'))
    expect(warnings).toEqual([])
    expect(read(Date.UTC(2200, 0))).toBe(file('cert.pem'))
    expect(warnings).toEqual([expect.stringContaining('no longer valid')])
  })

  it('is not read where none is set', () => {
    expect(
      certificateOf({ tlsCert: undefined, tlsKey: undefined }, { info() {}, warn: unused, error() {} }),
    ).toBe(undefined)
  })
})
