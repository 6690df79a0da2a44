import { describeLaws } from '../support/laws/suite.js'

describeLaws('release')
