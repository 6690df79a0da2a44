import { describe, expect, it } from 'vitest'
import { createRandom } from '../../bench/random.js'
import type { Candle } from '../../src/candles/candle.js'
import { Columns, type Snapshot } from '../../src/candles/columns.js'
import { Calculator } from '../../src/compute/calculator.js'
import { LiveExpression, newestValues } from '../../src/compute/expression/expression-values.js'
import { type CompiledExpression, compileExpression } from '../../src/expression/compile.js'
import { interpret, type Value } from '../support/expressions/interpreter.js'
import { randomCondition, randomNumber } from '../support/expressions/random-tree.js'
import { type Tree, textOf } from '../support/expressions/tree.js'

const calculator = new Calculator()

/** `LONG=1` tries as many expressions as the interface promises to have been tried. */
const cases = process.env.LONG === undefined ? 150 : 10_000
const seed = Number(process.env.EXPRESSION_SEED ?? 20_261_122)

/** Candles of 15 minutes, of which some are missing. */
function randomCandles(count: number, next: () => number): readonly Candle[] {
  const candles: Candle[] = []
  let timestamp = 1_700_006_400 + 900 * Math.floor(next() * 16)
  let close = 20 + 100 * next()
  for (let i = 0; i < count; i++) {
    const open = close
    // Whole numbers make equal values, at which comparisons and crossings have their borders.
    close = Math.max(1, next() < 0.5 ? Math.round(open + 4 * next() - 2) : open + 4 * next() - 2)
    const [high, low] = [Math.max(open, close) + next(), Math.min(open, close) - next() / 2]
    candles.push({ timestamp, open, high, low, close, volume: Math.floor(1000 * next()) })
    timestamp += 900 * (next() < 0.95 ? 1 : Math.ceil(40 * next()))
  }
  return candles
}

interface Case {
  readonly tree: Tree
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
    return { tree, text, compiled, candles: randomCandles(60 + Math.floor(60 * next()), next), next }
  }
}

function snapshotOf(candles: readonly Candle[]): Snapshot {
  const columns = new Columns(candles.length)
  for (const [i, candle] of candles.entries()) columns.write(i, candle)
  return { columns, closed: candles.length, forming: undefined, count: candles.length }
}

/** A value of the interpreter as the service has it. */
const numberOf = (value: Value): number => (value === undefined ? Number.NaN : Number(value))

/** Compares bit for bit, apart from the bits of NaN. */
function expectSame(actual: ArrayLike<number>, expected: readonly number[], message: string): void {
  const differing = expected.findIndex((value, i) => !Object.is(actual[i], value))
  if (differing < 0 && actual.length === expected.length) return
  throw new Error(`${message} at ${differing}: ${actual[differing]} instead of ${expected[differing]}`)
}

/** Cases of one test. */
const atOnce = 50
const chunks = Array.from({ length: cases / atOnce }, (_, chunk) => ({ from: chunk * atOnce }))
const numbersFrom = (from: number) => Array.from({ length: atOnce }, (_, k) => from + k)

describe(`${cases} random expressions`, () => {
  it.each(chunks)(
    'have the values of an interpreter that was written apart, in one piece: from $from',
    ({ from }) => {
      let defined = 0
      for (const number of numbersFrom(from)) {
        const { tree, text, compiled, candles } = drawCase(number)
        const expected = interpret(tree, candles, false).map(numberOf)
        const [values] = newestValues(calculator, compiled, snapshotOf(candles), candles.length)
        expectSame(values as Float64Array, expected, `${number}: ${text}`)
        if (expected.some(value => !Number.isNaN(value))) defined++
      }
      expect(defined, 'expressions that have a value somewhere').toBeGreaterThan(atOnce * 0.7)
    },
  )

  it.each(chunks)(
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
})

/** Compares the values of an expression as candles close one after another; `between` is computed in between. */
function expectSameInSteps(number: number, drawn: Case, between: Case | undefined): void {
  const { tree, text, compiled, candles, next } = drawn
  const expected = interpret(tree, candles, false).map(numberOf)
  const columns = new Columns(candles.length)
  const live = new LiveExpression(calculator, compiled)
  const seen: number[] = []
  const formingAt = Math.floor(next() * candles.length)
  let closed = 0
  while (closed < candles.length) {
    // Most candles come one by one. What comes later is not in the columns yet.
    const count = next() < 0.8 ? 1 : Math.ceil(20 * next())
    const from = closed
    const to = Math.min(candles.length, from + count)
    while (closed < to) columns.write(closed, candles[closed++] as Candle)
    live.advance({ columns, closed, forming: undefined, count: closed }, (timestamp, [value]) => {
      expect(timestamp).toBe(candles[seen.length]?.timestamp)
      seen.push(value as number)
    })
    // The first call reports nothing.
    if (from === 0) seen.push(...expected.slice(0, closed - 1), live.values[0] as number)
    if (from <= formingAt && formingAt < closed && closed < candles.length) {
      const forming = candles[closed] as Candle
      const preview = live.preview({ columns, closed, forming, count: closed + 1 })
      const then = interpret(tree, candles.slice(0, closed + 1), true).map(numberOf)
      expectSame(preview as Float64Array, then.slice(-1), `${number}: ${text}, forming candle ${closed}`)
      if (between) newestValues(calculator, between.compiled, snapshotOf(between.candles), 1)
    }
  }
  expectSame(seen, expected, `${number}: ${text}, in steps`)
}
