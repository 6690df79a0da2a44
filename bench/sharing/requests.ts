import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashOf, idOf } from '#dist/contract/account.js'
import type { StoredAccount } from '#dist/contract/storage/stores.js'
import { writeAccount } from '#dist/store/account-rows.js'
import { parseStoreAddress, type StoreAddress } from '#dist/store/address.js'
import { openStore } from '#dist/store/open.js'
import { createRedisClient } from '#dist/store/redis/redis-client.js'
import type { Table } from '../baseline.js'
import { effort } from '../effort.js'
import { LoadClient } from '../load-client.js'
import { type ServerProcess, startServiceOver } from '../service-process.js'
import { median, rounded } from '../statistics.js'
import { processorTime, usageOf } from './usage.js'

const path = '/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h'
const windowSeconds = 15
/** Requests per second sent to each node while their costs are compared. */
const perSecond = 3000
const rounds = effort(5, 1)
const roundMs = effort(3000, 200)

/** Timeout that counts Redis as answering, however busy the machine is. */
const patience = 'timeout=10000'

/** Keys of a plan with `requests` per window, enough for the rate and some more. */
function createKeys(requests: number, rate: number) {
  const count = Math.max(1, Math.ceil((1.5 * rate * windowSeconds) / requests))
  const keys = Array.from({ length: count }, () => `cnd_${randomBytes(24).toString('base64url')}`)
  const accounts = keys.map((key): StoredAccount => {
    const hash = hashOf(key)
    const limits = { requests, constructs: 1, subscriptions: 1 }
    const text = writeAccount({ id: idOf(hash), name: 'bench', plan: 'enterprise', created: 1, ...limits })
    return { hash, text }
  })
  return { keys, accounts }
}

async function storeAccounts(address: string, dataDirectory: string, accounts: readonly StoredAccount[]) {
  const store = openStore({ store: parseStoreAddress(address) as StoreAddress, dataDirectory })
  await store.ready()
  await store.accounts.restore(accounts)
  await store.close()
}

/** A node with its client, which uses one key after the other. */
interface LoadedNode {
  readonly server: ServerProcess
  readonly client: LoadClient
}

async function load(server: ServerProcess, keys: readonly string[], rate: number): Promise<LoadedNode> {
  const requests = keys.map(key => ({ method: 'GET', path, key }))
  const client = await LoadClient.start({ port: server.port, key: '' }, requests, {
    connections: 64,
    perSecond: rate,
  })
  return { server, client }
}

/** Processor time of a node per request in microseconds, and number of requests, since the first call. */
async function startCounting({ server, client }: LoadedNode) {
  await client.report()
  const before = processorTime(server.pid)
  return async () => {
    const after = processorTime(server.pid)
    const { replies, statuses } = await client.report()
    if (statuses['200'] !== replies) throw new Error(`not every reply was 200: ${JSON.stringify(statuses)}`)
    return { replies, cost: (after - before) / replies }
  }
}

interface Plan {
  readonly name: string
  readonly requests: number
  readonly rate: number
}

/** The rate is the limit of the given number of keys. */
const measuredPlans: readonly Plan[] = [
  { name: 'free: 1 in a window', requests: 1, rate: 1000 },
  { name: 'basic: 5 in a window', requests: 5, rate: perSecond },
  { name: 'pro: 30 in a window', requests: 30, rate: perSecond },
  { name: 'enterprise: 300 in a window', requests: 300, rate: perSecond },
]

/**
 * A warm GET on a node with Redis and on one with the embedded store, measured at the same time, for keys of each plan.
 * Processor time depends less on other work of the machine than rates.
 */
export async function requestRows(url: string): Promise<Table> {
  const table: Record<string, Table[string]> = {}
  for (const { name, requests, rate } of measuredPlans) {
    const directory = mkdtempSync(join(tmpdir(), 'candela-bench-'))
    const shared = `${url}?prefix=requests${requests}:&${patience}`
    const { keys, accounts } = createKeys(requests, rate)
    await storeAccounts('embedded', directory, accounts)
    await storeAccounts(shared, '', accounts)
    const nodes: LoadedNode[] = []
    const client = createRedisClient(parseStoreAddress(shared) as Exclude<StoreAddress, 'embedded'>)
    await client.connect()
    try {
      for (const settings of [{ STORE: shared }, { STORE: 'embedded' }])
        nodes.push(await load(await startServiceOver(directory, settings), keys, rate))
      // Until each key was used once, and the code is compiled.
      await sleep(2000 + (1000 * keys.length) / rate)
      const ratios: number[] = []
      const costs: number[][] = []
      const before = await usageOf(client)
      let replies = 0
      for (let round = 0; round < rounds; round++) {
        const ends = await Promise.all(nodes.map(startCounting))
        await sleep(roundMs)
        const [withEngine, alone] = await Promise.all(ends.map(end => end()))
        if (!withEngine || !alone) break
        ratios.push(withEngine.cost / alone.cost)
        costs.push([withEngine.cost, alone.cost])
        replies += withEngine.replies
      }
      const after = await usageOf(client)
      table[name] = {
        'µs/request with Redis': rounded(median(costs.map(([cost]) => cost as number))),
        'µs/request embedded': rounded(median(costs.map(([, cost]) => cost as number))),
        'Redis / embedded': rounded(median(ratios)),
        'scripts per request': rounded((after.scripts - before.scripts) / replies, 3),
      }
    } finally {
      client.disconnect()
      for (const node of nodes) {
        await node.client.stop()
        await node.server.stop()
      }
      rmSync(directory, { recursive: true, force: true })
    }
  }
  return table
}

/** Cost of requests on one node alone and on two at a time, in microseconds of processors per request. */
interface NodeCosts {
  readonly one: number
  readonly two: number
  /** The throughput of two nodes, as a multiple of that of one. */
  readonly gain: number
  readonly engine: number
  readonly scripts: number
}

/**
 * Two nodes with one Redis compared with one of them alone, by processor time. A node on a core of its own answers a
 * second's worth of requests per second, so the throughput of nodes is the sum of the inverses of their costs per request.
 * The clients and Redis are other processes, whose time is not the nodes'. Redis's time is shown, because all nodes share
 * it.
 */
export async function measureNodes(url: string): Promise<NodeCosts> {
  const shared = `${url}?prefix=nodes:&${patience}`
  const { keys, accounts } = createKeys(300, 8 * perSecond)
  await storeAccounts(shared, '', accounts)
  const client = createRedisClient(parseStoreAddress(shared) as Exclude<StoreAddress, 'embedded'>)
  await client.connect()
  const servers: ServerProcess[] = []
  const measure = async (indexes: readonly number[]) => {
    const nodes = await Promise.all(indexes.map(at => load(servers[at] as ServerProcess, keys, perSecond)))
    await sleep(2000)
    const before = await usageOf(client)
    const ends = await Promise.all(nodes.map(startCounting))
    await sleep(roundMs)
    const results = await Promise.all(ends.map(end => end()))
    const after = await usageOf(client)
    for (const node of nodes) await node.client.stop()
    const replies = results.reduce((sum, result) => sum + result.replies, 0)
    return {
      costs: results.map(({ cost }) => cost),
      engine: ((after.cpu - before.cpu) * 1e6) / replies,
      scripts: (after.scripts - before.scripts) / replies,
    }
  }
  try {
    for (let node = 0; node < 2; node++) servers.push(await startServiceOver('', { STORE: shared }))
    const found: NodeCosts[] = []
    for (let round = 0; round < rounds; round++) {
      const [one] = (await measure([round % 2])).costs as [number]
      const { costs, engine, scripts } = await measure([0, 1])
      const throughput = costs.reduce((sum, cost) => sum + 1 / cost, 0)
      found.push({ one, two: costs.length / throughput, gain: throughput * one, engine, scripts })
    }
    const middle = (name: keyof NodeCosts) => median(found.map(costs => costs[name]))
    const [one, two, gain] = [middle('one'), middle('two'), middle('gain')]
    return { one, two, gain, engine: middle('engine'), scripts: middle('scripts') }
  } finally {
    client.disconnect()
    for (const server of servers) await server.stop()
  }
}

/** `measureNodes` as a table. */
export async function twoNodeRows(url: string): Promise<Table> {
  const { one, two, gain, engine, scripts } = await measureNodes(url)
  return {
    'each key at both nodes': {
      'µs/request, one node': rounded(one),
      'µs/request, two nodes': rounded(two),
      'two nodes / one, throughput': rounded(gain),
      'Redis µs/request': rounded(engine),
      'scripts per request': rounded(scripts, 3),
    },
  }
}

/** Microseconds that Redis needs to count a request. */
export async function measureScript(url: string): Promise<number> {
  const address = parseStoreAddress(`${url}?prefix=scripts:&${patience}`) as Exclude<StoreAddress, 'embedded'>
  const client = createRedisClient(address)
  await client.connect()
  const store = openStore({ store: address, dataDirectory: '' })
  await store.ready()
  const before = await usageOf(client)
  const asked = effort(5000, 50)
  const limits = { requests: 5, constructs: 1, subscriptions: 1 }
  const take = (id: number) =>
    store.rateWindows.take({ id: String(id), name: '', plan: 'basic', created: 0, ...limits })
  // The requests of a busy node arrive together.
  for (let at = 0; at < asked; at += 50) await Promise.all(Array.from({ length: 50 }, (_, k) => take(at + k)))
  const after = await usageOf(client)
  await store.close()
  client.disconnect()
  return ((after.cpu - before.cpu) * 1e6) / asked
}
