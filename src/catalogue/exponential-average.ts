/** Numbers of state of an exponential average (assembly/parts/averages/exponential-average.ts). */
export const exponentialState = 4
