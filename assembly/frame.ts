/** A run of f64 values in memory, one per candle. Index 0 is the oldest candle of the series. */
@unmanaged
export class Column {
  @inline
  @operator('[]')
  get(i: i32): f64 {
    return load<f64>(changetype<usize>(this) + ((<usize>i) << 3))
  }

  @inline
  @operator('[]=')
  set(i: i32, value: f64): void {
    store<f64>(changetype<usize>(this) + ((<usize>i) << 3), value)
  }

  /** The same values counted from element `i` on (with a negative `i`, element 0 lies before the column). */
  @inline
  from(i: i32): Column {
    return changetype<Column>(changetype<usize>(this) + ((<usize>i) << 3))
  }

  /** Elements `i` and `i + 1` as one vector. */
  @inline
  pair(i: i32): v128 {
    return v128.load(changetype<usize>(this) + ((<usize>i) << 3))
  }

  // The following pairs have a constant offset from the address of element `i`, which a processor adds while it loads.
  // scripts/unrolled-loops.mjs makes loops over pairs use them.

  /** Elements `i + 2` and `i + 3` as one vector. */
  @inline
  secondPair(i: i32): v128 {
    return v128.load(changetype<usize>(this) + ((<usize>i) << 3), 16)
  }

  /** Elements `i + 4` and `i + 5` as one vector. */
  @inline
  thirdPair(i: i32): v128 {
    return v128.load(changetype<usize>(this) + ((<usize>i) << 3), 32)
  }

  /** Elements `i + 6` and `i + 7` as one vector. */
  @inline
  fourthPair(i: i32): v128 {
    return v128.load(changetype<usize>(this) + ((<usize>i) << 3), 48)
  }

  /**
   * Stores a vector as elements `i` and `i + 1`.
   *
   * A loop over the candles [from, to) that takes two at a time stores one element too many if their number is odd. It
   * reads `column[to]` before and restores it afterwards, so that the formula is written only once. The host leaves one
   * element free behind every column: that element may be read and stored like this, and the discarded lane may be
   * computed from anything. A scratch column needs no restoring, because its contents end with the call.
   */
  @inline
  setPair(i: i32, value: v128): void {
    v128.store(changetype<usize>(this) + ((<usize>i) << 3), value)
  }

  @inline
  setSecondPair(i: i32, value: v128): void {
    v128.store(changetype<usize>(this) + ((<usize>i) << 3), value, 16)
  }

  @inline
  setThirdPair(i: i32, value: v128): void {
    v128.store(changetype<usize>(this) + ((<usize>i) << 3), value, 32)
  }

  @inline
  setFourthPair(i: i32, value: v128): void {
    v128.store(changetype<usize>(this) + ((<usize>i) << 3), value, 48)
  }
}

/** Bytes of a frame. */
export const frameSize: usize = 328

/**
 * The arguments of a kernel, laid out by the host (docs/kernels.md):
 *
 *   byte 0    8 × u32   inputs, in the order of the catalogue entry
 *   byte 32   16 × u32  outputs
 *   byte 96   8 × u32   scratch columns, contents undefined between calls
 *   byte 128  u32       state, contents preserved between calls
 *   byte 136  24 × f64  parameters, in the order of the catalogue entry
 *
 * A call for the candles [from, to) may access elements [max(0, from − lookback), to] of the inputs and [from, to] of
 * the outputs, the last one as `setPair` describes. Columns may begin outside of the memory: an older element must not
 * be loaded even if its value makes no difference (a loop to `min(to, period)` is for calls that begin before it).
 */
@unmanaged
export class Frame {
  @inline
  input(k: i32): Column {
    assert(k >= 0 && k < 8)
    return changetype<Column>(load<usize>(changetype<usize>(this) + ((<usize>k) << 2)))
  }

  @inline
  output(k: i32): Column {
    assert(k >= 0 && k < 16)
    return changetype<Column>(load<usize>(changetype<usize>(this) + ((<usize>k) << 2), 32))
  }

  @inline
  scratch(k: i32): Column {
    assert(k >= 0 && k < 8)
    return changetype<Column>(load<usize>(changetype<usize>(this) + ((<usize>k) << 2), 96))
  }

  @inline
  get state(): Column {
    return changetype<Column>(load<usize>(changetype<usize>(this), 128))
  }

  @inline
  number(k: i32): f64 {
    assert(k >= 0 && k < 24)
    return load<f64>(changetype<usize>(this) + ((<usize>k) << 3), 136)
  }

  @inline
  integer(k: i32): i32 {
    return <i32>this.number(k)
  }

  /** Replaces an input, for a kernel that calls others with its own or with another frame. */
  @inline
  setInput(k: i32, column: Column): void {
    store<usize>(changetype<usize>(this) + ((<usize>k) << 2), changetype<usize>(column))
  }

  @inline
  setOutput(k: i32, column: Column): void {
    store<usize>(changetype<usize>(this) + ((<usize>k) << 2), changetype<usize>(column), 32)
  }

  @inline
  setScratch(k: i32, column: Column): void {
    store<usize>(changetype<usize>(this) + ((<usize>k) << 2), changetype<usize>(column), 96)
  }

  @inline
  setState(column: Column): void {
    store<usize>(changetype<usize>(this), changetype<usize>(column), 128)
  }

  @inline
  setNumber(k: i32, value: f64): void {
    store<f64>(changetype<usize>(this) + ((<usize>k) << 3), value, 136)
  }
}
