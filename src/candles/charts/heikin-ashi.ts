import type { Candle } from '../candle.js'
import { type BarMaker, type BarPrices, type BarRun, singleBar } from './bar-maker.js'

/**
 * A Heikin-Ashi candle after the one `before`, as the indicator `heikinashi` has it: the close is the mean of the candle's four prices, the open
 * the middle of the Heikin-Ashi candle before; the first open is the middle of the candle's own open and close.
 * Source: Valcu, "Using the Heikin-Ashi Technique", Technical Analysis of Stocks & Commodities 22:2 (2004).
 */
export function heikinAshi(candle: Candle, before: BarPrices = candle): BarPrices {
  const close = (candle.open + candle.high + candle.low + candle.close) / 4
  const open = (before.open + before.close) / 2
  return { open, high: Math.max(candle.high, open, close), low: Math.min(candle.low, open, close), close }
}

/** Makes the Heikin-Ashi candle of each candle. */
export class HeikinAshi implements BarMaker {
  readonly state = { before: undefined as BarPrices | undefined }

  close(candle: Candle): readonly BarRun[] {
    const bar = this.preview(candle)
    this.state.before = bar
    return singleBar(bar)
  }

  /** That of a candle which may still change. */
  preview(candle: Candle): BarPrices {
    return heikinAshi(candle, this.state.before)
  }
}
