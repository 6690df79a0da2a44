import { parseRedisAddress, type RedisAddress } from '#dist/store/address.js'
import type { Table } from '../baseline.js'
import { startRedis } from '../redis-process.js'
import { archiveRows, eventRows } from './candles.js'
import { requestRows, twoNodeRows } from './requests.js'

/** Cost of requests, events and closed candles that several nodes share through Redis. */
export async function benchSharing(): Promise<readonly Table[]> {
  const server = await startRedis()
  try {
    const address = (name: string) => parseRedisAddress(`${server.url}?prefix=${name}:`) as RedisAddress
    const tables: Table[] = [await requestRows(server.url), await twoNodeRows(server.url)]
    for (const followers of [0, 1, 2]) tables.push(await eventRows(address(`e${followers}`), followers))
    for (const nodes of [1, 2, 3]) tables.push(await archiveRows(address(`a${nodes}`), nodes))
    return tables
  } finally {
    await server.stop()
  }
}
