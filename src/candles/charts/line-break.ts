import type { Candle } from '../candle.js'
import { type BarMaker, type BarPrices, type BarRun, bodyOf, noBars, singleBar } from './bar-maker.js'

/**
 * Line break: a line is drawn when a close is beyond the last line in its direction, from that line's close, or beyond all of
 * the newest `lines` lines on the other side, from that line's open. The first line leads from the first close to the first
 * one that differs. Source: Nison, Beyond Candlesticks (1994), chapter 6; StockCharts ChartSchool, Three Line Break
 * Charts; stocktrends LineBreak.
 */
export class LineBreak implements BarMaker {
  readonly #lines: number
  /** The newest lines, the oldest first, and the first close before there is one. */
  readonly state = { newest: [] as readonly BarPrices[], first: undefined as number | undefined }

  constructor(lines: number) {
    this.#lines = lines
  }

  close({ close }: Candle): readonly BarRun[] {
    const line = this.#lineTo(close)
    if (!line) return noBars
    this.state.newest = [...this.state.newest, line].slice(-this.#lines)
    return singleBar(line)
  }

  #lineTo(close: number): BarPrices | undefined {
    const last = this.state.newest.at(-1)
    if (!last) {
      this.state.first ??= close
      return close === this.state.first ? undefined : bodyOf(this.state.first, close)
    }
    const isUp = last.close > last.open
    if (isUp ? close > last.close : close < last.close) return bodyOf(last.close, close)
    const isTurn = this.state.newest.every(({ high, low }) => (isUp ? close < low : close > high))
    return isTurn ? bodyOf(last.open, close) : undefined
  }
}
