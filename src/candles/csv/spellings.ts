import type { ColumnName } from '../columns.js'

/** Names of columns, preferred ones first, in the form of `normalize`. The German ones are also as files have them that lost their umlauts. */
export const spellings = {
  timestamp: [
    'opentime',
    'timeopen',
    'opentimestamp',
    'windowstart',
    'timestamp',
    'unix',
    'unixtime',
    'unixtimestamp',
    'epoch',
    'ts',
    't',
    'datetime',
    'time',
    'gmttime',
    'localtime',
    'date',
    'datum',
    'indexlevel0',
    'index',
  ],
  open: ['open', 'o', 'openprice', 'priceopen', 'eröffnung', 'erffnung', 'eröffn', 'erffn', 'erster'],
  high: ['high', 'h', 'highprice', 'pricehigh', 'hoch', 'höchst', 'hchst'],
  low: ['low', 'l', 'lowprice', 'pricelow', 'tief', 'tiefst'],
  close: [
    'close',
    'c',
    'closeprice',
    'priceclose',
    'closelast',
    'last',
    'schluss',
    'schlusskurs',
    'zuletzt',
    'price',
  ],
  volume: [
    'volumebase',
    'basevolume',
    'volbase',
    'basevol',
    'volume',
    'vol',
    'v',
    'stuecke',
    'stücke',
    'stcke',
    'volumen',
    'tickvolume',
    'tickvol',
  ],
} as const satisfies Record<ColumnName, readonly string[]>

/** Names of a column that has the symbol of each row. */
export const symbolNames = ['ticker', 'symbol']

/** Currencies in which volumes are given beside those in the base currency. */
export const quoteCurrencies = [
  'usd',
  'usdt',
  'usdc',
  'busd',
  'tusd',
  'fdusd',
  'eur',
  'gbp',
  'jpy',
  'krw',
  'try',
]

/** `Open time (UTC)`, `open_time` and `<OPENTIME>` are the same name, and so are `1. open` and `open`. */
export const normalize = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^\d+\. /, '')
    .replace(/\((?:utc|gmt|ms|s|unix)\)/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/(?<=.)(?:utc|gmt)$/, '')
