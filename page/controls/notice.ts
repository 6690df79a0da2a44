import { formatAge } from '../../src/candles/age.js'
import type { Status } from '../model/status.js'
import type { Market } from '../view/view.js'
import { h, helpLink, newId } from './dom.js'
import { type IconName, icon, skeleton } from './icons.js'

interface Options {
  /** Covers the chart while it has no candles. */
  readonly cover: HTMLElement
  /** A line over a chart that has candles. */
  readonly line: HTMLElement
  /** The state in one word, in the bar. */
  readonly badge: HTMLElement
  readonly onRetry: () => void
  readonly onKey: (key: string, isOnDevice: boolean) => void
  readonly onMarket: (market: Market) => void
  readonly onSearch: () => void
}

const command = 'npx candela-ta keys create --plan pro --name me'

/** Whole seconds until a time. */
const secondsTo = (time: number) => Math.max(0, Math.ceil((time - Date.now()) / 1000))

const badges: Readonly<Record<Status['kind'], string>> = {
  loading: 'Loading',
  pending: 'Fetching',
  live: 'Live',
  reconnecting: 'Reconnecting',
  stopped: 'No service',
  stale: 'Delayed',
  unavailable: 'Unavailable',
  limited: 'Plan used up',
  'no-key': 'No key',
  'unknown-market': 'Not found',
  refused: 'No candles',
}

/**
 * Sections of the help by state; a refusal's text is searched for instead. The help is not reachable while the service does
 * not answer.
 */
const helpSections: Partial<Readonly<Record<Status['kind'], string>>> = {
  pending: '/requests#first-request-for-a-market',
  stale: '/messages#exchanges',
  unavailable: '/messages#exchanges',
  limited: '/keys',
  'no-key': '/messages#the-key',
  'unknown-market': '/exchanges',
}

function helpOf(status: Status): Node | false {
  const section =
    status.kind === 'refused' ? `?${new URLSearchParams({ q: status.error })}` : helpSections[status.kind]
  return section !== undefined && helpLink('What does this mean?', section)
}

/** The state as a sentence, for states that need one. */
function sentenceOf(status: Status): string {
  switch (status.kind) {
    case 'reconnecting':
      return `The connection was lost. Connecting again in ${secondsTo(status.retryAt)} s.`
    case 'stopped':
      return `The service does not answer. The next attempt is in ${secondsTo(status.retryAt)} s.`
    case 'stale':
      return `${status.exchange} gives no newer candles: the last one ended ${formatAge(status.age)} ago.`
    case 'unavailable':
      return `${status.error} The next attempt is in ${secondsTo(status.retryAt)} s.`
    case 'limited':
      return `${status.error} The window ends in ${secondsTo(status.retryAt)} s; loading continues then.`
    default:
      return ''
  }
}

/** Shows the state of the chart: as a cover without candles, otherwise as a line and a badge. */
export class Notice {
  readonly #options: Options
  #status: Status | undefined
  #hasCandles = false
  #timer: ReturnType<typeof setInterval> | undefined
  #sentence: HTMLElement | undefined

  constructor(options: Options) {
    this.#options = options
  }

  show(status: Status, hasCandles: boolean): void {
    const isSame = status.kind === this.#status?.kind && hasCandles === this.#hasCandles
    this.#status = status
    this.#hasCandles = hasCandles
    const { cover, line, badge } = this.#options
    badge.textContent = badges[status.kind]
    badge.dataset.kind = status.kind
    document.body.dataset.status = status.kind
    // A cover with a focused field is not redrawn.
    if (!isSame || status.kind === 'unknown-market') {
      const isCovered = !hasCandles || status.kind === 'no-key'
      cover.hidden = !isCovered
      cover.replaceChildren(...(isCovered ? this.#cover(status) : []))
      const help = helpOf(status)
      if (help) cover.querySelector('.card')?.append(h('p', { class: 'card-note' }, help))
      const sentence = sentenceOf(status)
      line.hidden = isCovered || sentence === ''
      line.replaceChildren(...(line.hidden ? [] : this.#line(status)))
    }
    this.#tick()
    clearInterval(this.#timer)
    if ('retryAt' in status) this.#timer = setInterval(() => this.#tick(), 1000)
  }

  #tick(): void {
    if (this.#status && this.#sentence?.isConnected) this.#sentence.textContent = sentenceOf(this.#status)
  }

  #line(status: Status): readonly Node[] {
    this.#sentence = h('span')
    const canRetry = status.kind === 'reconnecting' || status.kind === 'stopped'
    return [
      h('span', { class: 'dot' }),
      this.#sentence,
      ...[helpOf(status)].filter(each => each !== false),
      ...(canRetry ? [this.#button('Try now', this.#options.onRetry)] : []),
    ]
  }

  #button(text: string, act: () => void): HTMLElement {
    return h('button', { class: 'button', text, attributes: { type: 'button' }, on: { click: act } })
  }

  #cover(status: Status): readonly Node[] {
    if (status.kind === 'loading' || status.kind === 'live')
      return [skeleton(), h('p', { class: 'visually-hidden', text: 'Loading candles' })]
    if (status.kind === 'pending') {
      const { exchange, symbol, timeframe } = status.market
      const text = `The service gets the ${timeframe} candles of ${symbol} from ${exchange} for the first time. This takes some seconds.`
      return [skeleton(), this.#card('indicators', 'Fetching candles', h('p', { text }))]
    }
    if (status.kind === 'no-key') return [this.#keyCard(status.error)]
    if (status.kind === 'unknown-market') return [this.#unknownCard(status)]
    if (status.kind === 'refused')
      return [
        this.#card(
          'search',
          'No candles',
          h('p', { text: status.error }),
          this.#button('Search', this.#options.onSearch),
        ),
      ]
    this.#sentence = h('p')
    const titles: Partial<Record<Status['kind'], string>> = {
      limited: 'Your plan is used up',
      unavailable: 'The exchange is unavailable',
      stopped: 'The service does not answer',
    }
    const help =
      status.kind === 'stopped' &&
      h(
        'p',
        { class: 'card-note' },
        'Is it running? It is started with ',
        h('code', { text: 'npm start' }),
        '.',
      )
    return [
      this.#card(
        'help',
        titles[status.kind] ?? badges[status.kind],
        this.#sentence,
        help,
        status.kind === 'stopped' && this.#button('Try now', this.#options.onRetry),
      ),
    ]
  }

  #card(shape: IconName, title: string, ...children: readonly (Node | false)[]): HTMLElement {
    return h('div', { class: 'card' }, icon(shape), h('h2', { text: title }), ...children)
  }

  #unknownCard({ error, near }: Status & { kind: 'unknown-market' }): HTMLElement {
    const { onMarket, onSearch } = this.#options
    const buttons = near.map(market =>
      this.#button(`${market.symbol} · ${market.exchange}`, () => onMarket(market)),
    )
    return this.#card(
      'search',
      'This market does not exist',
      // The suggestions of the service are shown as buttons below.
      h('p', { text: `${error.replace(/\. Did you mean .*\?$/, '')}.` }),
      near.length > 0 && h('p', { class: 'card-note', text: 'Did you mean one of these?' }),
      h('div', { class: 'card-actions' }, ...buttons, this.#button('Search', onSearch)),
    )
  }

  #keyCard(error: string | undefined): HTMLElement {
    const isWrong = error !== undefined
    return this.#card(
      'key',
      isWrong ? 'This key is not valid' : 'A key opens the chart',
      h('p', {
        text: isWrong
          ? `The service said: ${error}`
          : 'The service printed a link at its first start that opens this page signed in.',
      }),
      keyForm(this.#options.onKey),
      h(
        'p',
        { class: 'card-note' },
        'A new key is made on the computer of the service: ',
        h('code', { text: command }),
      ),
    )
  }
}

/** One field to paste a key. */
export function keyForm(onKey: (key: string, isOnDevice: boolean) => void): HTMLFormElement {
  const input = h('input', {
    attributes: {
      type: 'password',
      name: 'key',
      placeholder: 'cnd_…',
      autocomplete: 'off',
      spellcheck: 'false',
      required: true,
      'aria-label': 'API key',
    },
  })
  const button = h('button', { class: 'button is-main', text: 'Open', attributes: { type: 'submit' } })
  const submit = (event: Event) => {
    event.preventDefault()
    const key = input.value.trim().replace(/^Bearer\s+/i, '')
    if (key) onKey(key, box.checked)
  }
  const box = h('input', { attributes: { type: 'checkbox', id: newId('remember') } })
  const label = h('label', { text: 'Remember it on this device', attributes: { for: box.id } })
  return h(
    'form',
    { class: 'key-form', on: { submit } },
    input,
    button,
    h('div', { class: 'field is-inline' }, box, label),
  )
}
