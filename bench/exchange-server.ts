import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// An exchange in a process of its own, with Binance's REST interface and a list of markets as long as Binance's. It reports
// its address and the length of the list.

/** Message of the process once it listens. */
export interface ExchangeServer {
  readonly port: number
  readonly marketsBytes: number
}

const minuteMs = 60_000
/** The groups of accounts that may trade: half of the list consists of them. */
const permissions = Array.from({ length: 200 }, (_, k) => `TRD_GRP_${String(k + 1).padStart(3, '0')}`)

const market = (k: number) => {
  const base = `C${String(k).padStart(4, '0')}`
  return {
    ...{ symbol: `${base}USDT`, status: 'TRADING', baseAsset: base, quoteAsset: 'USDT' },
    ...{ baseAssetPrecision: 8, quotePrecision: 8, quoteAssetPrecision: 8, baseCommissionPrecision: 8 },
    orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT'],
    ...{ icebergAllowed: true, ocoAllowed: true, otoAllowed: true, quoteOrderQtyMarketAllowed: true },
    ...{ allowTrailingStop: true, cancelReplaceAllowed: true, amendAllowed: true },
    ...{ isSpotTradingAllowed: true, isMarginTradingAllowed: true },
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: '0.01000000', maxPrice: '1000000.00', tickSize: '0.01000000' },
      { filterType: 'LOT_SIZE', minQty: '0.00001000', maxQty: '9000.00000000', stepSize: '0.00001000' },
      { filterType: 'ICEBERG_PARTS', limit: 100 },
      { filterType: 'MARKET_LOT_SIZE', minQty: '0.0', maxQty: '78.31460000', stepSize: '0.00000000' },
      {
        filterType: 'PERCENT_PRICE_BY_SIDE',
        bidMultiplierUp: '5',
        bidMultiplierDown: '0.2',
        avgPriceMins: 5,
      },
      { filterType: 'NOTIONAL', minNotional: '5.00000000', maxNotional: '9000000.00000000', avgPriceMins: 5 },
      { filterType: 'MAX_NUM_ORDERS', maxNumOrders: 200 },
    ],
    ...{ permissions: [], permissionSets: [permissions], defaultSelfTradePreventionMode: 'EXPIRE_MAKER' },
  }
}

const listOf = (symbols: readonly object[]) =>
  JSON.stringify({
    ...{ timezone: 'UTC', serverTime: Date.now(), rateLimits: [], exchangeFilters: [] },
    symbols,
  })
const markets = listOf(Array.from({ length: 3000 }, (_, k) => market(k)))

function klines(query: URLSearchParams): string {
  const limit = Number(query.get('limit') ?? 500)
  const newest = Math.floor(Date.now() / minuteMs)
  const oldest = query.has('startTime')
    ? Math.ceil(Number(query.get('startTime')) / minuteMs)
    : newest - limit + 1
  const rows: unknown[] = []
  for (let minute = oldest; minute <= newest && rows.length < limit; minute++) {
    const open = minute * minuteMs
    const price = 100 + Math.sin(minute / 50)
    const close = price + Math.sin(minute)
    const [high, low] = [Math.max(price, close) + 1, Math.min(price, close) - 1]
    rows.push([
      ...[open, price.toFixed(4), high.toFixed(4), low.toFixed(4), close.toFixed(4), '123.4'],
      ...[open + minuteMs - 1, '12340.0', 57, '60.1', '6010.0', '0'],
    ])
  }
  return JSON.stringify(rows)
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://exchange')
  const reply = pathname.endsWith('/klines')
    ? klines(searchParams)
    : pathname === '/api/v3/exchangeInfo'
      ? markets
      : listOf([])
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(reply)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ port, marketsBytes: markets.length } satisfies ExchangeServer)
})
