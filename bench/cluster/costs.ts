import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseRedisAddress, type RedisAddress } from '#dist/store/address.js'
import { startRedis } from '../redis-process.js'
import { measureCloses, measureEvents } from '../sharing/candles.js'
import { measureNodes, measureScript } from '../sharing/requests.js'
import type { Costs } from './model.js'

/** Costs that were measured once on a machine. */
export interface RecordedCosts {
  readonly date: string
  readonly machine: string
  readonly costs: Costs
}

const path = fileURLToPath(new URL('../../../bench/cluster/costs.json', import.meta.url))

export const readCosts = (): RecordedCosts | undefined =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RecordedCosts) : undefined

export function writeCosts(costs: Costs): void {
  const recorded: RecordedCosts = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores`,
    costs,
  }
  writeFileSync(path, `${JSON.stringify(recorded, undefined, 2)}\n`)
}

/** Measures the costs of nodes and Redis on this machine; `step` and `delivery` come from `bench -- stream`. */
export async function measureCosts({ step, delivery }: Pick<Costs, 'step' | 'delivery'>): Promise<Costs> {
  const server = await startRedis()
  try {
    const address = (name: string) =>
      parseRedisAddress(`${server.url}?prefix=${name}:&timeout=5000`) as RedisAddress
    const nodes = await measureNodes(server.url)
    const one = await measureEvents(address('one'), 1)
    const four = await measureEvents(address('four'), 4)
    const own = await measureCloses(address('closes'), 1)
    const three = await measureCloses(address('closes3'), 3)
    const perFollower = Math.max(0, (four.engine - one.engine) / 3)
    const costs: Costs = {
      request: nodes.one,
      scriptsPerRequest: nodes.scripts,
      script: await measureScript(server.url),
      step,
      delivery,
      heldEvent: Math.min(one.holder, four.holder),
      followedEvent: Math.min(one.follower ?? 0, four.follower ?? 0),
      engineEvent: one.engine - perFollower,
      engineEventPerFollower: perFollower,
      heldClose: own.nodes,
      followedClose: Math.max(0, (three.nodes - own.nodes) / 2),
      engineClose: own.engine,
      engineClosePerNode: Math.max(0, (three.engine - own.engine) / 2),
      // In addition to the scripts that renew leases at regular times.
      scriptsPerClose: Math.round(three.scripts),
    }
    return Object.fromEntries(
      Object.entries(costs).map(([name, value]) => [name, Number(value.toPrecision(2))]),
    ) as unknown as Costs
  } finally {
    await server.stop()
  }
}
