import { Column } from '../../frame'

/** Numbers of the longest state of a half. */
const mostNumbers = 32
/** Time constants in which an arbitrary state becomes that of the series, to the last bit. */
const timeConstants: f64 = 56
/** Least size of a half, in warm-ups: with shorter halves, the warm-up would cost more than they save. */
const leastSize = 8

const states = memory.data(2 * mostNumbers * 8)

/** Halves of a long series, for the functions that scripts/interleaved-halves.mjs makes. */
export class Halves {
  /**
   * Marks a function of the candles [from, to) whose state fades. Each candle replaces a share `weight` of the state, which
   * has `numbers` numbers.
   */
  @inline
  static interleave(_weight: f64, _numbers: i32): void {}

  /** Candles before the second half from which its first state is computed, a multiple of `step`. */
  static warmup(weight: f64, step: i32): i32 {
    return (<i32>(timeConstants / weight) / step + 1) * step
  }

  /** Candles of each half, a multiple of `step`; 0 for a series that is too short for halves. */
  static size(candles: i32, warmup: i32, step: i32): i32 {
    const size = (candles / 2 / step) * step
    return size / leastSize >= warmup ? size : 0
  }

  /** The state of the second half while it is computed. */
  @inline
  static get second(): Column {
    return changetype<Column>(states)
  }

  /** The state with which the second half began. */
  @inline
  static get seam(): Column {
    return changetype<Column>(states).from(mostNumbers)
  }

  static copy(from: Column, to: Column, numbers: i32): void {
    memory.copy(changetype<usize>(to), changetype<usize>(from), (<usize>numbers) << 3)
  }

  /** Leaves no trace of a call in the memory of the module. */
  static clear(): void {
    memory.fill(states, 0, 2 * mostNumbers * 8)
  }

  /** Whether two states are equal, bit for bit. */
  static areEqual(a: Column, b: Column, numbers: i32): bool {
    for (let k = 0; k < numbers; k++) if (reinterpret<u64>(a[k]) !== reinterpret<u64>(b[k])) return false
    return true
  }
}
