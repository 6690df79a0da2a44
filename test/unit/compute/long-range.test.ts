import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import { barsOf } from '../../../src/candles/charts/bars.js'
import {
  allUntil,
  type CandleBlock,
  Columns,
  columnNames,
  type Snapshot,
  timestampAt,
} from '../../../src/candles/columns.js'
import { endOf, openOf, type Timeframe, timeframes } from '../../../src/candles/timeframe.js'
import { computeExpressionText, computeText } from '../../../src/cli/compute/computation.js'
import { answer } from '../../../src/compute/answer.js'
import type { Caller } from '../../../src/compute/executor.js'
import { isExpression } from '../../../src/compute/expressions/compile.js'
import { Expressions } from '../../../src/compute/expressions/expressions.js'
import { BufferSink } from '../../../src/compute/json/sink.js'
import { type DeepSnapshot, RangeAnswers } from '../../../src/compute/ranges/range-answers.js'
import { runRange } from '../../../src/compute/ranges/range-thread.js'
import { LiveCalculation } from '../../../src/compute/results/live-calculation.js'
import type { RangeTask } from '../../../src/compute/task.js'
import { tooManyBars } from '../../../src/contract/expression-refusals.js'
import { type Query, readQuery } from '../../../src/contract/query.js'
import { busy, isRefusal, type Refusal } from '../../../src/contract/refusals.js'
import type { KeyValueStore } from '../../../src/contract/storage/stores.js'
import type { TimeRange } from '../../../src/contract/time-range.js'
import { Archive } from '../../../src/markets/archive/archive.js'
import { readBlocks } from '../../../src/markets/archive/stored-candles.js'
import { resample, timeframeOrigins } from '../../../src/markets/exchanges/resample.js'
import { BufferPool } from '../../../src/runtime/buffer-pool.js'
import { calculator, entryOf } from '../../support/kernel.js'
import { memoryKeyValues } from '../../support/memory-key-values.js'
import {
  expectRows,
  meanRangeOf,
  part,
  type RandomQuery,
  type Rows,
  randomQueries,
  textFieldsOf,
  within,
} from '../../support/random-queries.js'
import { realShaped } from '../../support/real-shaped-market.js'

// `npm run test:fuzz` sets these; `npm test` runs a few cases of the seed that is written here.
const seed = Number(process.env.FUZZ_SEED ?? 20_261_124)
// 2,000 take three quarters of a minute on a slow machine.
const cases = Math.min(2_000, Math.ceil(Number(process.env.FUZZ_CASES ?? 300) / 10))

const expressions = new Expressions()
const longestHistory = 4000
const market = realShaped(longestHistory, 11)
const meanRange = meanRangeOf(market)
const allTimeframes = Object.keys(timeframes) as Timeframe[]

/** The candles of a market in another timeframe, the newest one forming. With `gaps`, some are missing. */
function candlesOf(timeframe: Timeframe, length: number, gaps: boolean): Candle[] {
  const candles: Candle[] = []
  let timestamp = openOf(timeframe, 1_600_000_200)
  for (let i = 0; i < length; i++) {
    const columns = Object.fromEntries(columnNames.map(name => [name, market[name][i] as number]))
    if (!gaps || i % 97 > 3) candles.push({ ...columns, timestamp } as unknown as Candle)
    timestamp = endOf(timeframe, timestamp)
  }
  return candles
}

/** The longest timeframe of which candles of another one are made that an exchange lacks. */
const nextShorter = (timeframe: Timeframe): Timeframe | undefined =>
  timeframeOrigins(allTimeframes.filter(each => each !== timeframe))[timeframe] as Timeframe | undefined

function snapshotOf(candles: readonly Candle[]): Snapshot {
  const columns = new Columns(candles.length)
  for (const [at, candle] of candles.entries()) columns.write(at, candle)
  return { columns, closed: candles.length - 1, forming: candles.at(-1), count: candles.length }
}

const historyOf = (timeframe: Timeframe, gaps = false, length = longestHistory): Snapshot =>
  snapshotOf(candlesOf(timeframe, length, gaps))

/** A history of an exchange that lacks the timeframe, so that its candles are resampled from shorter ones. */
function madeHistoryOf(timeframe: Timeframe, gaps: boolean, length: number): Snapshot {
  const shorter = nextShorter(timeframe)
  if (shorter === undefined) return historyOf(timeframe, gaps, length)
  return snapshotOf(resample(candlesOf(shorter, length, gaps), timeframe))
}

/** A history at the time when `closed` of its candles had closed. */
const earlierOf = ({ columns, count }: Snapshot, closed: number): Snapshot =>
  closed + 1 >= count
    ? { columns, closed: count - 1, forming: columns.read(count - 1), count }
    : { columns, closed, forming: columns.read(closed), count: closed + 1 }

/** The same history, of which the newest `inMemory` candles are in memory. */
function deepOf(whole: Snapshot, inMemory: number, timeframe: Timeframe): DeepSnapshot {
  const count = Math.max(2, Math.min(inMemory, whole.count))
  const first = whole.count - count
  const columns = new Columns(count)
  for (let i = first; i < whole.closed; i++) columns.write(i - first, whole.columns.read(i))
  const begin = whole.columns.timestamp[0] as number
  const older = { timeframe, first: begin, id: 'x', location: { whole, first } }
  return { columns, closed: count - 1, forming: whole.forming as never, count, older }
}

/** Reads the archived candles `from` to `to` of a history. */
function* readOlder(
  location: unknown,
  from: number,
  to: number,
  closesOnly?: boolean,
): Generator<CandleBlock> {
  const { whole } = location as { whole: Snapshot }
  yield* readBlocks(storeOf(whole.columns), 'x', from, to, closesOnly)
}

const stores = new WeakMap<Columns, KeyValueStore>()

/** A store with the candles of full columns, in chunks of different sizes. */
function storeOf(columns: Columns): KeyValueStore {
  const known = stores.get(columns)
  if (known) return known
  const { keyValues } = memoryKeyValues()
  const archive = new Archive(keyValues, { depth: longestHistory })
  const { capacity: count } = columns
  for (let from = 0, step = 800; from < count; from += step, step = 300) {
    const length = Math.min(step, count - from)
    archive.write(
      'x',
      Array.from({ length }, (_, k) => columns.read(from + k)),
    )
  }
  stores.set(columns, keyValues)
  return keyValues
}

const caller = { accountId: 'a' }
const sink = new BufferSink(calculator.writer, new BufferPool(1_000_000))

/** Answers as a thread does, which counts the tasks. */
function createAnswers(pieceLength?: number) {
  const tasks: RangeTask[] = []
  const run = async (task: RangeTask, { signal }: Caller) => {
    if (signal?.aborted) return busy(1)
    tasks.push(structuredClone({ ...task, location: undefined }))
    const { columns, ...rest } = runRange(task, {
      readOlder,
      expressions,
      sink,
      writer: calculator.writer,
      pause: () => {},
    })
    const answer = columns ? [new Uint8Array(columns.buffer)] : sink.take()
    return { answer, ...rest }
  }
  const answers = new RangeAnswers({ run, onBug: () => {}, pieceLength })
  return { answers, tasks }
}

type Given = Readonly<Record<string, string>>

const parseRows = (texts: readonly string[]): Rows => texts.map(text => JSON.parse(text))

/** Values of a stream that has followed the closed candles of a history one by one, from the candle at `from`. */
function streamOf(query: Query, all: Snapshot, from: number): Rows {
  const live = new LiveCalculation(calculator, query)
  const texts: string[] = []
  // Emits the candles that close after the first call.
  live.advance([{ ...all, closed: 0, forming: undefined, count: 0 }])
  for (let closed = from; closed <= all.closed; closed++) {
    const snapshot = { ...all, closed, forming: undefined, count: closed }
    texts.push(...live.advance(barsOf(query.chart, [snapshot])).closed)
  }
  return parseRows(texts)
}

/** Output of `candela compute` for a file with the closed candles of a history. */
async function exportOf(query: Query, { columns, closed }: Snapshot): Promise<Rows> {
  const candles = async function* () {
    for (let at = 0; at < closed; at++) yield [columns.read(at)]
  }
  const { indicator, params, chart, settled } = query
  const options = { format: 'ndjson', isNamed: false, chart, settled: settled?.digits } as const
  const parts = isExpression(indicator)
    ? computeExpressionText(params.expression as string, candles(), options)
    : computeText([query], candles(), options)
  let text = ''
  for await (const part of parts) text += part
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
  const answered = await answers.answer({ query, range: query.range as never, inputs: [snapshot] }, caller)
  return isRefusal(answered) ? answered : answered.body.takeText()
}

/** The newest value of closed candles that a query has until the end of its time. */
async function newestUntil(answers: RangeAnswers, query: Query, deep: ReturnType<typeof deepOf>) {
  const range = { from: Number.NEGATIVE_INFINITY, to: (query.range as TimeRange).to }
  const snapshot = { ...deep, forming: undefined, count: deep.closed }
  const found = await answers.answer(
    { query: { ...query, range }, range, inputs: [snapshot], isNewest: true },
    caller,
  )
  return isRefusal(found) ? found.status : found.body.takeText()
}

/** The same of one calculation over all candles, or bars. */
function answerNewest(query: Query, all: Snapshot): string | number {
  const bars = barsOf(query.chart, [{ ...all, forming: undefined, count: all.closed }])
  const backtrack = bars[0].count - allUntil(bars[0], (query.range as TimeRange).to)
  const found = answer(calculator, { ...query, range: undefined, results: 1, backtrack }, bars)
  return isRefusal(found) ? found.status : found
}

/** A case of the law: a calculation, a history and ranges of times. */
interface Case extends RandomQuery {
  readonly timeframe: Timeframe
  readonly isMade: boolean
  readonly gaps: boolean
  readonly length: number
  /** Start and end of each range, and the number of candles closed at the first request, as shares of the history. */
  readonly ranges: readonly (readonly [number, number])[]
  readonly arrived: number
  /** Whether other calculations have passed the same history before. */
  readonly isPassed: boolean
  readonly inMemory: number
  readonly pieceLength: number
}

const cased = fc.record<Case>({
  ...randomQueries,
  timeframe: fc.constantFrom(...allTimeframes),
  isMade: fc.boolean(),
  gaps: fc.boolean(),
  length: fc.integer({ min: 5, max: 1900 }),
  ranges: fc.array(fc.tuple(part, part), { minLength: 1, maxLength: 3 }),
  arrived: part,
  isPassed: fc.boolean(),
  inMemory: fc.integer({ min: 2, max: 900 }),
  pieceLength: fc.integer({ min: 1, max: 1500 }),
})

describe('a time of a history that is longer than what is in memory', () => {
  it(
    'has the values of one calculation over all candles, cut, which streams and files have, and keeps them',
    async () => {
      let compared = 0
      let kept = 0
      await fc.assert(
        fc.asyncProperty(fc.oneof({ weight: 3, arbitrary: fc.noBias(cased) }, cased), async drawn => {
          const { timeframe, isMade, gaps, length, inMemory, pieceLength } = drawn
          const all = isMade ? madeHistoryOf(timeframe, gaps, length) : historyOf(timeframe, gaps, length)
          if (all.count < 3) return
          const timeOf = (place: number) => timestampAt(all, Math.floor(place * (all.count - 1)))
          const given = textFieldsOf(drawn, timeframe, meanRange)
          const { answers } = createAnswers(pieceLength)
          const earlier = earlierOf(all, 1 + Math.floor(drawn.arrived * (all.closed - 1)))
          let elsewhere: readonly Rows[] | undefined
          const queries = drawn.ranges.map(places => {
            const [from, to] = [...places].sort((a, b) => a - b).map(place => String(timeOf(place)))
            return read(drawn.name, { ...given, from, to } as Given, timeframe)
          })
          const passing = { chart: given.chart as string, from: String(timeOf(0.8)) }
          if (drawn.isPassed)
            await ask(answers, read('ema', passing, timeframe), deepOf(earlier, inMemory, timeframe))
          const earlierAnswers: (string | Refusal)[] = []
          for (const query of queries)
            earlierAnswers.push(await ask(answers, query, deepOf(earlier, inMemory, timeframe)))
          for (const [k, query] of queries.entries()) {
            const before = earlierAnswers[k] as string | Refusal
            const { to } = query.range as TimeRange
            const bars = barsOf(query.chart, [all])
            const expected = answer(calculator, query, bars)
            const deep = deepOf(all, inMemory, timeframe)
            const found = await ask(answers, query, deep)
            // Bars are counted in other words: those in memory, or all.
            if (query.chart && isRefusal(expected)) expect(isRefusal(found), JSON.stringify(found)).toBe(true)
            else expect(found).toEqual(expected)
            if (!isRefusal(before) && to < timestampAt(earlier, earlier.count - 1)) {
              expect(found).toEqual(before)
              kept++
            }
            const newest = await newestUntil(answers, query, deep)
            expect(newest).toEqual(answerNewest(query, all))
            const columns = await answers.columns(
              { query, range: query.range as TimeRange, inputs: [deep] },
              caller,
            )
            if (isRefusal(expected) || isRefusal(columns)) {
              expect([isRefusal(columns), isRefusal(expected)]).toEqual([true, true])
              continue
            }
            compared++
            const values = JSON.parse(expected)
            expect([...columns.columns.subarray(0, values.timestamp.length)]).toEqual(values.timestamp)
            const forming = all.forming?.timestamp as number
            const closed = values.timestamp.filter((time: number) => time < forming).length
            const begun = Math.max(1, all.closed - 40)
            elsewhere ??= [streamOf(query, all, begun), await exportOf(query, all)]
            const { from = 0 } = query.range ?? {}
            for (const rows of elsewhere) expectRows(within(rows, from, to), query.indicator, values, closed)
          }
        }),
        { seed, numRuns: cases },
      )
      expect(compared).toBeGreaterThan(cases / 3)
      expect(kept).toBeGreaterThan(cases / 10)
    },
    Math.max(30_000, 100 * cases),
  )

  it('has the candles as columns, and refuses more bars than an answer has', async () => {
    const all = historyOf('1h')
    const { answers } = createAnswers()
    const deep = deepOf(all, 500, '1h')
    const range = { from: all.columns.timestamp[100] as number, to: all.columns.timestamp[3600] as number }
    const found = await answers.columns({ range, inputs: [deep] }, caller)
    if (isRefusal(found)) throw new Error(found.error)
    const columns = Columns.over(found.columns.buffer)
    expect(columns.capacity).toBe(3501)
    for (const at of [0, 1700, 3400, 3500]) expect(columns.read(at)).toEqual(all.columns.read(100 + at))
    const query = read('rsi', { from: String(range.from), to: String(range.to), chart: 'renko:0.0001' }, '1h')
    const many = await answers.answer({ query, range, inputs: [deep], most: 3000 }, caller)
    expect(many).toEqual(tooManyBars(3000))
  })

  const all = historyOf('1h')
  const timeAt = (at: number) => all.columns.timestamp[at] as number
  const between = (name: string, from: number, to = 5000, given: Given = {}) =>
    read(name, { ...given, from: String(timeAt(from)), to: String(timeAt(0) + to * 3600) }, '1h')

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

  it('over bars begins there too, where other values have passed them, and is refused before bars are made where there are too many', async () => {
    const { answers, tasks } = createAnswers(512)
    const deep = deepOf(all, 400, '1h')
    const startsOf = async (name: string, chart: string, from: number, to?: number) => {
      tasks.length = 0
      const answered = await ask(answers, between(name, from, to, { chart }), deep)
      return { answered, starts: tasks.map(({ start }) => start?.passed ?? 0) }
    }
    const chart = 'linebreak:3'
    const first = await startsOf('ema', chart, 3500)
    expect(first.starts.length).toBeGreaterThan(3)
    expect((await startsOf('ema', chart, 3500)).starts).toEqual([first.starts.at(-1)])
    // Values of a window need the bars before them alone.
    const [start, ...more] = (await startsOf('sma', chart, 3500)).starts
    expect(start).toBeGreaterThan(first.starts[1] as number)
    expect(more.length).toBeLessThan(2)
    expect((await startsOf('rsi', chart, 3500)).starts).toEqual(first.starts)
    const few = await startsOf('ema', 'renko:0.000001', 3990)
    expect([few.answered, few.starts]).toEqual([tooManyBars(100_000), [0]])
  })

  it('ends where candles have completed no bar since the first checkpoint', async () => {
    const { answers } = createAnswers(512)
    const deep = deepOf(all, 400, '1h')
    // Of this size a market that moves by some per cent completes no bar.
    const query = between('abs', 3000, 3990, { chart: 'renko:1000000' })
    expect(await newestUntil(answers, query, deep)).toBe(400)
    expect(await newestUntil(answers, query, deep)).toBe(400)
  })

  it('is no more computed when its caller is gone', async () => {
    const { answers, tasks } = createAnswers(512)
    const gone = new AbortController()
    const query = between('rsi', 3990)
    const question = { query, range: query.range as TimeRange, inputs: [deepOf(all, 400, '1h')] as const }
    const answered = answers.answer(question, { accountId: 'a', signal: gone.signal })
    gone.abort()
    expect(await answered).toEqual(busy(1))
    expect(tasks).toHaveLength(1)
  })

  it('is refused where it has more candles than an answer may have', async () => {
    const { answers, tasks } = createAnswers()
    const query = between('rsi', 10)
    const question = {
      query,
      range: query.range as TimeRange,
      inputs: [deepOf(all, 400, '1h')] as const,
      most: 100,
    }
    expect(await answers.answer(question, caller)).toEqual({
      status: 400,
      error:
        'The range has 3990 candles, and an answer at most 100. Ask for it in parts: the first one from 2020-09-13 22:00:00 to 2020-09-18 01:00:00',
    })
    expect(tasks).toEqual([])
  })
})
