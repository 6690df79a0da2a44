import { describe, expect, it } from 'vitest'
import { sparkPath } from '../../page/chart/spark-path.js'
import { BreadthLine, breadthCandles, breadthRequest } from '../../page/model/breadth-line.js'
import { CloseHistory, sparkCandles } from '../../page/model/close-history.js'
import { Loader } from '../../page/model/loader.js'
import {
  listChoices,
  locateFault,
  readColumns,
  type ScreenForm,
  screenRequest,
  valueNames,
} from '../../page/model/screen-form.js'
import {
  firstSort,
  keepOrder,
  type Match,
  nextSort,
  type ScreenRow,
  ScreenState,
  sortRows,
} from '../../page/model/screen-state.js'
import { ServiceClient } from '../../page/service/client.js'
import { Expressions } from '../../src/compute/expressions/expressions.js'
import { isRefusal } from '../../src/contract/refusals.js'
import { readBreadth } from '../../src/screens/breadth/request.js'
import { readScreen } from '../../src/screens/request.js'

const form: ScreenForm = {
  exchange: ' Demo ',
  timeframe: '1h',
  quote: '',
  symbols: '',
  where: 'rsi(14) < 30',
  columns: 'strength = rsi(14)\n\n  close == open \nsma(close, period=5)\nup= close > open',
}

/** Answer of the service to a form. */
function answerTo(given: ScreenForm) {
  const read = screenRequest(given, readColumns(given.columns))
  if ('fault' in read) throw new Error(read.fault.text)
  return readScreen(new Map(Object.entries(read.request)), new Expressions(), true)
}

describe('the form of a screen', () => {
  it('has a column in each line, with a name or without', () => {
    const columns = readColumns(form.columns)
    expect(columns.map(({ label, expression }) => [label, expression])).toEqual([
      ['strength', 'rsi(14)'],
      ['close == open', 'close == open'],
      ['sma(close, period=5)', 'sma(close, period=5)'],
      ['up', 'close > open'],
    ])
    for (const { expression, from } of columns)
      expect(form.columns.slice(from, from + expression.length)).toBe(expression)
    expect(readColumns(' \n')).toEqual([])
  })

  it('is a request that the service takes', () => {
    const symbols = { ...form, symbols: 'btc/usdt, ETHUSDT  ada-usdt' }
    expect(isRefusal(answerTo(form))).toBe(false)
    expect(answerTo({ ...form, quote: ' usdt ' })).toMatchObject({ exchange: 'demo', quote: 'USDT' })
    expect(answerTo({ ...form, quote: 'usdt', symbols: 'top:20, list:majors' })).toMatchObject({
      symbols: ['TOP:20', 'LIST:MAJORS'],
      quote: 'USDT',
    })
    expect(answerTo(symbols)).toMatchObject({
      symbols: ['BTCUSDT', 'ETHUSDT', 'ADAUSDT'],
      names: valueNames(readColumns(form.columns)),
    })
  })

  it('offers the lists of the key in the place of the symbol that is typed', () => {
    const lists = [
      { name: 'majors', symbols: ['BTCUSDT', 'ETHUSDT'] },
      { name: 'one', symbols: ['SOLUSDT'] },
    ]
    const choices = (text: string) => listChoices(text, lists).map(({ value }) => value)
    expect(listChoices('', lists)).toEqual([
      { value: 'list:majors', label: '2 symbols' },
      { value: 'list:one', label: '1 symbol' },
    ])
    expect(choices('BTCUSDT, li')).toEqual(['BTCUSDT, list:majors', 'BTCUSDT, list:one'])
    expect(choices('BTCUSDT;')).toEqual(['BTCUSDT;list:majors', 'BTCUSDT;list:one'])
  })

  it('may have as many columns as the service gives beside the close', () => {
    const lines = (count: number) => ({ ...form, columns: 'rsi(14)\n'.repeat(count) })
    expect(isRefusal(answerTo(lines(11)))).toBe(false)
    expect(() => answerTo(lines(12))).toThrow('at most 11 columns')
  })

  it.each([
    ['where', { where: 'rsi(14) < foo' }, 'Condition: Invalid expression at character 11', 'foo'],
    ['where', { where: "'𝟘' ! rsi(14) <" }, 'Condition: Invalid expression', undefined],
    ['where', { where: 'rsi(14)' }, 'Condition: must be a condition', undefined],
    [
      'columns',
      { columns: 'a = close\n b = close * barr ' },
      'Column b: Invalid expression at character 9',
      'barr',
    ],
    ['columns', { columns: 'rsi(14)\nclose +' }, 'Column close +: Invalid expression at character 8', ''],
  ] as const)('says what is wrong with %s in %j, and where', (field, change, text, part) => {
    const wrong = { ...form, ...change }
    const answer = answerTo(wrong)
    if (!isRefusal(answer)) throw new Error('The service takes it.')
    const fault = locateFault(answer.error, wrong.where, readColumns(wrong.columns))
    expect(fault.field).toBe(field)
    expect(fault.text).toContain(text)
    if (part !== undefined) expect(fault.range && wrong[field].slice(...fault.range)).toBe(part)
  })

  it('counts a character outside the basic plane once, and leaves other errors as they are', () => {
    const error = 'where: Invalid expression at character 3: unexpected character "!"'
    expect(locateFault(error, '𝟘 !', []).range).toEqual([3, 4])
    const other = 'Too many live screens. Your key may have 5 at a time.'
    expect(locateFault(other, '', [])).toEqual({ text: other, field: undefined, range: undefined })
  })
})

const match = (symbol: string, close: number | null, flag: boolean | null = null): Match => ({
  symbol,
  timestamp: 60,
  close,
  flag,
})

describe('the matches of a screen', () => {
  it('are those of the first answer with all changes since', () => {
    const state = new ScreenState(['flag', 'close'])
    const shown = () => [...state.rows.values()].map(({ symbol, values }) => [symbol, ...values])
    state.receive({
      type: 'screen_ok',
      matches: [match('A', 1, true), match('B', 2)],
      screened: 9,
      failed: [],
    })
    expect(shown()).toEqual([
      ['A', true, 1],
      ['B', null, 2],
    ])
    state.receive({
      type: 'screen_update',
      entered: [match('C', 3)],
      changed: [match('B', 5)],
      left: ['A'],
    })
    expect(shown()).toEqual([
      ['B', null, 5],
      ['C', null, 3],
    ])
    const failed = [{ symbol: 'A', error: 'no candles' }]
    state.receive({ type: 'screen_ok', matches: [], screened: 8, failed })
    expect([shown(), state.screened, state.failed]).toEqual([[], 8, failed])
  })

  const row = (symbol: string, ...values: ScreenRow['values']): ScreenRow => ({
    symbol,
    timestamp: 0,
    values,
  })
  const rows = [row('B', 2, null), row('D', null, true), row('A', -1, false), row('C', 2, true)]
  const order = (by: 'symbol' | number, isDescending: boolean) =>
    sortRows(rows, { by, isDescending })
      .map(({ symbol }) => symbol)
      .join('')

  it('are sorted by a column in both directions, those without a value last', () => {
    expect([order('symbol', false), order('symbol', true)]).toEqual(['ABCD', 'DCBA'])
    expect([order(0, false), order(0, true)]).toEqual(['ABCD', 'BCAD'])
    expect([order(1, false), order(1, true)]).toEqual(['ACDB', 'CDAB'])
  })

  it('begin with the largest numbers when a column is chosen', () => {
    const byClose = nextSort(firstSort, 0)
    expect(byClose).toEqual({ by: 0, isDescending: true })
    expect(nextSort(byClose, 0)).toEqual({ by: 0, isDescending: false })
    expect(nextSort(byClose, 'symbol')).toEqual(firstSort)
  })

  it('stay where they are while someone points at them, new ones below', () => {
    expect(keepOrder(rows, ['C', 'gone', 'B']).map(({ symbol }) => symbol)).toEqual(['C', 'B', 'D', 'A'])
  })
})

describe('how many markets match, by time,', () => {
  const shares = (timestamp: readonly number[], value: readonly (number | null)[]) => ({
    timestamp,
    measures: { share: { value } },
  })

  it('is a request that the service takes, over the markets of the screen', () => {
    const read = screenRequest({ ...form, symbols: 'list:majors' }, readColumns(form.columns))
    if ('fault' in read) throw new Error(read.fault.text)
    const asked = breadthRequest(read.request, form.where)
    expect(readBreadth(new Map(Object.entries(asked)), new Expressions(), true)).toMatchObject({
      ...{ exchange: 'demo', timeframe: '1h', symbols: ['LIST:MAJORS'] },
      window: { results: breadthCandles },
    })
  })

  it('has the newest values of each candle, and says them', () => {
    const line = new BreadthLine()
    expect([line.shares, line.text]).toEqual([[], undefined])
    line.receive({ type: 'breadth_pending', done: 1, total: 2 })
    line.receive({ type: 'breadth_ok', ...shares([60, 120, 180], [null, 0.25, 0.5]) })
    line.receive({ type: 'breadth_update', ...shares([180, 240], [0.75, 0.456]) })
    expect(line.shares).toEqual([0.25, 0.75, 0.456])
    expect(line.text).toBe('45.6 % of the markets now, 25.0 % to 75.0 % in the last 3 candles')
    line.receive({ type: 'breadth_ok', ...shares([300], [1]) })
    expect(line.text).toBe('100.0 % of the markets now, 100.0 % to 100.0 % in the last candle')
    const times = Array.from({ length: breadthCandles }, (_, k) => 360 + k * 60)
    line.receive({
      type: 'breadth_update',
      ...shares(
        times,
        times.map(() => 0),
      ),
    })
    expect(line.shares, 'the oldest one has left').toEqual(times.map(() => 0))
  })
})

describe('the small charts', () => {
  it('have lines from the lower to the upper edge', () => {
    expect(sparkPath([10, 30, 20], 100, 20)).toBe('M0 20L50 0L100 10')
    expect(sparkPath([5, 5], 100, 20)).toBe('M0 10L100 10')
    expect(sparkPath([0.5, 1], 100, 20, [0, 1])).toBe('M0 10L100 0')
    expect([sparkPath([], 100, 20), sparkPath([1], 100, 20)]).toEqual(['', ''])
  })

  /** A history whose requests are answered one by one. */
  function start() {
    const asked: string[] = []
    const answers: (() => void)[] = []
    const drawn: string[] = []
    const fetched = (url: URL | RequestInfo) => {
      const symbol = new URL(String(url)).searchParams.get('symbol') ?? ''
      asked.push(symbol)
      const candles = [60, 120].map(timestamp => ({ timestamp, close: timestamp }))
      const status = symbol === 'BAD' ? 400 : 200
      return new Promise<Response>(resolve =>
        answers.push(() => resolve(new Response(JSON.stringify(candles), { status }))),
      )
    }
    const client = new ServiceClient({ base: 'http://x/', key: () => 'k', fetch: fetched })
    const closes = new CloseHistory({
      loader: new Loader({ client, onStatus: () => {} }),
      market: { exchange: 'demo', timeframe: '1m' },
      onCloses: symbol => drawn.push(symbol),
    })
    const answer = async () => {
      const count = drawn.length
      answers.shift()?.()
      await expect.poll(() => drawn.length).toBe(count + 1)
    }
    return { closes, asked, drawn, answer }
  }

  it('are fetched for what is seen, two at a time and once', async () => {
    const { closes, asked, drawn, answer } = start()
    for (const symbol of ['A', 'B', 'BAD', 'C']) closes.show(symbol)
    expect(asked).toEqual(['A', 'B'])
    closes.hide('C')
    await answer()
    expect([asked, drawn, closes.of('A')]).toEqual([['A', 'B', 'BAD'], ['A'], [60, 120]])
    await answer()
    await answer()
    closes.show('A')
    closes.show('BAD')
    expect(asked, 'what was refused, or is there, is not asked for again').toEqual(['A', 'B', 'BAD'])
    expect(closes.of('BAD')).toEqual([])
    closes.end()
    closes.show('D')
    expect(asked).toHaveLength(3)
  })

  it('go on with the live close, and begin anew after a gap', async () => {
    const { closes, asked, answer } = start()
    closes.show('A')
    closes.add('A', 120, 1)
    await answer()
    closes.add('A', 120, 121)
    closes.add('A', 180, 179)
    expect(closes.of('A')).toEqual([60, 121, 179])
    for (let at = 4; at < sparkCandles + 4; at++) closes.add('A', at * 60, at)
    expect(closes.of('A')).toHaveLength(sparkCandles)
    expect(closes.of('A').at(-1)).toBe(sparkCandles + 3)
    closes.add('A', 1e6 * 60, 1)
    expect([closes.of('A'), asked]).toEqual([[], ['A', 'A']])
  })
})
