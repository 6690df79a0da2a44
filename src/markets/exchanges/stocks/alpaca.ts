import { z } from 'zod'
import type { Candle } from '../../../candles/candle.js'
import { SourceFailure } from '../source.js'
import { HttpFailure } from './failure.js'
import { BatchedPages } from './pages.js'
import {
  barShape,
  candleOfBar,
  type Interval,
  notInPlan,
  type Provider,
  pageOfBars,
  type StreamEvent,
  type StreamProtocol,
  wholeHistory,
  wrongKey,
} from './provider.js'
import type { ProviderAddress } from './stocks.js'
import { symbolSpelling } from './symbol-directory.js'
import { sessionAt } from './trading-hours.js'

// Alpaca Market Data API v2: https://docs.alpaca.markets/reference/stockbars and
// https://docs.alpaca.markets/docs/real-time-stock-pricing-data.

interface Keys {
  readonly key: string
  readonly secret: string
  /** `iex` has the trades of one exchange and is in every plan. `sip` has the trades of all exchanges. */
  readonly feed: 'iex' | 'sip'
}

const names: Readonly<Partial<Record<Interval, string>>> = {
  '1m': '1Min',
  '5m': '5Min',
  '15m': '15Min',
  '30m': '30Min',
  '1d': '1Day',
}
const bar = z.object({ ...barShape, t: z.string() })
const pageSchema = z.object({
  bars: z.record(z.string(), z.array(bar)).nullish(),
  next_page_token: z.string().nullish(),
})
const maxBars = 10_000
/** Maximum responses per page: enough for the minutes of eight years. */
const maxResponses = 100

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString()
const candleOf = (each: z.output<typeof bar>): Candle | undefined =>
  candleOfBar(Date.parse(each.t) / 1000, each)

const isUnknown = ({ status, body }: HttpFailure): boolean =>
  (status === 400 || status === 422) && /invalid symbol/i.test(body)

export function alpaca(
  { key, secret, feed }: Keys,
  { url = 'https://data.alpaca.markets', streamUrl = 'wss://stream.data.alpaca.markets' }: ProviderAddress,
): Provider {
  const headers = { 'APCA-API-KEY-ID': key, 'APCA-API-SECRET-KEY': secret }
  /** Responses with several securities have the bars of one security after the other. */
  const pages = new BatchedPages<Candle | undefined>(
    async (spellings, { interval, start, end, adjustment }, ask) => {
      const query = new URLSearchParams({
        timeframe: names[interval] as string,
        start: isoOf(start),
        end: isoOf(end - 1),
        limit: String(maxBars),
        adjustment,
        feed,
      })
      const candles = new Map<string, (Candle | undefined)[]>()
      for (let responses = 0; responses < maxResponses; responses++) {
        const { bars, next_page_token: token } = await ask(async fetch => {
          query.set('symbols', [...spellings].join())
          return pageSchema.parse(await (await fetch(`${url}/v2/stocks/bars?${query}`, headers)).json())
        })
        for (const [spelling, some] of Object.entries(bars ?? {})) {
          const known = candles.get(spelling) ?? []
          candles.set(spelling, known)
          for (const each of some) known.push(candleOf(each))
        }
        if (!token) break
        query.set('page_token', token)
      }
      return candles
    },
    error => error instanceof SourceFailure && error.cause instanceof HttpFailure && isUnknown(error.cause),
  )
  return {
    // The free plan allows 200 requests a minute.
    requestsPerSecond: 3,
    genesis: Date.UTC(2016, 0, 1) / 1000,
    bounds: wholeHistory,
    spell: symbol => symbolSpelling(symbol, { dot: '.', preferred: '.PR', suffixes: { W: 'WS', WS: 'WS' } }),
    page: async (request, ask) => pageOfBars(await pages.page(request, ask), request.interval),
    explain: failure => explain(failure, feed),
    isUnknown,
    isOutOfRange: () => false,
    stream: streamOf({ key, secret, feed }, streamUrl),
  }
}

function explain(
  { status, body }: HttpFailure,
  feed: Keys['feed'],
): ReturnType<NonNullable<Provider['explain']>> {
  if (status === 403 && /subscription/i.test(body))
    return {
      reason: 'not-permitted',
      words: `${notInPlan('ALPACA_KEY', `recent candles of ALPACA_FEED=${feed}`)} (HTTP 403); every plan includes those of iex`,
    }
  if (status === 401 || status === 403)
    return { reason: 'keys-needed', words: wrongKey('ALPACA_KEY or ALPACA_SECRET', status) }
  return undefined
}

const message = z.array(
  z.looseObject({
    T: z.string(),
    S: z.string().optional(),
    msg: z.string().optional(),
    code: z.number().optional(),
  }),
)

function streamOf({ key, secret, feed }: Keys, address: string): StreamProtocol {
  const channels = (action: string, symbols: readonly string[]) =>
    JSON.stringify({ action, bars: symbols, updatedBars: symbols, dailyBars: symbols })
  return {
    url: `${address}/v2/${feed}`,
    intervals: ['1m', '1d'],
    login: () => JSON.stringify({ action: 'auth', key, secret }),
    subscribe: symbols => channels('subscribe', symbols),
    unsubscribe: symbols => channels('unsubscribe', symbols),
    read: text => message.parse(JSON.parse(text)).flatMap(each => eventsOf(each, feed)),
  }
}

function eventsOf(each: z.output<typeof message>[number], feed: Keys['feed']): readonly StreamEvent[] {
  const { T: type, S: symbol = '', msg, code = 0 } = each
  if (type === 'success') {
    if (msg === 'connected') return [{ kind: 'greeted' }]
    return msg === 'authenticated' ? [{ kind: 'ready' }] : []
  }
  if (type === 'error') {
    const words = refusalOf(code, feed)
    if (words === undefined) throw new Error(`error ${code}: ${msg}`)
    return [{ kind: 'refused', words }]
  }
  if (type !== 'b' && type !== 'u' && type !== 'd') return []
  const candle = candleOf(bar.parse(each))
  if (candle === undefined) return []
  if (type !== 'd') return [{ kind: 'bar', symbol, interval: '1m', candle }]
  return [
    {
      kind: 'bar',
      symbol,
      interval: '1d',
      candle: { ...candle, timestamp: sessionAt(candle.timestamp).date },
    },
  ]
}

/** Text of a stream error that a new connection would repeat. Undefined for other errors. */
function refusalOf(code: number, feed: Keys['feed']): string | undefined {
  if (code === 402) return wrongKey('ALPACA_KEY or ALPACA_SECRET', 401)
  if (code === 405) return notInPlan('ALPACA_KEY', 'so many symbols')
  if (code === 406) return 'another program has the one connection that the account of ALPACA_KEY may have'
  if (code === 408 || code === 409) return notInPlan('ALPACA_KEY', `the stream of ALPACA_FEED=${feed}`)
  return undefined
}
