import { seriesOfChunk, seriesOfHead } from './archive-keys.js'
import { CorruptChunk, readChunk } from './chunk-codec.js'
import { decodeHead } from './series-head.js'

/** What is stored under a key of a damaged archive; undefined where it cannot be read. */
export interface StoredEntry {
  readonly key: string
  readonly bytes: Uint8Array | undefined
}

/** What can be kept of one series of a damaged archive. */
export interface SalvagedSeries {
  readonly series: string
  /** Sound chunks without a hole between them that the damage has made, in the order of time. */
  readonly chunks: readonly (readonly [chunk: string, bytes: Uint8Array])[]
}

/** What was found in a damaged archive. */
export interface Findings {
  kept: number
  /** Chunks that were found and are of no use: they are damaged, or older than a hole. */
  dropped: number
  /** Places in the file where entries of an unknown number are lost. */
  holes: number
  /** The depths that operators had set, by series. */
  readonly depths: Map<string, number>
}

/**
 * What can be kept of an archive, series by series. `entries` are in the order of their keys, chunks before heads;
 * 'lost' stands where others cannot be read. Of a series with a hole only what follows it is kept: the service fetches
 * older candles again, but it would not notice the hole. A series comes a second time where a damaged key stands within
 * it; what comes last is to be kept.
 */
export function* salvage(
  entries: Iterable<StoredEntry | 'lost'>,
  findings: Findings,
): Generator<SalvagedSeries> {
  let series: string | undefined
  let chunks: (readonly [string, Uint8Array])[] = []
  let isAfterHole = false
  const finish = function* (): Generator<SalvagedSeries> {
    findings.kept += chunks.length
    if (series !== undefined && chunks.length > 0) yield { series, chunks }
    chunks = []
  }
  for (const entry of entries) {
    if (entry === 'lost') {
      findings.holes++
      isAfterHole = true
      continue
    }
    const { key, bytes } = entry
    const owner = seriesOfChunk(key)
    if (owner === undefined) {
      if (key.startsWith('head/')) findings.depths.set(seriesOfHead(key), decodeHead(bytes)?.depth ?? 0)
      // A key that is damaged stands where a chunk was.
      else if (!key.startsWith('symbols/') && !key.startsWith('corrections/')) isAfterHole = true
      continue
    }
    if (owner !== series) yield* finish()
    series = owner
    const isSound = bytes !== undefined && isSoundChunk(key, bytes)
    if (isAfterHole || !isSound) {
      findings.dropped += chunks.length + (isSound ? 0 : 1)
      chunks = []
    }
    isAfterHole = false
    if (isSound) chunks.push([key, bytes])
  }
  yield* finish()
}

function isSoundChunk(chunk: string, bytes: Uint8Array): boolean {
  try {
    readChunk(chunk, bytes)
    return true
  } catch (error) {
    if (error instanceof CorruptChunk) return false
    throw error
  }
}
