import type { Sharing } from '../sharing.js'
import type { Store } from '../store.js'
import { noJournal } from '../store.js'
import type { RedisAddress } from './address.js'
import { Channels } from './channels.js'
import { RedisEngine } from './engine.js'
import { Leases } from './leases.js'
import { RedisFetches } from './redis-fetches.js'
import { RedisStreams } from './redis-streams.js'
import { SharedChunks } from './shared-chunks.js'

interface Options {
  /** Bytes of memory for copies of what is stored of the series in use. */
  readonly copyBytes: number
  /** Called when the engine goes away and when it is back. */
  readonly onChange?: (isAway: boolean) => void
  /** Milliseconds after which another node takes over what a dead one had begun. */
  readonly leaseMs?: number
  /** Milliseconds that a node waits for what another one fetches before it fetches by itself. */
  readonly maxWaitMs?: number
  /** Events of a stream that are kept for nodes that have missed some. */
  readonly keptEvents?: number
  /** Milliseconds for which a node leaves writing candles to the one that has the stream. */
  readonly followerDelayMs?: number
}

/** What nodes share through one engine: candles, and what is done by one of them for all. */
export interface SharedStore extends Pick<Store, 'chunks' | 'journal' | 'writeFailure' | 'freeBytes'> {
  readonly sharing: Sharing
  readonly isAway: boolean
  /** Names this process among the nodes. */
  readonly nodeId: string
  /** Runs work that one node does for all, such as keeping the archive below its limit; answers whether it was this one. */
  alone(name: string, work: () => Promise<void>): Promise<boolean>
  close(): Promise<void>
}

/** Milliseconds for which the end waits until candles are stored. */
const closeMs = 2000

/** Opens the shared store. Rejects with NotShared where it cannot be reached now; with `mayBeAway` it is open all the same. */
export async function openShared(
  address: RedisAddress,
  options: Options,
  { mayBeAway = false }: { readonly mayBeAway?: boolean } = {},
): Promise<SharedStore> {
  const { leaseMs = 3000, maxWaitMs = 10_000, keptEvents = 200, followerDelayMs = 1500, copyBytes } = options
  const engine = new RedisEngine(address)
  const channels = new Channels(address)
  const leases = new Leases(engine, leaseMs)
  const fetches = new RedisFetches({ engine, channels, leases, maxWaitMs })
  const streams = new RedisStreams({ engine, channels, leases, keptEvents })
  const isHolder = (series: string) => leases.holds(series)
  const chunks = new SharedChunks({ engine, channels, maxBytes: copyBytes, isHolder, followerDelayMs })
  const end = () => {
    leases.close()
    streams.close()
    chunks.close()
    channels.close()
    engine.close()
  }
  try {
    await Promise.all([engine.connect(), channels.connect()])
    await Promise.all([fetches.listen(), chunks.listen()])
  } catch (error) {
    if (!mayBeAway) {
      end()
      throw error
    }
  }
  if (options.onChange) engine.onChange(options.onChange)
  return {
    chunks,
    journal: noJournal,
    sharing: { fetches, streams },
    nodeId: engine.nodeId,
    get isAway() {
      return engine.isAway
    },
    writeFailure: () => chunks.failure,
    // The engine says by its answers to writes when it is full.
    freeBytes: () => Number.POSITIVE_INFINITY,
    alone: async (name, work) => {
      const question = { maxAgeMs: 0, depth: 0, keepMs: leaseMs }
      const answer = await fetches.fetch(name, question, async () => {
        await work()
        return { bytes: new Uint8Array(), isFailure: false }
      })
      return answer === undefined
    },
    async close() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>(resolve => {
        timer = setTimeout(resolve, closeMs)
      })
      await Promise.race([chunks.flush().catch(() => {}), late])
      clearTimeout(timer)
      await leases.releaseAll()
      end()
    },
  }
}
