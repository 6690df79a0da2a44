import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Entry } from '../../../src/catalogue/index.js'
import { testedEntries } from '../built-kernels.js'
import { type Build, type Kernel, load } from './guarded-memory.js'
import { expectAgreement, type Law, laws } from './law.js'
import { LawCases } from './law-case.js'
import { longFor } from './settings.js'

/** The kernel of an entry in a build; throws if the build lacks it. */
export function kernelOf(build: Build, entry: Entry): Kernel {
  const kernel = build.kernels[entry.kernel]
  if (!kernel) throw new Error(`${entry.name} has no kernel ${entry.kernel} in this build`)
  return kernel
}

interface Extent {
  /** The laws to check; all by default. */
  readonly checked?: readonly Law[]
  /** Another build, which must return the same bits. */
  readonly other?: 'release' | 'debug'
  /** Options of the tests on few candles: `npm test` runs all of them by default. */
  readonly fewFor?: typeof longFor
}

/** Checks laws on every tested entry in one build. */
export function describeLaws(
  name: 'release' | 'debug',
  { checked = Object.values(laws), other, fewFor = () => ({}) }: Extent = {},
): void {
  const build = load(name)
  const otherBuild = other && load(other)
  describe(`the ${name} build`, () => {
    it('exports the kernels of the catalogue, its memory, the functions on text and of expressions, and nothing else', () => {
      const kernels = testedEntries.map(entry => entry.kernel)
      const texts = ['findCandles', 'readCandles', 'writeNumbers']
      const expressions = ['computePointwise', 'countFinite']
      expect([...build.exports].sort()).toEqual(
        ['memory', 'start', ...texts, ...expressions, ...kernels].sort(),
      )
    })

    it('imports nothing that gives the time or random numbers, or allocates', () => {
      expect(build.imports).toEqual(name === 'release' ? [] : ['env.abort'])
    })

    for (const entry of testedEntries) {
      const subject = { entry, kernel: kernelOf(build, entry), place: build }
      it(`${entry.name} keeps the laws on few candles`, fewFor(entry), () => {
        const cases = new LawCases(subject, true)
        // The last law is about thousands of candles.
        for (const law of checked.filter(each => each !== laws.fading)) law.check(cases)
      })

      describe(entry.name, longFor(entry), () => {
        let cases: LawCases | undefined
        beforeAll(() => {
          cases = new LawCases(subject)
        })
        afterAll(() => {
          cases = undefined
        })
        for (const law of checked) {
          it(law.title, async ({ annotate }) => {
            if (!cases) return
            law.check(cases)
            if (law === laws.warmup && cases.hasEvents && cases.events === 0) {
              await annotate(
                `${entry.name} has no event on any market: the laws were checked on a constant output only`,
              )
            }
          })
        }
        if (!otherBuild) return
        // Last, and with the cases of the laws, so that their results are not computed again.
        it(`the ${other} build gives the same bits`, () => {
          if (!cases) return
          expectAgreement(
            cases,
            new LawCases({ entry, kernel: kernelOf(otherBuild, entry), place: otherBuild }),
          )
        })
      })
    }
  })
}
