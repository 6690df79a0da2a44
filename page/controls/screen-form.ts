import { listChoices, type ScreenFault, type ScreenForm, type SymbolList } from '../model/screen-form.js'
import { isTimeframe, type Market, timeframeNames } from '../view/view.js'
import { h, helpLink, newId, setAttribute } from './dom.js'
import { field, textInput } from './field.js'

const firstColumns = 'rsi = rsi(14)\nchange = (close - close[24]) / close[24] * 100'

/** The fields of a screen. Input is kept until the page is closed. */
export class ScreenFields {
  readonly element: HTMLFormElement
  readonly #exchanges = h('datalist', { attributes: { id: newId('exchanges') } })
  readonly #exchange = textInput({ required: true, list: this.#exchanges.id })
  readonly #timeframe = h(
    'select',
    {},
    ...timeframeNames.map(name => h('option', { text: name, attributes: { value: name } })),
  )
  readonly #quote = textInput({ placeholder: 'any' })
  readonly #choices = h('datalist', { attributes: { id: newId('lists') } })
  readonly #symbols = textInput({ placeholder: 'all', list: this.#choices.id })
  readonly #where = textInput({ required: true })
  readonly #columns = h('textarea', { attributes: { rows: 2, spellcheck: 'false' } })

  #lists: readonly SymbolList[] = []

  constructor(onSubmit: () => void) {
    this.#where.value = 'rsi(14) < 50'
    this.#columns.value = firstColumns
    for (const element of [this.#where, this.#columns]) {
      element.classList.add('is-code')
      element.addEventListener('input', () => setAttribute(element, 'aria-invalid', undefined))
    }
    this.#symbols.addEventListener('input', () => this.#offerChoices())
    const submit = (event: Event) => {
      event.preventDefault()
      onSubmit()
    }
    this.element = h(
      'form',
      { class: 'screen-form', on: { submit } },
      field('screen', 'Exchange', this.#exchange),
      field('screen', 'Timeframe', this.#timeframe),
      field('screen', 'Quote', this.#quote, 'Ending of symbols, such as USDT'),
      field(
        'screen',
        'Symbols',
        this.#symbols,
        'Instead of a quote: BTCUSDT, list:majors; top:50 are the most traded of the quote',
      ),
      field('screen', 'Condition', this.#where, 'True or false at the forming candle, such as rsi(14) < 30'),
      field('screen', 'Columns', this.#columns, 'One in each line: rsi(14), or name = rsi(14)'),
      this.#exchanges,
      this.#choices,
      h(
        'div',
        { class: 'form-acts' },
        h('button', { class: 'button is-main', text: 'Screen', attributes: { type: 'submit' } }),
        helpLink('How to screen markets', '/screening#on-the-page'),
        helpLink('What can be typed', '/expressions'),
      ),
    )
  }

  /** Fills in the market of the chart, unless something was filled in before. */
  begin({ exchange, timeframe }: Market): void {
    if (this.#exchange.value === '') {
      this.#exchange.value = exchange
      this.#timeframe.value = timeframe
    }
    this.#where.focus()
  }

  offerExchanges(names: readonly string[]): void {
    this.#exchanges.replaceChildren(...names.map(value => h('option', { attributes: { value } })))
  }

  /** Offers the key's lists while symbols are typed. */
  offerLists(lists: readonly SymbolList[]): void {
    this.#lists = lists
    this.#offerChoices()
  }

  #offerChoices(): void {
    const choices = listChoices(this.#symbols.value, this.#lists)
    this.#choices.replaceChildren(
      ...choices.map(({ value, label }) => h('option', { text: label, attributes: { value } })),
    )
  }

  read(): ScreenForm {
    const timeframe = this.#timeframe.value
    return {
      exchange: this.#exchange.value,
      timeframe: isTimeframe(timeframe) ? timeframe : '1h',
      quote: this.#quote.value,
      symbols: this.#symbols.value,
      where: this.#where.value,
      columns: this.#columns.value,
    }
  }

  /** Marks the field of a fault, and selects its part of the text. */
  showFault(fault: ScreenFault | undefined): void {
    setAttribute(this.#where, 'aria-invalid', fault?.field === 'where' ? 'true' : undefined)
    setAttribute(this.#columns, 'aria-invalid', fault?.field === 'columns' ? 'true' : undefined)
    const control = fault?.field === 'where' ? this.#where : this.#columns
    if (!fault?.field) return
    control.focus()
    if (fault.range) control.setSelectionRange(...fault.range)
  }
}
