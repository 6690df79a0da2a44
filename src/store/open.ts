import { join } from 'node:path'
import { hashOf } from '../contract/account.js'
import type { Store, StoreEvents } from '../contract/storage/stores.js'
import { describeAddress, type RedisAddress, type StoreAddress } from './address.js'
import { databases, openEmbedded } from './embedded/embedded.js'
import { openProcessStore, type StoreProcess } from './process/process-store.js'
import { openRedisStore } from './redis/redis-store.js'

interface Settings {
  readonly store: StoreAddress
  /** Directory of the embedded store, or of the file with the id of the shared store. Empty if a node shall not write that file. */
  readonly dataDirectory: string
}

interface Options extends StoreEvents {
  /** Makes this process the only service that uses the data directory. With a shared store: writes its id to the data directory. */
  readonly exclusive?: boolean
  /** Accepts the store even if its data belong to another installation or parts are missing. */
  readonly confirm?: boolean
  /** Monotonic clock, in milliseconds. */
  readonly clock?: () => number
  /** This process, if the service runs several processes on an embedded store. */
  readonly local?: StoreProcess | undefined
  /** Bytes of memory for copies of the series in use from a shared store. */
  readonly copyBytes?: number
  /** Maximum milliseconds to wait for candles that another node fetches. */
  readonly maxWaitMs?: number
}

/** Opens the store that the settings name. It is usable after `ready` resolves. Throws StoreFailure. */
export function openStore({ store, dataDirectory }: Settings, options: Options = {}): Store {
  if (store !== 'embedded')
    return openRedisStore(store, {
      ...options,
      ...(dataDirectory && { memory: memoryOf(store, dataDirectory) }),
    })
  if (options.local) return openProcessStore(dataDirectory, options.local, options)
  return openEmbedded(dataDirectory, { ...options, anew: options.confirm ? databases : [] })
}

/** File in which a node keeps the installation id of a shared store. Each address has its own file. */
const memoryOf = (address: RedisAddress, dataDirectory: string): string =>
  join(dataDirectory, `store-${hashOf(`${describeAddress(address)} ${address.prefix}`).slice(0, 8)}`)
