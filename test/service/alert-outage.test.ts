import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDemoSource } from '../../src/markets/exchanges/demo/demo-source.js'
import { fetchDocumented } from '../support/documented.js'
import { isWhole, reportFigure } from '../support/figure.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.js'

/** `ALERT_OUTAGE_SECONDS=60` runs the whole promise, and so does `npm run test:faults`. */
const outageSeconds = Number(process.env.ALERT_OUTAGE_SECONDS ?? (isWhole ? 60 : 1))
/** Real milliseconds for each candle of a minute. */
const candleMs = isWhole ? 400 : 100

let service: TestService
let receiver: WebhookReceiver
let now = midnight
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startTestService({ alertsPrivateTargets: true })
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

const headers = { authorization: 'Bearer many', 'content-type': 'application/json' }
const symbols = ['BTCUSDT', 'ETHUSDT']

async function makeAlert(symbol: string, expression: string): Promise<string> {
  const response = await fetchDocumented(service.url, '/alerts', {
    method: 'POST',
    headers,
    body: JSON.stringify({
      ...{ exchange: 'demo', symbol, timeframe: '1m', expression },
      ...{ trigger: 'level', webhook: receiver.url },
    }),
  })
  expect(response.status).toBe(201)
  return (await response.json()).id
}

/** Lets candles close for `seconds` real seconds, and longer until `hasHappened` returns true. */
async function passCandles(seconds: number, hasHappened = () => true): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (performance.now() < end || !hasHappened()) {
    service.pass(60)
    now += 60
    await sleep(candleMs)
  }
}

const timeOf = (key: string) => Number(key.split(':')[1])

it(
  `delivers everything in order to a webhook that was down for ${outageSeconds} s`,
  async context => {
    const rising = new Map<string, string>()
    const all = new Map<string, string>()
    for (const symbol of symbols) {
      all.set(symbol, await makeAlert(symbol, 'close > 0'))
      rising.set(symbol, await makeAlert(symbol, 'close > close[1]'))
    }
    await passCandles(1)
    await receiver.whenDelivered(symbols.length)

    // The receiver first answers with an error, then reads messages without an answer, and then is unreachable.
    const downSince = now
    const { port } = new URL(receiver.url)
    const before = receiver
    // The pauses between attempts grow: an outage of a busy machine may lie between two of them.
    const wasAnswered = (by: number) => () => before.attempts.some(({ status }) => status === by)
    receiver.status = 503
    await passCandles(outageSeconds / 6, wasAnswered(503))
    receiver.status = 0
    await passCandles(outageSeconds / 6, wasAnswered(0))
    await receiver.close()
    const deliveredBefore = [...before.delivered]
    await passCandles((outageSeconds * 2) / 3)
    const downUntil = now
    receiver = await startReceiver(Number(port))

    const demo = createDemoSource(() => now)
    const count = (now - midnight) / 60 + 2
    const expected = symbols.flatMap(symbol => {
      const candles = demo.candles(symbol, '1m', count)
      if (candles instanceof Promise) return expect.fail('demo is computed')
      return candles.flatMap(({ timestamp, close }, at) => {
        const isClosed = timestamp + 60 <= now && timestamp >= midnight
        const isRising = at > 0 && close > (candles[at - 1]?.close ?? Number.NaN)
        const each = [all.get(symbol), ...(isRising ? [rising.get(symbol)] : [])]
        return isClosed ? each.map(id => `${id}:${timestamp}`) : []
      })
    })
    // The pause between two attempts has doubled during the outage, up to a minute.
    await receiver.whenDelivered(expected.length - deliveredBefore.length, 10 + outageSeconds * 2)
    await sleep(200)

    const delivered = [...deliveredBefore, ...receiver.delivered]
    expect([...delivered].sort(), 'each key once, none lacking').toEqual([...expected].sort())
    for (const symbol of symbols) {
      const ids = [all.get(symbol), rising.get(symbol)]
      const times = delivered.filter(key => ids.includes(key.split(':')[0])).map(timeOf)
      expect(times, `${symbol}: in the order of the candles`).toEqual([...times].sort((a, b) => a - b))
    }
    const attempted = before.attempts.filter(({ status }) => status !== 200)
    expect(new Set(attempted.map(({ status }) => status))).toEqual(new Set([503, 0]))
    // A message that was read without an answer came again, under the same key.
    const unanswered = attempted.find(({ status }) => status === 0)?.headers['idempotency-key']
    expect(receiver.delivered[0]).toBe(unanswered)
    const missed = expected.filter(key => timeOf(key) >= downSince && timeOf(key) < downUntil - 60)
    expect(receiver.delivered).toEqual(expect.arrayContaining(missed))
    expect(missed.length).toBeGreaterThan(symbols.length * 3)
    reportFigure(
      context,
      `a webhook down for ${outageSeconds} s: ${expected.length} of ${expected.length} messages, in order, none under two keys`,
    )
  },
  30_000 + outageSeconds * 4_000,
)
