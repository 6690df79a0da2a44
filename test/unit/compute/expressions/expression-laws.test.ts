import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/random.js'
import type { Candle } from '../../../../src/candles/candle.js'
import { Columns } from '../../../../src/candles/columns.js'
import { type CompiledExpression, compileExpression } from '../../../../src/compute/expressions/compile.js'
import { Calculator } from '../../../../src/compute/kernels/calculator.js'
import { evaluate, type Value } from '../../../support/expressions/evaluator.js'
import { NoExpression } from '../../../support/expressions/grammar.js'
import { randomCandles, seconds, snapshotOf } from '../../../support/expressions/random-candles.js'
import { randomCondition, randomNumber } from '../../../support/expressions/random-tree.js'
import { textOf } from '../../../support/expressions/tree.js'
import { liveValues, newestValues } from '../../../support/expressions/values.js'

const calculator = new Calculator()

const isLong = process.env.LONG !== undefined
/**
 * Number of expressions over a whole history, of expressions over a growing one, which need more time, and of
 * truncated texts.
 */
const cases = isLong ? 20_000 : 5_000
/** Number of the expressions over a whole history that `npm test` draws. */
const fewCases = 1_000
const growingCases = isLong ? 10_000 : 150
const truncations = isLong ? 7_000 : 700
const seed = Number(process.env.EXPRESSION_SEED ?? 20_261_122)

interface Case {
  readonly text: string
  readonly compiled: CompiledExpression
  readonly candles: readonly Candle[]
  readonly next: () => number
}

/** A random expression that is within the limits, with candles. */
function drawCase(number: number): Case {
  const next = createRandom(seed + number)
  for (;;) {
    const depth = 1 + Math.floor(next() * 4)
    const tree = next() < 0.5 ? randomNumber(depth, next) : randomCondition(depth, next)
    const text = textOf(tree, next)
    const compiled = compileExpression(text, { timeframe: '15m' })
    if ('error' in compiled) {
      if (!/at most \d+ (characters|different|values)/.test(compiled.error))
        throw new Error(`${text}: ${compiled.error}`)
      continue
    }
    return { text, compiled, candles: randomCandles(60 + Math.floor(60 * next()), next), next }
  }
}

/** A value of the evaluator as the service has it. */
const numberOf = (value: Value): number => (value === undefined ? Number.NaN : Number(value))

/** Compares bit for bit, apart from the bits of NaN and the sign of 0: the largest of 0 and -0 may be either. */
function expectSame(actual: ArrayLike<number>, expected: readonly number[], message: string): void {
  const isSame = (one: number | undefined, other: number) => one === other || Object.is(one, other)
  const differing = expected.findIndex((value, i) => !isSame(actual[i], value))
  if (differing < 0 && actual.length === expected.length) return
  throw new Error(`${message} at ${differing}: ${actual[differing]} instead of ${expected[differing]}`)
}

/** Cases of one test. */
const atOnce = 50
const chunksOf = (count: number, first = 0) =>
  Array.from({ length: (count - first) / atOnce }, (_, chunk) => ({ from: first + chunk * atOnce }))
const numbersFrom = (from: number) => Array.from({ length: atOnce }, (_, k) => from + k)

describe('random expressions', () => {
  const evaluated =
    'have the values of an evaluator that was written from the document, in one piece: from $from'
  it.each(chunksOf(fewCases))(evaluated, ({ from }) => expectEvaluated(from))
  it.each(chunksOf(cases, fewCases))(evaluated, { tags: ['kernels'] }, ({ from }) => expectEvaluated(from))

  it.each(chunksOf(growingCases))(
    'have them candle by candle, and while a candle forms, without looking ahead: from $from',
    ({ from }) => {
      let before: Case | undefined
      for (const number of numbersFrom(from)) {
        const drawn = drawCase(number)
        expectSameInSteps(number, drawn, before)
        before = drawn
      }
    },
  )

  it('that end too early are refused, or have the values of what is left', () => {
    let refused = 0
    for (let number = 0; number < truncations; number++) {
      const { text: whole, candles, next } = drawCase(number)
      const text = whole.slice(0, Math.floor(next() * whole.length))
      const compiled = compileExpression(text, { timeframe: '15m' })
      const values =
        'error' in compiled ? undefined : newestValues(calculator, compiled, [snapshotOf(candles)], 9)[0]
      const expected = evaluateIfAny(text, candles)
      if (!values) refused++
      expect(values === undefined, `${number}: ${text} is refused`).toBe(expected === undefined)
      if (values && expected) expectSame(values, expected.slice(-9), `${number}: ${text}`)
    }
    expect(refused).toBeGreaterThan(truncations / 2)
    expect(refused).toBeLessThan(truncations)
  })
})

/** Compares the expressions of one test with the evaluator. */
function expectEvaluated(from: number): void {
  let defined = 0
  for (const number of numbersFrom(from)) {
    const { text, compiled, candles } = drawCase(number)
    const expected = evaluate(text, candles, seconds).values.map(numberOf)
    const [values] = newestValues(calculator, compiled, [snapshotOf(candles)], candles.length)
    expectSame(values as Float64Array, expected, `${number}: ${text}`)
    if (expected.some(value => !Number.isNaN(value))) defined++
  }
  expect(defined, 'expressions that have a value somewhere').toBeGreaterThan(atOnce * 0.6)
}

/** The values of the evaluator; undefined if the text is no expression. */
function evaluateIfAny(text: string, candles: readonly Candle[]): readonly number[] | undefined {
  try {
    return evaluate(text, candles, seconds).values.map(numberOf)
  } catch (error) {
    if (error instanceof NoExpression) return undefined
    throw error
  }
}

/** Compares the values of an expression as candles close one after another; `between` is computed in between. */
function expectSameInSteps(number: number, drawn: Case, between: Case | undefined): void {
  const { text, compiled, candles, next } = drawn
  const expected = evaluate(text, candles, seconds).values.map(numberOf)
  const columns = new Columns(candles.length)
  const live = liveValues(calculator, compiled)
  const { indicator, params } = compiled.spec
  const warmup = indicator.warmup(params)
  const seen: number[] = []
  const formingAt = Math.floor(next() * candles.length)
  let closed = 0
  while (closed < candles.length) {
    // Most candles come one by one. Later candles are not in the columns yet.
    const count = next() < 0.8 ? 1 : Math.ceil(20 * next())
    const from = closed
    const to = Math.min(candles.length, from + count)
    while (closed < to) columns.write(closed, candles[closed++] as Candle)
    const updates = live.advance([{ columns, closed, forming: undefined, count: closed }]).closed
    // No candle within the warm-up has a value.
    while (from > 0 && seen.length < Math.min(closed, warmup)) seen.push(Number.NaN)
    for (const { timestamp, value } of updates) {
      expect(timestamp).toBe(candles[seen.length]?.timestamp)
      seen.push(value)
    }
    // The first call reports nothing.
    if (from === 0) seen.push(...expected.slice(0, closed - 1), live.closed?.value ?? Number.NaN)
    if (from <= formingAt && formingAt < closed && closed < candles.length) {
      const forming = candles[closed] as Candle
      const preview = live.preview([{ columns, closed, forming, count: closed + 1 }])
      const then = evaluate(text, candles.slice(0, closed + 1), seconds, true).values.map(numberOf)
      expectSame(
        [preview?.value ?? Number.NaN],
        then.slice(-1),
        `${number}: ${text}, forming candle ${closed}`,
      )
      if (between) newestValues(calculator, between.compiled, [snapshotOf(between.candles)], 1)
    }
  }
  expectSame(seen, expected, `${number}: ${text}, in steps`)
}
