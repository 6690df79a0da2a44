import { Columns, type Snapshot } from '../candles/columns.js'
import { hasZeroForMissing } from '../candles/files/candle-reader.js'
import { normalize, spellings } from '../candles/files/spellings.js'
import type { JsonObject } from './json-value.js'
import { maxSuppliedCandles } from './limits.js'
import {
  candleNotObject,
  candlesNotArray,
  highBelowLow,
  invalidTimestamp,
  missingPrice,
  missingTimestamp,
  negativeVolume,
  noCandles,
  priceNotNumber,
  type Refusal,
  repeatedCandleField,
  timeOfOtherName,
  timestampInMilliseconds,
  timestampNotAfter,
  tooManyCandles,
  unexpectedTimestamp,
  zeroForMissing,
} from './refusals.js'

const fields = [
  ['open', 'o'],
  ['high', 'h'],
  ['low', 'l'],
  ['close', 'c'],
  ['volume', 'v'],
] as const

/** Maximum timestamp in seconds, in the year 5138. Larger timestamps are milliseconds. */
export const maxSeconds = 1e11

/**
 * Reads supplied candles, in the long or the short spelling, into columns. Checks and transposes them in one pass.
 * Without timestamps, the open time of a candle is its index. Ignores unknown fields, unless they are times. Refuses the
 * first fault with a text that names its place.
 */
export function readSuppliedCandles(candles: unknown, most = maxSuppliedCandles): Snapshot | Refusal {
  if (!Array.isArray(candles)) return candlesNotArray()
  const count = candles.length
  if (count === 0) return noCandles()
  if (count > most) return tooManyCandles(most, count)
  const columns = Columns.unshared(count)
  let isTimed = false
  for (let i = 0; i < count; i++) {
    const candle: unknown = candles[i]
    if (typeof candle !== 'object' || candle === null || Array.isArray(candle)) {
      return candleNotObject(i, candle)
    }
    const given = candle as JsonObject
    const fault = readValues(given, columns, i)
    if (fault !== undefined) return fault
    if (i === 0) isTimed = (given.timestamp ?? given.t) !== undefined
    const other = isTimed ? undefined : otherTimeOf(given)
    if (other !== undefined) return timeOfOtherName(i, other)
    const timeFault = readTimestamp(given, columns, i, isTimed)
    if (timeFault !== undefined) return timeFault
  }
  return { columns, closed: count, forming: undefined, count }
}

/** Refuses the first invalid candle of a table, or a candle whose time is not after the previous one. */
export function refuseCandles(columns: Columns, count: number): Refusal | undefined {
  const { timestamp, high, low, volume } = columns
  for (let i = 0; i < count; i++) {
    for (const [long] of fields) if (!Number.isFinite(columns[long][i])) return priceNotNumber(i, long, null)
    if ((high[i] as number) < (low[i] as number)) return highBelowLow(i)
    if ((volume[i] as number) < 0) return negativeVolume(i)
    if (hasZeroForMissing(columns.read(i))) return zeroForMissing(i)
    const time = timestamp[i] as number
    if (!Number.isSafeInteger(time) || time < 0 || time > maxSeconds) return invalidTimestamp(i, time)
    if (i > 0 && time <= (timestamp[i - 1] as number)) return timestampNotAfter(i)
  }
  return undefined
}

/** Maximum length of field names of times. */
const maxTimeName = 32
const timeNames = new Set([...spellings.timestamp, ...spellings.date, ...spellings.clock])

/** Name of a field that has the time under another name, in a candle without a timestamp. */
function otherTimeOf(given: JsonObject): string | undefined {
  for (const name in given)
    if (name !== 't' && name !== 'timestamp' && name.length <= maxTimeName && timeNames.has(normalize(name)))
      return name
  return undefined
}

/** Reads prices and volume of candle `i`. Returns the refusal of the first fault. */
function readValues(given: JsonObject, columns: Columns, i: number): Refusal | undefined {
  for (const [long, short] of fields) {
    const value = given[long] ?? given[short]
    if (value === undefined || value === null) {
      if (!(long in given) && !(short in given)) return missingPrice(i, long)
      return priceNotNumber(i, long in given ? long : short, null)
    }
    if (long in given && short in given) return repeatedCandleField(i, long, short)
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return priceNotNumber(i, long in given ? long : short, value)
    }
    columns[long][i] = value
  }
  if ((columns.high[i] as number) < (columns.low[i] as number)) return highBelowLow(i)
  if ((columns.volume[i] as number) < 0) return negativeVolume(i)
  return undefined
}

/** Reads the open time of candle `i`. Either all candles have an open time or none. Returns the refusal of a fault. */
function readTimestamp(
  given: JsonObject,
  columns: Columns,
  i: number,
  isTimed: boolean,
): Refusal | undefined {
  if ('timestamp' in given && 't' in given) return repeatedCandleField(i, 'timestamp', 't')
  const time = given.timestamp ?? given.t
  if ((time !== undefined) !== isTimed) {
    return isTimed ? missingTimestamp(i) : unexpectedTimestamp(i)
  }
  if (!isTimed) {
    columns.timestamp[i] = i
    return undefined
  }
  const fault = refuseTime(columns.timestamp, i, time)
  if (fault === undefined) columns.timestamp[i] = time as number
  return fault
}

/** Refuses an open time of candle `i` that is no Unix time, or not after that of the previous candle. */
export function refuseTime(timestamps: Float64Array, i: number, time: unknown): Refusal | undefined {
  if (typeof time !== 'number' || !Number.isSafeInteger(time) || time < 0) return invalidTimestamp(i, time)
  if (time > maxSeconds) return timestampInMilliseconds(i, time)
  return i > 0 && time <= (timestamps[i - 1] as number) ? timestampNotAfter(i) : undefined
}
