import type { Operation } from '../../expression/plan.js'

/**
 * Computes an operation for `count` candles. `out` and the inputs are indices in `numbers` of the values of the first of
 * them. Inputs that an operation does not have are not read.
 */
type Pointwise = (
  numbers: Float64Array,
  out: number,
  a: number,
  b: number,
  c: number,
  count: number,
) => void

/** An operation of two numbers. A result that is not finite is undefined. */
const arithmetic =
  (compute: (a: number, b: number) => number): Pointwise =>
  (numbers, out, a, b, _, count) => {
    for (let i = 0; i < count; i++) {
      const value = compute(numbers[a + i] as number, numbers[b + i] as number)
      numbers[out + i] = Number.isFinite(value) ? value : Number.NaN
    }
  }

/** An operation of two values that is undefined where one of them is. */
const comparison =
  (compare: (a: number, b: number) => boolean): Pointwise =>
  (numbers, out, a, b, _, count) => {
    for (let i = 0; i < count; i++) {
      const one = numbers[a + i] as number
      const other = numbers[b + i] as number
      numbers[out + i] = one !== one || other !== other ? Number.NaN : compare(one, other) ? 1 : 0
    }
  }

/** A logic operation that one input decides where it is `deciding`, whatever the other one is. */
const logic =
  (deciding: 0 | 1): Pointwise =>
  (numbers, out, a, b, _, count) => {
    for (let i = 0; i < count; i++) {
      const one = numbers[a + i] as number
      const other = numbers[b + i] as number
      numbers[out + i] =
        one === deciding || other === deciding
          ? deciding
          : one !== one || other !== other
            ? Number.NaN
            : 1 - deciding
    }
  }

/** An operation of one value. */
const unary =
  (compute: (a: number) => number): Pointwise =>
  (numbers, out, a, _, __, count) => {
    for (let i = 0; i < count; i++) numbers[out + i] = compute(numbers[a + i] as number)
  }

/** Each with loops of its own: V8 compiles one for each function that it is made of. */
export const pointwise: Readonly<Record<Operation, Pointwise>> = {
  add: arithmetic((a, b) => a + b),
  subtract: arithmetic((a, b) => a - b),
  multiply: arithmetic((a, b) => a * b),
  divide: arithmetic((a, b) => a / b),
  remainder: arithmetic((a, b) => a % b),
  power: arithmetic((a, b) => a ** b),
  min: arithmetic(Math.min),
  max: arithmetic(Math.max),
  negate: unary(a => -a),
  less: comparison((a, b) => a < b),
  lessOrEqual: comparison((a, b) => a <= b),
  equal: comparison((a, b) => a === b),
  notEqual: comparison((a, b) => a !== b),
  and: logic(0),
  or: logic(1),
  not: unary(a => (a !== a ? a : a === 0 ? 1 : 0)),
  isUndefined: unary(a => (Number.isFinite(a) ? 0 : 1)),
  orElse(numbers, out, a, b, _, count) {
    for (let i = 0; i < count; i++) {
      const value = numbers[a + i] as number
      numbers[out + i] = Number.isFinite(value) ? value : (numbers[b + i] as number)
    }
  },
  if(numbers, out, a, b, c, count) {
    for (let i = 0; i < count; i++) {
      const condition = numbers[a + i] as number
      numbers[out + i] =
        condition !== condition ? Number.NaN : (numbers[(condition === 0 ? c : b) + i] as number)
    }
  },
}
