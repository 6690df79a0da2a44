import './style/tokens.css'
import './style/layout.css'
import './style/controls.css'
import './style/chart.css'
import './style/screen.css'
import './style/alerts.css'
import './style/tools.css'
import { App } from './app.js'
import { takeKey } from './view/address.js'
import { sessionKey } from './view/storage.js'

/** Moves the key from the address into the storage, so that neither bookmarks nor copied addresses contain it. */
function adoptKey(): boolean {
  const { key, rest } = takeKey(location.hash)
  if (key === undefined) return false
  sessionKey.write(key)
  history.replaceState(null, '', `${location.pathname}${location.search}${rest}`)
  return true
}

adoptKey()
// The link was opened in a tab that shows the page already.
addEventListener('hashchange', () => {
  if (adoptKey()) location.reload()
})
new App().start()
