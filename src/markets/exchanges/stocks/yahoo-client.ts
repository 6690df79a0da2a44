import type createYahooFinance from 'yahoo-finance2/createYahooFinance'
import type chart from 'yahoo-finance2/modules/chart'
import type { Interval } from './provider.js'

/** Yahoo Finance's client, with the charts only. */
type Client = InstanceType<ReturnType<typeof createYahooFinance<{ modules: { chart: typeof chart } }>>>

/** Fetches a chart of a symbol (in Yahoo's spelling) from `start` to before `end` (Unix seconds), unchecked. */
export type FetchChart = (symbol: string, interval: Interval, start: number, end: number) => Promise<unknown>

const yahooUrl = 'https://query2.finance.yahoo.com'

const ignore = () => {}
const silentLogger = { info: ignore, warn: ignore, error: ignore, debug: ignore, dir: ignore }

/** Loads Yahoo's client. It sends its requests by `fetch`, to `url` in place of Yahoo's address where it is given. */
export async function loadYahoo(
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
