import type { Candle } from '../candle.js'
import { type BarMaker, type BarPrices, type BarRun, singleBar } from './bar-maker.js'

/**
 * Heikin-Ashi candle after the Heikin-Ashi candle `before`, as in the indicator `heikinashi`. The close is the mean of the four
 * prices of the candle. The open is the midpoint of the open and close of `before`. The first open is the midpoint of the candle's
 * own open and close.
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

  /** Heikin-Ashi candle of a candle that may still change. */
  preview(candle: Candle): BarPrices {
    return heikinAshi(candle, this.state.before)
  }
}
