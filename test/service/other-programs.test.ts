import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { timeframes } from '../../src/candles/timeframe.js'
import { createDemoSource } from '../../src/markets/exchanges/demo/demo-source.js'
import type { Source } from '../../src/markets/exchanges/source.js'
import { flatCandle } from '../support/flat-candle.js'
import { midnight, startTestService } from '../support/test-service.js'

const hour = 3600
/** A market that trades from 14:00 to 21:00 UTC on weekdays, with a history of 600 of its bars. */
const isOpen = (time: number) =>
  new Date(time * 1000).getUTCDay() % 6 > 0 && time % 86_400 >= 14 * hour && time % 86_400 < 21 * hour
const openings: number[] = []
for (let time = midnight; openings.length < 600; time -= hour) if (isOpen(time)) openings.unshift(time)
const weekdays: Source = {
  symbols: () => ['AAA'],
  candles: (_, timeframe, count, { until = Number.POSITIVE_INFINITY } = {}) =>
    timeframes[timeframe] === hour
      ? openings
          .filter(time => time < until)
          .slice(-count)
          .map(timestamp => ({ ...flatCandle(0), timestamp }))
      : [],
}

let service: Awaited<ReturnType<typeof startTestService>>
beforeAll(async () => {
  service = await startTestService(
    { udfDatafeed: true, openbbWidgets: true, corsOrigins: ['https://pro.openbb.co'] },
    { stocks: createDemoSource(() => midnight), weekdays },
  )
})
afterAll(() => service.close())

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: any JSON that the service sends
  readonly body: any
}

async function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const response = await fetch(service.url + path, { headers })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const withKey = { authorization: 'Bearer many' }

// The requests copy UDFCompatibleDatafeed of the charting library: requester.js, history-provider.js and
// udf-compatible-datafeed-base.js put their fields in this order. The checked fields of replies are the fields that the library
// reads.
describe('the datafeed of the charting library', () => {
  const history = (symbol: string, resolution: string, more: string) =>
    get(`/udf/history?symbol=${encodeURIComponent(symbol)}&resolution=${resolution}&${more}`, withKey)

  it('is configured without a key', async () => {
    const { body } = await get('/udf/config')
    expect(body).toEqual({
      supports_search: true,
      supports_group_request: false,
      supports_marks: false,
      supports_timescale_marks: false,
      supports_time: true,
      supported_resolutions: [
        ...['1', '3', '5', '15', '30', '60', '120', '240', '360', '480', '720'],
        ...['1D', '3D', '1W', '1M'],
      ],
      exchanges: [
        { value: '', name: 'All exchanges', desc: expect.any(String) },
        { value: 'stocks', name: 'stocks', desc: 'stocks' },
        { value: 'weekdays', name: 'weekdays', desc: 'weekdays' },
        { value: 'demo', name: 'demo', desc: 'demo' },
      ],
      symbols_types: [
        { value: '', name: 'All types' },
        { value: 'crypto', name: 'Crypto' },
        { value: 'stock', name: 'Stocks' },
      ],
    })
    const time = await fetch(`${service.url}/udf/time`)
    expect([time.headers.get('content-type'), await time.text()]).toEqual(['text/plain', String(midnight)])
  })

  it('finds and describes symbols', async () => {
    const found = await get('/udf/search?limit=30&query=BTC&type=&exchange=demo', withKey)
    expect(found.body[0]).toEqual({
      symbol: 'BTCUSDT',
      full_name: 'demo:BTCUSDT',
      description: 'BTCUSDT',
      exchange: 'demo',
      ticker: 'demo:BTCUSDT',
      type: 'crypto',
    })
    expect((await get('/udf/search?limit=1&query=demo:&type=&exchange=', withKey)).body).toHaveLength(1)
    const stocks = await get('/udf/search?limit=30&query=&type=stock&exchange=', withKey)
    expect(new Set(stocks.body.map(({ exchange }: { exchange: string }) => exchange))).toEqual(
      new Set(['stocks']),
    )
    const { body } = await get('/udf/symbols?symbol=demo%3ABTCUSDT', withKey)
    const closes = (await service.get('/candles?exchange=demo&symbol=BTCUSDT&timeframe=1d&results=20')).map(
      ({ close }: { close: number }) => close,
    )
    expect(body).toMatchObject({
      name: 'BTCUSDT',
      ticker: 'demo:BTCUSDT',
      type: 'crypto',
      exchange: 'demo',
      listed_exchange: 'demo',
      timezone: 'Etc/UTC',
      session: '24x7',
      minmov: 1,
      has_intraday: true,
      has_daily: true,
      has_weekly_and_monthly: true,
      intraday_multipliers: ['1', '3', '5', '15', '30', '60', '120', '240', '360', '480', '720'],
    })
    // The scale shows each price whole, and one digit less does not.
    const isWhole = (scale: number) =>
      closes.every((close: number) => Math.abs(close * scale - Math.round(close * scale)) < 1e-6)
    expect([isWhole(body.pricescale), isWhole(body.pricescale / 10)]).toEqual([true, false])
  })

  it('gives bars of a time, or so many before it', async () => {
    const candles = await service.get('/candles?exchange=demo&symbol=BTCUSDT&timeframe=1h&results=5')
    const column = (name: string, from = 0) =>
      candles.slice(from).map((candle: Record<string, number>) => candle[name])
    const columns = (from: number) => ({
      s: 'ok',
      t: column('timestamp', from),
      o: column('open', from),
      h: column('high', from),
      l: column('low', from),
      c: column('close', from),
      v: column('volume', from),
    })
    const [first, last] = [candles[0].timestamp, candles[4].timestamp]
    expect((await history('demo:BTCUSDT', '60', `from=${first}&to=${last}`)).body).toEqual(columns(0))
    const counted = await history('demo:BTCUSDT', '60', `to=${last + 3599}&countback=3`)
    expect(counted.body).toEqual(columns(2))
    const both = await history('demo:BTCUSDT', '60', `from=${first}&to=${last + 3599}&countback=3`)
    expect(both.body, 'never less than from').toEqual(columns(0))
    const days = await history(
      'demo:BTCUSDT',
      '1D',
      `from=${midnight - 86_400 * 3}&to=${midnight}&countback=2`,
    )
    expect(days.body.t.at(-1)).toBe(midnight)
    const future = await history('demo:BTCUSDT', 'D', `from=${midnight + 864_000}&to=${midnight + 1_728_000}`)
    // As for a weekend, the library continues from the previous bar.
    expect([future.status, future.body]).toEqual([200, { s: 'no_data', nextTime: midnight }])
    const farther = await history(
      'demo:BTCUSDT',
      'D',
      `from=${midnight + 864_000_000}&to=${midnight + 865_000_000}`,
    )
    expect([farther.status, farther.body]).toEqual([200, { s: 'no_data' }])
    const long = await history('demo:BTCUSDT', '1', `from=0&to=${midnight}`)
    expect([long.body.t.length, long.body.t.at(-1)]).toEqual([5000, midnight])
  })

  it('counts bars back over the hours in which a market is closed, until its history begins', async () => {
    const bars = async (more: string) =>
      (await history('weekdays:AAA', '60', `to=${midnight}&${more}`)).body.t as number[] | undefined
    const from = midnight - 10 * hour
    expect(await bars(`from=${from}&countback=3`)).toEqual(openings.filter(time => time >= from))
    for (const count of [10, 100, 300, 590, 600])
      expect(await bars(`from=${from}&countback=${count}`), String(count)).toEqual(openings.slice(-count))
    expect(await bars(`from=${from}&countback=2000`), 'all there are').toEqual(openings)
    const saturday =
      (openings.findLast(time => new Date(time * 1000).getUTCDay() === 5) as number) + 12 * hour
    const before = openings.filter(time => time <= saturday)
    const weekend = await history('weekdays:AAA', '60', `from=${saturday - hour}&to=${saturday}&countback=3`)
    expect(weekend.body.t).toEqual(before.slice(-3))
  })

  it('says what is wrong as the library reads it', async () => {
    const errors = [
      await get('/udf/symbols?symbol=demo:BTCUSDT'),
      await get('/udf/symbols?symbol=BTCUSDT', withKey),
      await get('/udf/symbols?symbol=demo:NONE', withKey),
      await history('demo:BTCUSDT', '7', 'from=0&to=1'),
      await history('demo:BTCUSDT', '60', 'from=x&to=1'),
      await get('/udf/quotes', withKey),
      await get('/udf/constructor', withKey),
    ]
    expect(errors.map(({ status }) => status)).toEqual([401, 400, 404, 400, 400, 404, 404])
    for (const { body } of errors) expect(body).toEqual({ s: 'error', errmsg: expect.any(String) })
  })
})

// The fields are those of OpenBB's "widgets.json reference" and "apps.json reference".
describe('the widgets of OpenBB Workspace', () => {
  const market = 'exchange=demo&symbol=BTCUSDT&timeframe=1h&results=3'

  it('are described, with an app of all of them, without a key and to the pages of OpenBB', async () => {
    const origin = { origin: 'https://pro.openbb.co' }
    const { body: widgets, headers } = await get('/widgets.json', origin)
    expect(headers.get('access-control-allow-origin')).toBe('https://pro.openbb.co')
    expect(widgets.candela_chart).toMatchObject({
      type: 'advanced_charting',
      endpoint: '/udf',
      data: { defaultSymbol: 'demo:BTCUSDT', updateFrequency: 60_000 },
    })
    const { candela_chart, ...tables } = widgets
    for (const widget of Object.values<Record<string, never>>(tables)) {
      expect(widget).toMatchObject({
        name: expect.any(String),
        description: expect.any(String),
        endpoint: expect.stringMatching(/^openbb\//),
        type: 'table',
        gridData: { w: expect.any(Number), h: expect.any(Number) },
      })
      // Each widget is answered with the values that it shows at first.
      const { params, endpoint } = widget as unknown as {
        readonly params: readonly { readonly paramName: string; readonly value: string }[]
        readonly endpoint: string
      }
      const query = new URLSearchParams(params.map(({ paramName, value }) => [paramName, value]))
      const rows = await get(`/${endpoint}?${query}`, withKey)
      expect([rows.status, Array.isArray(rows.body)], endpoint).toEqual([200, true])
    }
    const { body: listed } = await get('/apps.json', origin)
    const [app] = listed
    expect(app.tabs.markets.layout.map(({ i }: { i: string }) => i)).toEqual(Object.keys(widgets))
    for (const { widgetIds, paramName } of app.groups)
      for (const id of widgetIds)
        expect(widgets[id].params.map((each: { paramName: string }) => each.paramName)).toContain(paramName)
    const preflight = await fetch(`${service.url}/openbb/candles`, {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-method': 'GET' },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization')
  })

  it('show the values of the other endpoints as rows', async () => {
    const { value, timestamp } = await service.get(`/indicator/rsi?${market}`)
    const rows = timestamp.map((time: number, at: number) => ({
      time: new Date(time * 1000).toISOString().replace('.000', ''),
      value: value[at],
    }))
    expect((await get(`/openbb/indicator?indicator=rsi&${market}`, withKey)).body).toEqual(rows)
    expect((await get(`/openbb/expression?expression=rsi(14)&${market}&key=many`)).body).toEqual(rows)
    const candles = await service.get(`/candles?${market}`)
    expect(
      (await get(`/openbb/candles?${market}`, withKey)).body.map(({ close }: { close: number }) => close),
    ).toEqual(candles.map(({ close }: { close: number }) => close))
    const screen = `exchange=demo&timeframe=1h&where=${encodeURIComponent('close > 0')}&value=rsi(14)`
    const { body } = await get(`/openbb/screen?${screen}`, withKey)
    expect(body.find(({ symbol }: { symbol: string }) => symbol === 'BTCUSDT')).toEqual({
      ...rows.at(-1),
      symbol: 'BTCUSDT',
      close: candles.at(-1).close,
      volume: candles.at(-1).volume,
    })
  })

  it('have options, and errors', async () => {
    expect((await get('/openbb/exchanges')).body).toContainEqual({ label: 'demo', value: 'demo' })
    expect((await get('/openbb/indicators')).body).toContainEqual({
      label: 'Relative Strength Index (RSI)',
      value: 'rsi',
    })
    const errors = [
      await get(`/openbb/candles?${market}`),
      await get(`/openbb/candles?${market}&key=none`),
      await get(`/openbb/indicator?${market}`, withKey),
      await get('/openbb/other', withKey),
      await get('/openbb/constructor', withKey),
    ]
    expect(errors.map(({ status }) => status)).toEqual([401, 401, 400, 404, 404])
    for (const { body } of errors) expect(body).toEqual({ error: expect.any(String) })
  })
})

describe('without their settings', () => {
  it('there is neither of them', async () => {
    const other = await startTestService()
    const status = async (path: string) => (await fetch(other.url + path)).status
    expect(await Promise.all(['/udf/config', '/widgets.json', '/openbb/exchanges'].map(status))).toEqual([
      404, 404, 404,
    ])
    await other.close()
  })
})
