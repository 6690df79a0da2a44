import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../../src/catalogue/index.js'
import { type Answer, Candela } from '../support/service-process.js'

let candela: Candela
beforeAll(async () => {
  candela = await Candela.start()
})
afterAll(() => candela.stop())

const withoutKey = { authorization: '' }

describe('GET /indicators', () => {
  let all: Answer
  beforeAll(async () => {
    all = await candela.get('/indicators')
  })

  it('lists every indicator of the catalogue, sorted by identifier', async () => {
    const { status, body } = all
    expect(status).toBe(200)
    expect(body.count).toBe(catalogue.size)
    const ids = body.indicators.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([...catalogue.keys()].sort())
  })

  it('describes parameters, outputs, inputs, warm-up and stability', async () => {
    const { body } = all
    const entryOf = (id: string) => body.indicators.find((indicator: { id: string }) => indicator.id === id)
    expect(entryOf('rsi')).toEqual({
      id: 'rsi',
      title: 'Relative Strength Index (RSI)',
      category: 'Momentum',
      parameters: [{ name: 'period', default: 14, type: 'integer', minimum: 2, maximum: 500 }],
      outputs: [{ name: 'value', kind: 'number' }],
      inputs: ['close'],
      source: true,
      source2: false,
      lookback: 14,
      results: 1,
      stability: 'converging',
      settled4: 201,
      settled8: 325,
      overlay: false,
      drawing: [{ kind: 'line', outputs: ['value'], pane: 'own', colour: 1 }],
      scale: { minimum: 0, maximum: 100, levels: [30, 70] },
      tier: 1,
      description: expect.stringContaining('overbought'),
      otherNames: [],
      related: expect.arrayContaining(['stochrsi', 'cmo']),
    })
    expect(entryOf('vwap')).toMatchObject({
      parameters: [
        { name: 'anchorPeriod', default: 'week', type: 'string', choices: ['week', 'session', 'month'] },
      ],
      inputs: ['high', 'low', 'close', 'volume', 'timestamp'],
      source: false,
      stability: 'path-dependent',
      settled4: null,
      settled8: null,
      overlay: true,
    })
    expect(entryOf('kdj').parameters[2]).toMatchObject({ name: 'kPeriod', default: 9, follows: 'period' })
    expect(entryOf('supertrend').outputs[1]).toMatchObject({
      name: 'valueAdvice',
      kind: 'label',
      labels: expect.arrayContaining(['long', 'short']),
    })
    expect(entryOf('bbands').parameters[2]).toMatchObject({
      type: 'integer',
      maximum: 8,
      meaning: expect.stringContaining('1 EMA'),
      choices: expect.arrayContaining(['ema', 'alma']),
    })
    expect(entryOf('donchianchannels').otherNames).toContain('Price channel')
    expect(entryOf('sma')).toMatchObject({ stability: 'start-independent', lookback: 29, settled8: 29 })
  })

  it('searches by words, category and tier', async () => {
    const idsOf = async (query: string) => {
      const { status, body } = await candela.get(`/indicators?${query}`)
      expect(status).toBe(200)
      expect(body.count).toBe(body.indicators.length)
      return body.indicators.map(({ id }: { id: string }) => id)
    }
    expect((await idsOf('search=kairi'))[0]).toBe('disparityindex')
    expect(await idsOf('search=strength+index&category=momentum&tier=1')).toContain('rsi')
    expect(await idsOf('search=nosuchthing')).toEqual([])
    const volume = await candela.get('/indicators?category=Volume')
    expect(new Set(volume.body.indicators.map(({ category }: { category: string }) => category))).toEqual(
      new Set(['Volume']),
    )
    expect(volume.body.indicators[0]).toEqual(
      all.body.indicators.find(({ id }: { id: string }) => id === volume.body.indicators[0].id),
    )
  })

  it.each([
    ['tier=4', 'Invalid tier: 4. Expected one of 1, 2, 3'],
    ['category=Weather', /^Invalid category: Weather\. Expected one of Cycle, /],
    ['search=%ZZ', 'Malformed query string'],
    [`search=${'a+'.repeat(600)}`, /^Invalid search: a a .+ Expected text of at most \d+ characters$/],
    ['tier=1&tier=2', 'Repeated parameter: tier. Give it once'],
    ['words=rsi', 'Unknown parameter: words. indicators accepts: category, search, tier'],
  ])('refuses %s', async (query, error) => {
    const { status, body } = await candela.get(`/indicators?${query}`)
    expect([status, body.error]).toEqual([
      400,
      typeof error === 'string' ? error : expect.stringMatching(error),
    ])
  })

  it('names the indicator behind another name with 404', async () => {
    const market = 'exchange=demo&symbol=BTCUSDT&timeframe=1h'
    const { status, body } = await candela.get(`/indicator/bullpower?${market}`)
    expect([status, body.error]).toEqual([404, 'Unknown indicator: bullpower. Did you mean elderray?'])
  })

  it('needs a key and costs a request', async () => {
    expect((await candela.get('/indicators', withoutKey)).status).toBe(401)
    expect(all.headers.get('ratelimit')).toMatch(/^"window";r=\d+;t=\d+$/)
  })

  it('is what the command line prints', async () => {
    const { body } = all
    const byId = (list: { id: string }[]) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(byId(JSON.parse(await candela.cli('indicators', '--json')))).toEqual(body.indicators)
  })
})

describe('GET /openapi.json', () => {
  let document: Answer
  beforeAll(async () => {
    document = await candela.get('/openapi.json', withoutKey)
  })

  it('needs no key', () => {
    const { status, headers, body } = document
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(body.openapi).toBe('3.1.0')
  })

  it('names only paths and methods that the service has, and which of them need a key', async () => {
    const { body } = document
    const paths = Object.entries<Record<string, { security?: unknown[] }>>(body.paths)
    const prefix = '/indicator/'
    const indicators = paths.flatMap(([path]) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []))
    expect(indicators.sort()).toEqual([...catalogue.keys()].sort())
    // One route answers for all indicators.
    const others = paths.filter(([path]) => !path.startsWith(prefix) || path === '/indicator/rsi')
    for (const [path, methods] of others) {
      for (const [method, { security }] of Object.entries(methods)) {
        const place = path.replace('{exchange}', 'demo')
        const { status } = await candela.ask(method.toUpperCase(), place, { headers: withoutKey })
        // Without the upgrade to a WebSocket this path answers 426.
        const open = path === '/streaming' ? 426 : 200
        expect([method, path, status]).toEqual([method, path, security?.length === 0 ? open : 401])
      }
      const { headers } = await candela.ask('PUT', path.replace('{exchange}', 'demo'))
      // HEAD is answered wherever GET is, and is not described again.
      const described = Object.keys(methods).flatMap(method =>
        method === 'get' ? ['get', 'head'] : [method],
      )
      expect(headers.get('allow')?.toLowerCase().split(', '), `methods of ${path}`).toEqual(described)
    }
  })

  it.each(['rsi', 'macd', 'supertrend', 'engulfing', 'vwap', 'volumesplit'])(
    'promises the outputs that %s has',
    async name => {
      const { body } = await candela.get(
        `/indicator/${name}?exchange=demo&symbol=BTCUSDT&timeframe=1h&results=3`,
        { prefer: 'wait=10' },
      )
      expect(Object.keys(body)).toEqual(document.body.components.schemas[`result.${name}`].required)
    },
  )
})
