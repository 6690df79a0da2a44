import fc from 'fast-check'
import { createRandom } from '../../../bench/random.js'
import { namesPerColumn, type Output } from '../../../src/catalogue/define.js'
import type { Entry } from '../../../src/catalogue/index.js'
import { checkFading } from './fading.js'
import { fillPatterns, type GuardedMemory } from './guarded-memory.js'
import { type LawCase, type LawCases, type Run, Violation } from './law-case.js'
import { type Market, markets } from './market.js'
import { limit } from './settings.js'

/** A property of every kernel. `check` throws a Violation that names the entry, its parameters, the market and the index. */
export interface Law {
  readonly title: string
  check(cases: LawCases): void
}

/** Fixed seed, so that random splits and previews are the same in each run of the suite. */
const propertySettings = ({ isFew }: LawCases) => ({ seed: 20_230_517, numRuns: isFew ? 1 : 4 })

/** The markets on which a law is checked with many splits. */
const isChosen = (market: Market) => market === markets.walk || market.kind === 'patterned'
/** Markets with ties and jumps, on which a law is checked with few splits. */
const hasTiesAndJumps = (market: Market) =>
  market === markets.gapped || market === markets.alternating || market === markets.pennies

/** Cuts after every `size` candles. */
const every = (size: number, length: number) =>
  Array.from({ length: Math.ceil(length / size) - 1 }, (_, k) => (k + 1) * size)

/** Up to `most` ascending indices of a history, without its ends. */
const indices = (length: number, most: number) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: length - 1 }), { maxLength: most })
    .map(cuts => cuts.sort((a, b) => a - b))

/** The columns with `change` applied to the candles from `from` on; open times stay. */
function altered(
  lawCase: LawCase,
  from: number,
  change: (value: number, k: number, i: number) => number,
  to = lawCase.length,
) {
  return lawCase.columns.map((column, k) => {
    if (lawCase.entry.inputs[k] === 'timestamp') return column
    const copy = column.slice()
    for (let i = from; i < to; i++) copy[i] = change(copy[i] as number, k, i)
    return copy
  })
}

const range: Law = {
  title: 'a call writes its range and its state and reads no farther back than the lookback',
  check(cases) {
    for (const lawCase of cases.each(isChosen)) {
      fillPatterns.forEach((pattern, round) => {
        const cuts = every([1, 13, 37][round] ?? 1, lawCase.length)
        const run = lawCase.run({ cuts, pattern, hidesUnreadable: true })
        lawCase.expectSame(run, lawCase.whole, 'when everything that it must not read is hidden')
        if (lawCase.lookback < lawCase.length) lawCase.expectWholeState(run, pattern)
      })
    }
  },
}

const warmup: Law = {
  title: 'exactly lookback candles are without a value',
  check(cases) {
    let hasValue = false
    for (const lawCase of cases.each()) {
      lawCase.whole.outputs.forEach((output, k) => {
        const lookback = lawCase.lookbackOf(k)
        for (let i = 0; i < lawCase.length; i++) {
          const value = output[i] as number
          if (i < lookback && !Number.isNaN(value))
            lawCase.fail(k, i, `${value} during the warm-up of ${lookback}`)
          hasValue ||= Number.isFinite(value)
          const isRequired = lawCase.market.kind === 'ordinary' && !lawCase.printed[k]?.sparse
          if (i >= lookback && isRequired && !Number.isFinite(value)) {
            lawCase.fail(
              k,
              i,
              `${value} after the warm-up of ${lookback}; only a sparse output may be without a value`,
            )
          }
        }
      })
    }
    if (!hasValue)
      throw new Violation(`${cases.subject.entry.name} had no value on any market with any parameters`)
  },
}

const resumption: Law = {
  title: 'any split of the history gives the same bits',
  check(cases) {
    const expectSplit = (lawCase: LawCase, cuts: readonly number[], how: string) =>
      lawCase.expectSame(
        lawCase.run({ cuts }),
        lawCase.whole,
        `when the history is split ${how}`,
        0,
        lawCase.length,
        true,
      )
    for (const lawCase of cases.each(isChosen)) {
      for (const size of cases.isFew ? [7] : [1, 2, 3, 7, 100])
        expectSplit(lawCase, every(size, lawCase.length), `every ${size}`)
      const splits = fc.property(indices(lawCase.length, 12), cuts =>
        expectSplit(lawCase, cuts, `at ${cuts}`),
      )
      fc.assert(splits, propertySettings(cases))
    }
    for (const lawCase of cases.each(hasTiesAndJumps)) {
      for (const size of [1, 11]) expectSplit(lawCase, every(size, lawCase.length), `every ${size}`)
    }
  },
}

const preview: Law = {
  title: 'a preview has the values of the closed candle, and changes nothing afterwards',
  check(cases) {
    const tick = fc.double({ min: 0.9, max: 1.1, noNaN: true })
    for (const lawCase of cases.each(isChosen)) {
      const previewOutputs = lawCase.whole.outputs.map(output => output.slice())
      const calculatePreview = (guarded: GuardedMemory, at: number, factor: number) => {
        const columns = altered(lawCase, at, value => value * factor, at + 1)
        const savedState = guarded.state.slice()
        guarded.show(columns, 0, at + 1)
        guarded.call(at, at + 1, previewOutputs)
        guarded.state.set(savedState)
        guarded.show(lawCase.columns, 0, lawCase.length)
        return columns
      }
      const previews = fc.property(indices(lawCase.length, 8), tick, tick, (points, first, second) => {
        const seen: { at: number; columns: readonly Float64Array[]; outputs: readonly Float64Array[] }[] = []
        const run = lawCase.run({
          cuts: points,
          before: (guarded, at) => {
            calculatePreview(guarded, at, first)
            const columns = calculatePreview(guarded, at, second)
            seen.push({ at, columns, outputs: previewOutputs.map(output => output.slice()) })
          },
        })
        lawCase.expectSame(run, lawCase.whole, `after previews at ${points}`, 0, lawCase.length, true)
        for (const { at, columns, outputs } of seen) {
          const closed = lawCase.run({ columns, to: at + 1 })
          lawCase.expectSame(
            { outputs, state: run.state },
            closed,
            'as a preview of what the closed candle gives',
            at,
            at + 1,
          )
        }
      })
      fc.assert(previews, propertySettings(cases))
    }
  },
}

const lookAhead: Law = {
  title: 'no value depends on a later candle',
  check(cases) {
    for (const lawCase of cases.each(isChosen)) {
      const other = lawCase.inputs(markets.otherWalk.columns(lawCase.length))
      // Few places: the first law hides every later candle from each call, candle by candle.
      const edges = [lawCase.lookback, lawCase.lookback + 1].filter(m => m > 0 && m < lawCase.length)
      for (const m of [...edges, ...every(79, lawCase.length)]) {
        const futures = {
          'when the candles after it are others': altered(
            lawCase,
            m,
            (_, k, i) => 1.5 * (other[k]?.[i] as number),
          ),
          'when the candles after it are NaN': altered(lawCase, m, () => Number.NaN),
        }
        for (const [circumstance, columns] of Object.entries(futures)) {
          lawCase.expectSame(lawCase.run({ columns }), lawCase.whole, circumstance, 0, m)
        }
        lawCase.expectSame(
          lawCase.run({ to: m }),
          lawCase.whole,
          'before the candles after it are there',
          0,
          m,
        )
      }
    }
  },
}

const purity: Law = {
  title: 'a result depends on the frame and the state alone',
  check(cases) {
    for (const lawCase of cases.each(isChosen)) {
      lawCase.expectSame(
        lawCase.run(),
        lawCase.whole,
        'when calculated a second time',
        0,
        lawCase.length,
        true,
      )
      for (const pattern of fillPatterns) {
        lawCase.expectSame(
          lawCase.run({ pattern }),
          lawCase.whole,
          'when the memory held something else before',
        )
      }
      const other = lawCase.inputs(markets.otherWalk.columns(lawCase.length))
      const otherOutputs = lawCase.whole.outputs.map(output => output.slice())
      const run = lawCase.run({
        cuts: every(61, lawCase.length),
        before: (guarded, from) => {
          const savedState = guarded.state.slice()
          guarded.show(other, 0, lawCase.length)
          guarded.call(0, lawCase.length - from, otherOutputs)
          guarded.state.set(savedState)
          guarded.show(lawCase.columns, 0, lawCase.length)
        },
      })
      lawCase.expectSame(
        run,
        lawCase.whole,
        'when another history is calculated in between',
        0,
        lawCase.length,
        true,
      )
    }
  },
}

/** Reason why `value` cannot be printed as its output requires, or nothing. */
function anomaly(output: Output, value: number, scale: Entry['scale']): string | undefined {
  if (Number.isNaN(value)) return undefined
  if (output.kind === 'number') {
    const { minimum = -Infinity, maximum = Infinity } = scale ?? {}
    return value < minimum || value > maximum ? 'outside of its scale' : undefined
  }
  if (output.kind === 'flag') return value === 0 || value === 1 ? undefined : 'neither 0 nor 1'
  if (output.kind === 'label')
    return Object.hasOwn(output.labels, value) ? undefined : 'a code without a label'
  if (output.kind === 'names')
    return Number.isInteger(value) && value >= 0 && value < 2 ** namesPerColumn ? undefined : 'not a bit mask'
  if (output.kind === 'signal')
    return Number.isInteger(value) && Math.abs(value) <= 200 ? undefined : 'not a signal'
  return undefined
}

const sanity: Law = {
  title: 'any market and any parameters give values that can be printed and lie within their scale',
  check(cases) {
    const { entry } = cases.subject
    for (const values of [limit(entry), ...cases.settings.map(setting => setting.values)]) {
      for (const size of ['lookback', 'state'] as const) {
        const count = entry[size](values)
        if (!Number.isInteger(count) || count < 0 || count > 0x7fff_ffff) {
          throw new Violation(
            `${entry.name} ${JSON.stringify(values)}: ${size} is ${count}, not a whole number of 31 bits`,
          )
        }
      }
    }
    for (const lawCase of cases.each()) {
      lawCase.whole.outputs.forEach((output, k) => {
        for (let i = 0; i < lawCase.length; i++) {
          const value = output[i] as number
          if (Math.abs(value) === Number.POSITIVE_INFINITY && lawCase.market.kind !== 'extreme')
            lawCase.fail(k, i, `${value}`)
          const problem = anomaly(lawCase.printed[k] as Output, value, entry.scale)
          if (problem) lawCase.fail(k, i, `${value}, ${problem}`)
        }
      })
    }
  },
}

const badValues: Law = {
  title: 'one bad value changes nothing before it, and nothing after the lookback where the memory is finite',
  check(cases) {
    const next = createRandom(11)
    for (const lawCase of cases.each(isChosen)) {
      const { length, lookback, entry } = lawCase
      lawCase.run({ columns: altered(lawCase, 0, () => Number.NaN) })
      const places = [
        0,
        lookback,
        Math.floor(lookback / 2),
        lookback + 1 + Math.floor(next() * (length - lookback - 1)),
      ]
      for (const at of places.slice(cases.isFew ? -2 : 0).filter(place => place < length)) {
        for (const [k, input] of entry.inputs.entries()) {
          if (input === 'timestamp') continue
          for (const bad of [Number.NaN, 1e300]) {
            const columns = altered(lawCase, at, (value, column) => (column === k ? bad : value), at + 1)
            const run: Run = lawCase.run({ columns })
            const circumstance = `when ${input}[${at}] is ${bad}`
            lawCase.expectSame(run, lawCase.whole, circumstance, 0, at)
            if (entry.memory === 'finite')
              lawCase.expectSame(run, lawCase.whole, circumstance, at + lookback + 1)
          }
        }
      }
    }
  },
}

/** A power of two near ten thousand: numbers times it lose no digit, so that every tie stays a tie. */
const unit = 2 ** 13
/** Tolerance relative to a value, or to a thousandth of the largest one: functions such as a logarithm round differently. */
const scaleTolerance = 1e-9

const scale: Law = {
  title: 'prices or volumes in another unit change each output by its degree',
  check(cases) {
    for (const lawCase of cases.each(market => isChosen(market) || market === markets.gapped)) {
      for (const factor of [unit, 1 / unit]) {
        for (const [place, measure] of (['prices', 'volumes'] as const).entries()) {
          const isScaled = (k: number) =>
            lawCase.entry.inputs[k] !== 'timestamp' &&
            (lawCase.entry.inputs[k] === 'volume') === (place === 1)
          const columns = altered(lawCase, 0, (value, k) => (isScaled(k) ? value * factor : value))
          const { outputs } = lawCase.run({ columns })
          outputs.forEach((output, k) => {
            const printed = lawCase.entry.outputs.find(({ column }) => column === k)
            const degree = printed?.degree?.(lawCase.values) ?? 'free'
            const exponent = degree === 'free' ? degree : degree[place]
            if (exponent === 'free') return
            const power = factor ** (exponent ?? 0)
            const whole = lawCase.whole.outputs[k] as Float64Array
            const largest = whole.reduce(
              (top, value) => (Number.isFinite(value) ? Math.max(top, Math.abs(value)) : top),
              0,
            )
            for (let i = 0; i < lawCase.length; i++) {
              const wanted = (whole[i] as number) * power
              const value = output[i] as number
              const isSame =
                (Number.isNaN(value) && Number.isNaN(wanted)) ||
                Math.abs(value - wanted) <=
                  scaleTolerance * Math.max(Math.abs(wanted), 1e-3 * largest * power)
              if (!isSame) lawCase.fail(k, i, `${value}, not ${wanted}, when ${measure} are times ${factor}`)
            }
          })
        }
      }
    }
  },
}

const fading: Law = {
  title:
    'six histories that begin at different candles agree to the digits promised, when they were promised',
  check: checkFading,
}

/** The laws for one build, by name. */
export const laws = {
  range,
  warmup,
  resumption,
  preview,
  lookAhead,
  purity,
  sanity,
  badValues,
  scale,
  fading,
} as const

/**
 * Throws a Violation if two builds of the same entry return different bits, in one call or candle by candle. All other
 * results of the laws for one build then hold for the other.
 */
export function expectAgreement(cases: LawCases, others: LawCases): void {
  const otherOf = (lawCase: LawCase) =>
    others.on({ values: lawCase.values, length: lawCase.length, lookback: lawCase.lookback }, lawCase.market)
  const compare = (lawCase: LawCase, run: Run) =>
    lawCase.expectSame(lawCase.whole, run, 'the other build', 0, lawCase.length, true)
  for (const lawCase of cases.each()) compare(lawCase, otherOf(lawCase).whole)
  for (const lawCase of cases.each(isChosen)) {
    const cuts = every(1, lawCase.length)
    compare(lawCase, otherOf(lawCase).run({ cuts }))
  }
}
