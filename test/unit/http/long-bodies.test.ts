import { afterAll, describe, expect, it, vi } from 'vitest'
import { Executor } from '../../../src/compute/executor.js'
import { Expressions } from '../../../src/compute/expressions/expressions.js'
import { BodyParser } from '../../../src/compute/json/body-parser.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import type { Account } from '../../../src/contract/account.js'
import { readBulk } from '../../../src/contract/bulk.js'
import { readObject } from '../../../src/contract/fields.js'
import { answerBulk, createBulkRequests } from '../../../src/http/endpoints/bulk.js'
import { answerSupplied } from '../../../src/http/endpoints/supplied.js'
import type { Reply } from '../../../src/http/reply.js'
import { TableReplies } from '../../../src/http/tables/table-replies.js'
import { createDemoSource } from '../../../src/markets/exchanges/demo/demo-source.js'
import { History } from '../../../src/markets/history/history.js'
import { MarketData } from '../../../src/markets/history/market-data.js'

const inlineBodyBytes = 65_536
const account = { id: 'me', constructs: 20 } as Account
const caller = {
  queryString: '',
  header: () => '',
  contentType: 'application/json',
  signal: new AbortController().signal,
}
const encode = (body: unknown) =>
  new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))

const calculator = new Calculator()
const bodyParser = new BodyParser()
const executor = new Executor({
  calculator,
  bodyParser,
  threads: 1,
  maxQueuedTasks: 10,
  inlineBudgetUs: 1e9,
  inlineBodyBytes,
  worker: new URL('../../../dist/operate/compute-thread.js', import.meta.url),
  onFailure: error => {
    throw error
  },
})
afterAll(() => executor.close())

const source = createDemoSource(() => 1_700_006_400)
const exchanges = { ids: () => ['demo'], find: () => ({ id: 'demo', source }), close: async () => {} }
const history = new History({ depth: 200, bytes: 1e8, refreshSeconds: 5, clock: () => 1_700_006_400 })
const marketData = new MarketData(exchanges, history)
const dependencies = {
  calculator,
  bodyParser,
  expressions: new Expressions(),
  executor,
  marketData,
  bulkWaitSeconds: 1,
  tables: new TableReplies({ executor }),
  tableCandles: 500,
  bulkRequests: createBulkRequests(),
}
const callOf = (body: Uint8Array, segment = '') => ({
  ...{ request: caller, account, segment, body },
  charge: async () => undefined,
})

const textOf = ({ status, body }: Reply) => {
  if (typeof body === 'string') return { status, text: body }
  const text = Buffer.concat(body.buffers).toString()
  body.release()
  return { status, text }
}

/** The reply of an endpoint, and the longest text that this thread parsed for it. */
async function answer(ask: () => Reply | Promise<Reply>) {
  const parse = vi.spyOn(JSON, 'parse')
  try {
    const { status, text } = textOf(await ask())
    const lengths = parse.mock.calls.map(([parsed]) => parsed.length)
    return { status, text, longest: Math.max(0, ...lengths) }
  } finally {
    parse.mockRestore()
  }
}

const manyFields = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`field${i}`, i]))
const construct = { id: 'c', exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' }
const rsi = { id: 'x', indicator: 'rsi' }
const candles = Array.from({ length: 400 }, (_, i) => ({
  o: 1 + i,
  h: 900,
  l: 1,
  c: 2 + (i % 7),
  v: 1,
  note: '',
}))
const padded = candles.map(candle => ({ ...candle, note: 'x'.repeat(200) }))

describe('a long body of /bulk', () => {
  it('is refused by a thread for its first unknown field', async () => {
    const body = encode({ constructs: [{ ...construct, indicators: [{ ...rsi, ...manyFields }] }] })
    expect(body.byteLength).toBeGreaterThan(inlineBodyBytes)
    const { status, text, longest } = await answer(() => answerBulk(dependencies, callOf(body)))
    expect(status).toBe(400)
    expect(JSON.parse(text).error).toMatch(
      /^Construct "c", indicator "x": Unknown parameter: field0\. rsi accepts: /,
    )
    expect(longest).toBeLessThanOrEqual(inlineBodyBytes)
  })

  it.each([70_000, 300_000])(
    'of %i characters is read by a thread and answered like its short form',
    async length => {
      const indicators = [
        { ...rsi, results: 5 },
        { id: 'all', indicator: 'macd', source: 'hl2', results: 'max' },
        { id: 'text', indicator: 'expression', expression: 'close > sma(5)@1d' },
      ]
      const text = JSON.stringify({ constructs: [{ ...construct, indicators }] })
      const short = await answer(() => answerBulk(dependencies, callOf(encode(text))))
      const long = await answer(() => answerBulk(dependencies, callOf(encode(text.padEnd(length)))))
      expect(short.status).toBe(200)
      expect([long.status, long.text]).toEqual([short.status, short.text])
      expect(long.longest, 'nothing is read again').toBe(0)
    },
  )

  it('that is not JSON is refused by a thread', async () => {
    const body = encode('['.repeat(inlineBodyBytes + 1))
    const { status, text, longest } = await answer(() => answerBulk(dependencies, callOf(body)))
    expect([status, JSON.parse(text)]).toEqual([400, { error: 'Request body is not valid JSON' }])
    expect(longest).toBe(0)
  })
})

describe('a long body of /indicator', () => {
  it('is refused by a thread for its first unknown field', async () => {
    const body = encode({ ...manyFields, candles })
    const { status, text, longest } = await answer(() => answerSupplied(dependencies, callOf(body, 'rsi')))
    expect(status).toBe(400)
    expect(JSON.parse(text).error).toMatch(/^Unknown parameter: field0\. rsi accepts: /)
    expect(longest).toBe(0)
  })

  it('is read and answered by a thread like a short one', async () => {
    const ask = (list: unknown) => () =>
      answerSupplied(dependencies, callOf(encode({ candles: list, results: 9 }), 'rsi'))
    const short = await answer(ask(candles))
    const long = await answer(ask(padded))
    expect(short.status).toBe(200)
    expect([long.status, long.text]).toEqual([short.status, short.text])
    expect(long.longest).toBe(0)
  })
})

describe('an object with many fields', () => {
  /** An object that counts how many of its values are read. */
  const counted = (fields: Readonly<Record<string, unknown>>) => {
    let reads = 0
    const object: Record<string, unknown> = { ...fields }
    for (let i = 0; i < 5_000; i++) {
      Object.defineProperty(object, `field${i}`, { enumerable: true, get: () => reads++ })
    }
    return { object, reads: () => reads }
  }

  it('is copied in part when it is an indicator of a construct', () => {
    const { object, reads } = counted(rsi)
    const fields = readObject({ constructs: [{ ...construct, indicators: [object] }] })
    expect('error' in fields ? fields : readBulk(fields)).toMatchObject({ status: 400 })
    expect(reads()).toBeLessThanOrEqual(100)
  })

  it('is copied in part when it is a body', () => {
    const { object, reads } = counted({ constructs: [{ ...construct, indicators: [rsi] }] })
    const fields = readObject(object)
    expect('error' in fields ? fields : readBulk(fields)).toMatchObject({ status: 400 })
    expect(reads()).toBeLessThanOrEqual(100)
  })
})
