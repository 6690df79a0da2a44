import type { Candle } from '../../../candles/candle.js'
import type { Timeframe } from '../../../candles/timeframe.js'
import type { Cluster } from '../../../contract/storage/cluster.js'
import type { Store } from '../../../contract/storage/stores.js'
import type { ExchangeLookup } from '../registry.js'
import {
  type FetchedCandles,
  type FetchOptions,
  freshSecondsOf,
  type Source,
  SourceFailure,
  type SourceTraits,
  traitsOf,
} from '../source.js'
import { symbolsKey } from '../symbol-cache.js'
import { decodeOutcome, encodeCandles, encodeFailure } from './cluster-messages.js'
import { watchInCluster } from './cluster-stream.js'
import { wrapSources } from './wrapped-exchanges.js'

interface Settings {
  readonly store: Pick<Store, 'cluster' | 'keyValues'>
  /** Seconds for which other nodes may use fetched candles, unless the source sets another time. */
  readonly refreshSeconds: number
  /** Maximum number of states of a forming candle that are sent to other nodes in a second. */
  readonly formingPerSecond: number
  /** Unix seconds. */
  readonly clock: () => number
}

interface ClusterSettings extends Settings {
  readonly cluster: Cluster
}

/** The number of fetched candles is a multiple of this one, so that nodes that need a few more or less ask the same question. */
export const depthStep = 10

/** Seconds for which fetched candles are stored after they are no longer fresh, for nodes that accept older ones. */
const keepSeconds = 5

/**
 * The exchanges themselves where only this node uses the store. Where several nodes share the store, each series is fetched
 * and streamed by one node at a time.
 */
export function shareInCluster(exchanges: ExchangeLookup, given: Settings): ExchangeLookup {
  const { cluster } = given.store
  if (!cluster) return exchanges
  const settings = { ...given, cluster }
  return wrapSources(exchanges, (id, source) => new ClusterSource(id, source, settings))
}

/** A source that fetches and streams each series on one node at a time. The other nodes get the candles from that node. */
class ClusterSource implements Source {
  readonly freshSeconds?: number | undefined
  readonly barSeconds?: number | undefined
  readonly isRestated?: boolean | undefined
  readonly hours?: SourceTraits['hours']
  readonly refusal?: SourceTraits['refusal']
  readonly listedSymbol?: (symbol: string) => string | undefined
  readonly loadSymbols?: () => Promise<void>
  readonly ranking?: NonNullable<Source['ranking']>
  readonly watch?: NonNullable<Source['watch']>

  constructor(
    private readonly exchange: string,
    private readonly source: Source,
    private readonly settings: ClusterSettings,
  ) {
    Object.assign(this, traitsOf(source))
    if (source.listedSymbol) this.listedSymbol = symbol => source.listedSymbol?.(symbol)
    if (source.loadSymbols) this.loadSymbols = async () => source.loadSymbols?.()
    if (source.ranking) this.ranking = async () => source.ranking?.() ?? []
    if (source.watch) {
      const watch = source.watch.bind(source)
      const { cluster, formingPerSecond } = settings
      this.watch = (symbol, timeframe, signal) =>
        watchInCluster({
          streams: cluster.streams,
          name: `${exchange}:${symbol}:${timeframe}`,
          formingPerSecond,
          open: opened => watch(symbol, timeframe, opened),
          signal,
        })
    }
  }

  async symbols(): Promise<readonly string[]> {
    // The stored list is not needed where the exchange can be asked.
    await this.settings.store.keyValues.prepare?.(symbolsKey(this.exchange))?.catch(() => {})
    return this.source.symbols()
  }

  async candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    options: FetchOptions = {},
  ): Promise<FetchedCandles> {
    if (count < 1) return []
    const { cluster, clock, refreshSeconds } = this.settings
    const now = clock()
    const { since = now, until, isBackground } = options
    // Background fetches have a name of their own: they take longer, and a client must not wait for one.
    const kind = `${until === undefined ? '' : `:${until}`}${isBackground ? ':background' : ''}`
    const name = `${this.exchange}:${symbol}:${timeframe}${kind}`
    const depth = Math.ceil(count / depthStep) * depthStep
    const question = {
      maxAgeMs: Math.max(0, now - since) * 1000,
      depth,
      keepMs: (keepSeconds + (freshSecondsOf(this.source, symbol) ?? refreshSeconds)) * 1000,
    }
    /** The candles that this node has fetched, or why it could not; undefined where another node fetches. */
    let own: readonly Candle[] | SourceFailure | undefined
    let isOwn = false
    const work = async () => {
      isOwn = true
      try {
        own = await this.source.candles(symbol, timeframe, depth, options)
        return { bytes: encodeCandles(own), isFailure: false }
      } catch (error) {
        // Anything else is a bug of the source, which is not shared.
        if (!(error instanceof SourceFailure)) throw error
        own = error
        return { bytes: encodeFailure(error), isFailure: true }
      }
    }
    let outcome: readonly Candle[] | SourceFailure | undefined
    let ageMs = 0
    try {
      const answer = await cluster.fetches.fetch(name, question, work)
      outcome = answer && decodeOutcome(answer)
      ageMs = answer?.ageMs ?? 0
    } catch (error) {
      // Sharing has failed. This node can fetch by itself.
      if (!isOwn) return this.source.candles(symbol, timeframe, count, options)
      if (own === undefined) throw error
    }
    const found = outcome ?? own
    if (found instanceof SourceFailure) throw found
    const newest = (found as readonly Candle[]).slice(-count)
    return isOwn ? newest : Object.assign(newest, { requestedAt: clock() - ageMs / 1000 })
  }

  async close(): Promise<void> {
    await this.source.close?.()
  }
}
