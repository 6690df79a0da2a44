import { formatTableTime, zoneText } from '../chart/times.js'
import type { Picture } from '../model/picture.js'
import { type Language, languages, requestText } from '../model/request-text.js'
import { indexAt, type Value } from '../model/rows.js'
import type { Store } from '../model/store.js'
import { Signal } from '../view/signal.js'
import { h, newId, setAttribute } from './dom.js'
import { icon } from './icons.js'

type Tab = Language | 'Values'
const tabs: readonly Tab[] = [...languages, 'Values']
/** Largest number of characters of a reply that is shown. */
const maxShown = 6000
const maxTableRows = 30

interface Options {
  readonly host: HTMLElement
  readonly base: string
  readonly store: Store
  readonly picture: Picture
  readonly decimals: () => number
  /** A value of a study as text for people. */
  readonly text: (study: string, output: number, value: Value) => string
  readonly onClose: () => void
}

/** The request for the contents of the chart, to be copied, and the last reply unchanged. */
export class RequestDrawer {
  readonly #options: Options
  #tab: Tab = 'curl'
  readonly #isOpen = new Signal(false)
  readonly #panel: HTMLElement
  readonly #buttons: readonly HTMLButtonElement[]

  constructor(options: Options) {
    this.#options = options
    const panelId = newId('panel')
    this.#panel = h('div', {
      class: 'request-panel',
      attributes: { role: 'tabpanel', id: panelId, tabindex: 0 },
    })
    this.#buttons = tabs.map(tab =>
      h('button', {
        text: tab,
        attributes: { type: 'button', role: 'tab', id: newId('tab'), 'aria-controls': panelId },
        on: { click: () => this.#choose(tab) },
      }),
    )
    const list = h(
      'div',
      { class: 'tabs', attributes: { role: 'tablist', 'aria-label': 'Languages' } },
      ...this.#buttons,
    )
    list.addEventListener('keydown', event => this.#onKey(event))
    options.host.append(
      h(
        'header',
        {},
        h('h2', { text: 'Request' }),
        list,
        h('span', { class: 'spacer' }),
        this.#closeButton(),
      ),
      this.#panel,
    )
    options.host.addEventListener('keydown', event => {
      if (event.key === 'Escape') this.close()
    })
  }

  get isOpen(): boolean {
    return this.#isOpen.value
  }

  open(): void {
    this.#options.host.hidden = false
    this.#isOpen.value = true
    this.#buttons[tabs.indexOf(this.#tab)]?.focus()
  }

  close(): void {
    this.#options.host.hidden = true
    this.#isOpen.value = false
    this.#options.onClose()
  }

  /** Shows the present request and values; an effect repeats this after a change. */
  refresh(): void {
    if (!this.isOpen) return
    for (const [at, button] of this.#buttons.entries()) {
      const isChosen = tabs[at] === this.#tab
      setAttribute(button, 'aria-selected', String(isChosen))
      setAttribute(button, 'tabindex', isChosen ? 0 : -1)
      if (isChosen) this.#panel.setAttribute('aria-labelledby', button.id)
    }
    if (this.#tab === 'Values') this.#panel.replaceChildren(this.#table())
    else this.#panel.replaceChildren(this.#code(this.#tab), this.#raw())
  }

  /** Called for new values while the drawer is open. */
  valuesChanged(): void {
    if (this.#tab === 'Values') this.refresh()
  }

  #choose(tab: Tab): void {
    this.#tab = tab
    this.refresh()
  }

  #onKey({ key }: KeyboardEvent): void {
    const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    this.#choose(tabs[(tabs.indexOf(this.#tab) + by + tabs.length) % tabs.length] as Tab)
    this.#buttons[tabs.indexOf(this.#tab)]?.focus()
  }

  #closeButton(): HTMLElement {
    return h(
      'button',
      {
        class: 'icon-button',
        attributes: { type: 'button', 'aria-label': 'Close the request', title: 'Close' },
        on: { click: () => this.close() },
      },
      icon('close'),
    )
  }

  #code(language: Language): HTMLElement {
    const { base, store, picture } = this.#options
    const results = Math.max(1, picture.candles.length)
    const text = requestText(language, base, store.view.value, language === 'WebSocket' ? 1 : results)
    return h(
      'div',
      { class: 'code' },
      h(
        'pre',
        { attributes: { tabindex: 0, 'aria-label': `The request in ${language}` } },
        h('code', { text }),
      ),
      copyButton(() => text),
    )
  }

  #raw(): HTMLElement {
    const reply = this.#options.store.reply.value
    if (!reply) return h('p', { class: 'reply-head', text: 'No reply yet.' })
    const { request, status, text, ms } = reply
    const size = new Intl.NumberFormat('en').format(Math.ceil(text.length / 1024))
    const shown = text.length > maxShown ? `${text.slice(0, maxShown)} …` : text
    return h(
      'div',
      { class: 'reply' },
      h(
        'p',
        { class: 'reply-head' },
        h('span', { class: status === 200 ? 'chip' : 'chip is-error', text: String(status) }),
        h('code', { text: request.replace(/\?.*/, '') }),
        h('span', { class: 'number', text: `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms · ${size} KB` }),
      ),
      h('pre', { attributes: { tabindex: 0, 'aria-label': 'The last reply' } }, h('code', { text: shown })),
    )
  }

  /** The newest values as a table, for screen readers and people who prefer numbers. */
  #table(): HTMLElement {
    const { store, picture, decimals, text } = this.#options
    const { times } = store.preferences.value
    const columns = store.view.value.studies.flatMap(study => {
      const outputs = picture.studies.get(study.id)?.description?.outputs ?? []
      return outputs.map((output, at) => ({
        title: outputs.length === 1 ? study.id : `${study.id} ${output.name}`,
        text: (timestamp: number) => {
          const rows = picture.studies.get(study.id)?.rows ?? []
          const row = rows[indexAt(rows, timestamp)]
          const value = row?.timestamp === timestamp ? (row.values[at] ?? null) : null
          return text(study.id, at, value)
        },
      }))
    })
    const prices = ['open', 'high', 'low', 'close'] as const
    const heads = [`Time (${zoneText(times)})`, ...prices, 'volume', ...columns.map(({ title }) => title)]
    const rows = picture.candles.slice(-maxTableRows).toReversed()
    return h(
      'table',
      { class: 'values' },
      h('caption', { class: 'visually-hidden', text: `The newest ${rows.length} candles` }),
      h('thead', {}, h('tr', {}, ...heads.map(text => h('th', { text, attributes: { scope: 'col' } })))),
      h(
        'tbody',
        {},
        ...rows.map(candle =>
          h(
            'tr',
            { attributes: { 'data-timestamp': candle.timestamp } },
            h('th', { text: formatTableTime(candle.timestamp, times), attributes: { scope: 'row' } }),
            ...prices.map(price => h('td', { text: candle[price].toFixed(decimals()) })),
            h('td', { text: String(candle.volume) }),
            ...columns.map(column => h('td', { text: column.text(candle.timestamp) })),
          ),
        ),
      ),
    )
  }
}

/** A button that copies a text and confirms it. */
export function copyButton(text: () => string): HTMLButtonElement {
  const label = h('span', { text: 'Copy' })
  const button = h('button', { class: 'button copy', attributes: { type: 'button' } }, icon('copy'), label)
  button.addEventListener('click', async () => {
    label.textContent = (await copy(text())) ? 'Copied' : 'Not allowed'
    setTimeout(() => {
      label.textContent = 'Copy'
    }, 1500)
  })
  return button
}

/** Copies a text to the clipboard; false if the browser does not allow it. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Without https only the old API works, which copies a selection.
    const area = h('textarea', { class: 'visually-hidden', attributes: { readonly: true } })
    area.value = text
    document.body.append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    return isCopied
  }
}
