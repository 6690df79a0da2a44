import { Columns, type Snapshot } from '../candles/columns.js'

/** The most candles one array may hold. */
export const maxSuppliedCandles = 500

const fields = [
  ['open', 'o'],
  ['high', 'h'],
  ['low', 'l'],
  ['close', 'c'],
  ['volume', 'v'],
] as const

/** Above this a timestamp can only be milliseconds: as seconds it lies past the year 5138. */
const latestSeconds = 1e11

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

/**
 * Reads candles that a caller supplied, in the long or the short spelling, into columns: checked and transposed in
 * one pass. Without timestamps the open time of a candle is its index. A fault is answered as the text that names
 * its place; fields beside the known ones are passed over.
 */
export function readSuppliedCandles(candles: unknown, place = 'candles'): Snapshot | string {
  if (!Array.isArray(candles)) return `${place} must be an array of candles`
  const count = candles.length
  if (count === 0) return `${place} must hold at least 1 candle`
  if (count > maxSuppliedCandles)
    return `${place} must hold at most ${maxSuppliedCandles} candles, got ${count}`
  const columns = new Columns(count)
  let timed = false
  for (let i = 0; i < count; i++) {
    const candle: unknown = candles[i]
    if (typeof candle !== 'object' || candle === null || Array.isArray(candle)) {
      return `${place}[${i}] must be an object with open, high, low, close and volume, got ${shown(candle)}`
    }
    const given = candle as Record<string, unknown>
    for (const [long, short] of fields) {
      const value = given[long] ?? given[short]
      if (value === undefined || value === null) {
        if (!(long in given) && !(short in given)) return `${place}[${i}].${long} is missing`
        return `${place}[${i}].${long in given ? long : short} must be a number, got null`
      }
      if (long in given && short in given) return `${place}[${i}] has both ${long} and ${short}`
      if (typeof value !== 'number' || !Number.isFinite(value)) {
        return `${place}[${i}].${long in given ? long : short} must be a number, got ${shown(value)}`
      }
      columns[long][i] = value
    }
    if ((columns.high[i] as number) < (columns.low[i] as number))
      return `${place}[${i}].high is below ${place}[${i}].low`
    if ((columns.volume[i] as number) < 0) return `${place}[${i}].volume is negative`

    if ('timestamp' in given && 't' in given) return `${place}[${i}] has both timestamp and t`
    const time = given.timestamp ?? given.t
    if (i === 0) timed = time !== undefined
    if ((time !== undefined) !== timed) {
      return timed
        ? `${place}[${i}].timestamp is missing: give it on every candle or on none`
        : `${place}[${i}].timestamp is given, but not on the candles before it: give it on every candle or on none`
    }
    if (!timed) {
      columns.timestamp[i] = i
      continue
    }
    if (typeof time !== 'number' || !Number.isSafeInteger(time) || time < 0) {
      return `${place}[${i}].timestamp must be a whole number of Unix seconds, got ${shown(time)}`
    }
    if (time > latestSeconds)
      return `${place}[${i}].timestamp is ${time}: Unix seconds are expected, this looks like milliseconds`
    if (i > 0 && time <= (columns.timestamp[i - 1] as number))
      return `${place}[${i}].timestamp is not after ${place}[${i - 1}].timestamp`
    columns.timestamp[i] = time
  }
  return { columns, closed: count, forming: undefined, count }
}
