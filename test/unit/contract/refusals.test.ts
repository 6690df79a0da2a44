import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  candlesOfMarketMissing,
  candlesOfNoMarket,
  chartBesideSettled,
  chartWithTimeframes,
  invalidChart,
  otherMarketsBesideChart,
  otherMarketsInBulk,
  tooManyBars,
} from '../../../src/contract/expression-refusals.js'
import { noSeriesOfExchange, noSeriesOfMarket } from '../../../src/contract/market.js'
import * as refusals from '../../../src/contract/refusals.js'

const {
  isRefusal,
  refusal: _refusal,
  invalid: _invalid,
  quote: _quote,
  quoteJson: _quoteJson,
  retryAfter: _retryAfter,
  keptCandles: _keptCandles,
  fewerValues: _fewerValues,
  expected: _expected,
  constructPlace,
  indicatorPlace,
  elementNotObject,
  elementWithoutId,
  badElementId,
  elementIdNotName,
  ...others
} = refusals

/** All refusals. Refusals of elements of a bulk request appear for both lists that have such elements. */
const table = {
  ...others,
  candlesOfMarketMissing,
  candlesOfNoMarket,
  chartBesideSettled,
  chartWithTimeframes,
  invalidChart,
  otherMarketsBesideChart,
  otherMarketsInBulk,
  tooManyBars,
  noSeriesOfExchange,
  noSeriesOfMarket,
  constructNotObject: (at: number) => elementNotObject(constructPlace(at)),
  constructWithoutId: (at: number) => elementWithoutId(constructPlace(at)),
  badConstructId: (at: number, id: string) => badElementId(constructPlace(at), id),
  constructIdNotName: (at: number, id: unknown) => elementIdNotName(constructPlace(at), id),
  indicatorNotObject: (id: string, at: number) => elementNotObject(indicatorPlace(id, at)),
  indicatorWithoutId: (id: string, at: number) => elementWithoutId(indicatorPlace(id, at)),
  badIndicatorId: (id: string, at: number, own: string) => badElementId(indicatorPlace(id, at), own),
  indicatorIdNotName: (id: string, at: number, own: unknown) => elementIdNotName(indicatorPlace(id, at), own),
}

/** The arguments that each refusal is called with. One that is missing here is a type error. */
const examples: { [Name in keyof typeof table]: readonly Parameters<(typeof table)[Name]>[] } = {
  unknownTool: [
    ['compute_indicator', ['compute', 'screen']],
    ['sceen', ['compute', 'screen']],
  ],
  indicatorOrExpression: [[]],
  resourceNotFound: [['candela://nothing']],
  otherMarketsBesideChart: [[]],
  otherMarketsInBulk: [[]],
  candlesOfMarketMissing: [['ETHUSDT']],
  candlesOfNoMarket: [['ETHUSD', ['ETHUSDT']]],
  adjustmentNotOfStocks: [['binance']],
  noSeriesOfExchange: [['funding', 'kraken']],
  noSeriesOfMarket: [
    ['funding', 'BTCUSDT', 'binanceus'],
    ['openinterest', 'BTCUSDT', 'binanceus'],
  ],
  missingKey: [[]],
  malformedKey: [[]],
  inactiveKey: [[]],
  replacedKey: [[1_700_000_000]],
  missingScope: [['alerts', '1a2b3c4d', ['read', 'stream']]],
  accountsUnavailable: [[1]],
  rateExceeded: [
    [30, 7],
    [1, 15],
  ],
  tooManyConstructsForPlan: [[1], [3]],
  tooManySubscriptionsForPlan: [[30]],
  tooManyNewSubscriptions: [[5, 7]],
  tooManyOfKey: [
    ['streaming connections', 1000],
    ['requests at once', 1000],
  ],
  notFound: [['/nowhere'], ['/rsi', ['/indicator/rsi']]],
  methodNotAllowed: [['GET, POST']],
  unsupportedMediaType: [[], [['text/csv', 'application/vnd.apache.arrow.stream']]],
  bodyTooLarge: [[4 * 1024 * 1024]],
  malformedRequest: [[]],
  headTooLarge: [[]],
  requestTimeout: [[]],
  malformedJson: [[]],
  bodyNotObject: [[]],
  malformedQuery: [[]],
  misplacedKey: [['the query string'], ['X-API-Key']],
  missingRequired: [
    [['exchange', 'symbol', 'timeframe']],
    [['symbol']],
    [['timeframe'], ['interval']],
    [['timeframe'], ['period']],
  ],
  unknownParameter: [
    ['length', 'rsi', ['period', 'source']],
    ['x', '/exchanges', []],
    ['peroid', 'rsi', ['period', 'source']],
    ['secret', 'rsi', ['period', 'source']],
  ],
  invalidValue: [
    ['period', '0', 'an integer from 2 to 100000'],
    ['period', 1.5, 'an integer from 2 to 100000'],
    ['candles', { length: [1] }, 'an array'],
    ['results', null, 'an integer of 1 or more, or max'],
    ['symbol', 'X'.repeat(300), 'a symbol'],
  ],
  outOfOrder: [
    ['fastPeriod', 30, 'at most', 'slowPeriod', 26],
    ['slowPeriod', '5', 'at least', 'fastPeriod', 12],
  ],
  repeatedParameter: [['period']],
  contradictoryParameter: [['optInNbDevDn', 'optInNbDevUp']],
  invalidChart: [
    ['renko', ['candles', 'renko:<size>'], []],
    ['renk:5', ['candles', 'renko:<size>'], ['renko:5']],
  ],
  chartBesideSettled: [['renko:50']],
  tooManyBars: [[100_000]],
  chartWithTimeframes: [['renko:50']],
  invalidTimeframe: [
    ['2h', ['1h', '4h']],
    [60, ['1h', '4h']],
  ],
  unknownIndicator: [['nonsense'], ['rssi', ['rsi']], ['xma', ['ema', 'sma', 'wma']]],
  candlesNotArray: [[]],
  missingCandles: [[]],
  noCandles: [[]],
  tooManyCandles: [[500, 501]],
  paramsNotObject: [[9], [null]],
  savedNotObject: [[null]],
  candleNotObject: [
    [17, null],
    [17, 'x'.repeat(50)],
  ],
  missingPrice: [[17, 'open']],
  priceNotNumber: [
    [17, 'c', null],
    [17, 'close', '1'],
  ],
  repeatedCandleField: [[17, 'open', 'o']],
  unequalColumns: [['high', 5, 6]],
  highBelowLow: [[17]],
  negativeVolume: [[17]],
  zeroForMissing: [[17]],
  missingTimestamp: [[17]],
  unexpectedTimestamp: [[17]],
  timeOfOtherName: [[3, 'date']],
  invalidTimestamp: [[17, 1.5]],
  timestampInMilliseconds: [[17, 1_700_000_000_000]],
  timestampNotAfter: [[17]],
  notEnoughCandles: [
    ['rsi', 15, 3],
    ['ema', 1582, 1000, true],
  ],
  notSettled: [
    ['rsi', 4, 202, 100, false],
    ['ema', 8, 2000, 1000, true],
  ],
  neverSettles: [
    ['obv', 'whole'],
    ['vidya', 'market'],
    ['hwma', 'slow'],
  ],
  rangeBesideCount: [['from', 'results']],
  candlesTooOld: [[{ exchange: 'binance', symbol: 'BTCUSDT', timeframe: '1h' }, 90_000, 3600]],
  notKnownAsOf: [['2026-01-02 03:04:05', '2026-01-03 00:00:00']],
  correctionsNotStored: [[]],
  rangeBackwards: [[]],
  nothingInRange: [['from 2025-01-31 12:00:00 to now', '2024-01-01 00:00:00', '2025-01-31 11:00:00']],
  rangeBeforeHistory: [
    ['2024-01-01 00:00:00', 1000],
    ['2024-01-01 00:00:00', 500_000, 'RANGE_DEPTH is how many are fetched at most'],
  ],
  rangeTooLong: [[525_600, 100_000, '2024-01-01 00:00:00', '2024-03-10 10:39:00']],
  exchangeNotFound: [['nowhere'], ['binanse', ['binance']]],
  symbolNotFound: [
    ['NOSUCH', 'binance'],
    ['BTC_USDT', 'binance', ['BTCUSDT']],
  ],
  symbolDelisted: [['AAAUSDT', 'binance']],
  exchangeUnavailable: [['binance', 'request timed out', 5]],
  candlesTooLate: [['binance', 10, 5]],
  tooManyFirstRequests: [
    [100, 1],
    [20, 1, 'exchanges'],
  ],
  fetchFailed: [
    [refusals.tooManyFirstRequests(100, 1)],
    [refusals.symbolNotFound('NOSUCH', 'binance')],
    [refusals.symbolNotFound('BTC_USDT', 'binance', ['BTCUSDT'])],
    [refusals.exchangeUnavailable('binance', 'request timed out', 5)],
  ],
  missingConstructs: [[]],
  tooManyConstructs: [[]],
  constructNotObject: [[0]],
  constructWithoutId: [[2]],
  badConstructId: [[0, 'a-b']],
  constructIdNotName: [
    [0, 5],
    [1, ['5']],
  ],
  duplicateConstructId: [['btc']],
  duplicateConstruct: [['binance', 'BTCUSDT', '1h']],
  inConstruct: [
    ['btc', refusals.missingRequired(['exchange'])],
    ['btc', refusals.invalidTimeframe('2h', ['1h', '4h'])],
  ],
  missingIndicators: [['btc']],
  tooManyIndicators: [['btc']],
  indicatorNotObject: [['btc', 1]],
  indicatorWithoutId: [['btc', 1]],
  badIndicatorId: [['btc', 1, 'r s i']],
  indicatorIdNotName: [['btc', 1, 5]],
  duplicateIndicatorId: [['btc', 'rsi']],
  reservedIndicatorId: [['btc', '_error']],
  unknownIndicatorInConstruct: [
    ['btc', 'nonsense'],
    ['btc', 'rssi', ['rsi']],
  ],
  inIndicator: [['btc', 'fast', refusals.invalidValue('period', 0, 'an integer from 2 to 100000')]],
  computationFailed: [[]],
  busy: [[1]],
  tooManyBodies: [[1]],
  upgradeRequired: [[]],
  tooManyConnections: [[1]],
  stopping: [[1]],
  notAuthenticated: [[]],
  alreadyAuthenticated: [[]],
  malformedMessage: [[]],
  messageNotObject: [[]],
  unknownMessageType: [
    ['ping', ['auth', 'list']],
    [5, ['auth', 'list']],
  ],
  tooManyMessages: [[50]],
  duplicateSubscription: [['demo_btcusdt_1m_a']],
  subscriptionNotFound: [['demo_btcusdt_1m_a']],
  closeCodes: [[]],
  internal: [[]],
  keyNotFound: [['1a2b3c4d']],
  keyNotActive: [['1a2b3c4d']],
  tooManyKeys: [['1a2b3c4d', 10]],
  scopesNotList: [['read', ['read', 'stream', 'alerts', 'admin']]],
  keysUnavailable: [[5]],
  nothingToChange: [[['plan', 'name']]],
  malformedTable: [['CSV: line 2: a quotation mark is not closed']],
  tableWithoutColumns: [['no column for low']],
  tooManyTableCandles: [[15_000, 15_001]],
  tooManyTableMarkets: [[4]],
  wrongTableLine: [[3, 'high is "x", expected a number']],
}

const names = Object.keys(table) as (keyof typeof table)[]
const refuseAll = () =>
  Object.fromEntries(
    names.map(name => {
      const refuse = table[name] as (...values: unknown[]) => unknown
      return [name, examples[name].map(values => refuse(...values))]
    }),
  )

test('every refusal has exactly the text of the golden file', () => {
  expect(refuseAll()).toEqual(
    JSON.parse(readFileSync(new URL('../../golden/refusals.json', import.meta.url), 'utf8')),
  )
})

test('a refusal is distinguished from other results', () => {
  expect(isRefusal(refusals.missingKey())).toBe(true)
  expect(isRefusal(structuredClone(refusals.rateExceeded(1, 2))), 'cloned for another thread').toBe(true)
  for (const other of [null, undefined, 'error', { status: 200 }, { error: 'x' }, []]) {
    expect(isRefusal(other)).toBe(false)
  }
})

/** Only a connection whose requests cannot be read gets these. */
const unreadable = [408, 431]

test('the statuses are those of the interface and of HTTP', () => {
  const statuses = Object.values(refuseAll())
    .flat()
    .filter(isRefusal)
    .map(({ status }) => status)
  expect([...new Set(statuses)].sort()).toEqual(
    [400, 401, 403, 404, 405, 409, 413, 415, 426, 429, 500, 503, ...unreadable].sort(),
  )
})
