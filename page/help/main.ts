import '../style/tokens.css'
import './help.css'
import { h } from '../controls/dom.js'
import { applyTheme, matchSystemDark } from '../controls/theme.js'
import { effect } from '../view/signal.js'
import { PreferenceStore } from '../view/storage.js'
import { type Found, Search, type SearchedDocument } from './search.js'

/** The address of /help/, the base of all other addresses. */
const base = new URL('.', (document.currentScript as HTMLScriptElement).src)
const maxShownText = 160

const find = <Element extends HTMLElement>(selector: string) => document.querySelector(selector) as Element

/** The search field in the bar; its results replace the text of the page. */
class SearchField {
  readonly #input = find<HTMLInputElement>('search input')
  readonly #results = find('.results')
  readonly #article = find('article')
  #search: Promise<Search> | undefined

  constructor() {
    this.#input.addEventListener('input', () => void this.#show())
    document.addEventListener('keydown', event => this.#onKey(event))
    this.#input.value = new URLSearchParams(location.search).get('q') ?? ''
    if (this.#input.value !== '') void this.#show()
  }

  /** The index is loaded with the first search. */
  #load(): Promise<Search> {
    this.#search ??= fetch(new URL('search.json', base))
      .then(reply => reply.json())
      .then((documents: readonly SearchedDocument[]) => new Search(documents))
    return this.#search
  }

  async #show(): Promise<void> {
    const text = this.#input.value.trim()
    // Going back from a result leads to the results.
    const query = text === '' ? '' : `?${new URLSearchParams({ q: text })}`
    history.replaceState(null, '', `${location.pathname}${query}`)
    const found = text === '' ? [] : (await this.#load()).find(text)
    if (text !== this.#input.value.trim()) return
    this.#article.hidden = text !== ''
    this.#results.hidden = text === ''
    const count = found.length === 0 ? 'Nothing is found.' : `${found.length} found`
    this.#results.replaceChildren(
      h('h1', { text: 'Results' }),
      h('p', { class: 'count', text: count, attributes: { role: 'status' } }),
      h('ol', {}, ...found.map(resultOf)),
    )
  }

  #onKey(event: KeyboardEvent): void {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.key === '/' && isPlain && document.activeElement !== this.#input) {
      event.preventDefault()
      this.#input.select()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || this.#results.hidden) return
    const stops = [this.#input, ...this.#results.querySelectorAll('a')]
    const at = stops.indexOf(document.activeElement as HTMLInputElement)
    if (at < 0) return
    event.preventDefault()
    stops[at + step]?.focus()
  }
}

const resultOf = ({ address, title, document: from, text }: Found) => {
  // The list of all documents is at /help itself.
  const href = new URL(address === '' ? '../help' : address, base).href
  return h(
    'li',
    {},
    h('a', { text: title, attributes: { href } }),
    from !== title && h('span', { class: 'from', text: from }),
    h('p', { text: text.length > maxShownText ? `${text.slice(0, maxShownText)}…` : text }),
  )
}

// The colours are those of the page.
const isSystemDark = matchSystemDark()
effect(() => void applyTheme(new PreferenceStore().value, isSystemDark.value))
document.addEventListener('DOMContentLoaded', () => {
  new SearchField()
  // On a phone the list of documents would fill the screen.
  if (matchMedia('(max-width: 960px)').matches) find('nav details').removeAttribute('open')
})
