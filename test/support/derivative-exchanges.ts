import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DerivativeKind } from '../../src/contract/market.js'
import { periods, timesBetween, valueAt } from './derivatives.js'

/** A parsed request for a series. Times are Unix milliseconds, both ends included. */
interface Asked {
  readonly kind: DerivativeKind
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly limit: number
  /** Number of newer values to skip: those of earlier pages. */
  readonly skipped?: number
  /** Milliseconds between two values. */
  readonly period: number
  /** The selected values of a range with more than `limit`. */
  readonly ofMore: 'oldest' | 'newest'
  readonly isDescending: boolean
  /** Length of the history, in milliseconds. */
  readonly reach?: number
}

/** The protocol of an exchange, in the forms of its public documentation. */
interface Talk {
  /** Settings that make ccxt's client use the server at `url`. */
  options(url: string): Record<string, unknown>
  /** The body of the reply to a request for a list of markets or currencies. */
  list(url: URL): unknown
  asked(url: URL): Asked | undefined
  row(asked: Asked, time: number): unknown
  /** The body of a reply with these rows. */
  body(rows: readonly unknown[], url: URL): unknown
}

const hour = 3_600_000
const day = 24 * hour
/** The size of a contract for open interest in contracts; a binary fraction, so that products are exact. */
const contractSize = 0.125

/** A close of candles of mark or index prices. */
const priceAt = (kind: DerivativeKind, time: number): number =>
  (60_000 + 1000 * Math.sin(time / 90_000_000)) * (kind === 'markprice' ? 1.0002 : 0.9995)
const pricesAt = (kind: DerivativeKind, time: number) => Array(4).fill(String(priceAt(kind, time)))
const isTimes = (kind: DerivativeKind) => kind === 'funding' || kind === 'openinterest'
const figureAt = (kind: DerivativeKind, time: number) =>
  isTimes(kind) ? valueAt(kind as 'funding', time) : priceAt(kind, time)

const numberOf = (query: URLSearchParams, name: string, factor = 1): number | undefined =>
  query.has(name) ? Number(query.get(name)) * factor : undefined

const lengths: Readonly<Record<string, number>> = { m: 60_000, h: hour, d: day }
/** Milliseconds of `5m`, `5min`, `1H` or `1Dutc`. */
const lengthOf = (name: string | null): number => {
  const [, count, unit] = /^(\d+)([mhd])/i.exec(name ?? '') ?? []
  return Number(count) * (lengths[unit?.toLowerCase() ?? ''] ?? Number.NaN)
}

/** https://bybit-exchange.github.io/docs/v5/market: history-fund-rate, open-interest, mark-kline, index-kline, instrument. */
const bybit: Talk = {
  options: url => ({
    urls: { api: { public: url, private: url } },
    options: { fetchMarkets: { types: ['spot', 'linear'] } },
  }),
  list(url) {
    const { pathname, searchParams } = url
    if (!pathname.endsWith('/instruments-info')) return undefined
    const isLinear = searchParams.get('category') === 'linear'
    return this.body(
      (isLinear ? ['BTC'] : ['BTC', 'ETH']).map(base => ({
        ...{ symbol: `${base}USDT`, baseCoin: base, quoteCoin: 'USDT', status: 'Trading' },
        ...(isLinear && { contractType: 'LinearPerpetual', settleCoin: 'USDT', fundingInterval: 480 }),
        lotSizeFilter: { basePrecision: '0.000001', quotePrecision: '0.01', qtyStep: '0.001' },
        priceFilter: { tickSize: '0.01' },
      })),
      url,
    )
  },
  asked({ pathname, searchParams: query }) {
    const resource = pathname.split('/').at(-1) ?? ''
    const kind = (
      {
        history: 'funding',
        'open-interest': 'openinterest',
        'mark-price-kline': 'markprice',
        'index-price-kline': 'indexprice',
      } as const
    )[resource]
    if (!kind) return undefined
    const [from, to] = isTimes(kind) ? ['startTime', 'endTime'] : ['start', 'end']
    return {
      ...{ kind, from: numberOf(query, from as string), to: numberOf(query, to as string) },
      limit: numberOf(query, 'limit') ?? (kind === 'openinterest' ? 50 : 200),
      period:
        { funding: periods.funding, openinterest: lengthOf(query.get('intervalTime')) }[kind as string] ??
        Number(query.get('interval')) * 60_000,
      ...{ ofMore: 'newest', isDescending: true },
    }
  },
  row({ kind }, time) {
    if (kind === 'funding')
      return {
        symbol: 'BTCUSDT',
        fundingRate: String(figureAt(kind, time)),
        fundingRateTimestamp: String(time),
      }
    if (kind === 'openinterest')
      return { openInterest: String(figureAt(kind, time)), timestamp: String(time) }
    return [String(time), ...pricesAt(kind, time)]
  },
  body: (list, { searchParams: query }) => ({
    ...{ retCode: 0, retMsg: 'OK', time: Date.now() },
    result: { category: query.get('category'), symbol: query.get('symbol'), list },
  }),
}

/**
 * https://www.okx.com/docs-v5/en: get-funding-rate-history (three months), get-contracts-open-interest-and-volume (5m of two
 * days, 1H of thirty), get-mark-price-candlesticks, get-index-candlesticks and their histories, get-instruments. All values
 * are newer than `before` and older than `after`; with `before` alone the newest are returned.
 */
const okx: Talk = {
  options: url => ({
    urls: { api: { rest: url } },
    options: { fetchMarkets: { types: ['spot', 'swap'] } },
  }),
  list(url) {
    const { pathname, searchParams } = url
    if (!pathname.endsWith('/public/instruments')) return undefined
    const common = { state: 'live', lotSz: '0.01', minSz: '0.01', tickSz: '0.1', listTime: '1548133413000' }
    const spot = { instType: 'SPOT', baseCcy: 'BTC', quoteCcy: 'USDT', instId: 'BTC-USDT', uly: '' }
    const swap = {
      ...{ instType: 'SWAP', instId: 'BTC-USDT-SWAP', uly: 'BTC-USDT', instFamily: 'BTC-USDT' },
      ...{ settleCcy: 'USDT', ctVal: '0.01', ctValCcy: 'BTC', ctType: 'linear' },
    }
    return this.body([{ ...common, ...(searchParams.get('instType') === 'SWAP' ? swap : spot) }], url)
  },
  asked({ pathname, searchParams: query }) {
    const newest = { ofMore: 'newest', isDescending: true } as const
    if (pathname.endsWith('/rubik/stat/contracts/open-interest-volume')) {
      const period = lengthOf(query.get('period'))
      const range = { from: numberOf(query, 'begin'), to: numberOf(query, 'end') }
      return {
        kind: 'openinterest',
        ...range,
        limit: 1440,
        period,
        ...newest,
        reach: period < hour ? 2 * day : 30 * day,
      }
    }
    const [before, after] = [numberOf(query, 'before'), numberOf(query, 'after')]
    const range = {
      from: before === undefined ? before : before + 1,
      to: after === undefined ? after : after - 1,
    }
    if (pathname.endsWith('/public/funding-rate-history') && query.get('instId') === 'BTC-USDT-SWAP') {
      const limit = Math.min(numberOf(query, 'limit') ?? 400, 400)
      return { kind: 'funding', ...range, limit, period: periods.funding, ...newest, reach: 92 * day }
    }
    const [, prices] = /\/market\/(?:history-)?(mark-price|index)-candles$/.exec(pathname) ?? []
    const isMark = prices === 'mark-price'
    if (!prices || query.get('instId') !== (isMark ? 'BTC-USDT-SWAP' : 'BTC-USDT')) return undefined
    const limit = Math.min(numberOf(query, 'limit') ?? 100, 100)
    return {
      kind: isMark ? 'markprice' : 'indexprice',
      ...range,
      limit,
      period: lengthOf(query.get('bar')),
      ...newest,
    }
  },
  row({ kind }, time) {
    const value = String(figureAt(kind, time))
    if (kind === 'openinterest') return [String(time), value, '74285877.617']
    if (kind !== 'funding') return [String(time), ...pricesAt(kind, time), '1']
    const rates = {
      fundingRate: '0.5',
      realizedRate: value,
      fundingTime: String(time),
      method: 'current_period',
    }
    return { instType: 'SWAP', instId: 'BTC-USDT-SWAP', ...rates }
  },
  body: data => ({ code: '0', msg: '', data }),
}

/**
 * https://www.bitget.com/api-doc/contract/market: Get-History-Funding-Rate (pages with numbers of 100 at most),
 * Get-Candle-Data with `kLineType`, Get-History-Mark-Candle-Data, Get-History-Index-Candle-Data, Get-All-Symbols-Contracts.
 */
const bitget: Talk = {
  options: url => {
    const names = [
      'spot',
      'mix',
      'user',
      'p2p',
      'broker',
      'margin',
      'common',
      'tax',
      'convert',
      'copy',
      'earn',
      'uta',
    ]
    return {
      urls: { api: Object.fromEntries(names.map(name => [name, url])) },
      options: { fetchMarkets: { types: ['swap'] } },
    }
  },
  list(url) {
    const { pathname, searchParams } = url
    if (pathname.endsWith('/public/coins')) return this.body([], url)
    if (!pathname.endsWith('/market/contracts')) return undefined
    const contract = {
      ...{ symbol: 'BTCUSDT', baseCoin: 'BTC', quoteCoin: 'USDT', supportMarginCoins: ['USDT'] },
      ...{ symbolType: 'perpetual', symbolStatus: 'normal', fundInterval: '8', deliveryTime: '' },
      ...{
        priceEndStep: '1',
        pricePlace: '1',
        volumePlace: '3',
        sizeMultiplier: '0.001',
        minTradeNum: '0.001',
      },
    }
    return this.body(searchParams.get('productType') === 'USDT-FUTURES' ? [contract] : [], url)
  },
  asked({ pathname, searchParams: query }) {
    if (query.get('symbol') !== 'BTCUSDT' || query.get('productType')?.toUpperCase() !== 'USDT-FUTURES')
      return undefined
    if (pathname.endsWith('/market/history-fund-rate')) {
      const limit = Math.min(numberOf(query, 'pageSize') ?? 20, 100)
      const skipped = ((numberOf(query, 'pageNo') ?? 1) - 1) * limit
      return {
        kind: 'funding',
        limit,
        skipped,
        period: periods.funding,
        ofMore: 'newest',
        isDescending: true,
      }
    }
    const [, old] = /\/market\/history-(mark|index)-candles$/.exec(pathname) ?? []
    const type =
      old ?? (pathname.endsWith('/market/candles') ? query.get('kLineType')?.toLowerCase() : undefined)
    if (type !== 'mark' && type !== 'index') return undefined
    return {
      kind: `${type}price`,
      ...{ from: numberOf(query, 'startTime'), to: numberOf(query, 'endTime') },
      limit: Math.min(numberOf(query, 'limit') ?? 100, old ? 200 : 1000),
      period: lengthOf(query.get('granularity')),
      ...{ ofMore: 'newest', isDescending: false },
    }
  },
  row: ({ kind }, time) =>
    kind === 'funding'
      ? { symbol: 'BTCUSDT', fundingRate: String(figureAt(kind, time)), fundingTime: String(time) }
      : [String(time), ...pricesAt(kind, time), '0', '0'],
  body: data => ({ code: '00000', msg: 'success', requestTime: Date.now(), data }),
}

/**
 * https://www.gate.com/docs/developers/apiv4/en: list-historical-funding-rates, list-futures-stats (open interest in contracts),
 * get-futures-candlesticks with `mark_` and `index_` before the contract, list-all-futures-contracts.
 */
const gate: Talk = {
  options: url => {
    const names = ['wallet', 'futures', 'margin', 'delivery', 'spot', 'options', 'sub_accounts', 'earn']
    return {
      urls: { api: { public: Object.fromEntries(names.map(name => [name, url])) } },
      options: { fetchMarkets: { types: ['swap'] } },
    }
  },
  list({ pathname }) {
    if (pathname.endsWith('/spot/currencies') || pathname.endsWith('/futures/btc/contracts')) return []
    if (!pathname.endsWith('/futures/usdt/contracts')) return undefined
    const contract = {
      ...{ name: 'BTC_USDT', type: 'direct', quanto_multiplier: String(contractSize), status: 'trading' },
      ...{
        order_price_deviate: '0.5',
        mark_price: '60000',
        order_price_round: '0.1',
        funding_interval: 28800,
      },
    }
    return [contract]
  },
  asked({ pathname, searchParams: query }) {
    const [, resource] = /\/futures\/usdt\/(funding_rate|contract_stats|candlesticks)$/.exec(pathname) ?? []
    const contract = query.get('contract') ?? ''
    const range = { from: numberOf(query, 'from', 1000), to: numberOf(query, 'to', 1000) }
    const [, type] = /^(mark|index)_BTC_USDT$/.exec(contract) ?? []
    if (resource === 'funding_rate' && contract === 'BTC_USDT') {
      const limit = Math.min(numberOf(query, 'limit') ?? 100, 1000)
      return {
        kind: 'funding',
        ...range,
        limit,
        period: periods.funding,
        ofMore: 'newest',
        isDescending: true,
      }
    }
    const limit = numberOf(query, 'limit')
    const period = lengthOf(query.get('interval'))
    const ofMore = range.from === undefined ? 'newest' : 'oldest'
    if (resource === 'contract_stats' && contract === 'BTC_USDT')
      return {
        kind: 'openinterest',
        from: range.from,
        limit: limit ?? 30,
        period,
        ofMore,
        isDescending: false,
      }
    if (resource !== 'candlesticks' || (type !== 'mark' && type !== 'index')) return undefined
    // A range and a limit exclude each other.
    if (limit !== undefined && range.from !== undefined) return undefined
    return { kind: `${type}price`, ...range, limit: limit ?? 2000, period, ofMore, isDescending: false }
  },
  row({ kind }, time) {
    const seconds = time / 1000
    if (kind === 'funding') return { r: String(figureAt(kind, time)), t: seconds }
    if (kind === 'openinterest')
      return {
        time: seconds,
        open_interest: figureAt(kind, time) / contractSize,
        open_interest_usd: 1,
        mark_price: 2,
      }
    const [o, h, l, c] = pricesAt(kind, time)
    return { t: seconds, o, h, l, c }
  },
  body: rows => rows,
}

/**
 * https://docs.kraken.com/api/docs/futures-api: historical-funding-rates (all there are, of each hour), charts/candles with
 * the tick types `mark` and `spot` (the index), instruments.
 */
const krakenfutures: Talk = {
  options: url => ({
    urls: {
      api: {
        charts: `${url}/charts/`,
        history: `${url}/history/`,
        public: `${url}/api/`,
        private: `${url}/api/`,
      },
    },
  }),
  list({ pathname }) {
    if (!pathname.endsWith('/instruments')) return undefined
    const perpetual = {
      symbol: 'PF_XBTUSD',
      type: 'flexible_futures',
      tradeable: true,
      tickSize: 1,
      contractSize: 1,
    }
    return { result: 'success', instruments: [{ ...perpetual, contractValueTradePrecision: 4 }] }
  },
  asked({ pathname, searchParams: query }) {
    if (pathname.endsWith('/historicalfundingrates')) {
      if (query.get('symbol') !== 'PF_XBTUSD') return undefined
      return { kind: 'funding', limit: 1e6, period: hour, ofMore: 'oldest', isDescending: false }
    }
    const [, type, interval] = /\/(mark|spot)\/PF_XBTUSD\/(\w+)$/.exec(pathname) ?? []
    if (!type) return undefined
    return {
      kind: type === 'mark' ? 'markprice' : 'indexprice',
      ...{ from: numberOf(query, 'from', 1000), to: numberOf(query, 'to', 1000) },
      ...{ limit: 2000, period: lengthOf(interval ?? ''), ofMore: 'oldest', isDescending: false },
    }
  },
  row({ kind }, time) {
    const value = String(figureAt(kind, time))
    if (kind === 'funding')
      return { timestamp: new Date(time).toISOString(), fundingRate: 7, relativeFundingRate: value }
    const [open, high, low, close] = pricesAt(kind, time)
    return { time, open, high, low, close, volume: 0 }
  },
  body: (rows, { pathname }) =>
    pathname.endsWith('rates')
      ? { result: 'success', serverTime: new Date().toISOString(), rates: rows }
      : { candles: rows, more_candles: false },
}

const talks = { bybit, okx, bitget, gate, krakenfutures }
export type DerivativeExchangeId = keyof typeof talks

/**
 * An exchange on the loopback interface with a perpetual of Bitcoin; Bybit and OKX also have a spot market of the same name.
 */
export interface DerivativeExchange {
  /** Settings that make ccxt's client of the exchange use the server. */
  readonly options: Readonly<Record<string, unknown>>
  /** The addresses of all requests, in order. */
  readonly seen: readonly URL[]
  close(): Promise<void>
}

interface Settings {
  /** Unix milliseconds; ccxt uses the machine's clock, so this one may be slightly behind. */
  readonly clock: () => number
  /** Start of the history, Unix milliseconds. */
  readonly listed: number
  /** Changes the rows of a correct reply. */
  readonly change?: (rows: readonly unknown[], url: URL) => readonly unknown[]
}

/** Starts a server with the public REST interface of an exchange. */
export async function startDerivativeExchange(
  id: DerivativeExchangeId,
  { clock, listed, change = rows => rows }: Settings,
): Promise<DerivativeExchange> {
  const talk: Talk = talks[id]
  const seen: URL[] = []

  const rowsOf = (asked: Asked): readonly unknown[] => {
    const {
      from = 0,
      to = Number.POSITIVE_INFINITY,
      limit,
      skipped = 0,
      period,
      reach = Number.POSITIVE_INFINITY,
    } = asked
    const times = timesBetween(Math.max(listed, from, clock() - reach), Math.min(clock(), to), period)
    const left = times.slice(0, times.length - skipped)
    const answered = asked.ofMore === 'newest' ? left.slice(-limit) : left.slice(0, limit)
    const rows = answered.map(time => talk.row(asked, time))
    return asked.isDescending ? rows.reverse() : rows
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    seen.push(url)
    const asked = talk.asked(url)
    const body = asked ? talk.body(change(rowsOf(asked), url), url) : talk.list(url)
    response
      .writeHead(body === undefined ? 404 : 200, {
        'Content-Type': 'application/json',
        Date: new Date(clock()).toUTCString(),
      })
      .end(JSON.stringify(body ?? { error: `not found: ${url.pathname}` }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const options = talk.options(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return {
    options: { rateLimit: 1, ...options },
    seen,
    close() {
      server.closeAllConnections()
      return new Promise((resolve, reject) => server.close(error => (error ? reject(error) : resolve())))
    },
  }
}
