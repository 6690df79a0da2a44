import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandomBits } from '../../../bench/random.js'
import { formatNumber, NumberWriter } from '../../../src/compute/json/sink.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { instantiate } from '../../../src/compute/wasm/kernels-file.js'

/** `LONG=1` tries tens of millions of numbers, in minutes; without it seconds are spent. */
const isLong = process.env.LONG !== undefined
const rounds = isLong ? 20_000 : 200
const timeout = isLong ? 3_600_000 : 30_000
/** Numbers of one round. */
const size = 1_000

const { writer } = new Calculator()
const numbers = new Float64Array(size)
const words = new Uint32Array(numbers.buffer)
const patterns = new BigUint64Array(numbers.buffer)

/** The list as JavaScript writes it. */
const listOf = (column: Float64Array, from: number, to: number) =>
  Array.from(column.subarray(from, to), formatNumber).join()

/** Compares the text of all numbers of a round with that of JavaScript. */
function check(): void {
  const written = writer.list(numbers, 0, size)
  if (written === listOf(numbers, 0, size)) return
  const texts = written.split(',')
  numbers.forEach((value, i) => {
    expect(texts[i], `0x${(patterns[i] as bigint).toString(16)}`).toBe(formatNumber(value))
  })
  expect(texts).toHaveLength(size)
}

const seeds = { numRuns: rounds }

describe('a list of numbers', () => {
  it('is written whole where each number has the longest text there is', () => {
    numbers.fill(-0.0000010256398392883912)
    expect(formatNumber(numbers[0] as number)).toHaveLength(25)
    check()
  })

  it(
    'is written as JavaScript writes each, whatever their bits',
    () => {
      fc.assert(
        fc.property(fc.integer(), seed => {
          const next = createRandomBits(seed)
          for (let i = 0; i < words.length; i++) words[i] = next()
          check()
        }),
        { numRuns: 2 * rounds },
      )
    },
    timeout,
  )

  it(
    'is written as JavaScript writes each: prices, volumes and what is calculated from them',
    () => {
      fc.assert(
        fc.property(fc.integer(), fc.integer({ min: 0, max: 12 }), (seed, decimals) => {
          const next = createRandomBits(seed)
          for (let i = 0; i < size; i++) {
            const whole = next() * (i % 3 === 0 ? 1 : 1 / 65_536)
            numbers[i] =
              (Math.round(whole) / 10 ** decimals) * (i % 5 === 0 ? 1.1 : 1) * (i % 2 === 0 ? 1 : -1)
          }
          check()
        }),
        seeds,
      )
    },
    timeout,
  )

  it(
    'is written as JavaScript writes each: whole numbers of any length',
    () => {
      fc.assert(
        fc.property(fc.integer(), seed => {
          const next = createRandomBits(seed)
          for (let i = 0; i < size; i++) numbers[i] = Math.floor((next() / 2 ** 32) * 10 ** (i % 25))
          check()
        }),
        seeds,
      )
    },
    timeout,
  )

  it(
    'is written as JavaScript writes each: numbers of few digits with any exponent',
    () => {
      fc.assert(
        fc.property(fc.integer(), seed => {
          const next = createRandomBits(seed)
          for (let i = 0; i < size; i++)
            numbers[i] = Number(`${next() % 10 ** ((i % 9) + 1)}e${(next() % 640) - 330}`)
          check()
        }),
        seeds,
      )
    },
    timeout,
  )

  it(
    'is written as JavaScript writes each: the smallest numbers',
    () => {
      fc.assert(
        fc.property(fc.integer(), seed => {
          const next = createRandomBits(seed)
          for (let i = 0; i < size; i++)
            patterns[i] = ((BigInt(next()) << 32n) | BigInt(next())) & ((1n << BigInt((i % 54) + 1)) - 1n)
          check()
        }),
        seeds,
      )
    },
    timeout,
  )

  it('is written as JavaScript writes each: powers of two and of ten, and the numbers beside them', () => {
    const powers: number[] = []
    for (let k = -1074; k <= 1023; k++) powers.push(2 ** k)
    for (let k = -323; k <= 308; k++) powers.push(Number(`1e${k}`), Number(`5e${k}`), Number(`9e${k}`))
    for (const power of powers) {
      numbers.fill(0)
      numbers[0] = power
      for (let i = 1; i < 20; i++) {
        patterns[2 * i] = (patterns[0] as bigint) + BigInt(i)
        patterns[2 * i + 1] = (patterns[0] as bigint) > BigInt(i) ? (patterns[0] as bigint) - BigInt(i) : 1n
      }
      const written = writer.list(numbers, 0, 40)
      expect(written, `${power}`).toBe(listOf(numbers, 0, 40))
    }
  })

  it('has null for what is no number, and a plain 0 for both zeros', () => {
    const values = Float64Array.of(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0, 1.5)
    expect(writer.list(values, 0, 6)).toBe('null,null,null,0,0,1.5')
    patterns.fill(0xfff4_a5a5_5a5a_c3c3n)
    expect(writer.list(numbers, 0, 4), 'a NaN with a sign and a payload').toBe('null,null,null,null')
  })

  it('has exponents where JavaScript begins with them', () => {
    const values = Float64Array.of(
      1e20,
      123456789012345680000,
      1e21,
      1.5e21,
      1e-6,
      1.5e-6,
      1e-7,
      1.25e-7,
      5e-324,
    )
    expect(writer.list(values, 0, 9)).toBe(
      '100000000000000000000,123456789012345680000,1e+21,1.5e+21,0.000001,0.0000015,1e-7,1.25e-7,5e-324',
    )
    expect(writer.list(Float64Array.of(-1.7976931348623157e308, 2.2250738585072014e-308, 1e100), 0, 3)).toBe(
      '-1.7976931348623157e+308,2.2250738585072014e-308,1e+100',
    )
  })

  it('is the same whatever its length and its place in the column', () => {
    const column = Float64Array.from({ length: 2_100 }, (_, i) => Math.sin(i) * 10 ** (i % 40))
    for (const [from, to] of [
      [0, 0],
      [0, 1],
      [7, 9],
      [7, 10],
      [0, 511],
      [0, 512],
      [1, 514],
      [3, 1027],
      [0, 2_100],
    ] as const) {
      expect(writer.list(column, from, to), `${from} to ${to}`).toBe(listOf(column, from, to))
    }
  })

  it('is written as before after the memory has grown', () => {
    const module = instantiate()
    const own = new NumberWriter(module, Math.ceil((module.start.value as number) / 16) * 16)
    const column = Float64Array.from({ length: 600 }, (_, i) => i / 7)
    const before = own.list(column, 0, 600)
    module.memory.grow(1)
    expect(own.list(column, 0, 600)).toBe(before)
  })
})
