import type { Candle } from '../../candles/candle.js'
import { type Timeframe, timeframes } from '../../candles/timeframe.js'
import type { TextFields } from '../../contract/fields.js'
import { isStocks } from '../../contract/market.js'
import {
  invalidValue,
  isRefusal,
  methodNotAllowed,
  missingRequired,
  notFound,
  type Refusal,
} from '../../contract/refusals.js'
import type { ExchangeLookup } from '../../markets/exchanges/registry.js'
import { bodyText, type HttpRequest, ok, type Reply, refused } from '../reply.js'
import type { Ask, TranslatedRequests } from '../translated-requests.js'

export const udfPrefix = '/udf/'

/** Exchanges that a search without an exchange covers. */
const searchedExchanges = ['binance', 'stocks', 'demo']
const usualMatches = 30
const maxMatches = 1000
/**
 * Maximum number of bars per reply, the last ones of the range. More would delay other requests, and the library
 * requests earlier bars again.
 */
const maxBars = 5000
/** Longest time for which markets are closed at weekends and holidays, in seconds. */
const longestClosed = 14 * 86_400
/** Number of newest candles from which the digits of prices are read. */
const shownCandles = 20

interface Dependencies {
  readonly exchanges: ExchangeLookup
  readonly requests: TranslatedRequests
  /** Current time in Unix seconds. */
  readonly clock: () => number
}

/**
 * A datafeed for TradingView's charting library, in its protocol UDF: `/config`, `/time`, `/symbols`, `/search` and
 * `/history`. Symbols are `<exchange>:<symbol>`. Errors are `{"s":"error","errmsg":…}`, as the library reads them.
 * Source: TradingView, Advanced Charts, "UDF adapter".
 */
export class UdfRoutes {
  constructor(private readonly dependencies: Dependencies) {}

  /** Answers a request. `name` is the path without the prefix. */
  async answer(request: HttpRequest, name: string): Promise<Reply> {
    if (request.method !== 'get' && request.method !== 'head') return udfError(methodNotAllowed('GET, HEAD'))
    const { exchanges, requests, clock } = this.dependencies
    // Replies that are the same for all callers need no key.
    if (name === 'config') return ok(JSON.stringify(configuration(exchanges.ids())))
    if (name === 'time') return ok(String(Math.floor(clock())), { 'Content-Type': 'text/plain' })
    const respond = this.#answers.get(name)
    if (!respond) return udfError(notFound(request.path.slice(0, 200)))
    return requests.answer(request, 'udf', udfError, respond)
  }

  readonly #symbol = async (fields: TextFields, ask: Ask): Promise<Reply> => {
    const market = readSymbol(fields)
    if (isRefusal(market)) return udfError(market)
    const reply = await ask({
      path: '/candles',
      query: { ...market, timeframe: '1d', results: shownCandles },
    })
    if (reply.status !== 200) return errorOf(reply)
    const candles = JSON.parse(bodyText(reply)) as readonly Candle[]
    return ok(
      JSON.stringify(
        symbolInfo(
          market.exchange,
          market.symbol,
          candles.map(({ close }) => close),
        ),
      ),
    )
  }

  readonly #search = async (fields: TextFields, ask: Ask): Promise<Reply> => {
    const [text = '', named] = splitSymbol(fields.get('query') ?? '')
    const exchange = named ?? fields.get('exchange')?.toLowerCase()
    const limit = Math.min(maxMatches, Number(fields.get('limit')) || usualMatches)
    const type = fields.get('type')
    const wanted = text.toUpperCase().replaceAll(/[/-]/g, '')
    const found: object[] = []
    for (const id of exchange === undefined ? searchedExchanges : [exchange]) {
      if (type !== undefined && type !== typeOf(id)) continue
      const reply = await ask({ path: `/exchanges/${encodeURIComponent(id)}/symbols` })
      // An unreachable exchange does not end the search in the others.
      if (reply.status !== 200) continue
      const { symbols } = JSON.parse(bodyText(reply)) as { readonly symbols: readonly string[] }
      for (const symbol of symbols) {
        if (found.length >= limit) break
        if (symbol.includes(wanted)) found.push(matchOf(id, symbol))
      }
    }
    return ok(JSON.stringify(found))
  }

  readonly #history = async (fields: TextFields, ask: Ask): Promise<Reply> => {
    const market = readSymbol(fields)
    if (isRefusal(market)) return udfError(market)
    const bars = readBars(fields)
    if (isRefusal(bars)) return udfError(bars)
    const { timeframe, from, to, count } = bars
    const read = async (first: number, last: number): Promise<readonly Candle[] | Reply> => {
      const reply = await ask({ path: '/candles', query: { ...market, timeframe, from: first, to: last } })
      // The request is valid, so a 400 means that the history has no candles of this range.
      if (reply.status === 400) return []
      return reply.status === 200 ? (JSON.parse(bodyText(reply)) as readonly Candle[]) : errorOf(reply)
    }
    const within = await read(from, to)
    if ('status' in within) return within
    const candles = await withOlder(within, from, { timeframe, count, read })
    if ('status' in candles) return candles
    if (candles.length > 0)
      return ok(JSON.stringify(historyOf(candles.slice(-Math.min(maxBars, Math.max(count, within.length))))))
    // A market that was closed has older candles. The library continues from the given time.
    const earlier = from > 0 ? await read(Math.max(0, from - longestClosed), from - 1) : []
    if ('status' in earlier) return earlier
    return ok(JSON.stringify({ s: 'no_data', nextTime: earlier.at(-1)?.timestamp }))
  }

  readonly #answers = new Map([
    ['symbols', this.#symbol],
    ['search', this.#search],
    ['history', this.#history],
  ])
}

interface OlderBars {
  readonly timeframe: Timeframe
  readonly count: number
  /** Returns the candles between two times, an empty list if the history has none, or the reply of a failure. */
  readonly read: (first: number, last: number) => Promise<readonly Candle[] | Reply>
}

/**
 * Adds older candles until there are `count`, because a market that closes has fewer bars in a range than timeframes.
 * At the start of the history the steps back become shorter, until one is shorter than a candle.
 */
async function withOlder(
  candles: readonly Candle[],
  from: number,
  { timeframe, count, read }: OlderBars,
): Promise<readonly Candle[] | Reply> {
  const seconds = timeframes[timeframe]
  let all = candles
  let first = from
  let step = Math.max(longestClosed, count * seconds)
  while (all.length < count && first > 0 && step >= seconds) {
    const start = Math.max(0, first - step)
    const older = await read(start, first - 1)
    if ('status' in older) return older
    if (older.length === 0) {
      step = Math.floor(step / 2)
      continue
    }
    all = [...older, ...all]
    first = start
  }
  return all
}

function historyOf(candles: readonly Candle[]): object {
  const column = (name: keyof Candle) => candles.map(candle => candle[name])
  return {
    s: 'ok',
    t: column('timestamp'),
    o: column('open'),
    h: column('high'),
    l: column('low'),
    c: column('close'),
    v: column('volume'),
  }
}

const configuration = (ids: readonly string[]): object => ({
  supports_search: true,
  supports_group_request: false,
  supports_marks: false,
  supports_timescale_marks: false,
  supports_time: true,
  supported_resolutions: Object.values(resolutions),
  exchanges: [
    { value: '', name: 'All exchanges', desc: searchedExchanges.join(', ') },
    ...ids.map(id => ({ value: id, name: id, desc: id })),
  ],
  symbols_types: [
    { value: '', name: 'All types' },
    { value: 'crypto', name: 'Crypto' },
    { value: 'stock', name: 'Stocks' },
  ],
})

export const typeOf = (exchange: string): 'stock' | 'crypto' => (isStocks(exchange) ? 'stock' : 'crypto')

const matchOf = (exchange: string, symbol: string): object => ({
  symbol,
  full_name: `${exchange}:${symbol}`,
  description: symbol,
  exchange,
  ticker: `${exchange}:${symbol}`,
  type: typeOf(exchange),
})

function splitSymbol(text: string): [symbol: string, exchange?: string] {
  const colon = text.indexOf(':')
  return colon < 0 ? [text] : [text.slice(colon + 1), text.slice(0, colon).toLowerCase()]
}

function readSymbol(fields: TextFields): { readonly exchange: string; readonly symbol: string } | Refusal {
  const text = fields.get('symbol')
  if (text === undefined) return missingRequired(['symbol'])
  const [symbol, exchange] = splitSymbol(text)
  return exchange === undefined
    ? invalidValue('symbol', text.slice(0, 60), '<exchange>:<symbol>, such as binance:BTCUSDT')
    : { exchange, symbol }
}

interface Bars {
  readonly timeframe: Timeframe
  readonly from: number
  readonly to: number
  /** Minimum number of bars up to `to`; 0 without `countback`. */
  readonly count: number
}

/** Reads the requested bars: those from `from` to `to`, and with `countback` at least this number. */
function readBars(fields: TextFields): Bars | Refusal {
  const resolution = fields.get('resolution') ?? ''
  const timeframe = timeframeOf(resolution)
  if (timeframe === undefined)
    return invalidValue(
      'resolution',
      resolution.slice(0, 20),
      `one of ${Object.values(resolutions).join(', ')}`,
    )
  const read = (name: string) => Number(fields.get(name) ?? Number.NaN)
  const to = read('to')
  const count = Math.min(maxBars, Math.max(0, Math.floor(read('countback') || 0)))
  const before = (bars: number) => to - bars * timeframes[timeframe] + 1
  const wanted = fields.get('from') === undefined && count > 0 ? before(count) : read('from')
  const from = Math.max(count > 0 ? Math.min(wanted, before(count)) : wanted, before(maxBars))
  for (const [name, value] of Object.entries({ from, to }))
    if (!Number.isFinite(value))
      return invalidValue(name, fields.get(name)?.slice(0, 20) ?? '', 'Unix seconds')
  return { timeframe, from: Math.max(0, from), to: Math.max(0, to), count }
}

const udfError = (refusal: Refusal): Reply => ({
  ...refused(refusal),
  body: JSON.stringify({ s: 'error', errmsg: refusal.error }),
})

/** Error reply for an endpoint that has no result. */
function errorOf(reply: Reply): Reply {
  const { error = 'the candles are being fetched' } = JSON.parse(bodyText(reply)) as {
    readonly error?: string
  }
  return {
    ...reply,
    status: reply.status === 202 ? 503 : reply.status,
    body: JSON.stringify({ s: 'error', errmsg: error }),
  }
}

/** Timeframe in the notation of the charting library: minutes as a number, longer ones with their unit. */
function resolutionOf(timeframe: Timeframe): string {
  const seconds = timeframes[timeframe]
  return seconds < timeframes['1d'] ? String(seconds / 60) : timeframe.toUpperCase()
}

export const resolutions = Object.fromEntries(
  (Object.keys(timeframes) as Timeframe[]).map(timeframe => [timeframe, resolutionOf(timeframe)]),
) as Readonly<Record<Timeframe, string>>

const timeframesByResolution = new Map(
  (Object.entries(resolutions) as [Timeframe, string][]).map(([timeframe, resolution]) => [
    resolution,
    timeframe,
  ]),
)

/** Timeframe of a resolution. For one day, week or month the number may be missing. */
export const timeframeOf = (resolution: string): Timeframe | undefined =>
  timeframesByResolution.get(/^[DWM]$/.test(resolution) ? `1${resolution}` : resolution)

/** Maximum number of decimals of a price. Further digits are rounding errors. */
const maxDigits = 10

/** Facts of a symbol for the charting library, derived in part from some of its newest closes. */
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

function digitsOf(price: number): number {
  const [mantissa = '', exponent = '0'] = String(price).split('e')
  const behind = mantissa.split('.')[1]?.length ?? 0
  return Math.min(maxDigits, Math.max(0, behind - Number(exponent)))
}
