import {
  type AutoscaleInfo,
  type IPriceLine,
  type ISeriesApi,
  LineStyle,
  type SeriesType,
} from 'lightweight-charts'
import type { Description } from '../model/catalogue.js'
import type { StudyRow, Value } from '../model/rows.js'
import type { Parameters } from '../view/view.js'
import type { Boxes } from './areas.js'
import { ZoneLayer } from './behind-layers.js'
import type { ChartColours } from './colours.js'
import type { Canvas, Layer } from './layer.js'
import { layersOf } from './layers.js'
import { allMarks, type Mark, type MarkShape, marksOf, signalWord } from './marks.js'
import { formatValue, shortNumber, valueDecimals } from './numbers.js'
import { hasOwnPane, placeOf, type Shape, shiftOf } from './shape.js'

/** Choices for the look of a study. */
export interface StudyLook {
  /** Palette places of the study's colours, in their order. */
  readonly slots: readonly number[]
  /** Line width in pixels; undefined for the usual one. */
  readonly width: number | undefined
}

export interface StudyParts extends Pick<Canvas, 'chart' | 'candleSeries' | 'candles'> {
  readonly description: Description
  readonly id: string
  readonly params: Parameters
  readonly look: StudyLook
  readonly settledFrom: number | undefined
  /** Decimals of the candles' prices. */
  readonly decimals: number
  /** A time as text in the chart's time zone. */
  readonly timeText: (timestamp: number) => string
}

/** Largest ratio of a value to the candles' prices that is drawn over them; a volume would flatten the candles. */
const widelyNear = 8
const isNear = (value: number, price: number) => value > price / widelyNear && value < price * widelyNear

/** The range of the values, widened to contain the levels. */
function withLevels(info: AutoscaleInfo | null, levels: readonly number[]): AutoscaleInfo | null {
  const range = info?.priceRange
  if (!range) return info
  const all = [range.minValue, range.maxValue, ...levels]
  return { ...info, priceRange: { minValue: Math.min(...all), maxValue: Math.max(...all) } }
}

/** Whether each candle should have a value, so that the legend says where one is missing. */
const isSteady = (shape: Shape | undefined) =>
  shape !== undefined && ['line', 'steps', 'dots', 'histogram', 'candles'].includes(shape.kind)

const namesText = (value: string | readonly string[], titles: ReadonlyMap<string, string> | undefined) =>
  (typeof value === 'string' ? value.split(',') : value).map(name => titles?.get(name) ?? name).join(', ')

/** Largest number of levels with values on the axis; more labels would displace each other. */
const mostLabels = 3

/** Number of palette colours that an indicator uses. */
export const colourCount = ({ drawing }: Description): number =>
  Math.max(0, ...drawing.map(({ colour }) => (typeof colour === 'number' ? colour : 0)))

/** One indicator on the chart: its shapes, its marks and its pane. */
export class StudyDrawing {
  readonly description: Description
  readonly decimals: number
  marks: readonly Mark[] = []
  readonly #parts: StudyParts
  readonly #layers: Layer[] = []
  readonly #marked: readonly Shape[]
  #levels: readonly IPriceLine[] = []
  #rows: readonly StudyRow[] = []
  #params: Parameters
  look: StudyLook
  #settledFrom: number | undefined
  #colours: ChartColours
  #isHidden = false

  constructor(parts: StudyParts, rows: readonly StudyRow[], colours: ChartColours, pane: number) {
    this.#parts = parts
    this.#params = parts.params
    this.look = parts.look
    this.#colours = colours
    this.description = parts.description
    const { description, id, candleSeries, decimals } = parts
    this.decimals = hasOwnPane(description) ? this.#ownDecimals(rows) : decimals
    const canvas = this.#canvas(pane)
    const shapes = this.#fitting(rows)
    // The series of a pane first, because areas are attached to one of them and lie behind all.
    const isArea = ({ kind }: Shape) => kind === 'area' || kind === 'cloud'
    // Over the candles their scale counts: in per cent, each series has a scale of its own.
    const base = ({ pane: place }: Shape) => (place === 'own' ? this.firstSeries : undefined) ?? candleSeries
    for (const shape of shapes) if (!isArea(shape)) this.#layers.push(...layersOf(shape, canvas, id, base))
    for (const shape of shapes) if (isArea(shape)) this.#layers.push(...layersOf(shape, canvas, id, base))
    this.#marked = shapes.filter(({ kind }) => kind === 'mark' || kind === 'count')
    if (pane > 0) this.#addLevels()
    this.setColours(colours)
    this.setRows(rows, parts.params, parts.settledFrom)
  }

  #canvas(ownPane: number): Canvas {
    const { chart, candleSeries, candles, decimals, description } = this.#parts
    const slotOf = (colour: Shape['colour']) =>
      this.look.slots[(typeof colour === 'number' ? colour : 1) - 1] ?? 0
    return {
      chart,
      candleSeries,
      candles,
      description,
      ownPane,
      params: () => this.#params,
      settledFrom: () => this.#settledFrom,
      priceDecimals: decimals,
      decimals: this.decimals,
      colourOf: colour => this.colourOf(colour),
      sideColour: side =>
        side > 0 ? this.#colours.up : side < 0 ? this.#colours.down : this.#colours.neutral,
      background: () => this.#colours.background,
      lineWidth: () => this.look.width,
      isDashed: colour => typeof colour === 'number' && slotOf(colour) >= this.#colours.series.length,
    }
  }

  /** The colour of a shape that says its place among the colours of the study. */
  colourOf(colour: Shape['colour']): string {
    const { up, down, neutral, series } = this.#colours
    if (typeof colour !== 'number') return colour === 'up' ? up : colour === 'down' ? down : neutral
    return series[(this.look.slots[colour - 1] ?? 0) % series.length] as string
  }

  /** The series whose pane belongs to the study, or the first one over the candles. */
  get firstSeries(): ISeriesApi<SeriesType> | undefined {
    const inPane = this.#layers.find(({ series, shape }) => series && shape.pane === 'own')
    return (inPane ?? this.#layers.find(({ series }) => series))?.series
  }

  get boxes(): Boxes | undefined {
    return this.#layers.find(layer => layer instanceof ZoneLayer)?.painted
  }

  /** Whether the study's candles replace those of the market. */
  get replacesCandles(): boolean {
    return (
      !this.#isHidden && this.#layers.some(({ shape }) => shape.kind === 'candles' && shape.pane === 'price')
    )
  }

  /** Number of candles that the study extends beyond the newest one. */
  get lead(): number {
    const shifts = this.description.drawing.map(shape => shiftOf(shape, this.description, this.#params))
    return this.#isHidden ? 0 : Math.max(0, ...shifts)
  }

  /** The shapes that fit their pane: over the candles only prices, because an average of volumes would flatten them. */
  #fitting(rows: readonly StudyRow[]): readonly Shape[] {
    const price = this.#parts.candles().at(-1)?.close ?? 0
    const isPrice = (output: string) => {
      const place = placeOf(this.description, output)
      const last = rows.findLast(({ values }) => typeof values[place] === 'number')?.values[place]
      return typeof last !== 'number' || isNear(Math.abs(last), price)
    }
    const lines: readonly Shape['kind'][] = [
      'line',
      'steps',
      'dots',
      'level',
      'trendline',
      'area',
      'cloud',
      'candles',
    ]
    return this.description.drawing.filter(
      ({ pane, kind, outputs }) => pane === 'own' || !lines.includes(kind) || outputs.every(isPrice),
    )
  }

  #ownDecimals(rows: readonly StudyRow[]): number {
    const places = this.description.drawing
      .filter(({ pane }) => pane === 'own')
      .flatMap(({ outputs }) => outputs.map(output => placeOf(this.description, output)))
    const numbers = rows
      .slice(-200)
      .flatMap(({ values }) => places.map(place => values[place]).filter(value => typeof value === 'number'))
    return numbers.every(Number.isInteger) ? 0 : valueDecimals(numbers)
  }

  /** Adds lines across the pane to its first series. The scale of the pane contains them. */
  #addLevels(): void {
    const levels = this.description.scale?.levels ?? []
    const series = this.firstSeries
    if (!series || levels.length === 0) return
    this.#levels = levels.map(price =>
      series.createPriceLine({
        price,
        lineWidth: 1,
        lineStyle: LineStyle.Dashed,
        axisLabelVisible: levels.length <= mostLabels,
      }),
    )
    series.applyOptions({
      autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => withLevels(original(), levels),
    })
  }

  /** Shows the values of levels on the axis, or not: in a low pane they would stand on each other and on the next pane. */
  showLevelValues(isShown: boolean): void {
    const axisLabelVisible = isShown && this.#levels.length <= mostLabels
    for (const level of this.#levels)
      if (level.options().axisLabelVisible !== axisLabelVisible) level.applyOptions({ axisLabelVisible })
  }

  /** The colour of an output's value in the legend; undefined if it has none. */
  outputColour(place: number): string | undefined {
    const output = this.description.outputs[place]?.name ?? ''
    const shape = this.description.drawing.find(
      ({ outputs, kind }) => outputs.includes(output) && kind !== 'area' && kind !== 'mark',
    )
    return shape?.colour === undefined ? undefined : this.colourOf(shape.colour)
  }

  /**
   * A value as text: prices with the decimals of the market, texts and times unchanged, values that are not drawn in short
   * form.
   */
  text(place: number, value: Value): string {
    const { name = '', kind, unit, titles } = this.description.outputs[place] ?? {}
    const shape = this.description.drawing.find(({ outputs }) => outputs.includes(name))
    if (value === null) return isSteady(shape) ? '–' : ''
    if (kind === 'signal') return value === 0 ? '' : signalWord(Number(value), shape ?? {}) || 'yes'
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    if (value === 'none') return ''
    if (typeof value !== 'number') return namesText(value, titles)
    if (unit === 'time') return this.#parts.timeText(value)
    if (shape?.kind === 'count') return String(value)
    if (shape ? shape.pane === 'price' : unit === 'price' && this.description.overlay)
      return formatValue(value, this.#parts.decimals)
    return shape?.pane === 'own' ? formatValue(value, this.decimals) : shortNumber(value)
  }

  setColours(colours: ChartColours): void {
    this.#colours = colours
    for (const layer of this.#layers) layer.setColours()
    const { crosshair, background, text } = colours
    for (const level of this.#levels)
      level.applyOptions({ color: crosshair, axisLabelColor: background, axisLabelTextColor: text })
  }

  /** Applies other palette colours or another width. */
  setLook(look: StudyLook): void {
    if (JSON.stringify(look) === JSON.stringify(this.look)) return
    this.look = look
    this.setColours(this.#colours)
    // Areas behind the series must be drawn again.
    this.setRows(this.#rows, this.#params, this.#settledFrom)
  }

  setHidden(isHidden: boolean): void {
    if (isHidden === this.#isHidden) return
    this.#isHidden = isHidden
    for (const layer of this.#layers) layer.setHidden(isHidden)
  }

  get visibleMarks(): readonly Mark[] {
    return this.#isHidden ? [] : this.marks
  }

  get #markShapes(): readonly MarkShape[] {
    return this.#marked.map(shape => ({ shape, shift: shiftOf(shape, this.description, this.#params) }))
  }

  setRows(rows: readonly StudyRow[], params: Parameters, settledFrom: number | undefined): void {
    this.#rows = rows
    this.#params = params
    this.#settledFrom = settledFrom
    for (const layer of this.#layers) layer.setRows(rows)
    const marked = this.#markShapes
    this.marks = marked.length > 0 ? allMarks(this.description, marked, this.#parts.candles(), rows) : []
  }

  /** Updates the newest row or appends one. Returns whether the marks changed. */
  setRow(row: StudyRow): boolean {
    const before = this.#rows.at(-2)
    for (const layer of this.#layers) layer.setRow(row, before)
    const marked = this.#markShapes
    if (marked.length === 0) return false
    const older = this.marks.filter(mark => mark.row !== row.timestamp)
    const now = marksOf(this.description, marked, this.#parts.candles(), row, before)
    if (older.length === this.marks.length && now.length === 0) return false
    this.marks = [...older, ...now]
    return true
  }

  remove(): void {
    // Areas first: they are attached to series.
    for (const layer of this.#layers.toReversed()) layer.remove()
    this.#layers.length = 0
  }
}
