import './style/tokens.css'
import './style/layout.css'
import './style/controls.css'
import './style/chart.css'
import { App } from './app.js'
import { takeKey } from './view/address.js'
import { sessionKey } from './view/storage.js'

// Before anything else, so that the key is neither in a bookmark nor in what is copied from the address.
const { key, rest } = takeKey(location.hash)
if (key !== undefined) {
  sessionKey.write(key)
  history.replaceState(null, '', `${location.pathname}${location.search}${rest}`)
}

new App().start()
