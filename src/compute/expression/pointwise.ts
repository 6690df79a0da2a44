import type { Operation } from '../../expression/plan.js'

/**
 * Computes an operation for `count` candles. `out` and the inputs are the indices in `numbers` of their values at the
 * first of them; inputs that an operation does not have are not read.
 */
export function computePointwise(
  operation: Operation,
  numbers: Float64Array,
  out: number,
  [a, b, c]: readonly [number, number, number],
  count: number,
): void {
  switch (operation) {
    case 'add':
    case 'subtract':
    case 'multiply':
    case 'divide':
    case 'remainder':
    case 'power':
    case 'min':
    case 'max':
      computeArithmetic(operation, numbers, out, a, b, count)
      return
    case 'less':
    case 'lessOrEqual':
    case 'equal':
    case 'notEqual':
      compare(operation, numbers, out, a, b, count)
      return
    case 'and':
      decide(0, numbers, out, a, b, count)
      return
    case 'or':
      decide(1, numbers, out, a, b, count)
      return
    case 'not':
    case 'negate':
      computeUnary(operation, numbers, out, a, count)
      return
    case 'isUndefined':
    case 'orElse':
      replaceUndefined(operation, numbers, out, a, b, count)
      return
    case 'if':
      choose(numbers, out, a, b, c, count)
      return
  }
}

type Arithmetic = 'add' | 'subtract' | 'multiply' | 'divide' | 'remainder' | 'power' | 'min' | 'max'

// The operation is looked at in the loop, where the processor predicts it. A function that is passed in would be called
// once per candle: V8 inlines it only as long as there is one.

/** A result that is not finite is undefined. */
function computeArithmetic(
  operation: Arithmetic,
  numbers: Float64Array,
  out: number,
  a: number,
  b: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const value = arithmetic(operation, numbers[a + i] as number, numbers[b + i] as number)
    numbers[out + i] = value - value === 0 ? value : Number.NaN
  }
}

function arithmetic(operation: Arithmetic, a: number, b: number): number {
  switch (operation) {
    case 'add':
      return a + b
    case 'subtract':
      return a - b
    case 'multiply':
      return a * b
    case 'divide':
      return a / b
    case 'remainder':
      return a % b
    case 'power':
      return a ** b
    case 'min':
      return Math.min(a, b)
    case 'max':
      return Math.max(a, b)
  }
}

/** Undefined where one of the values is. */
function compare(
  operation: 'less' | 'lessOrEqual' | 'equal' | 'notEqual',
  numbers: Float64Array,
  out: number,
  a: number,
  b: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const one = numbers[a + i] as number
    const other = numbers[b + i] as number
    const holds =
      operation === 'less'
        ? one < other
        : operation === 'lessOrEqual'
          ? one <= other
          : operation === 'equal'
            ? one === other
            : one !== other
    numbers[out + i] = Number.isNaN(one) || Number.isNaN(other) ? Number.NaN : holds ? 1 : 0
  }
}

/** `and` or `or`: one condition that is `deciding` decides, whatever the other one is. */
function decide(
  deciding: 0 | 1,
  numbers: Float64Array,
  out: number,
  a: number,
  b: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const one = numbers[a + i] as number
    const other = numbers[b + i] as number
    const isUndecided = Number.isNaN(one) || Number.isNaN(other)
    numbers[out + i] =
      one === deciding || other === deciding ? deciding : isUndecided ? Number.NaN : 1 - deciding
  }
}

function computeUnary(
  operation: 'not' | 'negate',
  numbers: Float64Array,
  out: number,
  a: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const value = numbers[a + i] as number
    // The negation of a condition is the distance to 1, which leaves what is undefined as it is.
    numbers[out + i] = operation === 'not' ? 1 - value : -value
  }
}

function replaceUndefined(
  operation: 'isUndefined' | 'orElse',
  numbers: Float64Array,
  out: number,
  a: number,
  b: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const value = numbers[a + i] as number
    const isUndefined = !Number.isFinite(value)
    numbers[out + i] =
      operation === 'isUndefined' ? (isUndefined ? 1 : 0) : isUndefined ? (numbers[b + i] as number) : value
  }
}

/** The value of `b` where the condition `a` holds, else that of `c`. */
function choose(numbers: Float64Array, out: number, a: number, b: number, c: number, count: number): void {
  for (let i = 0; i < count; i++) {
    const condition = numbers[a + i] as number
    numbers[out + i] = Number.isNaN(condition)
      ? condition
      : (numbers[(condition === 0 ? c : b) + i] as number)
  }
}

/** The first index from `from` on, before `to`, whose number is not finite; `to` where all are. */
export function firstUndefined(numbers: Float64Array, from: number, to: number): number {
  let i = from
  while (i < to && Number.isFinite(numbers[i])) i++
  return i
}
