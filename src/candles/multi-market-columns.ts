import type { Candle } from './candle.js'
import { Columns, type Snapshot } from './columns.js'

/** The candles of another market. Those that close later are added; none of those before changes. */
export interface OtherCandles {
  readonly columns: Columns
  /** How many of them have closed. */
  closed: number
  /** The candle behind them, where it has ended and counts as closed though its market has not closed it yet. */
  ended?: Candle | undefined
  /** The index of the first one in the columns, where these hold a part of a long history; else 0. */
  readonly first?: number
  /** Has the columns hold the candles around `at`, which none of a later call lies before. Then `closed` counts those that it has come to. */
  hold?(at: number): void
}

/**
 * The columns of a market with those of other markets that an expression is computed over. They are columns of their own, over the
 * same memory: where the candles of any of the markets are replaced by others, so are they. So what is kept of them is computed
 * again, as after a correction.
 */
export class MultiMarketColumns extends Columns {
  /** `replaced` are those of the same markets before. */
  constructor(
    own: Columns,
    /** In the order of the markets of the expression. */
    readonly others: readonly OtherCandles[],
    replaced?: MultiMarketColumns,
  ) {
    super(own.capacity, own.buffer, own.timestamp.byteOffset, replaced)
  }
}

/** How many candles of another market count as closed. */
export const countOf = ({ closed, ended }: OtherCandles): number => closed + (ended ? 1 : 0)

/** When candle `at` of those that count as closed opens, in Unix seconds. */
export const openOf = ({ columns, closed, ended, first = 0 }: OtherCandles, at: number): number =>
  at < closed ? (columns.timestamp[at - first] as number) : (ended as Candle).timestamp

/** A forming candle beside the forming candles of other markets, as far as these have one. */
export interface MultiMarketCandle extends Candle {
  readonly others: readonly (Candle | undefined)[]
}

/** The candles of the other markets of a snapshot that an expression over several markets is computed over. */
export const othersOf = ({ columns }: Pick<Snapshot, 'columns'>): readonly OtherCandles[] =>
  (columns as MultiMarketColumns).others

/** The forming candle of another market beside that of a snapshot. */
export const formingOf = ({ forming }: Pick<Snapshot, 'forming'>, other: number): Candle | undefined =>
  (forming as MultiMarketCandle | undefined)?.others[other]
