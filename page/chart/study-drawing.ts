import {
  type AutoscaleInfo,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type SeriesType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import { type Description, shortTitle } from '../model/catalogue.js'
import type { Candle, StudyRow, Value } from '../model/rows.js'
import { Boxes, Fill } from './areas.js'
import { BrokenLine } from './broken-line.js'
import { type ChartColours, withOpacity } from './colours.js'
import { type Drawing, type DrawnLine, drawingOf } from './drawing.js'
import { allMarks, type Mark, marksOf, zonesOf } from './marks.js'
import { formatValue, shortNumber, valueDecimals } from './numbers.js'

interface Parts {
  readonly chart: IChartApi
  readonly candles: ISeriesApi<'Candlestick'>
  readonly description: Description
  readonly id: string
  /** Its place among the studies, which decides on its colours. */
  readonly order: number
  /** Of the candles' prices. */
  readonly decimals: number
}

/** Prices lie near the candles; a number that does not would flatten them. */
const isNear = (value: number, price: number, factor: number) =>
  value > price / factor && value < price * factor
const widelyNear = 8
const closelyNear = 1.5

/** The range of the values, made as wide as the levels need it. */
function withLevels(info: AutoscaleInfo | null, levels: readonly number[]): AutoscaleInfo | null {
  const range = info?.priceRange
  if (!range) return info
  const all = [range.minValue, range.maxValue, ...levels]
  return { ...info, priceRange: { minValue: Math.min(...all), maxValue: Math.max(...all) } }
}

/** One indicator on the chart: its lines, marks, zones and the pane that they are in. */
export class StudyDrawing {
  readonly drawing: Drawing
  readonly description: Description
  readonly decimals: number
  marks: readonly Mark[] = []
  readonly #parts: Parts
  #lines: { readonly line: DrawnLine; readonly series: ISeriesApi<SeriesType> }[] = []
  #levels: readonly IPriceLine[] = []
  readonly #fill: Fill | undefined
  readonly #boxes: Boxes | undefined
  #rows: readonly StudyRow[] = []
  #colours: ChartColours
  #isHidden = false

  constructor(
    parts: Parts,
    rows: readonly StudyRow[],
    candles: readonly Candle[],
    colours: ChartColours,
    pane: number,
  ) {
    this.#parts = parts
    this.#colours = colours
    this.description = parts.description
    this.drawing = drawingOf(parts.description)
    this.decimals = this.drawing.isOverCandles ? parts.decimals : this.#ownDecimals(rows)
    for (const line of this.#placed(rows, candles.at(-1)?.close ?? 0)) {
      this.#lines.push({ line, series: this.#addSeries(line, line.style === 'level' ? 0 : pane) })
    }
    const { fill, zone } = this.drawing
    if (fill) this.#fill = new Fill(fill.upper, fill.lower)
    if (zone) this.#boxes = new Boxes(parts.id, shortTitle(parts.description))
    const base = this.#lines[0]?.series ?? parts.candles
    if (this.#fill) base.attachPrimitive(this.#fill)
    if (this.#boxes) parts.candles.attachPrimitive(this.#boxes)
    if (!this.drawing.isOverCandles) this.#addLevels()
    // The heading of the pane needs room above the lines.
    if (pane > 0) this.firstSeries?.priceScale().applyOptions({ scaleMargins: { top: 0.24, bottom: 0.1 } })
    this.setColours(colours)
    this.setRows(rows)
  }

  /** The series whose pane is the study's own. */
  get firstSeries(): ISeriesApi<SeriesType> | undefined {
    return this.#lines.find(({ line }) => this.drawing.isOverCandles || line.style !== 'level')?.series
  }

  /** How many of the colours it takes. */
  get colourCount(): number {
    return 1 + Math.max(0, ...this.drawing.lines.map(({ colour }) => colour))
  }

  get boxes(): Boxes | undefined {
    return this.#boxes
  }

  /**
   * The lines as they fit into their pane: over the candles nothing but prices, and in a pane of its own no prices
   * among numbers of another size. Those are levels over the candles.
   */
  #placed(rows: readonly StudyRow[], price: number): readonly DrawnLine[] {
    const { lines, isOverCandles } = this.drawing
    const lasts = lines.map(({ output }) => {
      const last = rows.findLast(({ values }) => typeof values[output] === 'number')?.values[output]
      return typeof last === 'number' ? last : undefined
    })
    if (isOverCandles)
      return lines.filter((_, at) => lasts[at] === undefined || isNear(lasts[at], price, widelyNear))
    const areNear = lasts.map(last => last !== undefined && isNear(last, price, closelyNear))
    const isMixed =
      areNear.includes(true) && lasts.every((last = 0, at) => areNear[at] || Math.abs(last) < price / 50)
    return lines.map((line, at) => (isMixed && areNear[at] ? { ...line, style: 'level' } : line))
  }

  #ownDecimals(rows: readonly StudyRow[]): number {
    const numbers = rows
      .slice(-200)
      .flatMap(({ values }) => values.filter(value => typeof value === 'number'))
    return valueDecimals(numbers)
  }

  #addSeries(line: DrawnLine, pane: number): ISeriesApi<SeriesType> {
    const { chart } = this.#parts
    const decimals = line.style === 'level' ? this.#parts.decimals : this.decimals
    const options = {
      priceLineVisible: false,
      crosshairMarkerVisible: false,
      lastValueVisible: !this.drawing.isOverCandles,
      priceFormat: {
        type: 'custom',
        formatter: (value: number) => formatValue(value, decimals),
        minMove: 10 ** -decimals,
      },
    } as const
    if (line.style === 'histogram') return chart.addSeries(HistogramSeries, { ...options, base: 0 }, pane)
    if (line.style === 'line') {
      const { fill } = this.drawing
      const isBound = fill?.upper === line.output || fill?.lower === line.output
      return chart.addSeries(LineSeries, { ...options, lineWidth: isBound ? 1 : 2 }, pane)
    }
    if (line.style === 'broken') return chart.addCustomSeries(new BrokenLine(), options, pane)
    // A level far away must not flatten the candles.
    const level = { ...options, isLevel: true, autoscaleInfoProvider: () => null }
    return chart.addCustomSeries(new BrokenLine(), level, pane)
  }

  /** Lines across the pane, which belong to its first series. The scale of the pane contains them. */
  #addLevels(): void {
    const { levels } = this.drawing
    const series = this.firstSeries
    if (!series || levels.length === 0) return
    this.#levels = levels.map(price =>
      series.createPriceLine({ price, lineWidth: 1, lineStyle: LineStyle.Dashed, axisLabelVisible: false }),
    )
    series.applyOptions({
      autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => withLevels(original(), levels),
    })
  }

  colourOf({ colour }: DrawnLine): string {
    const { series } = this.#colours
    return series[(this.#parts.order + colour) % series.length] as string
  }

  /** A value for a person to read: prices with the decimals of the market, what is not drawn in short. */
  text(output: number, value: Value): string {
    const kind = this.description.outputs[output]?.kind
    if (value === null) return kind === 'number' ? '–' : ''
    if (kind === 'signal') return value === 0 ? '·' : Number(value) > 0 ? '▲' : '▼'
    if (typeof value === 'boolean') return value ? '✓' : '·'
    if (typeof value !== 'number') return Array.isArray(value) ? value.join(', ') : String(value)
    const { zone } = this.drawing
    const line = this.#lines.find(drawn => drawn.line.output === output)?.line
    const isDrawn = line !== undefined || zone?.top === output || zone?.bottom === output
    if (!isDrawn) return shortNumber(value)
    return formatValue(value, line?.style === 'level' ? this.#parts.decimals : this.decimals)
  }

  /** The colour of an output's value in the legend; undefined where it is not drawn. */
  outputColour(output: number): string | undefined {
    const drawn = this.#lines.find(({ line }) => line.output === output)
    if (drawn && drawn.line.style !== 'histogram') return this.colourOf(drawn.line)
    const { zone } = this.drawing
    return zone && (zone.top === output || zone.bottom === output) ? this.#baseColour : undefined
  }

  get #baseColour(): string {
    const { series } = this.#colours
    return series[this.#parts.order % series.length] as string
  }

  setColours(colours: ChartColours): void {
    this.#colours = colours
    for (const { line, series } of this.#lines) {
      series.applyOptions({ color: this.colourOf(line) })
      if (line.style === 'histogram' && this.#rows.length > 0) series.setData(this.#points(line))
    }
    for (const level of this.#levels) level.applyOptions({ color: colours.crosshair })
    const [first] = this.drawing.lines
    if (this.#fill && first) this.#fill.colour = this.colourOf(first)
    if (this.#boxes) this.#boxes.colour = this.#baseColour
  }

  setHidden(isHidden: boolean): void {
    if (isHidden === this.#isHidden) return
    this.#isHidden = isHidden
    for (const { series } of this.#lines) series.applyOptions({ visible: !isHidden })
    this.#drawAreas()
  }

  /** The marks that are to be seen. */
  get visibleMarks(): readonly Mark[] {
    return this.#isHidden ? [] : this.marks
  }

  setRows(rows: readonly StudyRow[]): void {
    this.#rows = rows
    for (const { line, series } of this.#lines) {
      series.setData(this.#points(line))
      this.#showLast(line, series)
    }
    this.marks = this.drawing.marks.length > 0 ? allMarks(this.description, this.drawing, rows) : []
    this.#drawAreas()
  }

  /** The newest row changed, or one was appended. Returns whether the marks are others. */
  setRow(row: StudyRow): boolean {
    for (const { line, series } of this.#lines) {
      series.update(this.#point(line, row, this.#rows.at(-2)), false)
      if (line.style === 'level') this.#showLast(line, series)
    }
    this.#drawAreas()
    if (this.drawing.marks.length === 0) return false
    const before = this.marks.filter(({ timestamp }) => timestamp !== row.timestamp)
    const now = marksOf(this.description, this.drawing, row, this.#rows.at(-2))
    if (before.length === this.marks.length && now.length === 0) return false
    this.marks = [...before, ...now]
    return true
  }

  #drawAreas(): void {
    const rows = this.#isHidden ? [] : this.#rows
    if (this.#fill) this.#fill.rows = rows
    const { zone } = this.drawing
    if (this.#boxes && zone) this.#boxes.zones = zonesOf(rows, zone)
  }

  /** A level that is not valid any more has no label on the axis. */
  #showLast({ output, style }: DrawnLine, series: ISeriesApi<SeriesType>): void {
    if (style !== 'level') return
    const isValid = typeof this.#rows.at(-1)?.values[output] === 'number'
    series.applyOptions({
      lastValueVisible: isValid,
      priceLineVisible: isValid,
      title: isValid ? this.#levelTitle(output) : '',
      priceLineStyle: LineStyle.Dotted,
    })
  }

  #levelTitle(output: number): string {
    const { outputs, id } = this.description
    const name = outputs[output]?.name ?? ''
    return /^(value|level)/.test(name) ? id : name
  }

  #points(line: DrawnLine) {
    return this.#rows.map((row, at) => this.#point(line, row, this.#rows[at - 1]))
  }

  #point(line: DrawnLine, { timestamp, values }: StudyRow, before: StudyRow | undefined) {
    const time = timestamp as UTCTimestamp as Time
    const value = values[line.output]
    if (typeof value !== 'number') return { time }
    if (line.style !== 'histogram') return { time, value }
    const last = before?.values[line.output]
    const isWeaker = typeof last === 'number' && Math.abs(value) < Math.abs(last)
    const colour = value >= 0 ? this.#colours.up : this.#colours.down
    return { time, value, color: withOpacity(colour, isWeaker ? 0.4 : 0.8) }
  }

  remove(): void {
    const { chart, candles } = this.#parts
    if (this.#boxes) candles.detachPrimitive(this.#boxes)
    for (const { series } of this.#lines) chart.removeSeries(series)
    this.#lines = []
  }
}
