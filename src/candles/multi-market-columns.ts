import type { Candle } from './candle.js'
import { Columns, type Snapshot } from './columns.js'

/** Candles of another market. New closed candles are appended, and earlier ones never change. */
export interface OtherCandles {
  readonly columns: Columns
  /** Number of closed candles. */
  closed: number
  /** Next candle, if it has ended. It counts as closed although its market has not closed it yet. */
  ended?: Candle | undefined
  /** Index of the first candle in the columns, if the columns hold a part of a long history; else 0. */
  readonly first?: number
  /**
   * Loads the candles around index `at` into the columns. Later calls never go back. `closed` then counts the candles up to there.
   */
  hold?(at: number): void
}

/**
 * Columns of a market, together with the columns of the other markets of an expression. They are separate columns over the same
 * memory. If the candles of any market are replaced, these columns are replaced as well. So derived data are computed again, as
 * after a correction.
 */
export class MultiMarketColumns extends Columns {
  /** `replaced` are the previous columns of the same markets. */
  constructor(
    own: Columns,
    /** Other markets, in their order in the expression. */
    readonly others: readonly OtherCandles[],
    replaced?: MultiMarketColumns,
  ) {
    super(own.capacity, own.buffer, own.timestamp.byteOffset, replaced)
  }
}

/** Number of candles of another market that count as closed. */
export const countOf = ({ closed, ended }: OtherCandles): number => closed + (ended ? 1 : 0)

/** Open time of candle `at` of the candles that count as closed, in Unix seconds. */
export const openOf = ({ columns, closed, ended, first = 0 }: OtherCandles, at: number): number =>
  at < closed ? (columns.timestamp[at - first] as number) : (ended as Candle).timestamp

/** A forming candle, together with the forming candles of other markets that have one. */
export interface MultiMarketCandle extends Candle {
  readonly others: readonly (Candle | undefined)[]
}

/** Candles of the other markets in a snapshot for an expression over several markets. */
export const othersOf = ({ columns }: Pick<Snapshot, 'columns'>): readonly OtherCandles[] =>
  (columns as MultiMarketColumns).others

/** Forming candle of another market in a snapshot. */
export const formingOf = ({ forming }: Pick<Snapshot, 'forming'>, other: number): Candle | undefined =>
  (forming as MultiMarketCandle | undefined)?.others[other]
