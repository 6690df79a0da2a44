import { readAddress, writeAddress } from '../view/address.js'
import { lastView } from '../view/storage.js'
import { isSameMarket, type Market } from '../view/view.js'
import type { Store } from './store.js'

/** The address of the page, which contains the view: another market is a step of the browser's history. */
export class AddressBar {
  readonly #store: Store
  /** The market of the address. */
  #market: Market | undefined

  constructor(store: Store) {
    this.#store = store
    addEventListener('popstate', () => {
      const view = readAddress(location.search)
      this.#market = view.market
      store.view.value = view
    })
  }

  get text(): string {
    return `${location.pathname}${writeAddress(this.#store.view.value)}`
  }

  /** Writes the view into the address, and stores it on this device. */
  write(): void {
    const { text } = this
    const { market } = this.#store
    const isStep = this.#market !== undefined && !isSameMarket(this.#market, market)
    this.#market = market
    lastView.write(text.slice(text.indexOf('?')))
    if (text === `${location.pathname}${location.search}`) return
    if (isStep) history.pushState(null, '', text)
    else history.replaceState(null, '', text)
  }
}
