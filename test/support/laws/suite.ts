import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue, type Entry } from '../../../src/catalogue/index.js'
import { laws } from './law.js'
import { type Build, type Kernel, load } from './sandbox.js'
import { Trials } from './trial.js'

/** The kernel of an entry in a build; an entry without one is a mistake in the build. */
export function kernelOf(build: Build, entry: Entry): Kernel {
  const kernel = build.kernels[entry.kernel]
  if (!kernel) throw new Error(`${entry.name} has no kernel ${entry.kernel} in this build`)
  return kernel
}

/** Holds every entry of the catalogue to the laws in one build. */
export function describeLaws(name: 'release' | 'debug'): void {
  const build = load(name)
  describe(`the ${name} build`, () => {
    it('exports the kernels of the catalogue, its memory, the work on text and nothing else', () => {
      const kernels = [...catalogue.values()].map(entry => entry.kernel)
      const texts = ['findCandles', 'readCandles', 'writeNumbers']
      expect([...build.exports].sort()).toEqual(['memory', 'start', ...texts, ...kernels].sort())
    })

    it('imports nothing that could tell the time, draw lots or allocate', () => {
      expect(build.imports).toEqual(name === 'release' ? [] : ['env.abort'])
    })

    for (const entry of catalogue.values()) {
      describe(entry.name, () => {
        let trials: Trials | undefined
        beforeAll(() => {
          trials = new Trials({ entry, kernel: kernelOf(build, entry), place: build })
        })
        afterAll(() => {
          trials = undefined
        })
        for (const law of Object.values(laws)) {
          it(law.title, async ({ annotate }) => {
            if (!trials) return
            law.check(trials)
            if (law === laws.warmup && trials.isRare && trials.events === 0) {
              await annotate(
                `${entry.name} said nothing on any market: the laws were held to its silence only`,
              )
            }
          })
        }
      })
    }
  })
}
