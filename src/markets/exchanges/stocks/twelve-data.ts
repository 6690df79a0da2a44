import { z } from 'zod'
import type { Candle } from '../../../candles/candle.js'
import { timeframes } from '../../../candles/timeframe.js'
import type { Adjustment } from '../../../contract/market.js'
import { rowOf } from './chart.js'
import { HttpFailure } from './failure.js'
import { type Interval, notInPlan, type Provider, pageOfBars, wholeHistory, wrongKey } from './provider.js'
import type { ProviderAddress } from './stocks.js'
import { symbolSpelling } from './symbol-directory.js'

// Twelve Data: https://twelvedata.com/docs#time-series. Its stream has prices but no bars, so candles are fetched.

const names: Readonly<Partial<Record<Interval, string>>> = {
  '1m': '1min',
  '5m': '5min',
  '15m': '15min',
  '30m': '30min',
  '1d': '1day',
}
const adjusts: Readonly<Record<Adjustment, string>> = { split: 'splits', raw: 'none', all: 'all' }
const maxValues = 5000
/** Maximum responses per page. */
const maxResponses = 50

const text = z.string().transform(Number)
const schema = z.union([
  z.object({ status: z.literal('error'), code: z.number(), message: z.string() }),
  z.object({
    values: z.array(
      z.object({
        datetime: z.string(),
        open: text,
        high: text,
        low: text,
        close: text,
        volume: text.optional(),
      }),
    ),
  }),
])

/** Time in the form `2026-11-24 14:30:00`, in UTC. */
const timeText = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
const secondsOf = (datetime: string) =>
  Date.parse(datetime.length > 10 ? `${datetime.replace(' ', 'T')}Z` : `${datetime}T12:00:00Z`) / 1000

export function twelveData(key: string, { url = 'https://api.twelvedata.com' }: ProviderAddress): Provider {
  const headers = { Authorization: `apikey ${key}` }
  return {
    // The free plan allows eight requests a minute. There a 429 pauses the requests.
    requestsPerSecond: 2,
    genesis: Date.UTC(1980, 0, 1) / 1000,
    bounds: wholeHistory,
    spell: symbol => symbolSpelling(symbol, { dot: '.', preferred: undefined, suffixes: {} }),
    async page({ spelling, interval, start, end, adjustment }, ask) {
      const query = new URLSearchParams({
        symbol: spelling,
        country: 'United States',
        interval: names[interval] as string,
        start_date: timeText(start),
        end_date: timeText(end - 1),
        outputsize: String(maxValues),
        timezone: 'UTC',
        adjust: adjusts[adjustment],
      })
      const candles: (Candle | undefined)[] = []
      for (let responses = 0; responses < maxResponses; responses++) {
        const values = await ask(async fetch => {
          const read = schema.parse(await (await fetch(`${url}/time_series?${query}`, headers)).json())
          // Some errors have the status 200.
          if ('values' in read) return read.values
          throw new HttpFailure(read.code, 0, read.message)
        })
        for (const { datetime, open, high, low, close, volume } of values)
          candles.push(rowOf(secondsOf(datetime), [open, high, low, close], volume))
        // The newest candles come first.
        const last = values.at(-1)
        if (!last || values.length < maxValues) break
        query.set('end_date', timeText(secondsOf(last.datetime) - timeframes[interval]))
      }
      return pageOfBars(candles, interval)
    },
    explain({ status }) {
      if (status === 401) return { reason: 'keys-needed', words: wrongKey('TWELVEDATA_KEY', status) }
      if (status === 403)
        return {
          reason: 'not-permitted',
          words: `${notInPlan('TWELVEDATA_KEY', 'these candles')} (HTTP 403)`,
        }
      return undefined
    },
    isUnknown: ({ status, body }) => status === 404 || (status === 400 && /symbol/i.test(body)),
    isOutOfRange: ({ status, body }) => status === 400 && /no data/i.test(body),
  }
}
