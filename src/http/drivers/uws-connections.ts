import { ObservedAddressLimit } from './address-limit.js'
import { RareWarning } from './rare-warning.js'
import { type ServeOptions, tooManyConnectionsWarning } from './server.js'

/** What is used of a connection of uWebSockets.js. */
interface UwsConnection {
  getRemoteAddressAsText(): ArrayBuffer
  close(): unknown
}

/** What is used of an app of uWebSockets.js. */
interface UwsApp {
  filter(listener: (connection: UwsConnection, change: number) => void): unknown
}

/** Closes connections above the limits as soon as they are accepted, and knows the apps that have connections. */
export class ConnectionLimit<App extends UwsApp> {
  readonly addresses: ObservedAddressLimit
  readonly #max: number
  readonly #warning: RareWarning
  readonly #openByApp = new Map<App, number>()
  readonly #retired = new WeakSet<App>()

  constructor(options: ServeOptions) {
    this.#max = options.maxConnections
    this.#warning = new RareWarning(options.log)
    this.addresses = new ObservedAddressLimit(options)
  }

  /** The apps that accept connections or have some. */
  get apps(): Iterable<App> {
    return this.#openByApp.keys()
  }

  apply(app: App): void {
    this.#openByApp.set(app, 0)
    const connectionChanged = (connection: UwsConnection, change: number): void => {
      this.#count(app, Math.sign(change))
      if (change < 0) return
      const isTooMany = this.open > this.#max
      if (isTooMany) this.#warning.warn({ maxConnections: this.#max }, tooManyConnectionsWarning)
      // uWebSockets.js says the address of a connection that is opened, but not which one is closed.
      if (isTooMany || (this.addresses.isLimited && !this.addresses.opened(peerOf(connection))))
        connection.close()
    }
    app.filter(connectionChanged)
  }

  /** Uncounts a connection. Called for WebSockets: uWebSockets.js does not report their end like that of others. */
  closed(app: App): void {
    this.#count(app, -1)
  }

  /** Forgets an app that accepts no more connections, once the last one is closed. */
  retire(app: App): void {
    this.#retired.add(app)
    this.#count(app, 0)
  }

  /** Connections that are open, WebSockets included. */
  get open(): number {
    let open = 0
    for (const ofApp of this.#openByApp.values()) open += ofApp
    return open
  }

  #count(app: App, change: number): void {
    const open = (this.#openByApp.get(app) ?? 0) + change
    if (open === 0 && this.#retired.has(app)) this.#openByApp.delete(app)
    else this.#openByApp.set(app, open)
  }
}

/** The address of the other end of a connection, which is not known any more once it is closed. */
export const peerOf = (connection: Pick<UwsConnection, 'getRemoteAddressAsText'>): string =>
  Buffer.from(connection.getRemoteAddressAsText()).toString()
