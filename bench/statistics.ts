export const median = (values: readonly number[]): number => percentile(sorted(values), 0.5)

export const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)

/** The number below which a share (0 to 1) of an ascending list lies. */
export const percentile = (ascending: ArrayLike<number>, share: number): number =>
  ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))] as number

/** Geometric mean of positive numbers. */
export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)

export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits))
