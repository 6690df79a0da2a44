import { expect } from 'vitest'

/** The structured answer of a tool. */
// biome-ignore lint/suspicious/noExplicitAny: what a tool answers has no type here
export type Answer = any

/** Access to the same service over HTTP, which checks the answers. */
export interface Rest {
  /** Newest closed values of an indicator or an expression, without the forming candle. */
  closed(path: string, query: Readonly<Record<string, string | number>>): Promise<Answer>
  get(path: string, query?: Readonly<Record<string, string | number>>): Promise<Answer>
  post(path: string, body: unknown): Promise<Answer>
}

/** A call as a model forms it from the descriptions: after earlier ones, from their answers. */
type Call = readonly [tool: string, given: Readonly<Record<string, unknown>>]

/** A question of a person, the calls that answer it, and a check of the answers. */
export interface Question {
  readonly calls: readonly (Call | ((answers: readonly Answer[]) => Call))[]
  check(answers: readonly Answer[], rest: Rest): Promise<void> | void
}

const demo = (symbol: string, timeframe: string) => ({ exchange: 'demo', symbols: [symbol], timeframe })
const market = (symbol: string, timeframe: string) => ({ exchange: 'demo', symbol, timeframe })

/** The rows of the first market of an answer. */
const rowsOf = ({ results }: Answer): Answer[] => results[0].rows
const lastOf = (answer: Answer): Answer => rowsOf(answer).at(-1)
const near = (value: number) => expect.closeTo(value, 5 - Math.floor(Math.log10(Math.abs(value) + 1e-9)))
const names = ({ indicators }: Answer): string[] =>
  indicators.map(({ indicator }: { indicator: string }) => indicator)

/** A question for one indicator or expression, whose newest value must equal that of the interface. */
const newest = (
  asked: Readonly<Record<string, unknown>>,
  symbol: string,
  timeframe: string,
  path: string,
  query: Readonly<Record<string, string | number>> = {},
  output = 'value',
): Question => ({
  calls: [['compute', { ...demo(symbol, timeframe), ...asked, results: 1 }]],
  async check([answer], rest) {
    const expected = await rest.closed(path, { ...market(symbol, timeframe), ...query })
    const value = expected[output][0]
    const shown = lastOf(answer)
    expect(shown[output]).toEqual(typeof value === 'number' ? near(value) : value)
    expect(Date.parse(`${shown.time}Z`) / 1000).toBe(expected.timestamp[0])
  },
})
const expressed = (expression: string, symbol: string, timeframe: string): Question =>
  newest({ expression }, symbol, timeframe, '/expression', { expression })

/** The closes of all candles of a market, without the forming one, oldest first. */
async function closesOf(rest: Rest, symbol: string, timeframe: string): Promise<number[]> {
  const candles = await rest.get('/candles', { ...market(symbol, timeframe), results: 'max' })
  return candles.slice(0, -1).map(({ close }: { close: number }) => close)
}
const usdt = async (rest: Rest): Promise<string[]> =>
  (await rest.get('/exchanges/demo/symbols')).symbols.filter((symbol: string) => symbol.endsWith('USDT'))
const symbolsOf = ({ matches }: Answer): string[] => matches.map(({ symbol }: { symbol: string }) => symbol)
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

export const questions: Readonly<Record<string, Question>> = {
  'Is BTC overbought on the 4h?': newest({ indicator: 'rsi' }, 'BTC/USDT', '4h', '/indicator/rsi'),
  'What is the 7-day RSI of ETH?': newest(
    { indicator: 'rsi', params: { period: 7 } },
    'ETH/USDT',
    '1d',
    '/indicator/rsi',
    { period: 7 },
  ),
  'What does BTC cost right now?': {
    calls: [['compute', { indicator: 'candle', ...demo('BTC/USDT', '1m'), results: 1, forming: true }]],
    async check([answer], rest) {
      const [candle] = await rest.get('/candles', market('BTCUSDT', '1m'))
      expect(lastOf(answer)).toMatchObject({ close: near(candle.close), forming: true })
    },
  },
  'Give me the last ten daily candles of SOL.': {
    calls: [['compute', { indicator: 'candle', ...demo('SOL/USDT', '1d'), results: 10 }]],
    async check([answer], rest) {
      const candles = await rest.get('/candles', { ...market('SOLUSDT', '1d'), results: 10, backtrack: 1 })
      expect(rowsOf(answer).map(({ high, volume }) => [high, volume])).toEqual(
        candles.map(({ high, volume }: Answer) => [near(high), near(volume)]),
      )
    },
  },
  'Is ETH above its 200-day average?': {
    calls: [['compute', { expression: 'close > sma(200)', ...demo('ETH/USDT', '1d'), results: 1 }]],
    async check([answer], rest) {
      const closes = await closesOf(rest, 'ETHUSDT', '1d')
      expect(lastOf(answer).value).toBe((closes.at(-1) as number) > mean(closes.slice(-200)))
    },
  },
  'How far is BTC from its 200-day average, in per cent?': {
    calls: [['compute', { expression: '(close / sma(200) - 1) * 100', ...demo('BTC/USDT', '1d') }]],
    async check([answer], rest) {
      const closes = await closesOf(rest, 'BTCUSDT', '1d')
      expect(lastOf(answer).value).toBeCloseTo(
        ((closes.at(-1) as number) / mean(closes.slice(-200)) - 1) * 100,
        4,
      )
    },
  },
  'Was the MACD of BTC positive on 3 March?': {
    calls: [
      [
        'compute',
        { expression: 'macd.valueMACD > 0', ...demo('BTC/USDT', '1d'), from: '2023-03-03', to: '2023-03-03' },
      ],
    ],
    async check([answer], rest) {
      const query = { ...market('BTCUSDT', '1d'), from: '2023-03-03', to: '2023-03-03' }
      const { valueMACD } = await rest.get('/indicator/macd', query)
      expect(rowsOf(answer)).toEqual([{ time: '2023-03-03 00:00:00', value: valueMACD[0] > 0 }])
    },
  },
  'How did the MACD histogram of BTC develop in the first week of March?': {
    calls: [
      ['compute', { indicator: 'macd', ...demo('BTC/USDT', '1d'), from: '2023-03-01', to: '2023-03-07' }],
    ],
    async check([answer], rest) {
      const query = { ...market('BTCUSDT', '1d'), from: '2023-03-01', to: '2023-03-07' }
      const { valueMACDHist } = await rest.get('/indicator/macd', query)
      expect(valueMACDHist).toHaveLength(7)
      expect(rowsOf(answer).map(row => row.valueMACDHist)).toEqual(valueMACDHist.map(near))
    },
  },
  'Find me a bullish reversal pattern on ETH daily.': {
    calls: [
      ['find_indicators', { words: 'bullish reversal pattern', limit: 40 }],
      ['compute', { indicator: 'candlepatterns', ...demo('ETH/USDT', '1d'), results: 30 }],
    ],
    async check([found, answer], rest) {
      expect(names(found)).toEqual(expect.arrayContaining(['hammer', 'morningstar', 'doublebottom']))
      const query = { ...market('ETHUSDT', '1d'), results: 30, backtrack: 1 }
      const { bullish, patterns } = await rest.get('/indicator/candlepatterns', query)
      expect(rowsOf(answer).map(row => [row.bullish, row.patterns])).toEqual(
        bullish.map((count: number, at: number) => [count, patterns[at]]),
      )
      const hammer = await rest.get('/indicator/hammer', query)
      for (const [at, row] of rowsOf(answer).entries())
        expect(row.patterns.split(',').includes('hammer')).toBe(hammer.value[at] !== 0)
    },
  },
  'Which indicators say whether a market is overbought?': {
    calls: [['find_indicators', { words: 'overbought' }]],
    check([found]) {
      expect(names(found)[0]).toBe('rsi')
      expect(names(found)).toEqual(expect.arrayContaining(['stoch', 'willr', 'mfi']))
    },
  },
  'How strong is the trend of BTC?': {
    calls: [
      ['find_indicators', { words: 'trend strength' }],
      ([found]) => [
        'compute',
        {
          indicator: names(found).find(name => name === 'adx'),
          ...demo('BTC/USDT', '1d'),
          results: 1,
        },
      ],
    ],
    async check([_, answer], rest) {
      const { value } = await rest.closed('/indicator/adx', market('BTCUSDT', '1d'))
      expect(lastOf(answer).value).toEqual(near(value[0]))
    },
  },
  'What is the Kairi index called here, and what does it show?': {
    calls: [['find_indicators', { words: 'kairi', limit: 1 }]],
    async check([found], rest) {
      const { indicators } = await rest.get('/indicators', { search: 'disparityindex' })
      expect(found.indicators[0]).toMatchObject({
        indicator: 'disparityindex',
        description: indicators[0].description,
      })
    },
  },
  'What can be set of the Bollinger Bands?': {
    calls: [['find_indicators', { words: 'bollinger bands', limit: 1 }]],
    async check([found], rest) {
      const { indicators } = await rest.get('/indicators', { search: 'bbands' })
      const [{ parameters, outputs }] = indicators
      expect(found.indicators[0].parameters.map((text: string) => text.split(' ')[0])).toEqual(
        parameters.map(({ name }: { name: string }) => name).concat('source:'),
      )
      expect(found.indicators[0].outputs).toEqual(outputs.map(({ name }: { name: string }) => name))
    },
  },
  'Compare the hourly RSI of BTC, ETH and SOL.': {
    calls: [
      [
        'compute',
        {
          indicator: 'rsi',
          exchange: 'demo',
          symbols: ['BTC/USDT', 'ETH/USDT', 'SOL/USDT'],
          timeframe: '1h',
          results: 1,
        },
      ],
    ],
    async check([{ results }], rest) {
      expect(results).toHaveLength(3)
      for (const { symbol, rows } of results) {
        const { value } = await rest.closed('/indicator/rsi', market(symbol, '1h'))
        expect(rows[0].value).toEqual(near(value[0]))
      }
    },
  },
  'Which USDT coins have a 4h RSI below 45, the lowest first?': {
    calls: [
      [
        'screen',
        {
          exchange: 'demo',
          timeframe: '4h',
          quote: 'USDT',
          where: 'rsi(14) < 45',
          select: { rsi: 'rsi(14)' },
          orderBy: 'rsi asc',
          limit: 50,
        },
      ],
    ],
    async check([answer], rest) {
      const all: [string, number][] = []
      for (const symbol of await usdt(rest))
        all.push([symbol, (await rest.closed('/indicator/rsi', market(symbol, '4h'))).value[0]])
      const low = all.filter(([, rsi]) => rsi < 45).sort((a, b) => a[1] - b[1])
      expect(low.length).toBeGreaterThan(0)
      expect(symbolsOf(answer)).toEqual(low.map(([symbol]) => symbol))
      expect(answer.screened).toBe(all.length)
    },
  },
  'Which of the top 20 coins crossed above their 200-day average in the last month?': {
    calls: [
      [
        'screen',
        {
          exchange: 'demo',
          timeframe: '1d',
          quote: 'USDT',
          where: 'close > 0',
          orderBy: 'sma(close * volume, 30) desc',
          limit: 20,
        },
      ],
      ([top]) => [
        'screen',
        {
          exchange: 'demo',
          timeframe: '1d',
          symbols: symbolsOf(top),
          where: 'sum(if(crossover(close, sma(200)), 1, 0), 30) > 0',
        },
      ],
    ],
    async check([top, answer], rest) {
      const crossed: string[] = []
      for (const symbol of symbolsOf(top)) {
        const closes = await closesOf(rest, symbol, '1d')
        const isAbove = (at: number) => (closes[at] as number) > mean(closes.slice(at - 199, at + 1))
        const days = Array.from({ length: 30 }, (_, k) => closes.length - 1 - k)
        if (days.some(at => isAbove(at) && !isAbove(at - 1))) crossed.push(symbol)
      }
      expect(symbolsOf(top)).toHaveLength(20)
      expect(symbolsOf(answer).sort()).toEqual(crossed.sort())
      expect(crossed.length).toBeGreaterThan(0)
    },
  },
  'What happened in the past when the RSI of SOL fell below 30?': {
    calls: [['evaluate', { ...market('SOL/USDT', '4h'), entry: 'rsi(14) < 30', settled: 0 }]],
    async check([answer], rest) {
      const query = { ...market('SOLUSDT', '4h'), results: 'max', backtrack: 1 }
      const { value } = await rest.get('/indicator/rsi', query)
      const fired = value.filter((rsi: number, at: number) => at > 0 && rsi < 30 && value[at - 1] >= 30)
      expect(answer.fired).toBe(fired.length)
      expect(fired.length).toBeGreaterThan(2)
      expect(answer.returns.map(({ after }: Answer) => after)).toEqual([1, 5, 20])
    },
  },
  'What would buying BTC at the 9/21 EMA cross and selling at the opposite one have earned with 0.1 % fees?':
    {
      calls: [
        [
          'evaluate',
          {
            ...market('BTC/USDT', '1d'),
            entry: 'crossover(ema(9), ema(21))',
            exit: 'crossunder(ema(9), ema(21))',
            fee: 0.001,
          },
        ],
      ],
      async check([answer], rest) {
        const { trades } = await rest.post('/evaluate', {
          ...market('BTCUSDT', '1d'),
          entry: 'crossover(ema(9), ema(21))',
          exit: 'crossunder(ema(9), ema(21))',
          fee: 0.001,
        })
        expect(answer.trades.totalReturn).toEqual(near(trades.totalReturn))
        expect(answer.trades.list).toHaveLength(Math.min(20, trades.list.length))
        const product = trades.list.reduce((all: number, trade: Answer) => all * (1 + trade.return), 1)
        if (trades.open === null && trades.list.length < 200)
          expect(answer.trades.totalReturn).toEqual(near(product - 1))
      },
    },
  'How would shorting ETH above an RSI of 70 until it is below 50 have gone since July?': {
    calls: [
      [
        'evaluate',
        {
          ...market('ETH/USDT', '4h'),
          entry: 'rsi(14) > 70',
          exit: 'rsi(14) < 50',
          side: 'short',
          from: '2023-07-01',
        },
      ],
    ],
    async check([answer], rest) {
      const { trades } = await rest.post('/evaluate', {
        ...market('ETHUSDT', '4h'),
        entry: 'rsi(14) > 70',
        exit: 'rsi(14) < 50',
        side: 'short',
        from: '2023-07-01',
      })
      expect(answer.from >= '2023-07-01').toBe(true)
      expect([answer.trades.count, answer.trades.totalReturn]).toEqual([
        trades.count,
        near(trades.totalReturn),
      ])
      for (const { entryPrice, exitPrice, return: gained } of trades.list)
        expect(gained).toBeCloseTo(1 - exitPrice / entryPrice, 9)
    },
  },
  'Did the volume of BTC spike in the last five hours?': {
    calls: [
      ['compute', { expression: 'volume > 2 * sma(volume, 20)', ...demo('BTC/USDT', '1h'), results: 5 }],
    ],
    async check([answer], rest) {
      const candles = await rest.get('/candles', { ...market('BTCUSDT', '1h'), results: 24, backtrack: 1 })
      const volumes: number[] = candles.map(({ volume }: Answer) => volume)
      expect(rowsOf(answer).map(({ value }) => value)).toEqual(
        [19, 20, 21, 22, 23].map(at => (volumes[at] as number) > 2 * mean(volumes.slice(at - 19, at + 1))),
      )
    },
  },
  'Does BTC close above its 20-day high?': {
    calls: [
      ['compute', { expression: 'close > highest(high, 20)[1]', ...demo('BTC/USDT', '1d'), results: 1 }],
    ],
    async check([answer], rest) {
      const candles = await rest.get('/candles', { ...market('BTCUSDT', '1d'), results: 21, backtrack: 1 })
      const highs = candles.slice(0, 20).map(({ high }: Answer) => high)
      expect(lastOf(answer).value).toBe(candles[20].close > Math.max(...highs))
    },
  },
  'How large is the average range of ETH in per cent of its price?': newest(
    { expression: 'atr(14) / close * 100' },
    'ETH/USDT',
    '1d',
    '/indicator/natr',
  ),
  'Has BTC done better than ETH in the last 30 days?': {
    calls: [
      [
        'compute',
        { expression: 'roc(close, 30) > roc(close, 30){ETHUSDT}', ...demo('BTC/USDT', '1d'), results: 1 },
      ],
    ],
    async check([answer], rest) {
      const [btc, eth] = [await closesOf(rest, 'BTCUSDT', '1d'), await closesOf(rest, 'ETHUSDT', '1d')]
      const change = (closes: number[]) => (closes.at(-1) as number) / (closes.at(-31) as number)
      expect(lastOf(answer).value).toBe(change(btc) > change(eth))
    },
  },
  'How closely do BTC and ETH move together over 60 days?': {
    calls: [
      ['compute', { expression: 'correl(close, close{ETHUSDT}, 60)', ...demo('BTC/USDT', '1d'), results: 1 }],
    ],
    async check([answer], rest) {
      const [x, y] = [
        (await closesOf(rest, 'BTCUSDT', '1d')).slice(-60),
        (await closesOf(rest, 'ETHUSDT', '1d')).slice(-60),
      ]
      const [mx, my] = [mean(x), mean(y)]
      const product = (a: number[], ma: number, b: number[], mb: number) =>
        a.reduce((sum, value, at) => sum + (value - ma) * ((b[at] as number) - mb), 0)
      expect(lastOf(answer).value).toBeCloseTo(
        product(x, mx, y, my) / Math.sqrt(product(x, mx, x, mx) * product(y, my, y, my)),
        6,
      )
    },
  },
  'Is BTC in a rising week trend but weak on the day?': {
    calls: [
      [
        'compute',
        { expression: 'close@1w > sma(10)@1w and rsi(14) < 50', ...demo('BTC/USDT', '1d'), results: 3 },
      ],
    ],
    async check([answer], rest) {
      const weeks = await closesOf(rest, 'BTCUSDT', '1w')
      const { value } = await rest.closed('/indicator/rsi', market('BTCUSDT', '1d'))
      // The newest closed day belongs to a week that has not closed.
      expect(lastOf(answer).value).toBe((weeks.at(-1) as number) > mean(weeks.slice(-10)) && value[0] < 50)
    },
  },
  'What are the classic pivot points of BTC today?': {
    calls: [
      ['find_indicators', { words: 'classic pivot points' }],
      ([found]) => ['compute', { indicator: names(found)[0], ...demo('BTC/USDT', '1h'), results: 1 }],
    ],
    async check([found, answer], rest) {
      expect(names(found)[0]).toBe('pivotsclassic')
      // The day before the one of the newest closed hour.
      const [day] = await rest.get('/candles', { ...market('BTCUSDT', '1d'), backtrack: 2 })
      expect(lastOf(answer).p).toEqual(near((day.high + day.low + day.close) / 3))
    },
  },
  'Where are support and resistance of SOL?': {
    calls: [
      ['find_indicators', { words: 'support and resistance' }],
      ['compute', { indicator: 'supportresistance', ...demo('SOL/USDT', '4h'), results: 1 }],
    ],
    async check([found, answer], rest) {
      expect(names(found)).toContain('supportresistance')
      const expected = await rest.closed('/indicator/supportresistance', market('SOLUSDT', '4h'))
      expect(lastOf(answer)).toMatchObject({
        support: near(expected.support[0]),
        resistance: near(expected.resistance[0]),
      })
    },
  },
  'Where would the Supertrend put my stop for ETH on the 1h?': newest(
    { indicator: 'supertrend' },
    'ETH/USDT',
    '1h',
    '/indicator/supertrend',
  ),
  'What was the RSI of BTC ten hours earlier?': {
    calls: [['compute', { indicator: 'rsi', ...demo('BTC/USDT', '1h'), backtrack: 10, results: 1 }]],
    async check([answer], rest) {
      const query = { ...market('BTCUSDT', '1h'), backtrack: 11 }
      const { value } = await rest.get('/indicator/rsi', query)
      expect(lastOf(answer).value).toEqual(near(value[0]))
    },
  },
  'Which exchanges are there?': {
    calls: [['markets', {}]],
    async check([answer], rest) {
      expect(answer.names).toEqual((await rest.get('/exchanges')).exchanges)
    },
  },
  'Which markets with BTC does demo have?': {
    calls: [['markets', { exchange: 'demo', contains: 'btc' }]],
    async check([answer], rest) {
      const { symbols } = await rest.get('/exchanges/demo/symbols')
      expect(answer.names).toEqual(symbols.filter((symbol: string) => symbol.includes('BTC')))
      expect(answer.total).toBeGreaterThan(1)
    },
  },
  'Which five coins rose most in the last 24 hours?': {
    calls: [
      [
        'screen',
        {
          exchange: 'demo',
          timeframe: '1h',
          quote: 'USDT',
          where: 'close > 0',
          select: { change: 'roc(close, 24)' },
          orderBy: 'change desc',
          limit: 5,
        },
      ],
    ],
    async check([answer], rest) {
      const all: [string, number][] = []
      for (const symbol of await usdt(rest)) {
        const candles = await rest.get('/candles', { ...market(symbol, '1h'), results: 25, backtrack: 1 })
        all.push([symbol, (candles[24].close / candles[0].close - 1) * 100])
      }
      const best = all.sort((a, b) => b[1] - a[1]).slice(0, 5)
      expect(answer.matches.map(({ symbol, change }: Answer) => [symbol, change])).toEqual(
        best.map(([symbol, change]) => [symbol, near(change)]),
      )
    },
  },
  'Which coins are within 5 % of their 50-day high?': {
    calls: [
      [
        'screen',
        { exchange: 'demo', timeframe: '1d', quote: 'USDT', where: 'close > 0.95 * highest(high, 50)' },
      ],
    ],
    async check([answer], rest) {
      const found: string[] = []
      for (const symbol of await usdt(rest)) {
        const candles = await rest.get('/candles', { ...market(symbol, '1d'), results: 50, backtrack: 1 })
        const high = Math.max(...candles.map((candle: Answer) => candle.high))
        if (candles.at(-1).close > 0.95 * high) found.push(symbol)
      }
      expect(symbolsOf(answer).sort()).toEqual(found.sort())
    },
  },
  'Which coins were oversold on the day of 1 October?': {
    calls: [
      [
        'screen',
        { exchange: 'demo', timeframe: '1d', quote: 'USDT', where: 'rsi(14) < 40', at: '2023-10-01' },
      ],
    ],
    async check([answer], rest) {
      const found: string[] = []
      for (const symbol of await usdt(rest)) {
        const query = { ...market(symbol, '1d'), from: '2023-10-01', to: '2023-10-01' }
        const { value } = await rest.get('/indicator/rsi', query)
        if (value[0] < 40) found.push(symbol)
      }
      expect(symbolsOf(answer).sort()).toEqual(found.sort())
      expect(found.length).toBeGreaterThan(0)
    },
  },
  'Is the hourly candle of BTC green so far?': {
    calls: [
      ['compute', { expression: 'close > open', ...demo('BTC/USDT', '1h'), results: 2, forming: true }],
    ],
    async check([answer], rest) {
      const candles = await rest.get('/candles', { ...market('BTCUSDT', '1h'), results: 2 })
      expect(rowsOf(answer).map(({ value, forming }) => [value, forming])).toEqual([
        [candles[0].close > candles[0].open, undefined],
        [candles[1].close > candles[1].open, true],
      ])
    },
  },
  'What is the three-candle average of these candles of mine?': {
    calls: [
      [
        'compute',
        {
          indicator: 'sma',
          params: { period: 3 },
          candles: [3, 4, 8, 9].map(close => ({ open: close, high: close, low: close, close, volume: 1 })),
        },
      ],
    ],
    check([answer]) {
      expect(rowsOf(answer)).toEqual([
        { time: '2', value: 5 },
        { time: '3', value: 7 },
      ])
    },
  },
  'Do the Heikin-Ashi candles of BTC show a rise on the 4h?': {
    calls: [
      ['compute', { expression: 'close > open', chart: 'heikinashi', ...demo('BTC/USDT', '4h'), results: 1 }],
    ],
    async check([answer], rest) {
      const query = { ...market('BTCUSDT', '4h'), chart: 'heikinashi', backtrack: 1 }
      const [bar] = await rest.get('/candles', query)
      expect(lastOf(answer).value).toBe(bar.close > bar.open)
    },
  },
  'What was the highest close of BTC in 2022?': {
    calls: [
      [
        'compute',
        {
          expression: 'highest(close, 365)',
          ...demo('BTC/USDT', '1d'),
          from: '2022-12-31',
          to: '2022-12-31',
        },
      ],
    ],
    async check([answer], rest) {
      const query = { ...market('BTCUSDT', '1d'), from: '2022-01-01', to: '2022-12-31' }
      const candles = await rest.get('/candles', query)
      expect(candles).toHaveLength(365)
      expect(lastOf(answer).value).toEqual(near(Math.max(...candles.map(({ close }: Answer) => close))))
    },
  },
  'How many days ago did the 50-day average of BTC last cross above the 200-day one?': {
    calls: [
      [
        'compute',
        {
          expression: 'highestbars(if(crossover(sma(50), sma(200)), 1, 0), 500)',
          ...demo('BTC/USDT', '1d'),
          results: 1,
        },
      ],
    ],
    async check([answer], rest) {
      const closes = await closesOf(rest, 'BTCUSDT', '1d')
      const average = (at: number, days: number) => mean(closes.slice(at + 1 - days, at + 1))
      const isAbove = (at: number) => average(at, 50) > average(at, 200)
      let at = closes.length - 1
      while (!(isAbove(at) && !isAbove(at - 1))) at--
      expect(closes.length - 1 - at).toBeLessThan(500)
      expect(lastOf(answer).value).toBe(at - (closes.length - 1))
    },
  },
  'How does the volatility of ETH this month compare with the month before?': expressed(
    'stddev(roc(close, 1), 30) / stddev(roc(close, 1), 30)[30]',
    'ETH/USDT',
    '1d',
  ),
  'Tell me when the hourly RSI of BTC falls below 30.': {
    calls: [
      ['alerts', { action: 'create', ...market('BTC/USDT', '1h'), expression: 'rsi(14) < 30', name: 'dip' }],
    ],
    async check([{ alerts }], rest) {
      const known = await rest.get('/alerts')
      expect(known.alerts).toMatchObject([{ id: alerts[0].id, expression: 'rsi(14) < 30', name: 'dip' }])
    },
  },
  'Which alerts do I have, and delete the one called dip.': {
    calls: [
      ['alerts', { action: 'list' }],
      ([{ alerts }]) => [
        'alerts',
        { action: 'delete', id: alerts.find(({ name }: { name: string }) => name === 'dip').id },
      ],
    ],
    async check([{ alerts }], rest) {
      expect(alerts).toHaveLength(1)
      expect(await rest.get('/alerts')).toEqual({ alerts: [] })
    },
  },
}
