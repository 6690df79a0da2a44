import { mirrored, noisy, scaled, shifted } from '../support/fixture-market.js'
import type { Given, PlainColumns } from '../support/kernel.js'
import type { Indicators, Readings } from './detectors.js'
import type { Fixture, Reading } from './fixture.js'

/** Relative to the value. */
const tolerance = 1e-9
/** Number of candles by which noise may move the confirmation of a pattern, earlier or later. */
const noiseCandles = 3
const noiseSeeds = [1, 2, 3, 4, 5]

const week = 7 * 86_400
/** 400 Gregorian years are whole weeks: months and years begin at the same candles. */
const shifts = { '1 week': week, '400 years': 20_871 * week }

/** A check of a fixture. Returns a sentence about the fault, or undefined. */
type Check = (fixture: Fixture, indicators: Indicators) => string | undefined

const isEqual = (got: Reading | undefined, expected: Reading) =>
  typeof got === 'number' && typeof expected === 'number'
    ? Math.abs(got - expected) <= tolerance * Math.abs(expected)
    : got === expected

/** The signals by which a fixture is recognized: all signals whose expected value is not 0. */
const signalsIn = ({ id, expected }: Fixture, indicators: Indicators) =>
  indicators.signalsOf(id).filter(name => (expected[name] ?? 0) !== 0)

/** The candles before `end` at which one of the signals is given. */
const candlesOf = (readings: Readings, signals: readonly string[], end: number) =>
  Array.from({ length: end }, (_, i) => i).filter(i => signals.some(name => (readings[name]?.[i] ?? 0) !== 0))

/** The first reading that differs from `expected`, which gives the reading of an output at a candle. */
function firstDifference(
  readings: Readings,
  names: readonly string[],
  candles: Iterable<number>,
  expected: (name: string, i: number) => Reading,
): string | undefined {
  for (const i of candles) {
    for (const name of names) {
      const got = readings[name]?.[i]
      const wanted = expected(name, i)
      if (!isEqual(got, wanted)) return `${name} is ${got} at candle ${i}, expected is ${wanted}`
    }
  }
  return undefined
}

/** Compares the expected outputs in a changed market with the outputs in the market of the fixture. */
function changed(
  fixture: Fixture,
  indicators: Indicators,
  market: PlainColumns,
  price: (value: number) => number,
): string | undefined {
  const { id, params, expected, prices } = fixture
  const before = indicators.readingsOf(id, fixture.market, params)
  const after = indicators.readingsOf(id, market, params)
  return firstDifference(after, Object.keys(expected), market.close.keys(), (name, i) => {
    const reading = before[name]?.[i] ?? null
    return typeof reading === 'number' && prices.includes(name) ? price(reading) : reading
  })
}

const scaledBy =
  (factor: number): Check =>
  (fixture, indicators) =>
    changed(fixture, indicators, scaled(fixture.market, factor), price => price * factor)

/** Words that change places when a market is turned upside down. */
const opposites = [
  ['top', 'bottom'],
  ['Top', 'Bottom'],
  ['upper', 'lower'],
  ['high', 'low'],
  ['High', 'Low'],
  ['up', 'down'],
  ['buy', 'sell'],
  ['support', 'resistance'],
  ['Ascent', 'Descent'],
  ['Height', 'Depth'],
  ['r', 's'],
] as const

/** Name of the opposite of `name`, which the mirrored market shows; `name` if `names` lacks an opposite. */
function opposite(name: string, names: readonly string[]): string {
  for (const pair of opposites) {
    for (const [from, to] of [pair, [...pair].reverse() as [string, string]]) {
      const other = name.replace(from, to)
      if (name.includes(from) && names.includes(other)) return other
    }
  }
  return name
}

const mirrorParams = (params: Given, names: readonly string[]): Given =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      names.includes(name) ? name : opposite(name, names),
      value,
    ]),
  )

/** All checks by the property that they require. */
export const checks: Readonly<Record<string, Check>> = {
  'gives the expected outputs at its confirming candle': ({ id, params, market, at, expected }, indicators) =>
    firstDifference(
      indicators.readingsOf(id, market, params),
      Object.keys(expected),
      [at],
      name => expected[name] as Reading,
    ),

  'gives no signal at other candles before': (fixture, indicators) => {
    const { id, params, market, at, earlier = [] } = fixture
    const readings = indicators.readingsOf(id, market, params)
    const given = candlesOf(readings, signalsIn(fixture, indicators), at)
    return `${given}` === `${earlier}` ? undefined : `signals at candles [${given}], expected [${earlier}]`
  },

  'is the same at a ten thousandth of the price': scaledBy(1e-4),
  'is the same at ten thousand times the price': scaledBy(1e4),

  'is the same at another time': (fixture, indicators) => {
    const anchor = fixture.params?.anchor
    const moves = anchor === 'month' || anchor === 'year' ? [shifts['400 years']] : Object.values(shifts)
    for (const seconds of moves) {
      const found = changed(fixture, indicators, shifted(fixture.market, seconds), price => price)
      if (found) return `${seconds / week} weeks later ${found}`
    }
    return undefined
  },

  'is found in the mirrored market': (fixture, indicators) => {
    const { params = {}, market, at, expected, prices, mirror } = fixture
    if (!mirror) return undefined
    const centre = (Math.max(...market.high) + Math.min(...market.low)) / 2
    const given = mirrorParams(params, Object.keys(indicators.defaultsOf(mirror.id)))
    const readings = indicators.readingsOf(mirror.id, mirrored(market, centre), given)
    const names = Object.keys(readings)
    const wanted: Record<string, Reading> = {}
    for (const name of signalsIn(fixture, indicators)) wanted[opposite(name, names)] = mirror.value
    for (const name of prices) {
      const price = expected[name]
      if (typeof price === 'number') wanted[opposite(name, names)] = 2 * centre - price
    }
    return firstDifference(readings, Object.keys(wanted), [at], name => wanted[name] as Reading)
  },

  'is found under noise': (fixture, indicators) => {
    const { id, params, market, at, expected, noise } = fixture
    if (noise === undefined) return undefined
    const signals = signalsIn(fixture, indicators)
    for (const seed of noiseSeeds) {
      const readings = indicators.readingsOf(id, noisy(market, noise, seed), params)
      for (const name of signals) {
        const near = readings[name]?.slice(Math.max(0, at - noiseCandles), at + noiseCandles + 1)
        if (!near?.includes(expected[name] as Reading))
          return `${name} is [${near}] around candle ${at} with the noise of seed ${seed}`
      }
    }
    return undefined
  },
}
