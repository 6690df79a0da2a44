import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { fetchDocumented } from '../support/documented.js'
import { startTestService, type TestService } from '../support/test-service.js'

const max = 3

let service: TestService
/** Ends all fetches from the exchange `slow`. */
let arrive: () => void
/** Resolves when `count` fetches have begun. */
let begun: (count: number) => Promise<void>
beforeEach(async () => {
  let isEmpty: (candles: readonly Candle[]) => void
  const arrived = new Promise<readonly Candle[]>(resolve => {
    isEmpty = resolve
  })
  arrive = () => isEmpty([])
  let [count, wake] = [0, () => {}]
  begun = async wanted => {
    while (count < wanted)
      await new Promise<void>(resolve => {
        wake = resolve
      })
  }
  const slow = {
    symbols: () => [],
    candles: () => {
      count++
      wake()
      return arrived
    },
  }
  service = await startTestService({ maxConnectionsPerKey: max }, { slow })
})
afterEach(() => service.close())

const ask = (path: string, key: string, init: RequestInit = {}) =>
  fetchDocumented(service.url, path, {
    ...init,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
  })

const bulk = (symbol: string) => ({
  method: 'POST',
  body: JSON.stringify({
    constructs: [
      {
        id: 'a',
        exchange: 'slow',
        symbol,
        timeframe: '1h',
        indicators: [{ id: 'rsi', indicator: 'rsi' }],
      },
    ],
  }),
})
const remaining = (response: Response) => Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])

it('a key may wait for a number of replies at once; one more request is refused and costs nothing', async () => {
  const wait = { headers: { prefer: 'wait=10' } }
  const waiting = [
    ask('/bulk', 'many', bulk('S0')),
    ask('/candles?exchange=slow&symbol=S1&timeframe=1h', 'many', wait),
    fetch(`${service.url}/taapi-v1/rsi?secret=many&exchange=slow&symbol=S2/USDT&interval=1h`),
  ]
  await begun(max)
  const error = `Too many requests at once. At most ${max} are allowed for one key.`
  const refused = await ask('/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h', 'many')
  expect([refused.status, await refused.json()]).toEqual([429, { error }])
  expect(refused.headers.get('retry-after')).toBe('1')
  const refusedBulk = await ask('/bulk', 'many', bulk('S3'))
  expect([refusedBulk.status, await refusedBulk.json()]).toEqual([429, { error }])
  expect(remaining(refusedBulk)).toBe(remaining(refused))
  const ofVersion1 = await fetch(
    `${service.url}/taapi-v1/rsi?secret=many&exchange=demo&symbol=BTC/USDT&interval=1h`,
  )
  expect([ofVersion1.status, await ofVersion1.json()]).toEqual([429, { errors: [error] }])
  const other = await ask('/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h', 'few')
  expect(other.status, 'of another key').toBe(200)
  arrive()
  await Promise.all(waiting)
  const later = await ask('/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h', 'many')
  expect(later.status, 'once they are answered').toBe(200)
})
