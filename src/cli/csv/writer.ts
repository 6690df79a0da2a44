import { type Columns, columnNames } from '../../candles/columns.js'
import { formatTime } from '../../candles/format-time.js'

/** The lines of a CSV file with candles `from` to `to` (exclusive), preceded by a header; times are Unix seconds. */
export function* writeCsv(columns: Columns, from: number, to: number): Generator<string> {
  yield `${columnNames.join(',')}\n`
  // JavaScript prints a number as the shortest text that reads back as the same number, so nothing is lost.
  for (let at = from; at < to; at++) yield `${columnNames.map(name => columns[name][at]).join(',')}\n`
}

/** The same candles as a JSON array with one of them in each line. */
export function* writeJson(columns: Columns, from: number, to: number): Generator<string> {
  if (from >= to) yield '[]\n'
  for (let at = from; at < to; at++) {
    const candle = columns.read(at)
    const text = JSON.stringify({ ...candle, timestampHuman: formatTime(candle.timestamp) })
    yield `${at === from ? '[\n' : ',\n'}${text}${at === to - 1 ? '\n]\n' : ''}`
  }
}
