import { Columns, type Snapshot } from '../candles/columns.js'
import { jsonText } from './refusals.js'

/** The maximum of candles in one array. */
export const maxSuppliedCandles = 500

const fields = [
  ['open', 'o'],
  ['high', 'h'],
  ['low', 'l'],
  ['close', 'c'],
  ['volume', 'v'],
] as const

/** Above this a timestamp can only be milliseconds: as seconds it lies past the year 5138. */
const maxSeconds = 1e11

type Json = Readonly<Record<string, unknown>>

const quoted = (value: unknown): string => {
  const text = jsonText(value)
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

/**
 * Reads candles that a caller supplied, in the long or the short spelling, into columns: checked and transposed in
 * one pass. Without timestamps the open time of a candle is its index. Unknown fields are ignored. A fault is returned
 * as the text that names its place.
 */
export function readSuppliedCandles(candles: unknown): Snapshot | string {
  if (!Array.isArray(candles)) return 'candles must be an array of candles'
  const count = candles.length
  if (count === 0) return 'candles must hold at least 1 candle'
  if (count > maxSuppliedCandles)
    return `candles must hold at most ${maxSuppliedCandles} candles, got ${count}`
  const columns = Columns.unshared(count)
  let isTimed = false
  for (let i = 0; i < count; i++) {
    const candle: unknown = candles[i]
    if (typeof candle !== 'object' || candle === null || Array.isArray(candle)) {
      return `candles[${i}] must be an object with open, high, low, close and volume, got ${quoted(candle)}`
    }
    const given = candle as Json
    const fault = readValues(given, columns, i)
    if (fault !== undefined) return fault
    if (i === 0) isTimed = (given.timestamp ?? given.t) !== undefined
    const timeFault = readTimestamp(given, columns, i, isTimed)
    if (timeFault !== undefined) return timeFault
  }
  return { columns, closed: count, forming: undefined, count }
}

/** Reads prices and volume of candle `i`; returns the text of the first fault. */
function readValues(given: Json, columns: Columns, i: number): string | undefined {
  for (const [long, short] of fields) {
    const value = given[long] ?? given[short]
    if (value === undefined || value === null) {
      if (!(long in given) && !(short in given)) return `candles[${i}].${long} is missing`
      return `candles[${i}].${long in given ? long : short} must be a number, got null`
    }
    if (long in given && short in given) return `candles[${i}] has both ${long} and ${short}`
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return `candles[${i}].${long in given ? long : short} must be a number, got ${quoted(value)}`
    }
    columns[long][i] = value
  }
  if ((columns.high[i] as number) < (columns.low[i] as number))
    return `candles[${i}].high is below candles[${i}].low`
  if ((columns.volume[i] as number) < 0) return `candles[${i}].volume is negative`
  return undefined
}

/** Reads the open time of candle `i`, of which either all candles have one or none; returns the text of a fault. */
function readTimestamp(given: Json, columns: Columns, i: number, isTimed: boolean): string | undefined {
  if ('timestamp' in given && 't' in given) return `candles[${i}] has both timestamp and t`
  const time = given.timestamp ?? given.t
  if ((time !== undefined) !== isTimed) {
    return isTimed
      ? `candles[${i}].timestamp is missing: give it on every candle or on none`
      : `candles[${i}].timestamp is given, but not on the candles before it: give it on every candle or on none`
  }
  if (!isTimed) {
    columns.timestamp[i] = i
    return undefined
  }
  if (typeof time !== 'number' || !Number.isSafeInteger(time) || time < 0) {
    return `candles[${i}].timestamp must be a whole number of Unix seconds, got ${quoted(time)}`
  }
  if (time > maxSeconds)
    return `candles[${i}].timestamp is ${time}: Unix seconds are expected, this looks like milliseconds`
  if (i > 0 && time <= (columns.timestamp[i - 1] as number))
    return `candles[${i}].timestamp is not after candles[${i - 1}].timestamp`
  columns.timestamp[i] = time
  return undefined
}
