import type createYahooFinance from 'yahoo-finance2/createYahooFinance'
import type chart from 'yahoo-finance2/modules/chart'
import { z } from 'zod'
import { SourceFailure } from '../source.js'
import { type ChartPage, rowOf } from './chart.js'
import { type HttpFailure, WrongMarket } from './failure.js'
import type { Fetch, Interval, Provider } from './provider.js'
import { yahooSpelling } from './symbol-directory.js'
import { sessionAt } from './trading-hours.js'

type Client = InstanceType<ReturnType<typeof createYahooFinance<{ modules: { chart: typeof chart } }>>>

/**
 * Fetches the chart of a symbol (in Yahoo's spelling) from `start` to before `end` (Unix seconds), without
 * validation.
 */
type FetchChart = (symbol: string, interval: Interval, start: number, end: number) => Promise<unknown>

const yahooUrl = 'https://query2.finance.yahoo.com'

const ignore = () => {}
const silentLogger = { info: ignore, warn: ignore, error: ignore, debug: ignore, dir: ignore }

/** Loads Yahoo's client. It sends its requests through `fetch` to `url`. */
async function loadYahoo(
  fetch: (url: string, headers?: RequestInit['headers']) => Promise<Response>,
  url = yahooUrl,
): Promise<FetchChart> {
  const [{ default: create }, { default: chart }] = await Promise.all([
    import('yahoo-finance2/createYahooFinance'),
    import('yahoo-finance2/modules/chart'),
  ])
  const YahooFinance = create({ modules: { chart } })
  const client: Client = new YahooFinance({
    fetch: (input, init) => {
      const { pathname, search } = new URL(String(input))
      return fetch(url.replace(/\/$/, '') + pathname + search, init?.headers)
    },
    // Requests wait in the source's own queue.
    queue: { concurrency: Number.POSITIVE_INFINITY },
    logger: silentLogger,
    suppressNotices: ['yahooSurvey'],
    versionCheck: false,
  })
  return (symbol, interval, start, end) =>
    client.chart(
      symbol,
      { period1: start, period2: end, interval, includePrePost: false, events: 'split', return: 'object' },
      { validateResult: false },
    )
}

const unlimited = Number.POSITIVE_INFINITY

/** Unix seconds. The client passes dates, or Yahoo's own seconds if its validation of the chart failed half-way. */
const time = z
  .union([z.number(), z.date().transform(date => date.getTime() / 1000)])
  .pipe(z.number().min(-1e10).max(1e10))
  .nullish()
  .catch(undefined)
  .transform(seconds => seconds ?? undefined)
const list = z.custom<readonly unknown[]>(Array.isArray, 'is no list')
const period = z.object({ start: time, end: time })

/**
 * Fields that are read from Yahoo's charts. The client's own schema is stricter and fails whenever Yahoo adds a
 * field.
 */
const schema = z.object({
  meta: z.object({
    instrumentType: z.string().nullish(),
    exchangeTimezoneName: z.string().nullish(),
    firstTradeDate: time,
    regularMarketTime: time,
    tradingPeriods: z.array(z.array(period)).optional().catch(undefined),
  }),
  timestamp: list.optional(),
  events: z
    .object({
      splits: z
        .record(z.string(), z.object({ date: time, numerator: z.number(), denominator: z.number() }))
        .optional(),
    })
    .optional()
    .catch(undefined),
  indicators: z.object({
    quote: z.array(
      z.object({
        open: list.optional(),
        high: list.optional(),
        low: list.optional(),
        close: list.optional(),
        volume: list.optional(),
      }),
    ),
  }),
})

/**
 * Reads a chart from `start` to before `end`.
 * @throws WrongMarket for a security that is not traded in New York; ZodError for an invalid chart.
 */
export function readChart(chart: unknown, start: number, end: number): ChartPage {
  const { meta, timestamp: times = [], events, indicators } = schema.parse(chart)
  if (
    meta.exchangeTimezoneName !== 'America/New_York' ||
    !['EQUITY', 'ETF'].includes(meta.instrumentType ?? '')
  ) {
    throw new WrongMarket(`${meta.instrumentType} in ${meta.exchangeTimezoneName}`)
  }
  const { open = [], high = [], low = [], close = [], volume = [] } = indicators.quote[0] ?? {}
  const closes = new Map<number, number>()
  for (const { end } of meta.tradingPeriods?.flat() ?? [])
    if (end !== undefined) closes.set(sessionAt(end - 1).date, end)
  return {
    rows: times
      .map((time, i) =>
        typeof time === 'number' && time >= start && time < end
          ? rowOf(time, [open[i], high[i], low[i], close[i]].map(shortened), volume[i])
          : undefined,
      )
      .filter(row => row !== undefined),
    splits: Object.values(events?.splits ?? {}).flatMap(({ date, numerator, denominator }) =>
      date === undefined ? [] : [{ timestamp: date, factor: numerator / denominator }],
    ),
    closes,
    firstTrade: meta.firstTradeDate,
    lastTrade: meta.regularMarketTime,
  }
}

/**
 * Shortens a number to the fewest digits of the same 32-bit float. Yahoo writes 32-bit floats as 64-bit ones
 * (189.9499969482422).
 */
function shortened(value: unknown): unknown {
  if (typeof value !== 'number' || Math.fround(value) !== value) return value
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}

/**
 * Yahoo's error code in the body of a failure, such as "Not Found". Empty for other bodies, which are pages of a
 * proxy or a firewall.
 */
function codeOf({ body }: HttpFailure): string {
  const schema = z.record(z.string(), z.object({ error: z.object({ code: z.string() }) }))
  try {
    return Object.values(schema.parse(JSON.parse(body)))[0]?.error.code ?? ''
  } catch {
    return ''
  }
}

/** Provider Yahoo Finance, at its own address or at another one. The first request loads its client. */
export function yahoo(url: string | undefined): Provider {
  let loading: Promise<FetchChart> | undefined
  const load = (fetch: Fetch) => {
    loading ??= loadYahoo(fetch, url).catch(error => {
      loading = undefined
      throw new SourceFailure('unavailable', "Yahoo's client could not be loaded", { cause: error })
    })
    return loading
  }
  return {
    requestsPerSecond: 4,
    // Unix seconds of 1927-12-30.
    genesis: Date.UTC(1927, 11, 30) / 1000,
    bounds: {
      '1m': { historyDays: 29, pageDays: 7 },
      '5m': { historyDays: 59, pageDays: 60 },
      '15m': { historyDays: 59, pageDays: 60 },
      '1h': { historyDays: 729, pageDays: 730 },
      '1d': { historyDays: unlimited, pageDays: unlimited },
    },
    spell: yahooSpelling,
    page: ({ spelling, interval, start, end }, ask) =>
      ask(async fetch => {
        const fetchChart = await load(fetch)
        return readChart(await fetchChart(spelling, interval, start, end), start, end)
      }),
    explain: failure => ({ code: codeOf(failure) }),
    isUnknown: failure => failure.status === 404 && codeOf(failure) === 'Not Found',
    isOutOfRange: failure => ['Bad Request', 'Unprocessable Entity'].includes(codeOf(failure)),
  }
}
