import type { StoreAddress } from './address.js'
import { databases, openEmbedded } from './embedded.js'
import { openShared } from './redis/shared.js'
import type { Store, StoreEvents } from './store.js'

interface Settings {
  readonly store: StoreAddress
  /** Where the embedded store is. */
  readonly dataDirectory: string
}

interface Options extends StoreEvents {
  /** Makes this process the only service that uses the data directory. */
  readonly exclusive?: boolean
  /** Takes the store for the one that it is to be, also where something is missing that was there before. */
  readonly confirm?: boolean
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: () => number
  /** Bytes of memory for copies of what a shared store has of the series in use. */
  readonly copyBytes?: number
  /** Milliseconds to wait for candles that another node fetches. */
  readonly maxWaitMs?: number
}

/** Opens the store that the settings name; it can be used once it is `ready`. Throws StoreFailure. */
export const openStore = ({ store, dataDirectory }: Settings, options: Options = {}): Store =>
  store === 'embedded'
    ? openEmbedded(dataDirectory, { ...options, anew: options.confirm ? databases : [] })
    : openShared(store, options)
