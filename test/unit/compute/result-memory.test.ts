import { describe, expect, it } from 'vitest'
import { Columns, type Snapshot } from '../../../src/candles/columns.js'
import { compileExpression } from '../../../src/compute/expressions/compile.js'
import { Expressions } from '../../../src/compute/expressions/expressions.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { ResultCache } from '../../../src/compute/results/result-cache.js'
import type { Query } from '../../../src/contract/query.js'
import { entryOf } from '../../support/kernel.js'
import { usedBytes } from '../../support/memory.js'

const calculator = new Calculator()

function snapshotOf(count: number): Snapshot {
  const columns = new Columns(1024)
  for (let i = 0; i < count; i++) {
    const close = 100 + 10 * Math.sin(i * 1.7)
    columns.write(i, {
      timestamp: i * 60,
      open: close - 1,
      high: close + 2,
      low: close - 2,
      close,
      volume: 5,
    })
  }
  return { columns, closed: count, forming: undefined, count }
}

const snapshot = snapshotOf(1000)

/** Requests the answer twice, so that the calculation is kept. */
function keep(cache: ResultCache, query: Query, over = snapshot): void {
  cache.find(query, over)
  const kept = cache.find(query, over)
  if (kept) cache.prepare(calculator, kept, query, [over])
}

/** An expression with about `parts` parts that no other number has. */
const textOf = (number: number, parts: number) =>
  `${number}+${Array.from({ length: parts / 3 }, (_, k) => `close*${k + 2}`).join('+')}`

function expressionOf(number: number, parts: number) {
  const compiled = compileExpression(textOf(number, parts))
  if ('error' in compiled) throw new Error(compiled.error)
  return compiled
}

const queryOf = (number: number, parts: number): Query => ({
  ...expressionOf(number, parts).spec,
  results: 1,
  backtrack: 0,
})

describe('the memory of kept results', () => {
  it.each([
    ['rsi', 1, 6],
    ['bbands', 1, 6],
    ['bbands', 2, 2],
    ['ichimoku', 2, 1],
    ['macd', 100, 1],
  ])('is about what is counted: %s with %i values', (name, results, count) => {
    const indicator = entryOf(name)
    const [first] = Object.keys(indicator.params) as [string]
    const cache = new ResultCache(2 ** 30)
    const defaults = Object.fromEntries(
      Object.entries(indicator.params).map(([param, { default: value }]) => [param, value]),
    )
    const query = (period: number): Query => ({
      indicator,
      params: { ...defaults, [first]: period },
      results,
      backtrack: 0,
    })
    // Much more than the roughly 250 KB that V8 frees by itself during the test, such as compiled code.
    const series = Array.from({ length: count }, () => snapshotOf(1000))
    for (const each of series) keep(cache, query(2), each)
    const [before, counted] = [usedBytes(), cache.bytes]
    for (const each of series) for (let period = 3; period < 450; period++) keep(cache, query(period), each)
    expect(cache.bytes - counted).toBeGreaterThan(4e6)
    const ratio = (usedBytes() - before) / (cache.bytes - counted)
    expect(ratio).toBeLessThan(1.35)
    expect(ratio).toBeGreaterThan(0.5)
  })

  it('includes the plans of expressions', () => {
    const cache = new ResultCache(2 ** 30)
    keep(cache, queryOf(0, 150))
    const [before, counted] = [usedBytes(), cache.bytes]
    for (let i = 1; i < 60; i++) keep(cache, queryOf(i, 150))
    expect(cache.bytes - counted).toBeGreaterThan(4e6)
    expect((usedBytes() - before) / (cache.bytes - counted)).toBeLessThan(1.3)
  })

  it('is bounded whatever is asked', () => {
    const cache = new ResultCache(500_000)
    for (let i = 0; i < 30; i++) {
      keep(cache, queryOf(i, 150))
      expect(cache.bytes).toBeLessThanOrEqual(500_000)
    }
    expect(cache.size).toBeGreaterThan(4)
    for (let i = 0; i < 300; i++) keep(cache, queryOf(i, 3))
    expect(cache.bytes, 'the plans that were dropped count no longer').toBeLessThanOrEqual(500_000)
    expect(cache.size).toBeGreaterThan(50)
  })

  it('counts a plan once, over however many series', () => {
    const cache = new ResultCache(1_000_000)
    const query = queryOf(1, 150)
    for (let i = 0; i < 100; i++) keep(cache, query, snapshotOf(300))
    expect(cache.size).toBe(100)
  })
})

it('compiled expressions take bounded memory', () => {
  const expressions = new Expressions(500_000)
  const compile = (i: number) => expressions.compile(textOf(i, 150), undefined)
  // Twice each, because they are kept from the second time on.
  const last = Array.from({ length: 100 }, (_, i) => compile(i >> 1)).filter((_, i) => i % 2 === 1)
  const again = last.map((_, i) => compile(last.length - 1 - i)).reverse()
  expect(again[49], 'the newest one').toBe(last[49])
  expect(again.filter((compiled, i) => compiled !== last[i]).length).toBeGreaterThan(40)
})
