import { afterAll, describe, expect, it } from 'vitest'
import { parseRedisAddress, type RedisAddress } from '../../../src/store/address.js'
import { createRedisClient } from '../../../src/store/redis/redis-client.js'
import { needs } from '../../support/needs.js'
import { isRedisAvailable, startRedis } from '../../support/redis-server.js'

describe('the address of a shared store', () => {
  it.each([
    ['redis://localhost', { kind: 'server', endpoints: [{ host: 'localhost', port: 6379 }], database: 0 }],
    ['redis://h:1/3', { endpoints: [{ host: 'h', port: 1 }], database: 3, prefix: 'candela:' }],
    ['rediss://user:p%40ss@h:2', { isTls: true, username: 'user', password: 'p@ss' }],
    [
      'redis://:secret@[::1]:7?prefix=a:',
      { password: 'secret', endpoints: [{ host: '::1', port: 7 }], prefix: 'a:' },
    ],
    [
      'redis+sentinel://a,b:5/main',
      {
        kind: 'sentinel',
        masterName: 'main',
        endpoints: [
          { host: 'a', port: 26_379 },
          { host: 'b', port: 5 },
        ],
      },
    ],
    ['redis://h?timeout=1000&prefix=b:', { timeoutMs: 1000, prefix: 'b:' }],
    ['rediss+cluster://a:1,b:2', { kind: 'cluster', isTls: true }],
    [
      'rediss://h?ca=/etc/ca.pem&cert=./c.pem&key=k%20k.pem&servername=store.example',
      { tls: { ca: '/etc/ca.pem', cert: './c.pem', key: 'k k.pem', servername: 'store.example' } },
    ],
    [
      'redis+sentinel://:server@a/main?sentinelUser=me&sentinelPassword=p%26w%2B',
      { password: 'server', sentinelUser: 'me', sentinelPassword: 'p&w+' },
    ],
    [
      'unix:///run/redis%20a/redis.sock',
      { kind: 'server', socket: '/run/redis a/redis.sock', isTls: false, database: 0, prefix: 'candela:' },
    ],
    [
      'unix://me:p%40ss@/redis.sock?db=3&prefix=a:&timeout=1000',
      { socket: '/redis.sock', username: 'me', password: 'p@ss', database: 3, prefix: 'a:', timeoutMs: 1000 },
    ],
  ] as [string, Partial<RedisAddress>][])('%s', (text, expected) => {
    expect(parseRedisAddress(text)).toMatchObject(expected)
  })

  it.each([
    'redis://',
    'http://localhost',
    'redis://a,b',
    'redis://a:99999',
    'redis+sentinel://a',
    'redis+cluster://a/1',
    'redis://a/x',
    'redis://:%E0%A4%A@a',
    'redis://a?prefix=',
    'redis://a?timeout=5',
    'redis://a?timeout=1e3',
    'redis://a?tiemout=1000',
    'redis://a?ca=/ca.pem',
    'rediss://a?ca=',
    'rediss://a?ca=/a.pem&ca=/b.pem',
    'rediss://a?cert=/cert.pem',
    'rediss://a?key=/key.pem',
    'redis://a?sentinelPassword=secret',
    'redis+sentinel://a/main?sentinelUser=me',
    'redis+sentinel://a/main?sentinelPassword=',
    'unix:/redis.sock',
    'unix://redis.sock',
    'unix:///redis.sock?db=x',
    'unix:///redis.sock?db=1&db=2',
    'unix:///redis.sock?ca=/ca.pem',
    'unix:///%E0%A4%A',
  ])('%s is refused', text => {
    expect(parseRedisAddress(text)).toBeUndefined()
  })
})

describe.skipIf(!isRedisAvailable)('a client of a real server', needs('redis-server'), async () => {
  const server = isRedisAvailable ? await startRedis() : undefined
  const address = parseRedisAddress(server?.url ?? '') as RedisAddress
  afterAll(() => server?.close())

  it('gives its keys the prefix and connects again after the server was restarted', async () => {
    const client = createRedisClient(address)
    const bare = createRedisClient({ ...address, prefix: '' })
    await Promise.all([client.connect(), bare.connect()])
    await client.set('name', 'value')
    expect(await bare.get('candela:name')).toBe('value')
    const down = new Promise(resolve => client.once('close', resolve))
    await server?.kill()
    await down
    await expect(client.get('name')).rejects.toThrow()
    const up = new Promise(resolve => client.once('ready', resolve))
    await server?.restart()
    await up
    expect(await client.get('name')).toBeNull()
    client.disconnect()
    bare.disconnect()
  })
})
