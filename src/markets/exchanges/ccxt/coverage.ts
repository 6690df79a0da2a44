import type { Timeframe } from '../../../candles/timeframe.js'
import { type DerivativeKind, derivativeKinds } from '../../../contract/market.js'
import { timeframeOrigins } from '../resample.js'
import { type Client, type ClientPair, type ErrorClasses, hasHistoryOf, loadClientPairs } from './client.js'
import { exchangeIds } from './exchange-ids.js'

/** Candle support of an exchange, according to ccxt. */
export interface Coverage {
  readonly id: string
  readonly name: string
  /** Origin of each timeframe: the exchange (`native`) or a finer timeframe. Null if neither is possible. */
  readonly timeframes: Readonly<Record<Timeframe, 'native' | Timeframe | null>>
  /** Transport of live candles: a WebSocket (`watch`) or polling. */
  readonly live: 'watch' | 'poll'
  /** Maximum candles per request, of spot markets if the exchange has them. Null if ccxt does not know it. */
  readonly pageSize: number | null
  /** Minimum milliseconds between two requests. */
  readonly intervalMs: number
  /** Derivative series that the exchange provides in addition to candles. */
  readonly derivatives: readonly DerivativeKind[]
  /** Restrictions and required settings, a few words each. */
  readonly notes: readonly string[]
}

/** Reads the coverage of all supported exchanges. Needs one or two seconds and no network. */
export async function readCoverage(): Promise<readonly Coverage[]> {
  const { pairs, errors } = await loadClientPairs(exchangeIds)
  return Promise.all(pairs.map(pair => coverageOf(pair, errors)))
}

async function coverageOf({ id, rest, streaming }: ClientPair, errors: ErrorClasses): Promise<Coverage> {
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
    live: streaming?.has.watchOHLCV === true ? 'watch' : 'poll',
    pageSize: limit ?? null,
    intervalMs: rest.rateLimit as number,
    derivatives: (Object.keys(derivativeKinds) as DerivativeKind[]).filter(kind => hasHistoryOf(rest, kind)),
    notes: [
      ...(type === 'swap' ? ['contracts only'] : []),
      ...(missing.length > 0 ? [`no ${missing.join(', ')}`] : []),
      ...(await requirements(id, rest, type, errors)),
    ],
  }
}

/** Thrown instead of a request that ccxt would send: it has accepted the arguments. */
class RequestReady extends Error {}

/** A market that ccxt accepts as listed. */
function sampleMarket(type: 'spot' | 'swap') {
  const isSpot = type === 'spot'
  return {
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
}

/**
 * Settings required before candles can be fetched. ccxt does not list these settings, so a market request and a
 * candle request are tried with a fake network. If a setting is missing, ccxt refuses the request before sending
 * it.
 */
async function requirements(
  id: string,
  rest: Client,
  type: 'spot' | 'swap',
  errors: ErrorClasses,
): Promise<string[]> {
  const results = await tryRequests(rest, type, errors)
  const refusals = results.filter(result => result instanceof errors.BaseError) as Error[]
  const texts = refusals.map(error => {
    if (!(error instanceof errors.AuthenticationError)) return error.message.replace(`${id} `, '')
    const credentials = rest.requiredCredentials as unknown as Readonly<Record<string, boolean>>
    const required = Object.keys(credentials).filter(name => credentials[name])
    return `needs ${required.join(', ')}`
  })
  return [...new Set(texts)]
}

/** The results or errors of both requests. */
async function tryRequests(
  rest: Client,
  type: 'spot' | 'swap',
  errors: ErrorClasses,
): Promise<readonly unknown[]> {
  const market = sampleMarket(type)
  // The timers of the rate limiter would only delay the result.
  Object.assign(rest, {
    enableRateLimit: false,
    fetch: async () => {
      throw new RequestReady()
    },
  })
  const markets = await rest.fetchMarkets().catch((error: unknown) => error)
  Object.assign(rest, {
    markets: { [market.symbol]: market },
    loadMarkets: async () => rest.markets,
    market: () => market,
    safeMarket: () => market,
  })
  const hourMs = 3_600_000
  const now = Date.now()
  const timeframe = Object.keys(rest.timeframes ?? {}).includes('1h') ? '1h' : '1d'
  const candles = await rest
    .fetchOHLCV(market.symbol, timeframe)
    .catch((error: unknown) =>
      error instanceof errors.ArgumentsRequired
        ? rest.fetchOHLCV(market.symbol, timeframe, now - 2 * hourMs, 2, { until: now })
        : Promise.reject(error),
    )
    .catch((error: unknown) => error)
  return [markets, candles]
}
