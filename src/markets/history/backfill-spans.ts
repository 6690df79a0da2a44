import type { Gap } from '../../candles/gaps.js'
import { candlesBetween, endOf, type Timeframe } from '../../candles/timeframe.js'
import type { OpenTimes } from './open-times.js'

interface Options {
  /** When the archived candles open. */
  readonly times: OpenTimes
  /** When the candle opens that is forming now, in Unix seconds. */
  readonly now: number
  readonly timeframe: Timeframe
  /** The most candles that the exchange was asked for before. */
  readonly requestedDepth: number
  /** Candles, counted from the newest one, among which gaps are to be filled. */
  readonly depth: number
  /** The most candles that one request asks for. */
  readonly batchSize: number
}

/**
 * The spans of time to ask an exchange for, the newest first: from the newest archived candle to now, and the gaps
 * between archived ones. A gap among candles that the exchange was asked for before has no candles there, unless it is
 * as long as a batch: then a backfill was interrupted. Neighbouring gaps are one span where one request holds both.
 */
export function spansToFetch({
  times,
  now,
  timeframe,
  requestedDepth,
  depth,
  batchSize,
}: Options): readonly Gap[] {
  const { newest } = times
  if (newest === undefined) return []
  const spans: Gap[] = []
  const add = ({ from, to }: Gap) => {
    const later = spans.at(-1)
    if (later && candlesBetween(timeframe, from, later.to) <= batchSize)
      spans[spans.length - 1] = { from, to: later.to }
    else spans.push({ from, to })
  }
  // The newest candle is fetched again: it shows whether the exchange still counts in the same scale.
  if (endOf(timeframe, newest) < now) add({ from: newest, to: now })
  for (const { newer, ...gap } of times.gaps()) {
    if (newer >= depth) break
    const isEmpty = newer < requestedDepth && candlesBetween(timeframe, gap.from, gap.to) < batchSize
    if (!isEmpty) add(gap)
  }
  return spans
}
