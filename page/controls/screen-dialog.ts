import { formatCount } from '../../src/candles/format-count.js'
import { CloseHistory } from '../model/close-history.js'
import { Loader } from '../model/loader.js'
import {
  locateFault,
  readColumns,
  type ScreenFault,
  type SymbolList,
  screenRequest,
  valueNames,
} from '../model/screen-form.js'
import { type ScreenMessage, ScreenState } from '../model/screen-state.js'
import type { ServiceClient } from '../service/client.js'
import type { Streaming } from '../service/streaming.js'
import { writeAddress } from '../view/address.js'
import type { Market, View } from '../view/view.js'
import { BreadthFigure } from './breadth-figure.js'
import { h, setText } from './dom.js'
import { icon } from './icons.js'
import { ScreenFields } from './screen-form.js'
import { ScreenTable } from './screen-table.js'

interface Options {
  readonly client: ServiceClient
  readonly view: () => View
  readonly streaming: Pick<Streaming, 'screen' | 'breadth'>
  readonly onPick: (market: Market) => void
}

const maxFailuresShown = 50
let lastId = 0

/** Contents of the table. */
interface Shown {
  readonly market: Omit<Market, 'symbol'>
  readonly state: ScreenState
  readonly closes: CloseHistory
}

/** A screen of markets: the matches of a condition, as a table that follows the markets while it is open. */
export class ScreenDialog {
  readonly #options: Options
  readonly #fields = new ScreenFields(() => this.#begin())
  readonly #status = h('p', { class: 'screen-status', attributes: { role: 'status' } })
  readonly #progress = h('progress', { attributes: { 'aria-label': 'Markets fetched', hidden: true } })
  readonly #failures = h('details', { class: 'screen-failures', attributes: { hidden: true } })
  readonly #breadth: BreadthFigure
  readonly #result = h('div', {
    class: 'screen-result',
    attributes: { tabindex: 0, role: 'region', 'aria-label': 'Result' },
  })
  /** Scroll position of the table when a row was chosen; restored afterwards. */
  #scrolled = 0
  readonly #table: ScreenTable
  readonly #dialog: HTMLDialogElement
  #shown: Shown | undefined
  #hasExchanges = false
  /** Whether a change was not drawn, because the tab was in the background. */
  #isUndrawn = false

  constructor(options: Options) {
    this.#options = options
    this.#breadth = new BreadthFigure(options.streaming)
    this.#table = new ScreenTable({
      addressOf: symbol => writeAddress({ ...options.view(), market: this.#marketOf(symbol) }),
      onPick: symbol => {
        const market = this.#marketOf(symbol)
        this.#scrolled = this.#result.scrollTop
        this.close()
        options.onPick(market)
      },
      onSeen: (symbol, isSeen) =>
        isSeen ? this.#shown?.closes.show(symbol) : this.#shown?.closes.hide(symbol),
      closesOf: symbol => this.#shown?.closes.of(symbol) ?? [],
    })
    this.#dialog = this.#create()
    document.body.append(this.#dialog)
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && this.#isUndrawn) this.#draw()
    })
  }

  open(): void {
    this.#dialog.showModal()
    this.#fields.begin(this.#options.view().market)
    void this.#offerExchanges()
    void this.#offerLists()
    if (this.#shown) this.#begin()
  }

  close(): void {
    this.#dialog.close()
  }

  connectionLost(): void {
    if (this.#dialog.open && this.#shown)
      this.#say('The connection was lost. The table continues when the connection is back.')
  }

  #create(): HTMLDialogElement {
    const close = h(
      'button',
      { class: 'icon-button', attributes: { type: 'button', 'aria-label': 'Close' } },
      icon('close'),
    )
    close.addEventListener('click', () => this.close())
    const dialog = h(
      'dialog',
      { class: 'dialog screen', attributes: { 'aria-label': 'Screen of markets' } },
      h('header', {}, h('h2', { text: 'Screen of markets' }), close),
      this.#fields.element,
      h('div', { class: 'screen-state' }, this.#status, this.#progress),
      this.#breadth.element,
      // The table scrolls, so that it must be reachable by keyboard.
      this.#result,
    )
    dialog.addEventListener('click', event => {
      if (event.target === dialog) this.close()
    })
    dialog.addEventListener('close', () => {
      if (dialog.open) return
      this.#options.streaming.screen(undefined)
      this.#breadth.show(undefined)
      this.#shown?.closes.end()
    })
    this.#table.element.hidden = true
    this.#result.append(this.#table.element, this.#failures)
    return dialog
  }

  async #offerExchanges(): Promise<void> {
    if (this.#hasExchanges) return
    const outcome = await this.#options.client.get('exchanges')
    if (outcome.kind !== 'ok') return
    this.#hasExchanges = true
    this.#fields.offerExchanges((outcome.body as { exchanges: readonly string[] }).exchanges)
  }

  /** Loads the lists of symbols, which may have changed since the dialog was last open. */
  async #offerLists(): Promise<void> {
    const outcome = await this.#options.client.get('lists')
    if (outcome.kind === 'ok')
      this.#fields.offerLists((outcome.body as { lists: readonly SymbolList[] }).lists)
  }

  #marketOf(symbol: string): Market {
    return { ...(this.#shown?.market ?? this.#options.view().market), symbol }
  }

  #begin(): void {
    const form = this.#fields.read()
    const columns = readColumns(form.columns)
    const read = screenRequest(form, columns)
    if ('fault' in read) {
      this.#refuse(read.fault)
      return
    }
    this.#shown?.closes.end()
    const { client, streaming } = this.#options
    const market = { exchange: form.exchange.trim().toLowerCase(), timeframe: form.timeframe }
    const state = new ScreenState(valueNames(columns))
    const closes = new CloseHistory({
      loader: new Loader({ client, onStatus: () => {} }),
      market,
      onCloses: symbol => this.#table.drawCloses(symbol),
    })
    this.#shown = { market, state, closes }
    this.#fields.showFault(undefined)
    this.#table.element.hidden = true
    this.#failures.hidden = true
    this.#table.begin(['Close', ...columns.map(({ label }) => label)])
    this.#say('Waiting for the service …')
    this.#breadth.show({ screen: read.request, where: form.where })
    streaming.screen({
      id: `screen${++lastId}`,
      request: read.request,
      onMessage: message => {
        if (message.type === 'error') this.#refuse(locateFault(message.error, form.where, columns))
        else this.#receive(message)
      },
    })
  }

  #receive(message: Exclude<ScreenMessage, { type: 'error' }>): void {
    const { state, closes } = this.#shown as Shown
    if (message.type === 'screen_pending') {
      const { done, total } = message
      // A screen reader announces that candles are fetched, but not each number.
      const manner = this.#progress.hidden ? 'said' : 'quiet'
      this.#say(`Fetching candles: ${done} of ${total} markets`, manner)
      this.#progress.hidden = false
      this.#progress.max = total
      this.#progress.value = done
      return
    }
    state.receive(message)
    for (const { symbol, timestamp, values } of state.rows.values())
      closes.add(symbol, timestamp, values[0] as number)
    if (message.type === 'screen_ok') this.#say('Live')
    if (document.hidden) this.#isUndrawn = true
    else this.#draw()
  }

  #draw(): void {
    this.#isUndrawn = false
    const { rows, screened, failed } = (this.#shown as Shown).state
    const count = `The condition holds at ${rows.size} of ${screened} markets.`
    this.#table.element.hidden = false
    this.#table.show([...rows.values()], count)
    if (this.#scrolled > 0) this.#result.scrollTop = this.#scrolled
    this.#scrolled = 0
    this.#failures.hidden = failed.length === 0
    if (failed.length === 0) return
    const more = failed.length - maxFailuresShown
    const lines = failed.slice(0, maxFailuresShown).map(({ symbol, error }) => `${symbol}: ${error}`)
    if (more > 0) lines.push(`${more} more`)
    const title = `${formatCount(failed.length, 'market')} could not be screened`
    this.#failures.replaceChildren(h('summary', { text: title }), ...lines.map(text => h('p', { text })))
  }

  #refuse(fault: ScreenFault): void {
    this.#shown?.closes.end()
    this.#shown = undefined
    this.#options.streaming.screen(undefined)
    this.#breadth.show(undefined)
    this.#table.element.hidden = true
    this.#failures.hidden = true
    this.#say(fault.text, 'fault')
    this.#fields.showFault(fault)
  }

  #say(text: string, manner: 'said' | 'quiet' | 'fault' = 'said'): void {
    this.#progress.hidden = true
    this.#status.classList.toggle('is-error', manner === 'fault')
    this.#status.setAttribute('aria-live', manner === 'quiet' ? 'off' : 'polite')
    setText(this.#status, text)
  }
}
