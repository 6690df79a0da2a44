import { averageEntries } from './average-entries.js'
import { type AverageType, averageNames, type Indicator, type Values } from './define.js'
import type { Keeps } from './fading.js'

interface Kind {
  readonly entry: Indicator
  /** The defaults of its parameters; only the period has none. */
  readonly defaults: Values
}

const kinds: ReadonlyMap<string, Kind> = new Map(
  Object.entries(averageEntries).map(([name, entry]) => {
    const defaults = Object.entries(entry.params).map(([key, param]) => [key, param.default])
    return [name, { entry, defaults: Object.fromEntries(defaults) }]
  }),
)

/** Averages that pause while a value is not positive, as that of an oscillator may be. */
const positiveOnly: ReadonlySet<number | string> = new Set(['naturalma'])

const kindOf = (type: AverageType): Kind =>
  kinds.get(typeof type === 'number' ? (averageNames[type] as string) : type) as Kind

/**
 * Values that a moving average of the kind `type` needs before its first one. An average with period 1 is the value itself.
 */
export function averageLookback(type: AverageType, period: number): number {
  if (period === 1) return 0
  const { entry, defaults } = kindOf(type)
  return entry.lookback({ ...defaults, period })
}

/** Size of the state of the moving average `type`, in numbers. */
export function averageState(type: AverageType, period: number): number {
  if (period === 1) return 0
  const { entry, defaults } = kindOf(type)
  return entry.state({ ...defaults, period })
}

/** Decay of the influence of the start on the moving average `type`. */
export function averageKeeps(type: AverageType, period: number): Keeps {
  const { entry, defaults } = kindOf(type)
  const { memory } = entry
  if (period === 1 || memory === 'finite') return []
  if (memory === 'whole' || !('fading' in memory) || positiveOnly.has(type)) return undefined
  return memory.fading({ ...defaults, period })
}

/** Number of averages in a chain of the kinds EMA, DEMA, TEMA, KAMA and T3. */
const stagesOf: ReadonlyMap<AverageType, number> = new Map([
  [1, 1],
  [3, 2],
  [4, 3],
  [6, 1],
  [8, 6],
])

/** Size of the state, in numbers, of a moving average with any period from `minPeriod` to `maxPeriod`. */
export function variableState(type: AverageType, minPeriod: number, maxPeriod: number): number {
  // MAMA has no period, so one state serves all periods.
  if (type === 7) return averageState(type, maxPeriod)
  // Exponential averages, chains of them and Kaufman's run in one loop over their periods, with a number for each average.
  const stages = stagesOf.get(type)
  if (stages) return stages * (maxPeriod - minPeriod + 1)
  let total = 0
  for (let period = minPeriod; period <= maxPeriod; period++) total += averageState(type, period)
  return total
}
