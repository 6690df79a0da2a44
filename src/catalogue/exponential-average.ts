/** Numbers of state of an exponential average (assembly/parts/averages/exponential-average.ts). */
export const exponentialState = 1

/** Numbers of state of averages of averages (assembly/parts/averages/repeated-exponential.ts). */
export const doubleState = 2
export const tripleState = 3

/** Numbers of state of the lines of a MACD (assembly/parts/shared/macd.ts). */
export const macdState = 3

/** Numbers of state of a Chaikin oscillator (assembly/parts/shared/chaikin-oscillator.ts). */
export const chaikinState = 2

/** Numbers of state of a true strength (assembly/parts/shared/true-strength.ts). */
export const trueStrengthState = 5

/** Numbers of state of directional indicators (assembly/parts/shared/directional.ts). */
export const directionalState = 3
