import { formatTableTime } from '../chart/times.js'
import { AlertBook, type AlertRequest, type Firing } from '../model/alert-book.js'
import type { Store } from '../model/store.js'
import type { ServiceClient } from '../service/client.js'
import { isTimeframe } from '../view/view.js'
import { AlertDialog } from './alert-dialog.js'
import type { Toasts } from './toasts.js'

interface Options {
  readonly store: Store
  readonly client: ServiceClient
  readonly toasts: Toasts
}

/** Alerts of the page: made with one act, listed, and shown when they fire. */
export class Alerting {
  readonly book: AlertBook
  readonly #options: Options
  readonly #dialog: AlertDialog

  constructor(options: Options) {
    this.#options = options
    this.book = new AlertBook(options.client)
    this.#dialog = new AlertDialog({
      store: options.store,
      book: this.book,
      onShow: ({ exchange, symbol, timeframe }) => {
        if (symbol !== undefined && isTimeframe(timeframe))
          options.store.change({ market: { exchange, symbol, timeframe } })
      },
    })
  }

  open(expression?: string): void {
    this.#dialog.open(expression)
  }

  /** Creates an alert about the market of the chart, and reports the result. */
  async make(request: Pick<AlertRequest, 'expression' | 'on' | 'name'>): Promise<void> {
    const { store, toasts } = this.#options
    const made = await this.book.create({ ...store.market, ...request })
    if ('fault' in made) {
      toasts.show(made.fault, { label: 'Change it', act: () => this.open(request.expression) })
      return
    }
    store.preferences.change({ alerts: true })
    toasts.show(`Alert is on: ${request.name ?? request.expression}`, {
      label: 'Undo',
      act: () => void this.book.remove(made.id),
    })
  }

  /** Shows an alert that has fired. */
  receive(firing: Firing): void {
    if (!this.book.receive(firing)) return
    const { store, toasts } = this.#options
    const { name, expression, symbol, exchange, timeframe, timestamp, test } = firing
    const time = formatTableTime(timestamp, store.preferences.value.times)
    const title = `${test ? 'Test: ' : ''}${name ?? expression}`
    const text = `${symbol} ${timeframe} · ${time}`
    const show = () => {
      if (isTimeframe(timeframe)) store.change({ market: { exchange, symbol, timeframe } })
    }
    toasts.show(`${title} · ${text}`, { label: 'Show', act: show })
    if (document.hidden && 'Notification' in globalThis && Notification.permission === 'granted')
      new Notification(title, { body: text, tag: firing.id })
  }
}
