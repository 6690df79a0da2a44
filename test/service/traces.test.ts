import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { ccxtOptions } from '../support/binance.js'
import { CandelaProcess, tuningOf } from '../support/service-process.js'
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.js'

/** A span as OTLP has it in JSON: https://github.com/open-telemetry/opentelemetry-proto. */
interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly {
    readonly key: string
    readonly value: { readonly stringValue?: string; readonly intValue?: number }
  }[]
  readonly status: { readonly code?: number }
}
const [internalKind, serverKind, clientKind] = [1, 2, 3]
const errorCode = 2

let collector: Server
let receiver: WebhookReceiver
let candela: CandelaProcess
const spans: Span[] = []
const services = new Set<string>()

beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      expect([request.method, request.url]).toEqual(['POST', '/v1/traces'])
      for (const { resource, scopeSpans } of JSON.parse(Buffer.concat(chunks).toString()).resourceSpans) {
        for (const { key, value } of resource.attributes)
          if (key === 'service.name') services.add(value.stringValue)
        for (const scope of scopeSpans) spans.push(...scope.spans)
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
  receiver = await startReceiver()
  candela = await CandelaProcess.start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_SERVICE_NAME: 'candela-test',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    // Nothing listens there.
    EXCHANGES: JSON.stringify({ binance: ccxtOptions('http://127.0.0.1:9') }),
    ...tuningOf({ inlineBudgetUs: 0 }),
    ALERTS_PRIVATE_TARGETS: 'true',
  })
})
afterAll(async () => {
  await candela.stop()
  await receiver.close()
  collector.close()
})

const find = (matches: (span: Span) => boolean): Promise<Span> =>
  vi.waitFor(() => spans.find(matches) ?? expect.fail(`none of ${spans.map(({ name }) => name)}`), {
    timeout: 10_000,
  })
const attributeOf = ({ attributes }: Span, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? Number(value?.intValue)
}

it('a request goes on with the trace of its client, and the fetch that it needs is a part of it', async () => {
  const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const path = '/candles?exchange=binance&symbol=BTCUSDT&timeframe=1h'
  const reply = await candela.get(path, {
    ...{ authorization: `Bearer ${candela.key}`, prefer: 'wait=10' },
    traceparent: `00-${trace}-${parent}-01`,
  })
  expect(reply.status).toBe(503)
  const request = await find(({ name }) => name === 'GET /candles')
  expect(request).toMatchObject({
    traceId: trace,
    parentSpanId: parent,
    kind: serverKind,
    status: { code: errorCode },
  })
  expect([attributeOf(request, 'http.route'), attributeOf(request, 'http.response.status_code')]).toEqual([
    '/candles',
    503,
  ])
  const fetched = await find(({ name }) => name === 'fetch candles')
  expect(fetched).toMatchObject({
    traceId: trace,
    parentSpanId: request.spanId,
    kind: clientKind,
    status: { code: errorCode },
  })
  expect([attributeOf(fetched, 'candela.exchange'), attributeOf(fetched, 'candela.outcome')]).toEqual([
    'binance',
    'unavailable',
  ])
  const within = (name: 'startTimeUnixNano' | 'endTimeUnixNano') =>
    Number(fetched[name]) - Number(request[name])
  // Both clocks are whole milliseconds.
  expect(within('startTimeUnixNano')).toBeGreaterThan(-2e6)
  expect(within('endTimeUnixNano')).toBeLessThan(2e6)
  expect([...services]).toEqual(['candela-test'])
})

it('a task of a thread is a part of its request', async () => {
  const indicators = ['rsi', 'ema', 'macd', 'adx'].map(indicator => ({ id: indicator, indicator }))
  const construct = { id: 'a', exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h', indicators }
  const { status } = await candela.post(
    '/bulk',
    { constructs: [construct] },
    { authorization: `Bearer ${candela.key}` },
  )
  expect(status).toBe(200)
  const request = await find(({ name }) => name === 'POST /bulk')
  const task = await find(({ name }) => name === 'thread task')
  expect(task).toMatchObject({ traceId: request.traceId, parentSpanId: request.spanId, kind: internalKind })
  expect(request.parentSpanId ?? '').toBe('')
})

it('the call of a webhook is a span', async () => {
  const authorization = `Bearer ${candela.key}`
  const { body } = await candela.post(
    '/alerts',
    {
      exchange: 'demo',
      symbol: 'BTCUSDT',
      timeframe: '1m',
      expression: 'close > 0',
      on: 'update',
      trigger: 'level',
      webhook: receiver.url,
    },
    { authorization },
  )
  const call = await find(({ name }) => name === 'call webhook')
  expect([call.kind, attributeOf(call, 'candela.outcome')]).toEqual([clientKind, 'delivered'])
  expect(receiver.attempts.length).toBeGreaterThan(0)
  await candela.ask('DELETE', `/alerts/${body.id}`)
})

it('no span names a key', () => {
  expect(JSON.stringify(spans)).not.toContain(candela.key.slice(0, 12))
})
