import { Column } from '../../frame'
import { firstOf } from '../numbers/lanes'

/** Most numbers of the states of all segments. */
const mostNumbers = 32
/** Time constants in which a state of zeros becomes that of the series, to the last bit. */
const timeConstants: f64 = 54
/** Most rounds of a candle: a round of segments takes as long as about two candles in order. */
const mostRounds: f64 = 0.4

const states = memory.data(2 * mostNumbers * 8)

/** Segments of a long series, for the functions that scripts/interleaved-segments.mjs makes. */
export class Segments {
  /**
   * Marks a function of the candles [from, to) whose state fades. Each candle replaces a share `weight` of the state, which
   * has `numbers` numbers. `inOrder` computes candles in order.
   */
  @inline
  static interleave<F>(_weight: f64, _numbers: i32, _inOrder: F): void {}

  /** The lanes of candle `i`, of the pair that begins with it. */
  @inline
  static lanes(pair: v128): v128 {
    return firstOf(pair)
  }

  @inline
  static number(state: Column, k: i32): v128 {
    return f64x2.splat(state[k])
  }

  @inline
  static setNumber(state: Column, k: i32, lanes: v128): void {
    state[k] = f64x2.extract_lane(lanes, 0)
  }

  /** Writes candle `i` of an output. */
  @inline
  static write(out: Column, i: i32, lanes: v128): void {
    out[i] = f64x2.extract_lane(lanes, 0)
  }

  /** Candles in which the state of a segment becomes that of the series: an even number. */
  static warmup(weight: f64): i32 {
    return (<i32>(timeConstants / weight) & ~1) + 2
  }

  /**
   * Candles of a segment; 0 for a series that is computed faster in order. An odd number of cache lines: segments that begin
   * whole pages apart would displace each other from the cache.
   */
  static size(candles: i32, warmup: i32, count: i32): i32 {
    const size = (((candles - warmup) / count - 8) & ~15) + 8
    return size > 0 && <f64>(size + warmup) <= mostRounds * <f64>candles ? size : 0
  }

  /**
   * The states of all segments: each number of all of them, then the next number. The first one begins with `state`, the
   * others with zeros, which are nearer to the prices of later years than a state of the first one.
   */
  static begin(state: Column, numbers: i32, count: i32): Column {
    assert(numbers * count <= mostNumbers)
    const all = changetype<Column>(states)
    for (let n = 0; n < numbers; n++) all[n * count] = state[n]
    return all
  }

  /** Keeps the present states. */
  static keepSeams(numbers: i32, count: i32): void {
    memory.copy(states + mostNumbers * 8, states, (<usize>(numbers * count)) << 3)
  }

  /** Whether segment `k` has begun with `state`, bit for bit. */
  static continues(state: Column, k: i32, numbers: i32, count: i32): bool {
    const seams = changetype<Column>(states).from(mostNumbers + k)
    for (let n = 0; n < numbers; n++)
      if (reinterpret<u64>(seams[n * count]) !== reinterpret<u64>(state[n])) return false
    return true
  }

  /** Makes the present state of segment `k` the state of the series. */
  static end(state: Column, k: i32, numbers: i32, count: i32): void {
    for (let n = 0; n < numbers; n++) state[n] = changetype<Column>(states)[n * count + k]
  }

  /** Leaves no trace of a call in the memory of the module. */
  static clear(): void {
    memory.fill(states, 0, 2 * mostNumbers * 8)
  }
}
