/** Horizons of an evaluation. */
export const maxHorizons = 5
/** Candles that a horizon may reach ahead of a signal. */
export const longestHorizon = 500
/** The highest fee of one side, as a share. */
export const maxFee = 0.1
/** Points of an equity curve. */
export const maxPoints = 1_000
