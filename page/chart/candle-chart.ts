import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type MouseEventParams,
  type SeriesType,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { Description } from '../model/catalogue.js'
import type { Candle, StudyRow, Value } from '../model/rows.js'
import type { TimeZoneChoice } from '../view/time-zone.js'
import type { Scale, Study, Style, View } from '../view/view.js'
import { type ChartColours, readColours, withOpacity } from './colours.js'
import { ComparisonLines } from './comparison-lines.js'
import { Conditions } from './conditions.js'
import { chartLook } from './look.js'
import { CloseLine, heikinAshi, setScale } from './manner.js'
import { Markers } from './markers.js'
import { formatPrice, priceDecimals } from './numbers.js'
import { hasOwnPane } from './shape.js'
import { SlotTable } from './slots.js'
import { colourCount, StudyDrawing, type StudyLook } from './study-drawing.js'
import { formatTime } from './times.js'

/** The candle that the crosshair is on, or none. */
export interface Pointed {
  readonly timestamp: number | undefined
  /** Place of a tooltip, in pixels from the top left corner of the chart. */
  readonly x: number
  readonly y: number
  /** Findings of indicators there, in words. */
  readonly texts: readonly string[]
}

interface Options {
  readonly host: HTMLElement
  readonly onPointed: (pointed: Pointed) => void
  /** Called when the oldest loaded candles come into view. */
  readonly onOldest: () => void
  /** Called when the view was moved or widened. */
  readonly onMoved: () => void
}

/** Largest share of a pane that its heading may cover. */
const mostHeadroom = 0.5
/** Minimum space to the right of the newest candle, in candles. */
const leastOffset = 6

/** Number of candles kept loaded to the left of the visible ones, unless the service has no more. */
const margin = 50

const candlePoint = ({ timestamp, open, high, low, close }: Candle) => ({
  time: timestamp as UTCTimestamp,
  open,
  high,
  low,
  close,
})

/** The chart: candles with volume, the indicators over them, and one pane for each other indicator. */
export class CandleChart {
  readonly api: IChartApi
  readonly candles: ISeriesApi<'Candlestick'>
  readonly #volume: ISeriesApi<'Histogram'>
  readonly #markers: Markers
  readonly compared: ComparisonLines
  readonly #options: Options
  readonly studies = new Map<string, StudyDrawing>()
  readonly #conditions: Conditions
  colours: ChartColours = readColours()
  #times: TimeZoneChoice = 'utc'
  #isIntraday = true
  #data: readonly Candle[] = []
  #style: Style = 'candles'
  #scale: Scale = 'linear'
  readonly #line: CloseLine
  #offset = leastOffset
  readonly #slots = new SlotTable()
  decimals = 2

  constructor(options: Options) {
    this.#options = options
    this.api = createChart(options.host, this.#look())
    this.api.timeScale().applyOptions({ rightOffset: leastOffset, barSpacing: 9 })
    this.candles = this.api.addSeries(CandlestickSeries, { borderVisible: false })
    this.#volume = this.api.addSeries(HistogramSeries, {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    })
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: 0.86, bottom: 0 } })
    this.#line = new CloseLine(this.api)
    this.#conditions = new Conditions(this.candles)
    this.#markers = new Markers(this.candles)
    this.compared = new ComparisonLines(this.api, this.#slots, () => this.colours.series)
    this.api.subscribeCrosshairMove(event => this.#point(event))
    this.api.timeScale().subscribeVisibleLogicalRangeChange(range => {
      if (range && range.from < margin && this.#data.length > 0) options.onOldest()
      options.onMoved()
    })
    this.setHeadroom(0, 0)
    this.restyle()
  }

  /** Reserves a share of a pane's height for its heading. */
  setHeadroom(pane: number, share: number): void {
    const top = Math.min(mostHeadroom, Math.max(0.06, share))
    const scale = this.api.priceScale('right', pane)
    if (Math.abs(scale.options().scaleMargins.top - top) < 0.01) return
    scale.applyOptions({ scaleMargins: { top, bottom: pane === 0 ? 0.16 : 0.08 } })
  }

  /** Shows the values of a pane's levels on the axis, or not. */
  showLevelValues(pane: number, isShown: boolean): void {
    for (const [id, study] of this.studies) if (this.paneOf(id) === pane) study.showLevelValues(isShown)
  }

  #look() {
    return chartLook({ colours: this.colours, times: this.#times, isIntraday: this.#isIntraday })
  }

  /** Applies the colours of the style sheet and the time zone. */
  restyle(times = this.#times): void {
    this.#times = times
    this.colours = readColours()
    this.api.applyOptions(this.#look())
    this.#showCandles()
    this.candles.applyOptions({ baseLineColor: this.colours.crosshair })
    this.#line.set(this.#style, this.#data, this.colours.up)
    this.#volume.setData(this.#data.map(candle => this.#volumePoint(candle)))
    for (const drawing of this.studies.values()) drawing.setColours(this.colours)
    this.#conditions.setColours(this.colours.series)
    this.compared.setColours()
    this.drawMarks()
  }

  /** The first series of a study's pane, or of the pane of the candles. */
  seriesOf(study: string | undefined): ISeriesApi<SeriesType> | undefined {
    return study === undefined ? this.candles : this.studies.get(study)?.firstSeries
  }

  get seriesOfStudies(): readonly ISeriesApi<SeriesType>[] {
    return [...this.studies.values()].flatMap(({ firstSeries }) => firstSeries ?? [])
  }

  get data(): readonly Candle[] {
    return this.#data
  }

  #volumePoint({ timestamp, open, close, volume }: Candle) {
    const { upFaint, downFaint } = this.colours
    return { time: timestamp as UTCTimestamp, value: volume, color: close >= open ? upFaint : downFaint }
  }

  /** Shows other candles. Keeps the view unless it is another market. */
  setCandles(candles: readonly Candle[], isIntraday: boolean, isNew: boolean): void {
    this.#data = candles
    if (isNew) {
      this.#isIntraday = isIntraday
      this.decimals = priceDecimals(candles.slice(-300).flatMap(({ open, close }) => [open, close]))
      this.api.applyOptions(this.#look())
      this.candles.applyOptions({
        priceFormat: {
          type: 'custom',
          formatter: (price: number) => formatPrice(price, this.decimals),
          minMove: 10 ** -this.decimals,
        },
      })
    }
    this.#drawCandles()
    this.#volume.setData(candles.map(candle => this.#volumePoint(candle)))
    if (!isNew) return
    this.api.timeScale().resetTimeScale()
    this.showNewest()
  }

  /** Updates the newest candle or appends one. */
  setCandle(candle: Candle): void {
    const shown = this.#style === 'heikinashi' ? heikinAshi(this.#data).at(-1) : candle
    this.candles.update(candlePoint(shown ?? candle))
    this.#line.update(candle)
    this.#volume.update(this.#volumePoint(candle))
  }

  showNewest(): void {
    this.api.priceScale('right').applyOptions({ autoScale: true })
    // Without an animation, because a live candle would stop it halfway.
    this.api.timeScale().scrollToPosition(this.#offset, false)
  }

  /** Whether the oldest candle is on the screen. */
  get isAtOldest(): boolean {
    return (this.api.timeScale().getVisibleLogicalRange()?.from ?? 1) < 1
  }

  /** Scrolls the candle of a time into the middle. */
  showTime(timestamp: number): void {
    const at = this.#data.findIndex(each => each.timestamp >= timestamp)
    const range = this.api.timeScale().getVisibleLogicalRange()
    if (at < 0 || !range) return
    const half = (range.to - range.from) / 2
    this.api.timeScale().setVisibleLogicalRange({ from: at - half, to: at + half })
  }

  /** Whether the newest candle is on the screen. */
  get isAtNewest(): boolean {
    return this.api.timeScale().scrollPosition() > -1
  }

  /** Draws the values of a study, dotted before `settledFrom`. Creates its pane with its first values. */
  setStudy(study: Study, description: Description, rows: readonly StudyRow[], settledFrom?: number): void {
    const { id, params, isHidden } = study
    const known = this.studies.get(id)
    const look = this.#lookOf(study, description)
    if (known && known.description === description) {
      known.setLook(look)
      known.setRows(rows, params, settledFrom)
    } else {
      known?.remove()
      const parts = {
        chart: this.api,
        candleSeries: this.candles,
        candles: () => this.#data,
        description,
        id,
        params,
        settledFrom,
        look,
        decimals: this.decimals,
        timeText: (timestamp: number) => formatTime(timestamp, this.#times, this.#isIntraday),
      }
      const pane = hasOwnPane(description) ? this.api.panes().length : 0
      this.studies.set(id, new StudyDrawing(parts, rows, this.colours, pane))
      this.#shareHeight()
    }
    this.studies.get(id)?.setHidden(isHidden)
    this.#fitStudies()
  }

  /**
   * The colours and the width of a study. Other studies of its pane give up a colour that a person has chosen for this one.
   */
  #lookOf({ id, colours, width }: Study, description: Description): StudyLook {
    const pane = hasOwnPane(description) ? id : 'price'
    for (const other of this.#slots.take(id, pane, colourCount(description), colours)) {
      const drawing = this.studies.get(other)
      drawing?.setLook({ ...drawing.look, slots: this.#slots.of(other) })
    }
    return { slots: this.#slots.of(id), width }
  }

  /** The places in the palette of the colours of a study. */
  slotsOf(id: string): readonly number[] {
    return this.#slots.of(id)
  }

  /** Applies effects of all studies on the rest of the chart: marks, room ahead, and candles that replace the market's. */
  #fitStudies(): void {
    this.drawMarks()
    this.#showCandles()
    const lead = Math.max(0, ...[...this.studies.values()].map(study => study.lead))
    const offset = Math.max(leastOffset, lead + 2)
    if (offset === this.#offset) return
    this.#offset = offset
    this.api.timeScale().applyOptions({ rightOffset: offset })
  }

  /** Shows the market's candles, pale behind the candles of a study. */
  #showCandles(): void {
    const isPale = [...this.studies.values()].some(study => study.replacesCandles)
    const [up, down] = [this.colours.up, this.colours.down].map(colour =>
      isPale ? withOpacity(colour, 0.25) : colour,
    ) as [string, string]
    const isLine = this.#style === 'line' || this.#style === 'area'
    const [shownUp, shownDown] = isLine ? ['transparent', 'transparent'] : [up, down]
    this.candles.applyOptions({
      upColor: shownUp,
      downColor: shownDown,
      wickUpColor: shownUp,
      wickDownColor: shownDown,
      lastValueVisible: !isLine,
      priceLineVisible: !isLine,
    })
  }

  /** Sets the price scale and the candle style. Prices of several markets are compared in per cent. */
  setManner({ scale = 'linear', style = 'candles', compared = [] }: Omit<View, 'market' | 'studies'>): void {
    this.#scale = compared.length > 0 ? 'percent' : scale
    setScale(this.api, this.#scale)
    if (style === this.#style) return
    this.#style = style
    this.#drawCandles()
    this.#showCandles()
  }

  /** Draws all candles in the chosen style. */
  #drawCandles(): void {
    const shown = this.#style === 'heikinashi' ? heikinAshi(this.#data) : this.#data
    this.candles.setData(shown.map(candlePoint))
    this.#line.set(this.#style, this.#data, this.colours.up)
  }

  setStudyRow(id: string, row: StudyRow): void {
    if (this.#conditions.has(id)) this.#conditions.draw()
    if (this.studies.get(id)?.setRow(row)) this.drawMarks()
  }

  /** Shades the candles at which a condition is true. */
  setCondition({ id, isHidden, colours }: Study, rows: readonly StudyRow[]): void {
    this.#conditions.set(id, isHidden ? [] : rows, colours?.[0])
  }

  /** The colour of an output's value in the legend; undefined if the output is not drawn. */
  colourOf(id: string, output: number): string | undefined {
    return this.#conditions.colourOf(id) ?? this.studies.get(id)?.outputColour(output)
  }

  /** A value of a study as text for people. */
  textOf(id: string, output: number, value: Value): string {
    if (this.#conditions.has(id)) return this.#conditions.text(value)
    return this.studies.get(id)?.text(output, value) ?? ''
  }

  removeStudy(id: string): void {
    this.#conditions.remove(id)
    this.studies.get(id)?.remove()
    this.studies.delete(id)
    this.#slots.free(id)
    this.#shareHeight()
    this.#fitStudies()
  }

  /** Gives the candles at least three fifths of the height. */
  #shareHeight(): void {
    const panes = this.api.panes()
    for (const [at, pane] of panes.entries())
      pane.setStretchFactor(at === 0 ? Math.max(3, 1.5 * (panes.length - 1)) : 1)
    setScale(this.api, this.#scale)
  }

  /** Index of the study's own pane; 0 if the study is drawn over the candles. */
  paneOf(id: string): number {
    return this.studies.get(id)?.firstSeries?.getPane().paneIndex() ?? 0
  }

  drawMarks(): void {
    this.#markers.showMarks(this.studies, this.colours)
  }

  #point({ time, point, hoveredObjectId }: MouseEventParams): void {
    const timestamp = typeof time === 'number' ? time : undefined
    const texts = point && timestamp !== undefined ? this.#textsAt(timestamp, hoveredObjectId) : []
    this.#options.onPointed({ timestamp, x: point?.x ?? 0, y: point?.y ?? 0, texts })
  }

  /** Texts for the crosshair: the marks of its candle, and the zone around it. */
  #textsAt(timestamp: number, hovered: unknown): readonly string[] {
    const texts: string[] = []
    for (const [id, { visibleMarks, boxes, description }] of this.studies) {
      for (const mark of visibleMarks) if (mark.timestamp === timestamp) texts.push(mark.text)
      if (boxes && typeof hovered === 'string' && hovered.startsWith(`${id}#`)) {
        const zone = boxes.zoneOf(hovered)
        if (!zone) continue
        const [top, bottom] = [zone.top, zone.bottom].map(price => formatPrice(price, this.decimals))
        texts.push(`${description.title}: ${bottom} to ${top}`)
      }
    }
    return texts
  }

  /** Marks candles at which alerts have fired. */
  setFirings(firings: readonly { readonly timestamp: number; readonly text: string }[]): void {
    this.#markers.showFirings(firings, this.#data[0]?.timestamp ?? 0, this.colours.text)
  }

  /** The time of the first candle on the screen: in per cent, all lines are 0 there. */
  get firstVisible(): number {
    const from = this.api.timeScale().getVisibleLogicalRange()?.from ?? 0
    return this.#data[Math.max(0, Math.ceil(from))]?.timestamp ?? 0
  }
}
