import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { Agent, get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import WebSocket from 'ws'
import type { Connection } from '../../src/contract/connection.js'
import {
  type Certificate,
  certificateOf,
  readCertificate,
  watchCertificate,
} from '../../src/http/drivers/certificate.js'
import type { Server } from '../../src/http/drivers/server.js'
import type { Reply } from '../../src/http/reply.js'
import type { Publish } from '../../src/live/topic.js'
import { drivers } from '../support/drivers.js'

const file = (name: string) => fileURLToPath(new URL(`../support/certificates/${name}`, import.meta.url))
const ca = readFileSync(file('cert.pem'))
const renewedCa = readFileSync(file('renewed-cert.pem'))
/** Timeout for data from a connection or a file. No test here measures the delay. */
const inTime = { timeout: 10_000 }

const unused = () => {
  throw new Error('not expected here')
}

describe.each(drivers)('the driver $name with a certificate', ({ serve }) => {
  let server: Server | undefined
  afterEach(() => server?.close(0))

  let publish: Publish = unused
  const start = (handle: () => Reply, open: (connection: Connection) => never = unused) =>
    serve({
      host: '127.0.0.1',
      port: 0,
      certificate: readCertificate(file('cert.pem'), file('key.pem')),
      handle,
      streaming: {
        publishTo(to) {
          publish = to
        },
        refuse: () => undefined,
        open,
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

  it('has new connections get a renewed certificate, and keeps those that are open', async () => {
    server = await start(
      () => ({ status: 200, body: 'x' }),
      connection => {
        connection.subscribe('topic')
        return { receive() {}, skipped() {}, drained() {} } as never
      },
    )
    const { port } = server
    /** A kept connection. `ask` sends a request and resolves with whether the connection was reused. */
    const connect = (authority: Buffer) => {
      const agent = new Agent({ keepAlive: true, ca: authority, maxSockets: 1 })
      const ask = () =>
        new Promise<boolean>((resolve, reject) => {
          const request = get({ host: '127.0.0.1', port, agent }, response => {
            response.resume().on('end', () => resolve(request.reusedSocket))
          }).on('error', reject)
        })
      return { ask, close: () => agent.destroy() }
    }
    const stream = async (authority: Buffer) => {
      const socket = new WebSocket(`wss://127.0.0.1:${port}/streaming`, { ca: authority })
      const messages: string[] = []
      socket.on('message', data => messages.push(String(data)))
      await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
      return { socket, messages }
    }
    const before = connect(ca)
    expect(await before.ask()).toBe(false)
    const streamBefore = await stream(ca)
    await server.renew(readCertificate(file('renewed-cert.pem'), file('renewed-key.pem')))
    const after = connect(renewedCa)
    expect(await after.ask()).toBe(false)
    await expect(connect(ca).ask(), 'nobody gets the old certificate').rejects.toThrow('self-signed')
    const streamAfter = await stream(renewedCa)
    expect(await before.ask(), 'over the same connection').toBe(true)
    publish('topic', 'news')
    await vi.waitFor(
      () => expect([streamBefore.messages, streamAfter.messages]).toEqual([['news'], ['news']]),
      inTime,
    )
    await server.renew(readCertificate(file('cert.pem'), file('key.pem')))
    expect(await connect(ca).ask()).toBe(false)
    expect(await before.ask()).toBe(true)
    publish('topic', 'more')
    await vi.waitFor(() => expect(streamBefore.messages).toEqual(['news', 'more']), inTime)
    streamBefore.socket.terminate()
    streamAfter.socket.terminate()
    before.close()
    after.close()
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

describe('the files of a certificate', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'candela-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  it('are read again when both are new, also where they are links', async () => {
    const set = { tlsCert: join(directory, 'cert.pem'), tlsKey: join(directory, 'key.pem') }
    copyFileSync(file('cert.pem'), set.tlsCert)
    symlinkSync(file('key.pem'), set.tlsKey)
    const renewed: Certificate[] = []
    const logged: string[] = []
    const note = (_: object, message: string) => logged.push(message)
    const unwatch = watchCertificate(
      set,
      { info: note, warn: note, error: note },
      async certificate => void renewed.push(certificate),
      10,
    )
    /** Replaces a file as programs do that renew certificates. */
    const replace = (path: string, by: string) => {
      symlinkSync(file(by), `${path}.new`)
      renameSync(`${path}.new`, path)
    }
    try {
      replace(set.tlsCert, 'renewed-cert.pem')
      await vi.waitFor(
        () => expect(logged).toEqual([expect.stringContaining('could not be renewed')]),
        inTime,
      )
      expect(renewed, 'the key is not the one of the certificate').toEqual([])
      replace(set.tlsKey, 'renewed-key.pem')
      await vi.waitFor(() => expect(logged.slice(1)).toEqual(['the certificate was renewed']), inTime)
      expect(renewed.map(({ cert }) => cert)).toEqual([renewedCa])
    } finally {
      unwatch()
    }
  })
})
