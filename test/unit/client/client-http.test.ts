import { describe, expect, it, vi } from 'vitest'
import { Candela, CandelaError } from '../../../src/client/index.js'

interface Scripted {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A client whose requests get these replies, one after another, and what it sent. */
function scripted(replies: readonly Scripted[], waitSeconds = 60) {
  const sent: { readonly url: string; readonly init: RequestInit }[] = []
  const fetch = async (url: string, init: RequestInit) => {
    const reply = replies[sent.length] as Scripted
    sent.push({ url, init })
    return new Response(JSON.stringify(reply.body), {
      status: reply.status,
      ...(reply.headers ? { headers: reply.headers } : {}),
    })
  }
  const client = new Candela({ url: 'http://there/', key: 'k', waitSeconds, fetch: fetch as never })
  return { client, sent }
}

const market = { exchange: 'demo', symbol: 'BTC/USDT', timeframe: '1h' } as const
const result = { value: [1], timestamp: [2] }
const pending: Scripted = {
  status: 202,
  body: { pending: true, key: 'demo:BTCUSDT:1h' },
  headers: { 'Retry-After': '1' },
}
const limited: Scripted = {
  status: 429,
  body: { error: 'Rate limit exceeded.' },
  headers: { 'Retry-After': '7' },
}
const done: Scripted = { status: 200, body: result }

describe('a request', () => {
  it('has the key, the market and the parameters', async () => {
    const { client, sent } = scripted([done])
    expect(await client.indicator('rsi', market, { period: 20, results: 'max' })).toEqual(result)
    expect(sent[0]?.url).toBe(
      'http://there/indicator/rsi?exchange=demo&symbol=BTC%2FUSDT&timeframe=1h&period=20&results=max',
    )
    const headers = new Headers(sent[0]?.init.headers)
    expect(Object.fromEntries(headers)).toEqual({ authorization: 'Bearer k', prefer: 'wait=10' })
  })

  it.each([
    ['the candles are pending', pending, 1000],
    ['the rate limit is exceeded', limited, 7000],
    ['the service is busy', { ...limited, status: 503 }, 7000],
  ])('is repeated after the time that the service says, when %s', async (_, first, waitMs) => {
    vi.useFakeTimers()
    try {
      const { client, sent } = scripted([first, done])
      const answer = client.indicator('rsi', market)
      await vi.advanceTimersByTimeAsync(waitMs - 1)
      expect(sent).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(await answer).toEqual(result)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is not repeated when the wait would be too long', async () => {
    const { client, sent } = scripted([limited], 5)
    const error = await client.indicator('rsi', market).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CandelaError)
    expect(error).toMatchObject({ message: 'Rate limit exceeded.', status: 429, retryAfter: 7 })
    expect(sent).toHaveLength(1)
  })

  it('is not repeated when it is wrong', async () => {
    const { client, sent } = scripted([{ status: 400, body: { error: 'Invalid period: 0' } }])
    await expect(client.indicator('rsi', market, { period: 0 })).rejects.toMatchObject({
      message: 'Invalid period: 0',
      status: 400,
    })
    expect(sent).toHaveLength(1)
  })

  it('ends with the signal while it waits', async () => {
    const { client } = scripted([limited, done])
    const controller = new AbortController()
    const answer = client.indicator('rsi', market, {}, { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('enough')), 5)
    await expect(answer).rejects.toThrow('enough')
  })

  it('says that nothing listens at the address', async () => {
    const client = new Candela({ url: 'http://127.0.0.1:9', key: 'k' })
    await expect(client.exchanges()).rejects.toMatchObject({
      message: 'Candela does not answer at http://127.0.0.1:9',
      status: 0,
    })
  })
})

describe('a bulk request', () => {
  const constructs = ['a', 'b', 'c', 'd', 'e'].map(id => ({
    ...market,
    id,
    indicators: [{ id: 'r', indicator: 'rsi' as const }],
  }))
  const idsOf = (init: RequestInit | undefined) =>
    JSON.parse(String(init?.body)).constructs.map(({ id }: { id: string }) => id)

  it('is divided by what the plan allows', async () => {
    const refusal = { error: 'Too many constructs. Your plan allows 2 construct(s) per bulk request.' }
    const part = (...ids: string[]): Scripted => ({
      status: 200,
      body: Object.fromEntries(ids.map(id => [id, { r: result }])),
    })
    const { client, sent } = scripted([
      { status: 429, body: refusal },
      part('a', 'b'),
      part('c', 'd'),
      part('e'),
    ])
    expect(Object.keys(await client.bulk(constructs))).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(sent.map(({ init }) => idsOf(init))).toEqual([
      ['a', 'b', 'c', 'd', 'e'],
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
    ])
  })
})
