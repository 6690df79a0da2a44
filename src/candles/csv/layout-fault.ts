import { quoteCell } from './cell.js'

/** Why a file has no layout. */
export interface LayoutFault {
  readonly reason: string
  /** What a command can be given so that it has one. */
  readonly option?: string
  /** Whether further rows may decide. */
  readonly isOpen?: boolean
}

/** The fault of a table with rows or columns of more than one market. */
export const severalMarkets = (first: string, second: string): LayoutFault => ({
  reason: `candles of several markets, such as ${quoteCell(first)} and ${quoteCell(second)}`,
  option: '--symbol',
})
