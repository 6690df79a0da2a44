// Writes what ccxt knows about the exchanges that it can fetch candles from, as a JSON array, to the file given.
// It runs once per installed ccxt, so that the service can list them without paying for all of ccxt.
import { writeFileSync } from 'node:fs'
import ccxt, { ArgumentsRequired, AuthenticationError, BaseError } from 'ccxt'

/** ccxt's method names for the history of each derivative series. */
const historyMethods = {
  funding: 'fetchFundingRateHistory',
  openinterest: 'fetchOpenInterestHistory',
  markprice: 'fetchMarkOHLCV',
  indexprice: 'fetchIndexOHLCV',
}

async function describe(id) {
  const exchange = new ccxt[id]()
  if (exchange.alias === true || exchange.has.fetchOHLCV !== true) return []
  const type = exchange.has.spot === false ? 'swap' : 'spot'
  const streaming = ccxt.pro[id] && new ccxt.pro[id]()
  const subType = type === 'swap' ? 'linear' : undefined
  return [
    {
      id,
      name: exchange.name ?? id,
      timeframes: Object.keys(exchange.timeframes ?? {}),
      live: streaming?.has.watchOHLCV === true ? 'watch' : 'poll',
      pageSize: exchange.featureValueByType(type, subType, 'fetchOHLCV', 'limit') ?? null,
      intervalMs: exchange.rateLimit,
      derivatives: Object.keys(historyMethods).filter(kind => exchange.has[historyMethods[kind]] === true),
      isContractsOnly: type === 'swap',
      requirements: await requirements(exchange, type),
    },
  ]
}

/**
 * Settings required before candles can be fetched. ccxt does not list these settings, so a market request and a candle
 * request are tried with a fake network. If a setting is missing, ccxt refuses the request before sending it.
 */
async function requirements(exchange, type) {
  const texts = (await tryRequests(exchange, type))
    .filter(result => result instanceof BaseError)
    .map(error => {
      if (!(error instanceof AuthenticationError)) return error.message.replace(`${exchange.id} `, '')
      const required = Object.keys(exchange.requiredCredentials).filter(
        name => exchange.requiredCredentials[name],
      )
      return `needs ${required.join(', ')}`
    })
  return [...new Set(texts)]
}

/** The results or errors of both requests. */
async function tryRequests(exchange, type) {
  const market = sampleMarket(type)
  // The timers of the rate limiter would only delay the result. The error means that ccxt has accepted the arguments.
  Object.assign(exchange, {
    enableRateLimit: false,
    fetch: async () => {
      throw new Error('the request is ready')
    },
  })
  const markets = await exchange.fetchMarkets().catch(error => error)
  Object.assign(exchange, {
    markets: { [market.symbol]: market },
    loadMarkets: async () => exchange.markets,
    market: () => market,
    safeMarket: () => market,
  })
  const hourMs = 3_600_000
  const now = Date.now()
  const timeframe = Object.keys(exchange.timeframes ?? {}).includes('1h') ? '1h' : '1d'
  const candles = await exchange
    .fetchOHLCV(market.symbol, timeframe)
    .catch(error =>
      error instanceof ArgumentsRequired
        ? exchange.fetchOHLCV(market.symbol, timeframe, now - 2 * hourMs, 2, { until: now })
        : Promise.reject(error),
    )
    .catch(error => error)
  return [markets, candles]
}

/** A market that ccxt accepts as listed. */
function sampleMarket(type) {
  const isSpot = type === 'spot'
  return {
    ...{ id: 'BTCUSDT', symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT', baseId: 'BTC', quoteId: 'USDT' },
    ...{ type, spot: isSpot, swap: !isSpot, contract: !isSpot, active: true },
    ...{ precision: {}, limits: {}, info: {} },
    ...(isSpot ? {} : { settle: 'USDT', settleId: 'USDT', linear: true, inverse: false }),
  }
}

const described = (await Promise.all(ccxt.exchanges.toSorted().map(describe))).flat()
writeFileSync(process.argv[2], `[\n${described.map(each => JSON.stringify(each)).join(',\n')}\n]\n`)
