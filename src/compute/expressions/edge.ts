/**
 * Whether a condition becomes true: it holds at a candle, and did not at the one before. What was undefined there was not
 * false. Both values are 1, 0 or NaN.
 */
export const becomesTrue = (value: number, before: number): boolean => value === 1 && before === 0
