import { Signal } from './signal.js'
import { isTimeZone, type TimeZoneChoice } from './time-zone.js'
import { marketOf } from './view.js'

/** Accesses the browser's storage, which throws where it is switched off; the page works without it. */
function attempt<Result>(access: () => Result): Result | undefined {
  try {
    return access()
  } catch {
    // Nothing is stored, as the person chose.
    return undefined
  }
}

const keyName = 'candela.key'
let keyInMemory: string | undefined

/** The API key. It is stored for the session of the tab only, unless the person wants it on this device. */
export const sessionKey = {
  read: (): string | undefined =>
    attempt(() => sessionStorage.getItem(keyName) ?? localStorage.getItem(keyName) ?? undefined) ??
    keyInMemory,
  write(key: string, isOnDevice = false): void {
    keyInMemory = key
    attempt(() => sessionStorage.setItem(keyName, key))
    if (isOnDevice) attempt(() => localStorage.setItem(keyName, key))
  },
  clear(): void {
    keyInMemory = undefined
    attempt(() => sessionStorage.removeItem(keyName))
    attempt(() => localStorage.removeItem(keyName))
  },
}

/** A JSON value stored on this device; undefined if it is missing or invalid. */
const readStored = (name: string): unknown => attempt(() => JSON.parse(localStorage.getItem(name) ?? 'null'))

/** A value that is stored on this device, and changes when another tab changes it. */
export class Stored<Value> {
  readonly #name: string
  readonly #signal: Signal<Value>

  /** `read` parses the stored value, which may be anything. */
  constructor(name: string, read: (stored: unknown) => Value) {
    this.#name = name
    this.#signal = new Signal(read(readStored(name)))
    globalThis.addEventListener?.('storage', event => {
      if (event.key === name) this.#signal.value = read(readStored(name))
    })
  }

  get value(): Value {
    return this.#signal.value
  }

  set value(value: Value) {
    attempt(() => localStorage.setItem(this.#name, JSON.stringify(value)))
    this.#signal.value = value
  }
}

const viewName = 'candela.view'

/** The address of the last view on this device, without a key. */
export const lastView = {
  read: (): string | undefined => attempt(() => localStorage.getItem(viewName) ?? undefined),
  write: (search: string): void => attempt(() => localStorage.setItem(viewName, search)),
}

/** The person's preferences for the look of the page. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark'
  readonly colours: 'blue-orange' | 'green-red'
  readonly times: TimeZoneChoice
  readonly shortcuts: boolean
  /** Whether points of drawings snap to a near price of their candle. */
  readonly magnet: boolean
  readonly favourites: readonly string[]
  /** Whether this page shows firings of alerts; they are then delivered here, and not to another connection of the key. */
  readonly alerts: boolean
  /** Indicators that were added last, newest first. */
  readonly recent: readonly string[]
  /** The symbols of the watchlist, as `symbolKey` writes them, and whether the list is open. */
  readonly watched: readonly string[]
  readonly isWatching: boolean
}

const defaults: Preferences = {
  theme: 'system',
  colours: 'blue-orange',
  times: 'utc',
  shortcuts: true,
  magnet: true,
  alerts: false,
  favourites: [],
  recent: [],
  watched: [],
  isWatching: false,
}

const names = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(name => typeof name === 'string').slice(0, 50) : []

/** The preferences in a stored value; missing and invalid ones have their defaults. */
function readPreferences(value: unknown): Preferences {
  const stored = (value ?? {}) as Partial<Preferences>
  return {
    theme: stored.theme === 'light' || stored.theme === 'dark' ? stored.theme : defaults.theme,
    colours: stored.colours === 'green-red' ? stored.colours : defaults.colours,
    times: isTimeZone(stored.times) ? stored.times : defaults.times,
    shortcuts: stored.shortcuts !== false,
    magnet: stored.magnet !== false,
    alerts: stored.alerts === true,
    favourites: names(stored.favourites),
    recent: names(stored.recent),
    watched: names(stored.watched).filter(key => marketOf(key, '1d')),
    isWatching: stored.isWatching === true,
  }
}

/** The preferences of this browser. */
export class PreferenceStore {
  readonly #stored = new Stored('candela.preferences', readPreferences)

  get value(): Preferences {
    return this.#stored.value
  }

  change(change: Partial<Preferences>): void {
    this.#stored.value = { ...this.#stored.value, ...change }
  }
}
