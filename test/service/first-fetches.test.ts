import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { fetchDocumented } from '../support/documented.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'

/** Number of markets that one account may have fetched for the first time at once. */
const limit = 100

let service: TestService
/** Ends all fetches from the exchange `slow`. */
let arrive: (candles: readonly Candle[]) => void
beforeEach(async () => {
  const arrived = new Promise<readonly Candle[]>(resolve => {
    arrive = resolve
  })
  const slow = { symbols: () => [], candles: () => arrived }
  const others = Array.from({ length: 51 }, (_, i): [string, typeof slow] => [`other${i}`, slow])
  service = await startTestService({ bulkWaitSeconds: 1 }, { slow, ...Object.fromEntries(others) })
})
afterEach(() => service.close())

const error = `Too many first requests. At most ${limit} markets may be fetched for the first time at once.`

const ask = (path: string, key: string, init: RequestInit = {}) =>
  fetchDocumented(service.url, path, {
    ...init,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
const candles = (symbol: string, key: string, exchange = 'slow') =>
  ask(`/candles?exchange=${exchange}&symbol=${symbol}&timeframe=1h`, key)
const remaining = (response: Response) => Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])

/** Makes an account fetch its maximum number of markets for the first time. The fetches never end. */
const fillUp = async (key: string) => {
  const replies = await Promise.all(Array.from({ length: limit }, (_, i) => candles(`S${i}`, key)))
  for (const { status } of replies) expect(status).toBe(202)
}

describe('the first fetches of an account', () => {
  it('are refused with 429 beyond their bound, which costs a request', async () => {
    await fillUp('many')
    const pending = await candles('S0', 'many')
    expect(pending.status, 'the repetition of a pending request').toBe(202)
    const refused = await candles('S100', 'many')
    expect([refused.status, await refused.json()]).toEqual([429, { error }])
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(remaining(pending) - remaining(refused)).toBe(1)
    const indicator = await ask('/indicator/rsi?exchange=slow&symbol=S100&timeframe=1h', 'many')
    expect([indicator.status, await indicator.json()]).toEqual([429, { error }])
    expect((await candles('S100', 'few')).status, 'for another account').toBe(202)
  })

  it('are the error of a bulk construct beyond their bound', async () => {
    await fillUp('many')
    const construct = { symbol: 'BTCUSDT', timeframe: '1h', indicators: [{ id: 'rsi', indicator: 'rsi' }] }
    const response = await ask('/bulk', 'many', {
      method: 'POST',
      body: JSON.stringify({
        constructs: [
          { ...construct, id: 'new', exchange: 'slow' },
          { ...construct, id: 'demo', exchange: 'demo' },
        ],
      }),
    })
    expect(response.status).toBe(200)
    const body = await response.json()
    expect(body.new).toEqual({
      _error: `Failed to fetch candles: 429 Too Many Requests - ${error}`,
      rsi: null,
    })
    expect(body.demo.rsi.value).toHaveLength(1)
  })
})

describe('a pending question', () => {
  it('costs one request with its repetitions and its answer; another question costs another one', async () => {
    const first = await candles('S0', 'free')
    expect([first.status, remaining(first)]).toEqual([202, 0])
    expect((await candles('S1', 'free')).status).toBe(429)
    for (let i = 0; i < 3; i++) {
      const again = await candles('S0', 'free')
      expect([again.status, remaining(again)]).toEqual([202, 0])
    }
    arrive([{ timestamp: midnight - 3600, open: 1, high: 1, low: 1, close: 1, volume: 1 }])
    await new Promise(setImmediate)
    expect((await candles('S0', 'free')).status).toBe(200)
    expect((await candles('S0', 'free')).status, 'the answer was given').toBe(429)
  })

  it('is not free for another account', async () => {
    expect((await candles('S0', 'many')).status).toBe(202)
    const other = await candles('S0', 'free')
    expect([other.status, remaining(other)]).toEqual([202, 0])
  })
})

describe('exchanges that nothing was fetched from before', () => {
  const fetchFrom = async (key: string, from: number, to: number) => {
    for (let i = from; i < to; i++) expect((await candles('S0', key, `other${i}`)).status).toBe(202)
  }

  it('are bounded for an account', async () => {
    await fetchFrom('many', 0, 20)
    const refused = await candles('S0', 'many', 'other20')
    const text = 'Too many first requests. At most 20 exchanges may be fetched for the first time at once.'
    expect([refused.status, await refused.json()]).toEqual([429, { error: text }])
    expect((await candles('S1', 'many', 'other0')).status, 'another market of one of them').toBe(202)
    expect((await candles('S0', 'few', 'other20')).status, 'for another account').toBe(202)
    arrive([])
    await new Promise(setImmediate)
    expect((await candles('S0', 'many', 'other20')).status, 'when they have answered').not.toBe(429)
  })

  it('are bounded for all accounts together', async () => {
    await fetchFrom('many', 0, 20)
    await fetchFrom('few', 20, 40)
    await fetchFrom('one', 40, 50)
    const refused = await candles('S0', 'one', 'other50')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  })
})
