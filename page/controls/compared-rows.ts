import type { CandleChart } from '../chart/candle-chart.js'
import { formatChange } from '../chart/numbers.js'
import { type ComparedClose, changeSince } from '../model/comparison.js'
import type { OtherMarkets } from '../model/other-markets.js'
import { symbolKey } from '../view/view.js'
import { h, setText } from './dom.js'
import { icon } from './icons.js'

interface Options {
  readonly chart: CandleChart
  readonly compared: OtherMarkets
  readonly closesOf: (key: string) => readonly ComparedClose[]
  readonly onRemove: (key: string) => void
}

/** The markets that the chart is compared with, as lines of its legend: the change since the left edge, in per cent. */
export class ComparedRows {
  readonly #options: Options
  #rows: readonly { readonly key: string; readonly element: HTMLElement; readonly value: HTMLElement }[] = []

  constructor(options: Options) {
    this.#options = options
  }

  render(keys: readonly string[]): readonly HTMLElement[] {
    this.#rows = keys.map(key => this.#row(key))
    return this.#rows.map(({ element }) => element)
  }

  #row(key: string) {
    const [exchange, symbol] = key.split(':')
    const value = h('span', { class: 'number' })
    const remove = h(
      'button',
      {
        class: 'tool',
        attributes: { type: 'button', 'aria-label': `Remove ${symbol}`, title: 'Remove' },
        on: { click: () => this.#options.onRemove(key) },
      },
      icon('close'),
    )
    const name = h('span', { class: 'legend-compared', text: symbol ?? '' })
    const element = h(
      'div',
      { class: 'legend-row', attributes: { 'data-study': key } },
      name,
      h('span', { class: 'legend-note', text: exchange ?? '' }),
      h('span', { class: 'legend-values' }, value),
      h('span', { class: 'legend-tools' }, remove),
    )
    return { key, element, value }
  }

  /** Shows the changes up to a candle, or to the newest one. */
  show(timestamp: number | undefined): void {
    const { chart, compared, closesOf } = this.#options
    const first = chart.firstVisible
    for (const { key, element, value } of this.#rows) {
      const change = changeSince(closesOf(key), first, timestamp)
      const other = compared.all.find(({ market }) => symbolKey(market) === key)
      setText(value, change === undefined ? (other?.error ?? '–') : formatChange(change))
      value.classList.toggle('is-error', change === undefined && other?.error !== undefined)
      element.style.setProperty('--line', chart.compared.colourOf(key))
    }
  }
}
