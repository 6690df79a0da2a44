import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { barsOf } from '../../../src/candles/charts/bars.js'
import { type CandleBlock, Columns, columnNames, type Snapshot } from '../../../src/candles/columns.js'
import { type Timeframe, timeframes } from '../../../src/candles/timeframe.js'
import { catalogue } from '../../../src/catalogue/index.js'
import { computeText } from '../../../src/cli/compute/computation.js'
import { answer } from '../../../src/compute/answer.js'
import type { Caller } from '../../../src/compute/bulk/bulk-inline.js'
import { BufferSink } from '../../../src/compute/json/sink.js'
import { RangeAnswers } from '../../../src/compute/ranges/range-answers.js'
import { runRange } from '../../../src/compute/ranges/range-thread.js'
import { jsonUpdates, LiveCalculation } from '../../../src/compute/results/live-calculation.js'
import type { RangeTask } from '../../../src/compute/workers/worker-task.js'
import { tooManyBars } from '../../../src/contract/chart-refusals.js'
import { type Query, readQuery } from '../../../src/contract/query.js'
import { busy, isRefusal } from '../../../src/contract/refusals.js'
import type { TimeRange } from '../../../src/contract/time-range.js'
import { Expressions } from '../../../src/expression/expressions.js'
import { BufferPool } from '../../../src/runtime/buffer-pool.js'
import { calculator, entryOf } from '../../support/kernel.js'
import { realShaped } from '../../support/real-shaped-market.js'

const expressions = new Expressions()
const market = realShaped(4000, 11)

/** The candles of a market at another distance, of which those in `gaps` are missing. */
function historyOf(timeframe: Timeframe, gaps = false): Snapshot {
  const kept = market.timestamp.map((_, i) => i).filter(i => !gaps || i % 97 > 3)
  const columns = new Columns(kept.length)
  for (const [at, i] of kept.entries()) {
    const candle = Object.fromEntries(columnNames.map(name => [name, market[name][i] as number]))
    columns.write(at, { ...candle, timestamp: 1_600_000_200 + i * timeframes[timeframe] } as never)
  }
  const closed = kept.length - 1
  return { columns, closed, forming: columns.read(closed), count: kept.length }
}

/** The same history, of which the newest `inMemory` candles are in memory. */
function deepOf(whole: Snapshot, inMemory: number, timeframe: Timeframe): Required<Omit<Snapshot, 'isFull'>> {
  const first = whole.count - inMemory
  const columns = new Columns(inMemory)
  for (let i = first; i < whole.closed; i++) columns.write(i - first, whole.columns.read(i))
  const begin = whole.columns.timestamp[0] as number
  const older = { timeframe, first: begin, id: 'x', place: { whole, first }, newestUntil: () => undefined }
  return { columns, closed: inMemory - 1, forming: whole.forming as never, count: inMemory, older }
}

/** Reads the candles before the index that a place says in blocks of odd sizes. */
function* readOlder(place: unknown, from: number, to: number): Generator<CandleBlock> {
  const { whole, first } = place as { whole: Snapshot; first: number }
  const { columns } = whole
  for (let at = 0; at < first; at += 333) {
    const block = new Columns(Math.min(333, first - at))
    for (let i = 0; i < block.capacity; i++) block.write(i, columns.read(at + i))
    const begin = block.timestamp.findIndex(time => time >= from)
    const end = block.timestamp.filter(time => time <= to).length
    if (begin >= 0 && begin < end) yield { columns: block, from: begin, to: end }
  }
}

const caller = { signal: new AbortController().signal }
const sink = new BufferSink(calculator.writer, new BufferPool(1_000_000))

/** Answers as a thread does, which counts the tasks. */
function createAnswers(pieceLength?: number) {
  const tasks: RangeTask[] = []
  const run = async (task: RangeTask, { signal }: Caller) => {
    if (signal.aborted) return busy(1)
    tasks.push(structuredClone({ ...task, place: undefined }))
    const { refusal, ...found } = runRange(task, { readOlder, expressions, sink, pause: () => {} })
    const { columns, ...rest } = found
    const answer = columns ? [new Uint8Array(columns.buffer)] : sink.take()
    return refusal ?? { answer, ...rest, costs: new Float64Array(), kept: [], bugs: [] }
  }
  const answers = new RangeAnswers({ run, onBug: () => {}, pieceLength })
  return { answers, tasks }
}

type Given = Readonly<Record<string, string>>

type Rows = readonly Readonly<Record<string, unknown> & { readonly timestamp: number }>[]
const parseRows = (texts: readonly string[]): Rows => texts.map(text => JSON.parse(text))

/** What a stream sends that has followed the closed candles of a history. */
async function streamOf(query: Query, all: Snapshot): Promise<Rows> {
  const live = new LiveCalculation(calculator, query, jsonUpdates(query))
  live.emitAfter(Number.NEGATIVE_INFINITY)
  return parseRows(
    live.advance(barsOf(query.chart, { ...all, forming: undefined, count: all.closed })).closed,
  )
}

/** What `candela compute` writes over a file with the closed candles of a history. */
async function exportOf(query: Query, { columns, closed }: Snapshot): Promise<Rows> {
  const candles = async function* () {
    for (let at = 0; at < closed; at++) yield columns.read(at)
  }
  const options = { format: 'ndjson', isNamed: false, chart: query.chart } as const
  let text = ''
  for await (const part of computeText([query], candles(), options)) text += part
  return parseRows(text.trimEnd().split('\n'))
}

function read(name: string, given: Given, timeframe: Timeframe): Query {
  const fields = new Map(Object.entries(name === 'expression' ? { expression: name, ...given } : given))
  const query =
    name === 'expression'
      ? expressions.readQuery(fields, 'text', [], timeframe)
      : readQuery(entryOf(name), fields, 'text')
  if (isRefusal(query)) throw new Error(query.error)
  return query
}

async function ask(answers: RangeAnswers, query: Query, snapshot: ReturnType<typeof deepOf>) {
  const answered = await answers.answer({ query, range: query.range as never, snapshot }, caller, 'a')
  return isRefusal(answered) ? answered : answered.body.takeText()
}

describe('a time of a history that is longer than what is in memory', () => {
  const names = [...[...catalogue.keys()].filter(name => name !== 'ote')]
  const texts = ['ema(20) > ema(50)', 'rsi(14)@1d + close[3]', 'sma(ema(5), 9)', 'highest(high, 40)@4h']
  const offset = fc.integer({ min: -50, max: 4050 })

  /** Where the values of an indicator settle, the digits that are asked for. */
  const settledOf = (name: string): Given =>
    name !== 'expression' && !isRefusal(readQuery(entryOf(name), new Map([['settled', '4']]), 'text'))
      ? { settled: '4' }
      : {}

  it('has the values of one calculation over all candles, cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constantFrom(...names), fc.constant('expression')),
        fc.constantFrom<Timeframe>('1m', '1h', '1d'),
        fc.boolean(),
        fc.constantFrom(...texts),
        fc.array(fc.tuple(offset, offset), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 2, max: 1500 }),
        fc.integer({ min: 1, max: 2000 }),
        fc.boolean(),
        async (name, timeframe, gaps, text, ranges, inMemory, pieceLength, withSettled) => {
          const all = historyOf(timeframe, gaps)
          const { answers } = createAnswers(pieceLength)
          const deep = deepOf(all, inMemory, timeframe)
          for (const offsets of ranges) {
            const [from, to] = [...offsets]
              .sort((a, b) => a - b)
              .map(at => String(1_600_000_200 + at * timeframes[timeframe])) as [string, string]
            const digits = withSettled ? settledOf(name) : {}
            const expression =
              name === 'expression' ? { expression: timeframe === '1d' ? 'ema(9)' : text } : {}
            const query = read(name, { from, to, ...digits, ...expression }, timeframe)
            expect(await ask(answers, query, deep), name).toEqual(answer(calculator, query, all))
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  it('has the values of one calculation over all candles, or bars of a chart, which streams and exports have, too', async () => {
    const size = (market.high[0] as number) - (market.low[0] as number)
    const charts = [
      'candles',
      'heikinashi',
      `renko:${size * 2}`,
      `range:${size * 3}`,
      'renko:atr14',
      'linebreak:2',
    ]
    let compared = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...charts),
        fc.constantFrom('rsi', 'sma', 'obv', 'candle', 'supertrend', 'hma'),
        fc.array(fc.tuple(offset, offset), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 2, max: 1500 }),
        fc.integer({ min: 1, max: 2000 }),
        async (chart, name, ranges, inMemory, pieceLength) => {
          const all = historyOf('1h', true)
          const { answers } = createAnswers(pieceLength)
          const deep = deepOf(all, inMemory, '1h')
          let elsewhere: readonly Rows[] | undefined
          for (const offsets of ranges) {
            const [from, to] = [...offsets]
              .sort((a, b) => a - b)
              .map(at => String(1_600_000_200 + at * 3600)) as [string, string]
            const query = read(name, { from, to, chart }, '1h')
            const bars = barsOf(query.chart, all)
            const expected = answer(calculator, query, bars)
            const found = await ask(answers, query, deep)
            if (isRefusal(expected)) expect(isRefusal(found), JSON.stringify(found)).toBe(true)
            else expect(found, `${name} ${chart}`).toEqual(expected)
            const columns = await answers.columns(
              { query, range: query.range as never, snapshot: deep },
              caller,
              'a',
            )
            if (isRefusal(expected) || isRefusal(columns)) continue
            compared++
            const { timestamp, ...values } = JSON.parse(expected)
            const [output] = Object.keys(values) as [string]
            const forming = all.forming?.timestamp as number
            const closed = timestamp.filter((time: number) => time < forming).length
            const wanted = values[output].slice(0, closed)
            elsewhere ??= [await streamOf(query, all), await exportOf(query, all)]
            for (const rows of elsewhere) {
              const found = rows.filter(row => row.timestamp >= Number(from) && row.timestamp <= Number(to))
              // A file has rows without a value, too.
              const column = found.slice(found.length - closed).map(row => row[output] ?? row[name] ?? null)
              expect(column).toEqual(wanted)
            }
            expect([...columns.columns.subarray(0, timestamp.length)]).toEqual(timestamp)
            if (name !== 'candle') expect(bars.columns.timestamp[columns.before]).toBe(timestamp[0])
          }
        },
      ),
      { numRuns: 16 },
    )
    expect(compared).toBeGreaterThan(8)
  })

  it('has the candles as columns, and refuses more bars than an answer has', async () => {
    const all = historyOf('1h')
    const { answers } = createAnswers()
    const deep = deepOf(all, 500, '1h')
    const range = { from: all.columns.timestamp[100] as number, to: all.columns.timestamp[3600] as number }
    const found = await answers.columns({ range, snapshot: deep }, caller, 'a')
    if (isRefusal(found)) throw new Error(found.error)
    const columns = Columns.over(found.columns.buffer)
    expect(columns.capacity).toBe(3501)
    for (const at of [0, 1700, 3400, 3500]) expect(columns.read(at)).toEqual(all.columns.read(100 + at))
    const query = read('rsi', { from: String(range.from), to: String(range.to), chart: 'renko:0.0001' }, '1h')
    const many = await answers.answer({ query, range, snapshot: deep, most: 3000 }, caller, 'a')
    expect(many).toEqual(tooManyBars(3000))
  })

  const all = historyOf('1h')
  const timeAt = (at: number) => all.columns.timestamp[at] as number
  const between = (name: string, from: number, to = 5000, given: Given = {}) =>
    read(name, { ...given, from: String(timeAt(from)), to: String(timeAt(0) + to * 3600) }, '1h')

  it('keeps its values when later candles arrive and others leave memory', async () => {
    const { answers } = createAnswers()
    const { columns } = all
    const earlier = { columns, closed: 3000, forming: columns.read(3000), count: 3001 }
    for (const name of ['rsi', 'ema', 'obv', 'zigzag', 'hma'].filter(each => catalogue.has(each))) {
      const query = between(name, 500, 2900)
      const before = await ask(answers, query, deepOf(earlier, 1200, '1h'))
      expect(before).toEqual(await ask(answers, query, deepOf(all, 1000, '1h')))
    }
  })

  it('begins at what it has come to before, and takes turns', async () => {
    const { answers, tasks } = createAnswers(512)
    const deep = deepOf(all, 400, '1h')
    const startsOf = async (from: number, to?: number) => {
      tasks.length = 0
      await ask(answers, between('rsi', from, to), deep)
      return tasks.map(({ start }) => start?.index ?? 0)
    }
    expect(await startsOf(3990)).toEqual([0, 1024, 2048, 3072])
    // The boundary of memory, before the newest values.
    expect(await startsOf(3990)).toEqual([3600])
    expect(await startsOf(3700)).toEqual([3600])
    expect(await startsOf(2500, 2600)).toEqual([2048])
    expect(await startsOf(10, 20)).toEqual([0])
    expect(answers.bytes).toBeGreaterThan(0)
  })

  it('has the values that candela compute writes of the same candles', async () => {
    const { answers } = createAnswers()
    async function* candles() {
      for (let i = 0; i < all.count; i++) yield all.columns.read(i)
    }
    for (const name of ['rsi', 'macd', 'supertrend']) {
      const query = between(name, 1500, 2500)
      const options = { format: 'json', isNamed: false } as const
      let text = ''
      for await (const part of computeText([query], candles(), options)) text += part
      const written = JSON.parse(text) as Record<string, unknown[]>
      const first = (written.timestamp as number[]).indexOf(timeAt(1500))
      const cut = Object.entries(written).map(([key, list]) => [key, list.slice(first, first + 1001)])
      const answered = await ask(answers, query, deepOf(all, 700, '1h'))
      expect(JSON.parse(answered as string)).toEqual(Object.fromEntries(cut))
    }
  })

  it('is no more computed when its caller is gone', async () => {
    const { answers, tasks } = createAnswers(512)
    const gone = new AbortController()
    const query = between('rsi', 3990)
    const question = { query, range: query.range as TimeRange, snapshot: deepOf(all, 400, '1h') }
    const answered = answers.answer(question, { signal: gone.signal }, 'a')
    gone.abort()
    expect(await answered).toEqual(busy(1))
    expect(tasks).toHaveLength(1)
  })

  it('is refused where it has more candles than an answer may have', async () => {
    const { answers, tasks } = createAnswers()
    const query = between('rsi', 10)
    const question = { query, range: query.range as TimeRange, snapshot: deepOf(all, 400, '1h'), most: 100 }
    expect(await answers.answer(question, caller, 'a')).toEqual({
      status: 400,
      error:
        'The range has 3990 candles, and an answer at most 100. Ask for it in parts: the first one from 2020-09-13 22:30:00 to 2020-09-18 01:00:00',
    })
    expect(tasks).toEqual([])
  })
})
