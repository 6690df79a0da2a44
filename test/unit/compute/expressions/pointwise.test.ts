import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operationCodes } from '../../../../src/compute/expressions/plan.js'
import { instantiate } from '../../../../src/compute/wasm/kernels-file.js'
import { power } from '../../../support/kernel.js'

/** The distance of two numbers in units of the last digit. */
function unitsBetween(one: number, other: number): number {
  const [a, b] = new BigInt64Array(Float64Array.of(Math.abs(one), Math.abs(other)).buffer)
  return Number((a as bigint) - (b as bigint))
}

const doubles = fc.double({ noNaN: true })

describe('operations without an instruction of WebAssembly', () => {
  it('are powers, the last digit apart from those of JavaScript', () => {
    const bases = fc.oneof(
      doubles,
      fc.double({ min: 0, max: 1000, noNaN: true }),
      fc.integer({ min: -50, max: 50 }),
    )
    const exponents = fc.oneof(
      doubles,
      fc.double({ min: -20, max: 20, noNaN: true }),
      fc.integer({ min: -9, max: 9 }),
    )
    fc.assert(
      fc.property(bases, exponents, (base, exponent) => {
        const expected = base ** exponent
        const isKnown = [base, exponent, expected].every(Number.isFinite)
        const value = power(base, exponent)
        if (!isKnown) expect(value).toBeNaN()
        else {
          expect(Math.abs(unitsBetween(value, expected)), `${base} ** ${exponent}`).toBeLessThanOrEqual(1)
          expect(Math.sign(value)).toBe(Math.sign(expected))
        }
      }),
      { numRuns: 20_000 },
    )
    expect([power(2, 10), power(4, 0.5), power(-2, 3), power(0, 0)]).toEqual([1024, 2, -8, 1])
    expect([power(Number.NaN, 0), power(-2, 0.5), power(0, -1)]).toEqual([Number.NaN, Number.NaN, Number.NaN])
  })

  it('are remainders, equal to those of JavaScript', () => {
    const { memory, start, computePointwise } = instantiate()
    const at = ((start.value as number) + 15) & ~15
    const numbers = new Float64Array(memory.buffer, at, 3)
    fc.assert(
      fc.property(doubles, doubles, (a, b) => {
        numbers.set([a, b])
        computePointwise(operationCodes.remainder, at + 16, at, at + 8, 0, 1)
        const expected = Number.isFinite(a) && Number.isFinite(b) ? a % b : Number.NaN
        expect(numbers[2]).toBe(expected)
      }),
      { numRuns: 5000 },
    )
  })
})
