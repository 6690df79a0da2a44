import fc from 'fast-check'
import { createRandom } from '../../../bench/random.js'
import type { Output } from '../../../src/catalogue/define.js'
import { type Market, markets } from './market.js'
import { type Arena, backgrounds } from './sandbox.js'
import { limit } from './settings.js'
import { type Run, type Trial, type Trials, Violation } from './trial.js'

/** A rule of the house for kernels. `check` throws a Violation that says entry, parameters, market and index. */
export interface Law {
  readonly title: string
  check(trials: Trials): void
}

/** Drawn splits and previews are the same ones in each run of the suite. */
const drawing = { seed: 20_230_517, numRuns: 6 }

/** The markets on which a law is held at length. */
const isChosen = (market: Market) => market === markets.walk || market.kind === 'lively'
/** Those with ties and jumps, on which it is held more briefly. */
const isUneven = (market: Market) => market === markets.gapped || market === markets.alternating

/** Cuts after every `size` candles. */
const every = (size: number, length: number) =>
  Array.from({ length: Math.ceil(length / size) - 1 }, (_, k) => (k + 1) * size)

/** Up to `most` ascending indices of a history, without its ends. */
const someIndices = (length: number, most: number) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: length - 1 }), { maxLength: most })
    .map(cuts => cuts.sort((a, b) => a - b))

/** The columns with `change` applied to the candles from `from` on; open times stay. */
function altered(
  trial: Trial,
  from: number,
  change: (value: number, k: number, i: number) => number,
  to = trial.length,
) {
  return trial.columns.map((column, k) => {
    if (trial.entry.inputs[k] === 'timestamp') return column
    const copy = column.slice()
    for (let i = from; i < to; i++) copy[i] = change(copy[i] as number, k, i)
    return copy
  })
}

const range: Law = {
  title: 'a call writes its range and reads no farther back than the lookback',
  check(trials) {
    for (const trial of trials.each(isChosen)) {
      backgrounds.forEach((background, round) => {
        const cuts = every([1, 13, 37][round] ?? 1, trial.length)
        const run = trial.run({ cuts, background, isVeiled: true })
        trial.expectSame(run, trial.whole, 'when everything out of reach is hidden')
      })
    }
  },
}

const warmup: Law = {
  title: 'exactly lookback candles are without a value',
  check(trials) {
    let hasValue = false
    for (const trial of trials.each()) {
      trial.whole.outputs.forEach((output, k) => {
        for (let i = 0; i < trial.length; i++) {
          const value = output[i] as number
          if (i < trial.lookback && !Number.isNaN(value))
            trial.refuse(k, i, `${value} during the warm-up of ${trial.lookback}`)
          hasValue ||= Number.isFinite(value)
          const isOwed = trial.market.kind === 'ordinary' && !trial.entry.outputs[k]?.sparse
          if (i >= trial.lookback && isOwed && !Number.isFinite(value)) {
            trial.refuse(
              k,
              i,
              `${value} after the warm-up of ${trial.lookback}; only a sparse output may be without a value`,
            )
          }
        }
      })
    }
    if (!hasValue)
      throw new Violation(`${trials.subject.entry.name} had no value on any market with any parameters`)
  },
}

const resumption: Law = {
  title: 'any split of the history gives the same bits',
  check(trials) {
    const expectSplit = (trial: Trial, cuts: readonly number[], how: string) =>
      trial.expectSame(
        trial.run({ cuts }),
        trial.whole,
        `when the history is split ${how}`,
        0,
        trial.length,
        true,
      )
    for (const trial of trials.each(isChosen)) {
      for (const size of [1, 2, 3, 7, 100]) expectSplit(trial, every(size, trial.length), `every ${size}`)
      const splits = fc.property(someIndices(trial.length, 12), cuts =>
        expectSplit(trial, cuts, `at ${cuts}`),
      )
      fc.assert(splits, drawing)
    }
    for (const trial of trials.each(isUneven)) {
      for (const size of [1, 11]) expectSplit(trial, every(size, trial.length), `every ${size}`)
    }
  },
}

const preview: Law = {
  title: 'a preview is what the closed candle gives, and leaves no trace',
  check(trials) {
    const tick = fc.double({ min: 0.9, max: 1.1, noNaN: true })
    for (const trial of trials.each(isChosen)) {
      const glimpse = trial.whole.outputs.map(output => output.slice())
      const peek = (arena: Arena, at: number, factor: number) => {
        const columns = altered(trial, at, value => value * factor, at + 1)
        const kept = arena.state.slice()
        arena.show(columns, 0, at + 1)
        trial.call(arena, at, at + 1, glimpse)
        arena.state.set(kept)
        arena.show(trial.columns, 0, trial.length)
        return columns
      }
      const previews = fc.property(someIndices(trial.length, 8), tick, tick, (points, first, second) => {
        const seen: { at: number; columns: readonly Float64Array[]; outputs: readonly Float64Array[] }[] = []
        const run = trial.run({
          cuts: points,
          before: (arena, at) => {
            peek(arena, at, first)
            const columns = peek(arena, at, second)
            seen.push({ at, columns, outputs: glimpse.map(output => output.slice()) })
          },
        })
        trial.expectSame(run, trial.whole, `after previews at ${points}`, 0, trial.length, true)
        for (const { at, columns, outputs } of seen) {
          const closed = trial.run({ columns, to: at + 1 })
          trial.expectSame(
            { outputs, state: run.state },
            closed,
            'as a preview of what the closed candle gives',
            at,
            at + 1,
          )
        }
      })
      fc.assert(previews, drawing)
    }
  },
}

const lookAhead: Law = {
  title: 'no value knows or changes with a later candle',
  check(trials) {
    for (const trial of trials.each(isChosen)) {
      const other = trial.inputs(markets.otherWalk.columns(trial.length))
      const edges = [trial.lookback, trial.lookback + 1].filter(m => m > 0 && m < trial.length)
      for (const m of [...edges, ...every(17, trial.length)]) {
        const futures = {
          'when the candles after it are others': altered(
            trial,
            m,
            (_, k, i) => 1.5 * (other[k]?.[i] as number),
          ),
          'when the candles after it are worth nothing': altered(trial, m, () => Number.NaN),
        }
        for (const [circumstance, columns] of Object.entries(futures)) {
          trial.expectSame(trial.run({ columns }), trial.whole, circumstance, 0, m)
        }
        trial.expectSame(trial.run({ to: m }), trial.whole, 'before the candles after it are there', 0, m)
      }
    }
  },
}

const purity: Law = {
  title: 'a result follows from the frame and the state alone',
  check(trials) {
    for (const trial of trials.each(isChosen)) {
      trial.expectSame(trial.run(), trial.whole, 'when calculated a second time', 0, trial.length, true)
      for (const background of backgrounds) {
        trial.expectSame(trial.run({ background }), trial.whole, 'when the memory held something else before')
      }
      const other = trial.inputs(markets.otherWalk.columns(trial.length))
      const aside = trial.whole.outputs.map(output => output.slice())
      const run = trial.run({
        cuts: every(61, trial.length),
        before: (arena, from) => {
          const kept = arena.state.slice()
          arena.show(other, 0, trial.length)
          trial.call(arena, 0, trial.length - from, aside)
          arena.state.set(kept)
          arena.show(trial.columns, 0, trial.length)
        },
      })
      trial.expectSame(
        run,
        trial.whole,
        'when another history is calculated in between',
        0,
        trial.length,
        true,
      )
    }
  },
}

/** Why `value` cannot be printed as its output says, or nothing. */
function anomaly(output: Output, value: number): string | undefined {
  if (Number.isNaN(value)) return undefined
  if (output.kind === 'flag') return value === 0 || value === 1 ? undefined : 'neither 0 nor 1'
  if (output.kind === 'label')
    return Object.hasOwn(output.labels, value) ? undefined : 'a code without a label'
  if (output.kind === 'signal')
    return Number.isInteger(value) && Math.abs(value) <= 200 ? undefined : 'not a signal'
  return undefined
}

const sanity: Law = {
  title: 'any market and any parameters give values that can be printed',
  check(trials) {
    const { entry } = trials.subject
    for (const values of [limit(entry), ...trials.settings.map(setting => setting.values)]) {
      for (const size of ['lookback', 'state'] as const) {
        const count = entry[size](values)
        if (!Number.isInteger(count) || count < 0 || count > 0x7fff_ffff) {
          throw new Violation(
            `${entry.name} ${JSON.stringify(values)}: ${size} is ${count}, not a whole number of 31 bits`,
          )
        }
      }
    }
    for (const trial of trials.each()) {
      trial.whole.outputs.forEach((output, k) => {
        for (let i = 0; i < trial.length; i++) {
          const value = output[i] as number
          if (Math.abs(value) === Number.POSITIVE_INFINITY && trial.market.kind !== 'extreme')
            trial.refuse(k, i, `${value}`)
          const odd = anomaly(entry.outputs[k] as Output, value)
          if (odd) trial.refuse(k, i, `${value}, ${odd}`)
        }
      })
    }
  },
}

const reach: Law = {
  title: 'one bad value spoils nothing outside its reach',
  check(trials) {
    const next = createRandom(11)
    for (const trial of trials.each(isChosen)) {
      const { length, lookback, entry } = trial
      trial.run({ columns: altered(trial, 0, () => Number.NaN) })
      const places = [
        0,
        lookback,
        Math.floor(lookback / 2),
        lookback + 1 + Math.floor(next() * (length - lookback - 1)),
      ]
      for (const at of places.filter(place => place < length)) {
        for (const [k, input] of entry.inputs.entries()) {
          if (input === 'timestamp') continue
          for (const bad of [Number.NaN, 1e300]) {
            const columns = altered(trial, at, (value, column) => (column === k ? bad : value), at + 1)
            const run: Run = trial.run({ columns })
            const circumstance = `when ${input}[${at}] is ${bad}`
            trial.expectSame(run, trial.whole, circumstance, 0, at)
            if (entry.memory === 'finite') trial.expectSame(run, trial.whole, circumstance, at + lookback + 1)
          }
        }
      }
    }
  },
}

/** The laws that one instance can be held to, by their names in the design. */
export const laws = { range, warmup, resumption, preview, lookAhead, purity, sanity, reach } as const

/** Throws a Violation where two builds of the same entry give different bits. */
export function expectAgreement(trials: Trials, others: Trials): void {
  for (const trial of trials.each()) {
    const setting = { values: trial.values, length: trial.length, lookback: trial.lookback }
    const other = others.on(setting, trial.market).whole
    trial.expectSame(trial.whole, other, 'the other build', 0, trial.length, true)
  }
}
