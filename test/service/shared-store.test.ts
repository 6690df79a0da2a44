import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createRandom } from '../../bench/random.js'
import { issueKey, type NewAccount, revokeKey } from '../../src/contract/accounts.js'
import type { Store } from '../../src/contract/storage/stores.js'
import type { RedisAddress } from '../../src/store/address.js'
import { parseStoreAddress, type StoreAddress } from '../../src/store/address.js'
import { openStore } from '../../src/store/open.js'
import { createRedisClient } from '../../src/store/redis/redis-client.js'
import { fetchDocumented } from '../support/documented.js'
import { needs } from '../support/needs.js'
import { isNginxAvailable, startNginx } from '../support/nginx.js'
import { confirmStore, isRedisAvailable, type RedisServer, startRedis } from '../support/redis-server.js'
import { openSlowRoute, type SlowRoute } from '../support/slow-route.js'
import { StreamingClient } from '../support/streaming-client.js'
import { startTestService, type TestService } from '../support/test-service.js'

const path = '/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h'

/** A service that shares its store with others. */
interface Node extends Pick<TestService, 'url' | 'passMs' | 'close'> {
  readonly dataDirectory: string
  /** The messages of its log. */
  readonly logged: string[]
}

async function startNode(store: StoreAddress): Promise<Node> {
  const dataDirectory = join(mkdtempSync(join(tmpdir(), 'candela-node-')), 'data')
  const logged: string[] = []
  const errors: unknown[] = []
  const note = (_: object, message: string) => void logged.push(message)
  const parts: object = {
    access: undefined,
    log: {
      info: note,
      warn: note,
      error: (context: unknown, message: string) =>
        message.startsWith('the shared store') ? logged.push(message) : errors.push(context),
    },
  }
  const { url, passMs, close } = await startTestService({ store, dataDirectory }, {}, parts)
  return {
    url,
    passMs,
    dataDirectory,
    logged,
    async close() {
      await close()
      rmSync(join(dataDirectory, '..'), { recursive: true })
      expect(errors).toEqual([])
    },
  }
}

describe.skipIf(!isRedisAvailable)('three nodes with one store', needs('redis-server'), () => {
  let server: RedisServer
  let place = 0
  let store: Store
  let nodes: readonly Node[]

  beforeAll(async () => {
    server = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always'])
  })
  afterAll(() => server.close())

  /** Starts nodes that reach the store at `url`; the tests themselves reach it directly. */
  async function startNodes(options: string, url = server.url): Promise<void> {
    const address = parseStoreAddress(`${url}?prefix=nodes${place}:${options}`) as StoreAddress
    const direct = parseStoreAddress(`${server.url}?prefix=nodes${place++}:${options}`) as StoreAddress
    store = openStore({ store: direct, dataDirectory: '' })
    await store.ready()
    nodes = await Promise.all([startNode(address), startNode(address), startNode(address)])
  }
  async function closeNodes(): Promise<void> {
    await store.close()
    for (const node of nodes) await node.close()
  }

  const create = async (bounds: Partial<NewAccount> = {}) => {
    const { key, account } = await issueKey(store.accounts, { name: 'me', plan: 'enterprise', ...bounds }, 1)
    return { id: account.id, key, headers: { authorization: `Bearer ${key}` } }
  }
  const nodeAt = (at: number) => nodes[at % nodes.length] as Node
  const ask = (node: Node, headers: Record<string, string>, more: RequestInit = {}) =>
    fetchDocumented(node.url, path, { headers, ...more })
  /** The status of a reply when what a node keeps of its keys is older. */
  const statusLater = async (node: Node, headers: Record<string, string>) => {
    node.passMs(1000)
    return (await ask(node, headers)).status
  }
  const readiness = async (node: Node) => {
    const response = await fetchDocumented(node.url, '/health/ready', {})
    return { status: response.status, body: await response.json() }
  }

  /** Sends requests to all nodes in turn until `stop` is called. `stop` returns the number of replies per status. */
  function load(headers: Record<string, string>) {
    const statuses: Record<number, number> = {}
    let isStopped = false
    const clients = Array.from({ length: 6 }, async (_, client) => {
      for (let at = client; !isStopped; at++) {
        const response = await ask(nodeAt(at), headers, { signal: AbortSignal.timeout(10_000) })
        await response.arrayBuffer()
        statuses[response.status] = (statuses[response.status] ?? 0) + 1
        // Clients that never pause keep the nodes, which are in this process, from hearing their store.
        await sleep(20)
      }
    })
    return {
      statuses,
      stop: async () => {
        isStopped = true
        await Promise.all(clients)
        return statuses
      },
    }
  }

  /** Sends one request to each node, so that it knows the key. */
  const introduce = async (headers: Record<string, string>) => {
    for (const node of nodes) expect((await ask(node, headers)).status).toBe(200)
  }

  describe('which answers in time', () => {
    // However busy this machine is.
    beforeAll(() => startNodes('&timeout=10000'))
    afterAll(closeNodes)

    it('allow exactly the requests of a plan together, and keep nothing of their own', async () => {
      const { headers } = await create({ requests: 30 })
      const responses = await Promise.all(Array.from({ length: 100 }, (_, at) => ask(nodeAt(at), headers)))
      const restOf = (response: Response) =>
        Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])
      const allowed = responses.filter(({ status }) => status === 200)
      expect(allowed).toHaveLength(30)
      for (const response of allowed) expect(restOf(response)).toBeLessThan(30)
      for (const response of responses) if (response.status === 429) expect(restOf(response)).toBe(0)
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(70)
      for (const { dataDirectory } of nodes)
        expect(readdirSync(dataDirectory), 'but which store it was').toEqual([
          expect.stringMatching(/^store-[0-9a-f]{8}$/),
        ])
    })

    it('give a request back that costs nothing, whatever node it was made at', async () => {
      const { headers } = await create({ requests: 1 })
      // A node gives it back a moment after its reply.
      for (let at = 0; at < 6; at++)
        await expect
          .poll(async () => {
            const response = await fetchDocumented(nodeAt(at).url, '/indicator/rsi?period=0', { headers })
            return [response.status, response.headers.get('ratelimit')]
          })
          .toEqual([400, expect.stringMatching(/r=1;/)])
      await expect.poll(async () => (await ask(nodeAt(0), headers)).status).toBe(200)
      for (let at = 1; at < 4; at++) expect((await ask(nodeAt(at), headers)).status).toBe(429)
    })

    it('read a body while a key is looked up, and refuse it where the key is not valid', async () => {
      const { headers } = await create()
      const body = JSON.stringify({ candles: [{ open: 1, high: 2, low: 1, close: 2, volume: 1 }], x: 1 })
      const post = (authorization: string, text: string, type = 'application/json') =>
        fetchDocumented(nodeAt(0).url, '/indicator/rsi', {
          method: 'POST',
          headers: { authorization, 'content-type': type },
          body: text,
        })
      expect((await post(headers.authorization, body)).status).toBe(400)
      expect((await post(headers.authorization, body, 'text/plain')).status).toBe(415)
      expect((await post(headers.authorization, ' '.repeat(4 * 1024 * 1024 + 1))).status).toBe(413)
      expect((await post(`Bearer cnd_${'x'.repeat(32)}`, body)).status).toBe(401)
    })

    it('end a revoked key, and its sessions, on each node', async () => {
      const { id, headers, key } = await create()
      const clients = await Promise.all(nodes.map(({ url }) => StreamingClient.connect(url, key)))
      for (const node of nodes) expect((await ask(node, headers)).status).toBe(200)
      await revokeKey(store.accounts, id, 2)
      for (const node of nodes)
        await expect.poll(() => statusLater(node, headers), { timeout: 5000 }).toBe(401)
      for (const client of clients) expect(await client.closed).toMatchObject({ code: 4401 })
    })

    it('hold the subscriptions of a plan together, and lose those of a node that ends', async () => {
      const { key } = await create({ subscriptions: 2 })
      const [a, b] = await Promise.all([0, 1].map(at => StreamingClient.connect(nodeAt(at).url, key)))
      const subscribe = async (client: StreamingClient | undefined, indicator: string) => {
        const market = { exchange: 'demo', symbol: 'BTCUSDT', interval: '1h' }
        client?.send({ type: 'subscribe', id: indicator, ...market, indicator, params: {} })
        const { type, error } = (await client?.next()) ?? {}
        return error ?? type
      }
      expect(await subscribe(a, 'rsi')).toBe('update')
      expect(await subscribe(b, 'rsi')).toBe('update')
      const refused = 'Too many subscriptions. Your plan allows 2 subscription(s).'
      expect([await subscribe(a, 'ema'), await subscribe(b, 'ema')]).toEqual([refused, refused])
      a?.socket.close()
      await expect.poll(() => subscribe(b, 'ema')).toBe('update')
      b?.socket.close()
    })

    it.skipIf(!isNginxAvailable)('are reached through the balancer of deploy/', needs('nginx'), async () => {
      const { key, headers } = await create()
      const addressOf = (at: number) => new URL(nodeAt(at).url).host
      const configuration = readFileSync(new URL('../../deploy/nginx-balancer.conf', import.meta.url), 'utf8')
        .replace('node-1:8080', addressOf(0))
        .replace('node-2:8080', addressOf(1))
      const nginx = await startNginx(configuration, '')
      try {
        const responses = await Promise.all(
          Array.from({ length: 12 }, () => fetchDocumented(nginx.httpUrl, path, { headers })),
        )
        expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(200))
        const client = await StreamingClient.connect(nginx.httpUrl, key)
        client.send({ type: 'list' })
        expect(await client.next()).toEqual({ type: 'subscriptions', data: [] })
        client.socket.close()
      } finally {
        nginx.close()
      }
    })
  })

  describe('which loses its data', () => {
    beforeAll(() => startNodes('&timeout=10000'))
    afterAll(closeNodes)

    it('refuse no key, end no stream and start no node until it has them again, or that is confirmed', async () => {
      const address = parseStoreAddress(`${server.url}?prefix=nodes${place - 1}:`) as RedisAddress
      const direct = createRedisClient({ ...address, prefix: '' })
      await direct.connect()
      onTestFinished(() => direct.disconnect())
      const { headers, key } = await create({ requests: 1_000_000 })
      const { headers: unused } = await create()
      await introduce(headers)
      const clients = await Promise.all(nodes.map(({ url }) => StreamingClient.connect(url, key)))
      const running = load(headers)
      onTestFinished(async () => void (await running.stop()))
      const keys = await direct.keys(`${address.prefix}*`)
      const saved = await Promise.all(keys.map(async name => [name, await direct.dumpBuffer(name)] as const))

      await direct.flushall()
      for (const node of nodes) {
        const refused = await ask(node, unused)
        expect([refused.status, await refused.json()]).toEqual([
          503,
          { error: 'The API key cannot be checked at present. Try again.' },
        ])
        expect(refused.headers.get('retry-after')).toBe('1')
        const ready = await readiness(node)
        expect(ready).toMatchObject({ status: 200, body: { status: 'degraded' } })
        expect(ready.body.parts.store).toEqual({
          status: 'degraded',
          reason:
            'the shared store has lost its data: requests are counted by each node, and new keys are not known',
        })
      }
      await expect(startNode(address)).rejects.toThrow(/: it has lost its data; restore its data, or run/)

      for (const [name, value] of saved) await direct.restore(name, 0, value as Buffer, 'REPLACE')
      for (const node of nodes) {
        await expect
          .poll(() => readiness(node), { timeout: 10_000 })
          .toMatchObject({ body: { status: 'ready' } })
        expect((await ask(node, unused)).status).toBe(200)
      }
      expect(Object.keys(await running.stop()), 'no request was refused').toEqual(['200'])
      for (const { logged } of nodes)
        expect(logged.filter(message => message.startsWith('the shared store'))).toEqual([
          'the shared store cannot be used: it has lost its data; restore its data, or run "candela store confirm" where it is meant to be as it is',
          'the shared store answers again',
        ])
      for (const client of clients) {
        client.send({ type: 'list' })
        expect(await client.next()).toEqual({ type: 'subscriptions', data: [] })
      }

      await direct.flushall()
      expect((await ask(nodeAt(0), { authorization: `Bearer cnd_${'u'.repeat(32)}` })).status).toBe(503)
      await confirmStore(address)
      for (const node of nodes)
        await expect.poll(() => statusLater(node, headers), { timeout: 10_000 }).toBe(401)
      for (const client of clients) expect(await client.closed).toMatchObject({ code: 4401 })
    })
  })

  describe('which is slow', () => {
    let route: SlowRoute
    beforeAll(async () => {
      route = await openSlowRoute(server.port)
      await startNodes('&timeout=10000', `redis://127.0.0.1:${route.port}`)
    })
    afterAll(async () => {
      await closeNodes()
      await route.close()
    })

    it('allow exactly the requests of a plan, in time', async () => {
      const { headers } = await create({ requests: 40 })
      const random = createRandom(1)
      route.delay(() => 200 * random())
      const responses = await Promise.all(Array.from({ length: 120 }, (_, at) => ask(nodeAt(at), headers)))
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(40)
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(80)
      route.delay(() => 0)
    })
  })

  describe('which fails', () => {
    let route: SlowRoute
    // A node whose store was away a moment ago wants up to 64 answers, in pauses of 200 ms: each test has nodes of its own.
    beforeEach(async () => {
      route = await openSlowRoute(server.port)
      await startNodes('&timeout=1000', `redis://127.0.0.1:${route.port}`)
    })
    afterEach(async () => {
      await closeNodes()
      await route.close()
    })

    it('go on while the store is away, say so, and come back by themselves', async () => {
      const { headers } = await create({ requests: 1_000_000 })
      await introduce(headers)
      const running = load(headers)
      onTestFinished(async () => void (await running.stop()))
      await expect.poll(() => running.statuses[200] ?? 0, { timeout: 5000 }).toBeGreaterThan(6)
      await server.kill()
      for (const node of nodes) {
        await expect
          .poll(() => readiness(node), { timeout: 5000 })
          .toMatchObject({
            status: 200,
            body: {
              status: 'degraded',
              parts: { accounts: { status: 'ok' }, store: { status: 'degraded' } },
            },
          })
        const unknown = await ask(node, { authorization: `Bearer cnd_${'u'.repeat(32)}` })
        expect([unknown.status, await unknown.json()]).toEqual([
          503,
          { error: 'The API key cannot be checked at present. Try again.' },
        ])
      }
      const before = running.statuses[200] ?? 0
      await expect.poll(() => running.statuses[200] ?? 0, { timeout: 5000 }).toBeGreaterThan(before + 6)
      await server.restart()
      for (const node of nodes)
        await expect
          .poll(() => readiness(node), { timeout: 10_000 })
          .toMatchObject({ body: { status: 'ready' } })
      const later = await create()
      for (const node of nodes) expect((await ask(node, later.headers)).status).toBe(200)
      expect(Object.keys(await running.stop()), 'no request was refused').toEqual(['200'])
      // On a busy machine the store may be away again for a moment.
      for (const { logged } of nodes)
        expect([...new Set(logged.filter(message => message.startsWith('the shared store')))]).toEqual([
          expect.stringMatching(/^the shared store does not answer: /),
          'the shared store answers again',
        ])
    })

    it('answer every request in its time while the store is slower than it may be', {
      tags: ['faults'],
    }, async () => {
      const { headers } = await create({ requests: 1_000_000 })
      await introduce(headers)
      const running = load(headers)
      onTestFinished(async () => void (await running.stop()))
      const random = createRandom(1)
      // Longer than a command may take: the store goes away and comes back.
      route.delay(() => 2500 * random())
      for (const node of nodes)
        await expect
          .poll(() => readiness(node), { timeout: 15_000 })
          .toMatchObject({ body: { status: 'degraded' } })
      const before = running.statuses[200] ?? 0
      await expect.poll(() => running.statuses[200] ?? 0, { timeout: 5000 }).toBeGreaterThan(before + 30)
      route.delay(() => 0)
      for (const node of nodes)
        await expect
          .poll(() => readiness(node), { timeout: 20_000 })
          .toMatchObject({ body: { status: 'ready' } })
      expect(Object.keys(await running.stop())).toEqual(['200'])
    })

    it('answer every request while the store hangs', async () => {
      const { headers } = await create({ requests: 1_000_000 })
      await introduce(headers)
      const running = load(headers)
      onTestFinished(async () => void (await running.stop()))
      await expect.poll(() => running.statuses[200] ?? 0, { timeout: 5000 }).toBeGreaterThan(30)
      server.freeze()
      for (const node of nodes)
        await expect
          .poll(() => readiness(node), { timeout: 5000 })
          .toMatchObject({ body: { status: 'degraded' } })
      const before = running.statuses[200] ?? 0
      await expect.poll(() => running.statuses[200] ?? 0, { timeout: 5000 }).toBeGreaterThan(before + 30)
      server.thaw()
      for (const node of nodes)
        await expect
          .poll(() => readiness(node), { timeout: 20_000 })
          .toMatchObject({ body: { status: 'ready' } })
      expect(Object.keys(await running.stop())).toEqual(['200'])
    })
  })
})
