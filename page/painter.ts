import type { CandleChart } from './chart/candle-chart.js'
import { LevelLines } from './chart/level-lines.js'
import { formatCountdown } from './chart/times.js'
import type { Announcer } from './controls/announcer.js'
import type { FormDrawer } from './controls/form-drawer.js'
import type { Legend } from './controls/legend.js'
import type { RequestDrawer } from './controls/request-drawer.js'
import type { Firing } from './model/alert-book.js'
import { conditionExpression } from './model/expression.js'
import type { Picture } from './model/picture.js'
import type { PictureListener } from './model/picture-listener.js'
import type { Status } from './model/status.js'
import type { Store } from './model/store.js'
import { endOf, isSameMarket, secondsOf, type View } from './view/view.js'

interface Parts {
  readonly store: Store
  readonly picture: Picture
  readonly chart: CandleChart
  readonly legend: Legend
  readonly form: FormDrawer
  readonly request: RequestDrawer
  readonly announcer: Announcer
}

/** Shows the state of the picture in the chart and in everything that has values. A page in the background draws nothing. */
export class Painter implements PictureListener {
  readonly #parts: Parts
  #view: View | undefined
  #firings: readonly Firing[] = []
  readonly #levels: LevelLines
  /** Whether the next candles are those of another market. */
  #isNewMarket = true
  /** Whether something happened that was not drawn. */
  #isUndrawn = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#levels = new LevelLines(parts.chart)
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

  /** To be called before another view is loaded: what is not in it goes, and the chart of another market begins at the newest candle. */
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
  }

  /** Marks what alerts have fired at the market of the chart. */
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

  /** Draws the levels of the market of the chart. */
  showLevels(): void {
    const { store } = this.#parts
    this.#levels.set(store.levels.of(store.market))
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
    this.showFirings(this.#firings)
    this.showLevels()
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
    // An expression that was changed may be drawn in another way.
    if (isCondition === chart.studies.has(id)) chart.removeStudy(id)
    if (!description || data.rows.length === 0) chart.removeStudy(id)
    else if (isCondition) chart.setCondition(id, data.rows, data.study.isHidden)
    else chart.setStudy(data.study, description, data.rows)
    this.showLevels()
    legend.render(store.view.value)
    request.valuesChanged()
  }

  #showValues(): void {
    const { store, legend, request, announcer } = this.#parts
    if (store.pointed.value === undefined) legend.show(undefined)
    request.valuesChanged()
    announcer.value(() => this.#spoken())
  }

  /** The price is in the title, which is seen while another tab is looked at. */
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

  /** Until the forming candle closes; nothing where the market rests, or where the computer's clock is wrong. */
  #countDown(): void {
    const { picture, legend, store } = this.#parts
    if (document.hidden) return
    const last = picture.candles.at(-1)?.timestamp ?? 0
    const left = endOf(store.market.timeframe, last) - Date.now() / 1000
    const isForming = left > 0 && left <= secondsOf(store.market.timeframe)
    // A market that rests for a night, a weekend or a holiday is not old.
    const isOld = last > 0 && -left > Math.max(5 * 86_400, 2 * secondsOf(store.market.timeframe))
    if (isOld) legend.showAge(`last candle ${Math.floor(-left / 86_400)} days ago`)
    else legend.showCountdown(isForming ? formatCountdown(left) : '')
  }
}
