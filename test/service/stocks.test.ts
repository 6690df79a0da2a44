import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { timeframes } from '../../src/candles/timeframe.js'
import { type Answer, Candela } from '../support/service-process.js'
import { Yahoo } from '../support/yahoo.js'

/** The clock of the market stands still, so that a slow service makes no difference. */
const now = Date.now()
const monthsAgo = (months: number) => new Date(now - months * 30 * 86_400_000).toISOString().slice(0, 10)
let yahoo: Yahoo
let candela: Candela

beforeAll(async () => {
  yahoo = await Yahoo.start({
    clock: () => now,
    securities: { AAPL: { seed: 11 }, MSFT: { seed: 12 }, 'BRK-B': { seed: 13, first: monthsAgo(6) } },
    directory: [
      'Nasdaq Traded|Symbol|Security Name|Test Issue',
      'Y|AAPL|Apple Inc.|N',
      'Y|BRK.B|Berkshire Hathaway Inc.|N',
      'Y|MSFT|Microsoft Corporation|N',
      'Y|ZVZZT|NASDAQ TEST STOCK|Y',
      'File Creation Time: 0618202511:32|||',
    ].join('\r\n'),
  })
  candela = await Candela.start({
    STOCKS: JSON.stringify({ ...yahoo.settings, requestsPerSecond: 100 }),
    // The source on loopback takes most of a second to make twenty years of candles, and longer on a busy machine.
    FETCH_TIMEOUT_MS: '30000',
  })
})
afterAll(async () => {
  await candela.stop()
  await yahoo.close()
})

const ask = (path: string): Promise<Answer> => candela.whenReady(path, { prefer: 'wait=10' })

/** Wilder's RSI of the newest candle. */
function rsi(closes: readonly number[], period: number): number {
  let gain = 0
  let loss = 0
  for (let i = 1; i < closes.length; i++) {
    const change = (closes[i] as number) - (closes[i - 1] as number)
    const weight = i <= period ? 1 / period : 1
    const decay = i <= period ? 1 : (period - 1) / period
    const share = i <= period ? weight : 1 / period
    gain = gain * decay + Math.max(change, 0) * share
    loss = loss * decay + Math.max(-change, 0) * share
  }
  return (100 * gain) / (gain + loss)
}

describe('stocks', () => {
  it('are an exchange', async () => {
    const { body } = await candela.get('/exchanges')
    expect(body.exchanges).toContain('stocks')
    expect(body.exchanges).not.toContain('stocks-raw')
    expect(body.sources).toEqual({ stocks: 'yahoo' })
  })

  it('list their symbols', async () => {
    const { status, body } = await candela.get('/exchanges/stocks/symbols')
    expect([status, body]).toEqual([200, { count: 3, symbols: ['AAPL', 'BRK.B', 'MSFT'] }])
  })

  it('answer an indicator, pending at first', async () => {
    const path = '/indicator/rsi?exchange=stocks&symbol=AAPL&timeframe=1d'
    const first = await candela.get(path)
    expect([first.status, first.body]).toEqual([202, { pending: true, key: 'candles:stocks:AAPL:1d' }])
    const { status, body } = await ask(path)
    const truth = yahoo.truth('AAPL', 86_400, monthsAgo(50)).slice(-1000)
    expect(status).toBe(200)
    expect(body.timestamp).toEqual([truth.at(-1)?.timestamp])
    expect(body.value[0]).toBeCloseTo(
      rsi(
        truth.map(({ close }) => close),
        14,
      ),
      9,
    )
  })

  it.each(Object.entries(timeframes))('answer %s candles as they were traded', async (timeframe, seconds) => {
    const from = seconds < 3600 ? monthsAgo(1) : monthsAgo(seconds < 86_400 ? 6 : 24)
    const count = timeframe === '1M' ? 20 : 50
    const truth = yahoo.truth('MSFT', seconds, from).slice(-count)
    expect(truth).toHaveLength(count)
    const { status, body } = await ask(
      `/candles?exchange=stocks&symbol=msft&timeframe=${timeframe}&results=${count}`,
    )
    expect([status, status === 200 ? undefined : body]).toEqual([200, undefined])
    expect(body.map(({ timestampHuman: _, ...candle }: { timestampHuman: string }) => candle)).toEqual(truth)
  })

  it.each(['BRK.B', 'brk-b', 'BRK/B', 'BRKB'])('know a class of shares as %s', async symbol => {
    const { status, body } = await ask(
      `/candles?exchange=stocks&symbol=${encodeURIComponent(symbol)}&timeframe=1d&results=1`,
    )
    expect(status).toBe(200)
    expect(body[0].close).toBe(yahoo.truth('BRK-B', 86_400, monthsAgo(1)).at(-1)?.close)
  })

  it('say that there is no such symbol', async () => {
    const { status, body } = await ask('/candles?exchange=stocks&symbol=NOSUCH&timeframe=1d')
    expect([status, body]).toEqual([404, { error: 'Symbol not found: NOSUCH on stocks' }])
    const index = await ask('/candles?exchange=stocks&symbol=%5EGSPC&timeframe=1d')
    expect([index.status, index.body]).toEqual([404, { error: 'Symbol not found: ^GSPC on stocks' }])
  })

  it('work beside other exchanges in bulk', async () => {
    const construct = (id: string, exchange: string, symbol: string) => ({
      id,
      exchange,
      symbol,
      timeframe: '1h',
      indicators: [{ id: 'ema', indicator: 'ema', period: 9 }],
    })
    const { status, body } = await candela.post('/bulk', {
      constructs: [
        construct('share', 'stocks', 'AAPL'),
        construct('coin', 'demo', 'BTCUSDT'),
        construct('none', 'stocks', 'NOSUCH'),
      ],
    })
    expect(status).toBe(200)
    expect(body.share.ema.timestamp).toEqual([yahoo.truth('AAPL', 3600, monthsAgo(1)).at(-1)?.timestamp])
    expect(body.coin.ema.value).toHaveLength(1)
    expect(body.none).toEqual({
      _error: 'Failed to fetch candles: 404 Not Found - check exchange, symbol and timeframe',
      ema: null,
    })
  })

  it('name their source in verbose answers', async () => {
    const { body } = await candela.post('/bulk', {
      verbose: true,
      constructs: [
        {
          id: 'x',
          exchange: 'stocks',
          symbol: 'AAPL',
          timeframe: '1d',
          indicators: [{ id: 'e', indicator: 'ema' }],
        },
      ],
    })
    expect(body.x._asset).toEqual({ exchange: 'stocks', symbol: 'AAPL', timeframe: '1d', source: 'yahoo' })
  })

  it('say that Yahoo has no prices without adjustment', async () => {
    const { status, body } = await candela.get(
      '/candles?exchange=stocks&adjustment=raw&symbol=AAPL&timeframe=1d',
    )
    expect([status, body.error]).toEqual([
      503,
      'Exchange unavailable: stocks-raw (no provider of STOCKS_SOURCES that has a key has such prices)',
    ])
  })

  it('are unavailable while Yahoo is', async () => {
    const down = { status: 502, body: '<html>Bad gateway</html>' }
    yahoo.fail(/chart/, down, down, down)
    const { status, headers, body } = await ask('/candles?exchange=stocks&symbol=AAPL&timeframe=1w')
    expect([status, body]).toEqual([
      503,
      { error: 'Exchange unavailable: stocks (is not available (HTTP 502))' },
    ])
    expect(headers.get('retry-after')).toBe('5')
  })
})

it('without a network stocks are unavailable, and the service runs', async () => {
  const offline = await Candela.start({
    STOCKS: '{"url":"http://127.0.0.1:1","symbolsUrl":"http://127.0.0.1:1/nasdaqtraded.txt"}',
  })
  try {
    const error = 'Exchange unavailable: stocks (cannot be reached)'
    const symbols = await offline.get('/exchanges/stocks/symbols')
    expect([symbols.status, symbols.body]).toEqual([503, { error }])
    const path = '/indicator/rsi?exchange=stocks&symbol=AAPL&timeframe=1d'
    const first = await offline.get(path, { prefer: 'wait=10' })
    expect([first.status, first.body]).toEqual([503, { error }])
    expect((await offline.get('/exchanges')).status).toBe(200)
  } finally {
    await offline.stop()
  }
})
