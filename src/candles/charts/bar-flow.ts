import type { Candle } from '../candle.js'
import { type CandleBlock, Columns } from '../columns.js'
import { capacityFor } from '../series.js'
import type { BarMaker, BarRun } from './bar-maker.js'
import type { Chart } from './chart.js'
import { HeikinAshi } from './heikin-ashi.js'
import { LineBreak } from './line-break.js'
import { RangeBars } from './range-bars.js'
import { Renko } from './renko.js'

/** What makes the bars of a chart. */
function makerOf(chart: Chart): BarMaker {
  switch (chart.kind) {
    case 'heikinashi':
      return new HeikinAshi()
    case 'renko':
      return new Renko(chart.size)
    case 'range':
      return new RangeBars(chart.size)
    case 'linebreak':
      return new LineBreak(chart.lines)
  }
}

/** The most bars that one candle completes; of more, the newest ones are bars. */
export const maxBarsOfCandle = 8_192

/** The bars that one candle completes. */
export interface CompletedBars {
  readonly runs: readonly BarRun[]
  /** How many there are. */
  readonly count: number
  /** The open time of the candle. */
  readonly time: number
  /** The volume since the last bar. */
  readonly volume: number
}

/** What a flow knows of the candles before, in plain values. */
export interface FlowState {
  readonly maker: object
  readonly volume: number
}

/**
 * The bars of a chart over closed candles, which come one after another. The time of a bar is the open time of the candle that
 * completes it, so several bars that one candle completes have the same one; all of them are there, or none. They share
 * equally the volume of the candles since the last bar.
 */
export class BarFlow {
  readonly #maker: BarMaker
  /** The volume since the last bar. */
  #volume = 0

  /** With the state of another flow it goes on behind the candles of that one. */
  constructor(chart: Chart, start?: FlowState) {
    this.#maker = makerOf(chart)
    if (!start) return
    Object.assign(this.#maker.state, structuredClone(start.maker))
    this.#volume = start.volume
  }

  get state(): FlowState {
    return { maker: structuredClone(this.#maker.state), volume: this.#volume }
  }

  /** Takes the next closed candle. The bars that it completes; undefined for none. */
  close(candle: Candle): CompletedBars | undefined {
    this.#volume += candle.volume
    const runs = this.#maker.close(candle)
    if (runs.length === 0) return undefined
    const count = runs.reduce((sum, run) => sum + run.count, 0)
    const completed = { runs, count, time: candle.timestamp, volume: this.#volume }
    this.#volume = 0
    return completed
  }

  /** The bar of a candle that is forming, where each candle has its own. */
  preview(candle: Candle): Candle | undefined {
    return this.#maker instanceof HeikinAshi ? { ...candle, ...this.#maker.preview(candle) } : undefined
  }

  /** The bars of the next candles, in blocks that end with the bars of a candle each; the last one may be empty. */
  *blocks({ columns: candles, from, to }: CandleBlock): Generator<CandleBlock> {
    let columns = Columns.unshared(blockSize)
    let count = 0
    for (let at = from; at < to; at++) {
      const completed = this.close(candles.read(at))
      if (!completed) continue
      const bars = Math.min(completed.count, maxBarsOfCandle)
      if (count + bars > columns.capacity) {
        if (count > 0) yield { columns, from: 0, to: count }
        columns = Columns.unshared(Math.max(blockSize, capacityFor(bars)))
        count = 0
      }
      count = writeBars(columns, count, completed, bars, 0)
    }
    yield { columns, from: 0, to: count }
  }
}

/** Bars of a block, where one candle has not more. */
const blockSize = 1024

/** Writes the newest `bars` bars of a candle, without the first `skipped` of these, to columns from `at` on. Where they end. */
export function writeBars(
  columns: Columns,
  at: number,
  { runs, count, time: timestamp, volume }: CompletedBars,
  bars: number,
  skipped: number,
): number {
  let end = at
  let place = bars - count
  for (const { count: length, bar } of runs) {
    for (let j = Math.max(0, skipped - place); j < length; j++)
      columns.write(end++, { timestamp, ...bar(j), volume: volume / bars })
    place += length
  }
  return end
}
