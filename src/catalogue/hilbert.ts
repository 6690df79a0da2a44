/** Numbers of state of Ehlers' measurements: the `size` of each class of the same name in assembly/parts/averages/hilbert.ts. */
export const hilbertState = {
  /** Six running values, and the latest eight of four series. */
  cycle: 6 + 4 * 8,
  /** Four running values, and the latest 64 smoothed prices. */
  phase: 4 + 64,
  /** The latest three means. */
  trend: 3,
} as const

const { cycle } = hilbertState
/** Numbers of state of the MESA adaptive average: the phase before, the average and its follower. */
export const mesaState = cycle + 3
