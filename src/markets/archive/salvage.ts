import { seriesOfChunk, seriesOfHead } from './archive-keys.js'
import { CorruptChunk, readChunk } from './chunk-codec.js'
import { decodeHead } from './series-head.js'

/** Entry of a damaged archive; its bytes are undefined if they cannot be read. */
export interface StoredEntry {
  readonly key: string
  readonly bytes: Uint8Array | undefined
}

/** Part of one series that can be kept from a damaged archive. */
export interface SalvagedSeries {
  readonly series: string
  /** Sound chunks in the order of time, without a hole made by the damage. */
  readonly chunks: readonly (readonly [chunk: string, bytes: Uint8Array])[]
}

/** Counts from a damaged archive. */
export interface Findings {
  kept: number
  /** Chunks that were found but not kept: damaged, or older than a hole. */
  dropped: number
  /** Places in the file where an unknown number of entries is lost. */
  holes: number
  /** Depths set by operators, by series. */
  readonly depths: Map<string, number>
}

/**
 * Recovers an archive series by series. `entries` are in the order of their keys, chunks before heads; 'lost'
 * stands for unreadable entries. If a series has a hole, only the candles after it are kept. The service fetches
 * older candles again, but would not notice the hole. A series comes a second time if a damaged key is within it;
 * then keep the last result.
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
      // A damaged key is in the position of a chunk.
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
