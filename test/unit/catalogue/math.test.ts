import { describe, expect, test } from 'vitest'
import { type Given, run } from '../../support/kernel.js'

/** The values of an indicator over these closes; volumes are 0, 1, 2 … */
function said(name: string, close: readonly number[], given: Given = {}): number[] {
  const columns = {
    timestamp: close.map((_, i) => i),
    open: close,
    high: close,
    low: close,
    close,
    volume: close.map((_, i) => i),
  }
  return [...(run(name, columns, given)[0] as Float64Array)]
}

describe('a value that mathematics does not give', () => {
  test.each([
    ['ln', [1, 0, -1], [0, NaN, NaN]],
    ['log10', [100, 0, -1], [2, NaN, NaN]],
    ['sqrt', [4, 0, -1], [2, 0, NaN]],
    ['acos', [1, 1.5, -1], [0, NaN, Math.PI]],
    ['asin', [0, 1.5, -1.5], [0, NaN, NaN]],
    ['exp', [0, 709, 710], [1, Math.exp(709), NaN]],
    ['cosh', [0, 711, -711], [1, NaN, NaN]],
    ['sinh', [0, 711, -711], [0, NaN, NaN]],
  ])('%s of %j is missing', (name, close, wanted) => {
    const values = said(name, close)
    wanted.forEach((value, i) => {
      if (Number.isNaN(value)) expect(values[i], `${name} of ${close[i]}`).toBeNaN()
      else expect((values[i] as number) / (value || 1), `${name} of ${close[i]}`).toBeCloseTo(value && 1, 14)
    })
  })

  test('a division by zero is missing', () => {
    expect(said('div', [7, 6, 5], { source: 'close', source2: 'volume' })).toEqual([NaN, 6, 2.5])
    expect(said('div', [0], { source: 'close', source2: 'volume' })).toEqual([NaN])
  })
})

test('a half is rounded up', () => {
  const values = [0.5, 1.5, 2.5, -0.5, -1.5, -2.4, 0.49999999999999994, 2 ** 52 + 1, -(2 ** 53)]
  expect(said('round', values)).toEqual([1, 2, 3, 0, -1, -2, 0, 2 ** 52 + 1, -(2 ** 53)])
})

test('of equal extremes the index is that of the newest', () => {
  const ties = [3, 1, 3, 1, 2, 2, 3]
  expect(said('maxindex', ties, { period: 3 })).toEqual([NaN, NaN, 2, 2, 2, 5, 6])
  expect(said('minindex', ties, { period: 3 })).toEqual([NaN, NaN, 1, 3, 3, 3, 5])
})

test('values that were equal cross as soon as they part', () => {
  const close = [0, 1, 3, 3, 3, 5]
  expect(said('crossany', close, { source: 'close', source2: 'volume' })).toEqual([NaN, 0, 1, 0, 1, 0])
  expect(said('crossover', close, { source: 'close', source2: 'volume' })).toEqual([NaN, 0, 1, 0, 0, 0])
})
