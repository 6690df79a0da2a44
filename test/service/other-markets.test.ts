import { afterEach, describe, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { fetchDocumented } from '../support/documented.js'
import { candleAt, ScriptedSource } from '../support/scripted-source.js'
import { StreamingClient } from '../support/streaming-client.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'

let service: TestService
afterEach(() => service.close())

const authorization = { authorization: 'Bearer many' }
const ratio = (other: string) =>
  `/expression?${new URLSearchParams({
    ...{ exchange: 'left', symbol: 'BTCUSDT', timeframe: '1m' },
    expression: `close / close{${other}}`,
  })}`

describe('an expression over two markets, over real sockets', () => {
  it('is updated by both as REST answers, whichever of them trades', async () => {
    let now = midnight
    const [left, right] = [new ScriptedSource(() => now), new ScriptedSource(() => now)]
    right.scale = 3
    // One of them has gaps, and begins its candles late in others.
    right.isTraded = time => (time / 60) % 5 !== 2
    service = await startTestService({}, { left, right })
    const pass = (seconds: number) => {
      now += seconds
      service.pass(seconds)
    }
    const client = await StreamingClient.connect(service.url, 'many')
    const market = { exchange: 'left', symbol: 'BTCUSDT', interval: '1m' }
    const text = 'close / close{right:BTCUSDT}'
    client.send({
      type: 'subscribe',
      id: 'r',
      ...market,
      indicator: 'expression',
      params: { expression: text },
    })
    await client.next(({ subscription }) => subscription !== undefined)
    const closed = new Map<number, number>()
    let steps = 0
    for (; closed.size < 8 && steps < 120; steps++) {
      const asked = right.requests.length
      pass(15)
      for (const source of steps % 2 ? [left, right] : [right, left]) source.emit()
      // If nothing is traded after a candle, a request to the exchange checks seconds after its end whether it has closed.
      if (now % 60 === 15 && !right.isTraded(now - 15))
        await expect.poll(() => right.requests.length).toBeGreaterThan(asked)
      await new Promise(resolve => setTimeout(resolve, 25))
      for (const sent of client.texts.splice(0).map(each => JSON.parse(each))) {
        if (sent.closed !== true) continue
        const { timestamp, expression } = sent.data
        expect(closed.get(timestamp) ?? expression, 'a closed value stays as it is').toBe(expression)
        closed.set(timestamp, expression)
      }
    }
    const answered = await service.get(`${ratio('right:BTCUSDT')}&results=max`)
    const rest = new Map(answered.timestamp.map((time: number, k: number) => [time, answered.value[k]]))
    expect(closed.size).toBeGreaterThanOrEqual(8)
    for (const [time, value] of closed) {
      expect(rest.get(time), `the value at ${time}`).toBe(value)
      let other = time
      while (!right.isTraded(other)) other -= 60
      expect(value).toBeCloseTo(candleAt(time).close / (3 * candleAt(other).close), 12)
    }
    await client.close()
  })

  it('is pending while the second one is fetched for the first time, and says which', async () => {
    const left = new ScriptedSource(() => midnight)
    let arrive = () => {}
    const slow = new ScriptedSource(() => midnight)
    const arrived = new Promise<void>(resolve => {
      arrive = resolve
    })
    slow.before = () => arrived
    service = await startTestService({}, { left, slow })
    await service.get('/candles?exchange=left&symbol=BTCUSDT&timeframe=1m')
    const get = (headers = {}) =>
      fetchDocumented(service.url, ratio('slow:BTCUSDT'), { headers: { ...authorization, ...headers } })
    const pending = await get()
    expect([pending.status, await pending.json()]).toEqual([
      202,
      { pending: true, key: 'candles:slow:BTCUSDT:1m' },
    ])
    const waiting = get({ prefer: 'wait=5' })
    arrive()
    const answered = await waiting
    expect([answered.status, await answered.json()]).toMatchObject([200, { value: [expect.any(Number)] }])
  })

  it('is a live screen of 40 markets with one market more', async () => {
    const symbols = Array.from({ length: 40 }, (_, k) => `M${k}USDT`)
    const asked = new Map<string, number>()
    const many = {
      symbols: () => [...symbols, 'INDEXUSDT'],
      candles: async (symbol: string): Promise<readonly Candle[]> => {
        asked.set(symbol, (asked.get(symbol) ?? 0) + 1)
        return Array.from({ length: 30 }, (_, k) => candleAt(midnight - 60 * (29 - k)))
      },
    }
    service = await startTestService({}, { many })
    const client = await StreamingClient.connect(service.url, 'many')
    const where = 'close == close{INDEXUSDT}'
    client.send({ type: 'screen', id: 's', exchange: 'many', timeframe: '1m', where, symbols })
    const { screened } = await client.next(({ type }) => type === 'screen_ok')
    expect([screened, asked.size, asked.get('INDEXUSDT')]).toEqual([40, 41, 1])
    expect(Math.max(...asked.values())).toBe(1)
    await client.close()
  })
})
