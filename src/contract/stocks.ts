/** The exchange of US shares, as requests name it, and the identifier of its series where they come from Yahoo. */
export const stocksId = 'stocks'

/** What prices are adjusted for: splits, nothing, or splits and dividends. */
export const adjustments = ['split', 'raw', 'all'] as const
export type Adjustment = (typeof adjustments)[number]

/** The name of an exchange of stocks: `stocks`, `stocks-raw` or `stocks-all`. */
export const nameOfAdjustment = (adjustment: Adjustment): string =>
  adjustment === 'split' ? stocksId : `${stocksId}-${adjustment}`

/** Whether an exchange, by its name or identifier, is one of stocks. */
export const isStocks = (exchange: string): boolean =>
  exchange === stocksId || exchange.startsWith(`${stocksId}-`)

/** The source of the candles of an exchange of stocks, by its identifier: such as `yahoo` or `alpaca-iex`; undefined for other exchanges. */
export function stocksSourceOf(id: string): string | undefined {
  if (id === stocksId) return 'yahoo'
  return isStocks(id) ? id.slice(stocksId.length + 1).replace(/-(raw|all)$/, '') : undefined
}
