import { timeZones } from '../chart/times.js'
import type { Store } from '../model/store.js'
import { effect } from '../view/signal.js'
import type { Preferences } from '../view/storage.js'
import { frequentTimeframes, type Market, type Timeframe, timeframeNames, type View } from '../view/view.js'
import { h, newId, setText } from './dom.js'
import { type IconName, icon } from './icons.js'

interface Options {
  readonly host: HTMLElement
  readonly store: Store
  readonly onSearch: () => void
  readonly onTimeframe: (timeframe: Timeframe) => void
  readonly onIndicators: () => void
  readonly onScreen: () => void
  readonly onAlerts: () => void
  readonly onRequest: () => void
  readonly onShare: () => Promise<boolean>
  readonly onKey: () => void
  readonly onHelp: () => void
}

/** The bar at the top, in one row, or on a phone in two. */
export class TopBar {
  readonly badge = h('span', { class: 'badge', attributes: { role: 'status' } })
  readonly #options: Options
  readonly #symbol = h('strong')
  readonly #exchange = h('span', { class: 'market-note' })
  readonly #timeframes: readonly (readonly [Timeframe, HTMLInputElement])[]
  readonly #moreTimeframes: HTMLSelectElement
  readonly #theme: HTMLButtonElement
  readonly #request: HTMLButtonElement

  constructor(options: Options) {
    this.#options = options
    const { host, onSearch, onIndicators, onScreen, onAlerts, onRequest, onKey, onHelp } = options
    this.#timeframes = frequentTimeframes.map(name => [name, this.#timeframe(name)])
    this.#moreTimeframes = this.#timeframeList()
    this.#theme = this.#iconButton('Light or dark', 'moon', () => this.toggleTheme())
    this.#theme.classList.add('theme-button')
    this.#request = this.#textButton('Request', 'code', onRequest)
    this.#request.setAttribute('aria-expanded', 'false')
    const share = this.#iconButton('Copy a link to this chart', 'share', () => void this.#share(share))
    host.append(
      h('div', { class: 'bar-market' }, this.#logo(), this.#marketButton(onSearch), this.badge),
      h(
        'div',
        { class: 'bar-view' },
        this.#timeframeControl(),
        this.#textButton('Indicators', 'indicators', onIndicators),
        this.#textButton('Screen', 'table', onScreen),
        this.#textButton('Alerts', 'bell', onAlerts),
        this.#request,
      ),
      h(
        'div',
        { class: 'bar-tools' },
        this.#theme,
        this.#appearance(),
        share,
        this.#iconButton('API key', 'key', onKey),
        this.#iconButton('Help and keys', 'help', onHelp),
      ),
    )
  }

  show({ exchange, symbol, timeframe }: Market): void {
    setText(this.#symbol, symbol)
    setText(this.#exchange, exchange)
    for (const [name, input] of this.#timeframes) input.checked = name === timeframe
    this.#moreTimeframes.value = frequentTimeframes.includes(timeframe) ? '' : timeframe
  }

  showRequest(isOpen: boolean): void {
    this.#request.setAttribute('aria-expanded', String(isOpen))
  }

  /** Shows an icon for the effect of a click on it. */
  showTheme(isDark: boolean): void {
    this.#theme.replaceChildren(icon(isDark ? 'sun' : 'moon'))
    this.#theme.title = isDark ? 'Light' : 'Dark'
  }

  toggleTheme(): void {
    this.#options.store.preferences.change({
      theme: document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark',
    })
  }

  #logo(): HTMLElement {
    const image = h('span', { class: 'logo', attributes: { 'aria-hidden': 'true' } })
    return h('h1', {}, image, h('span', { class: 'visually-hidden', text: 'Candela' }))
  }

  #marketButton(onSearch: () => void): HTMLElement {
    return h(
      'button',
      {
        class: 'market-button',
        attributes: { type: 'button', 'aria-haspopup': 'dialog', title: 'Search for a symbol (s)' },
        on: { click: onSearch },
      },
      icon('search'),
      this.#symbol,
      this.#exchange,
      icon('chevron'),
    )
  }

  #timeframe(name: Timeframe): HTMLInputElement {
    const { onTimeframe } = this.#options
    return h('input', {
      attributes: { type: 'radio', name: 'timeframe', value: name, id: newId('timeframe') },
      on: { change: () => onTimeframe(name) },
    })
  }

  #timeframeControl(): HTMLElement {
    return h(
      'fieldset',
      { class: 'segments' },
      h('legend', { class: 'visually-hidden', text: 'Timeframe' }),
      ...this.#timeframes.flatMap(([name, input]) => [
        input,
        h('label', { text: name, attributes: { for: input.id } }),
      ]),
      this.#moreTimeframes,
    )
  }

  /** A list of the timeframes without a button. */
  #timeframeList(): HTMLSelectElement {
    const others = timeframeNames.filter(name => !frequentTimeframes.includes(name))
    const list = h(
      'select',
      {
        attributes: { 'aria-label': 'More timeframes', title: 'More timeframes' },
        on: { change: () => this.#options.onTimeframe(list.value as Timeframe) },
      },
      h('option', { text: 'More', attributes: { value: '', disabled: '', hidden: '' } }),
      ...others.map(name => h('option', { text: name, attributes: { value: name } })),
    )
    return list
  }

  #textButton(text: string, shape: IconName, act: () => void): HTMLButtonElement {
    return h(
      'button',
      {
        class: 'text-button',
        attributes: { type: 'button', 'aria-label': text, title: text },
        on: { click: act },
      },
      icon(shape),
      h('span', { text }),
      text === 'Indicators' && h('kbd', { text: '/', attributes: { 'aria-hidden': 'true' } }),
    )
  }

  #iconButton(label: string, shape: IconName, act: () => void): HTMLButtonElement {
    return h(
      'button',
      {
        class: 'icon-button',
        attributes: { type: 'button', 'aria-label': label, title: label },
        on: { click: act },
      },
      icon(shape),
    )
  }

  async #share(button: HTMLButtonElement): Promise<void> {
    const isCopied = await this.#options.onShare()
    button.replaceChildren(icon(isCopied ? 'check' : 'close'))
    button.title = isCopied
      ? 'The link is in the clipboard'
      : 'The browser does not allow it; copy the address'
    setTimeout(() => {
      button.replaceChildren(icon('share'))
      button.title = 'Copy a link to this chart'
    }, 1800)
  }

  /** Theme, colours and time zone in a popover. */
  #appearance(): HTMLElement {
    const id = newId('appearance')
    const popover = h('div', { class: 'popover', attributes: { id, popover: 'auto' } })
    // Inside the popover the choices show their own state, and the focus must stay.
    effect(() => {
      const fields = this.#appearanceFields()
      if (!popover.matches(':popover-open')) popover.replaceChildren(...fields)
    })
    const button = this.#iconButton('Appearance', 'sliders', () => {
      // Below its button, also in browsers without CSS anchors.
      const { right, bottom } = button.getBoundingClientRect()
      popover.style.top = `${bottom + 8}px`
      popover.style.setProperty('--right', `${Math.max(8, innerWidth - right)}px`)
    })
    button.setAttribute('popovertarget', id)
    return h('div', {}, button, popover)
  }

  /** A choice that belongs to the view, and so to its address; the first option is omitted there. */
  #viewField<Name extends 'scale' | 'style'>(
    name: Name,
    title: string,
    options: readonly (readonly [NonNullable<View[Name]>, string])[],
  ): HTMLElement {
    const { store } = this.#options
    const list = h(
      'select',
      { attributes: { id: newId(name) } },
      ...options.map(([value, text]) => h('option', { text, attributes: { value } })),
    )
    const first = options[0]?.[0] ?? ''
    const isCompared = name === 'scale' && (store.view.value.compared?.length ?? 0) > 0
    // Prices of several markets are comparable only by their changes.
    list.disabled = isCompared
    list.value = isCompared ? 'percent' : (store.view.value[name] ?? first)
    list.addEventListener('change', () =>
      store.change({ [name]: list.value === first ? undefined : list.value } as Partial<View>),
    )
    return h('div', { class: 'field' }, h('label', { text: title, attributes: { for: list.id } }), list)
  }

  #viewFields(): readonly HTMLElement[] {
    return [
      this.#viewField('style', 'Chart', [
        ['candles', 'Candles'],
        ['heikinashi', 'Heikin-Ashi'],
        ['line', 'Line'],
        ['area', 'Area'],
      ]),
      this.#viewField('scale', 'Scale', [
        ['linear', 'Linear'],
        ['log', 'Logarithmic (l)'],
        ['percent', 'Per cent'],
      ]),
    ]
  }

  #timeField(): HTMLElement {
    const { preferences } = this.#options.store
    const list = h(
      'select',
      { attributes: { id: newId('times') } },
      ...timeZones().map(([value, text]) => h('option', { text, attributes: { value } })),
    )
    list.value = preferences.value.times
    list.addEventListener('change', () => preferences.change({ times: list.value }))
    return h('div', { class: 'field' }, h('label', { text: 'Times', attributes: { for: list.id } }), list)
  }

  #appearanceFields(): readonly HTMLElement[] {
    const { store } = this.#options
    const { preferences } = store
    const choice = <Name extends 'theme' | 'colours'>(
      name: Name,
      title: string,
      options: readonly (readonly [Preferences[Name], string])[],
    ) =>
      h(
        'fieldset',
        {},
        h('legend', { text: title }),
        h(
          'div',
          { class: 'segments' },
          ...options.flatMap(([value, text]) => {
            const id = newId(name)
            const input = h('input', {
              attributes: { type: 'radio', name, id, checked: preferences.value[name] === value },
              on: { change: () => preferences.change({ [name]: value } as Partial<Preferences>) },
            })
            return [input, h('label', { text, attributes: { for: id } })]
          }),
        ),
      )
    const shortcuts = h('input', {
      attributes: { type: 'checkbox', id: newId('shortcuts'), checked: preferences.value.shortcuts },
      on: { change: () => preferences.change({ shortcuts: shortcuts.checked }) },
    })
    return [
      ...this.#viewFields(),
      choice('theme', 'Theme', [
        ['system', 'System'],
        ['light', 'Light'],
        ['dark', 'Dark'],
      ]),
      choice('colours', 'Up and down', [
        ['blue-orange', 'Blue, orange'],
        ['green-red', 'Green, red'],
      ]),
      this.#timeField(),
      h(
        'div',
        { class: 'field is-inline' },
        shortcuts,
        h('label', { text: 'Keys of one letter', attributes: { for: shortcuts.id } }),
      ),
    ]
  }
}
