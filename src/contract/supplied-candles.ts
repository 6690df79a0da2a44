import { Columns, type Snapshot } from '../candles/columns.js'
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
  timestampInMilliseconds,
  timestampNotAfter,
  tooManyCandles,
  unexpectedTimestamp,
} from './refusals.js'

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

/**
 * Reads candles that a caller supplied, in the long or the short spelling, into columns: checked and transposed in
 * one pass. Without timestamps the open time of a candle is its index. A fault is refused with a text that names its
 * place; fields beside the known ones are passed over.
 */
export function readSuppliedCandles(candles: unknown, place = 'candles'): Snapshot | Refusal {
  if (!Array.isArray(candles)) return candlesNotArray(place)
  const count = candles.length
  if (count === 0) return noCandles(place)
  if (count > maxSuppliedCandles) return tooManyCandles(place, maxSuppliedCandles, count)
  const columns = new Columns(count)
  let timed = false
  for (let i = 0; i < count; i++) {
    const candle: unknown = candles[i]
    if (typeof candle !== 'object' || candle === null || Array.isArray(candle)) {
      return candleNotObject(`${place}[${i}]`, candle)
    }
    const given = candle as Record<string, unknown>
    for (const [long, short] of fields) {
      const value = given[long] ?? given[short]
      if (value === undefined || value === null) {
        if (!(long in given) && !(short in given)) return missingPrice(`${place}[${i}].${long}`)
        return priceNotNumber(`${place}[${i}].${long in given ? long : short}`, null)
      }
      if (long in given && short in given) return repeatedCandleField(`${place}[${i}]`, long, short)
      if (typeof value !== 'number' || !Number.isFinite(value)) {
        return priceNotNumber(`${place}[${i}].${long in given ? long : short}`, value)
      }
      columns[long][i] = value
    }
    if ((columns.high[i] as number) < (columns.low[i] as number)) return highBelowLow(`${place}[${i}]`)
    if ((columns.volume[i] as number) < 0) return negativeVolume(`${place}[${i}]`)

    if ('timestamp' in given && 't' in given) return repeatedCandleField(`${place}[${i}]`, 'timestamp', 't')
    const time = given.timestamp ?? given.t
    if (i === 0) timed = time !== undefined
    if ((time !== undefined) !== timed) {
      return timed ? missingTimestamp(`${place}[${i}]`) : unexpectedTimestamp(`${place}[${i}]`)
    }
    if (!timed) {
      columns.timestamp[i] = i
      continue
    }
    if (typeof time !== 'number' || !Number.isSafeInteger(time) || time < 0) {
      return invalidTimestamp(`${place}[${i}]`, time)
    }
    if (time > latestSeconds) return timestampInMilliseconds(`${place}[${i}]`, time)
    if (i > 0 && time <= (columns.timestamp[i - 1] as number))
      return timestampNotAfter(`${place}[${i}]`, `${place}[${i - 1}]`)
    columns.timestamp[i] = time
  }
  return { columns, closed: count, forming: undefined, count }
}
