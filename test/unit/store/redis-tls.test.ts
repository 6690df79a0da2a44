import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueKey } from '../../../src/contract/accounts.js'
import { StoreFailure } from '../../../src/contract/storage/stores.js'
import {
  describeAddress,
  parseStoreAddress,
  type RedisAddress,
  type StoreAddress,
} from '../../../src/store/address.js'
import { openStore } from '../../../src/store/open.js'
import { createRedisClient } from '../../../src/store/redis/redis-client.js'
import { needs } from '../../support/needs.js'
import { hasTls, startTlsRedis, startTlsSentinel } from '../../support/redis-server.js'

const fileOf = (name: string) => fileURLToPath(new URL(`../../support/certificates/${name}`, import.meta.url))
const [cert, key, otherKey, otherCert] = ['cert.pem', 'key.pem', 'other-key.pem', 'renewed-cert.pem'].map(
  fileOf,
) as [string, string, string, string]
const secret = 'of-the-server'
const watcher = { name: 'watcher', password: 'of+the&sentinel' }

const addressOf = (text: string) => parseStoreAddress(text) as StoreAddress
/** Creates a key in the store at an address; answers how many keys there are. */
async function useStore(text: string): Promise<number> {
  const store = openStore({ store: addressOf(text), dataDirectory: '' })
  try {
    await store.ready()
    await issueKey(store.accounts, { name: 'me', plan: 'pro' }, 1)
    return (await store.accounts.list()).accounts.length
  } finally {
    await store.close()
  }
}
const query = (options: Record<string, string>) => new URLSearchParams({ timeout: '10000', ...options })

it('an address is shown without the secrets and files in its options', () => {
  const text = `rediss+sentinel://:${secret}@a/main?${query({ sentinelPassword: watcher.password, ca: cert })}`
  expect(describeAddress(addressOf(text) as RedisAddress)).toBe('rediss+sentinel://a:26379/main')
})

describe('files for TLS', () => {
  const directory = mkdtempSync(join(tmpdir(), 'candela-tls-'))
  const empty = join(directory, 'empty.pem')
  writeFileSync(empty, 'nothing')
  afterAll(() => rmSync(directory, { recursive: true }))

  it.each([
    ['ca that is missing', { ca: '/no/such.pem' }, /^STORE: ca: "\/no\/such.pem" cannot be read: ENOENT/],
    [
      'ca without a certificate',
      { ca: empty },
      /^STORE: ca: "\S+empty.pem" has no certificate in PEM format/,
    ],
    ['key that is missing', { cert, key: '/no.pem' }, /^STORE: key: "\/no.pem" cannot be read: ENOENT/],
    [
      'key that is none',
      { cert, key: empty },
      /^STORE: key: "\S+empty.pem" has no private key without a password/,
    ],
    [
      'key of another certificate',
      { cert, key: otherKey },
      /^STORE: key: "\S+" is not the key of the certificate/,
    ],
  ])('are refused in one line: a %s', async (_, options, message) => {
    const text = `rediss://127.0.0.1:1?${query(options as Record<string, string>)}`
    await expect(useStore(text)).rejects.toThrow(message)
    await expect(useStore(text)).rejects.toThrow(StoreFailure)
    await expect(useStore(text)).rejects.not.toThrow(/\n/)
  })
})

it('a connection to a server that is not trusted may fail more than once', async () => {
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const failures: { readonly message: string; readonly stream: Redis['stream'] }[] = []
  const client = createRedisClient(addressOf(`rediss://127.0.0.1:${port}`) as RedisAddress, {
    onError: ({ message }) => failures.push({ message, stream: client.stream }),
  }) as Redis
  try {
    await expect(client.connect()).rejects.toThrow()
    await expect.poll(() => failures.length).toBeGreaterThan(0)
    expect(failures[0]?.message).toContain('self-signed certificate')
    // As the alert does with which the server answers.
    failures[0]?.stream.emit('error', new Error('alert'))
  } finally {
    client.disconnect()
    server.close()
  }
})

describe.skipIf(!hasTls)('a shared store behind TLS', needs('redis-server'), () => {
  let server: Awaited<ReturnType<typeof startTlsRedis>>
  let sentinel: Awaited<ReturnType<typeof startTlsSentinel>>

  beforeAll(async () => {
    server = await startTlsRedis(secret)
    sentinel = await startTlsSentinel({ tlsPort: server.tlsPort, password: secret }, watcher)
  })
  afterAll(async () => {
    await sentinel.close()
    await server.close()
  })

  const direct = (options: Record<string, string>, host = '127.0.0.1') =>
    `rediss://:${secret}@${host}:${server.tlsPort}?${query({ ...options, prefix: 'tls:' })}`

  it('is reached with a private authority and a certificate of the client', async () => {
    const before = await useStore(direct({ ca: cert, cert, key }))
    expect(await useStore(direct({ ca: cert, cert, key, servername: 'localhost' }))).toBe(before + 1)
  })

  // Each waits for as long as a store may take to answer, so they wait together.
  describe.concurrent('is not', () => {
    it.each([
      ['an authority that it does not know', { cert, key }, /self-signed certificate/],
      [
        'another authority',
        { ca: otherCert, cert, key },
        /self-signed certificate|unable to verify|signature/,
      ],
      ['the name of another server', { ca: cert, cert, key, servername: 'other' }, /Host: other\./],
    ])(
      'trusted under %s',
      async (_, options, reason) => {
        await expect(useStore(direct(options as Record<string, string>))).rejects.toThrow(reason)
      },
      30_000,
    )

    it('reached without the certificate that it asks for', async () => {
      await expect(useStore(direct({ ca: cert }))).rejects.toThrow(/^Cannot use the shared store at rediss:/)
    }, 30_000)
  })

  it('is found by a sentinel with a user, a password and TLS of its own', async () => {
    const { name: sentinelUser, password: sentinelPassword } = watcher
    const behind = (options: Record<string, string>) =>
      `rediss+sentinel://:${secret}@127.0.0.1:${sentinel.tlsPort}/main?${query({ ...options, ca: cert, cert, key })}`
    expect(await useStore(behind({ sentinelUser, sentinelPassword }))).toBe(1)
    await expect(useStore(behind({ sentinelUser, sentinelPassword: 'wrong' }))).rejects.toThrow(
      /^Cannot use the shared store at rediss\+sentinel:\/\/127.0.0.1:\d+\/main: /,
    )
  }, 30_000)
})
