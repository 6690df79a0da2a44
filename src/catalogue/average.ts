import type { AverageName, AverageType } from './define.js'
import {
  ahrens,
  chain,
  coralTrend,
  dominantCycle,
  exponential,
  gaussian,
  holt,
  jurik,
  type Keeps,
  kaufman,
  superSmoother,
  thirdSuperSmoother,
  times,
  wilder,
} from './fading.js'
import { mesaState } from './hilbert.js'
import { filterState } from './recursive-filter.js'

interface Kind {
  /** Values before the first one. */
  readonly lookback: (period: number) => number
  /** Numbers preserved between calls. */
  readonly state: (period: number) => number
  /** How it forgets its start; not there where a value depends on its window only. */
  readonly keeps?: (period: number) => Keeps
}

const before = (period: number) => period - 1
const twice = (period: number) => 2 * (period - 1)
const whole = (period: number) => period
const hull = (period: number) => period + Math.floor(Math.sqrt(period)) - 2
const exponentialHull = (period: number) => period + Math.round(Math.sqrt(period)) - 2
const numbers = (count: number) => () => count

const averages = (count: number) => (period: number) => times(count, exponential(period))

/** A mean with weights that are worked out once. */
const weighted: Kind = { lookback: before, state: period => period }
const filterOf = (keeps: Kind['keeps'] & {}): Kind => ({
  lookback: before,
  state: numbers(filterState),
  keeps,
})

/** The MESA adaptive average and its follower, whose weight is half as large. */
export const mesaKeeps = (slowLimit: number): Keeps =>
  chain(dominantCycle, [1 - slowLimit, 1 - slowLimit / 2])
export const exponentialHullKeeps = (period: number): Keeps => [
  exponential(period),
  exponential(Math.round(Math.sqrt(period))),
]

/** Each kind of moving average as the kernels calculate it (assembly/average-types/average.ts, named-average.ts). */
const kinds: Readonly<Record<AverageName, Kind>> = {
  sma: { lookback: before, state: numbers(0) },
  ema: { lookback: before, state: numbers(1), keeps: averages(1) },
  wma: { lookback: before, state: numbers(0) },
  dema: { lookback: twice, state: numbers(2), keeps: averages(2) },
  tema: { lookback: period => 3 * (period - 1), state: numbers(3), keeps: averages(3) },
  trima: { lookback: before, state: numbers(0) },
  kama: { lookback: whole, state: numbers(1), keeps: () => kaufman(30) },
  mama: { lookback: numbers(32), state: numbers(mesaState), keeps: () => mesaKeeps(0.05) },
  t3: { lookback: period => 6 * (period - 1), state: numbers(6), keeps: averages(6) },
  smma: { lookback: before, state: numbers(1), keeps: period => [wilder(period)] },
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
  mcnichollma: { lookback: twice, state: numbers(2), keeps: averages(2) },
  hma: { lookback: hull, state: numbers(0) },
  ehma: { lookback: exponentialHull, state: numbers(3), keeps: exponentialHullKeeps },
  zlema: {
    lookback: period => Math.max(0, Math.floor((period - 1) / 2) - 1),
    state: numbers(2),
    keeps: averages(1),
  },
  linearreg: { lookback: before, state: numbers(0) },
  jma: { lookback: before, state: numbers(6), keeps: period => jurik(period, 2) },
  holt: { lookback: before, state: numbers(2), keeps: period => holt(period, 0) },
  coral: { lookback: before, state: numbers(6), keeps: coralTrend },
  gaussianfilter: { lookback: before, state: numbers(5), keeps: period => gaussian(period, 4) },
  ahrensma: { lookback: before, state: whole, keeps: ahrens },
  // It stays where a value is not positive, which an oscillator may be.
  naturalma: { lookback: whole, state: period => 1 + period, keeps: () => undefined },
  maaq: { lookback: whole, state: numbers(1), keeps: () => kaufman(30) },
  supersmoother: filterOf(superSmoother),
  supersmoother3: filterOf(thirdSuperSmoother),
  ultimatesmoother: filterOf(superSmoother),
  butterworth2: filterOf(superSmoother),
  butterworth3: filterOf(thirdSuperSmoother),
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

/** How the moving average `type` forgets its start. */
export function averageKeeps(type: AverageType, period: number): Keeps {
  const { keeps } = kindOf(type)
  return period === 1 || !keeps ? [] : keeps(period)
}

/** Numbers of state of a moving average whose period may be any from `minPeriod` to `maxPeriod`. */
export function variableState(type: AverageType, minPeriod: number, maxPeriod: number): number {
  // One of MAMA, which has no period, serves all of them.
  if (type === 7) return averageState(type, maxPeriod)
  let total = 0
  for (let period = minPeriod; period <= maxPeriod; period++) total += averageState(type, period)
  return total
}
