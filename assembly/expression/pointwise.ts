/** Operations on the values of one candle, in the order of src/compute/plans/plan-runner.ts and docs/kernels.md. */
enum Operation {
  Add,
  Subtract,
  Multiply,
  Divide,
  Min,
  Max,
  Less,
  LessOrEqual,
  Equal,
  NotEqual,
  And,
  Or,
  Not,
  Negate,
  IsUndefined,
  OrElse,
  If,
  Power,
  Remainder,
}

/** One operation of two candles. Methods, because only they may be inlined where the operation is known. */
class Pair {
  /**
   * Mask of the lanes in which both values are defined. An infinite value, as the sums of an indicator may be, is undefined.
   */
  @inline
  static known(a: v128, b: v128): v128 {
    return v128.and(Pair.finite(a), Pair.finite(b))
  }

  @inline
  static finite(a: v128): v128 {
    return f64x2.eq(f64x2.sub(a, a), f64x2.splat(0))
  }

  /** The numbers at an address times 0. */
  @inline
  static nothing(at: usize): v128 {
    return f64x2.mul(v128.load(at), f64x2.splat(0))
  }

  /** A result that is not finite is undefined. */
  @inline
  static arithmetic(value: v128): v128 {
    return v128.bitselect(value, f64x2.splat(NaN), Pair.finite(value))
  }

  /** A condition as 1 or 0; undefined if one of the values is. */
  @inline
  static condition(holds: v128, a: v128, b: v128): v128 {
    return v128.bitselect(v128.and(holds, f64x2.splat(1)), f64x2.splat(NaN), Pair.known(a, b))
  }

  @inline
  static compute(operation: Operation, a: v128, b: v128, c: v128): v128 {
    const zero = f64x2.splat(0)
    const one = f64x2.splat(1)
    if (operation === Operation.Add) return Pair.arithmetic(f64x2.add(a, b))
    if (operation === Operation.Subtract) return Pair.arithmetic(f64x2.sub(a, b))
    if (operation === Operation.Multiply) return Pair.arithmetic(f64x2.mul(a, b))
    if (operation === Operation.Divide) return Pair.arithmetic(f64x2.div(a, b))
    if (operation === Operation.Min) return Pair.arithmetic(f64x2.min(a, b))
    if (operation === Operation.Max) return Pair.arithmetic(f64x2.max(a, b))
    if (operation === Operation.Less) return Pair.condition(f64x2.lt(a, b), a, b)
    if (operation === Operation.LessOrEqual) return Pair.condition(f64x2.le(a, b), a, b)
    if (operation === Operation.Equal) return Pair.condition(f64x2.eq(a, b), a, b)
    if (operation === Operation.NotEqual) return Pair.condition(f64x2.ne(a, b), a, b)
    if (operation === Operation.And) {
      // A false condition decides the result, whatever the other condition is.
      const decided = v128.or(f64x2.eq(a, zero), f64x2.eq(b, zero))
      return v128.andnot(v128.bitselect(one, f64x2.splat(NaN), Pair.known(a, b)), decided)
    }
    if (operation === Operation.Or) {
      const decided = v128.or(f64x2.eq(a, one), f64x2.eq(b, one))
      return v128.bitselect(one, v128.bitselect(zero, f64x2.splat(NaN), Pair.known(a, b)), decided)
    }
    // An undefined value stays undefined.
    if (operation === Operation.Not) return f64x2.sub(one, a)
    if (operation === Operation.Negate) return f64x2.neg(a)
    if (operation === Operation.IsUndefined) return v128.andnot(one, Pair.finite(a))
    if (operation === Operation.OrElse) return v128.bitselect(a, b, Pair.finite(a))
    return v128.bitselect(v128.bitselect(c, b, f64x2.eq(a, zero)), a, f64x2.eq(a, a))
  }

  /**
   * Computes an operation for `bytes` of values from the given addresses on. Reads only the inputs that the operation has,
   * because the addresses of the others may lie outside the memory.
   */
  @inline
  static column(operation: Operation, out: usize, a: usize, b: usize, c: usize, bytes: usize): void {
    for (let k: usize = 0; k < bytes; k += 16) {
      const first = v128.load(a + k)
      let second = first
      let third = first
      if (
        operation !== Operation.Not &&
        operation !== Operation.Negate &&
        operation !== Operation.IsUndefined
      )
        second = v128.load(b + k)
      if (operation === Operation.If) third = v128.load(c + k)
      v128.store(out + k, Pair.compute(operation, first, second, third))
    }
  }
}

/**
 * Computes an operation of expressions for `count` candles. `out`, `a`, `b` and `c` are the addresses of its values and of
 * its inputs at the first candle. Addresses of inputs that the operation does not have are ignored. Reads up to one number
 * behind each input and writes one number behind `out`. Conditions are 1 and 0; an undefined value is NaN.
 */
export function computePointwise(operation: i32, out: usize, a: usize, b: usize, c: usize, count: i32): void {
  const bytes = (<usize>count) << 3
  switch (operation) {
    case Operation.Add:
      Pair.column(Operation.Add, out, a, b, c, bytes)
      break
    case Operation.Subtract:
      Pair.column(Operation.Subtract, out, a, b, c, bytes)
      break
    case Operation.Multiply:
      Pair.column(Operation.Multiply, out, a, b, c, bytes)
      break
    case Operation.Divide:
      Pair.column(Operation.Divide, out, a, b, c, bytes)
      break
    case Operation.Min:
      Pair.column(Operation.Min, out, a, b, c, bytes)
      break
    case Operation.Max:
      Pair.column(Operation.Max, out, a, b, c, bytes)
      break
    case Operation.Less:
      Pair.column(Operation.Less, out, a, b, c, bytes)
      break
    case Operation.LessOrEqual:
      Pair.column(Operation.LessOrEqual, out, a, b, c, bytes)
      break
    case Operation.Equal:
      Pair.column(Operation.Equal, out, a, b, c, bytes)
      break
    case Operation.NotEqual:
      Pair.column(Operation.NotEqual, out, a, b, c, bytes)
      break
    case Operation.And:
      Pair.column(Operation.And, out, a, b, c, bytes)
      break
    case Operation.Or:
      Pair.column(Operation.Or, out, a, b, c, bytes)
      break
    case Operation.Not:
      Pair.column(Operation.Not, out, a, b, c, bytes)
      break
    case Operation.Negate:
      Pair.column(Operation.Negate, out, a, b, c, bytes)
      break
    case Operation.IsUndefined:
      Pair.column(Operation.IsUndefined, out, a, b, c, bytes)
      break
    case Operation.OrElse:
      Pair.column(Operation.OrElse, out, a, b, c, bytes)
      break
    case Operation.If:
      Pair.column(Operation.If, out, a, b, c, bytes)
      break
    default:
      computeSingly(operation, out, a, b, bytes)
  }
}

/** Computes an operation that has no instruction. An undefined input has an undefined result, although NaN ** 0 is 1. */
function computeSingly(operation: Operation, out: usize, a: usize, b: usize, bytes: usize): void {
  for (let k: usize = 0; k < bytes; k += 8) {
    const one = load<f64>(a + k)
    const other = load<f64>(b + k)
    const value = operation === Operation.Power ? one ** other : one % other
    const isKnown = one - one === 0 && other - other === 0 && value - value === 0
    store<f64>(out + k, isKnown ? value : NaN)
  }
}

/** Number of finite values from an address on, up to the first one that is not finite, at most `count`. */
export function countFinite(at: usize, count: i32): i32 {
  let i = 0
  // Sixteen at a time: a finite number times 0 is 0, and any other one NaN, which stays in the sum.
  for (; i + 16 <= count; i += 16) {
    const first = at + ((<usize>i) << 3)
    const one = f64x2.add(Pair.nothing(first), Pair.nothing(first + 16))
    const two = f64x2.add(Pair.nothing(first + 32), Pair.nothing(first + 48))
    const three = f64x2.add(Pair.nothing(first + 64), Pair.nothing(first + 80))
    const four = f64x2.add(Pair.nothing(first + 96), Pair.nothing(first + 112))
    const sum = f64x2.add(f64x2.add(one, two), f64x2.add(three, four))
    if (!i64x2.all_true(f64x2.eq(sum, f64x2.splat(0)))) break
  }
  for (; i < count; i++) {
    const value = load<f64>(at + ((<usize>i) << 3))
    if (value - value !== 0) break
  }
  return i
}
