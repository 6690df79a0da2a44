import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { Candle } from '../../src/candles/candle.js'
import type { TimesKind } from '../../src/contract/market.js'
import { periods, timesBetween, valueAt } from './derivatives.js'

/** Binance's names of the intervals, in milliseconds; a month counts with its greatest length. */
const intervals: Readonly<Record<string, number>> = {
  '1s': 1000,
  '1m': 60_000,
  '3m': 180_000,
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '2h': 7_200_000,
  '4h': 14_400_000,
  '6h': 21_600_000,
  '8h': 28_800_000,
  '12h': 43_200_000,
  '1d': 86_400_000,
  '3d': 259_200_000,
  '1w': 604_800_000,
  '1M': 2_678_400_000,
}
/** Weeks open on Mondays; the epoch was a Thursday. */
const originOf = (interval: string) => (interval === '1w' ? 345_600_000 : 0)

/** Open time of the candle that contains a time, or of the candle `later` candles after it. */
function openOf(interval: string, time: number, later = 0): number {
  const date = new Date(time)
  if (interval === '1M') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later)
  const length = intervals[interval] as number
  const origin = originOf(interval)
  return (Math.floor((time - origin) / length) + later) * length + origin
}

export type Venue = 'spot' | 'linear' | 'inverse'

/** A market of the server. Times are Unix milliseconds. */
export interface BinanceMarket {
  readonly venue: Venue
  /** Binance's own symbol, such as BTCUSDT, BTCUSDT_260327 or BTCUSD_PERP. */
  readonly symbol: string
  readonly base: string
  readonly quote: string
  readonly isTrading?: boolean
  /** Price around which the market moves. */
  readonly price: number
  /** The open of the first candle. */
  readonly listed: number
  /** Spans [from, to) in which nothing was traded, so that there are no candles. */
  readonly gaps?: readonly (readonly [from: number, to: number])[]
  /** Delivery of a dated future; a contract without it is perpetual. */
  readonly delivery?: number
  /** Groups of accounts that may trade on a spot market. */
  readonly permissions?: readonly string[]
}

const markets2017 = Date.UTC(2017, 7, 17, 4)
const markets2019 = Date.UTC(2019, 8, 8, 17)

/** The default markets of a server. */
export const defaultMarkets: readonly BinanceMarket[] = [
  { venue: 'spot', symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', price: 64_000, listed: markets2017 },
  { venue: 'spot', symbol: 'ETHUSDT', base: 'ETH', quote: 'USDT', price: 3100, listed: markets2017 },
  { venue: 'spot', symbol: 'ETHBTC', base: 'ETH', quote: 'BTC', price: 0.048, listed: markets2017 },
  {
    venue: 'spot',
    symbol: 'LUNAUSDT',
    base: 'LUNA',
    quote: 'USDT',
    price: 0.4,
    listed: markets2019,
    isTrading: false,
  },
  { venue: 'linear', symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', price: 64_040, listed: markets2019 },
  {
    venue: 'linear',
    symbol: '1000PEPEUSDT',
    base: '1000PEPE',
    quote: 'USDT',
    price: 0.011,
    listed: markets2019,
  },
  {
    venue: 'linear',
    symbol: 'BTCUSDT_991231',
    base: 'BTC',
    quote: 'USDT',
    price: 64_900,
    listed: markets2019,
    delivery: Date.UTC(2099, 11, 31, 8),
  },
  { venue: 'inverse', symbol: 'BTCUSD_PERP', base: 'BTC', quote: 'USD', price: 64_030, listed: markets2019 },
  {
    venue: 'inverse',
    symbol: 'BTCUSD_991231',
    base: 'BTC',
    quote: 'USD',
    price: 64_890,
    listed: markets2019,
    delivery: Date.UTC(2099, 11, 31, 8),
  },
]

/** A list of spot markets with as many groups of accounts each as Binance has: larger than 2 MB. */
export function manyMarkets(): readonly BinanceMarket[] {
  const groups = Array.from({ length: 150 }, (_, k) => `TRD_GRP_${String(k + 1).padStart(3, '0')}`)
  return Array.from({ length: 1000 }, (_, k) => {
    const base = `C${String(k).padStart(4, '0')}`
    const permissions = ['SPOT', 'MARGIN', ...groups]
    return {
      ...{ venue: 'spot', symbol: `${base}USDT`, base, quote: 'USDT' },
      ...{ price: 10 + k, listed: markets2017, permissions },
    }
  })
}

/**
 * A row of `klines` as Binance sends it: times in milliseconds, prices and volumes as decimal text. COIN-M contracts count
 * `volume` in contracts and have the volume in the base currency instead of `quoteVolume`.
 */
export type Kline = [
  openTime: number,
  open: string,
  high: string,
  low: string,
  close: string,
  volume: string,
  closeTime: number,
  quoteVolume: string,
  trades: number,
  takerBase: string,
  takerQuote: string,
  unused: string,
]

/** Random numbers in [0, 1) by market, always the same ones. */
const noiseTables = new Map<string, Float64Array>()
const noiseLength = 4096

function noiseOf({ venue, symbol }: BinanceMarket): Float64Array {
  const name = `${venue}:${symbol}`
  let table = noiseTables.get(name)
  if (table === undefined) {
    const generator = xoroshiro128plus(createHash('sha256').update(name).digest().readInt32LE())
    table = Float64Array.from({ length: noiseLength }, () => uniformFloat64(generator))
    noiseTables.set(name, table)
  }
  return table
}

/** The entry of a table that repeats endlessly. */
const entryAt = (table: Float64Array, index: number): number =>
  table[Math.floor(index) % noiseLength] as number

/** Wave lengths (milliseconds) and heights (share of the price) that the price is composed of. */
const waves = [
  [20_000, 0.0004],
  [180_000, 0.001],
  [2_700_000, 0.004],
  [36_000_000, 0.015],
  [520_000_000, 0.06],
  [9_400_000_000, 0.25],
] as const

/** The price at a time, the same one in every interval. */
function priceAt(market: BinanceMarket, time: number, table = noiseOf(market)): number {
  let logarithm = 0
  for (const [wave, [length, height]] of waves.entries()) {
    // Every wave starts at another entry of the table.
    const position = time / length + (wave * noiseLength) / waves.length
    const share = position - Math.floor(position)
    const smooth = share * share * (3 - 2 * share)
    const from = entryAt(table, position)
    const to = entryAt(table, position + 1)
    logarithm += height * (from + (to - from) * smooth - 0.5)
  }
  return market.price * Math.exp(logarithm)
}

const samples = 8
/** Dollars that one COIN-M contract is worth. */
const contractSize = 100

/** Closed candles by their open, per market, price and length: tests request the same ones many times. */
const closedKlines = new Map<string, Map<number, Kline>>()
const maxClosed = 20_000

/** The state of the candle that opens at `open`, at the time `now` (milliseconds). */
export function klineAt(market: BinanceMarket, open: number, length: number, now: number): Kline {
  if (now < open + length) return computeKline(market, open, length, now)
  const name = `${market.venue}:${market.symbol}:${market.price}:${length}`
  let known = closedKlines.get(name)
  if (known === undefined || known.size > maxClosed) {
    known = new Map()
    closedKlines.set(name, known)
  }
  let kline = known.get(open)
  if (kline === undefined) {
    kline = computeKline(market, open, length, now)
    known.set(open, kline)
  }
  return kline
}

function computeKline(market: BinanceMarket, open: number, length: number, now: number): Kline {
  const table = noiseOf(market)
  const end = Math.min(open + length, now)
  const decimals = market.price < 1 ? 8 : 2
  const first = priceAt(market, open, table)
  const last = priceAt(market, end, table)
  let high = Math.max(first, last)
  let low = Math.min(first, last)
  for (let k = 1; k < samples; k++) {
    const time = open + (length * k) / samples
    if (time >= end) break
    const price = priceAt(market, time, table)
    high = Math.max(high, price)
    low = Math.min(low, price)
  }
  const elapsed = (end - open) / length
  const volume = (length / 60_000) * (5 + 40 * entryAt(table, open / length)) * elapsed
  const inBase = market.venue === 'inverse'
  const traded = inBase ? Math.round((volume * last) / contractSize) : volume
  const taken = traded * (0.3 + 0.4 * entryAt(table, open / length + 1))
  return [
    open,
    first.toFixed(decimals),
    high.toFixed(decimals),
    low.toFixed(decimals),
    last.toFixed(decimals),
    inBase ? String(traded) : traded.toFixed(5),
    open + length - 1,
    (inBase ? (traded * contractSize) / last : traded * last).toFixed(8),
    Math.floor(volume * 12),
    inBase ? taken.toFixed(0) : taken.toFixed(5),
    (inBase ? (taken * contractSize) / last : taken * last).toFixed(8),
    '0',
  ]
}

/** The klines of a reply: from `start` on, or the last ones up to `end`, as Binance has them. */
function klines(
  market: BinanceMarket,
  interval: string,
  now: number,
  { start, end = now, limit }: { start?: number | undefined; end?: number | undefined; limit: number },
): Kline[] {
  const isTraded = (open: number) => !market.gaps?.some(([from, to]) => open >= from && open < to)
  const oldest = Math.max(
    openOf(interval, market.listed),
    start === undefined ? 0 : openOf(interval, start - 1, 1),
  )
  const newest = openOf(interval, Math.min(end, now))
  const opens: number[] = []
  if (start === undefined) {
    for (let open = newest; open >= oldest && opens.length < limit; open = openOf(interval, open - 1))
      if (isTraded(open)) opens.push(open)
    opens.reverse()
  } else {
    for (let open = oldest; open <= newest && opens.length < limit; open = openOf(interval, open, 1))
      if (isTraded(open)) opens.push(open)
  }
  return opens.map(open => klineAt(market, open, openOf(interval, open, 1) - open, now))
}

const spotInfo = ({
  symbol,
  base,
  quote,
  isTrading = true,
  price,
  permissions = ['SPOT', 'MARGIN'],
}: BinanceMarket) => ({
  symbol,
  status: isTrading ? 'TRADING' : 'BREAK',
  baseAsset: base,
  baseAssetPrecision: 8,
  quoteAsset: quote,
  quotePrecision: 8,
  quoteAssetPrecision: 8,
  baseCommissionPrecision: 8,
  quoteCommissionPrecision: 8,
  orderTypes: [
    'LIMIT',
    'LIMIT_MAKER',
    'MARKET',
    'STOP_LOSS',
    'STOP_LOSS_LIMIT',
    'TAKE_PROFIT',
    'TAKE_PROFIT_LIMIT',
  ],
  icebergAllowed: true,
  ocoAllowed: true,
  otoAllowed: true,
  quoteOrderQtyMarketAllowed: true,
  allowTrailingStop: true,
  cancelReplaceAllowed: true,
  amendAllowed: true,
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: isTrading,
  filters: [
    price < 1
      ? {
          filterType: 'PRICE_FILTER',
          minPrice: '0.00000001',
          maxPrice: '1000.00000000',
          tickSize: '0.00000001',
        }
      : {
          filterType: 'PRICE_FILTER',
          minPrice: '0.01000000',
          maxPrice: '1000000.00000000',
          tickSize: '0.01000000',
        },
    { filterType: 'LOT_SIZE', minQty: '0.00001000', maxQty: '9000.00000000', stepSize: '0.00001000' },
    { filterType: 'ICEBERG_PARTS', limit: 100 },
    { filterType: 'MARKET_LOT_SIZE', minQty: '0.00000000', maxQty: '78.31460000', stepSize: '0.00000000' },
    { filterType: 'TRAILING_DELTA', minTrailingAboveDelta: 10, maxTrailingAboveDelta: 2000 },
    { filterType: 'PERCENT_PRICE_BY_SIDE', bidMultiplierUp: '5', bidMultiplierDown: '0.2', avgPriceMins: 5 },
    {
      filterType: 'NOTIONAL',
      minNotional: '5.00000000',
      applyMinToMarket: true,
      maxNotional: '9000000.00000000',
      avgPriceMins: 5,
    },
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders: 200 },
    { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 5 },
  ],
  permissions: [],
  permissionSets: [permissions],
  defaultSelfTradePreventionMode: 'EXPIRE_MAKER',
  allowedSelfTradePreventionModes: ['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH'],
})

/** The delivery date of contracts that are never delivered, as Binance sends it. */
const never = 4_133_404_800_000

const contractInfo = ({
  venue,
  symbol,
  base,
  quote,
  isTrading = true,
  price,
  listed,
  delivery,
}: BinanceMarket) => ({
  symbol,
  pair: base + quote,
  contractType: delivery === undefined ? 'PERPETUAL' : 'CURRENT_QUARTER',
  deliveryDate: delivery ?? never,
  onboardDate: listed,
  [venue === 'linear' ? 'status' : 'contractStatus']: isTrading ? 'TRADING' : 'SETTLING',
  ...(venue === 'inverse' ? { contractSize, equalQtyPrecision: 4 } : {}),
  maintMarginPercent: '2.5000',
  requiredMarginPercent: '5.0000',
  baseAsset: base,
  quoteAsset: quote,
  marginAsset: venue === 'linear' ? quote : base,
  pricePrecision: price < 1 ? 7 : 1,
  quantityPrecision: venue === 'linear' ? 3 : 0,
  baseAssetPrecision: 8,
  quotePrecision: 8,
  underlyingType: 'COIN',
  underlyingSubType: [],
  triggerProtect: '0.0500',
  liquidationFee: '0.012500',
  marketTakeBound: '0.05',
  filters: [
    {
      filterType: 'PRICE_FILTER',
      minPrice: price < 1 ? '0.0000001' : '0.1',
      maxPrice: '4529764',
      tickSize: price < 1 ? '0.0000001' : '0.1',
    },
    { filterType: 'LOT_SIZE', minQty: '0.001', maxQty: '1000', stepSize: '0.001' },
    { filterType: 'MARKET_LOT_SIZE', minQty: '0.001', maxQty: '120', stepSize: '0.001' },
    { filterType: 'MAX_NUM_ORDERS', limit: 200 },
    { filterType: 'MIN_NOTIONAL', notional: '100' },
    { filterType: 'PERCENT_PRICE', multiplierUp: '1.0500', multiplierDown: '0.9500', multiplierDecimal: '4' },
  ],
  orderTypes: [
    'LIMIT',
    'MARKET',
    'STOP',
    'STOP_MARKET',
    'TAKE_PROFIT',
    'TAKE_PROFIT_MARKET',
    'TRAILING_STOP_MARKET',
  ],
  timeInForce: ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'],
})

const rateLimits: Readonly<Record<Venue, object[]>> = {
  spot: [
    { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6000 },
    { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 100 },
    { rateLimitType: 'RAW_REQUESTS', interval: 'MINUTE', intervalNum: 5, limit: 61_000 },
  ],
  linear: [{ rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 2400 }],
  inverse: [{ rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 2400 }],
}

const venues: Readonly<Record<string, Venue>> = {
  '/api/v3': 'spot',
  '/fapi/v1': 'linear',
  '/dapi/v1': 'inverse',
}

/** Behaviour of the server instead of the correct reply. */
export type Fault =
  /** An error in Binance's shape. */
  | {
      readonly kind: 'error'
      readonly status: number
      readonly code: number
      readonly msg: string
      readonly retryAfter?: number | string
    }
  /** A page for people, as proxies and firewalls send it. */
  | { readonly kind: 'html'; readonly status: number }
  /** 200 with a JSON text that ends half-way. */
  | { readonly kind: 'truncated' }
  /** The connection ends before the headers, or in the middle of the body. */
  | { readonly kind: 'drop' }
  | { readonly kind: 'break' }
  /** The correct reply, but not before the promise is fulfilled; the headers may come at once. */
  | { readonly kind: 'wait'; readonly until: Promise<unknown>; readonly headersFirst?: boolean }
  /** A reply that the test writes. */
  | { readonly kind: 'written'; write(response: ServerResponse): void }
  /** The correct klines, changed. */
  | { readonly kind: 'rows'; change(row: Kline, index: number): unknown }
  /** The correct list of klines, changed as a whole. */
  | { readonly kind: 'list'; change(rows: readonly unknown[]): readonly unknown[] }

/** The faults that Binance documents, in its own words. */
export const faults = {
  tooManyRequests: (retryAfter?: number | string): Fault => ({
    kind: 'error',
    status: 429,
    code: -1003,
    msg: 'Too much request weight used; current limit is 6000 request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.',
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }),
  banned: (retryAfter: number): Fault => ({
    kind: 'error',
    status: 418,
    code: -1003,
    msg: 'Way too much request weight used; IP banned until 1893456000000. Please use WebSocket Streams for live updates to avoid bans.',
    retryAfter,
  }),
  internal: {
    kind: 'error',
    status: 500,
    code: -1000,
    msg: 'An unknown error occurred while processing the request.',
  },
  unavailable: {
    kind: 'error',
    status: 503,
    code: -1008,
    msg: 'Server is currently overloaded with other requests. Please try again in a few minutes.',
  },
  restricted: {
    kind: 'error',
    status: 451,
    code: 0,
    msg: 'Service unavailable from a restricted location according to b. Eligibility.',
  },
  illegal: {
    kind: 'error',
    status: 400,
    code: -1100,
    msg: "Illegal characters found in parameter 'startTime'; legal range is '^[0-9]{1,20}$'.",
  },
  invalidSymbol: { kind: 'error', status: 400, code: -1121, msg: 'Invalid symbol.' },
  gatewayPage: { kind: 'html', status: 502 },
  page: { kind: 'html', status: 200 },
  truncated: { kind: 'truncated' },
  drop: { kind: 'drop' },
  break: { kind: 'break' },
  /** No reply until the server closes. */
  silence: { kind: 'wait', until: new Promise(() => {}) },
  /** Headers and half a body, then nothing more. */
  stall: { kind: 'wait', until: new Promise(() => {}), headersFirst: true },
} as const satisfies Record<string, Fault | ((...details: never[]) => Fault)>

export interface BinanceSettings {
  /** The server's time in Unix milliseconds; the market's history is a function of it. Default: the machine's. */
  readonly clock?: () => number
  readonly markets?: readonly BinanceMarket[]
  /** Maximum rows of one reply, if it is lower than Binance's own limit. */
  readonly rowLimit?: number
}

/** A Binance on the loopback interface. */
export interface Binance {
  /** The address without a trailing slash, such as http://127.0.0.1:40123. */
  readonly url: string
  /** Requests so far, of one path or of all. */
  requests(path?: string): number
  /** The addresses of all requests, in order. */
  readonly seen: readonly URL[]
  /**
   * Makes the next `times` requests of a path suffer a fault, after those of earlier calls; the returned function heals
   * them.
   */
  fail(path: string, fault: Fault, times?: number): () => void
  /** Fulfilled after `count` requests of a path. */
  requested(path: string, count?: number): Promise<void>
  /** The exchange's present candles: the newest `count` candles of a market, the last one forming. */
  truth(symbol: string, interval: string, count: number, venue?: Venue): Candle[]
  /** Connections that are open. */
  connections(): Promise<number>
  close(): Promise<void>
}

/** Settings that make ccxt's Binance clients use the server at `url` without a rate limit. */
export function ccxtOptions(url: string) {
  const spot = `${url}/api/v3`
  const linear = `${url}/fapi/v1`
  const inverse = `${url}/dapi/v1`
  return {
    rateLimit: 1,
    urls: {
      api: {
        public: spot,
        private: spot,
        fapiPublic: linear,
        fapiPrivate: linear,
        dapiPublic: inverse,
        dapiPrivate: inverse,
        fapiData: `${url}/futures/data`,
      },
    },
  }
}

/** Mark and index prices as multiples of the last price, by the path of their candles. */
export const priceShares: Readonly<Record<string, number>> = {
  klines: 1,
  markPriceKlines: 1.0002,
  indexPriceKlines: 0.9995,
}

/** A row with its prices times `share`. Mark and index prices have no volume. */
function pricedBy(share: number, [open, ...row]: Kline): Kline {
  if (share === 1) return [open, ...row]
  const prices = row.slice(0, 4).map(price => (Number(price) * share).toFixed(8))
  return [open, ...prices, '0', ...row.slice(5)] as unknown as Kline
}

class Refused extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** A whole number of the query; undefined if it is missing. */
function integerOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^[0-9]{1,20}$/.test(text)) {
    throw new Refused(
      -1100,
      `Illegal characters found in parameter '${name}'; legal range is '^[0-9]{1,20}$'.`,
    )
  }
  return Number(text)
}

function mandatory(query: URLSearchParams, name: string): string {
  const text = query.get(name)
  if (!text)
    throw new Refused(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`)
  return text
}

/** A page for people, as a proxy in front of an exchange sends it. */
export const page = (status: number) =>
  `<html>\r\n<head><title>${status}</title></head>\r\n<body>\r\n<center><h1>${status}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`

/** Starts a server with Binance's public REST interface for spot, USDⓈ-M and COIN-M on a free port of 127.0.0.1. */
export async function startBinance(settings: BinanceSettings = {}): Promise<Binance> {
  const { clock = Date.now, markets = defaultMarkets, rowLimit = Number.POSITIVE_INFINITY } = settings
  const seen: URL[] = []
  const faultsByPath = new Map<string, { fault: Fault; left: number }[]>()
  const watchers = new Set<() => void>()

  const requests = (path?: string) =>
    path === undefined ? seen.length : seen.filter(({ pathname }) => pathname === path).length

  const find = (venue: Venue, symbol: string) =>
    markets.find(market => market.venue === venue && market.symbol === symbol)

  const rowsOf = (venue: Venue, query: URLSearchParams): Kline[] => {
    const symbol = mandatory(query, 'symbol')
    const interval = mandatory(query, 'interval')
    if (!/^[A-Z0-9_.-]{1,20}$/.test(symbol)) {
      throw new Refused(
        -1100,
        "Illegal characters found in parameter 'symbol'; legal range is '^[A-Z0-9-_.]{1,20}$'.",
      )
    }
    const market = find(venue, symbol)
    if (market === undefined) throw new Refused(-1121, 'Invalid symbol.')
    if (!Object.hasOwn(intervals, interval)) throw new Refused(-1120, 'Invalid interval.')
    const maxLimit = venue === 'spot' ? 1000 : 1500
    const limit = integerOf(query, 'limit') ?? 500
    if (limit < 1 || (limit > maxLimit && venue !== 'spot')) {
      throw new Refused(-1130, "Data sent for parameter 'limit' is not valid.")
    }
    return klines(market, interval, clock(), {
      start: integerOf(query, 'startTime'),
      end: integerOf(query, 'endTime'),
      limit: Math.min(limit, maxLimit, rowLimit),
    })
  }

  /**
   * Funding rates and open interest, ascending: from a time on, or the newest ones. Funding is settled milliseconds late.
   */
  const valuesOf = (kind: TimesKind, query: URLSearchParams): object[] => {
    const symbol = mandatory(query, 'symbol')
    const market = find('linear', symbol)
    if (market === undefined) throw new Refused(-1121, 'Invalid symbol.')
    const isFunding = kind === 'funding'
    const period = isFunding ? periods.funding : (intervals[mandatory(query, 'period')] as number)
    const limit = Math.min(integerOf(query, 'limit') ?? (isFunding ? 100 : 30), isFunding ? 1000 : 500)
    const start = integerOf(query, 'startTime')
    const oldest = isFunding ? market.listed : clock() - 30 * 86_400_000
    if (!isFunding && start !== undefined && start < oldest)
      throw new Refused(-1130, "parameter 'startTime' is invalid.")
    const end = Math.min(integerOf(query, 'endTime') ?? clock(), clock())
    const times = timesBetween(Math.max(oldest, start ?? 0), end, period)
    return (start === undefined ? times.slice(-limit) : times.slice(0, limit)).map(time => {
      const value = valueAt(kind, time)
      return isFunding
        ? {
            symbol,
            fundingTime: time + ((time / period) % 9),
            fundingRate: value.toFixed(8),
            markPrice: '64040.1',
          }
        : { symbol, sumOpenInterest: value.toFixed(8), sumOpenInterestValue: '1.0', timestamp: time }
    })
  }

  const infoOf = (venue: Venue, query: URLSearchParams) => {
    const wanted = query.get('symbol')
    if (wanted !== null && find(venue, wanted) === undefined) throw new Refused(-1121, 'Invalid symbol.')
    return {
      timezone: 'UTC',
      serverTime: clock(),
      ...(venue === 'linear' ? { futuresType: 'U_MARGINED' } : {}),
      rateLimits: rateLimits[venue],
      exchangeFilters: [],
      ...(venue === 'linear'
        ? { assets: [{ asset: 'USDT', marginAvailable: true, autoAssetExchange: '-10000' }] }
        : {}),
      symbols: markets
        .filter(market => market.venue === venue && (wanted === null || market.symbol === wanted))
        .map(market => (venue === 'spot' ? spotInfo(market) : contractInfo(market))),
    }
  }

  /** The tickers of the spot markets: the most expensive market has the largest volume. */
  const tickers = () =>
    markets
      .filter(({ venue }) => venue === 'spot')
      .map(({ symbol, price }) => ({
        ...{ symbol, lastPrice: String(price), volume: '1', quoteVolume: String(price) },
        // Only tickers of spot markets have the best orders.
        ...{ bidPrice: String(price), bidQty: '1', askPrice: String(price), askQty: '1' },
        ...{ openTime: clock() - 86_400_000, closeTime: clock() },
      }))

  const answer = (url: URL, fault: Fault | undefined): unknown => {
    const slash = url.pathname.lastIndexOf('/')
    const venue = venues[url.pathname.slice(0, slash)]
    const resource = url.pathname.slice(slash + 1)
    if (venue !== undefined && resource === 'ping') return {}
    if (venue !== undefined && resource === 'time') return { serverTime: clock() }
    if (venue !== undefined && resource === 'exchangeInfo') return infoOf(venue, url.searchParams)
    if (url.pathname === '/api/v3/ticker/24hr') return tickers()
    const kind = ({ fundingRate: 'funding', openInterestHist: 'openinterest' } as const)[resource]
    if (kind) {
      const values = valuesOf(kind, url.searchParams)
      return fault?.kind === 'list' ? fault.change(values) : values
    }
    const share = priceShares[resource]
    if (venue !== undefined && share !== undefined) {
      const query = new URLSearchParams(url.searchParams)
      if (resource === 'indexPriceKlines') query.set('symbol', mandatory(query, 'pair'))
      const rows = rowsOf(venue, query).map(row => pricedBy(share, row))
      if (fault?.kind === 'list') return fault.change(rows)
      return fault?.kind === 'rows' ? rows.map(fault.change) : rows
    }
    return undefined
  }

  const send = (
    response: ServerResponse,
    status: number,
    text: string,
    headers: Record<string, string> = {},
  ) => {
    response.writeHead(status, {
      'Content-Type': 'application/json;charset=UTF-8',
      'Content-Length': Buffer.byteLength(text),
      Date: new Date(clock()).toUTCString(),
      'X-MBX-USED-WEIGHT-1M': String(seen.length),
      ...headers,
    })
    response.end(text)
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    seen.push(url)
    for (const check of watchers) check()

    const next = faultsByPath.get(url.pathname)?.find(({ left }) => left > 0)
    if (next !== undefined) next.left--
    const fault = next?.fault
    if (fault?.kind === 'drop') {
      request.socket.destroy()
      return
    }
    if (fault?.kind === 'written') return fault.write(response)
    if (fault?.kind === 'html')
      return send(response, fault.status, page(fault.status), { 'Content-Type': 'text/html' })
    if (fault?.kind === 'error') {
      const { status, code, msg, retryAfter } = fault
      const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
      return send(response, status, JSON.stringify({ code, msg }), headers)
    }

    if (fault?.kind === 'wait' && !fault.headersFirst) await fault.until
    let text: string
    try {
      const body = answer(url, fault)
      if (body === undefined) return send(response, 404, page(404), { 'Content-Type': 'text/html' })
      text = JSON.stringify(body)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return send(response, 400, JSON.stringify({ code: error.code, msg: error.message }))
    }
    const half = text.slice(0, text.length >> 1)
    if (fault?.kind === 'truncated') return send(response, 200, half)
    if (fault?.kind === 'break' || fault?.kind === 'wait') {
      response.writeHead(200, {
        'Content-Type': 'application/json;charset=UTF-8',
        'Content-Length': Buffer.byteLength(text),
      })
      if (fault.kind === 'break') {
        response.write(half, () => request.socket.destroy())
        return
      }
      if (fault.headersFirst) {
        response.write(half)
        await fault.until
        response.end(text.slice(half.length))
        return
      }
      response.end(text)
      return
    }
    send(response, 200, text)
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(error => response.destroy(error))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    seen,
    fail(path, fault, times = Number.POSITIVE_INFINITY) {
      const planned = { fault, left: times }
      faultsByPath.set(path, [...(faultsByPath.get(path) ?? []), planned])
      return () => {
        planned.left = 0
      }
    },
    requested(path, count = 1) {
      return new Promise(resolve => {
        const check = () => {
          if (requests(path) < count) return
          watchers.delete(check)
          resolve()
        }
        watchers.add(check)
        check()
      })
    },
    truth(symbol, interval, count, venue = 'spot') {
      const market = find(venue, symbol)
      if (market === undefined) throw new Error(`the server has no ${venue} market ${symbol}`)
      return klines(market, interval, clock(), { limit: count }).map(([open, ...row]) => ({
        timestamp: open / 1000,
        open: Number(row[0]),
        high: Number(row[1]),
        low: Number(row[2]),
        close: Number(row[3]),
        volume: Number(row[venue === 'inverse' ? 6 : 4]),
      }))
    },
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    close() {
      server.closeAllConnections()
      return new Promise((resolve, reject) => server.close(error => (error ? reject(error) : resolve())))
    },
  }
}
