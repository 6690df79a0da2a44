import { join } from 'node:path'
import { hashOf } from '../contract/account.js'
import type { Store, StoreEvents } from '../contract/storage/stores.js'
import type { StoreAddress } from './address.js'
import { databases, openEmbedded } from './embedded/embedded.js'
import { openProcessStore, type StoreProcess } from './process/process-store.js'
import { describeAddress, type RedisAddress } from './redis/address.js'
import { openRedisStore } from './redis/redis-store.js'

interface Settings {
  readonly store: StoreAddress
  /** Where the embedded store is, or what this node remembers of a shared one; empty where it is to remember nothing. */
  readonly dataDirectory: string
}

interface Options extends StoreEvents {
  /** Makes this process the only service that uses the data directory, or has it remember there what it finds in a shared store. */
  readonly exclusive?: boolean
  /** Takes the store for the one that it is to be, also where something is missing that was there before. */
  readonly confirm?: boolean
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: () => number
  /** Which of several processes of a service this is, with an embedded store. */
  readonly local?: StoreProcess | undefined
  /** Bytes of memory for copies of what a shared store has of the series in use. */
  readonly copyBytes?: number
  /** Milliseconds to wait for candles that another node fetches. */
  readonly maxWaitMs?: number
}

/** Opens the store that the settings name; it can be used once it is `ready`. Throws StoreFailure. */
export function openStore({ store, dataDirectory }: Settings, options: Options = {}): Store {
  if (store !== 'embedded')
    return openRedisStore(store, {
      ...options,
      ...(dataDirectory && { memory: memoryOf(store, dataDirectory) }),
    })
  if (options.local) return openProcessStore(dataDirectory, options.local, options)
  return openEmbedded(dataDirectory, { ...options, anew: options.confirm ? databases : [] })
}

/** The file in which a node remembers which installation a shared store is of. A store at another address is another one. */
const memoryOf = (address: RedisAddress, dataDirectory: string): string =>
  join(dataDirectory, `store-${hashOf(`${describeAddress(address)} ${address.prefix}`).slice(0, 8)}`)
