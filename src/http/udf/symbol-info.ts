import { timeframes } from '../../candles/timeframe.js'
import { isStocks } from '../../contract/market.js'
import { resolutions } from './resolutions.js'

/** The digits behind the point that prices have at most; more would be rounding. */
const maxDigits = 10

/** What the charting library wants to know of a symbol, with some of its newest closes. */
export function symbolInfo(exchange: string, symbol: string, closes: readonly number[]): object {
  const isStock = isStocks(exchange)
  const all = Object.values(resolutions)
  return {
    name: symbol.toUpperCase(),
    ticker: `${exchange}:${symbol.toUpperCase()}`,
    description: symbol.toUpperCase(),
    type: isStock ? 'stock' : 'crypto',
    exchange,
    listed_exchange: exchange,
    timezone: isStock ? 'America/New_York' : 'Etc/UTC',
    session: isStock ? '0930-1600' : '24x7',
    minmov: 1,
    pricescale: 10 ** Math.max(0, ...closes.map(digitsOf)),
    has_intraday: true,
    has_daily: true,
    has_weekly_and_monthly: true,
    supported_resolutions: all,
    intraday_multipliers: all.slice(0, Object.keys(timeframes).indexOf('1d')),
    volume_precision: isStock ? 0 : 8,
    data_status: 'streaming',
  }
}

/** The digits of a price behind the point. */
function digitsOf(price: number): number {
  const [mantissa = '', exponent = '0'] = String(price).split('e')
  const behind = mantissa.split('.')[1]?.length ?? 0
  return Math.min(maxDigits, Math.max(0, behind - Number(exponent)))
}
