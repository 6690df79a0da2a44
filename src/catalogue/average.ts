import type { AverageName, AverageType } from './define.js'
import { mesaState } from './hilbert.js'
import { filterState } from './recursive-filter.js'

interface Kind {
  /** Values before the first one. */
  readonly lookback: (period: number) => number
  /** Numbers preserved between calls. */
  readonly state: (period: number) => number
}

const before = (period: number) => period - 1
const twice = (period: number) => 2 * (period - 1)
const whole = (period: number) => period
const hull = (period: number) => period + Math.floor(Math.sqrt(period)) - 2
const exponentialHull = (period: number) => period + Math.round(Math.sqrt(period)) - 2
const numbers = (count: number) => () => count

/** A mean with weights that are worked out once. */
const weighted: Kind = { lookback: before, state: period => period }
const filter: Kind = { lookback: before, state: numbers(filterState) }

/** Each kind of moving average as the kernels calculate it (assembly/average-types/average.ts, named-average.ts). */
const kinds: Readonly<Record<AverageName, Kind>> = {
  sma: { lookback: before, state: numbers(0) },
  ema: { lookback: before, state: numbers(1) },
  wma: { lookback: before, state: numbers(0) },
  dema: { lookback: twice, state: numbers(2) },
  tema: { lookback: period => 3 * (period - 1), state: numbers(3) },
  trima: { lookback: before, state: numbers(0) },
  kama: { lookback: whole, state: numbers(1) },
  mama: { lookback: numbers(32), state: numbers(mesaState) },
  t3: { lookback: period => 6 * (period - 1), state: numbers(6) },
  smma: { lookback: before, state: numbers(1) },
  alma: weighted,
  fwma: weighted,
  sinwma: weighted,
  pwma: weighted,
  cwma: weighted,
  sqwma: weighted,
  srwma: weighted,
  hannma: weighted,
  vpwma: weighted,
  jsa: { lookback: whole, state: numbers(0) },
  dwma: { lookback: twice, state: numbers(0) },
  zlsma: { lookback: twice, state: numbers(0) },
  mcnichollma: { lookback: twice, state: numbers(2) },
  hma: { lookback: hull, state: numbers(0) },
  ehma: { lookback: exponentialHull, state: numbers(3) },
  zlema: { lookback: period => Math.max(0, Math.floor((period - 1) / 2) - 1), state: numbers(2) },
  linearreg: { lookback: before, state: numbers(0) },
  jma: { lookback: before, state: numbers(6) },
  holt: { lookback: before, state: numbers(2) },
  coral: { lookback: before, state: numbers(6) },
  gaussianfilter: { lookback: before, state: numbers(5) },
  ahrensma: { lookback: before, state: whole },
  naturalma: { lookback: whole, state: period => 1 + period },
  maaq: { lookback: whole, state: numbers(1) },
  supersmoother: filter,
  supersmoother3: filter,
  ultimatesmoother: filter,
  butterworth2: filter,
  butterworth3: filter,
}
const byNumber = Object.values(kinds)

const kindOf = (type: AverageType): Kind =>
  typeof type === 'number' ? (byNumber[type] as Kind) : kinds[type]

/** Values that a moving average of the kind `type` needs before its first one. */
export const averageLookback = (type: AverageType, period: number): number =>
  period === 1 ? 0 : kindOf(type).lookback(period)

/** Numbers of state of the moving average `type`. */
export const averageState = (type: AverageType, period: number): number =>
  period === 1 ? 0 : kindOf(type).state(period)

/** Numbers of state of a moving average whose period may be any from `minPeriod` to `maxPeriod`. */
export function variableState(type: AverageType, minPeriod: number, maxPeriod: number): number {
  // One of MAMA, which has no period, serves all of them.
  if (type === 7) return averageState(type, maxPeriod)
  let total = 0
  for (let period = minPeriod; period <= maxPeriod; period++) total += averageState(type, period)
  return total
}
