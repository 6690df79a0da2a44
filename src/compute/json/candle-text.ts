import type { Candle } from '../../candles/candle.js'
import type { Columns } from '../../candles/columns.js'
import { createTimeFormat, formatTime } from '../../candles/format-time.js'
import { formatNumber, type NumberWriter } from './number-writer.js'

const pricesText = (
  timestamp: number,
  time: string,
  open: string,
  high: string,
  low: string,
  close: string,
  volume: string,
): string =>
  `{"timestamp":${timestamp},"timestampHuman":"${time}","open":${open},"high":${high},"low":${low},"close":${close},"volume":${volume}}`

/** Formats a candle as in the reply of `GET /candles`. */
export const candleText = ({ timestamp, open, high, low, close, volume }: Candle): string =>
  pricesText(
    timestamp,
    formatTime(timestamp),
    formatNumber(open),
    formatNumber(high),
    formatNumber(low),
    formatNumber(close),
    formatNumber(volume),
  )

/**
 * Formats the candles [from, to), at most `NumberWriter.batchSize`, separated by commas. Equal to `candleText`, but
 * twice as fast.
 */
export function candlesText(columns: Columns, from: number, to: number, writer: NumberWriter): string {
  const timeText = createTimeFormat()
  const texts = (column: Float64Array) => writer.texts(column.subarray(from, to), to - from)
  const [open, high, low] = [texts(columns.open), texts(columns.high), texts(columns.low)]
  const [close, volume] = [texts(columns.close), texts(columns.volume)]
  let list = ''
  for (let k = 0; k < to - from; k++) {
    const timestamp = columns.timestamp[from + k] as number
    const text = pricesText(
      timestamp,
      timeText(timestamp),
      open[k] as string,
      high[k] as string,
      low[k] as string,
      close[k] as string,
      volume[k] as string,
    )
    list += k === 0 ? text : `,${text}`
  }
  return list
}
