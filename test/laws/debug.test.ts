import { laws } from '../support/laws/law.js'
import { describeLaws } from '../support/laws/suite.js'

// The other laws are about results, which agreement.test.ts finds to be those of the release build bit for bit.
describeLaws('debug', [laws.range, laws.sanity])
