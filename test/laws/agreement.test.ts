import { describe, it } from 'vitest'
import { catalogue } from '../../src/catalogue/index.js'
import { expectAgreement } from '../support/laws/law.js'
import { load } from '../support/laws/sandbox.js'
import { kernelOf } from '../support/laws/suite.js'
import { Trials } from '../support/laws/trial.js'

const release = load('release')
const debug = load('debug')

describe('the debug build and the release build', () => {
  for (const entry of catalogue.values()) {
    it(`give the same bits for ${entry.name}`, () => {
      expectAgreement(
        new Trials({ entry, kernel: kernelOf(release, entry), place: release }),
        new Trials({ entry, kernel: kernelOf(debug, entry), place: debug }),
      )
    })
  }
})
