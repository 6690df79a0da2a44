import { formatChange, formatPrice, formatValue, priceDecimals, valueDecimals } from '../chart/numbers.js'
import { sparkPath } from '../chart/spark-path.js'
import {
  firstSort,
  keepOrder,
  nextSort,
  type ScreenRow,
  type ScreenValue,
  type Sort,
  sortRows,
} from '../model/screen-state.js'
import { h, setAttribute, setText } from './dom.js'
import { shape, svg } from './icons.js'

interface Options {
  /** The link to the chart of a market. */
  readonly addressOf: (symbol: string) => string
  readonly onPick: (symbol: string) => void
  /** Called when the row of a market becomes visible or hidden. */
  readonly onSeen: (symbol: string, isSeen: boolean) => void
  /** The newest closes of a market. */
  readonly closesOf: (symbol: string) => readonly number[]
}

interface ShownRow {
  readonly element: HTMLTableRowElement
  readonly cells: readonly HTMLTableCellElement[]
  readonly chart: SVGElement
  readonly change: HTMLElement
}

const [sparkWidth, sparkHeight] = [112, 28]

/** The matches of a screen, sorted by any column, each with a small chart of its closes. */
export class ScreenTable {
  readonly element = h('table', { class: 'values screen-table' })
  readonly #options: Options
  readonly #caption = h('caption')
  readonly #head = h('tr')
  readonly #body = h('tbody')
  readonly #rows = new Map<string, ShownRow>()
  readonly #observer: IntersectionObserver
  #columns: readonly string[] = []
  #data: readonly ScreenRow[] = []
  #sort = firstSort

  constructor(options: Options) {
    this.#options = options
    this.#observer = new IntersectionObserver(entries => {
      for (const { target, isIntersecting } of entries)
        options.onSeen((target as HTMLElement).dataset.symbol ?? '', isIntersecting)
    })
    this.element.append(this.#caption, h('thead', {}, this.#head), this.#body)
  }

  /** Starts a table with these columns after the symbol. */
  begin(columns: readonly string[]): void {
    const isSame = columns.join('\n') === this.#columns.join('\n')
    this.#columns = columns
    if (!isSame) this.#sort = firstSort
    this.#caption.textContent = ''
    this.#observer.disconnect()
    this.#rows.clear()
    this.#body.replaceChildren()
    this.#renderHead()
  }

  show(rows: readonly ScreenRow[], caption: string): void {
    this.#data = rows
    setText(this.#caption, caption)
    const isNamed = new Set(rows.map(({ symbol }) => symbol))
    for (const [symbol, { element }] of this.#rows)
      if (!isNamed.has(symbol)) {
        this.#observer.unobserve(element)
        this.#options.onSeen(symbol, false)
        element.remove()
        this.#rows.delete(symbol)
      }
    const decimals = this.#columns.map((_, at) =>
      valueDecimals(rows.map(({ values }) => values[at]).filter(value => typeof value === 'number')),
    )
    for (const row of rows) this.#showRow(row, decimals)
    // A row under the pointer or with the focus does not move.
    this.#order(!this.#body.matches(':hover, :focus-within'))
  }

  /** Draws the closes of a market. */
  drawCloses(symbol: string): void {
    const shown = this.#rows.get(symbol)
    const closes = this.#options.closesOf(symbol)
    const [first, last] = [closes[0], closes.at(-1)]
    if (!shown || first === undefined || last === undefined) return
    const path = shown.chart.firstElementChild
    path?.setAttribute('d', sparkPath(closes, sparkWidth - 4, sparkHeight - 4))
    shown.chart.classList.toggle('is-up', last >= first)
    shown.chart.classList.toggle('is-down', last < first)
    const percent = (last / first - 1) * 100
    setText(shown.change, Number.isFinite(percent) ? formatChange(percent, 1) : '')
  }

  #renderHead(): void {
    const cell = (text: string, by: Sort['by']) => {
      const button = h('button', {
        text,
        attributes: { type: 'button' },
        on: {
          click: () => {
            this.#sort = nextSort(this.#sort, by)
            this.#showSort()
            this.#order(true)
          },
        },
      })
      return h('th', { attributes: { scope: 'col', 'data-by': by } }, button)
    }
    this.#head.replaceChildren(
      cell('Symbol', 'symbol'),
      h('th', { text: 'Closes', attributes: { scope: 'col' } }),
      ...this.#columns.map((label, at) => cell(label, at)),
    )
    this.#showSort()
  }

  #showSort(): void {
    const { by, isDescending } = this.#sort
    for (const cell of this.#head.children) {
      const isSorted = cell instanceof HTMLElement && cell.dataset.by === String(by)
      setAttribute(cell, 'aria-sort', isSorted && (isDescending ? 'descending' : 'ascending'))
    }
  }

  #order(isSorted: boolean): void {
    const shown = Array.from(this.#body.children, row => (row as HTMLElement).dataset.symbol ?? '')
    const rows = isSorted ? sortRows(this.#data, this.#sort) : keepOrder(this.#data, shown)
    let next = this.#body.firstElementChild
    for (const { symbol } of rows) {
      const element = this.#rows.get(symbol)?.element
      if (!element) continue
      if (element === next) next = next.nextElementSibling
      else this.#body.insertBefore(element, next)
    }
  }

  #showRow({ symbol, values }: ScreenRow, decimals: readonly number[]): void {
    const { cells } = this.#rows.get(symbol) ?? this.#addRow(symbol)
    for (const [at, cell] of cells.entries()) {
      const value = values[at] ?? null
      const isPrice = at === 0 && typeof value === 'number'
      const closes = isPrice ? [...this.#options.closesOf(symbol), value] : []
      setText(cell, isPrice ? formatPrice(value, priceDecimals(closes)) : textOf(value, decimals[at] ?? 2))
    }
    this.drawCloses(symbol)
  }

  #addRow(symbol: string): ShownRow {
    const { addressOf, onPick } = this.#options
    const path = shape('path', { transform: 'translate(2 2)' })
    const chart = svg(sparkWidth, sparkHeight, path)
    chart.classList.add('spark')
    const change = h('span', { class: 'visually-hidden' })
    const cells = this.#columns.map(() => h('td'))
    const link = h('a', { text: symbol, attributes: { href: addressOf(symbol) } })
    const element = h(
      'tr',
      {
        attributes: { 'data-symbol': symbol },
        on: {
          click: event => {
            // With a modifier key, the link opens in another tab as usual.
            if (event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            onPick(symbol)
          },
        },
      },
      h('th', { attributes: { scope: 'row' } }, link),
      h('td', { class: 'spark-cell' }, chart, change),
      ...cells,
    )
    const row = { element, cells, chart, change }
    this.#rows.set(symbol, row)
    this.#body.append(element)
    this.#observer.observe(element)
    return row
  }
}

function textOf(value: ScreenValue, decimals: number): string {
  if (value === null) return '–'
  return typeof value === 'number' ? formatValue(value, decimals) : value ? 'yes' : 'no'
}
