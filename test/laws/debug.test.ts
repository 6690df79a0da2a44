import { laws } from '../support/laws/law.js'
import { longFor } from '../support/laws/settings.js'
import { describeLaws } from '../support/laws/suite.js'

// The other laws are about results, which are those of the release build bit for bit.
describeLaws('debug', { checked: [laws.range, laws.sanity], other: 'release', fewFor: longFor })
