import { h } from './dom.js'
import { type IconName, icon } from './icons.js'

/** Elements of the page that other parts fill. */
export interface Stage {
  readonly root: HTMLElement
  readonly bar: HTMLElement
  readonly chart: HTMLElement
  readonly legends: HTMLElement
  readonly cover: HTMLElement
  readonly line: HTMLElement
  readonly form: HTMLElement
  readonly request: HTMLElement
  readonly newest: HTMLButtonElement
  readonly tools: HTMLButtonElement
  /** Names the time zone of the time axis, and opens the choice of another one. */
  readonly zone: HTMLButtonElement
  readonly drawingBar: HTMLElement
  readonly watchlist: HTMLElement
  /** Instruction for the next step while something is drawn. */
  readonly hint: HTMLElement
  /** Explains why there are no older candles. */
  readonly beginning: HTMLElement
  showTooltip(texts: readonly string[], x: number, y: number): void
}

const tooltipWidth = 260

export function createStage(): Stage {
  const bar = h('header', { class: 'bar' })
  const chart = createChart()
  const legends = h('div', { class: 'legends' })
  const tooltip = h('div', { class: 'tooltip', attributes: { role: 'tooltip', hidden: true } })
  const cover = h('div', { class: 'cover' })
  // Not announced: its seconds change all the time, and the badge announces the state.
  const line = h('div', { class: 'notice', attributes: { hidden: true } })
  const newest = cornerButton('newest', 'newest', 'To the newest candle', 'To the newest candle (End)')
  const tools = cornerButton('tools-button', 'tools', 'Tools', 'Tools (t)')
  tools.setAttribute('aria-haspopup', 'menu')
  const zone = h('button', { class: 'zone', attributes: { type: 'button', 'aria-haspopup': 'menu' } })
  const hint = h('div', { class: 'hint', attributes: { hidden: true } })
  const beginning = h('p', { class: 'beginning', attributes: { role: 'status', hidden: true } })
  const { form, request, watchlist, drawingBar } = createDrawers()
  const area = h(
    'div',
    { class: 'chart-area' },
    chart,
    legends,
    tooltip,
    attribution(),
    beginning,
    hint,
    newest,
    tools,
    zone,
    line,
    cover,
  )
  const root = h(
    'div',
    { class: 'page' },
    bar,
    h('main', { class: 'stage' }, drawingBar, area, form, watchlist, request),
  )
  return {
    root,
    bar,
    chart,
    legends,
    cover,
    line,
    form,
    request,
    newest,
    tools,
    zone,
    drawingBar,
    watchlist,
    hint,
    beginning,
    showTooltip: tooltipOf(area, tooltip),
  }
}

/** The element of the chart, which keys move along. */
const createChart = () =>
  h('div', {
    class: 'chart',
    attributes: {
      tabindex: 0,
      role: 'application',
      'aria-label': 'Chart. Arrow keys move from candle to candle.',
    },
  })

/** The licence of the chart library requires this link. */
const attribution = () =>
  h('a', {
    class: 'attribution',
    text: 'Lightweight Charts by TradingView',
    attributes: { href: 'https://www.tradingview.com/', target: '_blank', rel: 'noopener noreferrer' },
  })

/** The drawing tools, and drawers that open next to the chart, or on a phone over it. */
const createDrawers = () => ({
  drawingBar: h('div', {
    class: 'drawing-bar',
    attributes: { role: 'toolbar', 'aria-label': 'Drawing tools', 'aria-orientation': 'vertical' },
  }),
  form: h('aside', { class: 'form-drawer', attributes: { hidden: true } }),
  request: h('section', { class: 'request-drawer', attributes: { 'aria-label': 'Request', hidden: true } }),
  watchlist: h('aside', { class: 'watchlist', attributes: { 'aria-label': 'Watchlist', hidden: true } }),
})

const cornerButton = (name: string, shape: IconName, label: string, title: string): HTMLButtonElement =>
  h(
    'button',
    { class: `icon-button corner ${name}`, attributes: { type: 'button', 'aria-label': label, title } },
    icon(shape),
  )

/** Shows texts next to a place of the chart, on the side with enough room. */
function tooltipOf(area: HTMLElement, tooltip: HTMLElement): Stage['showTooltip'] {
  let shown = ''
  return (texts, x, y) => {
    if (texts.length === 0) {
      tooltip.hidden = true
      return
    }
    // Read before anything is written, because the page would be laid out once more.
    const isLeft = x + tooltipWidth + 24 > area.clientWidth
    tooltip.hidden = false
    if (texts.join() !== shown) tooltip.replaceChildren(...texts.map(text => h('p', { text })))
    shown = texts.join()
    const left = isLeft ? Math.max(8, x - tooltipWidth - 16) : x + 16
    tooltip.style.transform = `translate(${Math.round(left)}px, ${Math.round(y + 16)}px)`
  }
}
