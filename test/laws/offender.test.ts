import { describe, expect, it } from 'vitest'
import { catalogue, type Entry } from '../../src/catalogue/index.js'
import { expectAgreement, laws } from '../support/laws/law.js'
import { load } from '../support/laws/sandbox.js'
import { settings } from '../support/laws/settings.js'
import { kernelOf } from '../support/laws/suite.js'
import { Trials, Violation } from '../support/laws/trial.js'
import { citizens, type Fixture, offenders, outvoted } from './fixtures/offender.js'

/** A fixture in a memory of its own, with some bytes below that belong to no one. */
function trialsOf({ entry, kernel }: Fixture): Trials {
  const memory = new WebAssembly.Memory({ initial: 16 })
  return new Trials({ entry, kernel: kernel(memory), place: { memory, start: 64 } })
}

/** The violation that `act` throws, also from within a property. */
function violationOf(act: () => void): Violation | undefined {
  try {
    act()
  } catch (thrown) {
    for (let error: unknown = thrown; error instanceof Error; error = error.cause) {
      if (error instanceof Violation) return error
    }
    throw thrown
  }
  return undefined
}

describe('the laws', () => {
  for (const citizen of citizens) {
    it(`have nothing against ${citizen.entry.name}`, () => {
      const trials = trialsOf(citizen)
      for (const law of Object.values(laws)) law.check(trials)
      expectAgreement(trials, trialsOf(citizen))
    })
  }

  for (const offender of offenders) {
    it(`refuse by ${offender.law} a kernel that ${offender.sin}`, () => {
      const violation = violationOf(() => laws[offender.law].check(trialsOf(offender)))
      expect(violation?.message).toMatch(offender.says)
      expect(violation?.message, 'the entry is named').toContain(offender.entry.name)
    })
  }

  it('have an offender each', () => {
    expect([...new Set(offenders.map(offender => offender.law))].sort()).toEqual(Object.keys(laws).sort())
  })

  const build = load('release')
  const talkative = [...catalogue.values()].filter(entry => entry.outputs.some(output => !output.sparse))
  for (const entry of talkative) {
    it(`refuse ${entry.name} when its lookback is off by one`, () => {
      const refusal = (offset: number) => {
        const lookback: Entry['lookback'] = values => Math.max(0, entry.lookback(values) + offset)
        const trials = new Trials({
          entry: { ...entry, lookback },
          kernel: kernelOf(build, entry),
          place: build,
        })
        return violationOf(() => laws.warmup.check(trials))?.message
      }
      expect(refusal(1), 'one candle too many').toMatch(/during the warm-up/)
      const isEver = settings(entry).some(setting => setting.lookback > 0)
      if (isEver) expect(refusal(-1), 'one candle too few').toMatch(/after the warm-up/)
    })
  }

  it('refuse builds that round differently', () => {
    const [mean] = citizens as readonly [Fixture]
    const violation = violationOf(() => expectAgreement(trialsOf(mean), trialsOf(outvoted)))
    expect(violation?.message).toMatch(
      /^mean \{"period":5\} on a random walk of 300 candles: value\[\d+\] is .* the other build$/,
    )
  })
})
