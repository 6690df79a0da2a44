import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Candle } from '../../src/candles/candle.js'
import { type Fault as BinanceFault, type BinanceMarket, klineAt, page } from './binance.js'

/** Kraken's intervals in minutes. */
const intervals = [1, 5, 15, 30, 60, 240, 1440, 10_080, 21_600]
/** Maximum number of closed candles that Kraken returns, whatever the requested start; the forming one comes in addition. */
const maxClosed = 720

/** A spot market of the server. Times are Unix milliseconds. */
export interface KrakenMarket {
  /** Kraken's own identifier, such as XXBTZUSD. */
  readonly pair: string
  /** The common name, such as XBTUSD. */
  readonly altname: string
  /** Kraken's identifiers of the assets, such as XXBT and ZUSD. */
  readonly base: string
  readonly quote: string
  readonly status?: 'online' | 'cancel_only' | 'delisted'
  readonly price: number
  readonly listed: number
  /** Spans [from, to) without candles. */
  readonly gaps?: readonly (readonly [from: number, to: number])[]
}

const listed = Date.UTC(2016, 5, 1)

/** The default markets of a server. */
export const krakenMarkets: readonly KrakenMarket[] = [
  { pair: 'XXBTZUSD', altname: 'XBTUSD', base: 'XXBT', quote: 'ZUSD', price: 64_000, listed },
  { pair: 'XETHZUSD', altname: 'ETHUSD', base: 'XETH', quote: 'ZUSD', price: 3100, listed },
  { pair: 'SOLUSD', altname: 'SOLUSD', base: 'SOL', quote: 'ZUSD', price: 140, listed },
]

/** Behaviour of the server instead of the correct reply. Kraken reports errors in a reply with status 200. */
export type KrakenFault =
  | Exclude<BinanceFault, { kind: 'error' } | { kind: 'rows' }>
  | {
      readonly kind: 'error'
      /** Such as EService:Unavailable. */
      readonly error: string
      readonly status?: number
      readonly retryAfter?: number
    }

export interface KrakenSettings {
  /** The server's time in Unix milliseconds. Default: the machine's. */
  readonly clock?: () => number
  readonly markets?: readonly KrakenMarket[]
}

/** A Kraken on the loopback interface. */
export interface Kraken {
  readonly url: string
  /** Requests so far, of one path or of all. */
  requests(path?: string): number
  /** Arrival times of the requests, in milliseconds of `performance.now`. */
  readonly arrivals: readonly number[]
  /**
   * Makes the next `times` requests of a path suffer a fault, after those of earlier calls; the returned function heals
   * them.
   */
  fail(path: string, fault: KrakenFault, times?: number): () => void
  /** Removes a market from the list; its candles are no longer returned. */
  delist(pair: string): void
  /** Number of open connections of the stream. */
  readonly streams: number
  /** Sends every subscriber the current state of its candle, and first the last state of one that has closed. */
  tick(): void
  /** Breaks all connections of the stream. */
  cut(): void
  /** The exchange's present candles: the newest `count` candles of a market, the last one forming. */
  truth(pair: string, minutes: number, count: number): Candle[]
  close(): Promise<void>
}

/** Settings that make ccxt's Kraken clients use the server at `url`. */
export const krakenOptions = (url: string) => ({
  urls: { api: { public: url, private: url, ws: { publicV2: `${url.replace(/^http/, 'ws')}/v2` } } },
})

/** Common names of Kraken's assets. */
const spoken = (asset: string) => {
  const plain = asset.length === 4 ? asset.replace(/^[XZ]/, '') : asset
  return plain === 'XBT' ? 'BTC' : plain
}

/** A row of `OHLC`: Unix seconds, then prices, average price and volume as decimal text, and the number of trades. */
type OhlcRow = [number, string, string, string, string, string, string, number]

const ohlcAt = (market: KrakenMarket, open: number, length: number, now: number): OhlcRow => {
  const { pair, base, quote, price, listed } = market
  const like: BinanceMarket = { venue: 'spot', symbol: pair, base, quote, price, listed }
  const [, first, high, low, last, volume, , , trades] = klineAt(like, open, length, now)
  return [open / 1000, first, high, low, last, last, volume, trades]
}

/** Starts a server with Kraken's public REST interface on a free port of 127.0.0.1. */
export async function startKraken(settings: KrakenSettings = {}): Promise<Kraken> {
  const { clock = Date.now, markets = krakenMarkets } = settings
  const seen: string[] = []
  const arrivals: number[] = []
  const delisted = new Set<string>()
  const faultsByPath = new Map<string, { fault: KrakenFault; left: number }[]>()

  const find = (pair: string | null) =>
    markets.find(market => (market.pair === pair || market.altname === pair) && !delisted.has(market.pair))

  /** Kraken counts all intervals from the epoch, so that its weeks open on Thursdays. */
  const rowsOf = (market: KrakenMarket, minutes: number, maxRows: number): OhlcRow[] => {
    const length = minutes * 60_000
    const now = clock()
    const rows: OhlcRow[] = []
    for (
      let open = Math.floor(now / length) * length;
      open + length > market.listed && rows.length < maxRows;
      open -= length
    ) {
      if (!market.gaps?.some(([from, to]) => open >= from && open < to))
        rows.push(ohlcAt(market, open, length, now))
    }
    return rows.reverse()
  }

  const assetPair = ({ pair, altname, base, quote, status = 'online' }: KrakenMarket) => [
    pair,
    {
      altname,
      wsname: `${base.replace(/^[XZ](?=...$)/, '')}/${quote.replace(/^[XZ](?=...$)/, '')}`,
      aclass_base: 'currency',
      base,
      aclass_quote: 'currency',
      quote,
      lot: 'unit',
      cost_decimals: 5,
      pair_decimals: 2,
      lot_decimals: 8,
      lot_multiplier: 1,
      leverage_buy: [2, 3],
      leverage_sell: [2, 3],
      fees: [[0, 0.26]],
      fees_maker: [[0, 0.16]],
      fee_volume_currency: 'ZUSD',
      margin_call: 80,
      margin_stop: 40,
      ordermin: '0.0001',
      costmin: '0.5',
      tick_size: '0.01',
      status,
    },
  ]

  const ohlc = (query: URLSearchParams, fault: KrakenFault | undefined) => {
    const market = find(query.get('pair'))
    if (!market) return { error: ['EQuery:Unknown asset pair'] }
    const minutes = Number(query.get('interval') ?? 1)
    if (!intervals.includes(minutes)) return { error: ['EGeneral:Invalid arguments'] }
    const rows = rowsOf(market, minutes, maxClosed + 1)
    const since = Number(query.get('since') ?? 0)
    // The current candle is always included, however late the requested start.
    const wanted = rows.filter((row, at) => row[0] > since || at === rows.length - 1)
    return {
      error: [],
      result: {
        [market.pair]: fault?.kind === 'list' ? fault.change(wanted) : wanted,
        last: rows.at(-2)?.[0] ?? 0,
      },
    }
  }

  const answer = (url: URL, fault: KrakenFault | undefined): unknown => {
    if (url.pathname === '/0/public/Time')
      return { error: [], result: { unixtime: Math.floor(clock() / 1000) } }
    if (url.pathname === '/0/public/Assets') {
      const assets = new Set(markets.flatMap(({ base, quote }) => [base, quote]))
      const asset = (id: string) => [
        id,
        {
          aclass: 'currency',
          altname: id.replace(/^[XZ](?=...$)/, ''),
          decimals: 10,
          display_decimals: 5,
          status: 'enabled',
        },
      ]
      return { error: [], result: Object.fromEntries([...assets].map(asset)) }
    }
    if (url.pathname === '/0/public/AssetPairs') {
      const open = markets.filter(({ pair }) => !delisted.has(pair))
      return { error: [], result: Object.fromEntries(open.map(assetPair)) }
    }
    if (url.pathname === '/0/public/OHLC') return ohlc(url.searchParams, fault)
    return undefined
  }

  const send = (
    response: ServerResponse,
    status: number,
    text: string,
    headers: Record<string, string> = {},
  ) => {
    response.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      ...headers,
    })
    response.end(text)
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    seen.push(url.pathname)
    arrivals.push(performance.now())
    const next = faultsByPath.get(url.pathname)?.find(({ left }) => left > 0)
    if (next !== undefined) next.left--
    const fault = next?.fault
    if (fault?.kind === 'drop') return void request.socket.destroy()
    if (fault?.kind === 'html')
      return send(response, fault.status, page(fault.status), { 'Content-Type': 'text/html' })
    if (fault?.kind === 'error') {
      const { error, status = 200, retryAfter } = fault
      const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
      return send(response, status, JSON.stringify({ error: [error] }), headers)
    }
    if (fault?.kind === 'wait' && !fault.headersFirst) await fault.until
    const body = answer(url, fault)
    if (body === undefined) return send(response, 404, JSON.stringify({ error: ['EGeneral:Unknown method'] }))
    const text = JSON.stringify(body)
    const half = text.slice(0, text.length >> 1)
    if (fault?.kind === 'truncated') return send(response, 200, half)
    if (fault?.kind === 'break' || fault?.kind === 'wait') {
      response.writeHead(200, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(text),
      })
      response.write(half, () => {
        if (fault.kind === 'break') request.socket.destroy()
      })
      if (fault.kind === 'break') return
      if (fault.headersFirst) await fault.until
      response.end(text.slice(half.length))
      return
    }
    send(response, 200, text)
  }

  /** A subscription to candles: the market, the minutes of the interval, and the open of the candle that was sent last. */
  interface Subscription {
    readonly symbol: string
    readonly market: KrakenMarket
    readonly minutes: number
    lastOpen: number
  }
  const subscriptions = new Map<WebSocket, Subscription[]>()

  const candleOf = ({ symbol, market, minutes }: Subscription, open: number) => {
    const length = minutes * 60_000
    const [, first, high, low, close, vwap, volume, trades] = ohlcAt(market, open, length, clock())
    return {
      symbol,
      open: Number(first),
      high: Number(high),
      low: Number(low),
      close: Number(close),
      trades,
      volume: Number(volume),
      vwap: Number(vwap),
      interval_begin: new Date(open).toISOString().replace('Z', '000000Z'),
      interval: minutes,
      timestamp: new Date(open + length).toISOString(),
    }
  }

  const openOf = (minutes: number) => Math.floor(clock() / (minutes * 60_000)) * minutes * 60_000

  const push = (socket: WebSocket, type: 'snapshot' | 'update', data: readonly object[]) =>
    socket.send(JSON.stringify({ channel: 'ohlc', type, timestamp: new Date(clock()).toISOString(), data }))

  const subscribe = (
    socket: WebSocket,
    id: unknown,
    {
      symbol: symbols,
      interval: minutes,
    }: {
      symbol: readonly string[]
      interval: number
    },
  ) => {
    const time = new Date(clock()).toISOString()
    const times = { time_in: time, time_out: time, req_id: id }
    for (const symbol of symbols) {
      const market = markets.find(
        ({ pair, base, quote }) => `${spoken(base)}/${spoken(quote)}` === symbol && !delisted.has(pair),
      )
      if (!market) {
        const error = `Currency pair not supported ${symbol}`
        socket.send(JSON.stringify({ error, method: 'subscribe', success: false, symbol, ...times }))
        continue
      }
      const result = { channel: 'ohlc', interval: minutes, snapshot: true, symbol }
      socket.send(JSON.stringify({ method: 'subscribe', result, success: true, ...times }))
      const lastOpen = openOf(minutes)
      const subscription = { symbol, market, minutes, lastOpen }
      subscriptions.get(socket)?.push(subscription)
      const opens = [2, 1, 0].map(back => lastOpen - back * minutes * 60_000)
      push(
        socket,
        'snapshot',
        opens.map(open => candleOf(subscription, open)),
      )
    }
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(error => response.destroy(error))
  })
  const streams = new WebSocketServer({ server, path: '/v2' })
  streams.on('connection', socket => {
    subscriptions.set(socket, [])
    socket.on('close', () => subscriptions.delete(socket))
    const system = { version: '2.0.10', system: 'online', api_version: 'v2', connection_id: 1 }
    socket.send(JSON.stringify({ channel: 'status', type: 'update', data: [system] }))
    socket.on('message', text => {
      const { method, params, req_id } = JSON.parse(String(text))
      if (method === 'ping') socket.send(JSON.stringify({ method: 'pong', req_id }))
      if (method === 'subscribe' && params.channel === 'ohlc') subscribe(socket, req_id, params)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: path => (path === undefined ? seen.length : seen.filter(seenPath => seenPath === path).length),
    arrivals,
    fail(path, fault, times = Number.POSITIVE_INFINITY) {
      const planned = { fault, left: times }
      faultsByPath.set(path, [...(faultsByPath.get(path) ?? []), planned])
      return () => {
        planned.left = 0
      }
    },
    delist: pair => void delisted.add(pair),
    get streams() {
      return subscriptions.size
    },
    tick() {
      for (const [socket, all] of subscriptions) {
        for (const subscription of all) {
          const open = openOf(subscription.minutes)
          if (open > subscription.lastOpen)
            push(socket, 'update', [candleOf(subscription, subscription.lastOpen)])
          subscription.lastOpen = open
          push(socket, 'update', [candleOf(subscription, open)])
        }
      }
    },
    cut() {
      for (const socket of subscriptions.keys()) socket.terminate()
    },
    truth(pair, minutes, count) {
      const market = find(pair)
      if (market === undefined) throw new Error(`the server has no market ${pair}`)
      return rowsOf(market, minutes, count).map(([timestamp, open, high, low, close, , volume]) => ({
        timestamp,
        open: Number(open),
        high: Number(high),
        low: Number(low),
        close: Number(close),
        volume: Number(volume),
      }))
    },
    close() {
      for (const socket of subscriptions.keys()) socket.terminate()
      streams.close()
      server.closeAllConnections()
      return new Promise((resolve, reject) => server.close(error => (error ? reject(error) : resolve())))
    },
  }
}
