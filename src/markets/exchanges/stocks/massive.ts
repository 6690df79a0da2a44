import { z } from 'zod'
import type { Candle } from '../../../candles/candle.js'
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

// Massive (formerly Polygon.io): https://massive.com/docs/rest/stocks/aggregates/custom-bars and
// https://massive.com/docs/websocket/stocks/aggregates-per-minute.

const spans: Readonly<Partial<Record<Interval, string>>> = {
  '1m': '1/minute',
  '5m': '5/minute',
  '15m': '15/minute',
  '30m': '30/minute',
  '1d': '1/day',
}
const pageSchema = z.object({
  results: z.array(z.object({ ...barShape, t: z.number() })).nullish(),
  next_url: z.string().nullish(),
})
/** Maximum minutes or days that one response aggregates. */
const maxBaseBars = 50_000
/** Maximum responses per page. */
const maxResponses = 100

export function massive(
  key: string,
  { url = 'https://api.massive.com', streamUrl = 'wss://socket.massive.com' }: ProviderAddress,
): Provider {
  const headers = { Authorization: `Bearer ${key}` }
  return {
    // The free plan allows five requests a minute. There a 429 pauses the requests.
    requestsPerSecond: 5,
    genesis: Date.UTC(2003, 8, 10) / 1000,
    bounds: wholeHistory,
    spell: symbol => symbolSpelling(symbol, { dot: '.', preferred: 'p', suffixes: { W: 'WS', WS: 'WS' } }),
    async page({ spelling, interval, start, end, adjustment }, ask) {
      const range = `${spelling}/range/${spans[interval]}/${start * 1000}/${end * 1000 - 1}`
      let path = `/v2/aggs/ticker/${range}?adjusted=${adjustment !== 'raw'}&sort=desc&limit=${maxBaseBars}`
      const candles: (Candle | undefined)[] = []
      for (let responses = 0; responses < maxResponses; responses++) {
        const { results, next_url: next } = await ask(async fetch =>
          pageSchema.parse(await (await fetch(url + path, headers)).json()),
        )
        for (const bar of results ?? []) candles.push(candleOfBar(bar.t / 1000, bar))
        if (!next) break
        // Keeps only the path: behind a proxy the address is the provider's own, and the key must not be sent
        // elsewhere.
        const { pathname, search } = new URL(next)
        path = pathname + search
      }
      return pageOfBars(candles, interval)
    },
    explain({ status }) {
      if (status === 401) return { reason: 'keys-needed', words: wrongKey('MASSIVE_KEY', status) }
      if (status !== 403) return undefined
      return {
        reason: 'not-permitted',
        words: `${notInPlan('MASSIVE_KEY', 'these candles, because they are too recent or too old')} (HTTP 403)`,
      }
    },
    isUnknown: ({ status }) => status === 404,
    isOutOfRange: () => false,
    stream: streamOf(key, streamUrl),
  }
}

const message = z.array(
  z.looseObject({
    ev: z.string(),
    status: z.string().optional(),
    message: z.string().optional(),
    sym: z.string().optional(),
    s: z.number().optional(),
  }),
)
const bar = z.object(barShape)

function streamOf(key: string, address: string): StreamProtocol {
  const params = (symbols: readonly string[]) => symbols.map(symbol => `AM.${symbol}`).join(',')
  return {
    url: `${address}/stocks`,
    intervals: ['1m'],
    login: () => JSON.stringify({ action: 'auth', params: key }),
    subscribe: symbols => JSON.stringify({ action: 'subscribe', params: params(symbols) }),
    unsubscribe: symbols => JSON.stringify({ action: 'unsubscribe', params: params(symbols) }),
    read: text => message.parse(JSON.parse(text)).flatMap(eventsOf),
  }
}

function eventsOf(each: z.output<typeof message>[number]): readonly StreamEvent[] {
  const { ev, status, message: text = '', sym: symbol = '', s = Number.NaN } = each
  if (ev === 'status') {
    if (status === 'connected') return [{ kind: 'greeted' }]
    if (status === 'auth_success') return [{ kind: 'ready' }]
    const words = refusalOf(status, text)
    return words === undefined ? [] : [{ kind: 'refused', words }]
  }
  const candle = ev === 'AM' ? candleOfBar(s / 1000, bar.parse(each)) : undefined
  return candle === undefined ? [] : [{ kind: 'bar', symbol, interval: '1m', candle }]
}

/** Text of a stream status that a new connection would repeat. Undefined for other statuses. */
function refusalOf(status: string | undefined, text: string): string | undefined {
  if (status === 'max_connections')
    return 'another program has the one connection that the account of MASSIVE_KEY may have'
  if (status !== 'auth_failed' && status !== 'error') return undefined
  return /plan|access|authorized|entitled/i.test(text)
    ? notInPlan('MASSIVE_KEY', 'this stream')
    : wrongKey('MASSIVE_KEY', 401)
}
