import { clientAddress } from './client-address.js'
import { knowsConnections, peersIn, readConnections } from './open-peers.js'
import { RareWarning } from './rare-warning.js'
import type { ServeOptions } from './server.js'

const warning =
  'connections were refused: their address has as many open as MAX_CONNECTIONS_PER_ADDRESS allows'

type Options = Pick<ServeOptions, 'maxConnectionsPerAddress' | 'trustedProxies' | 'log'>

/** Behind proxies nothing is limited, because all connections are of the last proxy. */
const limitOf = ({ maxConnectionsPerAddress, trustedProxies }: Options): number =>
  trustedProxies > 0 ? Number.POSITIVE_INFINITY : maxConnectionsPerAddress

/** Limits the open connections of each address. */
export class AddressLimit {
  readonly #max: number
  readonly #warning: RareWarning
  readonly #open = new Map<string, number>()

  constructor(options: Options) {
    this.#max = limitOf(options)
    this.#warning = new RareWarning(options.log)
  }

  /** Counts a connection of that peer until it is `closed`, and says whether it may stay. */
  opened(peer: string): boolean {
    const address = clientAddress(peer, '', 0)
    const open = addOne(this.#open, address)
    if (open <= this.#max) return true
    this.#warning.warn({ address, max: this.#max }, warning)
    return false
  }

  closed(peer: string): void {
    const address = clientAddress(peer, '', 0)
    const open = (this.#open.get(address) ?? 0) - 1
    if (open > 0) this.#open.set(address, open)
    else this.#open.delete(address)
  }
}

/** Milliseconds between two looks at the connections of the machine, at least. */
const lookGapMs = 10
/**
 * The system takes a tenth of a millisecond to show so many characters of its connections, and this process to read them.
 * After a look, none follows for a millisecond for each of these pieces.
 */
const pieceLength = 4096

/**
 * The same where the server does not say which connection was closed. It goes by looks at the connections of the
 * machine, which only Linux shows; elsewhere nothing is limited. An address is looked at when it has opened as many
 * connections as it may have, and refused from the look on that finds them open until one that does not. So it may have
 * those beyond the limit that it has opened during a look, some milliseconds.
 */
export class ObservedAddressLimit {
  /** Where the server listens. */
  port = 0
  readonly #max: number
  readonly #warning: RareWarning
  /** What each address had open at the last look, or has opened since. */
  #atMost = new Map<string, number>()
  #refused = new Set<string>()
  #isLooking = false
  #openedSince: string[] = []
  #nextLookAt = Number.NEGATIVE_INFINITY

  constructor(options: Options) {
    this.#max = knowsConnections() ? limitOf(options) : Number.POSITIVE_INFINITY
    this.#warning = new RareWarning(options.log)
  }

  get isLimited(): boolean {
    return this.#max < Number.POSITIVE_INFINITY
  }

  /** Whether a connection of that peer, which was just opened, may stay. */
  opened(peer: string): boolean {
    const address = clientAddress(peer, '', 0)
    const isRefused = this.#refused.has(address)
    if (isRefused) this.#warning.warn({ address, max: this.#max }, warning)
    else addOne(this.#atMost, address)
    if (this.#isLooking) this.#openedSince.push(address)
    if (isRefused || (this.#atMost.get(address) ?? 0) >= this.#max) void this.#look()
    return !isRefused
  }

  async #look(): Promise<void> {
    if (this.#isLooking || performance.now() < this.#nextLookAt) return
    this.#isLooking = true
    this.#openedSince = []
    const atMost = new Map<string, number>()
    let length = 0
    for await (const lines of readConnections()) {
      length += lines.length
      for (const peer of peersIn(lines, this.port)) addOne(atMost, clientAddress(peer, '', 0))
    }
    this.#refused = new Set([...atMost].filter(([, open]) => open >= this.#max).map(([address]) => address))
    for (const address of this.#openedSince) addOne(atMost, address)
    this.#atMost = atMost
    this.#nextLookAt = performance.now() + Math.max(lookGapMs, length / pieceLength)
    this.#isLooking = false
  }
}

/** Counts one more connection of an address, and answers how many it has. */
function addOne(counts: Map<string, number>, address: string): number {
  const count = (counts.get(address) ?? 0) + 1
  counts.set(address, count)
  return count
}
