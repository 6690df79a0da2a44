import { createRandom } from '../../../bench/random.js'
import type { AverageParam, Param, Values } from '../../../src/catalogue/define.js'
import { catalogue, type Entry } from '../../../src/catalogue/index.js'
import { encode } from '../../../src/compute/wasm/module.js'

/** One choice of parameters under test, with the number of candles that shows its values. */
export interface Setting {
  readonly values: Values
  readonly length: number
  readonly lookback: number
}

type Value = Values[string]

/** Candles of every run, unless the warm-up is longer. */
const minLength = 300
/** Minimum number of candles with a value, unless the warm-up is meant to outlast the history. */
const minValues = 160
/** The longest tested warm-up, to limit the running time. */
const maxLookback = 600

/** Candles of a run, in whole hundreds so that entries share their markets. */
const enough = (lookback: number) => Math.max(minLength, Math.ceil((lookback + minValues) / 100) * 100)

/** Every kind of moving average as a request gives it: TA-Lib's by their numbers. */
const kindsOf = ({ of, max }: AverageParam): readonly Value[] =>
  of.map((name, number) => (number <= max ? number : name))

const smallest = (param: Param): Value =>
  param.kind === 'choice' ? (param.of[0] as string) : param.kind === 'flag' ? false : param.min

/** The largest value, but no window longer than `bound` if a smaller one is allowed. */
const largestValue = (param: Param, bound: number): Value => {
  if (param.kind === 'choice') return param.of[param.of.length - 1] as string
  if (param.kind === 'flag') return true
  return param.kind === 'integer' ? Math.min(param.max, Math.max(param.min, bound)) : param.max
}

const randomValue = (param: Param, next: () => number): Value => {
  if (param.kind === 'choice') return param.of[Math.floor(next() * param.of.length)] as string
  if (param.kind === 'flag') return next() < 0.5
  if (param.kind === 'average') return kindsOf(param)[Math.floor(next() * param.of.length)] as Value
  const max = Math.min(param.max, Math.max(param.min + 5, 3 * param.default))
  const value = param.min + next() * (max - param.min)
  return param.kind === 'integer' ? Math.round(value) : value
}

/** The values, with the ones in the wrong order exchanged. */
const ordered = ({ relations }: Entry, values: Values): Values => {
  const found = { ...values }
  for (const { lower, upper } of relations) {
    if (Number(found[lower]) > Number(found[upper])) {
      const value = found[lower] as Value
      found[lower] = found[upper] as Value
      found[upper] = value
    }
  }
  return found
}

/** The values of a parameter that selects a way of calculating. */
const ways = (param: Param): readonly Value[] => {
  if (param.kind === 'choice') return param.of
  if (param.kind === 'flag') return [false, true]
  if (param.kind === 'average') return kindsOf(param).slice(0, param.max + 1)
  if (param.kind === 'number' || param.max - param.min > 12) return []
  return Array.from({ length: param.max - param.min + 1 }, (_, i) => param.min + i)
}

const seedOf = (text: string) =>
  [...text].reduce((seed, letter) => Math.imul(seed, 31) + letter.charCodeAt(0), 7)

/**
 * The tested parameters of an entry: default, minimum, maximum (windows cut to the length of the history), a warm-up longer
 * than the history, every way of calculating, and three random ones (the same ones each time).
 */
export function settings(entry: Entry): readonly Setting[] {
  const each = (value: (param: Param) => Value): Values =>
    Object.fromEntries(Object.entries(entry.params).map(([name, param]) => [name, value(param)]))
  const isBrief = (values: Values) => entry.lookback(values) <= maxLookback
  const found = new Map<string, Setting>()
  const add = (values: Values, length?: number) => {
    const lookback = entry.lookback(values)
    const key = JSON.stringify(values)
    if (!found.has(key)) found.set(key, { values, lookback, length: length ?? enough(lookback) })
  }

  const standard = each(param => param.default)
  add(standard)
  add(each(smallest))
  const largest = [100, 60, 40, 25, 15, 10, 5].map(bound => each(param => largestValue(param, bound)))
  add(largest.find(isBrief) ?? each(smallest))
  const outlasting = Array.from({ length: 16 }, (_, k) => each(param => largestValue(param, 8 << k)))
  const outlasts = outlasting.find(values => entry.lookback(values) >= minLength)
  if (outlasts && entry.lookback(outlasts) < 50_000) add(outlasts, minLength)
  for (const [name, param] of Object.entries(entry.params)) {
    for (const value of ways(param)) add({ ...standard, [name]: value })
  }
  const next = createRandom(seedOf(entry.name))
  // Averages that have a name only: `ma` is tested with each of them; the other indicators share its code and are tested
  // with about three.
  const averages = Object.entries(entry.params).filter(([, param]) => param.kind === 'average')
  const kinds = averages.length === 0 ? [] : kindsOf(averages[0]?.[1] as AverageParam)
  for (let k = 0; k < kinds.length; k++) {
    if (entry.name !== 'ma' && next() > 3 / kinds.length) continue
    // At every parameter at once, but with different kinds.
    const chosen = averages.map(([name], place) => [name, kinds[(k + 7 * place) % kinds.length] as Value])
    add({ ...standard, ...Object.fromEntries(chosen) })
  }
  for (let i = 0; i < 3; i++) {
    const values = ordered(
      entry,
      each(param => randomValue(param, next)),
    )
    if (isBrief(values)) add(values)
  }
  return [...found.values()]
}

/** The default parameters, over as few candles as show values. */
export function fewCandles(entry: Entry): Setting {
  const [standard] = settings(entry) as [Setting]
  // Whole fifties, so that entries share their markets.
  return { ...standard, length: Math.ceil((standard.lookback + 120) / 50) * 50 }
}

const standardOf = ({ params }: Entry): Values =>
  Object.fromEntries(Object.entries(params).map(([name, param]) => [name, param.default]))

/** The features of an entry by which kernels differ: its outputs, the size of its state with its memory, and its sources. */
function featuresOf(entry: Entry): readonly string[] {
  const { outputs, state, memory, sources } = entry
  const count = state(standardOf(entry))
  const size = count === 0 ? 'none' : count < 16 ? 'numbers' : 'columns'
  return [
    ...outputs.map(({ kind, sparse }) => `${kind} ${sparse}`),
    `${size} ${typeof memory === 'string' ? memory : 'fading'}`,
    `${sources} sources`,
  ]
}

const features = new Set<string>()
/** Entries that have a feature which none before them has, the kernel that takes the least time first. */
const representatives = new Set(
  [...catalogue.values()]
    .sort((a, b) => a.work(standardOf(a)) - b.work(standardOf(b)))
    .filter(entry => {
      const found = featuresOf(entry)
      const isNew = found.some(feature => !features.has(feature))
      for (const feature of found) features.add(feature)
      return isNew
    }),
)

/** Options of a long test: `npm test` runs it for few entries that have all features. */
export const longFor = (entry: Entry): { tags?: string[] } =>
  representatives.has(entry) ? {} : { tags: ['kernels'] }

/** The largest parameters of a request. */
export const limit = (entry: Entry): Values =>
  Object.fromEntries(
    Object.entries(entry.params).map(([name, param]) => [
      name,
      largestValue(param, Number.POSITIVE_INFINITY),
    ]),
  )

/** Parameters in the form of the kernel, in the order of the entry. */
export const numbers = (entry: Entry, values: Values): readonly number[] =>
  Object.keys(entry.params).map(name => encode(entry, name, values))
