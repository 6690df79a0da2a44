import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { StocksKeys, StocksSettings } from '../../src/markets/exchanges/stocks/stocks.js'
import type { Truth, Yahoo } from './yahoo.js'

/** A request for candles, whatever its protocol. */
interface Range {
  readonly symbol: string
  readonly seconds: number
  /** Milliseconds, both ends included. */
  readonly start: number
  readonly end: number
  readonly adjustment: 'split' | 'raw' | 'all'
}

type Answer = readonly [status: number, body: unknown]

/** The protocol of a provider, in the forms of its public documentation. */
export interface Protocol {
  readonly name: 'alpaca' | 'massive' | 'twelvedata'
  /** The identifier of the exchange whose prices are adjusted for splits. */
  readonly id: string
  readonly keys: StocksKeys
  /** Texts that must not appear in failures and log lines. */
  readonly secrets: readonly string[]
  readonly adjustments: readonly Range['adjustment'][]
  /** The response to a request with the right key. */
  rest(url: URL, server: StockProvider): Answer
  isAuthorized(request: IncomingMessage): boolean
  readonly refusals: Readonly<Record<'wrong key' | 'entitlement' | 'rate limit', Answer>>
  readonly stream?: StreamTalk
}

interface StreamTalk {
  readonly greeting: unknown
  /** The server's answer to the key, and whether the key is right. */
  login(message: Record<string, unknown>): { readonly isRight: boolean; readonly answer: unknown } | undefined
  /** Subscribed symbols, added or removed. */
  subscription(
    message: Record<string, unknown>,
  ):
    | { readonly added: readonly string[]; readonly removed: readonly string[]; readonly answer: unknown }
    | undefined
  bar(symbol: string, candle: Truth, kind: 'minute' | 'correction' | 'day'): unknown
  readonly wrongKey: unknown
  readonly entitlement: unknown
  readonly connectionLimit: unknown
}

const day = 86_400
const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000', '')
const hour = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hour: 'numeric',
  hourCycle: 'h23',
})
/** 4:00 or 5:00 UTC: midnight in New York. */
const midnightOf = (date: number) =>
  date + (24 - (Number(hour.format((date + day / 2) * 1000)) - 12 + 24)) * 3600

const alpacaLengths: Readonly<Record<string, number>> = {
  '1Min': 60,
  '5Min': 300,
  '15Min': 900,
  '30Min': 1800,
  '1Day': day,
}

export const alpacaProtocol: Protocol = {
  name: 'alpaca',
  id: 'stocks-alpaca-iex',
  keys: { alpacaKey: 'PKTESTKEY', alpacaSecret: 'secret-of-alpaca' },
  secrets: ['PKTESTKEY', 'secret-of-alpaca'],
  adjustments: ['split', 'raw', 'all'],
  isAuthorized: ({ headers }) =>
    headers['apca-api-key-id'] === 'PKTESTKEY' && headers['apca-api-secret-key'] === 'secret-of-alpaca',
  refusals: {
    'wrong key': [401, { message: 'unauthorized.' }],
    entitlement: [403, { message: 'subscription does not permit querying recent SIP data' }],
    'rate limit': [429, { message: 'too many requests.' }],
  },
  rest({ pathname, searchParams: query }, server) {
    if (pathname !== '/v2/stocks/bars') return [404, { message: 'endpoint not found.' }]
    // Bars are sorted by symbol first, and then by their time.
    const symbols = (query.get('symbols') ?? '').split(',').sort()
    const invalid = symbols.find(symbol => !/^[A-Z.]+$/.test(symbol))
    if (invalid !== undefined) return [400, { message: `invalid symbol: ${invalid}` }]
    const rows = symbols.flatMap(symbol =>
      server
        .rows({
          symbol,
          seconds: alpacaLengths[query.get('timeframe') ?? ''] as number,
          start: Date.parse(query.get('start') ?? ''),
          end: Date.parse(query.get('end') ?? ''),
          adjustment: query.get('adjustment') as Range['adjustment'],
        })
        .map(row => [symbol, row] as const),
    )
    const from = Number(query.get('page_token') ?? 0)
    const limit = Math.min(server.pageSize, Number(query.get('limit')))
    const bars: Record<string, object[]> = {}
    for (const [symbol, { timestamp, open, high, low, close, volume }] of rows.slice(from, from + limit)) {
      bars[symbol] ??= []
      bars[symbol].push({
        t: iso(timestamp),
        ...{ o: open, h: high, l: low, c: close, v: volume, n: 7, vw: close },
      })
    }
    const token = from + limit < rows.length ? String(from + limit) : null
    return [200, { bars, next_page_token: token }]
  },
  stream: {
    greeting: [{ T: 'success', msg: 'connected' }],
    login: ({ action, key, secret }) =>
      action === 'auth'
        ? {
            isRight: key === 'PKTESTKEY' && secret === 'secret-of-alpaca',
            answer: [{ T: 'success', msg: 'authenticated' }],
          }
        : undefined,
    subscription: message => {
      const symbols = message.bars as readonly string[]
      const answer = [{ T: 'subscription', trades: [], quotes: [], ...message }]
      if (message.action === 'subscribe') return { added: symbols, removed: [], answer }
      return message.action === 'unsubscribe' ? { added: [], removed: symbols, answer } : undefined
    },
    bar: (symbol, { timestamp, open, high, low, close, volume }, kind) => [
      {
        T: { minute: 'b', correction: 'u', day: 'd' }[kind],
        S: symbol,
        ...{ o: open, h: high, l: low, c: close, v: volume },
        t: iso(kind === 'day' ? midnightOf(timestamp) : timestamp),
        n: 3,
        vw: close,
      },
    ],
    wrongKey: [{ T: 'error', code: 402, msg: 'auth failed' }],
    entitlement: [{ T: 'error', code: 409, msg: 'insufficient subscription' }],
    connectionLimit: [{ T: 'error', code: 406, msg: 'connection limit exceeded' }],
  },
}

export const massiveProtocol: Protocol = {
  name: 'massive',
  id: 'stocks-massive',
  keys: { massiveKey: 'key-of-massive' },
  secrets: ['key-of-massive'],
  adjustments: ['split', 'raw'],
  isAuthorized: ({ headers }) => headers.authorization === 'Bearer key-of-massive',
  refusals: {
    'wrong key': [401, { status: 'ERROR', request_id: 'a1', error: 'Unknown API Key' }],
    entitlement: [
      403,
      {
        status: 'NOT_AUTHORIZED',
        request_id: 'a2',
        message:
          "Your plan doesn't include this data timeframe. Please upgrade your plan at https://massive.com/pricing",
      },
    ],
    'rate limit': [429, { status: 'ERROR', error: "You've exceeded the maximum requests per minute" }],
  },
  rest({ pathname, searchParams: query }, server) {
    const match = /^\/v2\/aggs\/ticker\/([^/]+)\/range\/(\d+)\/(minute|day)\/(\d+)\/(\d+)$/.exec(pathname)
    if (!match) return [404, { status: 'NOT_FOUND' }]
    const [, symbol = '', multiplier, span, start, end] = match
    const rows = server
      .rows({
        symbol: decodeURIComponent(symbol),
        seconds: Number(multiplier) * (span === 'day' ? day : 60),
        start: Number(start),
        end: Number(end),
        adjustment: query.get('adjusted') === 'false' ? 'raw' : 'split',
      })
      .reverse()
    const from = Number(query.get('cursor') ?? 0)
    const results = rows
      .slice(from, from + server.pageSize)
      .map(({ timestamp, open, high, low, close, volume }) => ({
        ...{ v: volume, vw: close, o: open, c: close, h: high, l: low, t: timestamp * 1000, n: 9 },
      }))
    const next = new URL(`https://api.massive.com${pathname}?${query}`)
    next.searchParams.set('cursor', String(from + server.pageSize))
    return [
      200,
      {
        ...{ ticker: symbol, queryCount: rows.length, resultsCount: results.length },
        ...(results.length > 0 && { results }),
        ...(from + server.pageSize < rows.length && { next_url: next.href }),
        status: 'DELAYED',
        request_id: 'b3',
      },
    ]
  },
  stream: {
    greeting: [{ ev: 'status', status: 'connected', message: 'Connected Successfully' }],
    login: ({ action, params }) =>
      action === 'auth'
        ? {
            isRight: params === 'key-of-massive',
            answer: [{ ev: 'status', status: 'auth_success', message: 'authenticated' }],
          }
        : undefined,
    subscription: ({ action, params }) => {
      const symbols = String(params)
        .split(',')
        .map(each => each.replace(/^AM\./, ''))
      const answer = [{ ev: 'status', status: 'success', message: `subscribed to: ${params}` }]
      if (action === 'subscribe') return { added: symbols, removed: [], answer }
      return action === 'unsubscribe' ? { added: [], removed: symbols, answer } : undefined
    },
    bar: (symbol, { timestamp, open, high, low, close, volume }) => [
      {
        ...{ ev: 'AM', sym: symbol, v: volume, av: 9_470_157, op: open, vw: close },
        ...{ o: open, c: close, h: high, l: low, a: close, z: 200 },
        ...{ s: timestamp * 1000, e: (timestamp + 60) * 1000 },
      },
    ],
    wrongKey: [{ ev: 'status', status: 'auth_failed', message: 'authentication failed' }],
    entitlement: [
      {
        ...{ ev: 'status', status: 'auth_failed' },
        message: "Your plan doesn't include websocket access. Visit https://massive.com/pricing to upgrade.",
      },
    ],
    connectionLimit: [
      {
        ev: 'status',
        status: 'max_connections',
        message: 'Maximum number of websocket connections exceeded.',
      },
    ],
  },
}

const twelveLengths: Readonly<Record<string, number>> = {
  '1min': 60,
  '5min': 300,
  '15min': 900,
  '30min': 1800,
  '1day': day,
}

export const twelveDataProtocol: Protocol = {
  name: 'twelvedata',
  id: 'stocks-twelvedata',
  keys: { twelvedataKey: 'key-of-twelve' },
  secrets: ['key-of-twelve'],
  adjustments: ['split', 'raw', 'all'],
  isAuthorized: ({ headers }) => headers.authorization === 'apikey key-of-twelve',
  refusals: {
    'wrong key': [
      401,
      { code: 401, message: '**apikey** parameter is incorrect or not specified.', status: 'error' },
    ],
    entitlement: [
      403,
      { code: 403, message: 'This data is available starting with the Grow plan.', status: 'error' },
    ],
    'rate limit': [
      429,
      { code: 429, message: 'You have run out of API credits for the current minute.', status: 'error' },
    ],
  },
  rest({ pathname, searchParams: query }, server) {
    const symbol = query.get('symbol') ?? ''
    const error = (code: number, message: string): Answer => [200, { code, message, status: 'error' }]
    if (pathname !== '/time_series' || !server.knows(symbol))
      return error(404, '**symbol** or **figi** parameter is missing or invalid.')
    const isDay = query.get('interval') === '1day'
    const rows = server
      .rows({
        symbol,
        seconds: twelveLengths[query.get('interval') ?? ''] as number,
        start: Date.parse(`${query.get('start_date')}Z`),
        end: Date.parse(`${query.get('end_date')}Z`),
        adjustment: ({ none: 'raw', splits: 'split' } as const)[query.get('adjust') ?? ''] ?? 'all',
        // Its candles are those of the regular session.
      })
      .filter(({ high }) => high !== outsideHigh)
      .reverse()
      .slice(0, Number(query.get('outputsize')))
    if (rows.length === 0)
      return error(400, 'No data is available on the specified dates. Try setting different start/end dates.')
    return [
      200,
      {
        meta: {
          symbol,
          interval: query.get('interval'),
          currency: 'USD',
          exchange: 'NASDAQ',
          type: 'Common Stock',
        },
        values: rows.map(({ timestamp, open, high, low, close, volume }) => ({
          datetime: isDay ? iso(timestamp).slice(0, 10) : iso(timestamp).slice(0, 19).replace('T', ' '),
          ...{
            open: String(open),
            high: String(high),
            low: String(low),
            close: String(close),
            volume: String(volume),
          },
        })),
        status: 'ok',
      },
    ]
  },
}

/** The high of candles outside of the session, which identifies them. */
const outsideHigh = 9999

/** A fault of one request. */
export type ProviderFault =
  | 'hang up'
  | 'cut JSON'
  | 'HTML page'
  | Answer
  | { readonly status: number; readonly headers: Record<string, string> }

/** A provider on loopback with an invented market. */
export class StockProvider {
  readonly #http = createServer((request, response) =>
    setTimeout(() => this.#answer(request, response), this.delayMs),
  )
  readonly #sockets = new WebSocketServer({ server: this.#http })
  readonly #faults: ProviderFault[] = []
  /** Maximum number of rows of a response. */
  pageSize = 10_000
  /** Number of answered requests; the connections of all later ones are closed. */
  answers = Number.POSITIVE_INFINITY
  /** Milliseconds before a reply. */
  delayMs = 0
  /** Whether the splits of the securities have taken place. Without them, adjusted prices equal the traded ones. */
  hasSplit = true
  /** Dividend of each symbol as a share of its price, with its ex-date (00:00 UTC, Unix seconds). */
  dividend: { readonly exDate: number; readonly share: number } | undefined
  /** Paths and queries of all requests. */
  readonly received: URL[] = []
  /** Open connections of the stream, and what each is subscribed to. */
  readonly sessions = new Map<WebSocket, Set<string>>()
  /** Number of connections ever opened. */
  connections = 0
  /** Sent instead of the answer to the key. */
  refusal: unknown
  url = ''

  private constructor(
    readonly protocol: Protocol,
    readonly market: Yahoo,
  ) {
    this.#sockets.on('connection', socket => this.#talk(socket))
  }

  static async start(protocol: Protocol, market: Yahoo): Promise<StockProvider> {
    const provider = new StockProvider(protocol, market)
    await new Promise<void>(resolve => provider.#http.listen(0, '127.0.0.1', resolve))
    provider.url = `http://127.0.0.1:${(provider.#http.address() as AddressInfo).port}`
    return provider
  }

  get settings(): StocksSettings {
    const place = { url: this.url, streamUrl: this.url.replace('http', 'ws'), requestsPerSecond: 1000 }
    return { [this.protocol.name]: place, symbolsUrl: this.market.settings.symbolsUrl }
  }

  knows(symbol: string): boolean {
    return symbol in this.market.securities
  }

  /** The candles of a time range, with some before and after each session, like those of providers that know no sessions. */
  rows({ symbol, seconds, start, end, adjustment }: Range): Truth[] {
    if (!this.knows(symbol)) return []
    const from = new Date(Math.max(start, Date.UTC(2023, 0, 1)) - day * 1000).toISOString().slice(0, 10)
    const rows = this.market
      .truth(symbol, seconds, from, adjustment !== 'raw' && this.hasSplit)
      .map(row => this.#paid(row, adjustment))
    const times = new Set(rows.map(({ timestamp }) => timestamp))
    const days = new Set([...times].map(timestamp => Math.floor(timestamp / day) * day))
    const outside =
      seconds === day
        ? []
        : [...days].flatMap(date =>
            [midnightOf(date) + 8 * 3600, midnightOf(date) + 17 * 3600, midnightOf(date) + 13.5 * 3600]
              .filter(timestamp => !times.has(timestamp))
              .map(timestamp => ({ timestamp, open: 1, high: outsideHigh, low: 1, close: 2, volume: 77 })),
          )
    const opens = ({ timestamp }: Truth) => (seconds === day ? midnightOf(timestamp) : timestamp)
    return [...rows, ...outside]
      .map(row => ({ ...row, timestamp: opens(row) }))
      .filter(({ timestamp }) => timestamp * 1000 >= start && timestamp * 1000 <= end)
      .sort((a, b) => a.timestamp - b.timestamp)
  }

  /** A candle before the ex-date is worth less by the dividend. */
  #paid(row: Truth, adjustment: Range['adjustment']): Truth {
    if (adjustment !== 'all' || !this.dividend || row.timestamp >= this.dividend.exDate) return row
    const factor = 1 - this.dividend.share
    const { open, high, low, close } = row
    return { ...row, open: open * factor, high: high * factor, low: low * factor, close: close * factor }
  }

  /** The next requests suffer these faults, one each. */
  fail(...faults: readonly ProviderFault[]): void {
    this.#faults.push(...faults)
  }

  /** Sends a bar to all subscribers of its symbol; returns their number. */
  push(symbol: string, candle: Truth, kind: 'minute' | 'correction' | 'day' = 'minute'): number {
    const text = JSON.stringify(this.protocol.stream?.bar(symbol, candle, kind))
    const subscribed = [...this.sessions].filter(([, symbols]) => symbols.has(symbol))
    for (const [socket] of subscribed) socket.send(text)
    return subscribed.length
  }

  send(message: unknown): void {
    for (const socket of this.sessions.keys()) socket.send(JSON.stringify(message))
  }

  /** Breaks all connections of the stream. */
  breakStreams(): void {
    for (const socket of this.sessions.keys()) socket.terminate()
  }

  async close(): Promise<void> {
    this.breakStreams()
    this.#http.closeAllConnections()
    await new Promise(resolve => this.#http.close(resolve))
  }

  #talk(socket: WebSocket): void {
    const talk = this.protocol.stream as StreamTalk
    const send = (message: unknown) => socket.send(JSON.stringify(message))
    this.connections++
    socket.on('close', () => this.sessions.delete(socket))
    send(talk.greeting)
    let isRight = false
    socket.on('message', data => {
      const message = JSON.parse(String(data))
      const login = talk.login(message)
      if (login) {
        isRight = login.isRight
        if (isRight) this.sessions.set(socket, new Set())
        send(this.refusal ?? (isRight ? login.answer : talk.wrongKey))
        return
      }
      const subscription = isRight ? talk.subscription(message) : undefined
      if (!subscription) return socket.terminate()
      const symbols = this.sessions.get(socket)
      for (const symbol of subscription.added) symbols?.add(symbol)
      for (const symbol of subscription.removed) symbols?.delete(symbol)
      send(subscription.answer)
    })
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.url)
    this.received.push(url)
    response.setHeader('date', new Date(this.market.now).toUTCString())
    const fault = --this.answers < 0 ? 'hang up' : this.#faults.shift()
    if (fault === 'hang up') {
      request.socket.destroy()
      return
    }
    const isAnswer = Array.isArray(fault)
    const [status, body] = isAnswer
      ? (fault as Answer)
      : this.protocol.isAuthorized(request)
        ? this.protocol.rest(url, this)
        : this.protocol.refusals['wrong key']
    const text = JSON.stringify(body)
    if (fault === 'HTML page') response.end('<!DOCTYPE html><html><body>Be right back</body></html>')
    else if (fault === 'cut JSON') response.end(text.slice(0, text.length / 2))
    else if (typeof fault === 'object' && !isAnswer) {
      const { status, headers } = fault as { status: number; headers: Record<string, string> }
      response.writeHead(status, headers).end('{}')
    } else response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }
}
