/** Numbers of state of an exponential average (assembly/parts/averages/exponential-average.ts). */
export const exponentialState = 8

/** Numbers of state of averages of averages (assembly/parts/averages/repeated-exponential.ts). */
export const doubleState = 6
export const tripleState = 8

/** Numbers of state of the lines of a MACD (assembly/parts/shared/macd.ts). */
export const macdState = 10

/** Numbers of state of a Chaikin oscillator (assembly/parts/shared/chaikin-oscillator.ts). */
export const chaikinState = 6

/** Numbers of state of a true strength (assembly/parts/shared/true-strength.ts). */
export const trueStrengthState = 10 + exponentialState

/** Numbers of state of directional movements, indicators and indexes (assembly/parts/shared/directional.ts). */
export const movementState = 8
export const directionalState = movementState + 4
export const indexState = movementState + 2
export const averageIndexState = indexState + exponentialState

/** Numbers of state of a relative strength (assembly/parts/shared/rsi.ts). */
export const strengthState = 8
