import { describe, expect, it } from 'vitest'
import { AlertBook, type Firing, priceText } from '../../page/model/alert-book.js'
import { distribution, returnsAfter } from '../../page/model/evaluation.js'
import { describeExpression, studyExpression } from '../../page/model/expression.js'
import { ServiceClient } from '../../page/service/client.js'
import { describe as describeEntry } from '../../src/catalogue/description.js'
import { catalogue } from '../../src/catalogue/index.js'
import { compileExpression } from '../../src/compute/expressions/compile.js'
import { returnsAfter as serviceReturns, signalsOf } from '../../src/screens/evaluation/signal-returns.js'

const firing: Firing = {
  id: 'alert_x:60',
  alert: 'alert_x',
  exchange: 'demo',
  symbol: 'BTCUSDT',
  timeframe: '1m',
  expression: 'close > open',
  timestamp: 60,
  price: 5,
}

/** A book whose service answers each request in turn. */
function bookOf(...replies: readonly (readonly [status: number, body: object])[]) {
  const asked: string[] = []
  const client = new ServiceClient({
    base: 'http://service/',
    key: () => 'key',
    fetch: async (url, init) => {
      asked.push(`${init?.method} ${new URL(String(url)).pathname} ${init?.body ?? ''}`.trim())
      const [status, body] = replies[asked.length - 1] ?? [500, {}]
      return new Response(JSON.stringify(body), { status })
    },
  })
  return { book: new AlertBook(client), asked }
}

describe('the alerts of the page', () => {
  const alert = {
    id: 'alert_x',
    exchange: 'demo',
    symbol: 'BTCUSDT',
    timeframe: '1m',
    expression: 'close > open',
  }
  const listed = [200, { alerts: [alert] }] as const
  const none = [200, { deadLetters: [] }] as const

  it('are made, paused, tested and deleted as the service says', async () => {
    const { book, asked } = bookOf(
      listed,
      none,
      [201, { ...alert, id: 'alert_y' }],
      [200, {}],
      [200, { delivered: true }],
      [200, { delivered: false, reason: 'the webhook answered with status 410' }],
      [200, {}],
      [400, { error: 'Invalid expression at character 3' }],
    )
    expect(await book.load()).toBeUndefined()
    expect(await book.create({ ...alert })).toMatchObject({ id: 'alert_y' })
    expect(await book.setPaused('alert_y', true)).toBeUndefined()
    expect(book.alerts.value?.map(({ id, paused }) => [id, paused])).toEqual([
      ['alert_x', undefined],
      ['alert_y', true],
    ])
    expect(await book.test('alert_y')).toBe('The test has arrived.')
    expect(await book.test('alert_y')).toBe('The test has not arrived: the webhook answered with status 410.')
    expect(await book.remove('alert_x')).toBeUndefined()
    expect(book.alerts.value?.map(({ id }) => id)).toEqual(['alert_y'])
    expect(await book.create({ ...alert })).toEqual({ fault: 'Invalid expression at character 3' })
    expect(asked.slice(3, 7)).toEqual([
      'POST /alerts/alert_y {"paused":true}',
      'POST /alerts/alert_y/test {}',
      'POST /alerts/alert_y/test {}',
      'DELETE /alerts/alert_x',
    ])
  })

  it('show what has fired once, and when', async () => {
    const { book } = bookOf(listed, none)
    await book.load()
    expect(book.receive(firing)).toBe(true)
    expect(book.receive(firing), 'a message may come twice').toBe(false)
    expect(book.receive({ ...firing, id: 'alert_x:test', timestamp: 90, test: true })).toBe(true)
    expect(book.alerts.value?.[0]?.fired, 'a test is no firing').toBe(60)
  })

  it('have prices as expressions do', () => {
    expect(priceText(57_200.004, 2)).toBe('57200')
    expect(priceText(0.000012346, 8)).toBe('0.00001235')
  })
})

it('the expression of each numeric output of each indicator is one that the service compiles', () => {
  for (const entry of catalogue.values()) {
    const description = describeEntry(entry)
    for (const [at, { kind }] of description.outputs.entries()) {
      if (kind !== 'number') continue
      const study = { id: 'x', indicator: description.id, params: {}, isHidden: false }
      const text = studyExpression(study, description, at)
      expect(compileExpression(text, { timeframe: '1h' }), text).not.toHaveProperty('error')
    }
  }
  const params = { period: 21, source: 'hl2' }
  const rsi = describeEntry(catalogue.get('rsi') as never)
  const text = studyExpression({ id: 'x', indicator: 'rsi', params, isHidden: false }, rsi, 0)
  expect(text).toBe('rsi(period=21, source=hl2)')
  expect(compileExpression(text, { timeframe: '1h' })).not.toHaveProperty('error')
  const written = { id: 'x', indicator: 'expression', params: { expression: 'a - b' }, isHidden: false }
  expect(studyExpression(written, describeExpression([], 0), 0)).toBe('(a - b)')
})

describe('what followed a condition', () => {
  const opens = [10, 11, 12, 11, 10, 9, 10, 12, 14, 13]
  const candles = opens.map((open, at) => ({
    timestamp: at * 60,
    open,
    high: 20,
    low: 1,
    close: open + 1,
    volume: 1,
  }))
  const condition = [null, false, true, true, false, true, null, true, false, true]
  const rows = condition.map((value, at) => ({ timestamp: at * 60, values: [value] }))

  it('is measured as the service measures it', () => {
    const columns = {
      open: Float64Array.from(opens),
      close: Float64Array.from(candles, ({ close }) => close),
    } as never
    const signals = signalsOf(
      Float64Array.from(condition, value => (value === null ? Number.NaN : Number(value))),
    )
    for (const after of [1, 3])
      expect(returnsAfter(candles, rows, after)).toEqual([
        ...serviceReturns(columns, candles.length, signals, after, 1),
      ])
  })

  it('is distributed over steps of one width, with a bound at 0', () => {
    const values = [-0.02, -0.001, 0, 0.01, 0.04]
    const bins = distribution(values)
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length)
    expect(bins.some(({ from }) => from === 0)).toBe(true)
    expect(bins.filter(({ to }) => to <= 0).reduce((sum, { count }) => sum + count, 0)).toBe(2)
    expect(distribution([0, 0])).toEqual([])
  })
})
