import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/random.js'
import type { Candle } from '../../../../src/candles/candle.js'
import type { Inputs, Snapshot } from '../../../../src/candles/columns.js'
import { joinCandles } from '../../../../src/candles/multi-market-series.js'
import { type CompiledExpression, compileExpression } from '../../../../src/compute/expressions/compile.js'
import { Expressions } from '../../../../src/compute/expressions/expressions.js'
import { PlanRunner } from '../../../../src/compute/plans/plan-runner.js'
import { planInputs } from '../../../../src/compute/plans/timeline-candles.js'
import { instantiate } from '../../../../src/compute/wasm/kernels-file.js'
import type { Query } from '../../../../src/contract/query.js'
import { isRefusal } from '../../../../src/contract/refusals.js'
import { type Column, evaluate, type Value } from '../../../support/expressions/evaluator.js'
import { randomCandles, seconds, snapshotOf } from '../../../support/expressions/random-candles.js'
import { randomCondition, randomNumber, type Scope } from '../../../support/expressions/random-tree.js'
import { createRangeAnswers } from '../../../support/expressions/range-answers.js'
import { textOf } from '../../../support/expressions/tree.js'
import { liveValues, newestValues } from '../../../support/expressions/values.js'
import { calculator } from '../../../support/kernel.js'

// `npm run test:fuzz` sets these; `npm test` runs the first cases of the seed that is written here.
const seed = Number(process.env.FUZZ_SEED ?? 20_261_128)
const cases = Math.min(20_000, Number(process.env.FUZZ_CASES ?? 60))
const fewCases = 20
/** Cases of one test. */
const atOnce = 10
/** Timeout of one test in milliseconds, on a machine where other programs use most of the processors. */
const timeout = 300_000
/** Candles of a history. */
const [fewest, most] = [10, 60_000]

const runner = new PlanRunner(instantiate())
const expressions = new Expressions()
const scope: Scope = {
  timeframes: ['30m', '1h', '4h', '8h', '1d', '1w'],
  markets: ['ALPHA', 'stk:BETA', 'stk:BETA, strict'],
}

interface Case {
  readonly text: string
  readonly compiled: CompiledExpression
  readonly own: Snapshot
  /** In the order of the markets of the plan. */
  readonly others: readonly Snapshot[]
  /** Values that the evaluator has computed. */
  readonly expected: Column
  readonly next: () => number
}

/** A history, as often of tens of candles as of tens of thousands. */
function drawHistory(next: () => number): readonly Candle[] {
  const count = Math.floor(fewest * (most / fewest) ** next())
  // Another market may begin long before the own one, and open its candles five minutes later.
  const shift = (next() < 0.5 ? 0 : Math.floor(5_000 * next()) * seconds) - (next() < 0.2 ? 300 : 0)
  return randomCandles(count, next).map(candle => ({ ...candle, timestamp: candle.timestamp - shift }))
}

/** A random expression over a longer timeframe, another market or both. */
function drawCase(number: number): Case {
  const next = createRandom(seed + number)
  for (;;) {
    const depth = 1 + Math.floor(next() * 4)
    const tree = next() < 0.5 ? randomNumber(depth, next, scope) : randomCondition(depth, next, scope)
    const text = textOf(tree, next)
    const compiled = compileExpression(text, { timeframe: '15m' })
    if ('error' in compiled) {
      if (!/at most \d+ (characters|different|values)/.test(compiled.error))
        throw new Error(`${text}: ${compiled.error}`)
      continue
    }
    const { timelines, markets } = compiled.spec.indicator.plan
    if (timelines.length === 1) continue
    const [own, ...others] = [undefined, ...markets].map(() => drawHistory(next))
    const names = markets.map(({ exchange, symbol }) => (exchange ? `${exchange}:${symbol}` : symbol))
    const named = names.map((name, k) => [name, { candles: others[k] as never, isForming: false }] as const)
    const expected = evaluate(text, own as readonly Candle[], seconds, false, Object.fromEntries(named))
    return {
      ...{ text, compiled, expected, next },
      ...{ own: snapshotOf(own as readonly Candle[]), others: others.map(each => snapshotOf(each)) },
    }
  }
}

/** A value of the evaluator as the service has it. */
const numberOf = (value: Value): number => (value === undefined ? Number.NaN : Number(value))

/** Compares bit for bit, apart from the bits of NaN, the sign of 0, and infinite values, which are undefined as well. */
function expectSame(actual: ArrayLike<number>, expected: readonly Value[], message: string): void {
  const isSame = (one: number, other: number) =>
    one === other || (Number.isNaN(other) && !Number.isFinite(one))
  expect(actual.length, `${message}, length`).toBe(expected.length)
  const at = expected.findIndex((value, i) => !isSame(actual[i] as number, numberOf(value)))
  if (at >= 0) throw new Error(`${message} at ${at}: ${actual[at]} instead of ${expected[at]}`)
}

/** The own market with the others. With a smaller `closed`, the history at the time when `closed` candles had closed. */
function joined({ own, others }: Case, closed = own.closed): Inputs {
  const earlier = { columns: own.columns, closed, forming: undefined, count: closed }
  return joinCandles('15m', 'others', [earlier, ...others])
}

/** The values of a plan that is run in several calls, between which its state is all that is left. */
function inBlocks(drawn: Case): Float64Array {
  const { compiled, own, next } = drawn
  const { plan } = compiled.spec.indicator
  const state = new Float64Array(plan.state.length)
  const values = new Float64Array(own.count)
  for (let from = 0; from < own.count; ) {
    const to = Math.min(own.count, from + Math.ceil(own.count * next()))
    runner.resume(plan, from, state, to - from)
    runner.run(planInputs(joined(drawn)), from, to)
    runner.save(state)
    values.set(runner.column(0, to - from), from)
    from = to
  }
  return values
}

/** The values that a stream sends: of all closed candles behind the warm-up, the newest of which close while it runs. */
function expectSameStream(drawn: Case, message: string): void {
  const { compiled, own, expected, next } = drawn
  const live = liveValues(calculator, compiled)
  const { indicator, params } = compiled.spec
  const first = Math.min(own.closed, indicator.warmup(params))
  const times: number[] = []
  const values: number[] = []
  // Emits the candles that close after the first call.
  live.advance(joined(drawn, 0))
  let closed = Math.max(1, own.closed - Math.floor(1_500 * next()))
  for (;;) {
    for (const { timestamp, value } of live.advance(joined(drawn, closed)).closed) {
      times.push(timestamp)
      values.push(value)
    }
    if (closed === own.closed) break
    closed = Math.min(own.closed, closed + Math.ceil(300 * next()))
  }
  expect(times, message).toEqual([...own.columns.timestamp.subarray(first, own.closed)])
  expect(first, message).toBeLessThanOrEqual(expected.begin)
  expectSame(values, expected.values.slice(first), message)
}

/** The values of a time, most of which is before the candles in memory. */
async function expectSameRange(drawn: Case, message: string): Promise<void> {
  const { text, compiled, own, others, expected, next } = drawn
  const amount = (least: number, greatest: number) => least + Math.floor((greatest - least) * next())
  const query = expressions.readQuery(new Map([['expression', text]]), 'text', [], '15m')
  if (isRefusal(query)) throw new Error(query.error)
  const [memory, ...memories] = [own, ...others].map(({ columns, closed }) => {
    const first = Math.max(0, closed - amount(2, 900))
    return snapshotOf(Array.from({ length: closed - first }, (_, k) => columns.read(first + k)))
  }) as [Snapshot, ...Snapshot[]]
  const times = own.columns.timestamp
  const places = [amount(0, own.count), amount(0, own.count)].sort((a, b) => a - b) as [number, number]
  const [from, to] = places.map(place => times[place] as number) as [number, number]
  const range = { from, to }
  const asked: Query = { ...query, range, results: Number.POSITIVE_INFINITY }
  const [inMemory, ...othersInMemory] = joinCandles('15m', 'all', [memory, ...memories])
  const olderThan = (location: Snapshot) => ({
    ...{ timeframe: '15m' as const, first: times[0] as number, id: 'x', location },
  })
  const { answers } = createRangeAnswers(expressions, amount(500, 20_000), amount(100, 3_000))
  const found = await answers.answer(
    {
      ...{ query: asked, range },
      inputs: [
        { ...inMemory, older: olderThan(own) },
        ...othersInMemory.map((other, k) => ({ ...other, older: olderThan(others[k] as Snapshot) })),
      ],
    },
    { accountId: 'a' },
  )
  if (isRefusal(found)) {
    const isRight = places[1] < expected.begin || /^The range has \d{6} candles/.test(found.error)
    expect([found.status, isRight], `${message}: ${found.error}`).toEqual([400, true])
    return
  }
  const { value, timestamp } = JSON.parse(found.body.takeText()) as {
    readonly value: readonly (number | boolean | null)[]
    readonly timestamp: readonly number[]
  }
  const { indicator, params } = compiled.spec
  const first = Math.max(places[0], indicator.warmup(params))
  expect(timestamp, message).toEqual([...times.subarray(first, places[1] + 1)])
  const values = value.map(each => (each === null ? Number.NaN : Number(each)))
  expectSame(values, expected.values.slice(first, places[1] + 1), message)
}

const chunks = Array.from({ length: Math.ceil(cases / atOnce) }, (_, chunk) => ({ from: chunk * atOnce }))

async function expectSameFrom(from: number): Promise<void> {
  let defined = 0
  const to = Math.min(cases, from + atOnce)
  for (let number = from; number < to; number++) {
    const drawn = drawCase(number)
    const { text, compiled, own, expected } = drawn
    const message = `${number}: ${text} over ${own.count} candles`
    const [values] = newestValues(calculator, compiled, joined(drawn), own.count)
    expectSame(values as Float64Array, expected.values, `${message}, at once`)
    expectSame(inBlocks(drawn), expected.values, `${message}, in blocks`)
    expectSameStream(drawn, `${message}, as a stream`)
    await expectSameRange(drawn, `${message}, as a range`)
    if (expected.begin < own.count) defined++
  }
  expect(defined, 'expressions that have left their warm-up').toBeGreaterThan((to - from) * 0.4)
}

describe('expressions over longer timeframes and other markets', () => {
  const title = 'have the values of the document over 10 to 60,000 candles: from $from'
  const [few, others] = [chunks.slice(0, fewCases / atOnce), chunks.slice(fewCases / atOnce)]
  it.each(few)(title, ({ from }) => expectSameFrom(from), timeout)
  it.each(others)(title, { tags: ['kernels'], timeout }, ({ from }) => expectSameFrom(from))

  it('are undefined where the sums of an indicator are infinite', () => {
    const candles = randomCandles(40, createRandom(1)).map(each => ({ ...each, close: 1.5e308 }))
    for (const text of ['sum(close, 3) > 1', 'sum(close, 3)@1h < 1', 'not (ema(close, 3) == close)']) {
      const compiled = compileExpression(text, { timeframe: '15m' }) as CompiledExpression
      const expected = evaluate(text, candles, seconds).values
      expect(new Set(expected), text).toEqual(new Set([undefined]))
      const [values] = newestValues(calculator, compiled, [snapshotOf(candles)], candles.length)
      expect([...(values as Float64Array)].every(Number.isNaN), text).toBe(true)
    }
  })
})
