import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Candela, CandelaError } from '../../../src/client/index.js'

interface Sent {
  readonly path: string
  readonly method: string
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: any JSON that the client sends
  readonly body: any
  /** Milliseconds since the test began. */
  readonly at: number
}
type Respond = (sent: Sent) => Response

const reply = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })
const pending = () => reply(202, { pending: true, key: 'candles:demo:X:1h' }, { 'Retry-After': '1' })
const rateExceeded = (seconds: number) =>
  reply(429, { error: 'Rate limit exceeded.' }, { 'Retry-After': String(seconds) })

/** A client whose requests get these replies in turn, the last one again and again. */
function start(replies: readonly (Response | Respond)[], options: { waitSeconds?: number } = {}) {
  const sent: Sent[] = []
  const begin = Date.now()
  const client = new Candela({
    url: 'http://candela/',
    key: 'cnd_1',
    ...options,
    fetch: async (url, init = {}) => {
      init.signal?.throwIfAborted()
      const { method = 'GET', headers, body } = init
      sent.push({
        path: String(url).replace('http://candela', ''),
        method,
        headers: new Headers(headers),
        body: typeof body === 'string' ? JSON.parse(body) : undefined,
        at: Date.now() - begin,
      })
      const next = replies[Math.min(sent.length, replies.length) - 1] as Response | Respond
      return typeof next === 'function' ? next(sent.at(-1) as Sent) : next.clone()
    },
  })
  return { client, sent }
}

const market = { exchange: 'demo', symbol: 'BTC/USDT', timeframe: '1h' } as const
const rsi = { value: [50], timestamp: [1] }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** The outcome of a promise that waits for timers. */
async function settled<Value>(promise: Promise<Value>): Promise<Value> {
  const settling = promise.then(
    () => {},
    () => {},
  )
  await Promise.race([settling, vi.runAllTimersAsync()])
  return promise
}

describe('a request of the client', () => {
  it('has the key, the parameters that were given, and how long the service may wait for candles', async () => {
    const { client, sent } = start([reply(200, rsi)])
    expect(await client.indicator('rsi', market, { period: 7 })).toEqual(rsi)
    expect(sent[0]?.path).toBe('/indicator/rsi?exchange=demo&symbol=BTC%2FUSDT&timeframe=1h&period=7')
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toEqual({
      authorization: 'Bearer cnd_1',
      prefer: 'wait=10',
    })
  })

  it.each([
    ['pending candles', pending(), 1000],
    ['the next window of its rate limit', rateExceeded(9), 9000],
    ['a busy service', reply(503, { error: 'busy' }, { 'Retry-After': '2' }), 2000],
  ])('waits for %s as long as the service says', async (_, refusal, ms) => {
    const { client, sent } = start([refusal, refusal, reply(200, rsi)])
    expect(await settled(client.compute('rsi', []))).toEqual(rsi)
    expect(sent.map(({ at }) => at)).toEqual([0, ms, 2 * ms])
  })

  it('throws what the service says where waiting would take longer than it may', async () => {
    const { client, sent } = start([rateExceeded(9)], { waitSeconds: 20 })
    const error = await settled(client.indicator('rsi', market).catch(each => each))
    expect(error).toBeInstanceOf(CandelaError)
    expect(error).toMatchObject({ message: 'Rate limit exceeded.', status: 429, retryAfter: 9 })
    expect(sent.map(({ at }) => at)).toEqual([0, 9000, 18_000])
    // The service must not wait longer than the client.
    expect(sent.map(({ headers }) => headers.get('prefer'))).toEqual(['wait=10', 'wait=10', 'wait=2'])
  })

  it('names the candles that did not arrive', async () => {
    const { client, sent } = start([pending()], { waitSeconds: 0 })
    await expect(client.candles(market)).rejects.toMatchObject({
      message: 'The candles of candles:demo:X:1h are still being fetched',
      status: 202,
      retryAfter: 1,
    })
    expect(sent[0]?.headers.get('prefer')).toBe(null)
  })

  it.each([400, 401, 404, 413, 429, 500])('throws a refusal with status %i at once', async status => {
    const { client, sent } = start([reply(status, { error: 'No.' })])
    await expect(client.exchanges()).rejects.toMatchObject({ message: 'No.', status, retryAfter: undefined })
    expect(sent).toHaveLength(1)
  })

  it('says that nobody answers, with the cause', async () => {
    const cause = new TypeError('fetch failed')
    const { client } = start([
      () => {
        throw cause
      },
    ])
    await expect(client.exchanges()).rejects.toMatchObject({
      name: 'CandelaError',
      message: 'Candela does not answer at http://candela',
      status: 0,
      cause,
    })
  })

  it('says that the body broke off', async () => {
    const { client } = start([
      () => new Response(new ReadableStream({ start: body => body.error(new Error('reset')) })),
    ])
    await expect(client.exchanges()).rejects.toMatchObject({
      message: 'Candela does not answer at http://candela',
    })
  })

  it('says that something else answers', async () => {
    const { client } = start([new Response('<html>', { status: 404 })])
    await expect(client.exchanges()).rejects.toMatchObject({
      message: 'The reply of http://candela is not JSON: is this the address of Candela?',
      status: 404,
    })
  })

  it.each(['GET', 'POST'])(
    '%s ends with the reason of its signal, before and while it waits',
    async method => {
      const { client, sent } = start([rateExceeded(9)])
      const controller = new AbortController()
      const { signal } = controller
      const send = () =>
        method === 'GET'
          ? client.indicator('rsi', market, {}, { signal })
          : client.bulk([{ ...market, id: 'a', indicators: [] }], { signal })
      const reason = new Error('enough')
      const waiting = expect(send()).rejects.toBe(reason)
      await vi.advanceTimersByTimeAsync(5000)
      controller.abort(reason)
      await waiting
      expect(vi.getTimerCount()).toBe(0)
      await expect(send()).rejects.toBe(reason)
      expect(sent).toHaveLength(1)
    },
  )

  it('ends with the reason of its signal while the body arrives', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const { client } = start([
      () => {
        const body = new ReadableStream({
          pull: stream => {
            controller.abort(reason)
            stream.error(new Error('aborted'))
          },
        })
        return new Response(body)
      },
    ])
    await expect(client.exchanges({ signal: controller.signal })).rejects.toBe(reason)
  })
})

describe('fetch of the client', () => {
  it('resolves with any reply at once, and keeps what it is given', async () => {
    const { client, sent } = start([pending(), reply(404, { error: 'Not found' })])
    expect((await client.fetch('/candles')).status).toBe(202)
    const headers = { Authorization: 'Bearer other', 'If-None-Match': '"1"' }
    const response = await client.fetch('/nope', { method: 'DELETE', headers })
    expect([response.status, await response.json()]).toEqual([404, { error: 'Not found' }])
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'DELETE'])
    expect(sent.map(each => each.headers.get('authorization'))).toEqual(['Bearer cnd_1', 'Bearer other'])
    expect(sent[1]?.headers.get('if-none-match')).toBe('"1"')
  })
})

describe('a bulk request of the client', () => {
  /** A service whose plan allows so many constructs, which answers each indicator with the number of the request. */
  function startPlan(constructs: number) {
    let requests = 0
    return start([
      ({ body }) => {
        if (body.constructs.length > constructs)
          return reply(
            429,
            { error: `Too many constructs. Your plan allows ${constructs} construct(s) per bulk request.` },
            { 'Retry-After': '15' },
          )
        requests++
        return reply(
          200,
          Object.fromEntries(
            body.constructs.map(({ id, indicators }: { id: string; indicators: { id: string }[] }) => [
              id,
              Object.fromEntries(indicators.map(each => [each.id, requests])),
            ]),
          ),
        )
      },
    ])
  }
  const indicators = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `i${at}`, indicator: 'rsi' as const }))
  const constructs = (count: number, size = 1) =>
    Array.from({ length: count }, (_, at) => ({
      ...market,
      symbol: `S${at}`,
      id: `c${at}`,
      indicators: indicators(size),
    }))
  const sizes = (sent: readonly Sent[]) => sent.map(({ body }) => body.constructs.length)

  it('is divided by the plan, which it asks once, with the results in order', async () => {
    const { client, sent } = startPlan(3)
    expect(Object.entries(await client.bulk(constructs(7)))).toEqual(
      [1, 1, 1, 2, 2, 2, 3].map((request, at) => [`c${at}`, { i0: request }]),
    )
    expect(sizes(sent)).toEqual([7, 3, 3, 1])
    await client.bulk(constructs(4))
    expect(sizes(sent).slice(4)).toEqual([3, 1])
  })

  it('has at most 20 constructs, whatever the plan', async () => {
    const { client, sent } = startPlan(100)
    expect(
      Object.keys(await client.bulkCandles(constructs(45).map(each => ({ ...each, candles: [] })))),
    ).toEqual(constructs(45).map(({ id }) => id))
    expect(sizes(sent)).toEqual([20, 20, 5])
  })

  it('has at most 20 indicators of a construct, and a market only once', async () => {
    const { client, sent } = startPlan(2)
    const [first, second, third] = constructs(3)
    const result = await client.bulk([{ ...first, indicators: indicators(45) }, second, third] as never)
    expect(sent.slice(-3).map(({ body }) => body.constructs.map(({ id }: { id: string }) => id))).toEqual([
      ['c0', 'c1'],
      ['c0', 'c2'],
      ['c0'],
    ])
    expect(Object.keys(result)).toEqual(['c0', 'c1', 'c2'])
    const { c0 } = result as unknown as { readonly c0: Readonly<Record<string, number>> }
    expect(Object.entries(c0)).toEqual(
      Array.from({ length: 45 }, (_, at) => [`i${at}`, Math.floor(at / 20) + 1]),
    )
  })

  it('refuses ids that are there twice, as the service does, also where it is divided', async () => {
    const { client, sent } = startPlan(1)
    const [first, second] = constructs(2)
    await expect(client.bulk([first, { ...second, id: 'c0' }] as never)).rejects.toMatchObject({
      message: 'Duplicate construct id "c0". Construct ids must be unique within the request.',
      status: 400,
    })
    const twice = [...indicators(20), { id: 'i3', indicator: 'rsi' }]
    await expect(client.bulk([{ ...first, indicators: twice }] as never)).rejects.toMatchObject({
      message:
        'Construct "c0" has duplicate indicator id "i3". Indicator ids must be unique within a construct.',
    })
    expect(sizes(sent), 'the request by which the client learns of the plan').toEqual([2])
  })

  it('keeps ids that are names of objects', async () => {
    const { client } = startPlan(1)
    const named = ['__proto__', 'constructor'].map((id, at) => ({
      ...market,
      symbol: `S${at}`,
      id,
      indicators: indicators(1),
    }))
    expect(Object.entries(await client.bulk(named))).toEqual([
      ['__proto__', { i0: 1 }],
      ['constructor', { i0: 2 }],
    ])
  })

  it('does not try again where the plan allows none', async () => {
    const { client, sent } = startPlan(0)
    await expect(client.bulk(constructs(1))).rejects.toMatchObject({ status: 429 })
    expect(sent).toHaveLength(1)
  })
})

describe('screens, evaluations and alerts of the client', () => {
  const condition = { ...market, expression: 'rsi(14) < 30' } as const
  const alert = { id: 'alert_a/b', ...condition, on: 'close', trigger: 'edge', paused: false, created: 1 }

  it('are sent as documented, and answered without what surrounds them', async () => {
    const screen = { exchange: 'demo', timeframe: '1h', where: 'close > 1', limit: 3 } as const
    const signal = { ...market, entry: 'rsi(14) < 30', horizons: [1, 5] }
    const calls: readonly [
      call: (client: Candela) => Promise<unknown>,
      sent: Partial<Sent>,
      answer: Response,
      given: unknown,
    ][] = [
      [client => client.screen(screen), { path: '/screen', body: screen }, reply(200, { n: 1 }), { n: 1 }],
      [client => client.evaluate(signal), { path: '/evaluate', body: signal }, reply(200, [2]), [2]],
      [
        client => client.createAlert(condition),
        { path: '/alerts', body: condition },
        reply(201, alert),
        alert,
      ],
      [
        client => client.alerts(),
        { path: '/alerts', method: 'GET' },
        reply(200, { alerts: [alert] }),
        [alert],
      ],
      [
        client => client.pauseAlert('alert_a/b'),
        { path: '/alerts/alert_a%2Fb', body: { paused: true } },
        reply(200, alert),
        alert,
      ],
      [
        client => client.resumeAlert('x'),
        { path: '/alerts/x', body: { paused: false } },
        reply(200, alert),
        alert,
      ],
      [
        client => client.deleteAlert('x'),
        { path: '/alerts/x', method: 'DELETE', body: undefined },
        reply(200, alert),
        alert,
      ],
      [
        client => client.deadLetters(),
        { path: '/alerts/dead-letters', method: 'GET' },
        reply(200, { deadLetters: [3] }),
        [3],
      ],
    ]
    for (const [call, expected, answer, given] of calls) {
      const { client, sent } = start([answer])
      expect(await call(client)).toEqual(given)
      expect(sent).toMatchObject([{ method: 'POST', ...expected }])
    }
  })

  it('say how far a screen is, and wait for it longer than for other requests', async () => {
    const far = (done: number) =>
      reply(202, { pending: true, key: 'screen:demo:1h', done, total: 500 }, { 'Retry-After': '1' })
    const replies = Array.from({ length: 120 }, (_, done) => far(done))
    const { client, sent } = start([...replies, reply(200, { matches: [] })])
    const progress: number[] = []
    const screen = { exchange: 'demo', timeframe: '1h', where: 'close > 1' } as const
    const answer = client.screen(screen, { onProgress: ({ done }) => progress.push(done) })
    expect(await settled(answer)).toEqual({ matches: [] })
    expect(progress).toEqual(replies.map((_, at) => at))
    expect(sent.at(-1)?.at).toBe(120_000)
    expect(sent[0]?.headers.get('prefer')).toBe('wait=1')
  })

  it('throw what the service refuses', async () => {
    const { client } = start([reply(404, { error: 'Alert not found: x' })])
    await expect(client.deleteAlert('x')).rejects.toMatchObject({
      status: 404,
      message: 'Alert not found: x',
    })
  })
})
