import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Store } from '../../src/contract/storage/stores.js'
import {
  parseRedisAddress,
  parseStoreAddress,
  type RedisAddress,
  type StoreAddress,
} from '../../src/store/address.js'
import { openStore } from '../../src/store/open.js'
import { machineMs, openProcessStore } from '../../src/store/process/process-store.js'
import { windowKeyOf } from '../../src/store/redis/redis-bounds.js'
import { createRedisClient, type RedisClient } from '../../src/store/redis/redis-client.js'
import { isRedisAvailable, type RedisServer, startRedis } from './redis-server.js'

/** A place for a store, empty at first. It may be opened several times, as by several processes. */
export interface StorePlace {
  open(): Promise<Store>
  /** Ages the windows of an account by `ms` milliseconds. */
  age(accountId: string, ms: number): Promise<void>
  remove(): void
}

/** A way to store what the service must remember. */
export interface StoreDriver {
  readonly name: string
  /** Whether several processes share windows and bounds. */
  readonly isShared: boolean
  /** Whether the first process runs the alerts as long as others run. */
  readonly hasOwner?: boolean
  place(): StorePlace
}

const embedded: StoreDriver = {
  name: 'the embedded store',
  isShared: false,
  place() {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'candela-'))
    let now = 1_000_000
    return {
      open: async () => openStore({ store: 'embedded', dataDirectory }, { clock: () => now }),
      async age(_, ms) {
        now += ms
      },
      remove: () => rmSync(dataDirectory, { recursive: true, force: true }),
    }
  },
}

/** One data directory for several processes of a machine, which are all simulated in this one. */
const local: StoreDriver = {
  name: 'a store of several processes',
  isShared: true,
  hasOwner: true,
  place() {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'candela-'))
    const numbers = [0, 1, 2, 3]
    const texts = new EventEmitter()
    let ahead = 0
    return {
      async open() {
        const number = numbers.shift() as number
        const store = openProcessStore(
          dataDirectory,
          {
            ...{ number, count: 4 },
            send: text => void texts.emit('text', text),
            listen: listener => void texts.on('text', listener),
          },
          { clock: () => machineMs() + ahead },
        )
        const close = async () => {
          await store.close()
          numbers.unshift(number)
        }
        return { ...store, close }
      },
      async age(_, ms) {
        ahead += ms
      },
      remove: () => rmSync(dataDirectory, { recursive: true, force: true }),
    }
  },
}

/** The store on a real server, which the tests of a file share: each place has a prefix of its own. */
export function sharedDriver(server: () => RedisServer): StoreDriver {
  let places = 0
  return {
    name: 'a shared store',
    isShared: true,
    place() {
      const prefix = `place${places++}:`
      const url = `${server().url}?prefix=${prefix}&timeout=10000`
      const bare = createRedisClient(parseRedisAddress(url) as RedisAddress)
      const connected = bare.connect()
      let ahead = 0
      const clock = () => Math.floor(performance.now()) + ahead
      return {
        async open() {
          const settings = { store: parseStoreAddress(url) as StoreAddress, dataDirectory: '' }
          const store = openStore(settings, { clock })
          await store.ready()
          return store
        },
        async age(id, ms) {
          ahead += ms
          await connected
          await ageWindow(bare, windowKeyOf(id), 'ends', ms)
          await ageWindow(bare, `new-subscriptions:{${id}}`, '', ms)
        },
        remove: () => bare.disconnect(),
      }
    },
  }
}

async function ageWindow(client: RedisClient, key: string, field: string, ms: number): Promise<void> {
  if ((await client.hexists(key, field)) === 1) await client.hincrby(key, field, -ms)
}

/** The drivers that can be tested on this machine; the tests of the file that calls this share a server. */
export function storeDrivers(): readonly StoreDriver[] {
  if (!isRedisAvailable) return [embedded, local]
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.close())
  return [embedded, local, sharedDriver(() => server)]
}
