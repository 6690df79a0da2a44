import { type Candle, indexAt, type Row } from './rows.js'

/** The close of another market at a candle of the chart; undefined if it had no candle then. */
export interface ComparedClose extends Row {
  readonly close: number | undefined
}

/**
 * The closes of another market at the candles of the chart. If its candles open at other times, the last candle that opened
 * within the chart's candle counts.
 */
export function closesAt(
  candles: readonly Row[],
  others: readonly Candle[],
  seconds: number,
): readonly ComparedClose[] {
  return candles.map(({ timestamp }, at) => {
    const end = candles[at + 1]?.timestamp ?? timestamp + seconds
    const other = others[indexAt(others, end) - 1]
    return { timestamp, close: other && other.timestamp >= timestamp ? other.close : undefined }
  })
}

/** Change of the closes since the first one on the screen, in per cent; undefined if unknown. */
export function changeSince(
  closes: readonly ComparedClose[],
  first: number,
  timestamp: number | undefined,
): number | undefined {
  const shown = closes.slice(indexAt(closes, first))
  const from = shown.find(({ close }) => close !== undefined)?.close
  const to =
    timestamp === undefined
      ? shown.findLast(({ close }) => close !== undefined)?.close
      : closes[indexAt(closes, timestamp)]?.close
  return from === undefined || to === undefined || from === 0 ? undefined : 100 * (to / from - 1)
}
