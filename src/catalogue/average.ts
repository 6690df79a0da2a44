import { mesaState } from './hilbert.js'

/** Values that TA-Lib's moving average `type` (the numbers of `maType`) needs before its first one. */
export const averageLookback = (type: number, period: number): number => {
  if (period === 1) return 0
  const before = period - 1
  return [before, before, before, 2 * before, 3 * before, before, period, 32, 6 * before][type] as number
}

/** Numbers of state of the moving average `type`. */
export const averageState = (type: number, period: number): number =>
  period === 1 ? 0 : ([0, 1, 0, 2, 3, 0, 1, mesaState, 6][type] as number)

/** Numbers of state of a moving average whose period may be any from `minPeriod` to `maxPeriod`. */
export const variableState = (type: number, minPeriod: number, maxPeriod: number): number => {
  const periods = maxPeriod - minPeriod + 1
  return [0, periods, 0, 2 * periods, 3 * periods, 0, periods, averageState(7, maxPeriod), 6 * periods][
    type
  ] as number
}
