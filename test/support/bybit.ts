import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { periods, timesBetween, valueAt } from './derivatives.js'

/** Milliseconds of Bybit's intervals of open interest, and of those of candles, which are minutes. */
const intervals: Readonly<Record<string, number>> = {
  '5min': 300_000,
  '15min': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
}

/** A Bybit on the loopback interface with a spot market and a linear perpetual BTCUSDT, and ETHUSDT as a spot market only. */
export interface Bybit {
  readonly url: string
  /** The addresses of all requests, in order. */
  readonly seen: readonly URL[]
  close(): Promise<void>
}

interface Settings {
  /** Unix milliseconds. */
  readonly clock: () => number
  /** When the history begins, Unix milliseconds. */
  readonly listed: number
  /** What becomes of the list that is the right answer to a request. */
  readonly change?: (list: readonly unknown[], url: URL) => readonly unknown[]
}

/** Settings that make ccxt's Bybit client talk to the server at `url`. */
export const bybitOptions = (url: string) => ({
  rateLimit: 1,
  urls: { api: { public: url, private: url } },
  options: { fetchMarkets: { types: ['spot', 'linear'] } },
})

const instrument = (category: string | null, base: string) => ({
  ...{ symbol: `${base}USDT`, baseCoin: base, quoteCoin: 'USDT', status: 'Trading' },
  ...(category === 'linear'
    ? {
        contractType: 'LinearPerpetual',
        settleCoin: 'USDT',
        fundingInterval: 480,
        launchTime: '1584230400000',
      }
    : {}),
  lotSizeFilter: {
    basePrecision: '0.000001',
    quotePrecision: '0.01',
    minOrderQty: '0.001',
    qtyStep: '0.001',
  },
  priceFilter: { tickSize: '0.01' },
})

/** A close of candles of mark or index prices. */
const priceAt = (resource: string, time: number): number =>
  (60_000 + 1000 * Math.sin(time / 90_000_000)) * (resource === 'mark-price-kline' ? 1.0002 : 0.9995)

/** Starts a server that answers as Bybit's public REST interface does: the newest values of a range first. */
export async function startBybit({ clock, listed, change = list => list }: Settings): Promise<Bybit> {
  const seen: URL[] = []

  const newestOf = (
    query: URLSearchParams,
    names: readonly [string, string],
    period: number,
    usual: number,
  ) => {
    const [start, end] = names.map(name => query.get(name))
    const to = Math.min(clock(), Number(end ?? Number.POSITIVE_INFINITY))
    return timesBetween(Math.max(listed, Number(start ?? 0)), to, period)
      .slice(-Number(query.get('limit') ?? usual))
      .reverse()
  }

  const listOf = (resource: string, query: URLSearchParams): readonly unknown[] | undefined => {
    const category = query.get('category')
    switch (resource) {
      case 'instruments-info':
        return category === 'linear'
          ? [instrument(category, 'BTC')]
          : ['BTC', 'ETH'].map(base => instrument(category, base))
      case 'history':
        return newestOf(query, ['startTime', 'endTime'], periods.funding, 200).map(time => ({
          symbol: query.get('symbol'),
          fundingRate: String(valueAt('funding', time)),
          fundingRateTimestamp: String(time),
        }))
      case 'open-interest':
        return newestOf(
          query,
          ['startTime', 'endTime'],
          intervals[query.get('intervalTime') ?? ''] ?? 0,
          50,
        ).map(time => ({
          openInterest: String(valueAt('openinterest', time)),
          timestamp: String(time),
        }))
      case 'mark-price-kline':
      case 'index-price-kline':
        return newestOf(query, ['start', 'end'], Number(query.get('interval')) * 60_000, 200).map(time => {
          const price = String(priceAt(resource, time))
          return [String(time), price, price, price, price]
        })
      default:
        return undefined
    }
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    seen.push(url)
    const list = listOf(url.pathname.split('/').at(-1) ?? '', url.searchParams)
    const symbol = url.searchParams.get('symbol')
    const category = url.searchParams.get('category')
    const text = list
      ? JSON.stringify({
          retCode: 0,
          retMsg: 'OK',
          result: { category, symbol, list: change(list, url) },
          time: clock(),
        })
      : JSON.stringify({ retCode: 10001, retMsg: 'not found', result: {} })
    response
      .writeHead(200, { 'Content-Type': 'application/json', Date: new Date(clock()).toUTCString() })
      .end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close() {
      server.closeAllConnections()
      return new Promise((resolve, reject) => server.close(error => (error ? reject(error) : resolve())))
    },
  }
}
