import { describe, expect, it } from 'vitest'
import {
  differencesOf,
  missingOf,
  type Ratios,
  regressionsOf,
  repeatUntilSteady,
  spreadOf,
  worseBy,
} from '../../../bench/comparison.js'

describe('a regression', () => {
  it('is more cost, or a smaller share, by more than a tenth', () => {
    const recorded = {
      'a: CPU / bare': 2,
      'b: CPU / bare': 2,
      'c: share of bare': 0.8,
      'd: share of bare': 0.8,
    }
    const now = {
      'a: CPU / bare': 2.19,
      'b: CPU / bare': 2.21,
      'c: share of bare': 0.74,
      'd: share of bare': 0.72,
    }
    const names = regressionsOf(differencesOf(recorded, now)).map(({ name }) => name)
    expect(names).toEqual(['d: share of bare', 'b: CPU / bare'])
  })

  it('is no improvement, however large', () => {
    const recorded = { 'a: CPU / bare': 2, 'c: share of bare': 0.4 }
    const now = { 'a: CPU / bare': 0.5, 'c: share of bare': 0.9 }
    expect(regressionsOf(differencesOf(recorded, now))).toEqual([])
    expect(worseBy('a: CPU / bare', 2, 0.5)).toBe(-0.75)
  })

  it('is not hidden by a ratio that was recorded as 0', () => {
    expect(regressionsOf(differencesOf({ 'a: x / y': 0 }, { 'a: x / y': 0.1 }))).toHaveLength(1)
    expect(regressionsOf(differencesOf({ 'a: x / y': 0 }, { 'a: x / y': 0 }))).toEqual([])
  })

  it('is looked for in what was measured; the rest is named', () => {
    const recorded = { 'a: x / y': 1, 'b: x / y': 1 }
    expect(differencesOf(recorded, { 'b: x / y': 1, 'new: x / y': 9 })).toEqual([
      { name: 'b: x / y', recorded: 1, now: 1, worseBy: 0 },
    ])
    expect(missingOf(recorded, { 'b: x / y': 1 })).toEqual(['a: x / y'])
  })
})

describe('the spread of samples', () => {
  it('is 0 where they are the same, and smaller the more of them there are', () => {
    expect(spreadOf([2, 2, 2])).toBe(0)
    const few = [0.9, 1, 1.1]
    expect(spreadOf([...few, ...few, ...few, ...few])).toBeLessThan(spreadOf(few))
  })

  it('is not known of one or two samples', () => {
    expect(spreadOf([1])).toBe(Number.POSITIVE_INFINITY)
    expect(spreadOf([1, 1])).toBe(Number.POSITIVE_INFINITY)
  })

  it('is that of the median: one sample far away changes little', () => {
    expect(spreadOf([1, 1.01, 0.99, 1, 1.01, 9])).toBeLessThan(0.05)
  })
})

describe('a bench that is repeated', () => {
  /** Gives the samples of each ratio in turn. */
  function made(samples: Readonly<Record<string, readonly number[]>>) {
    let at = 0
    return {
      get runs() {
        return at
      },
      run: async (): Promise<Ratios> => {
        const now = Object.entries(samples).map(([name, own]) => [name, own[at % own.length] as number])
        at++
        return Object.fromEntries(now)
      },
    }
  }
  const bounds = { maxSpread: 0.05, minRuns: 3, maxRuns: 20 }

  it('ends after the fewest runs where it is steady', async () => {
    const bench = made({ a: [1, 1.001, 0.999] })
    expect(await repeatUntilSteady(bench.run, bounds)).toEqual({ ratios: { a: 1 }, runs: 3, unsteady: {} })
    expect(bench.runs).toBe(3)
  })

  it('goes on while one of its ratios is noisy, until its median stands', async () => {
    const bench = made({ steady: [1], noisy: [1, 1.06, 0.94, 1.01, 0.99] })
    const { ratios, runs, unsteady } = await repeatUntilSteady(bench.run, bounds)
    expect(runs).toBeGreaterThan(3)
    expect(runs).toBeLessThan(20)
    expect(unsteady).toEqual({})
    expect(ratios.noisy).toBeCloseTo(1, 1)
  })

  it('ends after the most runs, and names what did not come to stand', async () => {
    const bench = made({ steady: [1], wild: [1, 5, 0.2, 3] })
    const { runs, unsteady } = await repeatUntilSteady(bench.run, bounds)
    expect(runs).toBe(20)
    expect(Object.keys(unsteady)).toEqual(['wild'])
    expect(unsteady.wild).toBeGreaterThan(0.05)
  })

  it('ends when there is no time left, though not before the fewest runs', async () => {
    const bench = made({ wild: [1, 5, 0.2, 3] })
    const { runs } = await repeatUntilSteady(bench.run, { ...bounds, storedIsNewer: () => true })
    expect(runs).toBe(3)
  })
})
