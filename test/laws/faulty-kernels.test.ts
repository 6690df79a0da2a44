import { describe, expect, it } from 'vitest'
import { catalogue, type Entry } from '../../src/catalogue/index.js'
import { load } from '../support/laws/guarded-memory.js'
import { expectAgreement, laws } from '../support/laws/law.js'
import { LawCases, Violation } from '../support/laws/law-case.js'
import { longFor, settings } from '../support/laws/settings.js'
import { kernelOf } from '../support/laws/suite.js'
import { differentlyRounded, type Fixture, faultyKernels, lawfulKernels } from './fixtures/faulty-kernels.js'

/** Cases of a fixture in a memory of its own. The first 64 bytes stand for the bytes of a module. */
function casesOf({ entry, kernel }: Fixture): LawCases {
  const memory = new WebAssembly.Memory({ initial: 16 })
  return new LawCases({ entry, kernel: kernel(memory), place: { memory, start: 64 } })
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
  for (const lawful of lawfulKernels) {
    it(`accept ${lawful.entry.name}`, () => {
      const cases = casesOf(lawful)
      for (const law of Object.values(laws)) law.check(cases)
      expectAgreement(cases, casesOf(lawful))
    })
  }

  for (const faulty of faultyKernels) {
    it(`report by ${faulty.law} a kernel that ${faulty.fault}`, () => {
      const violation = violationOf(() => laws[faulty.law].check(casesOf(faulty)))
      expect(violation?.message).toMatch(faulty.message)
      expect(violation?.message, 'the entry is named').toContain(faulty.entry.name)
    })
  }

  it('have a faulty kernel each', () => {
    expect([...new Set(faultyKernels.map(faulty => faulty.law))].sort()).toEqual(Object.keys(laws).sort())
  })

  const build = load('release')
  const dense = [...catalogue.values()].filter(entry => entry.outputs.some(output => !output.sparse))
  for (const entry of dense) {
    it(`report ${entry.name} when its lookback is off by one`, longFor(entry), () => {
      const refusal = (offset: number) => {
        const shifted =
          (lookback: Entry['lookback']): Entry['lookback'] =>
          values =>
            Math.max(0, lookback(values) + offset)
        const outputs = entry.outputs.map(output =>
          output.lookback ? { ...output, lookback: shifted(output.lookback) } : output,
        )
        const cases = new LawCases({
          entry: { ...entry, outputs, lookback: shifted(entry.lookback) },
          kernel: kernelOf(build, entry),
          place: build,
        })
        return violationOf(() => laws.warmup.check(cases))?.message
      }
      expect(refusal(1), 'one candle too many').toMatch(/during the warm-up/)
      // An output may begin earlier than the entry, whose lookback is also how far back the kernel reads.
      const isEver = settings(entry).some(({ values, lookback }) =>
        entry.outputs.some(output => !output.sparse && (output.lookback?.(values) ?? lookback) > 0),
      )
      if (isEver) expect(refusal(-1), 'one candle too few').toMatch(/after the warm-up/)
    })
  }

  it('report builds that round differently', () => {
    const [mean] = lawfulKernels as readonly [Fixture]
    const violation = violationOf(() => expectAgreement(casesOf(mean), casesOf(differentlyRounded)))
    expect(violation?.message).toMatch(
      /^mean \{"period":5\} on a random walk of 300 candles: value\[\d+\] is .* the other build$/,
    )
  })
})
