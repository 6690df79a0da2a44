import { describe, it } from 'vitest'
import { catalogue } from '../../src/catalogue/index.js'
import { load } from '../support/laws/guarded-memory.js'
import { expectAgreement } from '../support/laws/law.js'
import { LawCases } from '../support/laws/law-case.js'
import { kernelOf } from '../support/laws/suite.js'

const release = load('release')
const debug = load('debug')

describe('the debug build and the release build', () => {
  for (const entry of catalogue.values()) {
    it(`give the same bits for ${entry.name}`, () => {
      expectAgreement(
        new LawCases({ entry, kernel: kernelOf(release, entry), place: release }),
        new LawCases({ entry, kernel: kernelOf(debug, entry), place: debug }),
      )
    })
  }
})
