import { didYouMean, nearNames } from './hints.js'
import { quote, type Refusal, refusal } from './refusal.js'

// What is refused of expressions that name other markets.

/** Candles of another market are not those of bars. */
export const otherMarketsBesideChart = (): Refusal =>
  refusal(400, 'chart cannot be given for an expression with the candles of another market')

export const otherMarketsInBulk = (): Refusal =>
  refusal(400, 'Candles of another market can be supplied to POST /expression only, as with')

/** The candles of other markets that were supplied are not those that the expression names. */
export const candlesOfMarketMissing = (market: string): Refusal =>
  refusal(
    400,
    `Missing required: the candles of {${quote(market)}}. Give them as with: { ${JSON.stringify(market)}: [...] }`,
  )

export const candlesOfNoMarket = (name: string, markets: readonly string[]): Refusal =>
  refusal(
    400,
    `Invalid with: the expression does not name {${quote(name)}}${didYouMean(nearNames(name, markets))}`,
  )
