/** Code that compiles with the client, and code that does not: a wrong line that compiles is an error of the compiler. */
import type {
  Candela,
  IndicatorName,
  IndicatorParams,
  LiveScreenRequest,
  OutputName,
  Subscription,
  Update,
} from '../../src/client/index.js'

declare const candela: Candela
const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' } as const

/** The indicators of whose outputs or parameters the types do not know the names. */
type Unnamed = {
  [Name in IndicatorName]: string extends OutputName<Name> | keyof IndicatorParams<Name> ? Name : never
}[IndicatorName]
export const unnamed: [Unnamed] extends [never] ? true : Unnamed = true

export async function single() {
  const { value, timestamp } = await candela.indicator('rsi', market, { period: 14, results: 'max' })
  value[0]?.toFixed(2)
  timestamp[0]?.toFixed()
  const { valueMACDHist } = await candela.compute('macd', [], { fastPeriod: 5, backtrack: 1 })
  valueMACDHist[0]?.toFixed(2)
  candela.compute('rsi', [1, 2, 3], { period: 2 })
  // @ts-expect-error: the indicator reads more than closes
  candela.compute('atr', [1, 2, 3])
  const { trend } = await candela.indicator('fibonacciretracement', market, { trend: 'smart' })
  const direction: 'UPTREND' | 'DOWNTREND' | null | undefined = trend[0]
  const harmonic = await candela.indicator('gartley', market, { source: 'body', heikinashi: false })

  candela.indicator('bbands', market, { maType: 'alma' })
  candela.indicator('bbands', market, { maType: 1 })
  candela.indicators({ category: 'Volume', search: 'flow', tier: 1 })

  // @ts-expect-error: there is no such average
  candela.indicator('bbands', market, { maType: 'best' })
  // @ts-expect-error: there is no such tier
  candela.indicators({ tier: 4 })

  const expressed = await candela.expression('rsi(14) < 30', market, { results: 3 })
  const answered: boolean | number | null | undefined = expressed.value[0]
  const { both } = await candela.bulk([
    {
      ...market,
      id: 'both',
      indicators: [
        { id: 'average', indicator: 'ema' },
        { id: 'dip', indicator: 'expression', expression: 'rsi(14) < 30' },
      ],
    },
  ])
  const dip: boolean | number | null | undefined = both.dip?.value[0]
  both.average?.value[0]?.toFixed(2)

  // @ts-expect-error: the expression is missing
  candela.bulk([{ ...market, id: 'a', indicators: [{ id: 'e', indicator: 'expression' }] }])
  candela.bulk([
    {
      ...market,
      id: 'a',
      // @ts-expect-error: an expression has no period
      indicators: [{ id: 'e', indicator: 'expression', expression: 'close', period: 3 }],
    },
  ])
  // @ts-expect-error: the expression of a subscription is one of its parameters
  candela.stream([{ ...market, id: 'a', indicator: 'expression', expression: 'close' }])
  for await (const { data } of candela.stream([
    { ...market, id: 'a', indicator: 'expression', params: { expression: 'close > open' } },
  ]))
    return [answered, dip, data.expression]
  // @ts-expect-error: the indicator is misspelled
  candela.indicator('rsy', market)
  // @ts-expect-error: the parameter is misspelled
  candela.indicator('rsi', market, { perid: 14 })
  // @ts-expect-error: the parameter belongs to another indicator
  candela.indicator('rsi', market, { fastPeriod: 14 })
  // @ts-expect-error: the parameter is a number
  candela.indicator('rsi', market, { period: '14' })
  // @ts-expect-error: the choice is none of this parameter
  candela.indicator('fibonacciretracement', market, { trend: 'sideways' })
  // @ts-expect-error: the choice is that of the same parameter of others
  candela.indicator('gartley', market, { source: 'hl2' })
  // @ts-expect-error: the indicator has no source to choose
  candela.indicator('atr', market, { source: 'hl2' })
  // @ts-expect-error: the indicator has one source
  candela.indicator('rsi', market, { source2: 'hl2' })
  // @ts-expect-error: there is no such timeframe
  candela.indicator('rsi', { ...market, timeframe: '7h' })
  // @ts-expect-error: the market lacks its symbol
  candela.candles({ exchange: 'demo', timeframe: '1h' })
  // @ts-expect-error: the candle lacks its volume
  candela.compute('rsi', [{ open: 1, high: 1, low: 1, close: 1 }])
  // @ts-expect-error: the output has another name
  valueMACDHist[0]?.valueMacd
  // @ts-expect-error: the output is a number
  harmonic.value[0]?.toUpperCase()
  // @ts-expect-error: the output belongs to another indicator
  harmonic.valueMACD
  return direction
}

export async function many() {
  const { btc, eth } = await candela.bulk([
    {
      ...market,
      id: 'btc',
      indicators: [
        { id: 'fast', indicator: 'ema', period: 5 },
        { id: 'macd', indicator: 'macd', results: 3 },
      ],
    },
    { ...market, id: 'eth', symbol: 'ETHUSDT', indicators: [{ id: 'bands', indicator: 'bbands' }] },
  ])
  btc.fast?.value[0]?.toFixed()
  btc.macd?.valueMACDSignal[0]?.toFixed()
  eth.bands?.valueUpperBand[0]?.toFixed()
  eth._error?.toUpperCase()
  const { mine } = await candela.bulkCandles(
    [{ id: 'mine', candles: [], indicators: [{ id: 'a', indicator: 'rsi' }] }],
    {
      verbose: true,
    },
  )
  mine.a.result?.value[0]?.toFixed()
  mine.a.errors[0]?.toUpperCase()

  // @ts-expect-error: the result may be null
  btc.fast.value
  // @ts-expect-error: the indicator has another id
  btc.slow
  // @ts-expect-error: the output belongs to the other indicator
  btc.fast?.valueMACD
  // @ts-expect-error: the construct has another id
  ;(await candela.bulk([{ ...market, id: 'btc', indicators: [] }])).bct
  // @ts-expect-error: the parameter is misspelled
  candela.bulk([{ ...market, id: 'btc', indicators: [{ id: 'a', indicator: 'rsi', perid: 3 }] }])
  // @ts-expect-error: the indicator is misspelled
  candela.bulk([{ ...market, id: 'btc', indicators: [{ id: 'a', indicator: 'rsy' }] }])
  // @ts-expect-error: the indicator lacks its id
  candela.bulk([{ ...market, id: 'btc', indicators: [{ indicator: 'rsi' }] }])
  // @ts-expect-error: the parameter is misspelled
  candela.bulkCandles([{ id: 'btc', candles: [], indicators: [{ id: 'a', indicator: 'rsi', perid: 3 }] }])
}

export async function live() {
  const stream = candela.stream([
    { ...market, id: 'fast', indicator: 'rsi', params: { period: 7 } },
    { ...market, id: 'macd', indicator: 'macd', candleClose: true },
  ])
  for await (const update of stream) {
    if (update.id === 'fast') update.data.rsi?.toFixed()
    else update.data.valueMACD?.toFixed()
    // @ts-expect-error: there is no such subscription
    if (update.id === 'slow') return
    // @ts-expect-error: the subscription must be known before its output is read
    update.data.rsi
  }
  const any: readonly Subscription[] = []
  for await (const update of candela.stream(any)) update.data.rsi satisfies Update['data'][string] | undefined

  // @ts-expect-error: the parameter is misspelled
  candela.stream([{ ...market, id: 'a', indicator: 'rsi', params: { perid: 7 } }])
  // @ts-expect-error: the indicator has no parameters
  candela.stream([{ ...market, id: 'a', indicator: 'ad', params: { period: 7 } }])
  // @ts-expect-error: the field is named as in requests
  candela.stream([{ exchange: 'demo', symbol: 'BTCUSDT', interval: '1h', id: 'a', indicator: 'rsi' }])
}

export async function screens() {
  const { matches, screened, failed } = await candela.screen(
    {
      ...{ exchange: 'demo', timeframe: '1h', where: 'rsi(14) < 30' },
      select: { rsi: 'rsi(14)', isUp: 'close > open' },
    },
    { onProgress: ({ done, total }) => (done / total).toFixed(), waitSeconds: 30 },
  )
  const selected: number | boolean | null | undefined = matches[0]?.rsi
  matches[0]?.symbol.toUpperCase()
  failed[0]?.error.toUpperCase()
  // @ts-expect-error: the value was not selected
  matches[0]?.ema
  // @ts-expect-error: the condition is missing
  candela.screen({ exchange: 'demo', timeframe: '1h' })
  // @ts-expect-error: there is no such timeframe
  candela.screen({ exchange: 'demo', timeframe: '7h', where: 'true' })

  const { trades, returns } = await candela.evaluate({ ...market, entry: 'rsi(14) < 30', side: 'short' })
  trades?.maximumDrawdown.share.toFixed(2)
  returns[0]?.signals.hitRateInterval?.[0].toFixed(2)
  // @ts-expect-error: there are no trades without an exit
  trades.list
  // @ts-expect-error: the market or its candles are missing
  candela.evaluate({ entry: 'rsi(14) < 30' })
  return [screened.toFixed(), selected]
}

export async function streams() {
  const request = { exchange: 'demo', timeframe: '1h', where: 'rsi(14) < 30' } as const
  const controller = new AbortController()
  const options = { signal: controller.signal, onState: (state: 'open' | 'reconnecting') => state.length }
  for await (const { matches, entered, left } of candela.streamScreen(
    { ...request, select: { rsi: 'rsi(14)' } },
    { ...options, onProgress: ({ done, total }) => (done / total).toFixed() },
  )) {
    const selected: number | boolean | null | undefined = entered[0]?.rsi
    left[0]?.toUpperCase()
    // @ts-expect-error: the value was not selected
    matches[0]?.ema
    return selected
  }
  // @ts-expect-error: a live screen gives all markets
  candela.streamScreen({ ...request, limit: 5 })
  // @ts-expect-error: a live screen has no order
  candela.streamScreen({ ...request, orderBy: 'close desc' })
  const any: LiveScreenRequest = request
  for await (const { changed } of candela.streamScreen(any)) return changed[0]?.rsi satisfies unknown
  for await (const alert of candela.streamAlerts(options)) {
    alert.price.toFixed(2)
    // @ts-expect-error: the message has the id of its alert
    alert.paused
  }
}

export async function alerts() {
  const made = await candela.createAlert({ ...market, expression: 'rsi(14) < 30', trigger: 'level' })
  const secret: string | undefined = made.secret
  const over = { exchange: 'binance', timeframe: '1h', expression: 'rsi(14) < 30' } as const
  const screen = await candela.createAlert({ ...over, quote: 'USDT' })
  const symbols: readonly string[] | undefined = screen.symbols
  await candela.createAlert({ ...over, symbols: ['BTCUSDT', 'ETHUSDT'] })
  const listed = await candela.alerts()
  const paused: boolean | undefined = listed[0]?.paused
  ;(await candela.pauseAlert(made.id)).on satisfies 'close' | 'update'
  await candela.resumeAlert(made.id)
  await candela.deleteAlert(made.id)
  const [letter] = await candela.deadLetters()
  letter?.message.price.toFixed(2)
  // @ts-expect-error: the secret is shown once
  listed[0]?.secret
  // @ts-expect-error: the condition is missing
  candela.createAlert(market)
  // @ts-expect-error: the choice is none of this field
  candela.createAlert({ ...market, expression: 'rsi(14) < 30', on: 'open' })
  return [secret, paused, symbols]
}
