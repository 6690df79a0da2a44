import { formatCount } from '../../src/candles/format-count.js'
import { formatTableTime } from '../chart/times.js'
import type { Alert, AlertBook } from '../model/alert-book.js'
import { faultRange } from '../model/expression.js'
import type { Store } from '../model/store.js'
import { effect, Signal } from '../view/signal.js'
import type { TimeZoneChoice } from '../view/time-zone.js'
import { dialogFrame } from './dialogs.js'
import { h, helpLink, setAttribute, setText } from './dom.js'
import { field, textInput } from './field.js'
import { type IconName, icon } from './icons.js'

interface Options {
  readonly store: Store
  readonly book: AlertBook
  /** Opens the chart of an alert. */
  readonly onShow: (alert: Alert) => void
}

const maxLettersShown = 20

/** The alerts of the key as a list, and a form for a new one. */
export class AlertDialog {
  readonly #options: Options
  readonly #expression = textInput({ required: true })
  readonly #moment = h(
    'select',
    {},
    h('option', { text: 'When the candle has closed', attributes: { value: 'close' } }),
    h('option', { text: 'At once, while the candle forms', attributes: { value: 'update' } }),
  )
  readonly #name = textInput({})
  readonly #webhook = textInput({ placeholder: 'https://…' })
  readonly #said = h('p', { class: 'screen-status', attributes: { role: 'status' } })
  readonly #list = h('div', { class: 'alert-list' })
  readonly #title = h('p', { class: 'card-note' })
  readonly #isOpen = new Signal(false)
  readonly #dialog: HTMLDialogElement

  constructor(options: Options) {
    this.#options = options
    this.#dialog = dialogFrame(
      'Alerts',
      this.#title,
      this.#form(),
      this.#said,
      this.#list,
      this.#permission(),
    )
    this.#dialog.classList.add('is-wide')
    this.#dialog.addEventListener('close', () => {
      this.#isOpen.value = this.#dialog.open
    })
    document.body.append(this.#dialog)
    effect(() => {
      if (this.#isOpen.value) this.#render()
    })
  }

  open(expression = ''): void {
    const { symbol, exchange, timeframe } = this.#options.store.market
    setText(this.#title, `A new alert is about ${symbol} on ${exchange}, candles of ${timeframe}.`)
    this.#expression.value = expression
    this.#say('')
    if (!this.#dialog.open) this.#dialog.showModal()
    this.#isOpen.value = true
    this.#expression.focus()
    void this.#do(this.#options.book.load())
  }

  #say(text: string, isError = false): void {
    setText(this.#said, text)
    this.#said.classList.toggle('is-error', isError)
  }

  async #do(work: Promise<string | undefined>): Promise<void> {
    const fault = await work
    if (fault !== undefined) this.#say(fault, true)
  }

  #form(): HTMLElement {
    const submit = (event: Event) => {
      event.preventDefault()
      void this.#create()
    }
    this.#expression.classList.add('is-code')
    return h(
      'form',
      { class: 'alert-form', on: { submit } },
      field(
        'alert',
        'Condition',
        this.#expression,
        'An expression that is true or false, such as rsi(14) < 30',
      ),
      field('alert', 'When', this.#moment),
      field('alert', 'Name', this.#name),
      field('alert', 'Webhook', this.#webhook, 'Without one, it is shown on this page'),
      h(
        'div',
        { class: 'form-acts' },
        h('button', { class: 'button is-main', text: 'Make the alert', attributes: { type: 'submit' } }),
        helpLink('When an alert fires', '/alerts#make-one'),
        helpLink('What can be typed', '/expressions'),
      ),
    )
  }

  async #create(): Promise<void> {
    const { store, book } = this.#options
    const [expression, name, webhook] = [this.#expression, this.#name, this.#webhook].map(({ value }) =>
      value.trim(),
    )
    const made = await book.create({
      ...store.market,
      expression: expression ?? '',
      on: this.#moment.value === 'update' ? 'update' : 'close',
      ...(name && { name }),
      ...(webhook && { webhook }),
    })
    const isRefused = 'fault' in made
    setAttribute(this.#expression, 'aria-invalid', isRefused ? 'true' : undefined)
    if (isRefused) {
      this.#say(made.fault, true)
      const range = faultRange(this.#expression.value, made.fault)
      this.#expression.focus()
      if (range) this.#expression.setSelectionRange(...range)
      return
    }
    if (!webhook) store.preferences.change({ alerts: true })
    this.#say(
      made.secret === undefined
        ? 'The alert is made.'
        : `The alert is made. The secret of its webhook, shown this once: ${made.secret}`,
    )
  }

  #render(): void {
    const { book, store } = this.#options
    const alerts = book.alerts.value
    const letters = book.deadLetters.value
    const { times } = store.preferences.value
    if (!alerts) this.#list.replaceChildren(h('p', { class: 'card-note', text: 'Loading …' }))
    else if (alerts.length === 0)
      this.#list.replaceChildren(
        h('p', {
          class: 'card-note',
          text: 'There is no alert yet. A right click on the chart makes one at a price or at the level of an indicator.',
        }),
      )
    else {
      const heads = ['Alert', 'Market', 'State', 'Last fired', 'Goes to', '']
      this.#list.replaceChildren(
        h(
          'table',
          { class: 'values alert-table' },
          h('caption', { class: 'visually-hidden', text: 'The alerts of the key' }),
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              ...heads.map(text =>
                h(text === '' ? 'td' : 'th', {
                  text,
                  attributes: { scope: text === '' ? undefined : 'col' },
                }),
              ),
            ),
          ),
          h('tbody', {}, ...alerts.map(alert => this.#row(alert, times))),
        ),
      )
    }
    if (letters.length === 0) return
    const lines = letters
      .slice(0, maxLettersShown)
      .map(
        ({ alert, failed, reason }) =>
          `${formatTableTime(failed, times)} · ${nameOf(alerts, alert)}: ${reason}`,
      )
    this.#list.append(
      h(
        'details',
        { class: 'screen-failures' },
        h('summary', {
          text: `${formatCount(letters.length, 'message')} could not be delivered`,
        }),
        ...lines.map(text => h('p', { text })),
      ),
    )
  }

  #row(alert: Alert, times: TimeZoneChoice): HTMLElement {
    const { book, onShow } = this.#options
    const { id, name, expression, symbol, symbols, exchange, timeframe, paused, fired, webhook } = alert
    const tool = (label: string, shape: IconName, act: () => void) =>
      h(
        'button',
        {
          class: 'tool',
          attributes: { type: 'button', 'aria-label': `${label}: ${name ?? expression}`, title: label },
          on: { click: act },
        },
        icon(shape),
      )
    const show = h('button', {
      class: 'link-button',
      text: `${symbol ?? formatCount(symbols?.length ?? 0, 'symbol')} ${timeframe} · ${exchange}`,
      attributes: { type: 'button' },
      on: {
        click: () => {
          this.#dialog.close()
          onShow(alert)
        },
      },
    })
    return h(
      'tr',
      { attributes: { 'data-alert': id } },
      h(
        'th',
        { attributes: { scope: 'row' } },
        name && h('strong', { text: name }),
        h('code', { text: expression }),
      ),
      h('td', {}, symbol === undefined ? (show.textContent ?? '') : show),
      h('td', { text: paused ? 'Paused' : 'On' }),
      h('td', { text: fired === undefined ? 'never' : formatTableTime(fired, times) }),
      h('td', { text: webhook === undefined ? 'This page' : new URL(webhook).host }),
      h(
        'td',
        {},
        tool('Send a test', 'send', () => void book.test(id).then(text => this.#say(text))),
        tool(
          paused ? 'Resume' : 'Pause',
          paused ? 'play' : 'pause',
          () => void this.#do(book.setPaused(id, !paused)),
        ),
        tool('Delete', 'close', () => void this.#do(book.remove(id))),
      ),
    )
  }

  /** Button to allow notifications, which browsers require to be requested by an act of the person. */
  #permission(): HTMLElement {
    const button = h('button', {
      class: 'button',
      text: 'Notify me while another tab is open',
      attributes: {
        type: 'button',
        hidden: !('Notification' in globalThis) || Notification.permission !== 'default',
      },
    })
    button.addEventListener('click', async () => {
      const answer = await Notification.requestPermission()
      button.hidden = answer !== 'default'
      this.#say(
        answer === 'granted'
          ? 'The browser will show what fires.'
          : 'The browser does not allow notifications.',
      )
    })
    return button
  }
}

const nameOf = (alerts: readonly Alert[] | undefined, id: string) => {
  const alert = alerts?.find(each => each.id === id)
  return alert?.name ?? alert?.expression ?? id
}
