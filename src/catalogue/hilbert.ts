/**
 * Sizes of the state of Ehlers' measurements in numbers: the `size` of each class of the same name in
 * assembly/parts/averages/hilbert.ts.
 */
export const hilbertState = {
  /** Six running values, and the latest eight of four series. */
  cycle: 6 + 4 * 8,
  /** Four running values, and the latest 64 smoothed prices. */
  phase: 4 + 64,
  /** The latest three means. */
  trend: 3,
} as const

const { cycle } = hilbertState
/** Size of the state of the MESA adaptive average in numbers: the previous phase, the average and its follower. */
export const mesaState = cycle + 3
