import { median, rounded } from './statistics.js'

/** The ratios of a bench by their names, "row: column". */
export type Ratios = Readonly<Record<string, number>>

/** Largest difference from the recorded ratio that is treated as noise. */
export const regressionTolerance = 0.1

/** A ratio of one run compared with the recorded one. */
export interface Difference {
  readonly name: string
  readonly recorded: number
  readonly now: number
  /** Relative change for the worse: 0.2 for a fifth, negative for an improvement. */
  readonly worseBy: number
}

/** Whether more is better, as for a "share of" something; for a ratio of costs, "this / that", less is better. */
export const isShare = (name: string): boolean => name.includes('share of')

/** Relative change of a ratio for the worse, compared with the recorded one. */
export function worseBy(name: string, recorded: number, now: number): number {
  if (recorded === now) return 0
  return (isShare(name) ? recorded / now : now / recorded) - 1
}

/** All recorded ratios that were measured again, the worst first. */
export function differencesOf(recorded: Ratios, now: Ratios): readonly Difference[] {
  return Object.entries(recorded)
    .flatMap(([name, before]) => {
      const after = now[name]
      return after === undefined
        ? []
        : [{ name, recorded: before, now: after, worseBy: worseBy(name, before, after) }]
    })
    .sort((a, b) => b.worseBy - a.worseBy)
}

/** Differences that are worse by more than the tolerance. */
export const regressionsOf = (differences: readonly Difference[], tolerance = regressionTolerance) =>
  differences.filter(({ worseBy: change }) => change > tolerance)

/** The recorded ratios that were not measured, because a row was renamed or removed: they are not compared with anything. */
export const missingOf = (recorded: Ratios, now: Ratios): readonly string[] =>
  Object.keys(recorded).filter(name => now[name] === undefined)

/**
 * Relative width of the 95 % confidence interval of the median, from the median absolute deviation. Infinity for fewer than
 * three samples.
 */
export function spreadOf(samples: readonly number[]): number {
  if (samples.length < 3) return Number.POSITIVE_INFINITY
  const middle = median(samples)
  if (middle === 0) return samples.every(sample => sample === 0) ? 0 : Number.POSITIVE_INFINITY
  const deviation = median(samples.map(sample => Math.abs(sample - middle)))
  // 1.4826 converts it to the standard deviation of a normal distribution, 1.2533 that to the standard deviation of the
  // median.
  return (1.96 * 1.4826 * 1.2533 * deviation) / Math.sqrt(samples.length) / Math.abs(middle)
}

interface Bounds {
  /** Largest spread of a steady ratio. */
  readonly maxSpread: number
  readonly minRuns: number
  readonly maxRuns: number
  /** Whether there is no time for another run. */
  readonly storedIsNewer?: () => boolean
}

export interface Repeated {
  /** The median of each ratio over all runs that had it. */
  readonly ratios: Ratios
  readonly runs: number
  /** Unsteady ratios with their spread. */
  readonly unsteady: Readonly<Record<string, number>>
}

/**
 * Runs a bench, whose parts alternate in each run, until the median of each ratio is steady within `maxSpread`, or `maxRuns`
 * times. Unsteady ratios are returned by name, because they allow no conclusion.
 */
export async function repeatUntilSteady(
  run: () => Promise<Ratios>,
  { maxSpread, minRuns, maxRuns, storedIsNewer = () => false }: Bounds,
): Promise<Repeated> {
  const samples = new Map<string, number[]>()
  const unsteadyNow = () =>
    [...samples]
      .map(([name, own]) => [name, spreadOf(own)] as const)
      .filter(([, spread]) => !(spread <= maxSpread))
  let runs = 0
  do {
    for (const [name, ratio] of Object.entries(await run())) {
      const own = samples.get(name) ?? []
      own.push(ratio)
      samples.set(name, own)
    }
    runs++
  } while (runs < minRuns || (runs < maxRuns && !storedIsNewer() && unsteadyNow().length > 0))
  return {
    ratios: Object.fromEntries([...samples].map(([name, own]) => [name, rounded(median(own), 3)])),
    runs,
    unsteady: Object.fromEntries(unsteadyNow().map(([name, spread]) => [name, rounded(spread, 3)])),
  }
}
