import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { path } from '../support/fixture-market.js'
import type { PlainColumns } from '../support/kernel.js'
import { detectors, type Indicators, indicators, type Readings, signalsOf } from './detectors.js'
import type { Fixture } from './fixture.js'
import { checks } from './fixture-checks.js'
import { readFixtures } from './read-fixtures.js'

const fixtures = await readFixtures()

/** Whether TA-Lib has an indicator: then its vectors are TA-Lib's, and it needs no market of its own. */
function isOfTaLib(id: string): boolean {
  const file = new URL(`../vectors/${id}.json`, import.meta.url)
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).source.startsWith('TA-Lib')
}

describe('every indicator with signals', () => {
  it('has a fixture, unless TA-Lib has the indicator', () => {
    const ids = new Set(fixtures.map(({ id }) => id))
    const missing = detectors
      .filter(entry => signalsOf(entry).length > 0 && !ids.has(entry.name) && !isOfTaLib(entry.name))
      .map(({ name }) => name)
    expect(missing).toEqual([])
  })
})

for (const [k, fixture] of fixtures.entries()) {
  describe(`${fixture.id} (fixture ${k})`, () => {
    for (const [title, check] of Object.entries(checks)) {
      it(title, () => {
        expect(check(fixture, indicators)).toBeUndefined()
      })
    }
  })
}

/** Possible faults of an invented detector of closes beyond the extreme of four candles. */
interface Faults {
  readonly delay?: number
  readonly minRise?: number
  readonly repeats?: boolean
  readonly ignoresFalls?: boolean
  readonly usesTime?: boolean
}

const window = 4

/** Signals when the close first leaves the range of the four candles before it; `top` and `bottom` are that range. */
function breakouts(market: PlainColumns, faults: Faults): Readings {
  const { delay = 0, minRise = 0, repeats = false, ignoresFalls = false, usesTime = false } = faults
  const { high, low, close, timestamp } = market
  const value = close.map(() => 0)
  const top: (number | null)[] = close.map(() => null)
  const bottom: (number | null)[] = close.map(() => null)
  let side = 0
  for (let i = window; i + delay < close.length; i++) {
    const upper = Math.max(...high.slice(i - window, i))
    const lower = Math.min(...low.slice(i - window, i))
    const last = close[i] as number
    const now = last > upper + minRise ? 1 : last < lower && !ignoresFalls ? -1 : 0
    if (now === 0 || (now === side && !repeats)) continue
    if (usesTime && (timestamp[i] as number) > 2e9) continue
    side = now
    value[i + delay] = 100 * now
    top[i + delay] = upper
    bottom[i + delay] = lower
  }
  return { value, top, bottom }
}

const invented = (faults: Faults = {}): Indicators => ({
  defaultsOf: () => ({}),
  signalsOf: () => ['value'],
  readingsOf: (_id, market) => breakouts(market, faults),
})

describe('the checks of fixtures', () => {
  const fixture: Fixture = {
    id: 'breakout',
    market: path(
      [
        [8, 100],
        [4, 104],
      ],
      { from: 100 },
    ),
    at: 8,
    expected: { value: 100, top: 100.1, bottom: 99.9 },
    prices: ['top', 'bottom'],
    mirror: { id: 'breakout', value: -100 },
    noise: 0.05,
  }
  const failing = (given: Fixture, faults?: Faults) =>
    Object.keys(checks).filter(title => checks[title]?.(given, invented(faults)) !== undefined)

  it('pass where the pattern is found', () => {
    expect(failing(fixture)).toEqual([])
  })

  it.each<[string, Faults, string[]]>([
    [
      'reports late',
      { delay: 1 },
      ['gives the expected outputs at its confirming candle', 'is found in the mirrored market'],
    ],
    ['compares with a price', { minRise: 0.1 }, ['is the same at a ten thousandth of the price']],
    ['knows one side only', { ignoresFalls: true }, ['is found in the mirrored market']],
    ['depends on the time', { usesTime: true }, ['is the same at another time']],
  ])('fail for a detector that %s', (_fault, faults, titles) => {
    expect(failing(fixture, faults)).toEqual(titles)
  })

  it('fail where an expected number differs by a millionth', () => {
    const wrong = { ...fixture, expected: { ...fixture.expected, top: 100.1 * (1 + 1e-6) } }
    expect(failing(wrong)).toContain('gives the expected outputs at its confirming candle')
    expect(failing(wrong)).toContain('is found in the mirrored market')
  })

  it('fail for a signal before the confirming candle, unless the fixture names it', () => {
    const later = { ...fixture, at: 9, expected: { value: 100 } }
    expect(failing(later, { repeats: true })).toEqual(['gives no signal at other candles before'])
    expect(failing({ ...later, earlier: [8] }, { repeats: true })).toEqual([])
    expect(failing({ ...fixture, earlier: [3] })).toEqual(['gives no signal at other candles before'])
  })

  it('fail where noise hides the pattern', () => {
    expect(failing({ ...fixture, noise: 20 })).toEqual(['is found under noise'])
  })
})
