import { describeLaws } from './suite.js'

describeLaws('debug')
