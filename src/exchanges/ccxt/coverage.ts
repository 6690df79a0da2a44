import type { Timeframe } from '../../candles/timeframe.js'
import { timeframeOrigins } from '../resample.js'
import { exchangeIds } from './ccxt-source.js'
import { type Client, type ClientPair, type Errors, loadClientPairs } from './client.js'

/** What an exchange offers for candles, as far as ccxt knows. */
export interface Coverage {
  readonly id: string
  /** The name that the exchange goes by. */
  readonly name: string
  /** Whether each timeframe is the exchange's own (`native`) or made of a finer one; null where it cannot be had. */
  readonly timeframes: Readonly<Record<Timeframe, 'native' | Timeframe | null>>
  /** Whether live candles arrive over a WebSocket or are asked for again and again. */
  readonly live: 'watch' | 'poll'
  /** The most candles of one request, for spot markets where there are any; null where ccxt does not know it. */
  readonly pageSize: number | null
  /** The least milliseconds between two requests. */
  readonly intervalMs: number
  /** What else one should know, a few words each. */
  readonly notes: readonly string[]
}

/** What every exchange of ccxt offers that candles can be fetched from, by identifier. Needs a second or two, and no network. */
export async function readCoverage(): Promise<readonly Coverage[]> {
  const { pairs, errors } = await loadClientPairs(exchangeIds())
  return Promise.all(pairs.map(pair => cover(pair, errors)))
}

async function cover({ id, rest, socket }: ClientPair, errors: Errors): Promise<Coverage> {
  const type = rest.has.spot === false ? 'swap' : 'spot'
  const timeframes = timeframeOrigins(Object.keys(rest.timeframes ?? {}))
  const missing = Object.entries(timeframes).flatMap(([timeframe, origin]) => (origin ? [] : [timeframe]))
  const limit = rest.featureValueByType(type, type === 'swap' ? 'linear' : undefined, 'fetchOHLCV', 'limit')
  return {
    id,
    name: rest.name ?? id,
    timeframes: Object.fromEntries(
      Object.entries(timeframes).map(([timeframe, origin]) => [timeframe, origin ?? null]),
    ) as Coverage['timeframes'],
    live: socket?.has.watchOHLCV === true ? 'watch' : 'poll',
    pageSize: limit ?? null,
    intervalMs: rest.rateLimit as number,
    notes: [
      ...(type === 'swap' ? ['contracts only'] : []),
      ...(missing.length > 0 ? [`no ${missing.join(', ')}`] : []),
      ...(await demands(id, rest, type, errors)),
    ],
  }
}

/** The end of a rehearsal: the request was complete and would have been sent. */
class Sent extends Error {}

/**
 * What has to be configured before candles can be fetched. ccxt has no list of it, so both requests are rehearsed:
 * it refuses them by itself where something is missing, else they get as far as the network, which is replaced.
 */
async function demands(id: string, rest: Client, type: string, errors: Errors): Promise<string[]> {
  const isSpot = type === 'spot'
  const market = {
    id: 'BTCUSDT',
    symbol: 'BTC/USDT',
    base: 'BTC',
    quote: 'USDT',
    baseId: 'BTC',
    quoteId: 'USDT',
    type,
    spot: isSpot,
    swap: !isSpot,
    contract: !isSpot,
    active: true,
    precision: {},
    limits: {},
    info: {},
    ...(isSpot ? {} : { settle: 'USDT', settleId: 'USDT', linear: true, inverse: false }),
  }
  // Neither the rate limiter's timers nor a list of markets are part of the question.
  Object.assign(rest, {
    enableRateLimit: false,
    fetch: async () => {
      throw new Sent()
    },
  })
  const hour = 3_600_000
  const now = Date.now()
  const timeframe = Object.keys(rest.timeframes ?? {}).includes('1h') ? '1h' : '1d'
  const listing = await rest.fetchMarkets().catch((error: unknown) => error)
  Object.assign(rest, {
    markets: { [market.symbol]: market },
    loadMarkets: async () => rest.markets,
    market: () => market,
    safeMarket: () => market,
  })
  const candles = await rest
    .fetchOHLCV(market.symbol, timeframe)
    .catch((error: unknown) =>
      error instanceof errors.ArgumentsRequired
        ? rest.fetchOHLCV(market.symbol, timeframe, now - 2 * hour, 2, { until: now })
        : Promise.reject(error),
    )
    .catch((error: unknown) => error)
  const refusals = [listing, candles].filter(error => error instanceof errors.BaseError) as Error[]
  return [
    ...new Set(
      refusals.map(error => {
        if (!(error instanceof errors.AuthenticationError)) return error.message.replace(`${id} `, '')
        const credentials = rest.requiredCredentials as unknown as Readonly<Record<string, boolean>>
        const needed = Object.keys(credentials).filter(name => credentials[name])
        return `needs ${needed.join(', ')}`
      }),
    ),
  ]
}
