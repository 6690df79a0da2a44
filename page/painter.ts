import type { CandleChart } from './chart/candle-chart.js'
import type { DrawingLayer } from './chart/drawing-layer.js'
import { formatCountdown } from './chart/times.js'
import type { Announcer } from './controls/announcer.js'
import type { FormDrawer } from './controls/form-drawer.js'
import type { Legend } from './controls/legend.js'
import type { RequestDrawer } from './controls/request-drawer.js'
import type { Firing } from './model/alert-book.js'
import { type ComparedClose, closesAt } from './model/comparison.js'
import { conditionExpression } from './model/expression.js'
import type { OtherMarket } from './model/other-market.js'
import type { OtherMarkets } from './model/other-markets.js'
import type { Picture } from './model/picture.js'
import type { PictureListener } from './model/picture-listener.js'
import { putRow } from './model/rows.js'
import type { Status } from './model/status.js'
import type { Store } from './model/store.js'
import { endOf, isSameMarket, secondsOf, symbolKey, type View } from './view/view.js'

interface Parts {
  readonly store: Store
  readonly picture: Picture
  readonly chart: CandleChart
  readonly layer: DrawingLayer
  readonly compared: OtherMarkets
  readonly legend: Legend
  readonly form: FormDrawer
  readonly request: RequestDrawer
  readonly announcer: Announcer
}

/** Shows the state of the picture in the chart and in everything with values. Draws nothing in a background tab. */
export class Painter implements PictureListener {
  readonly #parts: Parts
  #view: View | undefined
  #firings: readonly Firing[] = []
  /** The closes of other markets at the candles, by their symbols. */
  readonly #closes = new Map<string, ComparedClose[]>()
  /** Whether the next candles belong to another market. */
  #isNewMarket = true
  /** Whether a change was not drawn. */
  #isUndrawn = false

  constructor(parts: Parts) {
    this.#parts = parts
    document.addEventListener('visibilitychange', () => {
      if (document.hidden || !this.#isUndrawn) return
      this.#isUndrawn = false
      this.#drawAll()
    })
    setInterval(() => this.#countDown(), 1000)
  }

  onStatus(status: Status): void {
    this.#parts.store.loading.value = status
  }

  onCandles(): void {
    this.#whenVisible(() => this.#drawAll())
  }

  onCandle(...[candle]: Parameters<PictureListener['onCandle']>): void {
    this.#showTitle()
    this.#whenVisible(() => {
      this.#parts.chart.setCandle(candle)
      this.#showValues()
    })
  }

  onStudy(id: string): void {
    this.#whenVisible(() => this.#drawStudy(id))
  }

  onStudyRow(...[id, row]: Parameters<PictureListener['onStudyRow']>): void {
    this.#whenVisible(() => {
      this.#parts.chart.setStudyRow(id, row)
      this.#showValues()
    })
  }

  onBeginning(reason: string | undefined): void {
    this.#parts.store.beginning.value = reason
  }

  /**
   * Must be called before another view is loaded: removes what is not in it, and moves the chart of another market to the
   * newest candle.
   */
  viewChanged(view: View): void {
    const { chart, form } = this.#parts
    const before = this.#view
    this.#view = view
    if (!before || !isSameMarket(before.market, view.market)) this.#isNewMarket = true
    for (const { id } of before?.studies ?? [])
      if (!view.studies.some(study => study.id === id)) {
        chart.removeStudy(id)
        if (form.studyId === id) form.close()
      }
    chart.compared.keep(view.compared ?? [])
  }

  /** Marks firings of alerts at the market of the chart. */
  showFirings(firings: readonly Firing[]): void {
    this.#firings = firings
    const { store, chart } = this.#parts
    const { exchange, symbol, timeframe } = store.market
    const here = firings.filter(
      firing =>
        firing.exchange === exchange &&
        firing.symbol === symbol &&
        firing.timeframe === timeframe &&
        !firing.test,
    )
    chart.setFirings(here.map(({ timestamp, name, expression }) => ({ timestamp, text: name ?? expression })))
  }

  /** Draws the person's drawings at the market of the chart. */
  showDrawings(): void {
    const { store, layer } = this.#parts
    layer.set(store.drawn, store.selected.value)
  }

  /** The closes of a compared market. */
  closesOf(key: string): readonly ComparedClose[] {
    return this.#closes.get(key) ?? []
  }

  /** Draws the closes of another market; `isLive` if only the newest one changed. */
  showCompared(other: OtherMarket, isLive: boolean): void {
    this.#whenVisible(() => {
      const { picture, chart, legend } = this.#parts
      const { candles } = picture
      const seconds = secondsOf(other.market.timeframe)
      const key = symbolKey(other.market)
      const known = this.#closes.get(key)
      const closes = known && isLive ? known : [...closesAt(candles, other.candles, seconds)]
      if (closes === known)
        for (const close of closesAt(candles.slice(-1), other.candles, seconds)) putRow(known, close)
      this.#closes.set(key, closes)
      chart.compared.set(key, closes, closes === known)
      legend.showCompared()
    })
  }

  #showAllCompared(): void {
    const { picture, compared } = this.#parts
    const first = picture.candles[0]
    if (!first) return
    for (const other of compared.all) {
      this.showCompared(other, false)
      void other.reach(first.timestamp)
    }
  }

  #whenVisible(draw: () => void): void {
    if (document.hidden) this.#isUndrawn = true
    else draw()
  }

  #drawAll(): void {
    const { picture, chart, request, store } = this.#parts
    const { candles } = picture
    const isNew = this.#isNewMarket && candles.length > 0
    if (isNew) for (const id of [...chart.studies.keys()]) chart.removeStudy(id)
    chart.setCandles(candles, secondsOf(store.market.timeframe) < 86_400, isNew)
    if (isNew) this.#isNewMarket = false
    this.#showTitle()
    for (const id of picture.studies.keys()) this.#drawStudy(id)
    this.#showAllCompared()
    this.showFirings(this.#firings)
    this.showDrawings()
    this.#showValues()
    request.valuesChanged()
  }

  #drawStudy(id: string): void {
    const { store, picture, chart, legend, form, request } = this.#parts
    const data = picture.studies.get(id)
    const description = data?.description
    if (form.studyId === id) form.showError(data?.error)
    if (!data || (data.rows.length === 0 && data.isLoading)) return
    const isCondition = description === conditionExpression
    // A changed expression may need another kind of drawing.
    if (isCondition === chart.studies.has(id)) chart.removeStudy(id)
    if (!description || data.rows.length === 0) chart.removeStudy(id)
    else if (isCondition) chart.setCondition(data.study, data.rows)
    else chart.setStudy(data.study, description, data.rows, data.settledFrom)
    this.showDrawings()
    legend.render(store.view.value)
    request.valuesChanged()
  }

  #showValues(): void {
    const { store, legend, request, announcer } = this.#parts
    if (store.pointed.value === undefined) legend.show(undefined)
    request.valuesChanged()
    announcer.value(() => this.#spoken())
  }

  /** Shows the price in the title, which is visible while another tab is open. */
  #showTitle(): void {
    const { picture, chart, store } = this.#parts
    const { symbol, timeframe } = store.market
    const price = picture.candles.at(-1)?.close.toFixed(chart.decimals)
    document.title = [price, symbol, timeframe, '· Candela'].filter(Boolean).join(' ')
  }

  #spoken(): string {
    const { picture, chart, store } = this.#parts
    const close = picture.candles.at(-1)?.close.toFixed(chart.decimals) ?? 'no price'
    return `${store.market.symbol} ${close}`
  }

  /**
   * Shows the time until the forming candle closes; nothing during breaks of the market, or if the computer's clock is
   * wrong.
   */
  #countDown(): void {
    const { picture, legend, store } = this.#parts
    if (document.hidden) return
    const last = picture.candles.at(-1)?.timestamp ?? 0
    const left = endOf(store.market.timeframe, last) - Date.now() / 1000
    const isForming = left > 0 && left <= secondsOf(store.market.timeframe)
    // A market that is closed for a night, a weekend or a holiday is not old.
    const isOld = last > 0 && -left > Math.max(5 * 86_400, 2 * secondsOf(store.market.timeframe))
    if (isOld) legend.showAge(`last candle ${Math.floor(-left / 86_400)} days ago`)
    else legend.showCountdown(isForming ? formatCountdown(left) : '')
  }
}
