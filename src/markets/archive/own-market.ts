import type { Candle } from '../../candles/candle.js'
import { divides, endOf, openOf, type Timeframe, timeframes } from '../../candles/timeframe.js'
import { nearSymbols } from '../../contract/hints.js'
import { marketKey, ownId } from '../../contract/market.js'
import { resample } from '../exchanges/resample.js'
import { type Source, SourceFailure } from '../exchanges/source.js'
import { type Archive, maxDepth } from './archive.js'

const allTimeframes = Object.keys(timeframes) as Timeframe[]
const keyOfOwn = (symbol: string, timeframe: Timeframe) => marketKey({ exchange: ownId, symbol, timeframe })

/** The exchange `own`: markets whose candles an import has stored. It has no candles beyond those of the archive. */
export class OwnSource implements Source {
  constructor(private readonly archive: Archive) {}

  async symbols(): Promise<readonly string[]> {
    const keys = await this.archive.keys(`${ownId}:`)
    return [...new Set(keys.map(key => key.slice(ownId.length + 1, key.lastIndexOf(':'))))].sort()
  }

  async candles(symbol: string, timeframe: Timeframe): Promise<readonly Candle[]> {
    const key = keyOfOwn(symbol, timeframe)
    await this.archive.prepare(key)
    if (this.archive.info(key).count > 0) return []
    throw await this.#failure(symbol, timeframe)
  }

  async #failure(symbol: string, timeframe: Timeframe): Promise<SourceFailure> {
    const symbols = await this.symbols()
    const near = nearSymbols(symbol, symbols)
    if (!symbols.includes(symbol))
      return new SourceFailure('unknown-symbol', `No candles of ${symbol} were imported`, { near })
    const stored = allTimeframes.filter(each => this.archive.info(keyOfOwn(symbol, each)).count > 0)
    const message = `${symbol} has no candles of ${timeframe} on ${ownId}, only of ${stored.join(', ')}`
    return new SourceFailure('no-series', message)
  }
}

/** Number of candles stored in one transaction. */
const pieceSize = 20_000

/**
 * Stores candles of the longer timeframes of an own market, made of its imported candles from `from` (Unix seconds) on.
 * A timeframe is made of the longest imported one that divides it. A candle is left out while its beginning or its end is
 * missing. Returns the timeframes that were made. Requires a prepared series.
 */
export async function storeLonger(
  archive: Archive,
  symbol: string,
  timeframe: Timeframe,
  from: number,
): Promise<readonly Timeframe[]> {
  for (const each of allTimeframes) await archive.prepare(keyOfOwn(symbol, each))
  const infoOf = (each: Timeframe) => archive.info(keyOfOwn(symbol, each))
  const key = keyOfOwn(symbol, timeframe)
  const finer = archive.info(key)
  const isImported = (each: Timeframe) => infoOf(each).count > 0 && !infoOf(each).isDerived
  const isBetween = (each: Timeframe, longer: Timeframe) =>
    timeframes[each] > timeframes[timeframe] && divides(each, longer) && isImported(each)
  const longer = allTimeframes.filter(
    each =>
      timeframes[each] > timeframes[timeframe] &&
      divides(timeframe, each) &&
      !allTimeframes.some(other => isBetween(other, each)),
  )
  const made = longer.filter(each => !straddles(archive, key, timeframe, each))
  for (const each of made) {
    const made = keyOfOwn(symbol, each)
    archive.setDerived(made, Math.min(maxDepth, finer.count))
    const whole = { from: finer.first, to: endOf(timeframe, finer.last) }
    for (const piece of longerPieces(archive, key, each, openOf(each, from), whole))
      archive.write(made, piece)
  }
  return made.filter(each => infoOf(each).count > 0)
}

/** Whether a candle belongs to two longer ones. Candles that begin with a session may open at any minute. */
function straddles(archive: Archive, key: string, timeframe: Timeframe, longer: Timeframe): boolean {
  for (const { columns, from, to } of archive.blocks(key))
    for (let at = from; at < to; at++) {
      const time = columns.timestamp[at] as number
      const end = time + timeframes[timeframe]
      if (openOf(timeframe, time) !== time && openOf(longer, time) !== openOf(longer, end - 1)) return true
    }
  return false
}

/** Yields the longer candles that lie within `whole`, ascending and in pieces. */
function* longerPieces(
  archive: Archive,
  key: string,
  longer: Timeframe,
  begin: number,
  whole: { readonly from: number; readonly to: number },
): Generator<readonly Candle[]> {
  const made: Candle[] = []
  for (const { columns, from, to } of archive.blocks(key, begin)) {
    const rest = Array.from({ length: to - from }, (_, at) => columns.read(from + at))
    const last = made.pop()
    // A made candle that continues in this block is folded like one of its parts.
    for (const candle of resample(last ? [last, ...rest] : rest, longer)) made.push(candle)
    if (made.length <= pieceSize) continue
    yield inWhole(made.splice(0, pieceSize), longer, whole)
  }
  yield inWhole(made, longer, whole)
}

const inWhole = (
  candles: readonly Candle[],
  timeframe: Timeframe,
  { from, to }: { readonly from: number; readonly to: number },
): readonly Candle[] =>
  candles.filter(({ timestamp }) => timestamp >= from && endOf(timeframe, timestamp) <= to)
