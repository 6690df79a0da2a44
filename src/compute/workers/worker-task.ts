import type { Candle } from '../../candles/candle.js'
import { Columns } from '../../candles/columns.js'
import { catalogue, type Entry, type SourceName, type Values } from '../../catalogue/index.js'
import type { Query } from '../../contract/query.js'
import type { Refusal } from '../../contract/refusals.js'
import type { Computation, Segment } from '../bulk-layout.js'

/** A series as it crosses threads: its columns by handle, its forming candle by value. */
interface SentSeries {
  readonly buffer: ArrayBufferLike
  readonly closed: number
  readonly forming: Candle | undefined
  readonly count: number
}

/** A query as it crosses threads: its indicator by name. */
interface SentQuery {
  readonly indicator: string
  readonly params: Values
  readonly source: SourceName | undefined
  readonly source2: SourceName | undefined
  readonly results: number
  readonly backtrack: number
}

/** A run of segments of a bulk answer, packed for another thread. */
export interface WorkerTask {
  /** The text before each computation, and where it is one longer, the text behind the last. */
  readonly texts: readonly string[]
  /** For each computation its series and its query, by index. */
  readonly places: Uint16Array
  readonly series: readonly SentSeries[]
  readonly queries: readonly SentQuery[]
  readonly verbose: boolean
}

/** The body of `POST /bulk-candles` as it came in, for a plan that allows so many constructs. */
export interface SuppliedBodyTask {
  readonly body: Uint8Array
  readonly allowed: number
}

/** What another thread made of a part or a body. */
export interface TaskResult {
  /** JSON text in UTF-8 that is to be given back, or why there is none. */
  readonly result: readonly Uint8Array[] | Refusal
  /** Nanoseconds per candle of each query of a part. */
  readonly costs: Float64Array
  /** What the bugs said that ended computations. */
  readonly bugs: readonly string[]
}

const sent = new WeakMap<Query, SentQuery>()

/** One object per query: an object that a message holds many times crosses once. */
function toSentQuery(query: Query): SentQuery {
  let known = sent.get(query)
  if (!known) {
    const { indicator, params, source, source2, results, backtrack } = query
    known = { indicator: indicator.name, params, source, source2, results, backtrack }
    sent.set(query, known)
  }
  return known
}

/** The place of `key` in a list, at its end when it was not in it. */
function indexOfKey<Key>(places: Map<Key, number>, key: Key): number {
  let place = places.get(key)
  if (place === undefined) {
    place = places.size
    places.set(key, place)
  }
  return place
}

/** Packs segments that alternate between text and computation, text first. */
export function packTask(segments: readonly Segment[], verbose: boolean): WorkerTask {
  const texts = segments.filter(segment => typeof segment === 'string')
  const computations = segments.filter(segment => typeof segment !== 'string')
  const series = new Map<Computation['snapshot'], number>()
  const queries = new Map<Query, number>()
  const places = new Uint16Array(2 * computations.length)
  for (const [at, { snapshot, query }] of computations.entries()) {
    places[2 * at] = indexOfKey(series, snapshot)
    places[2 * at + 1] = indexOfKey(queries, query)
  }
  return {
    texts,
    places,
    series: [...series.keys()].map(({ columns, closed, forming, count }) => ({
      buffer: columns.buffer,
      closed,
      forming,
      count,
    })),
    queries: [...queries.keys()].map(toSentQuery),
    verbose,
  }
}

/** The segments of a part. */
export function unpackTask({ texts, places, series, queries }: WorkerTask): readonly Segment[] {
  const snapshots = series.map(({ buffer, closed, forming, count }) => ({
    columns: Columns.over(buffer),
    closed,
    forming,
    count,
  }))
  const asked = queries.map(query => ({
    ...query,
    indicator: catalogue.get(query.indicator) as Entry,
  }))
  const segments: Segment[] = []
  for (const [at, text] of texts.entries()) {
    segments.push(text)
    if (2 * at < places.length) {
      segments.push({
        snapshot: snapshots[places[2 * at] as number] as Computation['snapshot'],
        query: asked[places[2 * at + 1] as number] as Query,
      })
    }
  }
  return segments
}
