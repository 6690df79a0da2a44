import { describe, expect, it } from 'vitest'
import { readCatalogue } from '../../page/model/catalogue.js'
import { completionsAt, describeExpression, faultRange, isExpression } from '../../page/model/expression.js'
import { ExpressionCheck } from '../../page/model/expression-check.js'
import { isScript, PineScript } from '../../page/model/pine-script.js'
import { ServiceClient } from '../../page/service/client.js'
import { readAddress, writeAddress } from '../../page/view/address.js'
import { firstView, withStudy } from '../../page/view/view.js'
import { describe as describeEntry } from '../../src/catalogue/description.js'
import { catalogue as entries } from '../../src/catalogue/index.js'
import { compileExpression } from '../../src/compute/expressions/compile.js'

const catalogue = readCatalogue({ indicators: [...entries.values()].map(describeEntry) })

describe('a text in the search', () => {
  it.each([
    ['rsi(14) < 30 and close > ema(200)', true],
    ['macd.valueMACDHist', true],
    ['close - open', true],
    ['close@4h', true],
    ['head and shoulders', false],
    ['h&s', false],
    ['sma 50', false],
    ['close-to-close', false],
    ['average true range', false],
  ])('%j', (text, is) => {
    expect(isExpression(text)).toBe(is)
  })

  it('is no expression where it is the name of an indicator', () => {
    for (const id of catalogue.keys()) expect(isExpression(id), id).toBe(false)
  })
})

describe('a completion', () => {
  /** The whole text after each completion at its end. */
  const complete = (text: string) =>
    completionsAt(text, text.length, catalogue).map(
      ({ text: completion, from }) => text.slice(0, from) + completion,
    )

  it('is a name, a parameter or an output', () => {
    expect(complete('rsi(14) < 40 and clo')[0]).toBe('rsi(14) < 40 and close')
    expect(complete('crossov')).toContain('crossover(')
    expect(complete('macd.valueMACDS')).toEqual(['macd.valueMACDSignal'])
    expect(complete('bbands(20).value')).toContain('bbands(20).valueUpperBand')
    expect(complete('macd(')).toContain('macd(fastPeriod=')
    expect(complete('macd(12, sl')).toContain('macd(12, slowPeriod=')
    expect(complete('crossover(rsi(14), ')).toEqual([])
    expect(complete('rsi(14) < ')).toEqual([])
  })

  it('of the word before the caret leaves what is behind it', () => {
    const [first] = completionsAt('cl > open', 2, catalogue)
    expect(first).toMatchObject({ text: 'close', from: 0 })
  })
})

it('the place that an error of the service names is a word of the text', () => {
  const text = 'rsi(14) < 30 and high > clsoe'
  const refusal = compileExpression(text, { timeframe: '1h' })
  const error = 'error' in refusal ? String(refusal.error) : ''
  const [from, to] = faultRange(text, error) ?? [0, 0]
  expect(text.slice(from, to)).toBe('clsoe')
  expect(faultRange('rsi', 'Not enough candles')).toBeUndefined()
})

it('an expression is drawn by what its values are', () => {
  const row = (value: number | boolean | null) => ({ timestamp: 0, values: [value] })
  expect(describeExpression([row(true), row(null)], 100).outputs[0]?.kind).toBe('flag')
  expect(describeExpression([row(104)], 100)).toMatchObject({ overlay: true })
  expect(describeExpression([row(55)], 57_000)).toMatchObject({ overlay: false })
})

it('an expression in an address is the same when it is read', () => {
  for (const expression of [
    'rsi(14) < 30 and bbands(20, 2).valueLowerBand > low',
    '5',
    'true',
    '100 % 7 == 2',
  ])
    expect(
      readAddress(writeAddress(withStudy(firstView, 'expression', { expression }))).studies.at(-1)?.params,
    ).toEqual({ expression })
})

describe('the check of an expression', () => {
  const check = async (status: number, body: object) => {
    const asked: string[] = []
    const client = new ServiceClient({
      base: 'http://service/',
      key: () => 'key',
      fetch: async url => {
        asked.push(String(url))
        return new Response(JSON.stringify(body), { status })
      },
    })
    const checked = new ExpressionCheck(client)
    const { market } = firstView
    checked.check('close > op', market)
    checked.check('close > opne', market)
    checked.check('close > opne', market)
    await expect.poll(() => checked.verdict.value.kind).not.toBe('checking')
    expect(asked, 'the last text alone').toHaveLength(1)
    expect(new URL(asked[0] ?? '').searchParams.get('expression')).toBe('close > opne')
    return checked.verdict.value
  }

  it('says what it is now, or where it is wrong', async () => {
    expect(await check(200, { value: [true] })).toEqual({ kind: 'condition', now: true })
    expect(await check(200, { value: [5.5] })).toEqual({ kind: 'number', now: 5.5 })
    expect(await check(429, { error: 'Rate limit exceeded' })).toEqual({ kind: 'unknown' })
    const error = 'Invalid expression at character 9: unknown name "opne"'
    expect(await check(400, { error })).toEqual({ kind: 'fault', text: error, range: [8, 12] })
  })
})

describe('a pasted script of Pine', () => {
  it('is told from an expression by its lines', () => {
    expect(isScript('//@version=6\nplot(close)')).toBe(true)
    expect(isScript('// mine\n// @version=5\nplot(close)')).toBe(true)
    for (const text of ['rsi(14) < 30', 'close > open\n', '//@version=6']) expect(isScript(text)).toBe(false)
  })

  it('is translated for the timeframe of the chart, and only the last one counts', async () => {
    const asked: unknown[] = []
    const answered = { title: '', expressions: [], differences: [], refused: [] }
    const client = new ServiceClient({
      base: 'http://service/',
      key: () => 'key',
      fetch: async (url, init) => {
        asked.push([String(url), JSON.parse(String(init?.body))])
        return new Response(JSON.stringify(asked.length > 2 ? { error: 'No' } : answered), {
          status: asked.length > 2 ? 400 : 200,
        })
      },
    })
    const script = new PineScript(client)
    const { market } = firstView
    const first = script.translate('first', market)
    expect(script.state.value).toBe('reading')
    await Promise.all([first, script.translate('second', market)])
    expect(script.state.value).toEqual(answered)
    expect(asked.at(-1)).toEqual([
      'http://service/expression/pine',
      { script: 'second', timeframe: market.timeframe },
    ])
    await script.translate('third', market)
    expect(script.state.value).toEqual({ fault: 'No' })
    script.clear()
    expect(script.state.value).toBe('none')
  })
})
