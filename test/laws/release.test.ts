import { describeLaws } from './suite.js'

describeLaws('release')
