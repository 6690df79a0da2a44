import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fetchDocumented } from '../support/documented.js'
import { startTestService, type TestService } from '../support/test-service.js'

/** How many markets one account may have fetched for the first time at once. */
const limit = 100

let service: TestService
beforeEach(async () => {
  const source = { symbols: () => [], candles: () => new Promise<never>(() => {}) }
  service = await startTestService({ bulkWaitSeconds: 1 }, { slow: source })
})
afterEach(() => service.close())

const error = `Too many first requests. At most ${limit} markets may be fetched for the first time at once.`

const ask = (path: string, key: string, init: RequestInit = {}) =>
  fetchDocumented(service.url, path, {
    ...init,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
const candles = (symbol: string, key: string) =>
  ask(`/candles?exchange=slow&symbol=${symbol}&timeframe=1h`, key)
const remaining = (response: Response) => Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])

/** Has an account fetch as many markets for the first time as it may; they never arrive. */
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
