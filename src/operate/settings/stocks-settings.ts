import { providerNames } from '../../markets/exchanges/stocks/stocks.js'
import { setting } from './setting.js'
import { flag, oneOf, order, orWord, secret, stocksOptions } from './setting-formats.js'

/** The settings of the providers of stocks. */
export const stocksSettings = {
  STOCKS: setting(
    '{}',
    stocksOptions,
    'addresses and request rates of the providers of stocks, as a JSON object: `url` and `requestsPerSecond` are those of Yahoo',
    true,
  ),
  STOCKS_SOURCES: setting(
    providerNames.join(','),
    order(providerNames),
    'providers of stocks in the order in which they are used: the first one that has a key; see [Stocks](markets.md#stocks)',
  ),
  ALPACA_KEY: setting('off', orWord('off', secret), 'key of an Alpaca account, for stocks', true),
  ALPACA_SECRET: setting('off', orWord('off', secret), 'secret that belongs to `ALPACA_KEY`', true),
  ALPACA_FEED: setting(
    'iex',
    oneOf('iex', 'sip'),
    'trades that the candles of Alpaca are made of: `iex` (one exchange, in every plan) or `sip` (all exchanges)',
  ),
  MASSIVE_KEY: setting(
    'off',
    orWord('off', secret),
    'key of a Massive (formerly Polygon.io) account, for stocks',
    true,
  ),
  TWELVEDATA_KEY: setting('off', orWord('off', secret), 'key of a Twelve Data account, for stocks', true),
  STOCKS_YAHOO_SHARED: setting(
    'false',
    flag,
    'whether stocks come from Yahoo although the service has more than one key. Its data is “intended for personal use only”, as yfinance sums up its terms, and must not be redistributed: set it only where all keys are those of one person',
  ),
}
