import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** A candle of the market, as the service must return it. */
export interface Truth {
  timestamp: number
  open: number
  high: number
  low: number
  close: number
  volume: number
}

/** A security of the invented market. */
export interface Security {
  readonly seed: number
  /** Yahoo's `instrumentType`. */
  readonly type?: string
  readonly timezone?: string
  /** The date of the first session, as in `2025-06-18`. */
  readonly first?: string
  readonly splits?: readonly {
    readonly date: string
    readonly numerator: number
    readonly denominator: number
  }[]
  /** Whether rows before a split are not divided yet. */
  readonly storedIsNewer?: boolean
  /** Minutes without a trade: every n-th one; none by default. */
  readonly pauses?: number
}

/** A fault of one request. */
export type Fault =
  | 'silence'
  | 'stall'
  | 'hang up'
  | 'cut JSON'
  | 'HTML page'
  | 'empty result'
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }

interface Settings {
  /** Milliseconds. */
  readonly clock: () => number
  /** The time in the `Date` header in milliseconds, if it differs from that of the rows. */
  readonly date?: () => number
  /** Securities by Yahoo's spelling. */
  readonly securities?: Readonly<Record<string, Security>>
  /** Dates without a session. */
  readonly holidays?: readonly string[]
  /** Dates on which the session ends at 13:00. */
  readonly halfDays?: readonly string[]
  /** Whether rows outside the regular session are included without a request. */
  readonly leaks?: boolean
  /** The text of `nasdaqtraded.txt`. */
  readonly directory?: string
}

const day = 86_400
const minute = 60
const dateOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)
const midnightOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000

/** The n-th Sunday of a month (0 is January), as UTC midnight. */
const sunday = (year: number, month: number, n: number) => {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay()
  return Date.UTC(year, month, 1 + ((7 - first) % 7) + 7 * (n - 1)) / 1000
}
/** Summer time by the law of 2005: from the second Sunday of March to the first of November. */
const isSummer = (midnight: number) => {
  const year = new Date(midnight * 1000).getUTCFullYear()
  return midnight >= sunday(year, 2, 2) && midnight < sunday(year, 10, 1)
}

interface Session {
  readonly date: number
  readonly open: number
  readonly close: number
}

/** The candles of sessions that have ended, which are made once for all servers with the same security. */
const made = new Map<string, readonly Truth[]>()

/** Joins neighbours of one time to one candle. */
function joined(candles: readonly Truth[]): Truth[] {
  const found: Truth[] = []
  for (const candle of candles) {
    const last = found.at(-1)
    if (last?.timestamp === candle.timestamp) {
      last.high = Math.max(last.high, candle.high)
      last.low = Math.min(last.low, candle.low)
      last.close = candle.close
      last.volume += candle.volume
    } else found.push({ ...candle })
  }
  return found
}

const columnsOf = (rows: readonly Truth[]) => ({
  open: rows.map(row => Math.fround(row.open)),
  high: rows.map(row => Math.fround(row.high)),
  low: rows.map(row => Math.fround(row.low)),
  close: rows.map(row => Math.fround(row.close)),
  volume: rows.map(row => row.volume),
})

const lengths: Readonly<Record<string, number>> = { '1m': 60, '5m': 300, '15m': 900, '1h': 3600, '1d': day }
/** Number of days of Yahoo's history, and of days that one request may span. */
const limits: Readonly<Record<string, readonly [number, number]>> = {
  '1m': [30, 8],
  '5m': [60, 60],
  '15m': [60, 60],
  '1h': [730, 730],
}

/**
 * An invented stock market behind the interface of Yahoo Finance (`/v8/finance/chart/…`) and of the symbol directory
 * of Nasdaq Trader. Every minute of a session has two trades, at its 10th and at its 40th second.
 */
export class Yahoo {
  readonly #settings: Settings
  readonly #server = createServer((request, response) => this.#answer(request, response))
  #written: { readonly path: RegExp; readonly write: (response: ServerResponse) => void } | undefined
  readonly #faults: { readonly path: RegExp; readonly fault: Fault }[] = []
  readonly #open = new Set<ServerResponse>()
  #delayed: (() => void)[] | undefined
  /** Path and query of every request. */
  readonly received: URL[] = []
  /** Header fields of every request. */
  readonly headers: IncomingMessage['headers'][] = []
  /** Maximum number of concurrent requests. */
  maxConcurrent = 0
  directory: string
  securities: Record<string, Security>
  /** Changes every chart before it is sent. */
  // biome-ignore lint/suspicious/noExplicitAny: tests break the form of the replies
  edit: (body: any) => unknown = body => body
  url = ''

  private constructor(settings: Settings) {
    this.#settings = settings
    this.directory = settings.directory ?? ''
    this.securities = { ...settings.securities }
  }

  /** Unix milliseconds. */
  get now(): number {
    return this.#settings.clock()
  }

  static async start(settings: Settings): Promise<Yahoo> {
    const yahoo = new Yahoo(settings)
    await new Promise<void>(resolve => yahoo.#server.listen(0, '127.0.0.1', resolve))
    yahoo.url = `http://127.0.0.1:${(yahoo.#server.address() as AddressInfo).port}`
    return yahoo
  }

  /** The settings that make the service use this server. */
  get settings() {
    return { url: this.url, symbolsUrl: `${this.url}/dynamic/SymDir/nasdaqtraded.txt` }
  }

  /** Makes `write` answer all requests of a path. */
  answer(path: RegExp, write: (response: ServerResponse) => void): void {
    this.#written = { path, write }
  }

  /** The next requests of a path suffer these faults, one each. */
  fail(path: RegExp, ...faults: readonly Fault[]): void {
    for (const fault of faults) this.#faults.push({ path, fault })
  }

  requests(path = /chart/): readonly URL[] {
    return this.received.filter(({ pathname }) => path.test(pathname))
  }

  async close(): Promise<void> {
    for (const response of this.#open) response.destroy()
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }

  /** The sessions that have begun, from `from` (Unix seconds) on. */
  #sessions(from: number): Session[] {
    const { clock, holidays = [], halfDays = [] } = this.#settings
    const now = clock() / 1000
    const found: Session[] = []
    for (let date = Math.floor(from / day) * day; date < now; date += day) {
      // The first of January 1970 was a Thursday.
      const weekday = (date / day + 4) % 7
      if (weekday === 0 || weekday === 6) continue
      const text = dateOf(date)
      if (holidays.includes(text)) continue
      const start = date + (isSummer(date) ? 4 : 5) * 3600
      const close = start + (halfDays.includes(text) ? 13 : 16) * 3600
      if (start + 9.5 * 3600 <= now) found.push({ date, open: start + 9.5 * 3600, close })
    }
    return found
  }

  /** The trades of a session up to now as candles that are cut from its open on, in the shares and prices of that day or, `adjusted`, of today. */
  #tradesOf(security: Security, session: Session, seconds: number, adjusted: boolean): readonly Truth[] {
    const now = this.#settings.clock() / 1000
    const { seed, pauses = 0, splits = [] } = security
    let factor = 1
    for (const { date, numerator, denominator } of splits) {
      const isLater = midnightOf(date) > session.date
      // Before the split a share is worth more; adjusting reverses that.
      if (isLater && !adjusted) factor *= numerator / denominator
    }
    const candles: Truth[] = []
    let last: Truth | undefined
    const calm = 5000 + 1500 * Math.sin(session.date / day / 40 + seed)
    const generator = xoroshiro128plus(seed * 0x1_0000 + session.date / day)
    for (let at = session.open; at < session.close; at += minute) {
      if (pauses > 0 && uniformInt(generator, 1, pauses) === 1) continue
      const swing = calm + 100 * Math.sin(at / 2400)
      for (const second of [10, 40]) {
        if (at + second > now) return candles
        const timestamp = at + second - ((at + second - session.open) % seconds)
        const price = (Math.round(swing + uniformInt(generator, 0, 99)) / 100) * factor
        const volume = (uniformInt(generator, 1, 50) * 400) / factor
        if (last?.timestamp !== timestamp) {
          last = { timestamp, open: price, high: price, low: price, close: price, volume }
          candles.push(last)
          continue
        }
        if (price > last.high) last.high = price
        if (price < last.low) last.low = price
        last.close = price
        last.volume += volume
      }
    }
    return candles
  }

  /** The same, made once where the session has ended. */
  #candlesOf(security: Security, session: Session, seconds: number, adjusted: boolean): readonly Truth[] {
    const key = `${session.open} ${session.close} ${seconds} ${adjusted} ${JSON.stringify(security)}`
    // A test may set the clock back.
    const hasEnded = session.close <= this.now / 1000
    const known = hasEnded ? made.get(key) : undefined
    if (known) return known
    const candles = this.#tradesOf(security, session, seconds, adjusted)
    if (hasEnded) made.set(key, candles)
    return candles
  }

  /** The candles of a security by definition: sessions cut from their open on, days under their date, weeks under Monday. */
  truth(symbol: string, seconds: number, from: string, adjusted = true): Truth[] {
    const security = this.securities[symbol] as Security
    const start = Math.max(midnightOf(from), midnightOf(security.first ?? '2000-01-03'))
    return joined(
      this.#sessions(start).flatMap(session => {
        const candles = this.#candlesOf(security, session, Math.min(seconds, day), adjusted)
        return seconds < day
          ? candles
          : candles.map(candle => ({ ...candle, timestamp: longOpen(session.date, seconds) }))
      }),
    )
  }

  /** Answers nothing until the returned function is called. */
  hold(): () => void {
    const waiting: (() => void)[] = []
    this.#delayed = waiting
    return () => {
      this.#delayed = undefined
      for (const answer of waiting) answer()
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://yahoo')
    this.received.push(url)
    this.headers.push(request.headers)
    this.#open.add(response)
    this.maxConcurrent = Math.max(this.maxConcurrent, this.#open.size)
    response.on('close', () => this.#open.delete(response))
    if (this.#delayed) this.#delayed.push(() => this.#reply(url, request, response))
    else this.#reply(url, request, response)
  }

  #reply(url: URL, request: IncomingMessage, response: ServerResponse): void {
    const { clock, date = clock } = this.#settings
    response.setHeader('date', new Date(date()).toUTCString())
    const at = this.#faults.findIndex(({ path }) => path.test(url.pathname))
    const fault = at < 0 ? undefined : this.#faults.splice(at, 1)[0]?.fault
    if (this.#written?.path.test(url.pathname)) {
      this.#written.write(response)
      return
    }
    if (typeof fault === 'object') {
      response.writeHead(fault.status, { 'content-type': 'text/plain', ...fault.headers })
      response.end(fault.body ?? '')
      return
    }
    if (fault === 'silence') return
    if (fault === 'hang up') {
      request.socket.destroy()
      return
    }
    if (fault === 'HTML page') {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!DOCTYPE html><html><body>Will be right back…</body></html>')
      return
    }
    if (url.pathname.endsWith('/nasdaqtraded.txt')) {
      response.writeHead(200, { 'content-type': 'text/plain' })
      response.end(fault === 'cut JSON' ? this.directory.slice(0, this.directory.length / 2) : this.directory)
      return
    }
    const symbol = decodeURIComponent(/^\/v8\/finance\/chart\/([^/]+)$/.exec(url.pathname)?.[1] ?? '')
    const [status, body] =
      fault === 'empty result'
        ? [200, { chart: { result: [], error: null } }]
        : this.#chart(symbol, url.searchParams)
    const text = JSON.stringify(status === 200 ? this.edit(body) : body)
    response.writeHead(status, {
      'content-type': 'application/json;charset=utf-8',
      'set-cookie': 'A3=d=none; Domain=.yahoo.com; Path=/; Secure; HttpOnly',
    })
    if (fault === 'stall') response.write(text.slice(0, text.length / 2))
    else response.end(fault === 'cut JSON' ? text.slice(0, text.length / 2) : text)
  }

  #chart(symbol: string, query: URLSearchParams): [number, unknown] {
    const refused = (status: number, code: string, description: string): [number, unknown] => [
      status,
      { chart: { result: null, error: { code, description } } },
    ]
    const now = this.#settings.clock() / 1000
    const security = this.securities[symbol]
    const interval = query.get('interval') ?? ''
    const length = lengths[interval]
    const start = Number(query.get('period1'))
    const end = Number(query.get('period2'))
    if (security === undefined) return refused(404, 'Not Found', 'No data found, symbol may be delisted')
    if (length === undefined || !Number.isInteger(start) || !Number.isInteger(end) || start >= end)
      return refused(400, 'Bad Request', 'Invalid input - start date cannot be after end date.')
    const range = `${interval} data not available for startTime=${start} and endTime=${end}.`
    const [lookBack = Number.POSITIVE_INFINITY, span = Number.POSITIVE_INFINITY] = limits[interval] ?? []
    if (start < now - lookBack * day)
      return refused(
        422,
        'Unprocessable Entity',
        `${range} The requested range must be within the last ${lookBack} days.`,
      )
    if (end - start > span * day)
      return refused(
        422,
        'Unprocessable Entity',
        `${range} Only ${span} days worth of ${interval} granularity data are allowed to be fetched per request.`,
      )
    const first = midnightOf(security.first ?? '2000-01-03')
    if (end <= first)
      return refused(400, 'Bad Request', `Data doesn't exist for startDate = ${start}, endDate = ${end}`)

    const sessions = this.#sessions(Math.max(first, start)).filter(({ open }) => open < end)
    const rows = sessions.flatMap(session =>
      this.#candlesOf(security, session, length, !security.storedIsNewer),
    )
    const latest = sessions.at(-1)
    // Each trade is alone in its ten seconds.
    const today = latest && this.#tradesOf(security, latest, 10, !security.storedIsNewer)
    const lastTrade = today?.at(-1)
    const all: (Truth | { timestamp: number })[] = []
    for (const [i, row] of rows.entries()) {
      const next = rows[i + 1]
      all.push(row)
      // Intervals without a trade are rows of nulls.
      if (length < day && next && dateOf(next.timestamp) === dateOf(row.timestamp))
        for (let at = row.timestamp + length; at < next.timestamp; at += length) all.push({ timestamp: at })
    }
    if (this.#settings.leaks && length < day) {
      for (const { open, close } of sessions) {
        for (const timestamp of [open - 5400, close + 3600].filter(at => at <= now))
          all.push({ timestamp, open: 1, high: 9999, low: 1, close: 9999, volume: 77 })
      }
    }
    // The current quote follows the rows: while the market is open, and dated 16:00 for the rest of the day.
    if (latest && lastTrade && end > now && dateOf(now) === dateOf(latest.date)) {
      const { timestamp: at, close: price } = lastTrade
      const isOpen = now < latest.close
      const timestamp = isOpen ? at : latest.close
      const quote = { timestamp, open: price, high: price, low: price, close: price, volume: 0 }
      if (length < day) all.push(quote)
      else if (isOpen) {
        // The day is listed twice: in an earlier state, and in the current one.
        const whole = all.at(-1) as Truth
        all[all.length - 1] = { ...whole, volume: whole.volume - 1, close: whole.open }
        all.push({ ...whole, timestamp })
      }
    }

    const { timezone = 'America/New_York', type = 'EQUITY', splits = [] } = security
    const summer = isSummer(Math.floor(now / day) * day)
    const zone = { timezone: summer ? 'EDT' : 'EST', gmtoffset: summer ? -14_400 : -18_000 }
    const period = (from: number, to: number) => ({ ...zone, start: from, end: to })
    const current = latest ?? { open: start, close: end }
    const regular = all as Truth[]
    const shown = splits
      .map(split => ({ ...split, at: midnightOf(split.date) }))
      .filter(({ at }) => at >= start && at < end && at <= now)
      .map(({ at, numerator, denominator }) => {
        const date = at + (isSummer(at) ? 13.5 : 14.5) * 3600
        return [date, { date, numerator, denominator, splitRatio: `${numerator}:${denominator}` }] as const
      })
    return [
      200,
      {
        chart: {
          result: [
            {
              meta: {
                currency: 'USD',
                symbol,
                exchangeName: 'NMS',
                fullExchangeName: 'NasdaqGS',
                instrumentType: type,
                firstTradeDate: first + 13.5 * 3600,
                regularMarketTime: lastTrade?.timestamp ?? first,
                hasPrePostMarketData: true,
                gmtoffset: zone.gmtoffset,
                timezone: zone.timezone,
                exchangeTimezoneName: timezone,
                regularMarketPrice: lastTrade?.close ?? 1,
                fiftyTwoWeekHigh: 99,
                fiftyTwoWeekLow: 1,
                longName: `${symbol} Inc.`,
                shortName: symbol,
                chartPreviousClose: 50,
                priceHint: 2,
                currentTradingPeriod: {
                  pre: period(current.open - 5.5 * 3600, current.open),
                  regular: period(current.open, current.close),
                  post: period(current.close, current.close + 4 * 3600),
                },
                ...(length < day
                  ? { tradingPeriods: sessions.map(({ open, close }) => [period(open, close)]) }
                  : {}),
                dataGranularity: interval,
                range: '',
                validRanges: ['1d', '5d', '1mo', '3mo', '6mo', '1y', '2y', '5y', '10y', 'ytd', 'max'],
              },
              ...(all.length > 0 ? { timestamp: all.map(row => row.timestamp) } : {}),
              ...(shown.length > 0 && query.get('events')?.includes('split')
                ? { events: { splits: Object.fromEntries(shown) } }
                : {}),
              indicators: {
                quote: [all.length > 0 ? columnsOf(regular) : {}],
                ...(length === day
                  ? { adjclose: [all.length > 0 ? { adjclose: columnsOf(regular).close } : {}] }
                  : {}),
              },
            },
          ],
          error: null,
        },
      },
    ]
  }
}

/**
 * Open time of the candle of days that contains a date; weeks open on Monday, months (the longest candles) on their first
 * day.
 */
function longOpen(date: number, seconds: number): number {
  const time = new Date(date * 1000)
  if (seconds > 7 * day) return Date.UTC(time.getUTCFullYear(), time.getUTCMonth()) / 1000
  if (seconds === 7 * day) return date - ((time.getUTCDay() + 6) % 7) * day
  return date - (date % seconds)
}
