import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/random.js'
import { Columns, type Snapshot, timeframeOf } from '../../../../src/candles/columns.js'
import { Series } from '../../../../src/candles/series.js'
import type { Timeframe } from '../../../../src/candles/timeframe.js'
import { catalogue } from '../../../../src/catalogue/index.js'
import { answer } from '../../../../src/compute/answer.js'
import {
  type CompiledExpression,
  compileExpression,
  compileExpressions,
} from '../../../../src/compute/expressions/compile.js'
import { Calculator } from '../../../../src/compute/kernels/calculator.js'
import { isLongEnough } from '../../../../src/compute/plans/timeline-candles.js'
import { isRefusal } from '../../../../src/contract/refusals.js'
import { documentedExpressions } from '../../../support/expressions/documented.js'
import { liveValues, newestValues } from '../../../support/expressions/values.js'
import { entryOf, valuesOf } from '../../../support/kernel.js'

const calculator = new Calculator()
const hour = 3600
/** A Monday, 00:00 UTC. */
const monday = 1_699_833_600

function compiled(text: string, timeframe: Timeframe | undefined = '1h'): CompiledExpression {
  const read = compileExpression(text, { timeframe })
  if (isRefusal(read)) throw new Error(read.error)
  return read
}

/** Processor time of the fastest of five calls, in milliseconds. A stall of the machine may count in some of them. */
function fastest(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

function market(count: number, seconds = hour, from = monday): Snapshot {
  const next = createRandom(7)
  const columns = new Columns(count)
  let close = 100
  for (let i = 0; i < count; i++) {
    const open = close
    close *= 1 + (next() - 0.5) / 50
    const [high, low] = [Math.max(open, close) * 1.001, Math.min(open, close) * 0.999]
    columns.write(i, { timestamp: from + i * seconds, open, high, low, close, volume: 1 / (0.05 + next()) })
  }
  return { columns, closed: count, forming: undefined, count }
}

const snapshot = market(600)

/** All values of the only output. */
const valuesOfText = (text: string, over = snapshot, timeframe: Timeframe = '1h') =>
  Array.from(newestValues(calculator, compiled(text, timeframe), [over], over.count)[0] as Float64Array)

const indicatorValues = (name: string, given = {}) =>
  Array.from(
    calculator.calculate({ indicator: entryOf(name), ...valuesOf(entryOf(name), given) }, [snapshot])
      .columns[0] ?? [],
  )

describe('the value of an expression', () => {
  it.each([
    ['rsi', 'rsi', {}],
    ['RSI(14)', 'rsi', { period: 14 }],
    ['ema(period=9)', 'ema', { period: 9 }],
    ['ema(optInTimePeriod=9)', 'ema', { period: 9 }],
    ['sma(20, source=hl2)', 'sma', { period: 20, source: 'hl2' }],
    ['sma(ohlc4, 20)', 'sma', { period: 20, source: 'ohlc4' }],
    ['highest(high, 20)', 'max', { period: 20, source: 'high' }],
    ['highest(high, 1)', 'price', { source: 'high' }],
    ['lowest(low, 1)', 'price', { source: 'low' }],
    ['max(20)', 'max', { period: 20 }],
    ['correl(close, volume, 10)', 'correl', { period: 10, source: 'close', source2: 'volume' }],
    ['atr(14)', 'atr', { period: 14 }],
    ['doji', 'doji', {}],
  ])('%s is that of the indicator bit for bit', (text, name, given) => {
    expect(valuesOfText(text)).toEqual(indicatorValues(name, given))
  })

  it('follows the usual order of operations', () => {
    const [price] = [snapshot.columns.close[599] as number]
    const newest = (text: string) => valuesOfText(text).at(-1)
    expect(newest('1 + 2 * 3 - 8 / 4 / 2')).toBe(6)
    expect(newest('-close * -1')).toBe(price)
    expect(newest('(close - 1) % 1')).toBe((price - 1) % 1)
    expect(newest('1 < 2 and not 2 < 1 or 1 > 2')).toBe(1)
    expect(newest('not (1 < 2) == true')).toBe(0)
    expect(newest('1 + 1 == 2 && !(1 != 1) || false')).toBe(1)
    expect(newest('pow(2, 10)')).toBe(1024)
    expect(newest('max(1, 5, 3) - min(4, 2, 8)')).toBe(3)
  })

  it('has three states: what is undefined decides nothing', () => {
    const newest = (text: string) => valuesOfText(text).at(-1)
    expect(newest('close / 0')).toBeNaN()
    expect(newest('close / 0 > 1')).toBeNaN()
    expect(newest('close / 0 > 1 and 1 > 2')).toBe(0)
    expect(newest('close / 0 > 1 and 1 < 2')).toBeNaN()
    expect(newest('1 < 2 or close / 0 > 1')).toBe(1)
    expect(newest('1 > 2 or close / 0 > 1')).toBeNaN()
    expect(newest('not (close / 0 > 1)')).toBeNaN()
    expect(newest('if(close / 0 > 1, 1, 2)')).toBeNaN()
    expect(newest('nz(close / 0)')).toBe(0)
    expect(newest('nz(close / 0, 7)')).toBe(7)
    expect(newest('na(close / 0)')).toBe(1)
  })

  it('that is undefined has no power', () => {
    const newest = (text: string) => valuesOfText(text).at(-1)
    expect(newest('pow(close / 0, 0)')).toBeNaN()
    expect(newest('pow(0, close / 0)')).toBeNaN()
    expect(newest('pow(close, 0)')).toBe(1)
  })

  describe('begins when everything that it is made of has left its warm-up', () => {
    const { close } = snapshot.columns
    const shown = (text: string, count: number) =>
      valuesOfText(text)
        .slice(0, count)
        .map(value => (Number.isNaN(value) ? '-' : value))
    const none = (count: number) => Array.from({ length: count }, () => '-')

    it('on its own', () => {
      expect(shown('nz(if(sma(close, 3) > 0, 1 / 0, 2), -1)', 4)).toEqual(['-', '-', -1, -1])
      expect(shown('na(sma(close, 3))', 4)).toEqual(['-', '-', 0, 0])
      expect(shown('1 > 2 and sma(close, 3) > 0', 4)).toEqual(['-', '-', 0, 0])
    })

    it('inside an indicator, which begins there', () => {
      // The sum of values that are 1 from the third candle on.
      expect(shown('cumsum(if(close > 0, 1, sma(close, 3)))', 5)).toEqual(['-', '-', 1, 2, 3])
      expect(shown('cumsum(nz(mom(2), 7) * 0 + 1)', 5)).toEqual(['-', '-', 1, 2, 3])
      expect(shown('cumsum(if(na(mom(2)), 1, 0))', 4)).toEqual(['-', '-', 0, 0])
      // An average of two values begins with the mean of those at the third and the fourth candle.
      expect(shown('ema(if(close > 0, close, sma(close, 3)), 2)', 4)).toEqual([
        ...none(3),
        ((close[2] as number) + (close[3] as number)) / 2,
      ])
    })

    it('over longer candles', () => {
      // The third candle of four hours closes with the twelfth of an hour.
      for (const text of ['nz(sma(close, 3) / 0, -1)@4h', 'nz(sma(close, 3)@4h / 0, -1)'])
        expect(shown(text, 13)).toEqual([...none(11), -1, -1])
      expect(shown('na(sma(close, 3))@4h', 13)).toEqual([...none(11), 0, 0])
      expect(shown('na(sma(close, 3)@4h)', 13)).toEqual([...none(11), 0, 0])
      expect(shown('nz(sma(close, 3)@4h[2] / 0, -1)', 15)).toEqual([...none(13), -1, -1])
      expect(shown('cumsum(if(close > 0, 1, sma(close, 3)@4h))', 14)).toEqual([...none(11), 1, 2, 3])
    })
  })

  it('begins an indicator anew behind a gap', () => {
    const text = 'ema(if(close == close[300], close, 1 / 0), 3)'
    expect(valuesOfText(text).every(Number.isNaN)).toBe(true)
    // The input has a gap of one candle each ten candles.
    const gaps = valuesOfText('sma(if(cumsum(if(close > 0, 1, 0)) % 10 == 0, 1 / 0, 5), 3)')
    expect(gaps.slice(0, 14).map(value => (Number.isNaN(value) ? '-' : value))).toEqual([
      ...['-', '-', 5, 5, 5, 5, 5, 5, 5],
      ...['-', '-', '-', 5, 5],
    ])
  })

  it('is that of the newest closed candle of a longer timeframe', () => {
    const shown = valuesOfText('close@4h').slice(0, 12)
    const { close } = snapshot.columns
    const [first, second, third] = [close[3], close[7], close[11]]
    const expected = [NaN, NaN, NaN, first, first, first, first, second, second, second, second, third]
    expect(shown).toEqual(expected)
    // The first candle lacks its beginning.
    expect(valuesOfText('open@4h', market(12, hour, monday + hour)).slice(0, 8)).toEqual([
      ...[NaN, NaN, NaN, NaN, NaN, NaN],
      ...Array.from({ length: 2 }, () => expect.any(Number)),
    ])
  })

  it('of months ends with their last day', () => {
    const days = market(100, 86_400, Date.UTC(2024, 0, 1) / 1000)
    const values = valuesOfText('close@1M', days, '1d')
    const { close } = days.columns
    // 31 days of January, 29 of February and 31 of March in 2024.
    expect(values.slice(29, 32)).toEqual([NaN, close[30], close[30]])
    expect(values.slice(58, 61)).toEqual([close[30], close[59], close[59]])
    expect(values.slice(89, 92)).toEqual([close[59], close[90], close[90]])
  })

  it('of a longer timeframe changes only when the forming candle has closed', () => {
    const { columns } = snapshot
    const expression = compiled('close@4h')
    const live = liveValues(calculator, expression)
    const forming = columns.read(7)
    live.advance([{ columns, closed: 7, forming, count: 8 }])
    expect(live.preview([{ columns, closed: 7, forming, count: 8 }])?.value).toBe(columns.close[3])
    live.advance([{ columns, closed: 8, forming: undefined, count: 8 }])
    expect(live.closed?.value).toBe(columns.close[7])
  })
})

it.each(documentedExpressions())(
  'the example %s of the documents holds at times, and not at others',
  text => {
    const values = valuesOfText(text, market(3000)).slice(300)
    expect(values.every(value => !Number.isNaN(value))).toBe(true)
    expect(new Set(values).size).toBeGreaterThan(1)
  },
)

describe('a function of Pine', () => {
  /** Candles of given prices; the volume of each is its place, from 1. */
  const candles = (prices: readonly number[]): Snapshot => {
    const columns = new Columns(prices.length)
    for (const [i, price] of prices.entries())
      columns.write(i, {
        timestamp: monday + i * hour,
        open: price,
        high: price + 1,
        low: price - 1,
        close: price,
        volume: i + 1,
      })
    const count = prices.length
    return { columns, closed: count, forming: undefined, count }
  }
  const shown = (text: string, prices: readonly number[]) =>
    valuesOfText(text, candles(prices)).map(value => (Number.isNaN(value) ? '-' : value))
  const equal = [10, 11, 12, 15, 15, 12, 11, 10, 9]

  it('pivothigh and pivotlow count the newest of equal extremes, at the candle that confirms it', () => {
    expect(shown('pivothigh(close, 2, 2)', equal)).toEqual(['-', '-', '-', '-', '-', '-', 15, '-', '-'])
    expect(shown('pivothigh(2, 2)', equal)[6]).toBe(16)
    expect(shown('pivotlow(close, 1, 1)', [5, 3, 3, 4, 2, 6])).toEqual(['-', '-', '-', 3, '-', 2])
    // Without newer candles a value only has to reach the older ones.
    expect(shown('pivothigh(close, 1, 0)', [1, 2, 2, 1])).toEqual(['-', 2, 2, '-'])
  })

  it('vwap and its bands begin with each anchor, weighted by volume', () => {
    const prices = [10, 13, 20, 12]
    // The second anchor is the third candle, which has three pieces; the fourth one has four.
    const anchored = shown('vwap(close, close == 20)', prices)
    expect(anchored.slice(0, 3)).toEqual([10, (10 + 2 * 13) / 3, 20])
    expect(anchored[3]).toBeCloseTo((3 * 20 + 4 * 12) / 7, 12)
    const mean = (3 * 20 + 4 * 12) / 7
    const deviation = Math.sqrt((3 * (20 - mean) ** 2 + 4 * (12 - mean) ** 2) / 7)
    const upper = shown('vwapbands(close, close == 20, 2).upper', prices)[3]
    const lower = shown('vwapbands(close, close == 20, 2).lower', prices)[3]
    expect(upper).toBeCloseTo(mean + 2 * deviation, 12)
    expect(lower).toBeCloseTo(mean - 2 * deviation, 12)
  })

  it('round_to rounds to the nearest multiple, halves up', () => {
    expect(shown('round_to(close, 5)', [12, 12.5, 13, -12.5])).toEqual([10, 15, 15, -10])
  })

  it('the direction of an indicator is 1 up and −1 down', () => {
    const prices = [
      ...Array.from({ length: 30 }, (_, i) => 100 + i),
      ...Array.from({ length: 30 }, (_, i) => 130 - 4 * i),
    ]
    const directions = shown('supertrend(5, 2).valueAdvice', prices)
    expect(directions.slice(5, 30).every(value => value === 1)).toBe(true)
    expect(directions.at(-1)).toBe(-1)
  })

  it('is read once however deep it is nested', () => {
    const nested = `${'sign('.repeat(15)}close${')'.repeat(15)}`
    expect(compiled(nested).spec.indicator.plan.nodes.length).toBeLessThan(100)
  })
})

describe('a compiled expression', () => {
  it.each([
    ['close', 1, 'number', []],
    ['rsi(14) < 30 and close > ema(200)', 200, 'boolean', []],
    ['crossover(ema(9), ema(21))', 22, 'boolean', []],
    ['sma(rsi(14), 5)', 19, 'number', []],
    ['macd.valueMACDHist[1] < 0', 35, 'boolean', []],
    ['sma(20)@4h > sma(5)@1d', 143, 'boolean', ['4h', '1d']],
  ])('%s says that it needs %i candles', (text, depth, type, timeframes) => {
    expect(compiled(text)).toMatchObject({ depth, type, timeframes })
  })

  it('has its first value where it says, where no candle is missing and the first longer one begins late', () => {
    for (const text of ['sma(rsi(14), 5)', 'rsi(14)@4h > 50', 'sma(sma(3)@1d, 5)[2]']) {
      const { depth } = compiled(text)
      const values = valuesOfText(text, market(600, hour, monday + hour))
      expect(values[depth - 1], text).not.toBeNaN()
      expect(Number.isNaN(values[0] as number), text).toBe(true)
    }
    const late = valuesOfText('close@4h', market(600, hour, monday + hour))
    expect(late.findIndex(value => !Number.isNaN(value))).toBe(compiled('close@4h').depth - 1)
  })

  it('computes what several parts have in common once', () => {
    const both = compileExpressions(
      { where: 'rsi(14) < 30 and rsi(14) > 10', value: 'rsi(14)', change: 'rsi(14) - rsi(14)[1]' },
      { timeframe: '1h' },
    )
    if (isRefusal(both)) throw new Error(both.error)
    const { nodes } = both.spec.indicator.plan
    expect(nodes.filter(({ kind }) => kind === 'calculation')).toHaveLength(1)
    expect(both.outputs).toEqual([
      { name: 'where', type: 'boolean' },
      { name: 'value', type: 'number' },
      { name: 'change', type: 'number' },
    ])
    const [where, value, change] = newestValues(calculator, both, [snapshot], 600)
    expect(Array.from(where as Float64Array)).toEqual(valuesOfText('rsi(14) < 30 and rsi(14) > 10'))
    expect(Array.from(value as Float64Array)).toEqual(indicatorValues('rsi'))
    expect(Array.from(change as Float64Array)).toEqual(valuesOfText('rsi(14) - rsi(14)[1]'))
    const refused = compileExpressions({ where: 'close > 1', value: 'clsoe' })
    expect(refused).toMatchObject({
      error:
        'value: Invalid expression at character 1: unknown name "clsoe". Did you mean close? Nearest valid form: close',
      position: 1,
    })
  })

  it('refuses a history in which too few longer candles have closed, and no other', () => {
    const { indicator } = compiled('rsi(14)@4h > 50').spec
    expect(isLongEnough(indicator, [market(63)])).toBe(true)
    expect(isLongEnough(indicator, [market(60)])).toBe(true)
    expect(isLongEnough(indicator, [market(59)])).toBe(false)
    expect(isLongEnough(indicator, [market(60)], 1)).toBe(false)
    // One candle in each longer one: fewer are enough.
    expect(isLongEnough(indicator, [market(17, 4 * hour)])).toBe(true)
    const query = { ...compiled('rsi(14)@4h > 50').spec, results: 1, backtrack: 0 }
    expect(answer(calculator, query, [market(59)])).toMatchObject({
      error: 'Not enough candles: expression needs 63, 59 available',
    })
    expect(answer(calculator, query, [market(60)])).toMatch(/^\{"value":\[(true|false)\],/)
  })

  it('refuses a history that ends before the first value behind longer candles', () => {
    const { indicator } = compiled('nz(sma(close, 3)@4h[2], -1)').spec
    expect(isLongEnough(indicator, [market(13)])).toBe(false)
    expect(isLongEnough(indicator, [market(14)])).toBe(true)
    expect(isLongEnough(indicator, [market(15)], 1)).toBe(true)
    expect(isLongEnough(indicator, [market(15)], 2)).toBe(false)
  })

  it('reads the timeframe of supplied candles from their smallest distance', () => {
    expect(timeframeOf(market(20))).toBe('1h')
    expect(timeframeOf(market(20, 1))).toBeUndefined()
    expect(timeframeOf(market(1))).toBeUndefined()
  })
})

describe('a live expression', () => {
  it('computes again after a correction, and reports no candle twice', () => {
    const series = new Series('1h', 100)
    const candles = Array.from({ length: 80 }, (_, i) => snapshot.columns.read(i))
    series.merge(candles.slice(0, 60), monday + 60 * hour)
    const live = liveValues(calculator, compiled('sma(rsi(14), 5)'))
    const advance = () =>
      live.advance([series.snapshot()]).closed.map(({ timestamp }) => (timestamp - monday) / hour)
    expect(advance()).toEqual([])
    series.merge([{ ...(candles[50] as (typeof candles)[0]), close: 90 }], monday + 60 * hour)
    expect(advance()).toEqual([])
    const [again] = newestValues(calculator, compiled('sma(rsi(14), 5)'), [series.snapshot()], 1)
    expect(live.closed?.value).toBe(again?.[0])
    series.merge(candles.slice(60, 63), monday + 63 * hour)
    expect(advance()).toEqual([60, 61, 62])
  })
})

describe('a text that is no expression', () => {
  const golden = JSON.parse(
    readFileSync(new URL('../../../golden/expression-errors.json', import.meta.url), 'utf8'),
  ) as Readonly<Record<string, string>>

  it.each(Object.entries(golden))('%s is refused with its text', (text, error) => {
    expect(compileExpression(text, { timeframe: '1h' })).toMatchObject({ status: 400, error })
  })

  it('is one with a timeframe that is not made of whole candles', () => {
    expect(compileExpression('close@5m', { timeframe: '3m' })).toMatchObject({
      status: 400,
      error: 'Invalid expression at character 7: @5m is not made of whole candles of 3m',
    })
    expect(compileExpression('close@1M', { timeframe: '1w' })).toMatchObject({ status: 400 })
  })

  it('names the character at which the fault begins', () => {
    const positions = Object.keys(golden).map(text => {
      const read = compileExpression(text, { timeframe: '1h' })
      return isRefusal(read) ? (read as { position?: number }).position : undefined
    })
    for (const [at, text] of Object.keys(golden).entries()) {
      expect(positions[at], text).toBeGreaterThanOrEqual(1)
      expect(positions[at], text).toBeLessThanOrEqual([...text].length + 1)
      expect(Object.values(golden)[at]).toContain(`at character ${positions[at]}:`)
    }
  })

  it('is refused whatever it is made of, at once', () => {
    const hostile = [
      '('.repeat(1000),
      `${'('.repeat(500)}1${')'.repeat(500)}`,
      '-'.repeat(999),
      `${'not '.repeat(249)}true`,
      `${'1+'.repeat(499)}1`,
      `close${'[1]'.repeat(300)}`,
      `close${'@4h'.repeat(300)}`,
      `${'abs('.repeat(199)}1${')'.repeat(199)}`,
      'a'.repeat(1000),
      '9'.repeat(999),
      `sma(${'1,'.repeat(400)}1)`,
      '\u0000\u0001',
      '\ud800close',
      '💥'.repeat(500),
      'сlose > 1',
      'close > 1 ',
      '__proto__',
      'constructor(1)',
      'toString',
      'close.constructor',
      'rsi(__proto__=1)',
      'rsi(constructor=1)',
      "rsi('14')",
      'close\u2028> 1 ;',
      "'' == ''",
      '1e999',
      '0x10',
      'rsi(1e3)',
      'x'.repeat(100_000),
    ]
    for (const text of hostile) {
      const read = compileExpression(text, { timeframe: '1h' })
      const ms = fastest(() => compileExpression(text, { timeframe: '1h' }))
      expect(ms, text.slice(0, 40)).toBeLessThan(250)
      if (!isRefusal(read)) {
        expect(['1e999', `${'1+'.repeat(499)}1`, 'close > 1 ', '9'.repeat(999)], text.slice(0, 40)).toContain(
          text,
        )
        continue
      }
      expect(read, text.slice(0, 40)).toMatchObject({ status: 400, position: expect.any(Number) })
      expect(read.error.length, text.slice(0, 40)).toBeLessThan(600)
    }
  })

  it('is refused when it is made of random tokens, or an expression is damaged', () => {
    const words = `( ) [ ] , . @ + - * / % < <= == = != and or not true 1 14 0.5 4h 1d rsi sma ema close macd
      valueMACD period source 'a' max if nz é`.split(/\s+/)
    const next = createRandom(3)
    let refused = 0
    for (let i = 0; i < 3000; i++) {
      const count = 1 + Math.floor(next() * 12)
      const text = Array.from({ length: count }, () => words[Math.floor(next() * words.length)]).join(
        next() < 0.5 ? ' ' : '',
      )
      const read = compileExpression(text, { timeframe: '1h' })
      if (!isRefusal(read)) continue
      refused++
      expect(read.status, text).toBe(400)
      expect((read as { position?: number }).position, text).toBeLessThanOrEqual([...text].length + 1)
    }
    expect(refused).toBeGreaterThan(2000)
  })

  it('has bounds on what it costs', () => {
    const names = ['sma', 'ema', 'wma', 'rsi', 'mom', 'tema']
    const many = names.flatMap(name => [2, 3, 4, 5].map(period => `${name}(${period})`)).join('+')
    expect(compileExpression(many)).toMatchObject({
      error: expect.stringContaining('at most 20 different indicators'),
    })
    const long = Array.from({ length: 45 }, (_, i) => `(close+${i})[500]`).join('+')
    expect(compileExpression(long)).toMatchObject({ error: expect.stringContaining('that are remembered') })
    const wide = Array.from({ length: 80 }, (_, i) => `low*${i}`).join('+')
    expect(compileExpression(wide)).toMatchObject({
      error: expect.stringContaining('at most 200 different parts'),
    })
  })
})

it('every indicator of the catalogue can be used, and applied where it reads one column or two', () => {
  for (const { name, outputs, inputs, sources } of catalogue.values()) {
    const output = outputs.find(({ kind }) => kind !== 'label' && kind !== 'names')
    if (!output) continue
    const suffix = outputs.length > 1 ? `.${output.name}` : ''
    const text = /^(crossover|crossunder|crossany|rising|falling)$/.test(name)
      ? undefined
      : `${name}()${suffix}`
    if (text) expect(compiled(text).depth, text).toBeGreaterThan(0)
    if (sources === inputs.length) {
      const over = `${name}(${['rsi(14)', 'ema(9)'].slice(0, sources).join(', ')})${suffix}`
      expect(compiled(over).depth, over).toBeGreaterThan(0)
    }
  }
})
