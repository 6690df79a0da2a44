import { formatChange, formatPrice, priceDecimals } from '../chart/numbers.js'
import type { OtherMarket } from '../model/other-market.js'
import type { OtherMarkets } from '../model/other-markets.js'
import type { Store } from '../model/store.js'
import { type Market, marketOf, symbolKey } from '../view/view.js'
import { h, setText } from './dom.js'
import { icon } from './icons.js'

/** Distance in pixels from which a row is dragged; less is a click. */
const dragPixels = 4

interface Options {
  readonly host: HTMLElement
  readonly store: Store
  /** The newest candles of a day of the markets in the list. */
  readonly watched: OtherMarkets
  readonly onPick: (market: Market) => void
  /** Called to search for a symbol to add. */
  readonly onSearch: () => void
  readonly onClose: () => void
}

interface Row {
  readonly element: HTMLElement
  readonly button: HTMLButtonElement
  /** The exchange, or the reason for a missing price. */
  readonly note: HTMLElement
  readonly price: HTMLElement
  readonly change: HTMLElement
}

/** Symbols with their last price, and the change since the close of the day before. */
export class Watchlist {
  readonly #options: Options
  readonly #list = h('ul', { class: 'watch-rows' })
  readonly #empty = h('p', {
    class: 'form-about',
    text: 'Symbols that you add are here with their last price.',
  })
  readonly #addCurrent = h('button', { class: 'button', attributes: { type: 'button' } })
  readonly #rows = new Map<string, Row>()
  /** Whether the pointer has dragged a row since it was pressed. */
  #isDragged = false

  constructor(options: Options) {
    this.#options = options
    const { host, onSearch, store } = options
    const tool = (label: string, shape: 'plus' | 'close', act: () => void) =>
      h(
        'button',
        {
          class: 'icon-button',
          attributes: { type: 'button', 'aria-label': label, title: label },
          on: { click: act },
        },
        icon(shape),
      )
    this.#addCurrent.addEventListener('click', () => this.add(store.market))
    host.append(
      h(
        'header',
        {},
        h('h2', { text: 'Watchlist' }),
        h('span', { class: 'spacer' }),
        tool('Add a symbol to the watchlist', 'plus', onSearch),
        tool('Close the watchlist', 'close', () => this.#close()),
      ),
      this.#empty,
      this.#list,
      h('footer', {}, this.#addCurrent),
      h('p', { class: 'form-about', text: 'Change since the close of the day before (UTC).' }),
    )
    host.addEventListener('keydown', event => this.#onKey(event))
  }

  toggle(): void {
    const { preferences } = this.#options.store
    if (preferences.value.isWatching) {
      this.#close()
      return
    }
    preferences.change({ isWatching: true })
    ;(this.#list.querySelector('button') ?? this.#addCurrent).focus()
  }

  #close(): void {
    this.#options.store.preferences.change({ isWatching: false })
    this.#options.onClose()
  }

  add(market: Market): void {
    const { preferences } = this.#options.store
    const key = symbolKey(market)
    const { watched } = preferences.value
    if (!watched.includes(key)) preferences.change({ watched: [...watched, key] })
  }

  /** Removes a symbol; the focus moves to the next one. */
  #remove(key: string): void {
    const { preferences } = this.#options.store
    const { watched } = preferences.value
    const at = watched.indexOf(key)
    preferences.change({ watched: watched.filter(each => each !== key) })
    const next = watched[at + 1] ?? watched[at - 1]
    ;(next === undefined ? this.#addCurrent : this.#rows.get(next)?.button)?.focus()
  }

  /** Moves a symbol to another position of the list. */
  #move(key: string, to: number): void {
    const { preferences } = this.#options.store
    const others = preferences.value.watched.filter(each => each !== key)
    if (to < 0 || to > others.length) return
    preferences.change({ watched: [...others.slice(0, to), key, ...others.slice(to)] })
  }

  /** Sorts the rows; the focused row keeps the focus. */
  #order(keys: readonly string[]): void {
    const focused = document.activeElement
    for (const [at, key] of keys.entries()) {
      const element = this.#rows.get(key)?.element
      const there = this.#list.children[at]
      if (element && element !== there) this.#list.insertBefore(element, there ?? null)
    }
    if (focused instanceof HTMLElement && this.#list.contains(focused)) focused.focus()
  }

  /** Lets a row follow the pointer to another position. */
  #drag(key: string, { clientY: from }: PointerEvent): void {
    this.#isDragged = false
    const onMove = ({ clientY }: PointerEvent) => {
      this.#isDragged ||= Math.abs(clientY - from) > dragPixels
      if (!this.#isDragged) return
      const rows = [...this.#list.children].map(row => row.getBoundingClientRect())
      const to = rows.findIndex(({ bottom }) => clientY < bottom)
      const at = this.#placeOf(key)
      const place = to < 0 ? rows.length - 1 : to
      if (place !== at) this.#move(key, place)
    }
    const ended = new AbortController()
    const { signal } = ended
    addEventListener('pointermove', onMove, { signal })
    for (const name of ['pointerup', 'pointercancel'] as const)
      addEventListener(name, () => ended.abort(), { signal })
  }

  #placeOf(key: string): number {
    return this.#options.store.preferences.value.watched.indexOf(key)
  }

  /** Draws the list again, and subscribes to its markets while it is open. */
  render(): void {
    const { host, store, watched } = this.#options
    const { watched: keys, isWatching } = store.preferences.value
    const { market } = store
    host.hidden = !isWatching
    const markets = keys.flatMap(key => marketOf(key, '1d') ?? [])
    watched.show(isWatching ? markets : [], 2)
    for (const [key, { element }] of this.#rows)
      if (!keys.includes(key)) {
        element.remove()
        this.#rows.delete(key)
      }
    for (const each of markets) {
      const { button } = this.#rows.get(symbolKey(each)) ?? this.#addRow(each)
      button.setAttribute('aria-current', String(symbolKey(each) === symbolKey(market)))
    }
    this.#order(keys)
    this.#empty.hidden = keys.length > 0
    this.#addCurrent.textContent = `Add ${market.symbol}`
    this.#addCurrent.hidden = keys.includes(symbolKey(market))
    for (const other of watched.all) this.show(other)
  }

  #addRow(market: Market): Row {
    const { store, onPick } = this.#options
    const { exchange, symbol } = market
    const key = symbolKey(market)
    const note = h('small', { text: exchange })
    const [price, change] = [h('span', { class: 'number' }), h('span', { class: 'number watch-change' })]
    const button = h(
      'button',
      {
        class: 'watch-row',
        attributes: { type: 'button', 'data-symbol': key },
        on: { click: () => onPick({ exchange, symbol, timeframe: store.market.timeframe }) },
      },
      h('span', { class: 'watch-name' }, h('strong', { text: symbol }), note),
      price,
      change,
    )
    const remove = h(
      'button',
      {
        class: 'tool',
        attributes: { type: 'button', 'aria-label': `Remove ${symbol} from the watchlist`, title: 'Remove' },
        on: { click: () => this.#remove(key) },
      },
      icon('close'),
    )
    const grip = h(
      'button',
      {
        class: 'tool grip',
        attributes: {
          type: 'button',
          'aria-label': `Move ${symbol} up or down: arrow keys`,
          title: 'Drag to move, click to move up',
        },
        on: {
          pointerdown: event => this.#drag(key, event),
          click: ({ detail }) => {
            // Without a pointer there is no click to count.
            if (detail === 0 || !this.#isDragged) this.#move(key, this.#placeOf(key) - 1)
          },
        },
      },
      icon('grip'),
    )
    const element = h('li', { attributes: { 'data-key': key } }, grip, button, remove)
    const row = { element, button, note, price, change }
    this.#rows.set(key, row)
    this.#list.append(element)
    return row
  }

  /** Shows the last price of a market, and its change. */
  show({ market, candles, error }: OtherMarket): void {
    const row = this.#rows.get(symbolKey(market))
    const [last, before] = [candles.at(-1), candles.at(-2)]
    if (!row || document.hidden) return
    const { price, change, note, button } = row
    setText(note, error ?? market.exchange)
    note.classList.toggle('is-error', error !== undefined)
    button.title = error ?? ''
    if (!last) return
    const decimals = priceDecimals(candles.flatMap(({ open, close }) => [open, close]))
    setText(price, formatPrice(last.close, decimals))
    const percent = 100 * (last.close / (before?.close ?? last.open) - 1)
    setText(change, formatChange(percent))
    row.element.classList.toggle('is-up', percent >= 0)
    row.element.classList.toggle('is-down', percent < 0)
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.#close()
    const focused = document.activeElement
    const keys = this.#options.store.preferences.value.watched
    const at = keys.indexOf(focused?.closest<HTMLElement>('[data-key]')?.dataset.key ?? '')
    const key = keys[at]
    if (key === undefined) return
    const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
    const next = steps[event.key]
    // With Alt, or on the handle, arrow keys move the symbol itself.
    const isMove = event.altKey || focused?.classList.contains('grip')
    if (event.key === 'Delete') this.#remove(key)
    else if (next === undefined) return
    else if (isMove) this.#move(key, next < 0 && event.key === 'End' ? keys.length - 1 : next)
    else this.#rows.get(keys.at(next % keys.length) ?? '')?.button.focus()
    event.preventDefault()
  }
}
