import { createRandom } from '../../../bench/random.js'
import { settledAfter } from '../../../src/catalogue/fading.js'
import type { Entry } from '../../../src/catalogue/index.js'
import { LawCase, type LawCases, type Run, Violation } from './law-case.js'
import { type Columns, candlesFrom, type Market, markets } from './market.js'
import type { Setting } from './settings.js'

/** Numbers of candles by which a history begins later than the market: six starts. */
const starts = [1, 2, 7, 50, 313, 777] as const
const latestStart = starts[5]
/** Promised numbers of digits, to which the values of all starts agree. */
const digitsPromised = [4, 8] as const
/** Number of candles compared after the last promise. */
const compared = 200
/** A setting that settles later is not tested, to limit the running time. */
const longest = 2500
/** Largest ratio of a promise longer than `shortPromise` to the measurement in the worst market. */
const mostTimes = 4
const shortPromise = 60

/** Closes that rise and fall around 100, each independent of the others. */
const noise: Market = {
  name: 'a market of noise',
  kind: 'ordinary',
  columns: length => around100(length, 5, (next, _) => 2 * (next() - 0.5)),
}
/** Two waves and a little noise. */
const waves: Market = {
  name: 'a market of waves',
  kind: 'ordinary',
  columns: length =>
    around100(length, 6, (next, i) => 10 * Math.sin(i / 8) + 3 * Math.sin(i / 31) + 0.2 * next()),
}
const startMarkets: readonly Market[] = [markets.walk, noise, waves]
/** Markets on which a tie decided by rounding would depend on the start. */
const tickMarkets: readonly Market[] = [markets.pennies, markets.quarters]
/** Digits to which the values agree there, once eight are promised: values on ticks may fade a little later. */
const digitsOnTicks = 4

/**
 * One candle a million times as high, shortly before the latest start: indicators of peaks and extremes forget it slowest.
 */
const spike: Market = {
  name: 'a market with a spike',
  kind: 'degenerate',
  columns: length => around100(length, 7, (next, i) => (i === latestStart - 7 ? 1e8 : 2 * (next() - 0.5))),
}
/**
 * The same closes again and again, so that nothing is gained over `lookback` candles, and over half of them if that is a
 * whole number: adaptive averages move slowest.
 */
const repeating = (lookback: number): Market => ({
  name: `a market that repeats itself after ${lookback} candles`,
  kind: 'degenerate',
  columns: length => {
    const next = createRandom(8)
    const period = Math.max(1, lookback % 2 === 0 ? lookback / 2 : lookback)
    const cycle = Array.from({ length: period }, () => 2 * (next() - 0.5))
    const close = (i: number) => cycle[i % cycle.length] as number
    return around100(
      length,
      9,
      (_, i) => close(i),
      () => 0.2,
    )
  },
})

function around100(
  length: number,
  seed: number,
  move: (next: () => number, i: number) => number,
  wick = (next: () => number) => 0.05 + 0.3 * next(),
): Columns {
  const next = createRandom(seed)
  const closes = Float64Array.from({ length }, (_, i) => 100 + move(next, i))
  return candlesFrom(
    closes,
    () => wick(next),
    () => 200 + 1000 * next(),
  )
}

/** The usual size of the values of an output: the mean of their sizes. */
function usualSize(values: Float64Array): number {
  let sum = 0
  let count = 0
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    sum += Math.abs(value)
    count++
  }
  return count === 0 ? 0 : sum / count
}

/** The run of a history that begins `start` candles later. */
function runFrom(lawCase: LawCase, start: number): Run {
  const columns = lawCase.columns.map(column => {
    const later = new Float64Array(column.length)
    later.set(column.subarray(start))
    return later
  })
  return lawCase.run({ columns, to: lawCase.length - start })
}

/**
 * The last candle of a history at which output `k` differs from that of a history that began `start` candles earlier, by
 * more than the last of `digits` digits of its usual size; −1 without a difference.
 */
function lastDifference(
  whole: Float64Array,
  later: Float64Array,
  start: number,
  size: number,
  digits: number,
): number {
  const tolerance = size * 10 ** -digits
  for (let i = whole.length - start - 1; i >= 0; i--) {
    const difference = Math.abs((later[i] as number) - (whole[i + start] as number))
    const isMissing = Number.isNaN(later[i]) !== Number.isNaN(whole[i + start])
    if (difference > tolerance || isMissing) return i
  }
  return -1
}

const settledIn = (entry: Entry, { values }: Setting) =>
  digitsPromised.map(digits => settledAfter(entry, values, digits) ?? Number.POSITIVE_INFINITY)

/** The settings whose start is forgotten within the tested number of candles: the default, and two drawn at random. */
const triedSettings = ({ settings, subject }: LawCases): readonly Setting[] =>
  [...settings.slice(0, 1), ...settings.slice(-2)].filter(setting =>
    settledIn(subject.entry, setting).every(candles => candles <= longest),
  )

/** A case of the setting, long enough for all starts. */
function longCase(cases: LawCases, setting: Setting, market: Market): LawCase {
  const needed = Math.max(...settledIn(cases.subject.entry, setting), latestStart)
  // In whole thousands, so that entries share their markets.
  const length = Math.ceil((needed + latestStart + compared) / 1000) * 1000
  return new LawCase(cases.subject, { ...setting, length }, market)
}

/** The runs of a case from each start. */
interface Runs {
  readonly lawCase: LawCase
  readonly later: readonly Run[]
}
function runsOf(cases: LawCases, setting: Setting, market: Market): Runs {
  const lawCase = longCase(cases, setting, market)
  return { lawCase, later: starts.map(start => runFrom(lawCase, start)) }
}

/** Calls `check` with each output of each run, the same output of the whole history, and the difference of one digit. */
function eachOutput(
  { lawCase, later }: Runs,
  check: (k: number, start: number, later: Float64Array, whole: Float64Array, size: number) => void,
): void {
  lawCase.whole.outputs.forEach((whole, k) => {
    const size = usualSize(whole)
    for (const [at, start] of starts.entries()) {
      check(k, start, later[at]?.outputs[k] as Float64Array, whole, size)
    }
  })
}

function expectSettled(runs: Runs, setting: Setting): void {
  const { lawCase } = runs
  const promises = settledIn(lawCase.entry, setting)
  eachOutput(runs, (k, start, later, whole, size) => {
    for (const [place, digits] of digitsPromised.entries()) {
      const promised = promises[place] as number
      const i = lastDifference(whole, later, start, size, digits)
      if (i < promised) continue
      const text = `${later[i]}, and ${whole[i + start]} in a history that began ${start} candles earlier`
      lawCase.fail(k, i, `${text}; ${digits} digits were promised after ${promised} candles`)
    }
  })
}

/** A start decides no tie: on markets of whole ticks the values agree as well. */
function expectNoTieByStart(runs: Runs, setting: Setting): void {
  const { lawCase } = runs
  const promised = Math.max(...settledIn(lawCase.entry, setting))
  eachOutput(runs, (k, start, later, whole, size) => {
    const i = lastDifference(whole, later, start, size, digitsOnTicks)
    if (i < promised) return
    const text = `${later[i]}, and ${whole[i + start]} in a history that began ${start} candles earlier`
    lawCase.fail(k, i, `${text}, though ${promised} candles settle it`)
  })
}

/** Whether the values of an output are whole numbers, which show little about the convergence of their sources. */
const isDecision = (values: Float64Array) =>
  values.every(value => Number.isNaN(value) || Number.isInteger(value))

/**
 * The candles that the slowest output needs in the worst market until `digits` digits agree; undefined if all are decisions.
 */
function measured(allRuns: readonly Runs[], digits: number): number | undefined {
  let most: number | undefined
  for (const runs of allRuns) {
    const decisions = runs.lawCase.whole.outputs.map(isDecision)
    eachOutput(runs, (k, start, later, whole, size) => {
      if (decisions[k]) return
      most = Math.max(most ?? 0, lastDifference(whole, later, start, size, digits) + 1)
    })
  }
  return most
}

/** The promise of a setting is not absurdly long. */
function expectTight({ subject: { entry } }: LawCases, setting: Setting, allRuns: readonly Runs[]): void {
  for (const [place, digits] of digitsPromised.entries()) {
    const promised = settledIn(entry, setting)[place] as number
    if (promised <= shortPromise) continue
    const candles = measured(allRuns, digits)
    if (candles === undefined || promised <= mostTimes * Math.max(candles, setting.lookback)) continue
    const promise = `${digits} digits are promised after ${promised} candles`
    throw new Violation(
      `${entry.name} ${JSON.stringify(setting.values)}: ${promise}, and agree after ${candles} in the worst market`,
    )
  }
}

/** Throws if values do not agree when promised, or, for `isTight`, agree long before. */
function expectFading(cases: LawCases, setting: Setting, isTight: boolean): void {
  const runs = startMarkets.map(market => runsOf(cases, setting, market))
  for (const each of runs) expectSettled(each, setting)
  if (!isTight) return
  const slowest = [spike, repeating(setting.lookback)].map(market => runsOf(cases, setting, market))
  expectTight(cases, setting, [...runs, ...slowest])
}

/** Throws if an entry does not forget its start as promised: after the lookback if the memory is finite. */
export function checkFading(cases: LawCases): void {
  const hasFading = typeof cases.subject.entry.memory !== 'string'
  for (const [place, setting] of triedSettings(cases).entries()) {
    if (hasFading) expectFading(cases, setting, place === 0)
    if (place > 0) continue
    for (const market of tickMarkets) expectNoTieByStart(runsOf(cases, setting, market), setting)
  }
}
