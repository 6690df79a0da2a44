import type { CandleChart } from '../chart/candle-chart.js'
import { formatChange, formatPrice, shortNumber } from '../chart/numbers.js'
import { legendName, legendOutputs, picturedPrices } from '../chart/shape.js'
import { type Description, parameterSummary, shortTitle } from '../model/catalogue.js'
import { conditionExpression, expressionIndicator } from '../model/expression.js'
import type { Picture } from '../model/picture.js'
import { type Candle, indexAt, type StudyRow } from '../model/rows.js'
import type { StudyData } from '../model/study-data.js'
import type { Study, View } from '../view/view.js'
import type { ComparedRows } from './compared-rows.js'
import { h, setText } from './dom.js'
import { type IconName, icon } from './icons.js'

interface Options {
  readonly host: HTMLElement
  readonly chart: CandleChart
  readonly picture: Picture
  readonly describe: (indicator: string) => Description | undefined
  readonly onEdit: (id: string) => void
  readonly onAlert: (expression: string) => void
  readonly onEvaluate: (id: string, expression: string) => void
  /** The name of the open layout. */
  readonly layout: () => string | undefined
  readonly onLook: (id: string) => void
  readonly compared: Pick<ComparedRows, 'render' | 'show'>
  readonly onHide: (id: string) => void
  readonly onRemove: (id: string) => void
}

/** Height of a pane with no room for the values of levels on its axis. */
const lowPixels = 120
/** Height of the label of a level above the highest candle. */
const labelPixels = 12
/** The height of a folded pane: its heading. */
const foldedPixels = 34

interface StudyLine {
  readonly study: Study
  readonly values: readonly {
    readonly textAt: (row: StudyRow | undefined) => string
    readonly pair: HTMLElement
    readonly element: HTMLElement
  }[]
  readonly message: HTMLElement
}

const rowAt = <R extends { readonly timestamp: number }>(
  rows: readonly R[],
  timestamp: number | undefined,
) => {
  if (timestamp === undefined) return rows.at(-1)
  const row = rows[indexAt(rows, timestamp)]
  return row?.timestamp === timestamp ? row : undefined
}

/** The headings of the panes: names, the values under the crosshair, and buttons. */
export class Legend {
  readonly #options: Options
  readonly #panes: HTMLElement[] = []
  #lines: StudyLine[] = []
  #market:
    | { readonly element: HTMLElement; readonly values: Readonly<Record<string, HTMLElement>> }
    | undefined
  readonly #sizes = new ResizeObserver(() => this.place())
  readonly #observed = new Set<Element>()
  readonly #folded = new Map<string, number>()
  readonly #countdown = h('span', {
    class: 'countdown',
    attributes: { title: 'Until the candle closes', 'aria-hidden': 'true' },
  })
  #pointed: number | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Draws all headings again. */
  render({ market, studies, compared = [] }: View): void {
    const { host, chart, layout, compared: comparedRows } = this.#options
    const refocus = this.#focus()
    this.#panes.length = 0
    this.#sizes.disconnect()
    this.#observed.clear()
    this.#lines = []
    const main = this.#pane(0)
    const note = [market.timeframe, market.exchange, layout()].filter(Boolean).join(' · ')
    this.#market = this.#marketLine(market.symbol, note)
    main.append(this.#market.element, ...comparedRows.render(compared))
    for (const study of studies) this.#pane(chart.paneOf(study.id)).append(this.#studyLine(study))
    host.replaceChildren(...this.#panes.filter(Boolean))
    refocus()
    this.show(this.#pointed)
    requestAnimationFrame(() => this.place())
  }

  /** Remembers the focused button; the result restores the focus to the button in its position. */
  #focus(): () => void {
    const { activeElement } = document
    const row = activeElement?.closest<HTMLElement>('[data-study]')
    if (!row) return () => {}
    const at = [...row.querySelectorAll('button')].indexOf(activeElement as HTMLButtonElement)
    return () => {
      const next = this.#options.host.querySelector(`[data-study="${row.dataset.study}"]`)
      next?.querySelectorAll('button')[at]?.focus()
    }
  }

  #pane(at: number): HTMLElement {
    this.#panes[at] ??= h('div', { class: 'legend' })
    return this.#panes[at]
  }

  /** Moves each heading to the corner of its pane. */
  place(): void {
    const { host, chart } = this.#options
    const top = host.getBoundingClientRect().top
    for (const [at, pane] of chart.api.panes().entries()) {
      const element = pane.getHTMLElement()
      const legend = this.#panes[at]
      if (!element || !legend) continue
      const { top: paneTop, height } = element.getBoundingClientRect()
      legend.style.transform = `translateY(${Math.round(paneTop - top)}px)`
      legend.style.maxHeight = `${Math.round(height)}px`
      // Candles and lines stay clear of the heading, except while the pointer is on the chart, so that they do not move.
      if (this.#pointed === undefined && height > foldedPixels)
        chart.setHeadroom(at, (legend.scrollHeight + (at === 0 ? labelPixels : 4)) / height)
      chart.showLevelValues(at, height > lowPixels)
      for (const each of [element, legend]) this.#observe(each)
    }
  }

  /** Observes an element once: an observer reports an element at first in any case. */
  #observe(element: Element): void {
    if (this.#observed.has(element)) return
    this.#observed.add(element)
    this.#sizes.observe(element)
  }

  #marketLine(symbol: string, note: string) {
    const values = Object.fromEntries(
      ['O', 'H', 'L', 'C', 'change', 'V'].map(name => [name, h('span', { class: 'number' })]),
    )
    const pair = (name: string) =>
      h('span', { class: 'legend-value' }, h('span', { class: 'legend-key', text: name }), values[name])
    const element = h(
      'div',
      { class: 'legend-row legend-market' },
      h('strong', { text: symbol }),
      h('span', { class: 'legend-note', text: note }),
      this.#countdown,
      h('span', { class: 'legend-values' }, ...['O', 'H', 'L', 'C'].map(pair), values.change, pair('V')),
    )
    return { element, values }
  }

  #studyLine(study: Study): HTMLElement {
    const { picture, describe, chart, onEdit } = this.#options
    const description = picture.studies.get(study.id)?.description ?? describe(study.indicator)
    const expression = study.params[expressionIndicator]
    const name = String(expression ?? (description ? shortTitle(description) : study.indicator))
    const summary = description ? parameterSummary(description, study.params) : ''
    const values = description ? this.#values(study, description) : []
    const message = h('span', { class: 'legend-message' })
    this.#lines.push({ study, values, message })
    const title = h(
      'button',
      {
        class: 'legend-name',
        attributes: {
          type: 'button',
          title: expression === undefined ? (description?.title ?? study.indicator) : name,
        },
        on: { click: () => onEdit(study.id) },
      },
      name,
      summary && h('span', { class: 'legend-note', text: ` ${summary}` }),
    )
    const isOwn = chart.paneOf(study.id) > 0
    return h(
      'div',
      {
        class: study.isHidden ? 'legend-row is-hidden' : 'legend-row',
        attributes: { 'data-study': study.id },
      },
      title,
      h('span', { class: 'legend-values' }, ...values.map(({ pair }) => pair), message),
      this.#tools(study, name, isOwn),
    )
  }

  /** The values of a study: its outputs, and the prices that are drawn next to them. */
  #values({ id, params }: Study, description: Description): StudyLine['values'] {
    const { chart, picture } = this.#options
    const value = (
      key: string,
      colour: string | undefined,
      textAt: (row: StudyRow | undefined) => string,
    ) => {
      const element = h('span', { class: 'number' })
      element.style.color = colour ?? ''
      const name = key && h('span', { class: 'legend-key', text: key })
      return { textAt, pair: h('span', { class: 'legend-value' }, name, element), element }
    }
    const outputs = legendOutputs(description).map(output =>
      value(legendName(description, output), chart.colourOf(id, output), row =>
        chart.textOf(id, output, row?.values[output] ?? null),
      ),
    )
    const prices = picturedPrices(description, params).map(({ name, colour, at }) =>
      value(name, chart.studies.get(id)?.colourOf(colour), row => {
        const price = row && at(row, picture.candles, this.#pointed === undefined)
        return price === undefined ? '' : formatPrice(price, chart.decimals)
      }),
    )
    return [...outputs, ...prices]
  }

  #tools(study: Study, name: string, isOwn: boolean): HTMLElement {
    const { picture, onEdit, onHide, onLook, onRemove, onAlert, onEvaluate } = this.#options
    const tool = (label: string, shape: IconName, act: () => void, text?: string) =>
      h(
        'button',
        {
          class: text === undefined ? 'tool' : 'tool has-text',
          attributes: { type: 'button', 'aria-label': `${label} ${name}`, title: label },
          on: { click: act },
        },
        icon(shape),
        text !== undefined && h('span', { text }),
      )
    const pane = isOwn
      ? [
          tool('Move up', 'up', () => this.#move(study.id, -1)),
          tool('Move down', 'down', () => this.#move(study.id, 1)),
          tool(this.#folded.has(study.id) ? 'Unfold' : 'Fold', 'fold', () => this.#fold(study.id)),
        ]
      : []
    const expression = study.params[expressionIndicator]
    const isCondition = picture.studies.get(study.id)?.description === conditionExpression
    const ofCondition = isCondition
      ? [
          tool('Alert when', 'bell', () => onAlert(String(expression)), 'Alert'),
          tool('What followed', 'bars', () => onEvaluate(study.id, String(expression)), 'What followed'),
        ]
      : []
    return h(
      'span',
      { class: isCondition ? 'legend-tools is-shown' : 'legend-tools' },
      ...ofCondition,
      tool('Settings of', 'gear', () => onEdit(study.id)),
      tool('Colours of', 'drop', () => onLook(study.id)),
      tool(study.isHidden ? 'Show' : 'Hide', study.isHidden ? 'eyeOff' : 'eye', () => onHide(study.id)),
      ...pane,
      tool('Remove', 'close', () => onRemove(study.id)),
    )
  }

  #move(id: string, by: number): void {
    const { chart } = this.#options
    const at = chart.paneOf(id)
    const panes = chart.api.panes()
    // The candles stay on top.
    if (at + by < 1 || at + by >= panes.length) return
    panes[at]?.moveTo(at + by)
    const elements = [this.#panes[at], this.#panes[at + by]] as [HTMLElement, HTMLElement]
    ;[this.#panes[at + by], this.#panes[at]] = elements
    requestAnimationFrame(() => this.place())
  }

  #fold(id: string): void {
    const { chart } = this.#options
    const pane = chart.api.panes()[chart.paneOf(id)]
    if (!pane) return
    const height = this.#folded.get(id)
    if (height === undefined) this.#folded.set(id, pane.getHeight())
    else this.#folded.delete(id)
    pane.setHeight(height ?? foldedPixels)
    requestAnimationFrame(() => this.place())
  }

  /** Shows the time until the candle closes; empty if unknown. */
  showCountdown(text: string): void {
    this.#countdown.classList.remove('is-old')
    setText(this.#countdown, text)
  }

  /** Shows the age of the newest candle if it is old. */
  showAge(text: string): void {
    this.#countdown.classList.add('is-old')
    setText(this.#countdown, text)
  }

  /** Shows the values at a candle, or the newest ones. */
  show(timestamp: number | undefined): void {
    this.#pointed = timestamp
    const { picture, host } = this.#options
    host.classList.toggle('is-pointed', timestamp !== undefined)
    this.#showCandle(rowAt(picture.candles, timestamp))
    this.showCompared()
    for (const line of this.#lines) {
      const data = picture.studies.get(line.study.id)
      setText(line.message, messageOf(data))
      line.message.classList.toggle('is-error', (data?.error ?? data?.notLive) !== undefined)
      line.message.classList.toggle('is-alone', data?.error !== undefined && data.rows.length === 0)
      this.#showStudy(line, data && rowAt(data.rows, timestamp))
    }
  }

  /** Shows the changes of the compared markets, which depend on the candles on the screen. */
  showCompared(): void {
    this.#options.compared.show(this.#pointed)
  }

  #showCandle(candle: Candle | undefined): void {
    const { values } = this.#market ?? {}
    if (!values) return
    const { decimals } = this.#options.chart
    const text = (value: number | undefined) => (value === undefined ? '–' : formatPrice(value, decimals))
    const set = (name: string, shown: string) => setText(values[name] as HTMLElement, shown)
    set('O', text(candle?.open))
    set('H', text(candle?.high))
    set('L', text(candle?.low))
    set('C', text(candle?.close))
    set('V', candle ? shortNumber(candle.volume) : '–')
    const change = candle ? candle.close - candle.open : 0
    const percent = candle ? (100 * change) / candle.open : 0
    set('change', candle ? formatChange(percent) : '')
    const { element } = this.#market as { element: HTMLElement }
    element.classList.toggle('is-up', change >= 0)
    element.classList.toggle('is-down', change < 0)
  }

  #showStudy({ values }: StudyLine, row: StudyRow | undefined): void {
    const texts = values.map(({ textAt }) => textAt(row))
    const isKnown = texts.some(text => text !== '' && text !== '–')
    for (const [at, { pair, element }] of values.entries()) {
      const text = texts[at] ?? ''
      // A flag that is set is shown by its name. A missing value is shown only if no value of the study is known.
      setText(element, text === 'yes' && pair.childElementCount > 1 ? '' : text)
      pair.hidden = text === '' || text === 'no' || (text === '–' && isKnown)
    }
  }
}

function messageOf(data: StudyData | undefined): string {
  if (!data) return ''
  const { error, notLive, isLoading, rows } = data
  if (error !== undefined) return error
  if (notLive !== undefined) return `Not live: ${notLive}`
  return isLoading && rows.length === 0 ? 'Loading …' : ''
}
